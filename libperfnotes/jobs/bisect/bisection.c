/* A bisection that measures. */
#include "jobs/bisect/bisection.h"

#include "base/alloc.h"
#include "base/file.h"
#include "collect/facts/environment.h"
#include "jobs/bisect/search.h"
#include "jobs/bisect/trees.h"
#include "vcs/walk/touched.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define OTHERS_MAX 8 /* other jobs whose histories are looked at */

struct pn_bisection {
	struct pn_repo *repo;
	const struct pn_matrix *matrix;
	struct pn_bisect_session *session;
	struct pn_run_options run_options;
	struct pn_bisect_options options;
	struct pn_bisect_series series;
	char fingerprint[PN_FINGERPRINT_MAX];
	const char *job_id; /* what run_options.names points to */
	/* The line, and the one that a merge of it brought. */
	struct pn_bisect_search outer, inner;
	struct pn_bisect_search *at; /* one of them */
	struct pn_bisect_trees trees;
	struct pn_run *run;
	struct pn_bisect_tree *tree; /* of the run */
	size_t commit;		     /* of the run, or the last one */
	int64_t began_ns;
	struct pn_bisected told;
	struct pn_profile before, after; /* what the functions are of */
	struct pn_why why;
	bool explained;
};

static const struct pn_matrix_job *find_job(const struct pn_matrix *matrix,
					    const char *id)
{
	size_t i;

	for (i = 0; i < matrix->job_count; i++)
		if (!strcmp(matrix->jobs[i].id, id))
			return &matrix->jobs[i];
	return NULL;
}

/* What the other jobs' figures say of the commits. */
static int learn(struct pn_bisection *b, struct pn_error *err)
{
	struct pn_bisect_series other = b->series;
	size_t i, seen = 0;
	int code = 0;

	other.metric = NULL;
	for (i = 0; !code && i < b->matrix->job_count && seen < OTHERS_MAX;
	     i++) {
		other.job = &b->matrix->jobs[i];
		if (other.job == b->series.job)
			continue;
		code = pn_bisect_search_learn(&b->outer, &other, err);
		seen++;
	}
	return code;
}

static int set_up(struct pn_bisection *b, struct pn_error *err)
{
	struct pn_environment environment;
	size_t removed;

	b->series.repo = b->repo;
	b->series.job = find_job(b->matrix, b->session->job);
	if (!b->series.job)
		return pn_error_set(err, PN_ENOTFOUND,
				    "'%s' has no job with the id %s (any "
				    "more)",
				    b->matrix->path, b->session->job);
	b->series.metric = *b->session->metric ? b->session->metric : NULL;
	pn_environment_read(&environment, b->run_options.machine, "");
	pn_environment_fingerprint(b->fingerprint, &environment);
	b->series.fingerprint = b->fingerprint;
	b->job_id = b->series.job->id;
	b->run_options.names = &b->job_id;
	b->run_options.name_count = 1;
	b->run_options.again = b->run_options.skips = true;
	b->options = !strcmp(b->series.job->with->name, "callgrind")
			     ? PN_BISECT_COUNTERS
			     : PN_BISECT_DEFAULTS;
	return pn_worktree_recover(&removed, b->repo, err);
}

int pn_bisection_open(struct pn_bisection **out, struct pn_repo *repo,
		      const struct pn_matrix *matrix,
		      struct pn_bisect_session *session,
		      const struct pn_run_options *run, struct pn_error *err)
{
	struct pn_bisection *b = pn_calloc(1, sizeof(*b));
	int code;

	b->repo = repo;
	b->matrix = matrix;
	b->session = session;
	b->run_options = *run;
	b->at = &b->outer;
	pn_profile_init(&b->before);
	pn_profile_init(&b->after);
	code = set_up(b, err);
	if (!code)
		code = pn_bisect_search_open(&b->outer, &b->series,
					     &session->good, &session->bad,
					     err);
	if (!code)
		code = learn(b, err);
	if (!code)
		code = pn_bisect_session_write(session, repo, err);
	if (code) {
		pn_bisection_close(b, NULL);
		return code;
	}
	pn_bisect_search_look(b->at, &b->options);
	*out = b;
	return 0;
}

/* Of a merge that was found: the line that it brought. False when there is
 * nothing to be looked at. */
static bool go_inside(struct pn_bisection *b)
{
	const struct pn_bisect *look = &b->outer.look;
	const struct pn_oid *second = &b->outer.line.second_parents[look->to];
	struct pn_oid base;

	if (b->at != &b->outer || look->from != look->to || !look->to ||
	    pn_oid_is_zero(second) || b->told.by_merge)
		return false;
	b->told.merge = b->outer.line.commits[look->to].id;
	if (pn_touched_base(&base, b->repo,
			    &b->outer.line.commits[look->to - 1].id, second,
			    NULL) ||
	    pn_oid_is_zero(&base) || pn_oid_equal(&base, second) ||
	    pn_bisect_search_open(&b->inner, &b->series, &base, second, NULL))
		return false;
	b->at = &b->inner;
	pn_bisect_search_look(b->at, &b->options);
	return true;
}

/* Whether there is something to be run. */
static bool is_open(struct pn_bisection *b)
{
	const struct pn_bisect *look;

	if (b->at->look.state == PN_BISECT_FOUND && go_inside(b))
		return is_open(b);
	look = &b->at->look;
	if (b->at == &b->inner &&
	    (look->state == PN_BISECT_SAME || look->state == PN_BISECT_STUCK)) {
		b->told.by_merge = look->state == PN_BISECT_SAME;
		b->at = &b->outer;
		return false;
	}
	return (look->state == PN_BISECT_ENDS ||
		look->state == PN_BISECT_GOING) &&
	       !(b->session->most && b->session->made >= b->session->most);
}

