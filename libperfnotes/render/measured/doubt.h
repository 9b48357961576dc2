/* Doubts of a measurement in words. */
#ifndef PN_MEASURED_DOUBT_H
#define PN_MEASURED_DOUBT_H

#include "base/buf.h"
#include "model/doubt.h"

#include <stdbool.h>

/* What was asked for. */
struct pn_doubt_context {
	double precision; /* half width, share of the median */
	bool prepared;	  /* there were warm-up runs, or a line before each */
};

/* One line without its end, of options of `git perf collect`. */
void pn_doubt_text(struct pn_buf *out, const struct pn_doubt *doubt,
		   const struct pn_doubt_context *context);

#endif
