/* What benchmarks of JavaScript have in common: figures as tinybench has them.
 */
#ifndef PN_JS_JS_H
#define PN_JS_JS_H

#include "codec/bench/bench.h"

/* The samples, in milliseconds, or where these were not kept their figures. A
 * task that failed has neither and is passed over. */
int pn_js_add_latency(struct pn_bench *bench, const char *name,
		      const struct pn_document *latency, struct pn_error *err);

#endif
