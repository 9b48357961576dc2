/* Jobs at one commit. */
#include "jobs/run.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/folder/folder.h"
#include "base/number.h"
#include "base/process/process.h"
#include "collect/facts/environment.h"
#include "collect/facts/quiet.h"
#include "jobs/build.h"
#include "jobs/job/job.h"
#include "jobs/measure.h"
#include "jobs/measure_lock.h"
#include "jobs/missing.h"
#include "jobs/queue/queue.h"
#include "jobs/skip.h"
#include "storage/pending.h"
#include "vcs/gitdir.h"
#include "vcs/notes/notes.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pn_run {
	struct pn_repo *repo;
	const struct pn_matrix *matrix;
	struct pn_run_options options;
	struct pn_run_job *jobs; /* matrix->job_count */
	bool selects;
	size_t skipped;
	char fingerprint[PN_FINGERPRINT_MAX];
	struct pn_build *build;
	int64_t start_ns; /* of the first measurement */
	bool announced;	  /* what comes next was told */
	struct pn_measure_lock lock;
	struct pn_quiet_wait wait;
	int told; /* the worker's lock as long as it waits; -1: it does not */
	bool yields; /* it waits for quiet, and others may have the lock */
	size_t count, done;

	/* the job that is being measured */
	size_t at;
	struct pn_measure *measure;
	struct pn_job_plan plan;
};

size_t pn_run_in_state(const struct pn_run *run, enum pn_run_state state)
{
	size_t i, n = 0;

	for (i = 0; i < run->matrix->job_count; i++)
		n += run->jobs[i].state == state;
	return n;
}

size_t pn_run_count(const struct pn_run *run)
{
	return run->count;
}

size_t pn_run_skipped(const struct pn_run *run)
{
	return run->skipped;
}

bool pn_run_selects(const struct pn_run *run)
{
	return run->selects;
}

struct pn_run_job *pn_run_job(struct pn_run *run, size_t index)
{
	return &run->jobs[index];
}

const char *pn_run_build_output(const struct pn_run *run)
{
	return pn_build_output(run->build);
}

/* The jobs that are missing wait; the others are left out. */
static int select_jobs(struct pn_run *run, struct pn_error *err)
{
	struct pn_missing_counts counts = {0};
	struct pn_missing *missing = NULL;
	size_t i;
	int code = pn_missing_open(&missing, run->repo, run->matrix,
				   &run->options, err);

	if (!code)
		code = pn_missing_look(&counts, missing, &run->options.commit,
				       &run->options.tree, err);
	run->count = counts.missing;
	run->skipped = counts.skipped;
	for (i = 0; i < run->matrix->job_count; i++) {
		run->jobs[i].job = &run->matrix->jobs[i];
		if (!code && pn_missing_has(missing, i))
			run->jobs[i].state = PN_RUN_WAITING;
	}
	if (!code) {
		run->selects = pn_missing_selects(missing);
		memcpy(run->fingerprint, pn_missing_fingerprint(missing),
		       sizeof(run->fingerprint));
	}
	pn_missing_free(missing);
	return code;
}

int pn_run_at_head(struct pn_run_options *options, struct pn_head *head,
		   struct pn_repo *repo, bool list_only, struct pn_error *err)
{
	struct pn_commit_facts facts;
	int code = pn_repo_head(head, repo, err);

	if (!code && head->unborn && !list_only)
		return pn_error_set(err, PN_ENOTFOUND,
				    "there is no commit yet to measure: commit "
				    "first");
	if (code || head->unborn)
		return code;
	code = pn_repo_commit_facts(&facts, repo, &head->commit, err);
	if (code)
		return code;
	options->commit = head->commit;
	options->tree = facts.tree;
	return pn_repo_is_dirty(&options->dirty, repo, err);
}

int pn_run_open(struct pn_run **out, struct pn_repo *repo,
		const struct pn_matrix *matrix,
		const struct pn_run_options *options, struct pn_error *err)
{
	struct pn_run *run = pn_calloc(1, sizeof(*run));
	size_t i;
	int code;

	run->repo = repo;
	run->lock.fd = run->told = -1;
	run->matrix = matrix;
	run->options = *options;
	run->jobs = pn_calloc(matrix->job_count + 1, sizeof(*run->jobs));
	code = select_jobs(run, err);
	run->build = pn_build_new(
		&(struct pn_build_options){.dir = options->dir,
					   .set = options->ceiling,
					   .unset = pn_gitdir_variables,
					   .polite = options->nice_builds,
					   .stop = options->stop});
	for (i = 0; !code && i < matrix->job_count; i++)
		if (run->jobs[i].state == PN_RUN_WAITING && !options->built)
			pn_build_add(run->build, matrix->jobs[i].section);
	if (code)
		pn_run_free(run);
	else
		*out = run;
	return code;
}

static struct pn_job_place place_of(const struct pn_run *run)
{
	return (struct pn_job_place){.dir = run->options.dir,
				     .ceiling = run->options.ceiling,
				     .machine = run->options.machine,
				     .commit = run->options.commit,
				     .tree = run->options.tree,
				     .dirty = run->options.dirty,
				     .stop = run->options.stop};
}

