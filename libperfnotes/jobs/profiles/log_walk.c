/* A history with its figures, a commit at a time. */
#include "jobs/profiles/log_walk.h"

#include "base/alloc.h"
#include "jobs/hooks/unmeasured.h"
#include "jobs/profiles/ancestry.h"
#include "vcs/notes/cached.h"
#include "vcs/notes/expected.h"
#include "vcs/walk/history.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pn_log_walk {
	const struct pn_log_walk_options *options;
	struct pn_notes *notes;
	struct pn_history *history;
	struct pn_ancestry *ancestry;
	struct pn_unmeasured unmeasured;
	/* The row that was given, and the one that is held back. */
	struct pn_log_walk_row rows[2];
	struct pn_arena arenas[2];
	int held; /* which one, when there is one */
	bool has_row;
	size_t expected; /* commits that are still to come of those */
};

static const char *copy(struct pn_arena *arena, const char *text)
{
	return pn_arena_copy(arena, text, strlen(text));
}

/* With *passed_over `err` says why. */
static int look(struct pn_ancestry_commit *out, bool *passed_over,
		struct pn_log_walk *w, const struct pn_commit *c,
		struct pn_error *err)
{
	struct pn_commit_facts facts = {.tree = c->tree,
					.parent_count = c->parent_count,
					.author_s = c->author_time_s};
	int code;

	if (c->parent_count)
		facts.first_parent = c->parents[0];
	code = w->options->graph
		       ? pn_notes_commit_facts(&facts, w->notes, &c->id, err)
		       : 0;
	if (!code)
		code = pn_ancestry_look(out, w->ancestry, &c->id, &facts, err);
	*passed_over = code == PN_ELIMIT;
	return *passed_over ? 0 : code;
}

/* What git draws; its parents are the nearest that are drawn, too, and not what
 * the commit is compared with. */
static void draw(struct pn_log_walk_row *to, const struct pn_commit *c,
		 const struct pn_ancestry_commit *looked)
{
	struct pn_oid *parent = pn_arena_alloc(to->arena, sizeof(*parent));

	*parent = looked->first_parent;
	to->row.parents = parent;
	to->row.parent_count = !pn_oid_is_zero(parent);
	to->row.above = copy(to->arena, c->above);
	to->row.beside = copy(to->arena, c->beside);
}

static void fill(struct pn_log_walk_row *to, struct pn_log_walk *w,
		 const struct pn_commit *c,
		 const struct pn_ancestry_commit *looked)
{
	size_t size = c->parent_count * sizeof(*c->parents);
	struct pn_oid *parents = pn_arena_alloc(to->arena, size);

	if (size)
		memcpy(parents, c->parents, size);
	to->row = (struct pn_log_row){.commit = c->id,
				      .tree = c->tree,
				      .parents = parents,
				      .parent_count = c->parent_count,
				      .author_time_s = c->author_time_s,
				      .author = copy(to->arena, c->author),
				      .email = copy(to->arena, c->email),
				      .subject = copy(to->arena, c->subject)};
	to->row.unmeasured = pn_unmeasured_find(&w->unmeasured, &c->id);
	if (c->above)
		draw(to, c, looked);
	pn_log_row_fill(&to->row, to->arena, &looked->noted,
			&w->options->filter);
}

/* The row that was held back, now that the one after it has been looked at. */
static int give(struct pn_log_walk_row **out, struct pn_log_walk *w)
{
	struct pn_log_walk_row *held = &w->rows[w->held];

	if (!w->has_row)
		return 0;
	w->has_row = false;
	if (held->row.parent_count)
		pn_ancestry_compare(held->row.rows, held->row.row_count,
				    w->ancestry, &held->row.commit,
				    &held->row.parents[0]);
	*out = held;
	return 1;
}

/* While the notes of some are read and shown, others are begun with. */
static void expect(struct pn_log_walk *w)
{
	struct pn_oid coming[PN_NOTES_EXPECT_MAX];

	if (w->expected) {
		w->expected--;
		return;
	}
	if (!pn_notes_may_expect(w->notes))
		return;
	w->expected =
		pn_history_coming(coming, PN_NOTES_EXPECT_MAX, w->history);
	pn_notes_expect(w->notes, coming, w->expected);
}

int pn_log_walk_next(struct pn_log_walk_row **out, struct pn_log_walk *w,
		     struct pn_error *err)
{
	struct pn_ancestry_commit looked;
	struct pn_commit commit;
	bool passed_over = false;
	int code, given = 0;

	while (!given && (code = pn_history_next(&commit, w->history, err))) {
		struct pn_log_walk_row *next;

		if (code > 0)
			expect(w);
		if (code > 0)
			code = look(&looked, &passed_over, w, &commit, err);
		if (code)
			return code;
		given = give(out, w);
		w->held = !w->held;
		next = &w->rows[w->held];
		next->arena = &w->arenas[w->held];
		pn_arena_clear(next->arena);
		/* what the commit borrows from stays until here */
		fill(next, w, &commit, &looked);
		next->fault =
			passed_over ? copy(next->arena, err->message) : NULL;
		w->has_row = true;
	}
	return given ? given : give(out, w);
}

static int open_history(struct pn_log_walk *w, struct pn_repo *repo,
			struct pn_error *err)
{
	const struct pn_log_walk_options *o = w->options;
	const char **args = pn_calloc(3 * o->arg_count + 2, sizeof(*args));
	bool options = true;
	char count[32];
	size_t i, n = 0;
	int code;

	snprintf(count, sizeof(count), "-n%" PRId64, o->max_commits);
	if (o->max_commits >= 0)
		args[n++] = count;
	for (i = 0; i < o->arg_count; i++) {
		options = options && strcmp(o->args[i], "--") != 0;
		if (options && !strcmp(o->args[i], "--all")) {
			args[n++] = "--exclude=" PN_NOTES_REF;
			args[n++] = "--exclude=refs/perf/*";
		}
		args[n++] = o->args[i];
	}
	code = (o->graph ? pn_history_open_drawn
			 : pn_history_open)(&w->history, repo, args, err);
	free(args);
	return code;
}

int pn_log_walk_open(struct pn_log_walk **out, struct pn_repo *repo,
		     struct pn_notes *notes,
		     const struct pn_log_walk_options *options,
		     struct pn_error *err)
{
	struct pn_log_walk *w = pn_calloc(1, sizeof(*w));
	int code;

	w->options = options;
	w->notes = notes;
	code = open_history(w, repo, err);
	if (code) {
		pn_log_walk_free(w);
		return code;
	}
	pn_unmeasured_read(&w->unmeasured, pn_repo_common_dir(repo));
	w->ancestry = pn_ancestry_new(repo, notes);
	*out = w;
	return 0;
}

void pn_log_walk_free(struct pn_log_walk *w)
{
	if (!w)
		return;
	pn_history_free(w->history);
	pn_ancestry_free(w->ancestry);
	pn_unmeasured_release(&w->unmeasured);
	pn_arena_release(&w->arenas[0]);
	pn_arena_release(&w->arenas[1]);
	free(w);
}
