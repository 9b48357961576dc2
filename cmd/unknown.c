/* A command that there is not, and what may have been meant. */
#include "base/text/similar.h"
#include "command.h"

#include <stdbool.h>
#include <string.h>

/* Words of other tools, and of git itself, for what is called otherwise here.
 */
static const struct {
	const char *word, *meant;
} words[] = {
	{"bench", "run"},      {"compare", "diff"}, {"convert", "export"},
	{"delete", "rm"},      {"history", "log"},  {"import-perun", "import"},
	{"list", "log"},       {"ls", "log"},	    {"measure", "collect"},
	{"record", "collect"}, {"remove", "rm"},    {"send", "push"},
	{"store", "add"},      {"sync", "pull"},
};

int unknown_command(const char *name)
{
	struct pn_similar similar = {.name = name};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(words[i].word, name))
			similar.found = words[i].meant;
	/* nothing is nearer than what was found by a word */
	for (i = 0; commands[i]; i++)
		pn_similar_look(&similar, commands[i]->name);
	if (similar.found)
		return usage(NULL,
			     "'%s' is not a git perf command; did you "
			     "mean '%s'?",
			     name, similar.found);
	return usage(NULL, "'%s' is not a git perf command", name);
}
