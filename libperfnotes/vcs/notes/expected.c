/* Notes that will be read soon. */
#include "vcs/notes/expected.h"

#include "vcs/notes/snapshot.h"
#include "vcs/objects/packed_ahead.h"

#include <string.h>

_Static_assert(PN_NOTES_EXPECT_MAX <= PN_PACKED_AHEAD_MAX, "all are expected");

bool pn_notes_may_expect(const struct pn_notes *notes)
{
	return notes->cache && pn_cache_is_empty(notes->cache) &&
	       !pn_recent_has_any(notes->recent);
}

/* A note of several blobs is left to its turn. False: so are all that follow,
 * as what cannot be read may cost a fetch that fails for each. */
static bool expect(struct pn_notes *notes, const struct pn_oid *commit,
		   struct pn_buf *ids)
{
	struct pn_expected *e = &notes->expected;

	pn_buf_clear(ids);
	if (pn_fan_find(ids, notes->texts, commit, NULL))
		return false;
	if (ids->len != PN_OID_BYTES ||
	    pn_oidmap_find(&e->commits, commit) != PN_OIDMAP_NONE)
		return true;
	memcpy(e->blobs[e->commits.count].bytes, ids->data, PN_OID_BYTES);
	pn_oidmap_add(&e->commits, commit);
	return true;
}

void pn_notes_expect(struct pn_notes *notes, const struct pn_oid *commits,
		     size_t count)
{
	struct pn_expected *e = &notes->expected;
	struct pn_buf ids = {0};
	size_t i;

	pn_oidmap_release(&e->commits);
	if (count < PN_NOTES_EXPECT_MIN || !pn_notes_may_expect(notes) ||
	    pn_repo_is_partial(notes->repo))
		return;
	e->tip = notes->tip;
	for (i = 0; i < count && i < PN_NOTES_EXPECT_MAX; i++)
		if (!expect(notes, &commits[i], &ids))
			break;
	pn_buf_release(&ids);
	pn_packed_expect(notes->repo, e->blobs, e->commits.count);
}

const struct pn_oid *pn_notes_expected(const struct pn_notes *notes,
				       const struct pn_oid *commit)
{
	const struct pn_expected *e = &notes->expected;
	uint32_t row = PN_OIDMAP_NONE;

	if (e->commits.count && !notes->settled &&
	    pn_oid_equal(&e->tip, &notes->tip))
		row = pn_oidmap_find(&e->commits, commit);
	return row == PN_OIDMAP_NONE ? NULL : &e->blobs[row];
}
