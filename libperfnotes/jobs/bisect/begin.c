/* What a bisection is to look for. */
#include "jobs/bisect/bisection.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/text/similar.h"
#include "jobs/trust.h"
#include "model/series.h"

#include <stdlib.h>
#include <string.h>

static struct pn_series series_of(const struct pn_matrix_job *job)
{
	return (struct pn_series){
		.job = job->section->name,
		.cmd = job->job.cmd ? job->job.cmd : "",
		.args = job->job.args ? job->job.args : "",
		.workload = job->job.workload ? job->job.workload : "",
		.collector = job->with->name,
		.machine = ""};
}

/* By a name of its series, or the first digits of its id. */
static bool is_meant(const struct pn_matrix_job *job, const char *name)
{
	const struct pn_series series = series_of(job);
	size_t n = strlen(name);

	return pn_series_fits(&series, name) == PN_SERIES_JOB ||
	       (n >= 4 && n <= PN_MATRIX_ID_HEX && !memcmp(job->id, name, n));
}

/* Whether no other job has its name. */
static bool is_alone(const struct pn_series *all, size_t count, size_t at)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (i != at && !pn_series_cmp(&all[i], &all[at]))
			return false;
	return true;
}

static void list_jobs(struct pn_buf *out, const struct pn_matrix *matrix,
		      const char *name)
{
	struct pn_series *all = pn_calloc(matrix->job_count + 1, sizeof(*all));
	size_t i, shown = 0;

	for (i = 0; i < matrix->job_count; i++)
		all[i] = series_of(&matrix->jobs[i]);
	for (i = 0; i < matrix->job_count; i++) {
		const struct pn_matrix_job *job = &matrix->jobs[i];
		struct pn_series_parts parts;

		if (name && !is_meant(job, name))
			continue;
		parts = pn_series_tell(&all[i], all, matrix->job_count);
		pn_buf_add_text(out, shown++ ? ", " : "");
		pn_series_text(out, &all[i], &parts);
		if (!is_alone(all, matrix->job_count, i))
			pn_buf_printf(out, " (%s)", job->id);
	}
	free(all);
}

/* The only job that `name` means; NULL: the only one that there is. */
static int find_job(const char **id, const struct pn_matrix *matrix,
		    const char *name, struct pn_error *err)
{
	const struct pn_matrix_job *found = NULL;
	struct pn_buf names = {0};
	size_t i, count = 0;
	int code = 0;

	for (i = 0; i < matrix->job_count; i++) {
		if (name && !is_meant(&matrix->jobs[i], name))
			continue;
		found = &matrix->jobs[i];
		count++;
	}
	if (count == 1) {
		*id = found->id;
		return 0;
	}
	list_jobs(&names, matrix, count ? name : NULL);
	if (!count && name)
		pn_similar_say(&names, name, strlen(name));
	if (!matrix->job_count)
		code = pn_error_set(err, PN_ENOTFOUND, "'%s' has no job",
				    matrix->path);
	else if (!count)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "no job '%s', there are: %s", name,
				    pn_buf_text(&names));
	else
		code = pn_error_set(
			err, PN_EAMBIGUOUS, "%s%s%s %zu jobs, name one: %s",
			name ? "'" : "", name ? name : "there are",
			name ? "' means" : "", count, pn_buf_text(&names));
	pn_buf_release(&names);
	return code;
}

/* Where a job file is that was named; "": none was. */
static int find_config(char **out, const char *named, struct pn_error *err)
{
	*out = named ? realpath(named, NULL) : pn_strdup("");
	return *out ? 0 : pn_file_fail(err, "read", named);
}

int pn_bisection_begin(struct pn_bisect_session *out, bool *had,
		       struct pn_repo *repo, const struct pn_matrix *matrix,
		       const struct pn_bisect_ask *ask, struct pn_error *err)
{
	struct pn_bisect_session begun = {.job = NULL}, s = {.job = NULL};
	const char *job = NULL;
	int code = pn_bisect_session_read(&begun, repo, err);
	bool found = code > 0;

	code = code < 0 ? code : 0;
	s.metric = pn_strdup(ask->metric ? ask->metric : "");
	if (ask->config)
		memcpy(s.hash, matrix->hash, sizeof(s.hash));
	if (!code)
		code = find_config(&s.config, ask->config, err);
	if (!code)
		code = pn_repo_resolve(&s.good, repo, ask->good, err);
	if (!code)
		code = pn_repo_resolve(&s.bad, repo, ask->bad, err);
	if (!code)
		code = find_job(&job, matrix, ask->job, err);
	if (code) {
		pn_bisect_session_release(&s);
	} else {
		s.job = pn_strdup(job);
		*had = found && pn_bisect_session_same(&s, &begun);
		if (*had) {
			s.made = begun.made;
			s.builds = begun.builds;
			s.spent_ns = begun.spent_ns;
		}
		*out = s;
	}
	pn_bisect_session_release(&begun);
	return code;
}

/* What is named now is what was named then. */
static int check_config(const struct pn_bisect_session *session,
			const char *named, struct pn_error *err)
{
	char *real = NULL;
	int code = named ? find_config(&real, named, err) : 0;

	if (!code && named && strcmp(real, session->config) != 0)
		code = pn_error_set(err, PN_EREFUSED,
				    "the bisection was begun with '%s', not "
				    "'%s': name the commits to begin another",
				    *session->config ? session->config
						     : PN_MATRIX_FILE,
				    real);
	free(real);
	return code;
}

int pn_bisection_go_on(struct pn_bisect_session *out, struct pn_matrix *matrix,
		       struct pn_repo *repo, const char *config,
		       struct pn_error *err)
{
	int code = pn_bisect_session_read(out, repo, err);

	if (!code)
		return pn_error_set(err, PN_ENOTFOUND,
				    "no bisection was begun: need a good and a "
				    "bad commit");
	if (code > 0)
		code = check_config(out, config, err);
	if (!code)
		code = pn_trust_load(matrix, repo,
				     *out->config ? out->config : NULL, true,
				     err);
	if (!code && *out->config && strcmp(matrix->hash, out->hash) != 0)
		code = pn_error_set(err, PN_EREFUSED,
				    "'%s' has changed since the bisection was "
				    "begun: look at it and name it with the "
				    "commits",
				    out->config);
	return code;
}
