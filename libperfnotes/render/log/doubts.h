/* Why hooks measure nothing: lines as text and as JSON. */
#ifndef PN_LOG_DOUBTS_H
#define PN_LOG_DOUBTS_H

#include "base/buf.h"
#include "base/json/json.h"

/* A line each, escaped. */
void pn_doubts_text(struct pn_buf *out, const char *doubts);
/* The member `doubts`, a list, absent where there is none. */
void pn_doubts_json(struct pn_json_writer *w, const char *doubts);

#endif
