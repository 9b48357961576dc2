/* Children of a repository: git itself, and what it is told. */
#include "vcs/child.h"

#include "vcs/git.h"

#include <string.h>

struct pn_process_options pn_child_options(const struct pn_repo *repo)
{
	struct pn_process_options options = {0};

	options.dir = repo->dir;
	options.env_set = (const char *const *)repo->env;
	options.in = -1;
	return options;
}

int pn_child_run(struct pn_buf *out, char err_text[1024], int *status,
		 const struct pn_repo *repo, const char *const *argv,
		 struct pn_error *err)
{
	struct pn_process_options options = pn_child_options(repo);

	return pn_process_capture(out, err_text, status, argv, &options,
				  PN_CHILD_TEXT_MAX, err);
}

const char *pn_child_said(char err_text[1024])
{
	char *text = err_text;
	char *end;

	if (!strncmp(text, "fatal: ", 7))
		text += 7;
	else if (!strncmp(text, "error: ", 7))
		text += 7;
	end = strchr(text, '\n');
	if (end)
		*end = '\0';
	for (end = text; *end; end++)
		if (*end == '\t')
			*end = ' ';
	return *text ? text : "git gave no reason";
}
