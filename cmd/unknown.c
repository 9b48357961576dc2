/* A command or an option before it that there is not, and what may have been
 * meant. */
#include "base/text/similar.h"
#include "command.h"
#include "render/meant.h"

#include <string.h>

int unknown_command(const char *name)
{
	struct pn_similar similar = {.name = name,
				     .found = pn_command_meant(name)};
	size_t i, len = strlen(name);

	/* nothing is nearer than what was found by a word */
	for (i = 0; commands[i]; i++)
		pn_similar_look(&similar, commands[i]->name);
	for (i = 0; !similar.found && len > 2 && commands[i]; i++)
		if (!strncmp(commands[i]->name, name, len))
			similar.found = commands[i]->name;
	if (similar.found)
		return usage(NULL,
			     "'%s' is not a git perf command; did you "
			     "mean '%s'?",
			     name, similar.found);
	return usage(NULL, "'%s' is not a git perf command", name);
}

int unknown_global(const char *text)
{
	static const char *const known[] = {"--version", "--help", "--no-pager",
					    "--color", "--no-color"};
	struct pn_similar similar = {.name = text};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		pn_similar_look(&similar, known[i]);
	if (similar.found)
		return usage(NULL, "unknown option '%s'; did you mean '%s'?",
			     text, similar.found);
	return usage(NULL, "unknown option '%s'", text);
}
