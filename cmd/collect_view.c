/* What `git perf collect` shows. */
#include "collect_view.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "base/file.h"
#include "render/renderer.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHOW_EVERY_NS 100000000
#define TITLE_MAX 60 /* bytes of a command in the progress line */

char *view_title(const struct pn_collect_job *job)
{
	struct pn_buf title = {0};
	size_t i;

	if (job->line)
		return pn_strdup(job->line);
	for (i = 0; job->argv[i]; i++) {
		if (i)
			pn_buf_add_byte(&title, ' ');
		pn_escape_shell(&title, job->argv[i]);
	}
	return pn_buf_detach(&title);
}

struct view_unit view_unit_of(const char *name, double ns)
{
	static const struct view_unit units[] = {
		{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}};
	size_t i;

	for (i = 0; i < 2; i++)
		if (name ? !strcmp(name, units[i].name) : ns >= units[i].ns)
			break;
	return units[i];
}

/* Three digits behind the point are the ns of a us; above, what counts. */
static int decimals(double value)
{
	return value < 10 ? 3 : value < 100 ? 2 : 1;
}

static void write_time(char out[32], double ns, struct view_unit unit,
		       int digits)
{
	snprintf(out, 32, "%.*f %s", digits, ns / unit.ns, unit.name);
}

void view_progress_show(struct view_progress *view,
			const struct pn_collect_progress *p, const char *title)
{
	int64_t now = pn_time_monotonic_ns();
	struct pn_buf line = {0};
	char median[32] = "";

	if (view->visible && now - view->shown_ns < SHOW_EVERY_NS)
		return;
	view->shown_ns = now;
	view->visible = true;
	if (!isnan(p->median_ns)) {
		struct view_unit unit = view_unit_of(NULL, p->median_ns);

		write_time(median, p->median_ns, unit,
			   decimals(p->median_ns / unit.ns));
	}
	pn_buf_printf(&line, "%" PRIu64 "/%" PRIu64 " runs", p->done,
		      p->expected);
	if (p->left_ns > 0)
		pn_buf_printf(&line, ", %" PRId64 " s left",
			      p->left_ns / 1000000000 + 1);
	pn_buf_printf(&line, "%s%s  %s", *median ? ", median " : "", median,
		      p->warming_up ? "warming up " : "");
	pn_escape_terminal(&line, title,
			   strlen(title) < TITLE_MAX ? strlen(title)
						     : TITLE_MAX);
	fprintf(stderr, "\r\033[K%s", pn_buf_text(&line));
	fflush(stderr);
	pn_buf_release(&line);
}

void view_progress_clear(struct view_progress *view)
{
	if (view->visible)
		fputs("\r\033[K", stderr);
	view->visible = false;
}

/* The summary of a metric; false when the profile has none of that name. */
bool view_summary(struct pn_summary *out, const struct pn_profile *p,
		  const char *name)
{
	size_t i;

	for (i = 0; i < p->metric_count; i++)
		if (!strcmp(pn_profile_text(p, p->metrics[i].name), name))
			return !pn_summary_of(out, p->metrics[i].values,
					      p->metrics[i].value_count, NULL);
	return false;
}

static bool interval_of_wall(struct pn_interval *out,
			     const struct pn_profile *p)
{
	const struct pn_metric *m = NULL;
	double *sorted;
	size_t i;
	int code;

	for (i = 0; i < p->metric_count && !m; i++)
		if (!strcmp(pn_profile_text(p, p->metrics[i].name), "wall"))
			m = &p->metrics[i];
	if (!m || !m->value_count)
		return false;
	sorted = pn_realloc_array(NULL, m->value_count, sizeof(*sorted));
	memcpy(sorted, m->values, m->value_count * sizeof(*sorted));
	pn_sample_sort(sorted, m->value_count);
	code = pn_sample_median_interval(out, sorted, m->value_count, 0.95,
					 NULL);
	free(sorted);
	return !code;
}

static void print_bytes(FILE *to, double bytes)
{
	static const char *const names[] = {"B", "kB", "MB", "GB", "TB"};
	size_t i;

	for (i = 0; i < 4 && bytes >= 1024; i++)
		bytes /= 1024;
	fprintf(to, "%.*f %s", i ? 1 : 0, bytes, names[i]);
}

