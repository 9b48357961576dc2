/* What a collection found, as a table of times for other programs. */
#include "analysis/measured/ranking.h"
#include "base/file.h"
#include "render/measured/results.h"
#include "render/measured/time_unit.h"

#include <math.h>
#include <stdlib.h>

/* RFC 4180: quotes around a text, doubled in it. */
static void add_quoted(struct pn_buf *out, const char *text)
{
	pn_buf_add_byte(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			pn_buf_add_byte(out, '"');
		pn_buf_add_byte(out, (unsigned char)*text);
	}
	pn_buf_add_byte(out, '"');
}

static void write_csv(struct pn_buf *out, const struct pn_measured *results,
		      size_t count)
{
	struct pn_summary wall, user, sys;
	size_t i;

	pn_buf_add_text(out,
			"command,mean,stddev,median,user,system,min,max\n");
	for (i = 0; i < count; i++) {
		const struct pn_profile *p = results[i].profile;

		if (!pn_measured_summary(&wall, p, "wall"))
			continue;
		add_quoted(out, results[i].title);
		pn_buf_printf(out, ",%.9f,", wall.mean / 1e9);
		if (!isnan(wall.sd))
			pn_buf_printf(out, "%.9f", wall.sd / 1e9);
		pn_buf_printf(out, ",%.9f,", wall.median / 1e9);
		if (pn_measured_summary(&user, p, "user"))
			pn_buf_printf(out, "%.9f", user.mean / 1e9);
		pn_buf_add_byte(out, ',');
		if (pn_measured_summary(&sys, p, "sys"))
			pn_buf_printf(out, "%.9f", sys.mean / 1e9);
		pn_buf_printf(out, ",%.9f,%.9f\n", wall.min / 1e9,
			      wall.max / 1e9);
	}
}

/* A cell: a bar would end it. */
static void add_code(struct pn_buf *out, const char *text)
{
	pn_buf_add_byte(out, '`');
	for (; *text; text++) {
		if (*text == '|')
			pn_buf_add_byte(out, '\\');
		pn_buf_add_byte(out,
				*text == '\n' ? ' ' : (unsigned char)*text);
	}
	pn_buf_add_byte(out, '`');
}

static void write_markdown(struct pn_buf *out,
			   const struct pn_measured *results, size_t count,
			   const struct pn_results_options *options)
{
	struct pn_time_unit u;
	struct pn_rank *ranks;
	size_t i, n;

	ranks = pn_ranking_of(&n, results, count, options->reference,
			      pn_results_in_order(options));
	u = pn_time_unit_of(options->unit, ranks[0].wall.median);
	pn_buf_printf(out,
		      "| Command | Mean [%s] | Median [%s] | Min [%s] | "
		      "Max [%s] | Relative |\n"
		      "|:---|---:|---:|---:|---:|---:|\n",
		      u.name, u.name, u.name, u.name);
	for (i = 0; i < n; i++) {
		const struct pn_summary *w = &ranks[i].wall;
		struct pn_ratio r = ranks[i].ratio;

		pn_buf_add_text(out, "| ");
		add_code(out, ranks[i].measured->title);
		pn_buf_printf(out, " | %.3f", w->mean / u.ns);
		if (!isnan(w->sd))
			pn_buf_printf(out, " ± %.3f", w->sd / u.ns);
		pn_buf_printf(out, " | %.3f | %.3f | %.3f | %.2f",
			      w->median / u.ns, w->min / u.ns, w->max / u.ns,
			      r.value);
		if (i && !isnan(r.low))
			pn_buf_printf(out, " (%.2f … %.2f)", r.low, r.high);
		pn_buf_add_text(out, " |\n");
	}
	free(ranks);
}

int pn_results_table_check(const char *path, struct pn_error *err)
{
	if (pn_file_ends_with(path, ".csv") || pn_file_ends_with(path, ".md"))
		return 0;
	return pn_error_set(err, PN_EINVAL,
			    "cannot export to '%s': need a name that ends in "
			    ".csv or .md",
			    path);
}

void pn_results_table(struct pn_buf *out, const char *path,
		      const struct pn_measured *results, size_t count,
		      const struct pn_results_options *options)
{
	if (pn_file_ends_with(path, ".csv"))
		write_csv(out, results, count);
	else
		write_markdown(out, results, count, options);
}
