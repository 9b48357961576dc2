/* From two profiles to the functions that explain their difference. */
#include "analysis/why/why.h"

#include "analysis/why/callers.h"
#include "analysis/why/compared.h"
#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of what is confirmed of the whole, each function need not be seen alone. */
#define MIN_EFFECT 0.005
#define Q 0.05

struct search {
	struct pn_why *out;
	const struct pn_diff *diff;
	struct pn_why_calls calls;
	struct pn_compared compared;
};

static int test_rows(struct search *s, struct pn_error *err)
{
	struct pn_functions_rule rule;
	int code;

	pn_functions_rule_init(&rule);
	rule.q = Q;
	rule.min_effect = MIN_EFFECT;
	code = pn_compared_init(&s->compared, s->diff, &rule, err);
	s->out->tested = s->compared.tested;
	s->out->common = s->compared.found.common;
	return code;
}

/* What of the change is of the number of calls, and what of a call's cost. */
static void split(struct pn_why_row *row)
{
	double old_each = row->old_self / row->old_calls;
	double new_each = row->new_self / row->new_calls;

	row->by_calls = row->by_each = (double)NAN;
	if (!(row->old_calls > 0 && row->new_calls > 0))
		return;
	row->by_calls =
		(row->new_calls - row->old_calls) * (old_each + new_each) / 2;
	row->by_each = row->delta - row->by_calls;
	if (row->delta == 0)
		return;
	row->cause = pn_function_cause_of(row->by_calls / row->delta);
}

/* Its callers: the one that gained most calls, or lost most. */
static void look_at_callers(struct pn_why_row *row, const struct search *s,
			    size_t at)
{
	const struct pn_why_call *most[2] = {NULL, NULL}; /* fewer, more */
	double sums[2] = {0, 0}, best[2] = {0, 0}, all;
	size_t i;
	bool more;

	for (i = s->calls.first[at]; i < s->calls.first[at + 1]; i++) {
		const struct pn_why_call *call = &s->calls.items[i];
		double change = call->calls[1] - call->calls[0];

		if (change == 0)
			continue;
		sums[change > 0] += fabs(change);
		if (fabs(change) > best[change > 0]) {
			best[change > 0] = fabs(change);
			most[change > 0] = call;
		}
	}
	all = fmax(row->old_calls, row->new_calls);
	row->moved = row->state != PN_DIFF_NEW && row->state != PN_DIFF_GONE &&
		     fmin(sums[0], sums[1]) >= PN_WHY_MOVED * all &&
		     fmin(sums[0], sums[1]) > 0;
	more = row->moved || row->new_calls > row->old_calls ||
	       (!(row->new_calls < row->old_calls) && row->delta > 0);
	if (row->moved)
		row->moved_from = s->diff->rows[most[0]->caller].name;
	if (!most[more])
		return;
	row->caller = s->diff->rows[most[more]->caller].name;
	row->caller_old = most[more]->calls[0];
	row->caller_new = most[more]->calls[1];
}

static void fill(struct pn_why_row *out, const struct search *s, size_t at)
{
	const struct pn_diff_row *row = &s->diff->rows[at];
	const struct pn_function_verdict *v = &s->compared.found.items[at];

	*out = (struct pn_why_row){
		.name = row->name,
		.old_name = row->old_name,
		.state = row->state,
		.verdict = v->verdict,
		.old_self = row->old_self,
		.new_self = row->new_self,
		.delta = row->new_self - row->old_self,
		.ratio = v->ratio,
		.low = v->low,
		.high = v->high,
		.q = v->q,
		.old_calls = pn_compared_calls(s->diff, row, 0),
		.new_calls = pn_compared_calls(s->diff, row, 1),
	};
	if (s->out->delta != 0)
		out->of_change = out->delta / s->out->delta;
	out->file = pn_compared_file(s->diff, row);
	split(out);
	look_at_callers(out, s, at);
}

/* Whether it may be named: it changed, as far as one can tell. */
static bool has_changed(const struct pn_why_row *row)
{
	return row->delta != 0 && row->verdict != PN_VERDICT_NO_CHANGE;
}

