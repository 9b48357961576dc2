/* What a report shows, from what is stored: figures, verdicts, changes. */
#include "jobs/reported/reporting.h"

#include "jobs/profiles/log_walk.h"
#include "storage/sync.h"

#include <stdlib.h>
#include <string.h>

static int walk(struct pn_reporting *out,
		const struct pn_reporting_request *request,
		struct pn_error *err)
{
	char first[] = "--first-parent", head[] = "HEAD", end[] = "--";
	char *args[] = {first, head, end};
	struct pn_log_walk_options options = {.max_commits = request->commits,
					      .args = args,
					      .arg_count = 3,
					      .filter = request->filter};
	struct pn_buf range = {0};
	struct pn_log_walk *walk = NULL;
	struct pn_log_walk_row *row;
	int code;

	if (request->range) {
		pn_buf_add_text(&range, request->range);
		args[1] = (char *)range.data;
	}
	code = pn_log_walk_open(&walk, request->repo, request->notes, &options,
				err);
	while (!code && (code = pn_log_walk_next(&row, walk, err)) > 0) {
		code = 0;
		out->passed_over += row->fault != NULL;
		pn_reported_add(&out->reported, &row->row);
	}
	pn_log_walk_free(walk);
	pn_buf_release(&range);
	return code;
}

/* What the project wants of its metrics counts for the marks, too. */
static int finish(struct pn_reporting *out,
		  const struct pn_reporting_request *request,
		  struct pn_error *err)
{
	struct pn_gates gates = {{0}};
	size_t i;
	int code = pn_gates_read(&gates, request->repo, err);

	for (i = 0; !code && i < out->reported.machine_count; i++)
		pn_gates_apply(&gates, &out->reported.machines[i]);
	if (!code)
		pn_reported_finish(&out->reported);
	pn_gates_release(&gates);
	return code;
}

static int judge(struct pn_reporting *out,
		 const struct pn_reporting_request *request,
		 struct pn_error *err)
{
	struct pn_check_request wanted = {
		.repo = request->repo,
		.notes = request->notes,
		.names = &request->range,
		.name_count = request->range ? 1 : 0,
		.filter = request->filter,
		.fail_on = PN_JUDGE_FAIL,
	};
	struct pn_buf hints = {0};
	struct pn_error why = {0};
	int code = pn_check_run(&out->check, &wanted, err);

	if (code)
		return code;
	if (!out->check.nothing) {
		out->reported.check = &out->check.report;
		return 0;
	}
	pn_check_why(&hints, &out->check, &wanted, &why);
	pn_buf_add_text(&out->no_check, why.message);
	out->reported.no_check = pn_buf_text(&out->no_check);
	pn_buf_release(&hints);
	return 0;
}

/* What came before the commits of the report tells what changed in them, as log
 * and check have it. */
static int look_back(struct pn_reporting *out,
		     const struct pn_reporting_request *request,
		     struct pn_error *err)
{
	struct pn_past_marks *past = &out->past;
	int code = pn_past_marks_read(past, request->repo, request->notes,
				      &out->check.ends.target, &request->filter,
				      true, err);

	out->reported.past = &past->gathered.courses;
	out->reported.marked = (struct pn_marked){
		&past->marks, past->gathered.commits, past->gathered.count};
	return code;
}

static void add_base_name(struct pn_buf *out, const char *path)
{
	size_t len = strlen(path);
	const char *slash;

	if (len > 5 && !strcmp(path + len - 5, "/.git"))
		len -= 5;
	for (slash = path + len; slash > path && slash[-1] != '/';)
		slash--;
	pn_buf_add(out, slash, (size_t)(path + len - slash));
}

/* The repository's name, and where its commits can be seen. Without an answer
 * of git there is no link. */
static void name(struct pn_reporting *out, struct pn_repo *repo)
{
	struct pn_buf key = {0};
	char *remote = NULL, *url = NULL;
	const char *dir = pn_repo_work_dir(repo);

	add_base_name(&out->name, dir ? dir : pn_repo_common_dir(repo));
	if (!pn_sync_remote(&remote, repo, NULL) && remote) {
		pn_buf_printf(&key, "remote.%s.url", remote);
		if (!pn_repo_config(&url, repo, pn_buf_text(&key), NULL) && url)
			pn_reporting_url(&out->url, url);
	}
	free(url);
	free(remote);
	pn_buf_release(&key);
	out->reported.name = pn_buf_text(&out->name);
	out->reported.url = pn_buf_text(&out->url);
}

static bool has_figures(const struct pn_reported *reported)
{
	size_t i;

	for (i = 0; i < reported->machine_count; i++)
		if (reported->machines[i].count)
			return true;
	return false;
}

static int nothing(const struct pn_reporting *out,
		   const struct pn_reporting_request *request,
		   struct pn_error *err)
{
	const char *rev = request->range ? request->range : "HEAD";
	char hex[PN_OID_HEX + 1];

	if (!pn_log_filter_is_open(&request->filter))
		return pn_error_set(err, PN_ENOTFOUND,
				    "nothing to report: no figure of %zu "
				    "commits of '%s' fits",
				    out->reported.count, rev);
	pn_oid_hex(hex, &out->reported.alike_at);
	if (out->reported.alike)
		return pn_error_set(err, PN_ENOTFOUND,
				    "nothing to report: none of %zu commits up "
				    "to '%s' has figures, %zu were measured "
				    "upon another tree: \"git perf report "
				    "%.10s\"",
				    out->reported.count, rev,
				    out->reported.alike, hex);
	return pn_error_set(err, PN_ENOTFOUND,
			    "nothing to report: none of %zu commits up to '%s' "
			    "has figures (\"git perf run\" measures the jobs "
			    "of .gitperf)",
			    out->reported.count, rev);
}

int pn_reporting_read(struct pn_reporting *out,
		      struct pn_reporting_request *request,
		      struct pn_error *err)
{
	int code = 0;

	if (request->metric)
		code = pn_regex_new(&out->metric, request->metric, err);
	request->filter.metric = out->metric;
	if (!code)
		code = walk(out, request, err);
	if (!code && has_figures(&out->reported))
		code = judge(out, request, err);
	if (!code && has_figures(&out->reported))
		code = look_back(out, request, err);
	if (!code)
		code = finish(out, request, err);
	if (code)
		return code;
	if (!out->reported.line_count)
		return nothing(out, request, err);
	name(out, request->repo);
	pn_reporting_profiles(out, request);
	return 0;
}
