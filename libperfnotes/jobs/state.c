/* Gathering what status tells: the commit's profiles, pending ones, the remote,
 * the queue, what is going on. */
#include "jobs/state.h"

#include "jobs/hooks/doubts.h"
#include "jobs/hooks/unmeasured.h"
#include "jobs/judge/past_marks.h"
#include "jobs/queue/queue.h"
#include "storage/store.h"
#include "vcs/inplace/inplace.h"
#include "vcs/worktree/worktree.h"

#include <stdlib.h>
#include <string.h>

static int read_pending(struct pn_state *s, struct pn_error *err)
{
	struct pn_status_pending *items;
	size_t i;
	int code = pn_pending_list(&s->pending, s->repo, err);

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

/* What others pushed may not be readable: no reason to hide what is here. */
static int read_remote(struct pn_state *s, struct pn_error *err)
{
	struct pn_notes *notes = s->notes;
	struct pn_error why = {0};
	int code = pn_sync_unpushed(&s->unpushed, s->repo, notes, &why);

	if (code == PN_EIO || code == PN_ESTOPPED) {
		*err = why;
		return code;
	}
	if (code)
		pn_buf_printf(&s->warnings,
			      "what is not pushed is not told: "
			      "%s\n",
			      why.message);
	s->told.remote = s->unpushed.remote;
	s->told.has_notes = !pn_oid_is_zero(pn_notes_tip(notes));
	s->told.compared = s->unpushed.known;
	s->told.unpushed = s->unpushed.lines;
	s->told.fetched = s->unpushed.incoming;
	return 0;
}

static int read_queue(struct pn_state *s, struct pn_error *err)
{
	const char *dir = pn_repo_common_dir(s->repo);
	struct pn_queue queue;
	int code = pn_queue_read(&queue, dir, err);

	if (code)
		return code;
	s->told.queued = pn_queue_commits(&queue);
	s->told.worker = pn_queue_has_worker(dir);
	s->told.waits = pn_queue_waits(dir);
	pn_queue_release(&queue);
	return 0;
}

/* Those of HEAD, beside those of the last ancestor that was measured. */
static int read_rows(struct pn_state *s, struct pn_error *err)
{
	const struct pn_log_filter all = {0};
	struct pn_ancestry_commit looked;
	struct pn_commit_facts facts;
	int code = pn_repo_commit_facts(&facts, s->repo, &s->head->commit, err);

	if (code)
		return code;
	s->told.tree = facts.tree;
	s->ancestry = pn_ancestry_new(s->repo, s->notes);
	code = pn_ancestry_look(&looked, s->ancestry, &s->head->commit, &facts,
				err);
	if (code)
		return code;
	pn_log_series_list(&s->told.rows, &s->told.row_count, &s->arena,
			   &looked.noted, &facts.tree, &all);
	pn_ancestry_compare(s->told.rows, s->told.row_count, s->ancestry,
			    &s->head->commit, &looked.first_parent);
	return 0;
}

/* What cannot be judged is no reason to tell nothing of all the rest. */
static void read_regressions(struct pn_state *s)
{
	struct pn_error why = {0};
	char *tag = NULL;

	if (pn_past_marks_worse(&s->told.regressions, &tag, s->repo, s->notes,
				&s->head->commit, &why)) {
		s->told.regressions = 0;
		pn_buf_printf(&s->warnings, "regressions are not told: %s\n",
			      why.message);
	}
	if (tag)
		s->told.since_tag = pn_arena_copy(&s->arena, tag, strlen(tag));
	free(tag);
}

/* Why nothing may have been measured. */
static int read_doubts(struct pn_state *s, struct pn_error *err)
{
	struct pn_unmeasured unmeasured;
	struct pn_buf text = {0};
	const char *reason;
	int code = pn_hook_doubts(&text, s->repo, err);

	s->told.doubts = pn_arena_copy(&s->arena, pn_buf_text(&text), text.len);
	pn_buf_release(&text);
	pn_unmeasured_read(&unmeasured, pn_repo_common_dir(s->repo));
	reason = pn_unmeasured_find(&unmeasured, &s->told.commit);
	if (reason)
		s->told.unmeasured =
			pn_arena_copy(&s->arena, reason, strlen(reason));
	pn_unmeasured_release(&unmeasured);
	return code;
}

/* What git and we are in the middle of. */
static void read_progress(struct pn_state *s)
{
	struct pn_repo *repo = s->repo;
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

int pn_state_read(struct pn_state *s, struct pn_error *err)
{
	const struct pn_head *head = s->head;
	int code = 0;

	s->told.branch = head->branch;
	s->told.unborn = head->unborn;
	s->told.commit = head->commit;
	if (!head->unborn)
		code = pn_store_entries(&s->told.entries, &s->told.entry_count,
					&s->told.ignored, &s->arena, s->notes,
					&head->commit, err);
	if (!code && !head->unborn)
		code = read_rows(s, err);
	if (!code)
		code = read_pending(s, err);
	if (!code)
		code = read_remote(s, err);
	if (!code)
		code = read_queue(s, err);
	if (!code)
		code = read_doubts(s, err);
	if (!code && !head->unborn)
		read_regressions(s);
	if (!code)
		read_progress(s);
	return code;
}

void pn_state_release(struct pn_state *state)
{
	pn_ancestry_free(state->ancestry);
	pn_buf_release(&state->warnings);
	pn_pending_list_release(&state->pending);
	pn_arena_release(&state->arena);
}
