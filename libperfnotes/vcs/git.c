/* libgit2's errors in our words. */
#include "vcs/git.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Of a file that may not be opened it says "failed open - '...' is locked: "
 * and errno's text. */
static void unlock(char *text)
{
	static const char word[] = " is locked: ";
	char *at = strstr(text, word);

	if (at &&
	    (strstr(text, "failed open - ") || strstr(text, "failed stat - ")))
		memmove(at, at + sizeof(word) - 3,
			strlen(at + sizeof(word) - 3) + 1);
}

/* Of a file that it could not look at libgit2 does not always say why: asked
 * again, the system does. */
static void add_reason(char *text, size_t size)
{
	size_t len = strlen(text);
	char *path = strstr(text, " '/"), *end = text + len - 1;
	struct stat st;
	int failed;

	if (!path || *end != '\'' || end < path + 3)
		return;
	*end = '\0';
	failed = stat(path + 2, &st) ? errno : 0;
	*end = '\'';
	if (failed)
		snprintf(text + len, size - len, ": %s", strerror(failed));
}

int pn_git_fail(struct pn_error *err, int code, const char *format, ...)
{
	const git_error *last = git_error_last();
	char text[PN_ERROR_MAX], said[PN_ERROR_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (!last || !last->message)
		return pn_error_set(err, code, "%s", text);
	snprintf(said, sizeof(said), "%s", last->message);
	unlock(said);
	add_reason(said, sizeof(said));
	return pn_error_set(err, code, "%s: %s", text, said);
}
