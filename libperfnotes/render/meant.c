/* Words of other tools for commands. */
#include "render/meant.h"

#include <stddef.h>
#include <string.h>

const char *pn_command_meant(const char *word)
{
	static const struct {
		const char *word, *meant;
	} words[] = {
		{"bench", "run"},	{"clone", "pull"},
		{"compare", "diff"},	{"convert", "export"},
		{"delete", "rm"},	{"flamegraph", "show"},
		{"history", "log"},	{"import-perun", "import"},
		{"list", "log"},	{"ls", "log"},
		{"measure", "collect"}, {"profile", "collect"},
		{"record", "collect"},	{"remove", "rm"},
		{"send", "push"},	{"store", "add"},
		{"sync", "pull"},	{"top", "show"},
		{"verify", "fsck"},	{"view", "show"},
	};
	size_t i, len = strlen(word);
	const char *begun = NULL;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(words[i].word, word))
			return words[i].meant;
		else if (len > 3 && !begun &&
			 !strncmp(words[i].word, word, len))
			begun = words[i].meant;
	return begun;
}
