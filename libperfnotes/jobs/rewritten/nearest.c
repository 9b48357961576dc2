/* The nearest measured commit, or one that was rewritten since. */
#include "jobs/rewritten/nearest.h"

#include "jobs/rewritten/rewritten.h"
#include "storage/lookup/records.h"
#include "storage/measured.h"
#include "vcs/notes/cached.h"

/* From so many steps on: most are next to what was measured. */
#define CACHED_FROM 8

struct nearest {
	const struct pn_lookup *lookup;
	struct pn_rewritten *rewritten; /* NULL: no stand-ins are wanted */
	const char *name;
};

/* The commits of a walk are asked for together, and the one that is found by
 * itself, as those are that ask for its records later: 1, 0 or an error. */
static int is_stood_for(const struct nearest *n, const struct pn_oid *commit,
			const struct pn_commit_facts *facts,
			struct pn_error *err)
{
	struct pn_oid from;
	bool same_tree = false;

	if (!n->rewritten ||
	    !pn_rewritten_find(&from, &same_tree, n->rewritten, commit,
			       facts) ||
	    !same_tree)
		return 0;
	from = pn_lookup_records(n->lookup, commit);
	if (pn_oid_equal(&from, commit))
		return 0;
	return pn_store_has_series(n->lookup->notes, &from, &facts->tree,
				   n->name, err);
}

static int walk(struct pn_oid *out, const struct nearest *n,
		const struct pn_oid *from, struct pn_error *err)
{
	struct pn_notes *notes = n->lookup->notes;
	struct pn_commit_facts facts = {0};
	struct pn_oid at;
	size_t steps = 1;
	int code = pn_notes_commit_facts(&facts, notes, from, err);

	while (!code && facts.parent_count) {
		at = facts.first_parent;
		if (pn_repo_ends_before(n->lookup->repo, &at))
			return 0;
		if (++steps == CACHED_FROM)
			pn_notes_use_cache(notes);
		code = pn_notes_commit_facts(&facts, notes, &at, err);
		if (!code)
			code = pn_store_has_series(notes, &at, &facts.tree,
						   n->name, err);
		if (!code)
			code = is_stood_for(n, &at, &facts, err);
		if (code > 0)
			*out = at;
	}
	return code;
}

int pn_nearest_measured(struct pn_oid *out, const struct pn_lookup *lookup,
			const struct pn_oid *from, const char *name,
			struct pn_error *err)
{
	struct nearest n = {.lookup = lookup, .name = name};
	int code;

	if (pn_oid_is_zero(pn_notes_tip(lookup->notes)))
		return 0;
	if (lookup->find_records) {
		n.rewritten = pn_rewritten_new(lookup->repo, lookup->notes);
		pn_rewritten_begin(n.rewritten, from);
	}
	code = walk(out, &n, from, err);
	pn_rewritten_free(n.rewritten);
	return code;
}
