/* A collection that goes on, on a terminal: how far it is, in one line, or the
 * heaviest functions so far in its place. */
#ifndef PN_MEASURED_LIVE_H
#define PN_MEASURED_LIVE_H

#include "base/error.h"
#include "model/profile.h"
#include "render/progress.h"
#include "render/terminal.h"

/* Zeroed before. */
struct pn_live {
	struct pn_terminal_line line;
	struct pn_terminal_block top;
};

/* At most ten times a second. */
void pn_live_progress(struct pn_live *live, FILE *to, int64_t now_ns,
		      const struct pn_runs_progress *runs);
/* The snapshot is changed. */
int pn_live_snapshot(struct pn_live *live, FILE *to, const char *title,
		     struct pn_profile *snapshot, struct pn_error *err);
void pn_live_clear(struct pn_live *live, FILE *to);

#endif
