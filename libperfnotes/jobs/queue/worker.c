/*
 * The worker's decisions. The plan of a round (choice.c) is made when all
 * is quiet; the queue is cut when the plan is done.
 */
#include "jobs/queue/worker.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/number.h"
#include "jobs/hooks/unmeasured.h"
#include "jobs/queue/choice.h"
#include "jobs/queue/queue.h"
#include "storage/carry.h"
#include "vcs/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DELAY_NS 5000000000	 /* default of perf.hookDelay */
#define PATIENCE_NS 300000000000 /* default of perf.quietWait */
#define POLL_MIN_MS 100		 /* first look whether a rebase has ended ... */
#define POLL_MAX_MS 5000	 /* ... and the later ones */

enum phase { PHASE_LOOK, PHASE_CARRY, PHASE_MEASURE, PHASE_CUT };

struct pn_worker {
	struct pn_repo *repo;
	int lock;
	bool once;
	int64_t delay_ns;
	int64_t patience_ns;	    /* for a quiet machine */
	int64_t poll_ms, waited_ms; /* for an operation */
	int64_t seen_ns; /* when the queue was first seen as long as ... */
	uint64_t seen;	 /* ... this; no clock can set that time */
	enum phase phase;
	struct pn_queue queue; /* of this round */
	struct pn_queue_choices choices;
	size_t next;
};

/* *out stays where the key is not set. */
static int read_seconds(int64_t *out, struct pn_repo *repo, const char *key,
			struct pn_error *err)
{
	char *text = NULL;
	double seconds;
	int code = pn_repo_config(&text, repo, key, err);

	if (code || !text)
		return code;
	if (!pn_number_double(&seconds, text, strlen(text)) ||
	    !(seconds >= 0 && seconds <= 86400))
		code = pn_error_set(err, PN_EINVAL,
				    "bad %s '%s', need seconds, at most 86400",
				    key, text);
	else
		*out = (int64_t)(seconds * 1e9);
	free(text);
	return code;
}

int pn_worker_open(struct pn_worker **out, struct pn_repo *repo, bool once,
		   struct pn_error *err)
{
	struct pn_worker *w = pn_calloc(1, sizeof(*w));
	int code;

	w->delay_ns = DELAY_NS;
	w->patience_ns = PATIENCE_NS;
	code = read_seconds(&w->delay_ns, repo, "perf.hookDelay", err);
	if (!code)
		code = read_seconds(&w->patience_ns, repo, "perf.quietWait",
				    err);
	w->repo = repo;
	w->once = once;
	w->lock = -1;
	w->poll_ms = POLL_MIN_MS;
	if (!code)
		code = pn_queue_lock_worker(&w->lock, pn_repo_common_dir(repo),
					    err);
	if (code)
		pn_worker_free(w);
	else
		*out = w;
	return code;
}

void pn_worker_free(struct pn_worker *w)
{
	if (!w)
		return;
	pn_queue_choices_release(&w->choices);
	pn_queue_release(&w->queue);
	if (w->lock >= 0)
		close(w->lock);
	free(w);
}

/* What is under way in the worktree of that name; NULL: nothing that a build
 * would be in the way of. A merge adds one commit when it ends, which is then
 * queued. */
static const char *busy_in(const char *common_dir, const char *worktree)
{
	bool in[PN_PROGRESS_KINDS];
	struct pn_buf path = {0};
	int kind;

	pn_buf_add_text(&path, common_dir);
	if (*worktree)
		pn_buf_printf(&path, "/worktrees/%s", worktree);
	pn_progress_read(in, pn_buf_text(&path));
	pn_buf_release(&path);
	for (kind = 0; kind < PN_PROGRESS_KINDS; kind++)
		if (in[kind] && kind != PN_PROGRESS_MERGE)
			return pn_progress_name((enum pn_progress)kind);
	return NULL;
}

static const char *busy(const struct pn_worker *w)
{
	const char *dir = pn_repo_common_dir(w->repo), *what;
	size_t i;

	for (i = 0; i < w->queue.count; i++) {
		const struct pn_queue_item *item = &w->queue.items[i];

		if (item->kind != PN_QUEUE_COMMIT ||
		    (i && !strcmp(item->worktree, item[-1].worktree)))
			continue;
		what = busy_in(dir, item->worktree);
		if (what)
			return what;
	}
	return NULL;
}

/*
 * Milliseconds until nothing was queued for the delay. What is queued with a
 * time that is still to come, before a clock was set back, counts from when
 * it was first seen.
 */
static int64_t until_quiet(struct pn_worker *w)
{
	int64_t now = pn_time_now_ns(), seen = pn_time_monotonic_ns();
	int64_t quiet = w->delay_ns, age;
	size_t i;

	if (!w->seen_ns || w->seen != w->queue.end) {
		w->seen = w->queue.end;
		w->seen_ns = seen;
	}
	for (i = 0; i < w->queue.count; i++) {
		age = w->queue.items[i].time_ns > now
			      ? seen - w->seen_ns
			      : now - w->queue.items[i].time_ns;
		if (age < quiet)
			quiet = age;
	}
	return quiet < w->delay_ns ? (w->delay_ns - quiet) / 1000000 + 1 : 0;
}

