/* Running man. */
#include "base/process/manual.h"

#include "base/buf.h"
#include "base/process/process.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINK_MAX_BYTES 4096

/*
 * The folder of manual pages that belongs to this binary: <bin>/../share/man.
 * An installation that was moved, or one in a home folder, finds its own.
 */
static void add_own_manpath(struct pn_buf *out)
{
	char exe[LINK_MAX_BYTES];
	ssize_t len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	char *slash;

	exe[len > 0 ? len : 0] = '\0';
	slash = strrchr(exe, '/');
	if (slash)
		*slash = '\0';
	slash = strrchr(exe, '/');
	if (!slash)
		return;
	*slash = '\0';
	pn_buf_printf(out, "%s/share/man:", exe);
}

bool pn_manual_open(const char *page)
{
	struct pn_process_options options = {0};
	struct pn_buf path = {0};
	struct pn_process man;
	int status = 0, code;

	/* An empty last element stands for the system's own search path. */
	pn_buf_add_text(&path, "MANPATH=");
	add_own_manpath(&path);
	if (getenv("MANPATH"))
		pn_buf_add_text(&path, getenv("MANPATH"));
	options.env_set = (const char *[]){pn_buf_text(&path), NULL};
	code = pn_process_start(&man, (const char *[]){"man", page, NULL},
				&options, NULL);
	if (!code)
		code = pn_process_wait(&status, &man, NULL);
	pn_buf_release(&path);
	return !code && !status;
}
