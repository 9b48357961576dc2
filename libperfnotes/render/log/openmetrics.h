/* Figures as OpenMetrics, for dashboards (github.com/OpenObservability/
 * OpenMetrics, 1.0): a gauge for each metric, a sample for each series. */
#ifndef PN_LOG_OPENMETRICS_H
#define PN_LOG_OPENMETRICS_H

#include "analysis/history/figures.h"
#include "base/buf.h"

/* Times are in seconds, memory in bytes; any other unit is the end of the
 * name. Texts come from notes: what a label cannot hold is escaped. Of figures
 * with the same labels the first counts. */
void pn_openmetrics_text(struct pn_buf *out, const struct pn_figure *figures,
			 size_t count);

#endif
