/* Showing a page, as git does it. */
#include "base/process/browse.h"

#include "base/process/process.h"

#include <stdlib.h>

int pn_browse(const char *path, struct pn_error *err)
{
	struct pn_process_options options = {0};
	struct pn_process process;
	char *whole = realpath(path, NULL);
	int status = 0, code;

	if (!whole)
		return pn_error_system(err, "cannot open '%s'", path);
	code = pn_process_start(
		&process, (const char *[]){"git", "web--browse", whole, NULL},
		&options, err);
	if (!code)
		code = pn_process_wait(&status, &process, err);
	free(whole);
	if (!code && status)
		return pn_error_set(err, PN_EIO,
				    "no browser shows '%s': git-web--browse(1) "
				    "says how one is chosen (git config "
				    "web.browser)",
				    path);
	return code;
}