/* Something is to be waited for: true, with the step filled. */
static bool must_wait(struct pn_worker_step *out, struct pn_worker *w)
{
	const char *what = busy(w);

	if (what && (w->once || w->waited_ms > PN_WORKER_PATIENCE_S * 1000)) {
		out->kind = PN_WORKER_DONE;
		out->count = pn_queue_commits(&w->queue);
		snprintf(out->text, sizeof(out->text), "the %s to end", what);
		return true;
	}
	if (what) {
		out->kind = PN_WORKER_WAIT;
		out->wait_ms = w->poll_ms;
		w->waited_ms += w->poll_ms;
		w->poll_ms += w->poll_ms / 2;
		if (w->poll_ms > POLL_MAX_MS)
			w->poll_ms = POLL_MAX_MS;
		snprintf(out->text, sizeof(out->text), "the %s to end", what);
		return true;
	}
	out->wait_ms = w->once ? 0 : until_quiet(w);
	if (!out->wait_ms)
		return false;
	out->kind = PN_WORKER_WAIT;
	snprintf(out->text, sizeof(out->text), "quiet");
	return true;
}

static int cut(struct pn_worker *w, struct pn_error *err)
{
	return pn_queue_drop(pn_repo_common_dir(w->repo), &w->queue, err);
}

/* Begin a round: 1 when the step says what is next, 0 when a plan is made. */
static int look(struct pn_worker_step *out, struct pn_worker *w,
		struct pn_error *err)
{
	size_t i;
	int code;

	pn_queue_choices_release(&w->choices);
	pn_queue_release(&w->queue);
	code = pn_queue_read(&w->queue, pn_repo_common_dir(w->repo), err);
	if (code)
		return code;
	for (i = 0; i < w->queue.count; i++)
		if (w->queue.items[i].kind != PN_QUEUE_TRY)
			break;
	if (i == w->queue.count) { /* nothing but what a last round left */
		code = w->queue.end ? cut(w, err) : 0;
		out->kind = PN_WORKER_DONE;
		return code ? code : 1;
	}
	if (must_wait(out, w))
		return 1;
	w->waited_ms = 0;
	w->poll_ms = POLL_MIN_MS;
	w->next = 0;
	w->phase = PHASE_CARRY;
	return pn_queue_choices_make(&w->choices, w->repo, &w->queue, err);
}

/* 1 when some were copied. */
static int carry(struct pn_worker_step *out, struct pn_worker *w,
		 struct pn_error *err)
{
	struct pn_rewrite *list = pn_calloc(w->queue.count, sizeof(*list));
	size_t i, n = 0;
	int code = 0;

	for (i = 0; i < w->queue.count; i++)
		if (w->queue.items[i].kind == PN_QUEUE_REWRITE)
			list[n++] =
				(struct pn_rewrite){w->queue.items[i].old,
						    w->queue.items[i].commit};
	if (n)
		code = pn_store_carry(&out->count, w->repo, list, n, err);
	free(list);
	w->phase = PHASE_MEASURE;
	out->kind = PN_WORKER_CARRY;
	return code ? code : out->count > 0;
}

/* The next choice: 1, or 0 when there is none. It is written down first. */
static int next_choice(struct pn_worker_step *out, struct pn_worker *w,
		       struct pn_error *err)
{
	struct pn_queue_item mark = {.kind = PN_QUEUE_TRY};
	const struct pn_queue_choice *choice;
	int code;

	if (w->next == w->choices.count) {
		w->phase = PHASE_CUT;
		return 0;
	}
	choice = &w->choices.items[w->next++];
	out->commit = choice->commit;
	out->worktree = choice->worktree;
	if (choice->why) {
		out->kind = PN_WORKER_LEAVE;
		snprintf(out->text, sizeof(out->text), "%s", choice->why);
		pn_unmeasured_add(pn_repo_common_dir(w->repo), &out->commit,
				  out->text, NULL);
		return 1;
	}
	mark.commit = choice->commit;
	mark.time_ns = pn_time_now_ns();
	code = pn_queue_append(pn_repo_common_dir(w->repo), &mark, 1, err);
	out->kind = PN_WORKER_MEASURE;
	out->patience_ms = w->once ? 0 : w->patience_ns / 1000000;
	return code ? code : 1;
}

int pn_worker_step(struct pn_worker_step *out, struct pn_worker *w,
		   struct pn_error *err)
{
	int code = 0;

	memset(out, 0, sizeof(*out));
	while (!code) {
		switch (w->phase) {
		case PHASE_LOOK:
			code = look(out, w, err);
			break;
		case PHASE_CARRY:
			code = carry(out, w, err);
			break;
		case PHASE_MEASURE:
			code = next_choice(out, w, err);
			break;
		case PHASE_CUT:
			code = cut(w, err);
			w->phase = PHASE_LOOK;
			break;
		}
	}
	return code < 0 ? code : 0;
}

char *pn_worker_folder(struct pn_repo *repo, const char *worktree)
{
	struct pn_buf path = {0}, text = {0};
	const char *work_dir = pn_repo_work_dir(repo);
	char *slash, *folder = NULL;

	if (*worktree) {
		pn_buf_printf(&path, "%s/worktrees/%s/gitdir",
			      pn_repo_common_dir(repo), worktree);
		if (!pn_file_read(&text, pn_buf_text(&path), 8192, NULL) &&
		    text.len && (slash = strrchr((char *)text.data, '/'))) {
			*slash = '\0';
			folder = pn_strdup((char *)text.data);
		}
	}
	if (!folder || access(folder, X_OK)) {
		free(folder);
		folder = pn_strdup(work_dir ? work_dir : pn_repo_git_dir(repo));
	}
	pn_buf_release(&path);
	pn_buf_release(&text);
	return folder;
}
