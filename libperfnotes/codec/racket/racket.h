/*
 * Racket's profiler as JSON: a call graph whose edges have three times. In
 * the model the value type "time" has a node's own and total time and an
 * edge's total time; the type "edge-time" has, of edges only, the caller time
 * where own cost is and the callee time where the total is. Times of threads
 * are their costs, what the sampler says of itself are facts. Which threads a
 * node was seen in stands in the extra "racket", where older versions put all
 * of these. Racket, pkgs profile-lib, profile/render-json.
 */
#ifndef PN_RACKET_RACKET_H
#define PN_RACKET_RACKET_H

#include "base/buf.h"
#include "base/error.h"
#include "base/reader/reader.h"
#include "model/profile.h"

#define PN_RACKET_EXTRA "racket"

enum pn_racket_type { PN_RACKET_TIME, PN_RACKET_EDGE_TIME, PN_RACKET_TYPES };

int pn_racket_read(struct pn_profile *out, struct pn_reader *in,
		   struct pn_error *err);
int pn_racket_write(struct pn_buf *out, const struct pn_profile *profile,
		    struct pn_error *err);

#endif