static int by_delta(const void *left, const void *right)
{
	const struct pn_why_row *a = left, *b = right;
	double x = fabs(a->delta), y = fabs(b->delta);

	if (x != y)
		return x > y ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Keep what is needed to explain the change, both what goes its way and what
 * goes against it. */
static size_t keep_explaining(struct pn_why *why, size_t count)
{
	double sum = 0, least;
	size_t i;

	for (i = 0; i < count && i < PN_WHY_MAX; i++) {
		least = fabs(why->delta - sum) <= (1 - PN_FUNCTIONS_EXPLAINED) *
							  fabs(why->delta)
				? PN_WHY_MORE
				: PN_WHY_LEAST;
		if (fabs(why->rows[i].delta) < least * fabs(why->delta))
			break;
		sum += why->rows[i].delta;
	}
	if (why->delta != 0)
		why->explained =
			fmax(0, 1 - fabs(why->delta - sum) / fabs(why->delta));
	return i;
}

/* Whether it only goes on elsewhere, and costs enough to be told. */
static bool only_moved(const struct search *s, size_t at,
		       const struct pn_why_row *row)
{
	return (row->moved || row->state == PN_DIFF_RENAMED) &&
	       s->diff->rows[at].new_total >=
		       PN_WHY_MOVED_SHARE * s->out->new_total;
}

static void collect(struct search *s)
{
	struct pn_why *out = s->out;
	struct pn_why_row *rest, row;
	size_t i, n = 0, moved = 0;

	out->rows = pn_calloc(s->diff->row_count + 1, sizeof(*out->rows));
	rest = pn_calloc(s->diff->row_count + 1, sizeof(*rest));
	for (i = 0; i < s->diff->row_count; i++) {
		fill(&row, s, i);
		out->changed_count += has_changed(&row);
		if (has_changed(&row))
			out->rows[n++] = row;
		else if (only_moved(s, i, &row))
			rest[moved++] = row;
	}
	if (n)
		qsort(out->rows, n, sizeof(*out->rows), by_delta);
	out->explaining_count = out->row_count = keep_explaining(out, n);
	for (i = 0; i < moved && out->row_count < PN_WHY_MAX; i++)
		out->rows[out->row_count++] = rest[i];
	free(rest);
}

static int explain(struct pn_why *out, struct pn_error *err)
{
	struct search s = {.out = out, .diff = &out->diff};
	size_t i;
	int code;

	for (i = 0; i < s.diff->row_count; i++) {
		out->old_total += s.diff->rows[i].old_self;
		out->new_total += s.diff->rows[i].new_self;
	}
	out->delta = out->new_total - out->old_total;
	out->type = out->diff.after->type;
	out->unit = out->diff.unit;
	pn_why_calls_init(&s.calls, s.diff);
	code = test_rows(&s, err);
	if (!code)
		collect(&s);
	pn_compared_release(&s.compared);
	pn_why_calls_release(&s.calls);
	return code;
}

int pn_why_init(struct pn_why *out, struct pn_profile *before,
		struct pn_profile *after, const char *type,
		struct pn_error *err)
{
	const struct pn_report_options report = {.divide_by = 1,
						 .sample_index = type};
	const struct pn_diff_options all = {.keep_equal = true};
	int code;

	*out = (struct pn_why){.common = 1};
	code = pn_diff_reports_init(&out->reports, before, after, &report, err);
	if (!code)
		code = pn_diff_init(&out->diff, &out->reports.of[0],
				    &out->reports.of[1], &all, err);
	if (!code)
		code = explain(out, err);
	if (code) {
		pn_why_release(out);
		pn_error_context(err, "cannot explain the change by functions");
	}
	return code;
}

void pn_why_release(struct pn_why *why)
{
	if (!why)
		return;
	free(why->rows);
	pn_diff_release(&why->diff);
	pn_diff_reports_release(&why->reports);
	memset(why, 0, sizeof(*why));
}