static void close_job(struct pn_run *run)
{
	pn_measure_free(run->measure);
	run->measure = NULL;
	pn_job_plan_release(&run->plan);
}

/* What is kept of a job. */
static int take_result(struct pn_run *run, struct pn_run_job *j,
		       struct pn_error *err)
{
	struct pn_job_place place = place_of(run);
	struct pn_profile profile;
	int code;

	pn_profile_init(&profile);
	j->warning_count = pn_measure_warnings(j->warnings, run->measure, 0);
	code = pn_measure_result(&profile, run->measure, 0, err);
	if (!code)
		code = pn_job_record(&j->record, &j->unmodelled, &profile,
				     j->job, &place, err);
	pn_profile_release(&profile);
	return code;
}

/* The job's end, good or bad; only a stop is for all. */
static int end_job(struct pn_run *run, int code, const struct pn_error *why,
		   struct pn_error *err)
{
	struct pn_run_job *j = &run->jobs[run->at];

	if (code && run->measure)
		pn_measure_said(&j->said, run->measure);
	close_job(run);
	if (code == PN_ESTOPPED) {
		if (err)
			*err = *why;
		return code;
	}
	j->state = code ? PN_RUN_FAILED : PN_RUN_DONE;
	if (code)
		j->why = *why;
	run->done++;
	return 1;
}

static int step_job(struct pn_run *run, struct pn_run_progress *progress,
		    struct pn_error *err)
{
	struct pn_run_job *j = &run->jobs[run->at];
	struct pn_job_place place = place_of(run);
	struct pn_error why = {0};
	int code = 1;

	if (!run->measure) {
		pn_job_plan_init(&run->plan, j->job, &place);
		if (run->options.runs)
			run->plan.collect.runs = run->options.runs;
		code = pn_measure_open(&run->measure, j->job->with,
				       &run->plan.collect, &why);
		if (code)
			return end_job(run, code, &why, err);
	}
	code = pn_measure_step(run->measure, &progress->collect, &why);
	progress->measured = code > 0;
	if (code > 0)
		return 1;
	if (!code)
		code = take_result(run, j, &why);
	return end_job(run, code, &why, err);
}

static void estimate(const struct pn_run *run, struct pn_run_progress *p)
{
	double each;

	p->done = run->done;
	p->count = run->count;
	if (p->measured)
		p->left_ns = p->collect.left_ns;
	if (!run->done)
		return;
	each = (double)(pn_time_now_ns() - run->start_ns) / (double)run->done;
	p->left_ns += (int64_t)(each *
				(double)(run->count - run->done - p->measured));
}

/* Sections whose build failed are not measured. */
static void drop_unbuilt(struct pn_run *run)
{
	const struct pn_error *why;
	size_t i;

	for (i = 0; i < run->matrix->job_count; i++) {
		struct pn_run_job *j = &run->jobs[i];

		if (j->state != PN_RUN_WAITING)
			continue;
		why = pn_build_failure(run->build, j->job->section);
		if (!why)
			continue;
		j->state = PN_RUN_NOT_BUILT;
		j->why = *why;
		run->done++;
	}
}

/* The next line is told first and run then. */
static int step_build(struct pn_run *run, struct pn_run_progress *progress,
		      struct pn_error *err)
{
	progress->building = pn_build_next(run->build);
	progress->count = run->count;
	if (!progress->building)
		return 0;
	run->announced = !run->announced;
	return run->announced ? 1 : pn_build_run(run->build, err);
}

/* Builds wait as well: they would disturb what the other measures. */
static int take_turn(struct pn_run *run, struct pn_run_progress *progress,
		     struct pn_error *err)
{
	const volatile sig_atomic_t *stop = run->options.stop;
	int code;

	if (stop && *stop)
		return pn_error_set(err, PN_ESTOPPED, "stopped while waiting");
	code = pn_measure_lock_try(&run->lock, run->repo, err);
	progress->waiting = !code;
	progress->hooked = !code && !run->options.nice_builds &&
			   pn_queue_has_worker(pn_repo_common_dir(run->repo));
	progress->count = run->count;
	return code < 0 ? code : 1;
}

/* The worker's: that it waits, or does no more. */
static void tell_waiting(struct pn_run *run, bool waits)
{
	if (waits && run->told < 0 && run->options.nice_builds)
		run->told = pn_queue_lock_quiet(pn_repo_common_dir(run->repo));
	if (waits || run->told < 0)
		return;
	close(run->told);
	run->told = -1;
}

/* 1: wait on. Whoever does not wait goes first meanwhile: the lock is given
 * back, and taken again for a last look once all is quiet. */
static int wait_for_quiet(struct pn_run *run, struct pn_run_progress *progress,
			  struct pn_error *err)
{
	const volatile sig_atomic_t *stop = run->options.stop;

