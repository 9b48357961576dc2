/* The work tree becomes that of a commit: git read-tree with an index of the
 * run's own, which then replaces the user's, then HEAD. */
#include "vcs/git.h"
#include "vcs/inplace/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The user's own index says nothing here; every file is looked at once, so
 * that git knows which need not be written. */
static int make_index(const struct pn_inplace *run, const char *index,
		      struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];
	const char *const read[] = {"read-tree", hex, NULL};
	const char *const refresh[] = {"update-index", "-q", "--refresh", NULL};
	int status, code;

	pn_oid_hex(hex, &run->home);
	code = pn_inplace_git(NULL, NULL, run, index, read, err);
	if (!code) /* 1: files differ, those that were set aside */
		code = pn_inplace_git(NULL, &status, run, index, refresh, err);
	return code;
}

int pn_inplace_checkout(struct pn_inplace *run, const struct pn_oid *commit,
			struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];
	const char *const read[] = {"read-tree", "--reset", "-u", hex, NULL};
	char *index = pn_inplace_path(run, PN_INPLACE_RUN_INDEX);
	struct pn_buf lock = {0};
	int code = 0;

	pn_oid_hex(hex, commit);
	/* of a git process of this run that was killed: nobody else's */
	pn_buf_printf(&lock, "%s.lock", index);
	unlink(pn_buf_text(&lock));
	if (access(index, F_OK))
		code = make_index(run, index, err);
	if (!code)
		code = pn_inplace_git(NULL, NULL, run, index, read, err);
	pn_buf_release(&lock);
	free(index);
	return code;
}

static int set_head(const struct pn_inplace *run, const char *hex,
		    struct pn_error *err)
{
	char text[PN_OID_HEX + 2];
	int code;

	snprintf(text, sizeof(text), "%s\n", hex);
	code = pn_inplace_put(run, "detached", text, err);
	return code ? code
		    : pn_inplace_install(run, "detached", run->repo->git_dir,
					 PN_INPLACE_HEAD, err);
}

int pn_inplace_step(struct pn_inplace *run, const struct pn_oid *commit,
		    struct pn_error *err)
{
	struct pn_listing next = {0};
	char hex[PN_OID_HEX + 1];
	int code = pn_listing_add(&next, run->repo, commit, err);

	pn_oid_hex(hex, commit);
	if (!code)
		code = pn_inplace_put(run, PN_INPLACE_NEXT, hex, err);
	if (!code)
		run->next = *commit;
	if (!code && !pn_oid_is_zero(&run->current))
		code = pn_inplace_sweep(run, &run->tree, &next, err);
	if (!code)
		code = pn_inplace_checkout(run, commit, err);
	if (!code)
		code = pn_inplace_install(run, PN_INPLACE_RUN_INDEX,
					  run->repo->git_dir, PN_INPLACE_INDEX,
					  err);
	if (!code)
		code = set_head(run, hex, err);
	if (!code)
		code = pn_inplace_put(run, PN_INPLACE_CURRENT, hex, err);
	if (code) {
		pn_listing_release(&next);
		return code;
	}
	pn_listing_release(&run->tree);
	run->tree = next;
	run->current = *commit;
	return 0;
}
