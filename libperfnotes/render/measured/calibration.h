/* What tracing a call costs, as text and as JSON. */
#ifndef PN_MEASURED_CALIBRATION_H
#define PN_MEASURED_CALIBRATION_H

#include "analysis/measured/measured.h"
#include "base/buf.h"

/* A line for each clock, with the options that take it off. */
void pn_calibration_text(struct pn_buf *out, const struct pn_calibration *rows,
			 size_t count);
void pn_calibration_json(struct pn_buf *out, const struct pn_calibration *rows,
			 size_t count, uint64_t rounds);

#endif
