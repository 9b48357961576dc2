/* What the rows of a check come down to. */
#include "analysis/judge/judge.h"

#include <math.h>

const char *pn_judge_method_name(enum pn_judge_method method)
{
	static const char *const names[] = {
		[PN_JUDGE_NOTHING] = "",
		[PN_JUDGE_EXACT] = "exact",
		[PN_JUDGE_PAST] = "past",
		[PN_JUDGE_TWICE] = "two commits",
		[PN_JUDGE_HISTORY] = "history",
		[PN_JUDGE_PAIR] = "pair",
	};

	return names[method];
}

int pn_judge_direction(enum pn_verdict verdict)
{
	switch (verdict) {
	case PN_VERDICT_TOTAL_DEGRADATION:
	case PN_VERDICT_SEVERE_DEGRADATION:
	case PN_VERDICT_DEGRADATION:
		return 1;
	case PN_VERDICT_TOTAL_OPTIMIZATION:
	case PN_VERDICT_SEVERE_OPTIMIZATION:
	case PN_VERDICT_OPTIMIZATION:
		return -1;
	default:
		return 0;
	}
}

bool pn_judge_has_interval(const struct pn_judge_row *row)
{
	return !isnan(row->low) && !isnan(row->high) && row->low != row->high;
}

bool pn_judge_is_unknown(enum pn_verdict verdict)
{
	return verdict == PN_VERDICT_UNKNOWN ||
	       verdict == PN_VERDICT_NOT_IN_BASELINE ||
	       verdict == PN_VERDICT_NOT_IN_TARGET;
}

/* Whether a degradation is as large as its gate; an unknown size is. */
static bool passes_gate(const struct pn_judge_row *row)
{
	double gate = row->course->rule.gate;

	if (isnan(gate) || isnan(row->ratio) ||
	    pn_judge_is_unknown(row->verdict))
		return !isinf(gate);
	return pn_verdict_counts(row->ratio - 1, gate);
}

static bool fails(const struct pn_judge_row *row, unsigned int fail_on)
{
	return (fail_on & 1u << row->verdict) && !row->accepted &&
	       passes_gate(row);
}

bool pn_judge_fails(const struct pn_judge_report *report,
		    const struct pn_judge_row *row)
{
	return fails(row, report->fail_on);
}

enum pn_judge_result pn_judge_result(const struct pn_judge *judge,
				     unsigned int fail_on)
{
	bool known = false, lacking = false;
	size_t i;

	for (i = 0; i < judge->count; i++) {
		const struct pn_judge_row *row = &judge->rows[i];
		bool unknown = pn_judge_is_unknown(row->verdict);

		if (fails(row, fail_on))
			return PN_JUDGE_FAILED;
		known |= !unknown && (row->first || row->course->rule.required);
		lacking |= unknown && row->course->rule.required;
	}
	return known && !lacking ? PN_JUDGE_PASSED : PN_JUDGE_NO_VERDICT;
}

size_t pn_judge_span(const struct pn_judge_report *report,
		     const struct pn_judge_row *row)
{
	if (row->from > row->to || row->to == SIZE_MAX ||
	    row->to + 1 >= report->commit_count ||
	    (report->backwards && !row->from))
		return 0;
	return report->commits[row->to + 1].distance -
	       report->commits[row->from].distance;
}

const struct pn_judge_reason *
pn_judge_reason_of(const struct pn_judge_report *report,
		   const struct pn_judge_row *row)
{
	size_t i;

	for (i = 0; i < report->reason_count; i++)
		if (report->reasons[i].row == row)
			return &report->reasons[i];
	return NULL;
}
