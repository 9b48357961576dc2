/* Notes of a history, each read once. */
#include "jobs/profiles/ancestry.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "storage/store.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct place {
	struct pn_ancestry_commit commit;
	struct pn_arena arena;
	uint64_t used; /* when, in looks; 0: free */
	int code;      /* of reading the note */
	struct pn_error why;
};

struct pn_ancestry {
	struct pn_repo *repo;
	struct pn_notes *notes;
	uint64_t looks;
	uint64_t starts[PN_ANCESTRY_CACHE]; /* of the places' ids */
	struct place *places[PN_ANCESTRY_CACHE];
	size_t count; /* of places; status needs two */
};

struct pn_ancestry *pn_ancestry_new(struct pn_repo *repo,
				    struct pn_notes *notes)
{
	struct pn_ancestry *a = pn_calloc(1, sizeof(*a));

	a->repo = repo;
	a->notes = notes;
	return a;
}

void pn_ancestry_free(struct pn_ancestry *a)
{
	size_t i;

	for (i = 0; a && i < a->count; i++) {
		pn_arena_release(&a->places[i]->arena);
		free(a->places[i]);
	}
	free(a);
}

static uint64_t start_of(const struct pn_oid *id)
{
	uint64_t start;

	memcpy(&start, id->bytes, sizeof(start));
	return start;
}

/* Another place while there are few, else the one that was not used for
 * longest. */
static size_t choose_place(struct pn_ancestry *a)
{
	size_t i, oldest = 0;

	if (a->count < PN_ANCESTRY_CACHE &&
	    (!a->count || a->places[a->count - 1]->used)) {
		a->places[a->count] = pn_calloc(1, sizeof(struct place));
		return a->count++;
	}
	for (i = 1; i < a->count; i++)
		if (a->places[i]->used < a->places[oldest]->used)
			oldest = i;
	return oldest;
}

/* The commit's place, else a free one. */
static struct place *find(struct pn_ancestry *a, const struct pn_oid *commit)
{
	const uint64_t start = start_of(commit);
	struct place *place;
	size_t i;

	for (i = 0; i < a->count; i++)
		if (a->starts[i] == start && a->places[i]->used &&
		    pn_oid_equal(&a->places[i]->commit.id, commit))
			return a->places[i];
	i = choose_place(a);
	place = a->places[i];
	pn_arena_clear(&place->arena);
	place->used = 0;
	a->starts[i] = start;
	return place;
}

static void read_note(struct place *p, struct pn_ancestry *a)
{
	struct pn_noted *noted = &p->commit.noted;

	p->code = pn_store_line_figures(&noted->lines, &noted->line_count,
					&p->arena, a->repo, a->notes,
					&p->commit.id, &p->why);
	if (p->code)
		*noted = (struct pn_noted){0};
	pn_noted_figures(noted, &p->arena, &p->commit.tree);
}

static struct place *look(struct pn_ancestry *a,
			  const struct pn_ancestry_commit *facts)
{
	struct place *p = find(a, &facts->id);

	if (!p->used) {
		p->commit = *facts;
		read_note(p, a);
	}
	/* what has no note is not kept */
	p->used = p->commit.noted.line_count || p->code ? ++a->looks : 0;
	return p;
}

int pn_ancestry_look(struct pn_ancestry_commit *out, struct pn_ancestry *a,
		     const struct pn_oid *commit, const struct pn_oid *tree,
		     const struct pn_oid *first_parent, struct pn_error *err)
{
	struct pn_ancestry_commit facts = {.id = *commit, .tree = *tree};
	struct place *p;

	if (first_parent)
		facts.first_parent = *first_parent;
	p = look(a, &facts);
	*out = p->commit;
	if (p->code && err)
		*err = p->why;
	return p->code;
}

/* An ancestor, by its id alone. */
static const struct pn_ancestry_commit *ancestor(struct pn_ancestry *a,
						 const struct pn_oid *id)
{
	struct pn_commit_facts facts;
	struct pn_ancestry_commit commit = {.id = *id};
	struct place *p = find(a, id);

	if (p->used) {
		p->used = ++a->looks;
		return &p->commit;
	}
	if (pn_repo_commit_facts(&facts, a->repo, id, NULL))
		return NULL; /* a shallow clone ends here */
	commit.tree = facts.tree;
	if (facts.parent_count)
		commit.first_parent = facts.first_parent;
	return &look(a, &commit)->commit;
}

/* The row, the commit after it and all bases so far lie in the cache. */
static bool has_room(const struct pn_ancestry *a, uint64_t first_look)
{
	return a->looks - first_look < PN_ANCESTRY_CACHE - 4;
}

void pn_ancestry_compare(struct pn_log_series *rows, size_t count,
			 struct pn_ancestry *a,
			 const struct pn_oid *first_parent)
{
	size_t left = pn_log_series_base(rows, count, NULL, 0, 0);
	const uint64_t first_look = a->looks;
	size_t distance, measured = 0;
	struct pn_oid at = *first_parent;

	for (distance = 1;
	     left && !pn_oid_is_zero(&at) && distance <= PN_ANCESTRY_COMMITS &&
	     measured < PN_ANCESTRY_MEASURED && has_room(a, first_look);
	     distance++) {
		const struct pn_ancestry_commit *c = ancestor(a, &at);

		if (!c)
			break;
		measured += c->noted.figure_count > 0;
		if (c->noted.figure_count)
			left = pn_log_series_base(rows, count, c->noted.figures,
						  c->noted.figure_count,
						  distance);
		at = c->first_parent;
	}
}
