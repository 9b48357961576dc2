/* Children of a repository: git itself, and what it is told. */
#include "vcs/child.h"

#include "base/alloc.h"
#include "vcs/git.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

/* The name that the shell has for our folder, as git takes it. */
static const char *entered(void)
{
	const char *name = getenv("PWD");
	struct stat there, here;

	return name && *name == '/' && !stat(name, &there) &&
			       !stat(".", &here) &&
			       there.st_dev == here.st_dev &&
			       there.st_ino == here.st_ino
		       ? name
		       : NULL;
}

static bool is_git_dir(const struct pn_repo *repo, const char *path)
{
	char *real = realpath(path, NULL);
	bool is = real && !strcmp(real, repo->git_dir);

	free(real);
	return is;
}

/* "GIT_DIR=" and the name by which the repository was come to, through
 * symbolic links or not; NULL: it was come to in another way. */
static char *told_dir(const struct pn_repo *repo)
{
	static const char *const found[] = {".git", "."};
	const char *given = getenv("GIT_DIR");
	const char *from = repo->dir ? NULL : entered();
	struct pn_buf text = {0};
	size_t i;

	for (i = 0; i < (given ? 1 : 2); i++) {
		const char *name = given ? given : found[i];

		pn_buf_clear(&text);
		if (*name == '/')
			pn_buf_printf(&text, "GIT_DIR=%s", name);
		else if (from)
			pn_buf_printf(&text, "GIT_DIR=%s/%s", from, name);
		if (text.len &&
		    is_git_dir(repo, pn_buf_text(&text) + strlen("GIT_DIR=")))
			return pn_buf_detach(&text);
	}
	pn_buf_release(&text);
	return NULL;
}

int pn_child_ask(struct pn_buf *out, char err_text[1024], int *status,
		 const struct pn_repo *repo, const char *const *argv,
		 struct pn_error *err)
{
	struct pn_process_options options = pn_child_options(repo);
	const char *env[PN_GIT_ENV_MAX + 1] = {0};
	char *told = told_dir(repo);
	size_t n;
	int code;

	for (n = 0; n < PN_GIT_ENV_MAX && repo->env[n]; n++)
		env[n] = told && !strncmp(repo->env[n], "GIT_DIR=", 8)
				 ? told
				 : repo->env[n];
	options.env_set = env;
	code = pn_process_capture(out, err_text, status, argv, &options,
				  PN_CHILD_TEXT_MAX, err);
	free(told);
	return code;
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
