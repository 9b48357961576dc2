/* Gathering what is told of hooks. */
#include "jobs/hooks/told.h"

#include "base/alloc.h"
#include "jobs/hooks/doubts.h"
#include "jobs/hooks/unmeasured.h"
#include "jobs/profiles/commit_figures.h"
#include "jobs/queue/queue.h"

#include <stdlib.h>
#include <string.h>

static int read_queue(struct pn_hooks_told *out, struct pn_repo *repo,
		      struct pn_error *err)
{
	struct pn_queue queue;
	int code = pn_queue_read(&queue, pn_repo_common_dir(repo), err);

	if (code)
		return code;
	out->hooked.queued = pn_queue_commits(&queue);
	pn_queue_release(&queue);
	out->hooked.worker = pn_queue_has_worker(pn_repo_common_dir(repo));
	out->hooked.waits = pn_queue_waits(pn_repo_common_dir(repo));
	return 0;
}

static int read_mode(struct pn_hooks_told *out, struct pn_repo *repo,
		     struct pn_error *err)
{
	const char *given = getenv("GIT_PERF_HOOK_MODE");
	int code = 0;

	if (given)
		out->mode = pn_strdup(given);
	else
		code = pn_repo_config(&out->mode, repo, "perf.hookMode", err);
	if (!code && !out->mode)
		out->mode = pn_strdup("background");
	return code;
}

#define TRIES "(\"git perf run --again HEAD\" tries it)"

/* What did not build or run, or why a worker did not measure it at all. */
static void add_faults(struct pn_buf *out, const struct pn_log_row *row,
		       const char *why)
{
	size_t i;

	for (i = 0; i < row->row_count; i++)
		if (row->rows[i].failed)
			pn_buf_printf(
				out, "%s of HEAD failed: %s " TRIES "\n",
				row->rows[i].series.job,
				pn_entry_field(row->rows[i].entry, "reason"));
	if (why && !row->row_count)
		pn_buf_printf(out, "HEAD was not measured: %s " TRIES "\n",
			      why);
}

static int add_head(struct pn_buf *out, struct pn_repo *repo,
		    struct pn_error *err)
{
	struct pn_unmeasured unmeasured;
	struct pn_notes *notes = NULL;
	struct pn_arena arena = {0};
	struct pn_log_row row;
	struct pn_oid head;
	int code;

	if (pn_repo_resolve(&head, repo, "HEAD", NULL))
		return 0; /* no commit yet */
	code = pn_notes_open(&notes, repo, PN_NOTES_REF, err);
	if (!code)
		code = pn_commit_figures(&row, &arena, repo, notes, &head,
					 &head, NULL, err);
	pn_unmeasured_read(&unmeasured, pn_repo_common_dir(repo));
	if (!code)
		add_faults(out, &row, pn_unmeasured_find(&unmeasured, &head));
	pn_unmeasured_release(&unmeasured);
	pn_notes_free(notes);
	pn_arena_release(&arena);
	return code;
}

int pn_hooks_tell(struct pn_hooks_told *out, struct pn_repo *repo,
		  enum pn_hooks_scope scope, struct pn_error *err)
{
	size_t i;
	int code = pn_hook_set_load(&out->set, repo, scope, err);

	if (!code)
		code = read_queue(out, repo, err);
	if (!code)
		code = read_mode(out, repo, err);
	if (!code)
		code = pn_hook_doubts(&out->doubts, repo, err);
	if (!code)
		code = add_head(&out->doubts, repo, err);
	if (code)
		return code;
	out->complete = true;
	for (i = 0; i < PN_HOOKS_SET; i++) {
		const struct pn_hook *hook = &out->set.hooks[i];

		out->rows[i] = (struct pn_hooked_row){hook->name, hook->path,
						      pn_hook_state_name(hook)};
		out->complete &= !strcmp(out->rows[i].state, "installed");
	}
	out->hooked.rows = out->rows;
	out->hooked.count = PN_HOOKS_SET;
	out->hooked.folder = out->set.place.dir;
	out->hooked.mode = out->mode;
	out->hooked.doubts = pn_buf_text(&out->doubts);
	return 0;
}

void pn_hooks_told_release(struct pn_hooks_told *told)
{
	free(told->mode);
	pn_buf_release(&told->doubts);
	pn_hook_set_release(&told->set);
}

struct pn_hooks_changed pn_hooks_changed_of(struct pn_arena *arena,
					    const struct pn_hook_set *set,
					    bool failed)
{
	struct pn_hook_changed *rows =
		pn_arena_alloc(arena, (set->count + 1) * sizeof(*rows));
	struct pn_buf line = {0};
	size_t i;

	for (i = 0; i < set->count; i++) {
		const struct pn_hook *hook = &set->hooks[i];

		pn_buf_clear(&line);
		pn_hook_file_line(&line, set->names[i]);
		rows[i] = (struct pn_hook_changed){
			set->names[i], hook->path, hook->change, hook->refused,
			pn_arena_copy(arena, pn_buf_text(&line), line.len)};
	}
	pn_buf_release(&line);
	return (struct pn_hooks_changed){set->place.dir, rows, set->count,
					 set->foreign, failed};
}
