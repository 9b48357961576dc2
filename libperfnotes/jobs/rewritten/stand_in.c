/* Stand-ins of the commits that were named. */
#include "jobs/rewritten/stand_in.h"

#include "base/alloc.h"
#include "jobs/rewritten/rewritten.h"
#include "storage/store.h"

#include <stdlib.h>

#define HEX_SHOWN 10

static bool has_records(struct pn_notes *notes, const struct pn_oid *commit)
{
	const struct pn_entry *entries = NULL;
	struct pn_arena arena = {0};
	struct pn_error err;
	size_t count = 0;
	int code = pn_store_entries(&entries, &count, NULL, &arena, notes,
				    commit, &err);

	pn_arena_release(&arena);
	return code || count; /* whoever reads it says what is wrong */
}

static bool find(struct pn_oid *from, const struct pn_stand_ins *s,
		 const struct pn_oid *commit)
{
	bool same_tree = false;

	return !pn_oid_is_zero(commit) &&
	       !pn_oid_is_zero(pn_notes_tip(s->notes)) &&
	       !has_records(s->notes, commit) &&
	       pn_rewritten_find_alone(from, &same_tree, s->repo, s->notes,
				       commit) &&
	       same_tree;
}

static const struct pn_stand_in *asked(const struct pn_stand_ins *s,
				       const struct pn_oid *commit)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		if (pn_oid_equal(&s->items[i].now, commit))
			return &s->items[i];
	return NULL;
}

static void look(struct pn_oid *commit, void *data)
{
	struct pn_stand_ins *s = data;
	const struct pn_stand_in *had = asked(s, commit);
	struct pn_stand_in item = {.now = *commit};

	if (!had) {
		item.found = find(&item.from, s, commit);
		s->items = pn_grow(s->items, &s->cap, s->count + 1,
				   sizeof(*s->items));
		had = &s->items[s->count];
		s->items[s->count++] = item;
	}
	if (had->found)
		*commit = had->from;
}

void pn_stand_ins_use(struct pn_stand_ins *s, struct pn_lookup *lookup)
{
	if (!lookup->repo)
		return;
	s->repo = lookup->repo;
	s->notes = lookup->notes;
	lookup->find_records = look;
	lookup->data = s;
}

bool pn_stand_ins_has(const struct pn_lookup *lookup,
		      const struct pn_oid *commit)
{
	const struct pn_stand_in *had = lookup->find_records == look
						? asked(lookup->data, commit)
						: NULL;

	return had && had->found;
}

const struct pn_oid *pn_stand_ins_source(const struct pn_lookup *lookup,
					 const struct pn_found *found)
{
	return pn_stand_ins_has(lookup, &found->commit) ? &found->commit
							: &found->entry->commit;
}

void pn_stand_ins_text(struct pn_buf *out, const struct pn_lookup *lookup,
		       const struct pn_oid *commit)
{
	char now[PN_OID_HEX + 1], was[PN_OID_HEX + 1];

	if (!pn_stand_ins_has(lookup, commit))
		return;
	pn_oid_hex(now, commit);
	pn_oid_hex(was, &asked(lookup->data, commit)->from);
	pn_buf_printf(out,
		      "%.*s was rewritten: what was measured before, at "
		      "%.*s with the same tree, is taken\n",
		      HEX_SHOWN, now, HEX_SHOWN, was);
}

void pn_stand_ins_release(struct pn_stand_ins *s)
{
	free(s->items);
	*s = (struct pn_stand_ins){0};
}
