/* The newest figures: commits come newest first, so the first one counts. */
#include "jobs/newest/newest.h"

#include "base/alloc.h"
#include "jobs/rewritten/rewritten.h"
#include "model/unit.h"
#include "storage/store.h"
#include "vcs/walk/history.h"

#include <stdlib.h>
#include <string.h>

struct gathering {
	struct pn_repo *repo;
	struct pn_notes *notes;
	struct pn_rewritten *rewritten;
	struct pn_strtab seen; /* metrics of series */
};

void pn_newest_release(struct pn_newest *n)
{
	free(n->items);
	pn_arena_release(&n->arena);
}

static const char *copy(struct pn_newest *n, const char *text)
{
	return pn_arena_copy(&n->arena, text, strlen(text));
}

/* Whether this metric of this series was not met yet; one name may be of a
 * time and of a size. */
static bool is_new(struct pn_strtab *seen, const struct pn_figure *f)
{
	const char *texts[] = {f->metric,	    pn_unit_base(f->unit),
			       f->series.job,	    f->series.cmd,
			       f->series.args,	    f->series.workload,
			       f->series.collector, f->series.machine};
	struct pn_buf key = {0};
	size_t had = seen->count, i;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		pn_buf_add(&key, texts[i], strlen(texts[i]) + 1);
	pn_strtab_add(seen, key.data, key.len);
	pn_buf_release(&key);
	/* the first key brings the empty one with it */
	return seen->count > (had ? had : 1);
}

static void add(struct pn_newest *n, const struct pn_figure *figure)
{
	struct pn_figure f = *figure;

	f.metric = copy(n, f.metric);
	f.unit = copy(n, f.unit);
	f.series.job = copy(n, f.series.job);
	f.series.cmd = copy(n, f.series.cmd);
	f.series.args = copy(n, f.series.args);
	f.series.workload = copy(n, f.series.workload);
	f.series.collector = copy(n, f.series.collector);
	f.series.machine = copy(n, f.series.machine);
	f.values = NULL;
	f.value_count = 0;
	n->items = pn_grow(n->items, &n->cap, n->count + 1, sizeof(*n->items));
	n->items[n->count++] = f;
}

/* The figures of one commit, or of what stands for it. */
static int read_commit(const struct pn_figure **out, size_t *count,
		       struct pn_arena *arena, const struct gathering *g,
		       const struct pn_commit *commit, struct pn_error *err)
{
	const struct pn_entry *entries = NULL;
	struct pn_oid measured;
	size_t n = 0;
	int code = pn_store_figures(&entries, &n, arena, g->repo, g->notes,
				    &commit->id, err);

	pn_rewritten_begin(g->rewritten, &commit->id);
	if (!code && !n &&
	    pn_rewritten_measured(&measured, g->rewritten, commit))
		code = pn_store_figures(&entries, &n, arena, g->repo, g->notes,
					&measured, err);
	if (!code)
		pn_figures_of(out, count, arena, entries, n);
	return code;
}

static int take_commit(struct pn_newest *n, struct gathering *g,
		       const struct pn_commit *commit, struct pn_error *err)
{
	const struct pn_figure *figures = NULL;
	struct pn_arena arena = {0};
	size_t count = 0, i;
	int code = read_commit(&figures, &count, &arena, g, commit, err);

	for (i = 0; !code && i < count; i++)
		if (!figures[i].dirty && is_new(&g->seen, &figures[i]))
			add(n, &figures[i]);
	pn_arena_release(&arena);
	return code;
}

int pn_newest_gather(struct pn_newest *out, struct pn_repo *repo,
		     struct pn_notes *notes, const char *rev,
		     struct pn_error *err)
{
	const char *const args[] = {rev ? rev : "HEAD", NULL};
	struct pn_history *history = NULL;
	struct gathering g = {.repo = repo, .notes = notes};
	struct pn_commit commit;
	int code = pn_history_open(&history, repo, args, err), more;

	g.rewritten = pn_rewritten_new(repo, notes);
	while (!code) {
		more = pn_history_next(&commit, history, err);
		if (more <= 0) {
			code = more;
			break;
		}
		code = take_commit(out, &g, &commit, err);
	}
	pn_history_free(history);
	pn_rewritten_free(g.rewritten);
	pn_strtab_release(&g.seen);
	if (!code && !out->count)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "no figure in the history of '%s'",
				    args[0]);
	return code;
}
