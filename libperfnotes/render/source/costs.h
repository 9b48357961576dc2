/* The two columns of `list` and `disasm`, as pprof has them. */
#ifndef PN_SOURCE_COSTS_H
#define PN_SOURCE_COSTS_H

#include "analysis/report.h"
#include "render/sink.h"

#include <stdint.h>

/* Of a line or an instruction, with a dot for 0. */
void pn_source_costs(struct pn_sink *out, const struct pn_report *report,
		     int64_t flat, int64_t cum);
/* The line below a function's name. */
void pn_source_sums(struct pn_sink *out, const struct pn_report *report,
		    int64_t flat, int64_t cum);

#endif