static void print_wall(FILE *to, const struct view_result *r,
		       const struct pn_summary *wall, struct view_unit unit,
		       int digits)
{
	struct pn_summary user, sys;
	struct pn_interval interval;
	char a[32], b[32];

	write_time(a, wall->median, unit, digits);
	fprintf(to, "  Time (median):      %12s", a);
	if (interval_of_wall(&interval, r->profile)) {
		write_time(a, interval.low, unit, digits);
		write_time(b, interval.high, unit, digits);
		fprintf(to, "   [95 %% in %s … %s]", a, b);
	}
	write_time(a, wall->mean, unit, digits);
	fprintf(to, "\n  Time (mean ± σ):    %12s", a);
	if (!isnan(wall->sd)) {
		write_time(a, wall->sd, unit, digits);
		fprintf(to, " ± %s", a);
	}
	if (view_summary(&user, r->profile, "user") &&
	    view_summary(&sys, r->profile, "sys")) {
		write_time(a, user.mean, unit, digits);
		write_time(b, sys.mean, unit, digits);
		fprintf(to, "   [user: %s, system: %s]", a, b);
	}
	write_time(a, wall->min, unit, digits);
	write_time(b, wall->max, unit, digits);
	fprintf(to, "\n  Range (min … max):  %12s … %s", a, b);
	fprintf(to, "   %" PRIu64 " run%s\n", wall->n, wall->n == 1 ? "" : "s");
}

static void print_memory(FILE *to, const struct view_result *r)
{
	struct pn_summary rss, faults;

	if (!view_summary(&rss, r->profile, "max-rss"))
		return;
	fputs("  Peak memory:        ", to);
	print_bytes(to, rss.median);
	if (rss.max > rss.min) {
		fputs(" (", to);
		print_bytes(to, rss.min);
		fputs(" … ", to);
		print_bytes(to, rss.max);
		fputs(")", to);
	}
	if (view_summary(&faults, r->profile, "major-faults") &&
	    faults.median > 0)
		fprintf(to, ", %.0f major page faults", faults.median);
	fputc('\n', to);
}

/* One run has no spread. */
static void print_one(FILE *to, const struct view_result *r, double wall_ns,
		      const char *unit_name)
{
	struct view_unit unit = view_unit_of(unit_name, wall_ns);
	int digits = decimals(wall_ns / unit.ns);
	struct pn_summary user, sys;
	char a[32], b[32];

	write_time(a, wall_ns, unit, digits);
	fprintf(to, "  Time:               %12s", a);
	if (view_summary(&user, r->profile, "user") &&
	    view_summary(&sys, r->profile, "sys")) {
		write_time(a, user.mean, unit, digits);
		write_time(b, sys.mean, unit, digits);
		fprintf(to, "   [user: %s, system: %s]", a, b);
	}
	fputc('\n', to);
}

/* The heaviest functions, or the metrics of a profile without weights. */
static int print_found(FILE *to, const struct view_result *r,
		       struct pn_error *err)
{
	const struct pn_view *view = pn_view_fitting(&pn_view_top, r->profile);
	struct pn_view_input in = {r->profile, NULL, NULL};
	struct pn_report_options options = {.node_count = VIEW_ROWS};
	struct pn_report report = {0};
	int code = 0;

	if (view->needs != PN_VIEW_METRICS) {
		pn_view_options(&options, view);
		code = pn_report_init(&report, r->profile, &options, err);
		in.report = &report;
	}
	if (!code)
		code = pn_view_print(to, view, &in, "collect", false, err);
	pn_report_release(&report);
	return code;
}

static int print_result(FILE *to, const struct view_result *r,
			const struct view_options *options,
			struct pn_error *err)
{
	const struct pn_profile *p = r->profile;
	bool weights = p->sample_count || p->graph.node_count;
	bool is_time =
		!strcmp(pn_profile_text(p, p->header.collector.name), "time");
	struct pn_summary wall;
	struct pn_buf title = {0};
	struct view_unit unit;

	pn_escape_terminal(&title, r->title, strlen(r->title));
	fprintf(to, "%s\n", pn_buf_text(&title));
	pn_buf_release(&title);
	if (!is_time && !weights)
		return print_found(to, r, err);
	if (view_summary(&wall, r->profile, "wall")) {
		unit = view_unit_of(options->unit, wall.median);
		if (wall.n == 1)
			print_one(to, r, wall.median, options->unit);
		else
			print_wall(to, r, &wall, unit,
				   decimals(wall.median / unit.ns));
	}
	print_memory(to, r);
	return is_time ? 0 : print_found(to, r, err);
}

