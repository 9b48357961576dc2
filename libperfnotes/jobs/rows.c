/* Rows of a run. */
#include "jobs/rows.h"

#include <string.h>

struct pn_planned pn_rows_planned(struct pn_arena *arena,
				  const struct pn_matrix_job *job)
{
	const struct pn_matrix_posts *posts = &job->section->posts;
	const struct pn_collect_job *j = &job->job;
	size_t i, n = posts->texts.count;
	const char **names = pn_arena_alloc(arena, n * sizeof(*names));

	for (i = 0; i < n; i++)
		names[i] = posts->items[i].with->name;
	return (struct pn_planned){
		.section = job->section->name,
		.id = job->id,
		.cmd = j->cmd,
		.args = j->args,
		.workload = j->workload,
		.collector = job->with->name,
		.post_count = n,
		.post_names = names,
		.post_texts = (const char *const *)posts->texts.values};
}

struct pn_jobs_progress pn_rows_progress(struct pn_arena *arena,
					 const struct pn_run_progress *p)
{
	struct pn_jobs_progress out = {.done = p->done,
				       .count = p->count,
				       .left_ns = p->left_ns,
				       .waiting = p->waiting,
				       .hooked = p->hooked,
				       .noisy = p->noisy,
				       .building = p->building};
	struct pn_planned *job;

	if (p->measured) {
		out.runs_done = p->collect.done;
		out.runs_expected = p->collect.expected;
	}
	if (p->job && !p->waiting && !p->noisy && !p->building) {
		job = pn_arena_alloc(arena, sizeof(*job));
		*job = pn_rows_planned(arena, p->job);
		out.job = job;
	}
	return out;
}

void pn_rows_add_totals(struct pn_run_totals *totals, struct pn_run *run,
			size_t job_count)
{
	size_t i;

	totals->commits++;
	totals->done += pn_run_in_state(run, PN_RUN_DONE);
	totals->bad += pn_run_in_state(run, PN_RUN_NOT_BUILT) +
		       pn_run_in_state(run, PN_RUN_FAILED);
	for (i = 0; i < job_count; i++)
		totals->skipped += pn_run_job(run, i)->skipped;
}

struct pn_planned *pn_rows_list(size_t *count, struct pn_arena *arena,
				const struct pn_matrix *matrix,
				struct pn_run *run)
{
	struct pn_planned *rows =
		pn_arena_alloc(arena, matrix->job_count * sizeof(*rows));
	size_t i;

	*count = 0;
	for (i = 0; i < matrix->job_count; i++)
		if (!run || pn_run_job(run, i)->state != PN_RUN_LEFT_OUT)
			rows[(*count)++] =
				pn_rows_planned(arena, &matrix->jobs[i]);
	return rows;
}

/* A record as the index line that it became. */
static const struct pn_entry *entry_of(struct pn_arena *arena,
				       const struct pn_record *r)
{
	struct pn_entry *e = pn_arena_alloc(arena, sizeof(*e));

	*e = (struct pn_entry){.time_ns = r->time_ns,
			       .kind = PN_ENTRY_PROFILE,
			       .fields = r->fields,
			       .field_count = r->field_count,
			       .metrics = r->metrics,
			       .metric_count = r->metric_count,
			       .commit = r->commit,
			       .tree = r->tree};
	memcpy(e->id, r->id, sizeof(e->id));
	return e;
}

struct pn_ran *pn_rows_ran(size_t *count, struct pn_arena *arena,
			   struct pn_run *run, size_t job_count)
{
	struct pn_ran *rows = pn_arena_alloc(arena, job_count * sizeof(*rows));
	size_t i;

	*count = 0;
	for (i = 0; i < job_count; i++) {
		struct pn_run_job *j = pn_run_job(run, i);
		bool failed = j->state == PN_RUN_NOT_BUILT ||
			      j->state == PN_RUN_FAILED;

		if (!failed && j->state != PN_RUN_DONE)
			continue;
		rows[(*count)++] = (struct pn_ran){
			.job = pn_rows_planned(arena, j->job),
			.entry = failed ? NULL : entry_of(arena, &j->record),
			.why = j->why.message};
	}
	return rows;
}

/* A build is the section's, all else of one job. */
static struct pn_ran_fault fault_of(struct pn_arena *arena,
				    const struct pn_run_job *j)
{
	struct pn_ran_fault fault = {.section = j->job->section->name,
				     .why = j->why.message,
				     .said = pn_buf_text(&j->said),
				     .doubt = ""};
	struct pn_buf doubt = {0};

	if (j->state != PN_RUN_FAILED)
		return fault;
	fault.cmd = j->job->job.cmd;
	fault.args = j->job->job.args;
	fault.workload = j->job->job.workload ? j->job->job.workload : "";
	pn_matrix_doubt(&doubt, j->job->section);
	fault.doubt = pn_arena_copy(arena, pn_buf_text(&doubt), doubt.len);
	pn_buf_release(&doubt);
	return fault;
}

struct pn_ran_fault *pn_rows_faults(size_t *count, struct pn_arena *arena,
				    struct pn_run *run, size_t job_count)
{
	struct pn_ran_fault *rows =
		pn_arena_alloc(arena, 2 * (job_count + 1) * sizeof(*rows));
	const char *last = NULL;
	size_t i;

	*count = 0;
	for (i = 0; i < job_count; i++) {
		struct pn_run_job *j = pn_run_job(run, i);

		if (j->state == PN_RUN_DONE && j->unmodelled.code)
			rows[(*count)++] = (struct pn_ran_fault){
				.section = j->job->section->name,
				.unmodelled = true,
				.why = j->unmodelled.message};
		if (j->state == PN_RUN_NOT_BUILT &&
		    (!last || strcmp(last, j->why.message) != 0)) {
			last = j->why.message;
			rows[(*count)++] = fault_of(arena, j);
		} else if (j->state == PN_RUN_FAILED) {
			rows[(*count)++] = fault_of(arena, j);
		}
	}
	return rows;
}
