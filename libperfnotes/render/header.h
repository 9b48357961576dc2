/* What stands above the rows of a report, as text and as JSON. */
#ifndef PN_RENDER_HEADER_H
#define PN_RENDER_HEADER_H

#include "analysis/report.h"
#include "render/sink.h"

/* See pn_report_header; escaped. */
void pn_print_header(struct pn_sink *out, const struct pn_report *report,
		     bool rows);
/* The members type, unit, total. */
void pn_print_header_json(struct pn_sink *out, const struct pn_report *report);
/* A member that is a weight in the profile's own unit. */
void pn_print_weight_json(struct pn_sink *out, const char *key,
			  const struct pn_report *report, int64_t weight);

#endif
