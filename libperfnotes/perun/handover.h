/*
 * Handing all profiles over to Perun: a store of its own with what it can
 * hold. Goes in steps, as taking one over does (perun/takeover.h).
 */
#ifndef PN_PERUN_HANDOVER_H
#define PN_PERUN_HANDOVER_H

#include "base/error.h"
#include "model/moved.h"
#include "perun/export.h"
#include "storage/lookup/lookup.h"

#include <stdbool.h>
#include <stddef.h>

struct pn_handover;

/* `from` is borrowed until free. `verbose`: a doubt for each profile that is
 * left out, else for each reason, at the end. */
int pn_handover_open(struct pn_handover **out, const char *dir,
		     const struct pn_lookup *from, enum pn_perun_layout layout,
		     bool verbose, struct pn_error *err);
/* One commit, or all that is pending. 1: go on; 0: all is done. */
int pn_handover_step(struct pn_handover *handover, struct pn_error *err);
/* What is left out, a line each, also after a failure; NULL: no more. */
const char *pn_handover_doubt(struct pn_handover *handover);
const struct pn_handover_counts *
pn_handover_counts(const struct pn_handover *handover);
/* Takes NULL. */
void pn_handover_free(struct pn_handover *handover);

#endif
