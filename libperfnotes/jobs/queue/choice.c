/* Which of the queued commits are measured. */
#include "jobs/queue/choice.h"

#include "base/alloc.h"
#include "jobs/queue/worker.h"
#include "vcs/walk/reach.h"

#include <stdlib.h>
#include <string.h>

#define STEPS_MAX 64 /* older commits of a branch that are asked for */

/* One branch, or one worktree's detached HEAD. */
struct group {
	const char *branch, *worktree;
	struct pn_oid tip;
	bool has_tip;
	const struct pn_queue_item *newest;
	size_t asked;
	bool settled;
};

struct making {
	struct pn_repo *repo;
	const struct pn_queue *queue;
	struct group *groups;
	size_t group_count, group_cap;
	struct pn_queue_choices *out;
	size_t cap;
};

static void find_tip(struct group *g, struct pn_repo *repo)
{
	struct pn_buf name = {0};

	if (*g->branch)
		pn_buf_add_text(&name, g->branch);
	else if (*g->worktree)
		pn_buf_printf(&name, "worktrees/%s/HEAD", g->worktree);
	else
		pn_buf_add_text(&name, "main-worktree/HEAD");
	g->has_tip = !pn_repo_resolve(&g->tip, repo, pn_buf_text(&name), NULL);
	pn_buf_release(&name);
}

static struct group *group_of(struct making *m,
			      const struct pn_queue_item *item)
{
	struct group *g;
	size_t i;

	for (i = 0; i < m->group_count; i++) {
		g = &m->groups[i];
		if (!strcmp(g->branch, item->branch) &&
		    (*item->branch || !strcmp(g->worktree, item->worktree)))
			return g;
	}
	m->groups = pn_grow(m->groups, &m->group_cap, m->group_count + 1,
			    sizeof(*m->groups));
	g = &m->groups[m->group_count++];
	memset(g, 0, sizeof(*g));
	g->branch = item->branch;
	g->worktree = item->worktree;
	find_tip(g, m->repo);
	return g;
}

/* Whether the branch (or HEAD), else any branch, still has the commit. */
static int is_wanted(bool *out, struct making *m, const struct group *g,
		     const struct pn_oid *commit, struct pn_error *err)
{
	int code = 0;

	*out = g->has_tip && pn_oid_equal(&g->tip, commit);
	if (!*out && g->has_tip)
		code = pn_reach_from(out, m->repo, &g->tip, commit, err);
	if (!code && !*out && (!g->has_tip || !*g->branch))
		code = pn_reach_branch(out, m->repo, commit, err);
	return code;
}

static void add_choice(struct making *m, const struct pn_queue_item *item,
		       const char *why)
{
	m->out->items = pn_grow(m->out->items, &m->cap, m->out->count + 1,
				sizeof(*m->out->items));
	m->out->items[m->out->count++] = (struct pn_queue_choice){
		item->commit, item->worktree, item->time_ns, why};
}

static bool is_chosen(const struct making *m, const struct pn_oid *commit)
{
	size_t i;

	for (i = 0; i < m->out->count; i++)
		if (pn_oid_equal(&m->out->items[i].commit, commit))
			return true;
	return false;
}

/* The commits of a rebase are queued with a detached HEAD, which ends at or
 * behind what is chosen for the branch. */
static int is_behind(bool *out, struct making *m, const struct pn_oid *commit,
		     struct pn_error *err)
{
	size_t i;
	int code = 0;

	*out = false;
	for (i = 0; !code && !*out && i < m->out->count; i++)
		code = pn_reach_from(out, m->repo, &m->out->items[i].commit,
				     commit, err);
	return code;
}

/* One item, if its group has no newer one. */
static int consider(struct making *m, const struct pn_queue_item *item,
		    struct pn_error *err)
{
	struct group *g = group_of(m, item);
	bool wanted = false, behind = false;
	int code;

	if (!g->settled && is_chosen(m, &item->commit))
		g->settled = true;
	if (g->settled || g->asked == STEPS_MAX)
		return 0;
	if (!g->asked++)
		g->newest = item;
	code = is_wanted(&wanted, m, g, &item->commit, err);
	if (!code && wanted && !*g->branch)
		code = is_behind(&behind, m, &item->commit, err);
	if (code || !wanted)
		return code;
	g->settled = true;
	if (!behind)
		add_choice(m, item, NULL);
	return 0;
}

/* Newest first; branches before detached ones, whose commits they may have. */
static int consider_all(struct making *m, bool detached, struct pn_error *err)
{
	const struct pn_queue_item *item;
	size_t i;
	int code = 0;

	for (i = m->queue->count; !code && i-- > 0;) {
		item = &m->queue->items[i];
		if (item->kind == PN_QUEUE_COMMIT && detached == !*item->branch)
			code = consider(m, item, err);
	}
	return code;
}

static int by_time_desc(const void *a, const void *b)
{
	const struct pn_queue_choice *x = a, *y = b;

	return x->time_ns < y->time_ns ? 1 : x->time_ns > y->time_ns ? -1 : 0;
}

/* How often a worker began with it and did not end. */
static size_t tries(const struct pn_queue *queue, const struct pn_oid *commit)
{
	size_t i, n = 0;

	for (i = 0; i < queue->count; i++)
		if (queue->items[i].kind == PN_QUEUE_TRY &&
		    pn_oid_equal(&queue->items[i].commit, commit))
			n++;
	return n;
}

static void limit(struct pn_queue_choices *choices,
		  const struct pn_queue *queue)
{
	size_t i, builds = 0;

	qsort(choices->items, choices->count, sizeof(*choices->items),
	      by_time_desc);
	for (i = 0; i < choices->count; i++) {
		struct pn_queue_choice *choice = &choices->items[i];

		if (choice->why)
			continue;
		if (tries(queue, &choice->commit) >= PN_WORKER_TRIES)
			choice->why = "workers that measured it were killed";
		else if (builds == PN_WORKER_BUILDS)
			choice->why = "too many branches at once";
		else
			builds++;
	}
}

int pn_queue_choices_make(struct pn_queue_choices *out, struct pn_repo *repo,
			  const struct pn_queue *queue, struct pn_error *err)
{
	struct pn_queue_choices choices = {0};
	struct making m = {.repo = repo, .queue = queue, .out = &choices};
	size_t i;
	int code = consider_all(&m, false, err);

	if (!code)
		code = consider_all(&m, true, err);
	for (i = 0; !code && i < m.group_count; i++)
		if (!m.groups[i].settled && m.groups[i].newest)
			add_choice(&m, m.groups[i].newest,
				   "no branch has it any more");
	free(m.groups);
	if (code) {
		pn_queue_choices_release(&choices);
		return code;
	}
	if (choices.count)
		limit(&choices, queue);
	*out = choices;
	return 0;
}

void pn_queue_choices_release(struct pn_queue_choices *choices)
{
	free(choices->items);
	memset(choices, 0, sizeof(*choices));
}
