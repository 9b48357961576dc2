/* What `git perf collect` shows. */
#include "collect_view.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "base/json.h"
#include "command.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

/* One unit for all the times of a result: that in which `ns` is 1 or more. */
struct unit {
	const char *name;
	double ns;
};

static struct unit choose_unit(double ns)
{
	static const struct unit units[] = {
		{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}};
	size_t i;

	for (i = 0; i < 2; i++)
		if (ns >= units[i].ns)
			break;
	return units[i];
}

/* Three digits behind the point are the ns of a us; above, what counts. */
static int decimals(double value)
{
	return value < 10 ? 3 : value < 100 ? 2 : 1;
}

static void write_time(char out[32], double ns, struct unit unit, int digits)
{
	snprintf(out, 32, "%.*f %s", digits, ns / unit.ns, unit.name);
}

static int64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void view_progress_show(struct view_progress *view,
			const struct pn_collect_progress *p, const char *title)
{
	int64_t now = monotonic_ns();
	struct pn_buf line = {0};
	char median[32] = "";

	if (view->visible && now - view->shown_ns < SHOW_EVERY_NS)
		return;
	view->shown_ns = now;
	view->visible = true;
	if (!isnan(p->median_ns)) {
		struct unit unit = choose_unit(p->median_ns);

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
static bool summarize(struct pn_summary *out, const struct pn_profile *p,
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
		       const struct pn_summary *wall, struct unit unit,
		       int digits)
{
	struct pn_summary user, sys;
	struct pn_interval interval;
	char a[32], b[32];

	write_time(a, wall->median, unit, digits);
	fprintf(to, "  Time (median):      %12s", a);
	if (interval_of_wall(&interval, &r->profile)) {
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
	if (summarize(&user, &r->profile, "user") &&
	    summarize(&sys, &r->profile, "sys")) {
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

	if (!summarize(&rss, &r->profile, "max-rss"))
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
	if (summarize(&faults, &r->profile, "major-faults") &&
	    faults.median > 0)
		fprintf(to, ", %.0f major page faults", faults.median);
	fputc('\n', to);
}

static void print_result(FILE *to, const struct view_result *r)
{
	struct pn_summary wall;
	struct pn_buf title = {0};
	struct unit unit;

	pn_escape_terminal(&title, r->title, strlen(r->title));
	fprintf(to, "%s\n", pn_buf_text(&title));
	pn_buf_release(&title);
	if (summarize(&wall, &r->profile, "wall")) {
		unit = choose_unit(wall.median);
		print_wall(to, r, &wall, unit, decimals(wall.median / unit.ns));
	}
	print_memory(to, r);
}

struct rank {
	const struct view_result *result;
	struct pn_summary wall;
};

static int fastest_first(const void *left, const void *right)
{
	const struct rank *a = left, *b = right;

	return (a->wall.mean > b->wall.mean) - (a->wall.mean < b->wall.mean);
}

/* The ratio of two means and its deviation, that of independent quotients to
 * first order: Ku, J. Res. NBS 70C (1966). */
static void print_ratio(FILE *to, const struct rank *fast,
			const struct rank *slow)
{
	double ratio = slow->wall.mean / fast->wall.mean;
	double a = fast->wall.sd / fast->wall.mean;
	double b = slow->wall.sd / slow->wall.mean;
	struct pn_buf title = {0};

	pn_escape_terminal(&title, slow->result->title,
			   strlen(slow->result->title));
	fprintf(to, "  %8.2f", ratio);
	if (!isnan(a) && !isnan(b))
		fprintf(to, " ± %.2f", ratio * sqrt(a * a + b * b));
	fprintf(to, " times faster than %s\n", pn_buf_text(&title));
	pn_buf_release(&title);
}

static void print_comparison(FILE *to, const struct view_result *results,
			     size_t count)
{
	struct rank *ranks = pn_calloc(count, sizeof(*ranks));
	struct pn_buf title = {0};
	size_t i, n = 0;

	for (i = 0; i < count; i++)
		if (summarize(&ranks[n].wall, &results[i].profile, "wall") &&
		    ranks[n].wall.mean > 0)
			ranks[n++].result = &results[i];
	if (n > 1) {
		qsort(ranks, n, sizeof(*ranks), fastest_first);
		pn_escape_terminal(&title, ranks[0].result->title,
				   strlen(ranks[0].result->title));
		fprintf(to, "\n%s is\n", pn_buf_text(&title));
		for (i = 1; i < n; i++)
			print_ratio(to, &ranks[0], &ranks[i]);
	}
	pn_buf_release(&title);
	free(ranks);
}

void view_text(FILE *to, const struct view_result *results, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		print_result(to, &results[i]);
	if (count > 1)
		print_comparison(to, results, count);
}

static void write_metric(struct pn_json_writer *w, const struct pn_profile *p,
			 const struct pn_metric *m)
{
	struct pn_summary s;
	size_t i;

	if (pn_summary_of(&s, m->values, m->value_count, NULL))
		return;
	pn_json_open(w, '{');
	pn_json_member(w, "name", pn_profile_text(p, m->name));
	pn_json_member(w, "unit", pn_profile_text(p, m->unit));
	pn_json_member(w, "better", "less");
	pn_json_member_int(w, "n", (int64_t)s.n);
	pn_json_member_double(w, "median", s.median);
	pn_json_member_double(w, "min", s.min);
	pn_json_member_double(w, "max", s.max);
	pn_json_member_double(w, "mean", s.mean);
	pn_json_member_double(w, "sd", s.sd);
	pn_json_key(w, "values");
	pn_json_open(w, '[');
	for (i = 0; i < m->value_count; i++)
		pn_json_double(w, m->values[i]);
	pn_json_close(w, ']');
	pn_json_close(w, '}');
}

static void write_pairs(struct pn_json_writer *w, const char *key,
			const struct pn_profile *p, const struct pn_pair *pairs,
			size_t count)
{
	size_t i;

	pn_json_key(w, key);
	pn_json_open(w, '{');
	for (i = 0; i < count; i++)
		pn_json_member(w, pn_profile_text(p, pairs[i].key),
			       pn_profile_text(p, pairs[i].value));
	pn_json_close(w, '}');
}

/* The fingerprint, as in every profile object, and what is behind it. */
static void write_environment(struct pn_json_writer *w,
			      const struct pn_profile *p)
{
	const struct pn_header *h = &p->header;
	size_t i;

	for (i = 0; i < h->environment_count; i++)
		if (!strcmp(pn_profile_text(p, h->environment[i].key), "env"))
			pn_json_member(
				w, "environment",
				pn_profile_text(p, h->environment[i].value));
	write_pairs(w, "facts", p, h->environment, h->environment_count);
}

static void write_known(struct pn_json_writer *w, const char *key,
			const struct pn_profile *p, uint32_t text)
{
	if (text)
		pn_json_member(w, key, pn_profile_text(p, text));
}

static void write_warnings(struct pn_json_writer *w,
			   const struct view_result *r)
{
	static const char *const names[PN_COLLECT_DOUBTS] = {
		[PN_COLLECT_SLOW_FIRST] = "slow-first",
		[PN_COLLECT_OUTLIERS] = "outliers",
		[PN_COLLECT_TOO_SHORT] = "too-short",
		[PN_COLLECT_FAILED] = "failed",
		[PN_COLLECT_WIDE] = "wide",
	};
	size_t i;

	pn_json_key(w, "warnings");
	pn_json_open(w, '[');
	for (i = 0; i < r->warning_count; i++) {
		pn_json_open(w, '{');
		pn_json_member(w, "kind", names[r->warnings[i].kind]);
		pn_json_member_double(w, "value", r->warnings[i].value);
		pn_json_close(w, '}');
	}
	pn_json_close(w, ']');
}

static void write_result(struct pn_json_writer *w, const struct view_result *r)
{
	const struct pn_profile *p = &r->profile;
	const struct pn_header *h = &p->header;
	size_t i;

	pn_json_open(w, '{');
	pn_json_member(w, "id", r->id);
	pn_json_member(w, "path", r->path);
	if (*r->origin)
		pn_json_member(w, "origin", r->origin);
	pn_json_member_time(w, "time", p->time_ns);
	write_known(w, "type", p, h->kind);
	write_known(w, "collector", p, h->collector.name);
	write_known(w, "cmd", p, h->cmd);
	write_known(w, "args", p, h->args);
	write_known(w, "workload", p, h->workload);
	pn_json_member_int(w, "exit_status", h->exit_status);
	write_environment(w, p);
	if (h->dirty) {
		pn_json_key(w, "dirty");
		pn_json_bool(w, true);
	}
	write_pairs(w, "labels", p, h->labels, h->label_count);
	pn_json_key(w, "metrics");
	pn_json_open(w, '[');
	for (i = 0; i < p->metric_count; i++)
		write_metric(w, p, &p->metrics[i]);
	pn_json_close(w, ']');
	write_warnings(w, r);
	pn_json_close(w, '}');
}

void view_json(struct pn_buf *out, const struct view_result *results,
	       size_t count)
{
	struct pn_json_writer w;
	size_t i;

	pn_json_writer_init(&w, out, 0);
	pn_json_open(&w, '{');
	pn_json_member_int(&w, "version", 1);
	pn_json_member(&w, "command", "collect");
	pn_json_key(&w, "profiles");
	pn_json_open(&w, '[');
	for (i = 0; i < count; i++)
		write_result(&w, &results[i]);
	pn_json_close(&w, ']');
	pn_json_close(&w, '}');
	pn_buf_add_byte(out, '\n');
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
		case PN_COLLECT_DOUBTS:
			break;
		}
	}
}
