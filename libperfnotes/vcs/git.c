/* libgit2's errors in our words. */
#include "vcs/git.h"

#include <stdarg.h>
#include <stdio.h>

int pn_git_fail(struct pn_error *err, int code, const char *format, ...)
{
	const git_error *last = git_error_last();
	char text[PN_ERROR_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (!last || !last->message)
		return pn_error_set(err, code, "%s", text);
	return pn_error_set(err, code, "%s: %s", text, last->message);
}
