/* Which series are asked for. */
#define PN_OPTION_STRUCT struct pn_series_request
#include "analysis/history/series_request.h"

#include "base/opts/table.h"
#include "base/text/similar.h"

#include <string.h>

#define OTHERS_SAID 6

const struct pn_opt pn_series_opts[] = {
	{PN_OPTION_TEXT(metric), 0, "metric", "<regex>",
	 "only metrics whose name matches"},
	{PN_OPTION_TEXT(job), 0, "job", "<name>",
	 "only series of this job, <job>[/<collector>][@<workload>]"},
	{PN_OPTION_TEXT(collector), 0, "collector", "<name>",
	 "only what this collector measured"},
	{PN_OPTION_TEXT(machine), 0, "machine", "<name>",
	 "only what was measured on this machine"},
	{0},
};

int pn_series_request_open(struct pn_log_filter *out, struct pn_regex **metric,
			   const struct pn_series_request *r,
			   struct pn_error *err)
{
	int code = 0;

	*metric = NULL;
	if (r->metric)
		code = pn_regex_new(metric, r->metric, err);
	*out = (struct pn_log_filter){*metric, r->job, r->collector, r->machine,
				      r->others};
	return code;
}

void pn_series_request_text(struct pn_buf *out,
			    const struct pn_series_request *r)
{
	const char *const given[][2] = {{"job", r->job},
					{"collector", r->collector},
					{"machine", r->machine},
					{"metric", r->metric}};
	size_t i;

	for (i = 0; i < 4; i++)
		if (given[i][1])
			pn_buf_printf(out, "%s%s '%s'", out->len ? ", " : "",
				      given[i][0], given[i][1]);
}

void pn_series_request_others(struct pn_buf *out,
			      const struct pn_series_request *r)
{
	const char *asked = r->job	   ? r->job
			    : r->collector ? r->collector
			    : r->machine   ? r->machine
					   : r->metric;
	struct pn_similar similar = {.name = asked};
	uint32_t i, count = r->others ? (uint32_t)r->others->count : 0;

	if (!asked || count < 2 ||
	    !r->job + !r->collector + !r->machine + !r->metric < 3)
		return;
	pn_buf_add_text(out, "; there are: ");
	for (i = 1; i < count; i++) {
		const char *name = pn_strtab_text(r->others, i);

		if (strlen(asked) <= PN_SIMILAR_MAX)
			pn_similar_look(&similar, name);
		if (i > OTHERS_SAID)
			continue;
		pn_buf_printf(out, "%s%s", i > 1 ? ", " : "", name);
	}
	if (count > OTHERS_SAID + 1)
		pn_buf_printf(out, " and %u more", count - 1 - OTHERS_SAID);
	if (similar.found)
		pn_buf_printf(out, "; did you mean '%s'?", similar.found);
}
