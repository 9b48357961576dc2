/* Measuring what a check lacks. */
#include "jobs/judge/measure.h"

#include "base/process/child.h"
#include "jobs/judge/sides.h"
#include "jobs/settings.h"
#include "jobs/trust.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool tells_times_only(const struct pn_matrix_section *section)
{
	size_t i;

	for (i = 0; i < section->collectors.count; i++)
		if (strcmp(section->collectors.values[i], "time") != 0)
			return false;
	return true;
}

/* Calls and exact costs where Valgrind is installed, else samples. */
static const char *find_profiler(void)
{
	char room[PATH_MAX];
	const char *path = pn_child_find("valgrind", X_OK, room, sizeof(room));

	return strchr(path, '/') ? "callgrind" : "sample";
}

/* What is expanded then are the same jobs by another collector. */
static void exchange_collectors(struct pn_matrix *matrix)
{
	const char *profiler = find_profiler();
	size_t i;

	for (i = 0; i < matrix->section_count; i++) {
		struct pn_matrix_section *s = &matrix->sections[i];
		const char **values;

		if (!tells_times_only(s))
			continue;
		values = pn_arena_array(&matrix->arena, 1, sizeof(*values));
		*values = profiler;
		s->collectors = (struct pn_matrix_list){values, 1};
	}
}

int pn_check_measure_open(struct pn_check_measure *m, struct pn_error *err)
{
	const char *revs[] = {m->commits[0], m->commits[1]};
	struct pn_past_options options = {.revs = revs,
					  .rev_count = m->commit_count};
	int code = pn_setting_find(&options.run.machine, &m->machine, m->repo,
				   "GIT_PERF_MACHINE", "perf.machine", err);

	options.run.names = m->names;
	options.run.name_count = m->name_count;
	options.run.stop = m->stop;
	if (!code)
		code = pn_trust_load(&m->matrix, m->repo, m->config, true, err);
	if (!code && m->explain)
		exchange_collectors(&m->matrix);
	if (!code)
		code = pn_matrix_expand(&m->matrix, pn_repo_work_dir(m->repo),
					true, m->stop, err);
	if (!code)
		code = pn_past_open(&m->past, m->repo, &m->matrix, &options,
				    err);
	return code;
}

int pn_check_measure_close(struct pn_check_measure *m, struct pn_error *err)
{
	int code = m->past ? pn_past_close(NULL, m->past, err) : 0;

	pn_matrix_release(&m->matrix);
	free(m->machine);
	m->past = NULL;
	m->machine = NULL;
	return code;
}

static void add_commit(struct pn_check_measure *m, const struct pn_oid *id)
{
	pn_oid_hex(m->commits[m->commit_count++], id);
}

int pn_check_lacks(struct pn_check_measure *m, struct pn_check_request *request,
		   const struct pn_check *check, struct pn_error *err)
{
	struct pn_oid base = check->ends.base;
	struct pn_commit_facts facts;
	int code = pn_repo_commit_facts(&facts, request->repo,
					&check->ends.target, err);

	if (code)
		return code;
	if (pn_oid_is_zero(&base) && !check->gathered.past_figures &&
	    facts.parent_count) {
		base = facts.first_parent;
		pn_check_beside(request, &base);
	}
	add_commit(m, &check->ends.target);
	if (!pn_oid_is_zero(&base))
		add_commit(m, &base);
	return 0;
}

static bool is_named(const struct pn_check_measure *m, const char *job)
{
	size_t i;

	for (i = 0; i < m->name_count; i++)
		if (!strcmp(m->names[i], job))
			return true;
	return false;
}

bool pn_check_lacks_reason(struct pn_check_measure *m,
			   const struct pn_check *check)
{
	const struct pn_judge_report *report = &check->report;
	size_t i, at, first = SIZE_MAX;

	m->explain = true;
	for (i = 0; i < report->judge->count && m->name_count < PN_CHECK_NAMES;
	     i++) {
		const struct pn_judge_row *row = &report->judge->rows[i];
		const char *job = row->course->key.series.job;

		at = pn_judge_sides_base(row);
		if (!pn_judge_direction(row->verdict) || !*job ||
		    at >= report->commit_count ||
		    pn_reasons_has(&check->reasons, row) ||
		    (first != SIZE_MAX && at != first) || is_named(m, job))
			continue;
		first = at;
		m->names[m->name_count++] = job;
	}
	if (!m->name_count)
		return false;
	add_commit(m, &report->commits[first].id);
	add_commit(m, &check->ends.target);
	return true;
}
