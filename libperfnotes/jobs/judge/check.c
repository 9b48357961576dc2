/* A check from the names that were typed to the rows. */
#include "jobs/judge/check.h"

#include "base/alloc.h"
#include "base/text/similar.h"
#include "storage/sync.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void fill_report(struct pn_check *c,
			const struct pn_check_request *request)
{
	c->report = (struct pn_judge_report){
		.judge = &c->judge,
		.target_rev = c->ends.target_rev,
		.base_rev = c->ends.base_rev,
		.target = c->ends.target,
		.pair = c->ends.pair,
		.commits = c->gathered.commits,
		.commit_count = c->gathered.count,
		.dirty = c->gathered.courses.dirty,
		.unreadable = c->gathered.unreadable,
		.rewritten = c->gathered.rewritten,
		.rewritten_from = c->gathered.rewritten_from,
		.shallow = c->gathered.shallow,
		.backwards = c->gathered.backwards,
		.fail_on = request->fail_on,
		.result = pn_judge_result(&c->judge, request->fail_on)};
}

/* All is judged together, whatever is shown of it: of how many metrics one is
 * unlucky, and what the machine did to all of them, is no matter of options. */
static void select_rows(struct pn_judge *judge,
			const struct pn_log_filter *filter)
{
	bool *wanted = pn_calloc(judge->count + 1, sizeof(*wanted));
	size_t i;

	for (i = 0; i < judge->count; i++) {
		const struct pn_figure *key = &judge->rows[i].course->key;

		wanted[i] = pn_log_filter_fits(filter, &key->series) &&
			    pn_log_filter_fits_metric(filter, key->metric);
	}
	if (!pn_log_filter_is_open(filter))
		pn_judge_select(judge, wanted);
	free(wanted);
}

static void judge_functions(struct pn_check *c,
			    const struct pn_check_request *request)
{
	struct pn_judge_report *r = &c->report;

	pn_check_functions_find(&c->functions, request->repo, request->notes, r,
				request->min_effect);
	r->by_function = true;
	r->functions_fail_on = request->functions_fail_on;
	r->functions = c->functions.items;
	r->function_count = c->functions.count;
	if (pn_judge_functions_failing(NULL, r))
		r->result = PN_JUDGE_FAILED;
}

int pn_check_run(struct pn_check *out, const struct pn_check_request *request,
		 struct pn_error *err)
{
	struct pn_gather_request gather = {.repo = request->repo,
					   .notes = request->notes,
					   .asked = request->filter.metric,
					   .commits = PN_JUDGE_COMMITS};
	struct pn_judge_options options = {0};
	int code =
		pn_judge_ends_find(&out->ends, request->repo, request->names,
				   request->name_count, request->against, err);

	if (!code)
		code = pn_gates_read(&out->gates, request->repo, err);
	if (code)
		return code;
	out->gates.asked = request->min_effect;
	gather.gates = &out->gates;
	gather.target = out->ends.target;
	gather.base = out->ends.base;
	code = pn_gather(&out->gathered, &gather, err);
	if (code)
		return code;
	options.pair = out->ends.pair;
	options.range = !options.pair && !pn_oid_is_zero(&out->ends.base);
	pn_gates_apply(&out->gates, &out->gathered.courses);
	pn_judge_of(&out->judge, &out->gathered.courses, &options);
	select_rows(&out->judge, &request->filter);
	fill_report(out, request);
	pn_reasons_find(&out->reasons, request->repo, request->notes,
			&out->report);
	out->report.reasons = out->reasons.items;
	out->report.reason_count = out->reasons.count;
	if (request->by_function)
		judge_functions(out, request);
	out->nothing = !out->judge.count || !out->gathered.target_figures ||
		       !(options.pair ? out->gathered.base_figures
				      : out->gathered.past_figures);
	return 0;
}

bool pn_check_commit(struct pn_check *out, struct pn_repo *repo,
		     const struct pn_oid *commit, const char *machine)
{
	char hex[PN_OID_HEX + 1];
	const char *names[] = {hex};
	struct pn_check_request request = {.repo = repo,
					   .names = names,
					   .name_count = 1,
					   .filter.machine = machine,
					   .fail_on = PN_JUDGE_FAIL};
	bool run;

	pn_oid_hex(hex, commit);
	run = !pn_notes_open(&request.notes, repo, PN_NOTES_REF, NULL) &&
	      !pn_check_run(out, &request, NULL);
	pn_notes_free(request.notes);
	return run && !out->nothing;
}

void pn_check_release(struct pn_check *check)
{
	pn_check_functions_release(&check->functions);
	pn_reasons_release(&check->reasons);
	pn_judge_release(&check->judge);
	pn_gathered_release(&check->gathered);
	pn_arena_release(&check->ends.arena);
	pn_gates_release(&check->gates);
	memset(check, 0, sizeof(*check));
}

void pn_check_beside(struct pn_check_request *request,
		     const struct pn_oid *base)
{
	pn_oid_hex(request->base, base);
	request->pair[0] = request->base;
	request->pair[1] = request->name_count ? request->names[0] : "HEAD";
	request->names = request->pair;
	request->name_count = 2;
	request->against = NULL;
}

