/* Getting refs of a remote. */
#include "base/alloc.h"
#include "vcs/child_lock.h"
#include "vcs/git.h"
#include "vcs/objects/stored.h"
#include "vcs/transport/transport.h"

#include <stdlib.h>
#include <string.h>

/* What the configuration may say otherwise, and what must not happen here. */
static const char *const begin[] = {
	"-c",
	"fetch.fsckObjects=true",
	"-c",
	"transfer.fsckObjects=true",
	"-c",
	"core.bigFileThreshold=8m", /* PN_TRANSPORT_LARGE */
	/* a pack, which git keeps until the refs are moved: loose objects are
	 * taken by a `git gc --prune=now` beside it */
	"-c",
	"fetch.unpackLimit=1",
	"fetch",
	"--quiet",
	"--no-write-fetch-head",
	"--no-tags",
	"--no-recurse-submodules",
	"--no-auto-maintenance",
	"--refmap=",
};
#define BEGIN (sizeof(begin) / sizeof(*begin))
#define MORE 10	    /* what the functions below put around it, and the end */
#define BATCH 10000 /* ids of one call, as arguments */

/*
 * What is told to git before the refspecs; *n is their number. `all`: what we
 * have is not told, or an object that is absent counts as part of it.
 */
static const char **begin_fetch(size_t *n, const struct pn_transport *t,
				bool all, size_t specs)
{
	const char **argv = pn_calloc(BEGIN + specs + MORE, sizeof(*argv));

	*n = 0;
	argv[(*n)++] = "git";
	if (all) {
		argv[(*n)++] = "-c";
		argv[(*n)++] = "fetch.negotiationAlgorithm=noop";
	}
	memcpy(argv + *n, begin, sizeof(begin));
	*n += BEGIN;
	argv[(*n)++] = t->progress ? "--progress" : "--no-progress";
	return argv;
}

/* `prunes`: git may take refs out. */
static int fetch(const struct pn_transport *t, const char *const *argv,
		 bool prunes, struct pn_error *err)
{
	struct pn_child_lock deleting = {.fd = -1};
	struct pn_buf out = {0}, said = {0}, why = {0};
	int status = 0, code = 0;

	if (prunes)
		code = pn_child_lock_begin(&deleting, t->repo, PN_CHILD_REFS,
					   err);
	if (!code)
		code = pn_transport_run(&out, &said, &status, t, argv, err);
	pn_child_lock_end(&deleting, status);
	if (!code && status) {
		pn_transport_reason(&why, &said);
		code = pn_error_set(err, PN_EIO, "cannot fetch from '%s': %s",
				    t->remote, pn_buf_text(&why));
	}
	if (!code && !t->dry_run)
		pn_transport_sweep(t->repo);
	if (!code)
		pn_stored_refresh(t->repo);
	pn_buf_release(&out);
	pn_buf_release(&said);
	pn_buf_release(&why);
	return code;
}

int pn_transport_fetch(const struct pn_transport *t,
		       const char *const *refspecs, size_t count,
		       struct pn_error *err)
{
	struct pn_buf filter = {0};
	const char **argv;
	size_t i, n;
	int code;

	argv = begin_fetch(&n, t, false, count);
	argv[n++] = "--prune";
	if (t->dry_run)
		argv[n++] = "--dry-run";
	if (t->filter) {
		pn_buf_printf(&filter, "--filter=%s", t->filter);
		argv[n++] = pn_buf_text(&filter);
	}
	argv[n++] = "--";
	argv[n++] = t->remote;
	for (i = 0; i < count; i++)
		argv[n++] = refspecs[i];
	/* a dry run may be of a repository that is read only */
	code = fetch(t, argv, !t->dry_run, err);
	pn_buf_release(&filter);
	free(argv);
	return code;
}

/* As git fetches what a partial clone lacks, but many at once. */
static int fetch_batch(const struct pn_transport *t, const struct pn_oid *ids,
		       size_t count, struct pn_error *err)
{
	char(*hex)[PN_OID_HEX + 1] = pn_calloc(count, sizeof(*hex));
	const char **argv;
	size_t i, n;
	int code;

	argv = begin_fetch(&n, t, true, count);
	argv[n++] = "--filter=blob:none";
	argv[n++] = "--";
	argv[n++] = t->remote;
	for (i = 0; i < count; i++) {
		pn_oid_hex(hex[i], &ids[i]);
		argv[n++] = hex[i];
	}
	code = fetch(t, argv, false, err);
	free(argv);
	free(hex);
	return code;
}

int pn_transport_objects(const struct pn_transport *t, const struct pn_oid *ids,
			 size_t count, struct pn_error *err)
{
	size_t at, n;
	int code = 0;

	for (at = 0; !code && at < count; at += n) {
		n = count - at < BATCH ? count - at : BATCH;
		code = fetch_batch(t, ids + at, n, err);
	}
	return code;
}

/* "<id> TAB <name>" */
static void take_refs(struct pn_buf *out, const char *at)
{
	struct pn_oid id;
	size_t len;

	for (; *at; at += len + (at[len] != '\0')) {
		len = strcspn(at, "\n");
		if (len <= PN_OID_HEX + 1 || at[PN_OID_HEX] != '\t' ||
		    pn_oid_parse(&id, at))
			continue;
		pn_buf_add(out, id.bytes, PN_OID_BYTES);
		pn_buf_add(out, at + PN_OID_HEX + 1, len - PN_OID_HEX - 1);
		pn_buf_add_byte(out, '\0');
	}
}

int pn_transport_list(struct pn_buf *out, const struct pn_transport *t,
		      const char *pattern, struct pn_error *err)
{
	const char *const argv[] = {"git", "ls-remote", "--quiet", "--refs",
				    "--",  t->remote,	pattern,   NULL};
	struct pn_buf text = {0}, said = {0}, why = {0};
	int status = 0;
	int code = pn_transport_run(&text, &said, &status, t, argv, err);

	if (!code && status) {
		pn_transport_reason(&why, &said);
		code = pn_error_set(err, PN_EIO,
				    "cannot list the refs of '%s': %s",
				    t->remote, pn_buf_text(&why));
	}
	if (!code)
		take_refs(out, pn_buf_text(&text));
	pn_buf_release(&text);
	pn_buf_release(&said);
	pn_buf_release(&why);
	return code;
}
