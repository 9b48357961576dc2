/* What the decision of a duel means. */
#include "analysis/history/duelled.h"

enum pn_verdict pn_duelled_verdict(const struct pn_duelled_metric *metric)
{
	switch (metric->duel->last.decision) {
	case PN_DUEL_SLOWER:
		return metric->more_is_better ? PN_VERDICT_OPTIMIZATION
					      : PN_VERDICT_DEGRADATION;
	case PN_DUEL_FASTER:
		return metric->more_is_better ? PN_VERDICT_DEGRADATION
					      : PN_VERDICT_OPTIMIZATION;
	case PN_DUEL_NO_CHANGE:
	case PN_DUEL_NO_SLOWDOWN:
		return PN_VERDICT_NO_CHANGE;
	default:
		return PN_VERDICT_UNKNOWN;
	}
}

enum pn_verdict pn_duelled_row_verdict(const struct pn_duelled *row)
{
	return row->state == PN_DUELLED_DONE && row->metric_count
		       ? pn_duelled_verdict(&row->metrics[0])
		       : PN_VERDICT_UNKNOWN;
}

enum pn_verdict pn_duelled_result(const struct pn_duelled_report *report)
{
	static const enum pn_verdict order[] = {
		PN_VERDICT_DEGRADATION, PN_VERDICT_UNKNOWN,
		PN_VERDICT_NO_CHANGE, PN_VERDICT_OPTIMIZATION};
	size_t i, k;

	for (k = 0; k < sizeof(order) / sizeof(*order); k++)
		for (i = 0; i < report->count; i++)
			if (report->rows[i]->state != PN_DUELLED_LEFT_OUT &&
			    pn_duelled_row_verdict(report->rows[i]) == order[k])
				return order[k];
	return PN_VERDICT_UNKNOWN;
}

const char *pn_duelled_result_name(const struct pn_duelled_report *report)
{
	switch (pn_duelled_result(report)) {
	case PN_VERDICT_DEGRADATION:
		return "fail";
	case PN_VERDICT_UNKNOWN:
		return "no verdict";
	default:
		return "pass";
	}
}

double pn_duelled_runs(const struct pn_duelled *row, double pairs)
{
	return (row->layouts ? 4 : 2) * pairs;
}
