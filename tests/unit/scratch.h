/*
 * Scratch folders for tests that need a repository: made below TMPDIR, with a
 * HOME of their own, so that nobody's gitconfig matters. Commands are shell
 * text, run in the folder.
 */
#ifndef TESTS_UNIT_SCRATCH_H
#define TESTS_UNIT_SCRATCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/process/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define UNUSED_IN_SOME __attribute__((unused))

struct scratch {
	char *dir; /* absolute */
};

/* Variables of the caller's git that would reach into a test. */
static const char *const scratch_unset[] = {"GIT_DIR",
					    "GIT_WORK_TREE",
					    "GIT_COMMON_DIR",
					    "GIT_INDEX_FILE",
					    "GIT_CONFIG_COUNT",
					    "GIT_CONFIG_PARAMETERS",
					    "GIT_CONFIG_GLOBAL",
					    "GIT_CONFIG_SYSTEM",
					    "GIT_CONFIG_NOSYSTEM",
					    "GIT_AUTHOR_NAME",
					    "GIT_AUTHOR_EMAIL",
					    "GIT_AUTHOR_DATE",
					    "GIT_COMMITTER_NAME",
					    "GIT_COMMITTER_EMAIL",
					    "GIT_COMMITTER_DATE",
					    "GIT_OBJECT_DIRECTORY",
					    "EMAIL",
					    NULL};

/* Run `command` in the scratch folder; its standard output, to be freed. Its
 * exit status goes to *status, or must be 0 when status is NULL. */
UNUSED_IN_SOME static char *scratch_sh_status(struct scratch *s, int *status,
					      const char *command)
{
	static const char *const set[] = {"GIT_CONFIG_NOSYSTEM=1",
					  "GIT_AUTHOR_NAME=A U Thor",
					  "GIT_AUTHOR_EMAIL=a@example.com",
					  "GIT_COMMITTER_NAME=C O Mit",
					  "GIT_COMMITTER_EMAIL=c@example.com",
					  "LC_ALL=C",
					  NULL};
	const char *const argv[] = {"sh", "-ec", command, NULL};
	struct pn_process_options options = {.dir = s->dir, .env_set = set};
	struct pn_buf out = {0};
	struct pn_error err;
	char said[1024] = "";
	int exit_status;

	options.in = -1;
	if (pn_process_capture(&out, said, &exit_status, argv, &options,
			       (size_t)1 << 30, &err))
		fail_msg("%s", err.message);
	if (status)
		*status = exit_status;
	else if (exit_status)
		fail_msg("'%s' exits %d: %s", command, exit_status, said);
	pn_buf_add(&out, "", 0);
	return pn_buf_detach(&out);
}

__attribute__((format(printf, 2, 3))) UNUSED_IN_SOME static char *
scratch_sh(struct scratch *s, const char *format, ...)
{
	char command[8192];
	va_list args;

	va_start(args, format);
	assert_in_range(vsnprintf(command, sizeof(command), format, args), 0,
			sizeof(command) - 1);
	va_end(args);
	return scratch_sh_status(s, NULL, command);
}

#define scratch_run(...) free(scratch_sh(__VA_ARGS__))

/* As scratch_sh, without the last line feed. */
#define scratch_line(...) scratch_chomp(scratch_sh(__VA_ARGS__))

UNUSED_IN_SOME static char *scratch_chomp(char *text)
{
	text[strcspn(text, "\n")] = '\0';
	return text;
}

/* A cmocka setup: an empty folder, and a HOME in it. */
UNUSED_IN_SOME static int scratch_open(void **state)
{
	const char *tmp = getenv("TMPDIR");
	struct scratch *s = calloc(1, sizeof(*s));
	struct pn_buf path = {0};
	char *real;
	size_t i;

	pn_buf_printf(&path, "%s/perfnotes-XXXXXX", tmp ? tmp : "/tmp");
	if (!s || !mkdtemp((char *)path.data))
		return -1;
	s->dir = pn_buf_detach(&path);
	real = scratch_line(s, "pwd -P");
	free(s->dir);
	for (i = 0; scratch_unset[i]; i++)
		unsetenv(scratch_unset[i]);
	setenv("HOME", real, 1);
	setenv("XDG_CONFIG_HOME", real, 1);
	setenv("GIT_CEILING_DIRECTORIES", tmp ? tmp : "/tmp", 1);
	s->dir = real;
	*state = s;
	return 0;
}

/* As above, with a repository that has one commit on branch main. */
UNUSED_IN_SOME static int scratch_repo(void **state)
{
	if (scratch_open(state))
		return -1;
	scratch_run(*state, "git init -q -b main && echo one >file && "
			    "git add file && git commit -qm first");
	return 0;
}

UNUSED_IN_SOME static int scratch_close(void **state)
{
	struct scratch *s = *state;

	scratch_run(s, "chmod -R u+w . && rm -rf \"$PWD\"");
	free(s->dir);
	free(s);
	return 0;
}

#endif