#define STEPS 20 /* commits that are worth measuring at once */

/* How many first-parent ancestors of `rev` there are, up to STEPS. */
static int count_ancestors(struct pn_repo *repo, const char *rev)
{
	struct pn_buf name = {0};
	struct pn_oid commit;
	int n, code = -1;

	for (n = STEPS; n > 0 && code; n -= code ? 1 : 0) {
		pn_buf_clear(&name);
		pn_buf_printf(&name, "%s~%d", rev, n);
		code = pn_repo_resolve(&commit, repo, pn_buf_text(&name), NULL);
	}
	pn_buf_release(&name);
	return n;
}

static void say_no_past(struct pn_repo *repo, const char *rev, bool behind,
			struct pn_error *err)
{
	int n = count_ancestors(repo, rev);

	if (n)
		pn_error_set(err, PN_ENOTFOUND,
			     "nothing to compare: no commit %s '%s' has "
			     "figures (\"git perf run --steps=%d %s~%d..%s\" "
			     "measures some)",
			     behind ? "up to" : "before", rev, STEPS, rev, n,
			     rev);
	else
		pn_error_set(err, PN_ENOTFOUND,
			     "nothing to compare: '%s' is the first commit",
			     rev);
}

static void say_none_fits(const struct pn_series_request *which,
			  struct pn_error *err)
{
	struct pn_buf text = {0};

	if (which)
		pn_series_request_text(&text, which);
	if (!text.len)
		pn_buf_add_text(&text, "a metric that is judged");
	else
		pn_series_request_others(&text, which);
	pn_error_set(err, PN_ENOTFOUND, "nothing to compare: no series has %s",
		     pn_buf_text(&text));
	pn_buf_release(&text);
}

static void say_missing(const struct pn_check *c,
			const struct pn_check_request *request,
			struct pn_error *err)
{
	const struct pn_gathered *g = &c->gathered;
	const char *target = c->ends.target_rev, *base = c->ends.base_rev;

	if (!g->target_figures)
		pn_error_set(err, PN_ENOTFOUND,
			     "nothing to compare: '%s' has no figures (\"git "
			     "perf run %s\" measures the jobs of .gitperf)",
			     target, target);
	else if (c->ends.pair && !g->base_figures)
		pn_error_set(err, PN_ENOTFOUND,
			     "nothing to compare: '%s' has no figures (\"git "
			     "perf run %s\" measures the jobs of .gitperf)",
			     base, base);
	else if (g->past_figures)
		say_none_fits(request->which, err);
	else
		say_no_past(request->repo, base ? base : target, base != NULL,
			    err);
}

void pn_check_why(struct pn_buf *hints, const struct pn_check *c,
		  const struct pn_check_request *request, struct pn_error *err)
{
	struct pn_unpushed remote = {.known = true};
	char hex[PN_OID_HEX + 1];

	say_missing(c, request, err);
	pn_sync_unpushed(&remote, request->repo, request->notes, NULL);
	if (*remote.remote && !remote.known)
		pn_buf_printf(hints,
			      "\"git perf pull %s\" gets what others have "
			      "measured\n",
			      remote.remote);
	pn_oid_hex(hex, &c->gathered.alike);
	if (!pn_oid_is_zero(&c->gathered.alike))
		pn_buf_printf(hints,
			      "%.10s, which changes the same upon another "
			      "commit, was measured: \"git perf log %.10s\"\n",
			      hex, hex);
	if (c->gathered.shallow)
		pn_buf_add_text(hints,
				"this clone ends before that: \"git fetch "
				"--unshallow\" gets what is behind its end\n");
}

static int no_verdict(const char *text, size_t len, struct pn_error *err)
{
	struct pn_buf names = {0};
	int v;

	for (v = 0; v <= PN_VERDICT_UNKNOWN; v++)
		pn_buf_printf(&names, "%s%s", v ? ", " : "",
			      pn_verdict_name((enum pn_verdict)v));
	pn_similar_say(&names, text, len);
	pn_error_set(err, PN_EINVAL, "no verdict '%.*s': there are %s",
		     (int)len, text, pn_buf_text(&names));
	pn_buf_release(&names);
	return PN_EINVAL;
}

int pn_check_fail_on(unsigned int *out, const char *names, struct pn_error *err)
{
	unsigned int bits = 0;
	const char *name;
	size_t len;
	int v;

	for (; *names; names += len + (names[len] == ',')) {
		len = strcspn(names, ",");
		for (v = 0; v <= PN_VERDICT_UNKNOWN; v++) {
			name = pn_verdict_name((enum pn_verdict)v);
			if (strlen(name) == len &&
			    !strncasecmp(name, names, len))
				break;
		}
		if (v > PN_VERDICT_UNKNOWN)
			return no_verdict(names, len, err);
		bits |= 1u << v;
	}
	*out = bits;
	return 0;
}
