/* Notes of a history, each read once. */
#include "jobs/profiles/ancestry.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "jobs/rewritten/rewritten.h"
#include "storage/store.h"
#include "vcs/notes/cached.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Whoever reads so many notes reads more. */
#define CACHED_FROM 16

struct place {
	struct pn_ancestry_commit commit;
	struct pn_arena arena;
	size_t number; /* of this place */
	bool kept;     /* else it is free */
	int code;      /* of reading the note */
	struct pn_error why;
	struct place *newer, *older; /* in the order of their last use */
};

struct pn_ancestry {
	struct pn_repo *repo;
	struct pn_notes *notes;
	struct pn_rewritten *rewritten;
	uint64_t looks;
	uint64_t reads; /* of notes */
	struct place *newest, *oldest;
	/* Places and the commit at each. Those lie together, as all are looked
	 * through for each commit. */
	struct place *places[PN_ANCESTRY_CACHE];
	struct pn_oid ids[PN_ANCESTRY_CACHE];
	size_t count; /* status needs two */
	bool counted; /* whether these are known: */
	size_t noted; /* commits with a note: 0, 1, or 2 for more */
	struct pn_oid only;
};

struct pn_ancestry *pn_ancestry_new(struct pn_repo *repo,
				    struct pn_notes *notes)
{
	struct pn_ancestry *a = pn_calloc(1, sizeof(*a));

	a->repo = repo;
	a->notes = notes;
	a->rewritten = pn_rewritten_new(repo, notes);
	return a;
}

void pn_ancestry_free(struct pn_ancestry *a)
{
	struct place *p = a ? a->newest : NULL, *older;

	for (; p; p = older) {
		older = p->older;
		pn_arena_release(&p->arena);
		free(p);
	}
	if (a)
		pn_rewritten_free(a->rewritten);
	free(a);
}

static void take_out(struct pn_ancestry *a, struct place *p)
{
	*(p->newer ? &p->newer->older : &a->newest) = p->older;
	*(p->older ? &p->older->newer : &a->oldest) = p->newer;
	p->newer = p->older = NULL;
}

static void put_newest(struct pn_ancestry *a, struct place *p)
{
	p->older = a->newest;
	*(a->newest ? &a->newest->newer : &a->oldest) = p;
	a->newest = p;
}

static void put_oldest(struct pn_ancestry *a, struct place *p)
{
	p->newer = a->oldest;
	*(a->oldest ? &a->oldest->older : &a->newest) = p;
	a->oldest = p;
}

/* The commit was looked at. What has no note is not kept. */
static void use(struct pn_ancestry *a, struct place *p)
{
	p->kept = p->commit.noted.line_count || p->code;
	a->ids[p->number] = p->commit.id;
	take_out(a, p);
	if (!p->kept) {
		put_oldest(a, p);
		return;
	}
	put_newest(a, p);
	a->looks++;
}

/* The commit's place; else a free one, another one while there are few, or
 * that which was not used for longest. */
static struct place *find(struct pn_ancestry *a, const struct pn_oid *commit)
{
	struct place *p;
	size_t i;

	for (i = 0; i < a->count; i++)
		if (pn_oid_equal(&a->ids[i], commit) && a->places[i]->kept)
			return a->places[i];
	if (a->count < PN_ANCESTRY_CACHE && (!a->oldest || a->oldest->kept)) {
		p = pn_calloc(1, sizeof(*p));
		p->number = a->count;
		a->places[a->count++] = p;
		put_oldest(a, p);
	}
	p = a->oldest;
	pn_arena_clear(&p->arena);
	p->kept = false;
	return p;
}

static void read_note(struct place *p, struct pn_ancestry *a,
		      const struct pn_commit_facts *facts)
{
	struct pn_noted *noted = &p->commit.noted;
	struct pn_oid from;
	bool same_tree;

	pn_rewritten_begin(a->rewritten, &p->commit.id);
	if (++a->reads == CACHED_FROM)
		pn_notes_use_cache(a->notes);

	p->code = pn_store_line_figures(&noted->lines, &noted->line_count,
					&p->arena, a->repo, a->notes,
					&p->commit.id, &p->why);
	if (p->code)
		*noted = (struct pn_noted){0};
	else
		pn_rewritten_read(noted, &from, &same_tree, a->rewritten,
				  &p->arena, &p->commit.id, facts);
	pn_noted_figures(noted, &p->arena, &p->commit.tree);
}

static struct place *look(struct pn_ancestry *a, const struct pn_oid *commit,
			  const struct pn_commit_facts *facts)
{
	struct place *p = find(a, commit);

	if (!p->kept) {
		p->commit = (struct pn_ancestry_commit){.id = *commit,
							.tree = facts->tree};
		if (facts->parent_count)
			p->commit.first_parent = facts->first_parent;
		read_note(p, a, facts);
	}
	use(a, p);
	return p;
}

int pn_ancestry_look(struct pn_ancestry_commit *out, struct pn_ancestry *a,
		     const struct pn_oid *commit,
		     const struct pn_commit_facts *facts, struct pn_error *err)
{
	struct place *p = look(a, commit, facts);

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
	struct place *p = find(a, id);

	if (p->kept) {
		use(a, p);
		return &p->commit;
	}
	if (pn_notes_commit_facts(&facts, a->notes, id, NULL))
		return NULL; /* a shallow clone ends here */
	return &look(a, id, &facts)->commit;
}

/* The row, the commit after it and all bases so far lie in the cache. */
static bool has_room(const struct pn_ancestry *a, uint64_t first_look)
{
	return a->looks - first_look < PN_ANCESTRY_CACHE - 4;
}

/* Where that cannot be read there may be others. */
static void count_noted(struct pn_ancestry *a)
{
	struct pn_notes_iter *iter = NULL;
	struct pn_oid commit, blob;
	int code = pn_notes_iter_open(&iter, a->notes, NULL);

	while (!code && a->noted < 2 &&
	       (code = pn_notes_iter_next(&commit, &blob, iter, NULL)) > 0) {
		/* a note may have several blobs */
		if (!a->noted || !pn_oid_equal(&commit, &a->only))
			a->noted++;
		a->only = commit;
		code = 0;
	}
	pn_notes_iter_free(iter);
	if (code < 0)
		a->noted = 2;
	a->counted = true;
}

/* The first measured commit of a long history would read hundreds of others. */
static bool is_alone(struct pn_ancestry *a, const struct pn_oid *commit)
{
	if (!a->counted)
		count_noted(a);
	return !a->noted || (a->noted == 1 && pn_oid_equal(&a->only, commit));
}

void pn_ancestry_compare(struct pn_log_series *rows, size_t count,
			 struct pn_ancestry *a, const struct pn_oid *commit,
			 const struct pn_oid *first_parent)
{
	size_t left = pn_log_series_base(rows, count, NULL, 0, 0);
	const uint64_t first_look = a->looks;
	size_t distance, measured = 0;
	struct pn_oid at = *first_parent;

	if (!left || is_alone(a, commit))
		return;
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
