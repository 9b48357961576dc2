/* Rows of duels. */
#include "jobs/duel/told.h"

#include "base/alloc.h"

#include <stdlib.h>

void pn_duels_tell(struct pn_duels_told *out, const struct pn_duels *duels,
		   bool is_study)
{
	size_t n = pn_duels_count(duels);

	*out = (struct pn_duels_told){
		.rows = pn_calloc(n + 1, sizeof(*out->rows))};
	pn_duels_report(&out->report, out->rows, out->hex, duels);
	if (!is_study)
		return;
	out->studied = (struct pn_studied_report){
		.commit = out->hex[PN_DUEL_HEAD],
		.rows = pn_calloc(n + 1, sizeof(*out->studied.rows)),
		.count = n};
	pn_duels_study(out->studied.rows, &out->studied.machine, duels);
}

void pn_duels_told_release(struct pn_duels_told *told)
{
	free(told->rows);
	free(told->studied.rows);
}