/* Of an end all at once that it needs at least; else one. */
static uint64_t runs_of_next(const struct pn_bisection *b)
{
	const struct pn_bisect *look = &b->at->look;
	size_t have = b->at->commits[look->next].count;
	size_t want = b->options.end_runs;
	uint64_t runs = 1, left = b->session->most - b->session->made;

	if (look->state == PN_BISECT_ENDS && have < want)
		runs = want - have;
	return b->session->most && runs > left ? left : runs;
}

int pn_bisection_next(struct pn_run **run, struct pn_bisection *b,
		      struct pn_error *err)
{
	const struct pn_oid *commit;
	struct pn_run_options options;
	int code;

	pn_run_free(b->run);
	b->run = NULL;
	if (!is_open(b))
		return 0;
	b->commit = b->at->look.next;
	b->began_ns = pn_time_monotonic_ns();
	commit = &b->at->line.commits[b->commit].id;
	code = pn_bisect_trees_get(&b->tree, &b->trees, b->repo, commit, err);
	if (code)
		return code;
	options = b->run_options;
	options.dir = pn_worktree_path(b->tree->tree);
	options.ceiling = b->tree->ceiling;
	options.commit = *commit;
	options.tree = b->at->line.trees[b->commit];
	options.partial = pn_worktree_is_partial(b->tree->tree);
	options.runs = runs_of_next(b);
	options.built = b->tree->built;
	code = pn_run_open(&b->run, b->repo, b->matrix, &options, err);
	if (!code && !pn_run_count(b->run))
		code = pn_error_set(err, PN_ENOTFOUND,
				    "the job is not for this machine");
	*run = b->run;
	return code ? code : 1;
}

/* How the job went; NULL: it was not begun. */
static struct pn_run_job *job_of(struct pn_bisection *b)
{
	size_t i;

	for (i = 0; i < b->matrix->job_count; i++)
		if (pn_run_job(b->run, i)->job == b->series.job)
			return pn_run_job(b->run, i);
	return NULL;
}

static int count_run(struct pn_bisection *b, const struct pn_run_job *job,
		     size_t had, struct pn_error *err)
{
	struct pn_bisect_commit *commit = &b->at->commits[b->commit];
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &b->at->line.commits[b->commit].id);
	if (!b->tree->built && job->job->section->builds.count)
		b->session->builds++;
	b->session->spent_ns += pn_time_monotonic_ns() - b->began_ns;
	b->tree->built = job->state == PN_RUN_DONE;
	if (commit->count > had) {
		b->session->made += commit->count - had;
		return 0;
	}
	if (job->state == PN_RUN_DONE)
		return pn_error_set(err, PN_ENOTFOUND,
				    "job '%s' has no metric '%s'",
				    job->job->section->name,
				    b->series.metric ? b->series.metric : "");
	if (had)
		return pn_error_set(err, PN_EREFUSED,
				    "job '%s' fails at %.10s, where it ran "
				    "before: %s",
				    job->job->section->name, hex,
				    job->why.message);
	commit->skipped = true;
	return 0;
}

int pn_bisection_store(struct pn_bisection *b, struct pn_error *err)
{
	const struct pn_run_job *job = job_of(b);
	size_t had = b->at->commits[b->commit].count;
	int code = pn_run_store(b->run, err);

	if (!code)
		code = pn_bisect_search_read(b->at, b->commit, err);
	if (!code)
		code = count_run(b, job, had, err);
	if (!code)
		code = pn_bisect_session_write(b->session, b->repo, err);
	if (!code)
		pn_bisect_search_look(b->at, &b->options);
	return code;
}

void pn_bisection_explain(struct pn_bisection *b)
{
	const struct pn_bisect *look = &b->at->look;

	if (look->state != PN_BISECT_FOUND)
		return;
	pn_bisect_effect_of(&b->told.effect, look, b->at->commits);
	b->explained = !pn_bisect_search_why(
		&b->why, &b->before, &b->after, b->at,
		pn_bisect_search_before(b->at, look->from), look->to, NULL);
}

const struct pn_bisected *pn_bisection_told(struct pn_bisection *b)
{
	struct pn_bisected *told = &b->told;
	const struct pn_bisect_search *at = b->at;
	size_t i;

	told->job = b->series.job->section->name;
	told->collector = b->series.job->with->name;
	told->workload =
		b->series.job->job.workload ? b->series.job->job.workload : "";
	told->metric = b->series.metric ? b->series.metric : "";
	told->unit = "";
	for (i = 0; i < at->line.count; i++) {
		if (!at->commits[i].count)
			continue;
		told->metric = at->measured[i].metric;
		told->unit = at->measured[i].unit;
		told->more_is_better = at->measured[i].better == PN_BETTER_MORE;
		break;
	}
	told->line = at->line.commits;
	told->runs = at->commits;
	told->count = at->line.count;
	told->look = &at->look;
	told->inside = at == &b->inner;
	told->stored = b->outer.stored;
	told->made = b->session->made;
	told->builds = b->session->builds;
	told->spent_ns = b->session->spent_ns;
	told->most = b->session->most;
	told->why = b->explained ? &b->why : NULL;
	return told;
}

size_t pn_bisection_last(const struct pn_bisection *b)
{
	return b->commit;
}

int pn_bisection_close(struct pn_bisection *b, struct pn_error *err)
{
	int code;

	if (!b)
		return 0;
	/* what runs has to end before its folder goes */
	pn_run_free(b->run);
	code = pn_bisect_trees_release(&b->trees, err);
	if (b->explained)
		pn_why_release(&b->why);
	pn_profile_release(&b->before);
	pn_profile_release(&b->after);
	pn_bisect_search_release(&b->inner);
	pn_bisect_search_release(&b->outer);
	free(b);
	return code;
}
