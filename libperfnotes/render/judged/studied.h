/* A noise study, for people and as JSON. */
#ifndef PN_JUDGED_STUDIED_H
#define PN_JUDGED_STUDIED_H

#include "analysis/history/studied.h"
#include "base/buf.h"

void pn_studied_text(struct pn_buf *out,
		     const struct pn_studied_report *report);
/* The document of git-perf-json(5). */
void pn_studied_json(struct pn_buf *out,
		     const struct pn_studied_report *report);

#endif
