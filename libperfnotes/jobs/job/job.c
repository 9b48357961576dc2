/* One job at one commit. */
#include "jobs/job/job.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "vcs/gitdir.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *variable(const char *name, const char *value)
{
	struct pn_buf text = {0};

	pn_buf_printf(&text, "%s=%s", name, value);
	return pn_buf_detach(&text);
}

static void make_environment(struct pn_job_plan *out,
			     const struct pn_matrix_job *j,
			     const struct pn_job_place *place)
{
	char hex[PN_OID_HEX + 1];
	size_t n = 0;

	pn_oid_hex(hex, &place->commit);
	out->env[n++] = variable("GIT_PERF_RUNNING", "1");
	out->env[n++] = variable("GIT_PERF_COMMIT", hex);
	out->env[n++] = variable("GIT_PERF_JOB", j->section->name);
	if (j->input)
		out->env[n++] = variable("GIT_PERF_WORKLOAD", j->input);
	if (place->ceiling)
		out->env[n++] = pn_strdup(place->ceiling);
	out->env[n] = NULL;
}

/* A file for standard input is of the measured tree. */
static void find_input(struct pn_job_plan *out, const char *path,
		       const char *dir)
{
	struct pn_buf text = {0};

	if (!path)
		return;
	if (*path != '/')
		pn_buf_printf(&text, "%s/", dir);
	pn_buf_add_text(&text, path);
	out->input_path = pn_buf_detach(&text);
}

/* How often and how long: what the section does not say is the plan's. */
static void set_runs(struct pn_collect_plan *plan,
		     const struct pn_matrix_section *s)
{
	plan->warmup = s->warmup;
	plan->runs = s->runs;
	if (s->min_runs)
		plan->min_runs = s->min_runs;
	if (s->max_runs)
		plan->max_runs = s->max_runs;
	if (plan->min_runs > plan->max_runs && s->min_runs)
		plan->max_runs = plan->min_runs;
	if (plan->min_runs > plan->max_runs)
		plan->min_runs = plan->max_runs;
	if (s->min_time_ns >= 0)
		plan->min_time_ns = s->min_time_ns;
	if (s->max_time_ns >= 0)
		plan->max_time_ns = s->max_time_ns;
	if (!isnan(s->precision))
		plan->precision = s->precision;
}

void pn_job_plan_init(struct pn_job_plan *out, const struct pn_matrix_job *job,
		      const struct pn_job_place *place)
{
	const struct pn_matrix_section *s = job->section;
	struct pn_collect_plan *plan = &out->collect;

	memset(out, 0, sizeof(*out));
	pn_collect_plan_init(plan);
	make_environment(out, job, place);
	find_input(out, s->input, place->dir);
	set_runs(plan, s);
	plan->jobs = &job->job;
	plan->job_count = 1;
	plan->shell = s->shell ? "sh" : NULL;
	plan->allow_failure = s->ignore_status;
	plan->input_path = out->input_path;
	plan->machine = place->machine;
	plan->stop = place->stop;
	plan->background = true;
	plan->timeout_ns = s->timeout_ns;
	plan->dir = plan->source_top = place->dir;
	plan->env_set = (const char *const *)out->env;
	plan->env_unset = pn_gitdir_variables;
	plan->options = job->options;
	plan->option_count = job->option_count;
}

void pn_job_plan_release(struct pn_job_plan *plan)
{
	size_t i;

	for (i = 0; plan->env[i]; i++)
		free(plan->env[i]);
	free(plan->input_path);
	memset(plan, 0, sizeof(*plan));
}

/* One after the other, as each works on what the last one made. What was
 * measured is kept whatever they say of it. */
static void postprocess(struct pn_error *unmodelled, struct pn_profile *profile,
			const struct pn_matrix_job *job)
{
	const struct pn_matrix_posts *posts = &job->section->posts;
	struct pn_post_notes notes = {0};
	size_t i;

	for (i = 0; !unmodelled->code && i < posts->texts.count; i++)
		if (pn_post_apply(profile, &posts->items[i], &notes,
				  unmodelled))
			break;
	pn_post_notes_release(&notes);
}

int pn_job_record(struct pn_record *out, struct pn_error *unmodelled,
		  struct pn_profile *profile, const struct pn_matrix_job *job,
		  const struct pn_job_place *place, struct pn_error *err)
{
	struct pn_record_options options = {0};
	struct pn_buf name = {0};
	int64_t time_ns = profile->time_ns;
	int code;

	/* a file may say another one: then it would be measured for ever */
	profile->header.workload = pn_strtab_add_text(
		&profile->strings, job->job.workload ? job->job.workload : "");
	postprocess(unmodelled, profile, job);
	profile->header.dirty = place->dirty;
	pn_profile_set_label(profile, "job", job->section->name);
	pn_buf_printf(&name, "%s-%s", job->section->name, job->with->name);
	options.name = pn_buf_text(&name);
	code = pn_record_from_profile(out, profile, &options, err);
	if (!code) {
		out->commit = place->commit;
		out->tree = place->tree;
		out->time_ns = time_ns;
	}
	pn_buf_release(&name);
	return code;
}
