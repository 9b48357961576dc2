/* What a noise study found. */
#include "analysis/history/studied.h"

#include <string.h>

void pn_studied_of(struct pn_studied *out, const struct pn_duelled *row,
		   const struct pn_duel_rule *rule)
{
	size_t i;

	memset(out, 0, sizeof(*out));
	out->duel = row;
	for (i = 0; i < row->metric_count; i++)
		pn_duel_study_of(&out->metrics[i], row->metrics[i].duel->a,
				 row->metrics[i].duel->b,
				 row->metrics[i].duel->count, row->seed, rule);
}

int pn_studied_may_gate(const struct pn_studied_report *report)
{
	int may = -1;
	size_t i;

	for (i = 0; i < report->count; i++) {
		const struct pn_studied *row = &report->rows[i];

		if (row->duel->state != PN_DUELLED_DONE ||
		    !row->metrics[0].pairs)
			continue;
		may = may != 0 && row->metrics[0].may_gate;
	}
	return may;
}
