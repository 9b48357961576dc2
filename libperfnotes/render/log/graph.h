/* A commit of a history, beside the graph that git draws of it. */
#ifndef PN_LOG_GRAPH_H
#define PN_LOG_GRAPH_H

#include "render/log/ask.h"
#include "render/log/log.h"

/* pn_log_line or pn_log_text, as it is asked for, in the columns that the graph
 * leaves, if there is one. */
void pn_log_graph_text(struct pn_buf *out, const struct pn_log_row *row,
		       const struct pn_log_ask *ask,
		       const struct pn_palette *palette,
		       struct pn_log_columns *columns);

#endif
