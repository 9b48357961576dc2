/* What of a machine's settings disturbs measurements: plain data. */
#ifndef PN_MACHINE_DISTURB_H
#define PN_MACHINE_DISTURB_H

#include "model/machine/quiet.h"

#define PN_DISTURB_TEXT 64

/* "" and -1: not known. */
struct pn_disturb {
	char governor[PN_DISTURB_TEXT];	  /* of the clock frequency */
	char huge_pages[PN_DISTURB_TEXT]; /* always, madvise, never */
	int turbo;	/* whether the clock may rise above its base */
	int threads;	/* whether processors share a core */
	int randomized; /* addresses: 0 not, 1 in part, 2 all */
	int is_virtual; /* a virtual machine: others may share its host */
	struct pn_quiet quiet; /* while it was measured */
};

#endif