int view_text(FILE *to, const struct view_result *results, size_t count,
	      const struct view_options *options, struct pn_error *err)
{
	bool is_time = true;
	size_t i;
	int code = 0;

	for (i = 0; !code && i < count; i++) {
		const struct pn_profile *p = results[i].profile;

		code = print_result(to, &results[i], options, err);
		is_time &= !strcmp(pn_profile_text(p, p->header.collector.name),
				   "time");
	}
	if (!code && count > 1 && is_time)
		view_comparison(to, results, count, options);
	return code;
}

void view_warnings(const struct view_result *result,
		   const struct pn_collect_plan *plan, bool has_prepare)
{
	size_t i;

	for (i = 0; i < result->warning_count; i++) {
		double value = result->warnings[i].value;

		switch (result->warnings[i].kind) {
		case PN_COLLECT_SLOW_FIRST:
			warn("'%s': the first run was much slower than the "
			     "others; %s",
			     result->title,
			     plan->warmup || has_prepare
				     ? "more warm-up (-w) may help"
				     : "caches were cold: warm up (-w), or "
				       "empty them before every run "
				       "(--prepare)");
			break;
		case PN_COLLECT_OUTLIERS:
			warn("'%s': %.0f run%s far from the others; is the "
			     "machine busy with something else?",
			     result->title, value,
			     value == 1 ? " is" : "s are");
			break;
		case PN_COLLECT_TOO_SHORT:
			warn("'%s': takes less than 5 ms, where starting a "
			     "shell disturbs; leave --shell out",
			     result->title);
			break;
		case PN_COLLECT_FAILED:
			warn("'%s': %.0f run%s ended with a status other than "
			     "0",
			     result->title, value, value == 1 ? "" : "s");
			break;
		case PN_COLLECT_WIDE:
			warn("'%s': the median is known to %.1f %% only, not "
			     "%.1f %%; --max-runs and --max-time end the runs",
			     result->title, value * 100, plan->precision * 100);
			break;
		case PN_COLLECT_LOST:
			warn("'%s': %.0f event%s could not be recorded",
			     result->title, value, value == 1 ? "" : "s");
			break;
		case PN_COLLECT_ABSENT:
			warn("'%s': this machine does not count %.0f of the "
			     "events; a virtual one often has no hardware "
			     "counters",
			     result->title, value);
			break;
		case PN_COLLECT_DOUBTS:
			break;
		}
	}
}

static void print_collector(FILE *to, const struct pn_collector *collector)
{
	const struct pn_collect_option *option = collector->options;
	struct pn_buf name = {0};

	fprintf(to, "%-20s%s\n", collector->name, collector->summary);
	for (; option && option->key; option++) {
		pn_buf_clear(&name);
		pn_buf_printf(&name, "%s%s%s", option->key,
			      option->argument ? "=" : "",
			      option->argument ? option->argument : "");
		fprintf(to, "    %-23s %s\n", pn_buf_text(&name),
			option->summary);
	}
	pn_buf_release(&name);
}

int view_collectors(const struct global *global, const char *path,
		    const char *wanted)
{
	const struct pn_collector *one = NULL;
	struct pn_error err = {0};
	struct output out;
	size_t i;

	if ((wanted && !(one = pn_collector_find(wanted, &err))) ||
	    open_output(&out, global, path, false, &err))
		return fail(&err);
	for (i = 0; pn_collectors[i]; i++)
		if (!one || one == pn_collectors[i])
			print_collector(out.file, pn_collectors[i]);
	return close_output(&out, EXIT_DONE);
}

void view_kept(const struct view_result *results, size_t count,
	       const struct pn_oid *commit, bool dirty)
{
	const char *doubt = dirty ? " (the tree was dirty)" : "";
	char hex[PN_OID_HEX + 1];
	size_t i;

	pn_oid_hex(hex, commit);
	for (i = 0; i < count; i++)
		if (results[i].id)
			say("added %s to %.10s%s", results[i].id, hex, doubt);
		else
			say("pending: %s%s", pn_file_basename(results[i].path),
			    doubt);
}
