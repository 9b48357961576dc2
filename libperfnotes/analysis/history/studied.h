/* What a noise study found: jobs of one commit in turns with themselves. Plain
 * data that the program fills and a renderer prints. */
#ifndef PN_HISTORY_STUDIED_H
#define PN_HISTORY_STUDIED_H

#include "analysis/history/duelled.h"
#include "detect/duel/study.h"
#include "model/machine/disturb.h"

struct pn_studied {
	const struct pn_duelled *duel; /* borrowed */
	struct pn_duel_study metrics[PN_DUELLED_METRICS];
};

struct pn_studied_report {
	const char *commit; /* id */
	const char *rev;    /* as somebody typed it */
	struct pn_studied *rows;
	size_t count;
	struct pn_disturb machine;
};

/* Of `row`, which is done; `rule` is that of the duels that are played. */
void pn_studied_of(struct pn_studied *out, const struct pn_duelled *row,
		   const struct pn_duel_rule *rule);

/* 1: each job that was measured may gate; 0: one may not; -1: none was. */
int pn_studied_may_gate(const struct pn_studied_report *report);

#endif
