/* One commit of a run: its files, then its index and HEAD in place of the
 * user's. */
#include "vcs/git.h"
#include "vcs/inplace/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int set_head(struct pn_inplace *run, const char *hex,
		    struct pn_error *err)
{
	char text[PN_OID_HEX + 2];
	int code;

	snprintf(text, sizeof(text), "%s\n", hex);
	code = pn_inplace_put(run, "detached", text, err);
	return code ? code
		    : pn_inplace_install(run, "detached", PN_INPLACE_HEAD, err);
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
	if (!code)
		code = pn_inplace_sweep(run, &run->tree, &next, err);
	if (!code)
		code = pn_inplace_checkout(run, commit, &run->tree, err);
	if (!code)
		code = pn_inplace_install(run, PN_INPLACE_RUN_INDEX,
					  PN_INPLACE_INDEX, err);
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
