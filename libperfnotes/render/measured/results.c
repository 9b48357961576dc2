/* What a collection found, for people. */
#include "render/measured/results.h"

#include "analysis/measured/ranking.h"
#include "base/escape.h"
#include "model/symbols.h"
#include "render/measured/time_unit.h"
#include "render/rows.h"
#include "render/terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_TEXT 400 /* of any double */

static void bytes_text(char *out, size_t size, double bytes)
{
	static const char *const names[] = {"B", "kB", "MB", "GB", "TB"};
	size_t i;

	for (i = 0; i < 4 && bytes >= 1024; i++)
		bytes /= 1024;
	snprintf(out, size, "%.*f %s", i ? 1 : 0, bytes, names[i]);
}

static void print_wall(FILE *to, const struct pn_measured *r,
		       const struct pn_summary *wall, struct pn_time_unit unit,
		       int digits)
{
	struct pn_summary user, sys;
	struct pn_interval interval;
	char a[PN_TIME_UNIT_TEXT], b[PN_TIME_UNIT_TEXT];

	pn_time_unit_write(a, wall->median, unit, digits);
	fprintf(to, "  Time (median):      %10s", a);
	if (pn_measured_interval(&interval, r->profile, "wall")) {
		pn_time_unit_write(a, interval.low, unit, digits);
		pn_time_unit_write(b, interval.high, unit, digits);
		fprintf(to, "  [95 %% in %s … %s]", a, b);
	}
	pn_time_unit_write(a, wall->mean, unit, digits);
	fprintf(to, "\n  Time (mean ± σ):    %10s", a);
	if (!isnan(wall->sd)) {
		pn_time_unit_write(a, wall->sd, unit, digits);
		fprintf(to, " ± %s", a);
	}
	if (pn_measured_summary(&user, r->profile, "user") &&
	    pn_measured_summary(&sys, r->profile, "sys")) {
		pn_time_unit_write(a, user.mean, unit, digits);
		pn_time_unit_write(b, sys.mean, unit, digits);
		fprintf(to, "  [user: %s, system: %s]", a, b);
	}
	pn_time_unit_write(a, wall->min, unit, digits);
	pn_time_unit_write(b, wall->max, unit, digits);
	fprintf(to, "\n  Range (min … max):  %10s … %s", a, b);
	fprintf(to, "   %" PRIu64 " run%s\n", wall->n, wall->n == 1 ? "" : "s");
}

static void print_memory(FILE *to, const struct pn_measured *r)
{
	char median[BYTES_TEXT], min[BYTES_TEXT], max[BYTES_TEXT];
	struct pn_summary rss, faults;

	if (!pn_measured_summary(&rss, r->profile, "max-rss"))
		return;
	bytes_text(median, sizeof(median), rss.median);
	bytes_text(min, sizeof(min), rss.min);
	bytes_text(max, sizeof(max), rss.max);
	fprintf(to, "  Peak memory:        %s", median);
	if (strcmp(min, max) != 0) /* as they are written */
		fprintf(to, " (%s … %s)", min, max);
	if (pn_measured_summary(&faults, r->profile, "major-faults") &&
	    faults.median > 0)
		fprintf(to, ", %.0f major page faults", faults.median);
	fputc('\n', to);
}

/* One run has no spread. */
static void print_one(FILE *to, const struct pn_measured *r, double wall_ns,
		      const char *unit_name)
{
	struct pn_time_unit unit = pn_time_unit_of(unit_name, wall_ns);
	int digits = pn_time_unit_digits(wall_ns / unit.ns);
	struct pn_summary user, sys;
	char a[PN_TIME_UNIT_TEXT], b[PN_TIME_UNIT_TEXT];

	pn_time_unit_write(a, wall_ns, unit, digits);
	fprintf(to, "  Time:               %10s", a);
	if (pn_measured_summary(&user, r->profile, "user") &&
	    pn_measured_summary(&sys, r->profile, "sys")) {
		pn_time_unit_write(a, user.mean, unit, digits);
		pn_time_unit_write(b, sys.mean, unit, digits);
		fprintf(to, "  [user: %s, system: %s]", a, b);
	}
	fputc('\n', to);
}

