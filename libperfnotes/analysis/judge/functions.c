/* From two profiles to a verdict for each function. */
#include "analysis/judge/functions.h"

#include "analysis/diff/diff.h"
#include "analysis/diff/reports.h"
#include "analysis/judge/judge.h"
#include "analysis/why/compared.h"
#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_change(enum pn_verdict verdict)
{
	return verdict != PN_VERDICT_NO_CHANGE && verdict != PN_VERDICT_UNKNOWN;
}

bool pn_judge_function_changed(const struct pn_judge_function *function)
{
	return is_change(function->found.verdict);
}

size_t pn_judge_functions_failing(size_t verdicts[PN_VERDICT_UNKNOWN + 1],
				  const struct pn_judge_report *report)
{
	size_t i, v, n, failing = 0;

	for (v = 0; v <= PN_VERDICT_UNKNOWN; v++) {
		for (n = i = 0; i < report->function_count; i++)
			n += report->functions[i].verdicts[v];
		if (!(report->functions_fail_on & 1u << v))
			n = 0;
		failing += n;
		if (verdicts)
			verdicts[v] = n;
	}
	return failing;
}

static int by_order(const void *left, const void *right)
{
	const struct pn_judge_function *a = left, *b = right;
	bool changed = pn_judge_function_changed(a);
	double x, y;

	if (changed != pn_judge_function_changed(b))
		return changed ? -1 : 1;
	x = changed ? fabs(a->found.delta) : a->found.share;
	y = changed ? fabs(b->found.delta) : b->found.share;
	if (x != y)
		return x > y ? -1 : 1;
	return strcmp(a->name, b->name);
}

static const char *keep(struct pn_arena *arena, const char *text)
{
	return text ? pn_arena_copy(arena, text, strlen(text)) : NULL;
}

/* The rows that are told; their texts are still the profiles'. */
static size_t collect(struct pn_judge_function *rows,
		      struct pn_judge_functions *out,
		      const struct pn_diff *diff,
		      const struct pn_functions *found)
{
	size_t i, n = 0;

	for (i = 0; i < diff->row_count; i++) {
		const struct pn_diff_row *from = &diff->rows[i];
		const struct pn_function_verdict *v = &found->items[i];

		if (from->old_self == 0 && from->new_self == 0)
			continue;
		out->count++;
		out->changed += is_change(v->verdict);
		out->unknown += v->verdict == PN_VERDICT_UNKNOWN;
		if (!is_change(v->verdict) &&
		    v->share < PN_JUDGE_FUNCTIONS_SHARE)
			continue;
		out->verdicts[v->verdict]++;
		rows[n++] = (struct pn_judge_function){
			.name = from->name,
			.old_name = from->old_name,
			.file = pn_compared_file(diff, from),
			.before = from->old_self,
			.after = from->new_self,
			.found = *v,
		};
	}
	return n;
}

static void fill(struct pn_judge_functions *out, const struct pn_diff *diff,
		 const struct pn_compared *compared)
{
	struct pn_judge_function *rows =
		pn_calloc(diff->row_count + 1, sizeof(*rows));
	size_t i, n = collect(rows, out, diff, &compared->found);

	if (n)
		qsort(rows, n, sizeof(*rows), by_order);
	out->row_count =
		n < PN_JUDGE_FUNCTIONS_MAX ? n : PN_JUDGE_FUNCTIONS_MAX;
	out->rows = pn_arena_array(&out->arena, out->row_count + 1,
				   sizeof(*out->rows));
	for (i = 0; i < out->row_count; i++) {
		out->rows[i] = rows[i];
		out->rows[i].name = keep(&out->arena, rows[i].name);
		out->rows[i].old_name = keep(&out->arena, rows[i].old_name);
		out->rows[i].file = keep(&out->arena, rows[i].file);
	}
	free(rows);
	out->type = keep(&out->arena, diff->after->type);
	out->unit = keep(&out->arena, diff->unit);
	memcpy(out->runs, compared->runs, sizeof(out->runs));
	out->tested = compared->tested;
	out->exact = compared->found.exact;
	out->common = compared->found.common;
	out->total = compared->found.target;
}

int pn_judge_functions_init(struct pn_judge_functions *out,
			    struct pn_profile *before, struct pn_profile *after,
			    const char *type, double min_effect,
			    struct pn_error *err)
{
	const struct pn_report_options report = {.divide_by = 1,
						 .sample_index = type};
	const struct pn_diff_options all = {.keep_equal = true};
	struct pn_compared compared = {.costs = NULL};
	struct pn_diff_reports reports = {.failed = 0};
	struct pn_functions_rule rule;
	struct pn_diff diff = {.rows = NULL};
	int code = pn_diff_reports_init(&reports, before, after, &report, err);

	*out = (struct pn_judge_functions){.common = 1};
	pn_functions_rule_init(&rule);
	rule.min_new_share = PN_JUDGE_FUNCTIONS_NEW;
	if (min_effect > 0)
		rule.min_effect = rule.min_exact = min_effect;
	if (!code)
		code = pn_diff_init(&diff, &reports.of[0], &reports.of[1], &all,
				    err);
	if (!code)
		code = pn_compared_init(&compared, &diff, &rule, err);
	if (!code)
		fill(out, &diff, &compared);
	pn_compared_release(&compared);
	pn_diff_release(&diff);
	pn_diff_reports_release(&reports);
	return code;
}

void pn_judge_functions_release(struct pn_judge_functions *functions)
{
	pn_arena_release(&functions->arena);
	*functions = (struct pn_judge_functions){.rows = NULL};
}
