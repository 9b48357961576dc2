/* Any text in git's configuration syntax, read by git itself. */
#include "vcs/child.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* "bad config line 3 in standard input": whoever called knows the name. */
static void drop_place(char *said)
{
	char *place = strstr(said, " in standard input");

	if (place)
		*place = '\0';
}

static int run_git(struct pn_buf *out, const struct pn_repo *repo, int in,
		   struct pn_error *err)
{
	static const char *const argv[] = {
		"git",		 "config", "--file", "-",
		"--no-includes", "-l",	   "-z",     NULL};
	struct pn_process_options options = pn_child_options(repo);
	char said[1024] = "";
	int status = 0, code;

	options.in = in;
	code = pn_process_capture(out, said, &status, argv, &options,
				  PN_CHILD_TEXT_MAX, err);
	if (code || !status)
		return code;
	drop_place(said);
	return pn_error_set(err, PN_EINVAL, "%s", pn_child_said(said));
}

int pn_repo_parse_config(struct pn_buf *out, const struct pn_repo *repo,
			 const void *bytes, size_t len, struct pn_error *err)
{
	FILE *file = tmpfile();
	int code;

	if (!file)
		return pn_error_system(err, "cannot make a temporary file");
	if (fwrite(bytes, 1, len, file) != len || fflush(file) ||
	    lseek(fileno(file), 0, SEEK_SET))
		code = pn_error_system(err, "cannot write a temporary file");
	else
		code = run_git(out, repo, fileno(file), err);
	fclose(file);
	return code;
}
