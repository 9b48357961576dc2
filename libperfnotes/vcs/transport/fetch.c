/* Getting refs of a remote. */
#include "base/alloc.h"
#include "vcs/git.h"
#include "vcs/transport/transport.h"

#include <stdlib.h>

/* What the configuration may say otherwise, and what must not happen here. */
static const char *const begin[] = {
	"git",
	"-c",
	"fetch.fsckObjects=true",
	"-c",
	"transfer.fsckObjects=true",
	"-c",
	"core.bigFileThreshold=8m", /* PN_TRANSPORT_LARGE */
	"fetch",
	"--quiet",
	"--no-write-fetch-head",
	"--no-tags",
	"--no-recurse-submodules",
	"--no-auto-maintenance",
	"--refmap=",
	"--prune",
};
#define BEGIN (sizeof(begin) / sizeof(*begin))
#define MORE 5 /* progress, dry run, "--", the remote, the end */

int pn_transport_fetch(const struct pn_transport *t,
		       const char *const *refspecs, size_t count,
		       struct pn_error *err)
{
	const char **argv = pn_calloc(BEGIN + count + MORE, sizeof(*argv));
	struct pn_buf out = {0}, said = {0}, why = {0};
	size_t i, n = 0;
	int status = 0, code;

	while (n < BEGIN) {
		argv[n] = begin[n];
		n++;
	}
	argv[n++] = t->progress ? "--progress" : "--no-progress";
	if (t->dry_run)
		argv[n++] = "--dry-run";
	argv[n++] = "--";
	argv[n++] = t->remote;
	for (i = 0; i < count; i++)
		argv[n++] = refspecs[i];
	code = pn_transport_run(&out, &said, &status, t, argv, err);
	if (!code && status) {
		pn_transport_reason(&why, &said);
		code = pn_error_set(err, PN_EIO, "cannot fetch from '%s': %s",
				    t->remote, pn_buf_text(&why));
	}
	if (!code)
		git_odb_refresh(t->repo->odb);
	pn_buf_release(&out);
	pn_buf_release(&said);
	pn_buf_release(&why);
	free(argv);
	return code;
}
