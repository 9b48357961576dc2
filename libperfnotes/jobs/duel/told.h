/* Duels as rows to be printed. */
#ifndef PN_DUEL_TOLD_H
#define PN_DUEL_TOLD_H

#include "jobs/duel/duels.h"

/* Owns what its reports point to; borrows from the duels. Not to be copied. */
struct pn_duels_told {
	struct pn_duelled_report report;
	struct pn_studied_report studied; /* of a noise study alone */
	const struct pn_duelled **rows;
	char hex[PN_DUEL_SIDES][PN_OID_HEX + 1];
};

void pn_duels_tell(struct pn_duels_told *out, const struct pn_duels *duels,
		   bool is_study);
void pn_duels_told_release(struct pn_duels_told *told);

#endif