/* The heaviest functions, or the metrics of a profile without weights. */
static int print_found(FILE *to, const struct pn_measured *r,
		       const struct pn_palette *palette, struct pn_error *err)
{
	const struct pn_view *view = pn_view_fitting(&pn_view_top, r->profile);
	struct pn_view_input in = {.profile = r->profile,
				   .palette = palette,
				   .columns = pn_terminal_columns(to)};
	struct pn_report_options options = {.node_count = PN_MEASURED_TOP};
	struct pn_report report = {0};
	int code = 0;

	if (view->needs != PN_VIEW_METRICS) {
		pn_view_options(&options, view);
		pn_symbols_demangle(r->profile, PN_DEMANGLE_SIMPLE);
		code = pn_report_init(&report, r->profile, &options, err);
		in.report = &report;
	}
	if (!code)
		code = pn_view_print(to, view, &in, "collect", PN_VIEW_TEXT,
				     err);
	pn_report_release(&report);
	return code;
}

static bool has_weights(const struct pn_profile *p)
{
	return p->sample_count || p->graph.node_count;
}

static int print_result(FILE *to, const struct pn_measured *r,
			const struct pn_results_options *options,
			const struct pn_palette *p, struct pn_error *err)
{
	bool weights = has_weights(r->profile);
	bool is_time = pn_measured_is_time(r);
	struct pn_summary wall;
	struct pn_buf title = {0};
	struct pn_time_unit unit;

	pn_escape_terminal(&title, r->title, strlen(r->title));
	fprintf(to, "%s%s%s\n", p->head, pn_buf_text(&title), p->end);
	pn_buf_release(&title);
	if (!is_time && !weights)
		return print_found(to, r, p, err);
	if (pn_measured_summary(&wall, r->profile, "wall")) {
		unit = pn_time_unit_of(options->unit, wall.median);
		if (wall.n == 1)
			print_one(to, r, wall.median, options->unit);
		else
			print_wall(to, r, &wall, unit,
				   pn_time_unit_digits(wall.median / unit.ns));
	}
	print_memory(to, r);
	return is_time ? 0 : print_found(to, r, p, err);
}

/* As many digits as show how wide the interval is. */
static int ratio_digits(double low, double high)
{
	double width = high - low;

	return !(width < 0.05) ? 2 : width < 0.005 ? 4 : 3;
}

static void print_ratio(FILE *to, const struct pn_rank *other,
			const struct pn_palette *p)
{
	struct pn_ratio r = other->ratio;
	bool faster = r.value >= 1, known = !isnan(r.low);
	double swap = r.low;
	struct pn_buf title = {0};
	int digits;

	pn_escape_terminal(&title, other->measured->title,
			   strlen(other->measured->title));
	if (!faster) {
		r.value = 1 / r.value;
		r.low = 1 / r.high;
		r.high = 1 / swap;
	}
	digits = ratio_digits(r.low, r.high);
	if (known && !pn_ratio_differs(&r))
		fprintf(to, "  %sno difference seen%s from %s", p->dim, p->end,
			pn_buf_text(&title));
	else
		fprintf(to, "  %s%8.*f times %s%s than %s",
			faster ? p->better : p->worse, digits, r.value,
			faster ? "faster" : "slower", p->end,
			pn_buf_text(&title));
	if (known)
		fprintf(to, "   [95 %% in %.*f … %.*f]\n", digits, r.low,
			digits, r.high);
	else
		fputs("   [too few runs to tell]\n", to);
	pn_buf_release(&title);
}

static void print_comparison(FILE *to, const struct pn_measured *results,
			     size_t count,
			     const struct pn_results_options *options,
			     const struct pn_palette *p)
{
	struct pn_buf title = {0};
	struct pn_rank *ranks;
	size_t i, n;

	ranks = pn_ranking_of(&n, results, count, options->reference,
			      pn_results_in_order(options));
	if (n > 1) {
		pn_escape_terminal(&title, ranks[0].measured->title,
				   strlen(ranks[0].measured->title));
		fprintf(to, "\n%s is\n", pn_buf_text(&title));
		for (i = 1; i < n; i++)
			print_ratio(to, &ranks[i], p);
	}
	pn_buf_release(&title);
	free(ranks);
}

int pn_results_text(FILE *to, const struct pn_measured *results, size_t count,
		    const struct pn_results_options *options,
		    struct pn_error *err)
{
	struct pn_palette palette = PN_PALETTE_PLAIN;
	bool is_time = true;
	size_t i;
	int code = 0;

	if (options->palette)
		palette = *options->palette;
	for (i = 0; !code && i < count; i++) {
		code = print_result(to, &results[i], options, &palette, err);
		is_time &= pn_measured_is_time(&results[i]);
	}
	if (!code && count > 1 && is_time)
		print_comparison(to, results, count, options, &palette);
	return code;
}
