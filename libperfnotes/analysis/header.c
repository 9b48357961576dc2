/* The lines above a report, as pprof has them (report.go), but for the time
 * of the profile, which is in UTC here and in the reader's zone there. */
#include "analysis/report.h"

#include "base/alloc.h"
#include "base/file.h"
#include "model/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FILTER_SHOWN 80 /* bytes of a filter's text */
#define CURVES_SHOWN 4
#define THREADS_SHOWN 8

static bool is_of_callgrind(const struct pn_profile *p)
{
	size_t i;

	for (i = 0; i < p->comment_count; i++)
		if (!strncmp(pn_profile_text(p, p->comments[i]),
			     "creator: callgrind", 18))
			return true;
	return false;
}

/* The first mapping is the program, but callgrind's come in the order of
 * their costs' lines: the loader is the first there. */
static void file_line(struct pn_buf *out, const struct pn_profile *p)
{
	const char *file = pn_profile_text(p, p->mappings[0].file);
	int len = (int)strlen(file);
	const char *cmd = pn_profile_text(p, p->header.cmd);
	int i;

	if (*cmd && is_of_callgrind(p)) {
		file = cmd;
		len = (int)strcspn(cmd, " \t\n");
	}
	for (i = len - 1; i > 0 && file[i - 1] != '/'; i--)
		;
	if (len > 0)
		pn_buf_printf(out, "File: %.*s\n", len - i, file + i);
}

static void binary_lines(struct pn_buf *out, const struct pn_profile *p)
{
	if (!p->mapping_count)
		return;
	file_line(out, p);
	if (p->mappings[0].build_id)
		pn_buf_printf(out, "Build ID: %s\n",
			      pn_profile_text(p, p->mappings[0].build_id));
}

static bool is_url(const char *text)
{
	return !strncmp(text, "http://", 7) || !strncmp(text, "https://", 8);
}

/* "desc: I1 cache:", where callgrind simulated none. */
static bool says_nothing(const char *comment)
{
	size_t len = strlen(comment);

	return !strncmp(comment, "desc: ", 6) && comment[len - 1] == ':';
}

/* Each once, as in pprof, which unites whatever it reads. */
static void comment_lines(struct pn_buf *out, const struct pn_profile *p)
{
	unsigned char *seen;
	size_t i;

	if (!p->comment_count)
		return;
	seen = pn_calloc(p->strings.count + 1, 1);
	for (i = 0; i < p->comment_count; i++) {
		const char *text = pn_profile_text(p, p->comments[i]);

		if (*text != '#' && !says_nothing(text) &&
		    !seen[p->comments[i]])
			pn_buf_printf(out, "%s\n", text);
		seen[p->comments[i]] = 1;
	}
	free(seen);
}

/* "Profiler: samples 150, seen 1.5s, missed ticks 3": what it says of its own
 * work. */
static void fact_line(struct pn_buf *out, const struct pn_profile *p)
{
	size_t i;

	for (i = 0; i < p->fact_count; i++) {
		const struct pn_fact *fact = &p->facts[i];

		pn_buf_printf(out, "%s %s ", i ? "," : "Profiler:",
			      pn_profile_text(p, fact->name));
		pn_unit_label(out, fact->value, pn_profile_text(p, fact->unit),
			      "auto");
	}
	if (p->fact_count)
		pn_buf_add_byte(out, '\n');
}

/* "Threads: 1 432923, 2 2400567": what each of them cost; of those that only
 * say when they ran the stacks tell. */
static void thread_line(struct pn_buf *out, const struct pn_report *report)
{
	const struct pn_profile *p = report->profile;
	const struct pn_events *e = &p->events;
	const struct pn_value_type *type;
	size_t i;

	if (e->thread_count < 2 || e->threads[0].cost == 0 || !p->type_count)
		return;
	type = &p->types[pn_profile_default_type(p)];
	for (i = 0; i < e->thread_count && i < THREADS_SHOWN; i++) {
		pn_buf_printf(out, "%s %s ", i ? "," : "Threads:",
			      pn_profile_text(p, e->threads[i].id));
		pn_unit_label(out, e->threads[i].cost / pn_profile_runs(p),
			      pn_profile_text(p, type->unit), PN_UNIT_AUTO);
	}
	if (i < e->thread_count)
		pn_buf_printf(out, " and %zu more", e->thread_count - i);
	pn_buf_add_byte(out, '\n');
}

void pn_report_curves(struct pn_buf *out, const struct pn_profile *p)
{
	const struct pn_curves *c = &p->curves;
	size_t i;

	for (i = 0; i < c->count && i < CURVES_SHOWN; i++)
		pn_buf_printf(out, "%s %s", i ? "," : "Curves:",
			      pn_profile_text(p, c->items[i].name));
	if (i < c->count)
		pn_buf_printf(out, " and %zu more", c->count - i);
	if (c->count)
		pn_buf_add_text(out, " (--view=flow)\n");
}

