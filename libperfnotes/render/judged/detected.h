/* What a detector says: as text and as JSON. */
#ifndef PN_JUDGED_DETECTED_H
#define PN_JUDGED_DETECTED_H

#include "analysis/checks/detector.h"
#include "base/buf.h"
#include "base/json/json.h"

/* A line for each function, the worst first; without `all` only what is not
 * NoChange. Escaped for a terminal. */
void pn_detected_text(struct pn_buf *out, const struct pn_detected *found,
		      bool all);
/* A list of {uid, verdict, rate, confidence, change}. */
void pn_detected_json(struct pn_json_writer *w,
		      const struct pn_detected *found);
/* Of series: text, and the document of git-perf-json(5). */
void pn_detection_text(struct pn_buf *out, const struct pn_detection *detection,
		       bool all);
void pn_detection_json(struct pn_buf *out, const struct pn_detection *detection,
		       const char *detector);

#endif
