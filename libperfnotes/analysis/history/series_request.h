/* Which series of commits are asked for, and which of their metrics. */
#ifndef PN_HISTORY_SERIES_REQUEST_H
#define PN_HISTORY_SERIES_REQUEST_H

#include "analysis/history/log_series.h"
#include "base/buf.h"
#include "base/opts/opts.h"
#include "base/text/regex.h"

/* As pn_log_filter has them, but that `metric` is a regular expression yet to
 * be read. NULL: all. */
struct pn_series_request {
	const char *metric, *job, *collector, *machine;
	struct pn_strtab *others; /* as pn_log_filter has it */
};

/* Their options: OPT_TABLE(struct pn_series_request, <member>,
 * pn_series_opts). */
extern const struct pn_opt pn_series_opts[];

/* `metric`, to be freed, is NULL where none is asked for. The filter borrows
 * it and the request. */
int pn_series_request_open(struct pn_log_filter *out, struct pn_regex **metric,
			   const struct pn_series_request *request,
			   struct pn_error *err);
/* "job 'parse', machine 'box'"; nothing for all. */
void pn_series_request_text(struct pn_buf *out,
			    const struct pn_series_request *request);
/* "; there are: a, b; did you mean 'a'?", of the names that others have, where
 * one name is asked for that nothing has; else nothing. */
void pn_series_request_others(struct pn_buf *out,
			      const struct pn_series_request *request);

#endif