static void text_lines(struct pn_buf *out, const struct pn_report *report)
{
	const struct pn_profile *p = report->profile;
	const char *doc = pn_profile_text(p, p->doc_url);
	char time[PN_TIME_TEXT];

	comment_lines(out, p);
	fact_line(out, p);
	thread_line(out, report);
	pn_report_curves(out, p);
	if (*report->type)
		pn_buf_printf(out, "Type: %s%s\n",
			      report->options.mean ? "mean_" : "",
			      report->type);
	if (is_url(doc))
		pn_buf_printf(out, "Doc: %s\n", doc);
	if (p->time_ns) {
		pn_time_write(time, p->time_ns);
		pn_buf_printf(out, "Time: %.10s %.8s UTC\n", time, time + 11);
	}
}

/* Whatever follows is of one. */
static void runs_line(struct pn_buf *out, const struct pn_profile *p)
{
	if (pn_profile_runs(p) > 1)
		pn_buf_printf(out, "Runs: %u, figures are per run\n",
			      pn_profile_runs(p));
}

/* A profile with both shows its stacks; that there is a graph is only said. */
static void graph_line(struct pn_buf *out, const struct pn_profile *p)
{
	if (p->sample_count && p->graph.node_count)
		pn_buf_printf(out,
			      "Call graph of %zu functions besides the stacks: "
			      "--call-graph shows it\n",
			      p->graph.node_count);
}

static void duration_line(struct pn_buf *out, const struct pn_report *report)
{
	uint32_t runs = pn_profile_runs(report->profile);
	double total, duration = (double)report->profile->duration_ns / runs;
	const char *unit;

	if (!report->profile->duration_ns)
		return;
	total = pn_unit_scale(&unit,
			      (double)report->total / report->weight.scale /
				      report->runs,
			      report->unit, "nanoseconds");
	pn_buf_add_text(out, "Duration: ");
	pn_unit_label(out, duration, "nanoseconds", PN_UNIT_AUTO);
	pn_buf_add_text(out, ", Total samples = ");
	pn_report_value(out, report, report->total);
	pn_buf_add_byte(out, ' ');
	if (!strcmp(unit, "ns") && total != 0) {
		pn_buf_add_byte(out, '(');
		pn_unit_percentage(out, total, duration);
		pn_buf_add_byte(out, ')');
	}
	pn_buf_add_byte(out, '\n');
}

static void filter_lines(struct pn_buf *out, const struct pn_report *report)
{
	bool any = false;
	int kind;

	for (kind = 0; kind < PN_FILTER_PRUNE_FROM; kind++) {
		const char *text = report->options.filter.text[kind];
		struct pn_buf line = {0};

		if (!text || !*text)
			continue;
		if (!any)
			pn_buf_add_text(out, "Active filters:\n");
		any = true;
		pn_buf_printf(&line, "%s=%s",
			      pn_filter_name((enum pn_filter_kind)kind), text);
		pn_buf_printf(out, "   %.*s%s\n", FILTER_SHOWN,
			      pn_buf_text(&line),
			      line.len > FILTER_SHOWN ? "\u2026" : "");
		pn_buf_release(&line);
	}
}

static void dropped_line(struct pn_buf *out, const struct pn_report *report,
			 size_t count, const char *what, const char *of,
			 double fraction)
{
	double least = fabs((double)report->total * fraction);

	if (!count)
		return;
	pn_buf_printf(out, "Dropped %zu %s%s (%s <= ", count, what,
		      count > 1 ? "s" : "", of);
	pn_report_value(out, report,
			least < 9.2e18 ? (int64_t)least : INT64_MAX);
	pn_buf_add_text(out, ")\n");
}

static void row_lines(struct pn_buf *out, const struct pn_report *report)
{
	struct pn_buf share = {0};
	const char *percent;

	pn_report_share(&share, report, report->flat_total);
	percent = pn_buf_text(&share);
	pn_buf_add_text(out, "Showing nodes accounting for ");
	pn_report_value(out, report, report->flat_total);
	pn_buf_printf(out, ", %s of ", percent + strspn(percent, " "));
	pn_report_value(out, report, report->total);
	pn_buf_add_text(out, " total\n");
	pn_buf_release(&share);
	if (!report->total)
		return;
	dropped_line(out, report, report->dropped_count, "node", "cum",
		     report->options.node_fraction);
	if (report->options.drawn)
		dropped_line(out, report, report->dropped_edges, "edge", "freq",
			     report->options.edge_fraction);
	if (report->row_count && report->row_count < report->kept_count)
		pn_buf_printf(out, "Showing top %zu nodes out of %zu\n",
			      report->row_count, report->kept_count);
}

void pn_report_header(struct pn_buf *out, const struct pn_report *report,
		      bool rows)
{
	binary_lines(out, report->profile);
	text_lines(out, report);
	runs_line(out, report->profile);
	graph_line(out, report->profile);
	duration_line(out, report);
	if (!rows)
		return;
	filter_lines(out, report);
	row_lines(out, report);
}
