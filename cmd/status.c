/* git perf status: where we are, what is stored here, what is pending. */
#include "render/log/status.h"
#include "base/alloc.h"
#include "command.h"
#include "context.h"
#include "jobs/profiles/ancestry.h"
#include "jobs/queue.h"
#include "storage/store.h"
#include "storage/sync.h"
#include "vcs/inplace/inplace.h"
#include "vcs/progress.h"
#include "vcs/worktree.h"

#include <stdlib.h>

struct options {
	const char *sort, *output;
	bool brief, json, verbose;
};

static const struct opt opts[] = {
	{OPT_FLAG(brief), 's', "short", NULL, "counts only, on one line"},
	{OPT_FLAG(verbose), 'v', "verbose", NULL,
	 "all metrics, and records by id and name"},
	{OPT_TEXT(sort), 0, "sort", "<key>", "order of the list (time)",
	 .names = pn_entry_order_names},
	{OPT_FLAG(json), 0, "json", NULL, "as JSON"},
	{OPT_TEXT(output), 'o', "output", "<file>", "write to a file"},
	{0},
};

/* What is told, and what it is told of. */
struct state {
	struct pn_status told;
	struct context context;
	struct pn_arena arena;
	struct pn_pending_list pending;
	struct pn_unpushed unpushed;
	struct pn_ancestry *ancestry;
	const char *in_progress[PN_PROGRESS_KINDS];
};

static int read_pending(struct state *s, struct pn_error *err)
{
	struct pn_status_pending *items;
	size_t i;
	int code = pn_pending_list(&s->pending, s->context.repo, err);

	if (code)
		return code;
	items = pn_arena_alloc(&s->arena, s->pending.count * sizeof(*items));
	for (i = 0; i < s->pending.count; i++) {
		const struct pn_pending *p = &s->pending.items[i];

		items[i] = (struct pn_status_pending){
			p->path, p->name, p->origin, p->time_ns, &p->entry};
	}
	s->told.pending = items;
	s->told.pending_count = s->pending.count;
	return 0;
}

static int read_remote(struct state *s, struct pn_error *err)
{
	struct pn_notes *notes = s->context.notes;
	int code = pn_sync_unpushed(&s->unpushed, s->context.repo, notes, err);

	s->told.remote = s->unpushed.remote;
	s->told.notes_ref = PN_NOTES_REF;
	s->told.has_notes = !pn_oid_is_zero(pn_notes_tip(notes));
	s->told.compared = s->unpushed.known;
	s->told.unpushed = s->unpushed.lines;
	s->told.fetched = s->unpushed.incoming;
	return code;
}

static int read_queue(struct state *s, struct pn_error *err)
{
	const char *dir = pn_repo_common_dir(s->context.repo);
	struct pn_queue queue;
	int code = pn_queue_read(&queue, dir, err);

	if (code)
		return code;
	s->told.queued = pn_queue_commits(&queue);
	s->told.worker = pn_queue_has_worker(dir);
	pn_queue_release(&queue);
	return 0;
}

/* Those of HEAD, beside those of the last ancestor that was measured. */
static int read_rows(struct state *s, struct pn_error *err)
{
	const struct pn_log_filter all = {0};
	struct pn_ancestry_commit looked;
	struct pn_commit_facts facts;
	int code = pn_repo_commit_facts(&facts, s->context.repo,
					&s->context.head.commit, err);

	if (code)
		return code;
	s->told.tree = facts.tree;
	s->ancestry = pn_ancestry_new(s->context.repo, s->context.notes);
	code = pn_ancestry_look(
		&looked, s->ancestry, &s->context.head.commit, &facts.tree,
		facts.parent_count ? &facts.first_parent : NULL, err);
	if (code)
		return code;
	pn_log_series_list(&s->told.rows, &s->told.row_count, &s->arena,
			   &looked.noted, &facts.tree, &all);
	pn_ancestry_compare(s->told.rows, s->told.row_count, s->ancestry,
			    &looked.first_parent);
	return 0;
}

/* What git and we are in the middle of. */
static void read_progress(struct state *s)
{
	struct pn_repo *repo = s->context.repo;
	bool found[PN_PROGRESS_KINDS];
	size_t i;

	pn_progress_read(found, pn_repo_git_dir(repo));
	for (i = 0; i < PN_PROGRESS_KINDS; i++)
		if (found[i])
			s->in_progress[s->told.in_progress_count++] =
				pn_progress_name((enum pn_progress)i);
	s->told.in_progress = s->in_progress;
	s->told.in_place = pn_inplace_is_open(&s->told.process, repo);
	s->told.stale = pn_worktree_stale(repo);
}

static int read_state(struct state *s, struct pn_error *err)
{
	const struct pn_head *head = &s->context.head;
	int code = open_context(&s->context, NULL, true, err);

	if (!code && !head->unborn)
		code = pn_store_entries(&s->told.entries, &s->told.entry_count,
					&s->told.ignored, &s->arena,
					s->context.notes, &head->commit, err);
	if (!code && !head->unborn)
		code = read_rows(s, err);
	if (!code)
		code = read_pending(s, err);
	if (!code)
		code = read_remote(s, err);
	if (!code)
		code = read_queue(s, err);
	if (code)
		return code;
	s->told.branch = head->branch;
	s->told.unborn = head->unborn;
	s->told.commit = head->commit;
	read_progress(s);
	return 0;
}

static void print(struct output *out, const struct options *o,
		  struct pn_status *told, const struct pn_entry_order *order)
{
	struct pn_buf bytes = {0};

	pn_status_sort(told->rows, told->row_count, order);
	if (o->json)
		pn_status_json(&bytes, told);
	else if (o->brief)
		pn_status_line(&bytes, told);
	else
		pn_status_text(&bytes, told, &out->palette, o->verbose);
	fwrite(pn_buf_text(&bytes), 1, bytes.len, out->file);
	pn_buf_release(&bytes);
}

static int refuse_order(const char *given)
{
	struct pn_buf names = {0};
	int code;

	pn_entry_order_names(&names, ", ");
	code = usage(&cmd_status, "cannot sort by '%s', need one of %s", given,
		     pn_buf_text(&names));
	pn_buf_release(&names);
	return code;
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {.sort = "time"};
	const struct pn_entry_order *order;
	struct state s = {.told = {.branch = ""}};
	struct pn_error err = {0};
	struct output out;
	int code;

	argc = opts_parse(&cmd_status, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc)
		return usage(&cmd_status, "status takes no argument");
	if (!(order = pn_entry_order_find(o.sort)))
		return refuse_order(o.sort);
	code = read_state(&s, &err);
	if (!code)
		code = open_output(&out, global, o.output, false, &err);
	if (code) {
		code = fail(&err);
	} else {
		print(&out, &o, &s.told, order);
		code = close_output(&out, EXIT_DONE);
	}
	pn_ancestry_free(s.ancestry);
	pn_pending_list_release(&s.pending);
	pn_arena_release(&s.arena);
	close_context(&s.context);
	return code;
}

const struct command cmd_status = {
	.name = "status",
	.summary = "show the commit's profiles, pending ones and what is not "
		   "pushed",
	.synopsis = "status [-s] [-v] [--sort=<key>] [--json] [-o <file>]",
	.opts = opts,
	.run = run,
};