	if (stop && *stop)
		return pn_error_set(err, PN_ESTOPPED, "stopped while waiting");
	progress->noisy =
		!pn_quiet_wait_step(&run->wait, run->options.patience_ns);
	tell_waiting(run, progress->noisy);
	progress->count = run->count;
	run->yields = progress->noisy;
	if (run->yields)
		pn_measure_lock_release(&run->lock);
	return progress->noisy;
}

int pn_run_step(struct pn_run *run, struct pn_run_progress *progress,
		struct pn_error *err)
{
	size_t count = run->matrix->job_count;
	int code;

	memset(progress, 0, sizeof(*progress));
	if (run->yields && (code = wait_for_quiet(run, progress, err)))
		return code;
	if (run->count && run->lock.fd < 0)
		return take_turn(run, progress, err);
	code = step_build(run, progress, err);
	if (code || progress->building)
		return code ? code : 1;
	if (!run->start_ns) {
		run->start_ns = pn_time_now_ns();
		drop_unbuilt(run);
	}
	while (run->at < count && run->jobs[run->at].state != PN_RUN_WAITING)
		run->at++;
	if (run->at == count)
		return 0;
	if (!run->measure && !run->announced &&
	    (code = wait_for_quiet(run, progress, err)))
		return code;
	progress->job = run->jobs[run->at].job;
	if (!run->measure && !run->announced) {
		run->announced = true;
		code = 1;
	} else {
		run->announced = false;
		code = step_job(run, progress, err);
	}
	estimate(run, progress);
	return code;
}

/* Whether a `skip` line is to be written. Where the job is tried again each
 * time, one is enough. */
static bool is_to_tell(const struct pn_run *run, const struct pn_run_job *j,
		       const struct pn_entry *lines, size_t count)
{
	return !run->options.partial && !run->options.dirty &&
	       pn_skip_is_worth(j, run->options.dir) &&
	       !pn_skip_is_told(j, &run->options, run->fingerprint, lines,
				count);
}

static int add_records(struct pn_run *run, struct pn_batch *batch,
		       const struct pn_entry *lines, size_t count,
		       struct pn_error *err)
{
	size_t i;
	int code = 0;

	for (i = 0; !code && i < run->matrix->job_count; i++) {
		struct pn_run_job *j = &run->jobs[i];

		if (j->state == PN_RUN_DONE)
			code = pn_batch_add(batch, &j->record, err);
		if (code || !is_to_tell(run, j, lines, count))
			continue;
		code = pn_skip_store(j, &run->options, run->fingerprint, batch,
				     err);
		j->skipped = !code && run->options.skips &&
			     pn_skip_is_lasting(j, run->options.dir);
	}
	return code;
}

/* What the commit has already, where that counts. */
static int read_lines(const struct pn_entry **out, size_t *count,
		      struct pn_notes **notes, struct pn_arena *arena,
		      struct pn_run *run, struct pn_error *err)
{
	int code;

	*count = 0;
	if (run->options.dirty)
		return 0;
	code = pn_notes_open(notes, run->repo, PN_NOTES_REF, err);
	if (!code)
		code = pn_store_lines(out, count, arena, *notes,
				      &run->options.commit, err);
	return code;
}

int pn_run_store(struct pn_run *run, struct pn_error *err)
{
	const struct pn_entry *lines = NULL;
	struct pn_notes *notes = NULL;
	struct pn_batch *batch = NULL;
	struct pn_arena arena = {0};
	size_t count;
	int code = read_lines(&lines, &count, &notes, &arena, run, err);

	if (!code)
		code = pn_batch_open(&batch, run->repo, NULL, err);
	if (!code)
		code = add_records(run, batch, lines, count, err);
	if (!code)
		code = pn_batch_commit(batch, err);
	pn_batch_free(batch);
	pn_arena_release(&arena);
	pn_notes_free(notes);
	return code;
}

size_t pn_run_leave_pending(struct pn_run *run)
{
	struct pn_error ignored;
	size_t i, count = 0;

	if (pn_pending_prepare(run->repo, &ignored))
		return 0;
	for (i = 0; i < run->matrix->job_count; i++)
		if (run->jobs[i].state == PN_RUN_DONE)
			count += !pn_pending_save(NULL, run->repo,
						  &run->jobs[i].record,
						  &ignored);
	return count;
}

void pn_run_free(struct pn_run *run)
{
	size_t i;

	if (!run)
		return;
	close_job(run);
	for (i = 0; i < run->matrix->job_count; i++) {
		pn_record_release(&run->jobs[i].record);
		pn_buf_release(&run->jobs[i].said);
	}
	tell_waiting(run, false);
	pn_measure_lock_release(&run->lock);
	pn_build_free(run->build);
	free(run->jobs);
	free(run);
}

bool pn_run_shard(struct pn_run_options *out, const char *text)
{
	const char *slash = text ? strchr(text, '/') : NULL;

	if (!text)
		return true;
	return slash &&
	       pn_number_uint(&out->shard, text, (size_t)(slash - text)) &&
	       pn_number_uint(&out->shards, slash + 1, strlen(slash + 1)) &&
	       out->shard && out->shard <= out->shards;
}
