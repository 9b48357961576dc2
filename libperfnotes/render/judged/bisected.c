/* A bisection. */
#include "render/judged/bisected.h"

#include "base/escape.h"
#include "base/json/json.h"
#include "base/text/width.h"
#include "detect/stats.h"
#include "render/judged/why.h"
#include "render/quantity.h"

#include <math.h>
#include <string.h>

#define INDENT 6 /* of what follows in a further line */
#define SHORT 10 /* digits of an id */

static const char *const states[] = {
	[PN_BISECT_ENDS] = "ends",   [PN_BISECT_GOING] = "going",
	[PN_BISECT_FOUND] = "found", [PN_BISECT_SAME] = "same",
	[PN_BISECT_STUCK] = "stuck",
};

static void add_id(struct pn_buf *out, const struct pn_bisected *b, size_t at)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &b->line[at].id);
	pn_buf_printf(out, "%.*s", SHORT, hex);
}

static void add_text(struct pn_buf *out, const char *text)
{
	pn_escape_terminal(out, text, strlen(text));
}

static void add_count(struct pn_buf *out, size_t count, const char *what)
{
	pn_buf_printf(out, "%zu %s%s", count, what, count == 1 ? "" : "s");
}

static void add_cost(struct pn_buf *out, const struct pn_bisected *b)
{
	add_count(out, b->made, "run");
	if (b->most)
		pn_buf_printf(out, " of %zu", b->most);
	pn_buf_add_text(out, ", ");
	add_count(out, b->builds, "build");
	if (!b->spent_ns)
		return;
	pn_buf_add_text(out, ", ");
	pn_quantity_text(out, (double)b->spent_ns, (double)NAN, "ns");
}

static size_t likeliest(const struct pn_bisected *b)
{
	size_t i, best = 1;

	for (i = 1; i < b->count; i++)
		if (b->look->chance[i] > b->look->chance[best])
			best = i;
	return best;
}

void pn_bisected_step(struct pn_buf *out, const struct pn_bisected *b,
		      size_t last)
{
	const struct pn_bisect_commit *run = &b->runs[last];
	size_t best = likeliest(b);

	add_id(out, b, last);
	pn_buf_add_byte(out, ' ');
	if (run->count)
		pn_quantity_text(out, run->values[run->count - 1], (double)NAN,
				 b->unit);
	else
		pn_buf_add_text(out, "cannot be measured");
	pn_buf_add_text(out, "; ");
	if (b->look->state == PN_BISECT_ENDS) {
		pn_buf_printf(out, "ends differ by t = %.3g so far",
			      b->look->t);
	} else {
		pn_buf_add_text(out, "likeliest ");
		add_id(out, b, best);
		pn_buf_printf(out, " (%.0f %%)", b->look->chance[best] * 100);
		if (b->look->state == PN_BISECT_GOING) {
			pn_buf_add_text(out, ", ");
			add_count(out, b->look->left, "commit");
			pn_buf_add_text(out, " left");
		}
	}
	pn_buf_add_text(out, "; ");
	add_cost(out, b);
}

static void add_percent(struct pn_buf *out, double ratio)
{
	if (ratio >= 2)
		pn_buf_printf(out, "%.3g x", ratio);
	else
		pn_buf_printf(out, "%+.3g %%", (ratio - 1) * 100);
}

static void add_metric(struct pn_buf *out, const struct pn_bisected *b)
{
	add_text(out, *b->metric ? b->metric : "the metric");
	pn_buf_add_text(out, " of ");
	add_text(out, b->job);
	pn_buf_add_byte(out, '/');
	add_text(out, b->collector);
	if (*b->workload) {
		pn_buf_add_byte(out, '@');
		add_text(out, b->workload);
	}
}

/* "user of fib/time +18.3 % [17.1, 19.9]: 74.2 ms, then 88.1 ms" */
static void add_effect(struct pn_buf *out, const struct pn_bisected *b)
{
	const struct pn_bisect_effect *e = &b->effect;
	double spread = e->noise > 0 ? e->noise * e->before : (double)NAN;

	add_metric(out, b);
	pn_buf_add_byte(out, ' ');
	if (isfinite(e->ratio))
		add_percent(out, e->ratio);
	if (isfinite(e->low) && isfinite(e->high) && e->low < e->high) {
		pn_buf_add_text(out, " [");
		add_percent(out, e->low);
		pn_buf_add_text(out, ", ");
		add_percent(out, e->high);
		pn_buf_add_byte(out, ']');
	}
	pn_buf_add_text(out, ": ");
	pn_quantity_text(out, e->before, spread, b->unit);
	pn_buf_add_text(out, ", then ");
	pn_quantity_text(out, e->after, spread, b->unit);
	pn_buf_printf(out, " (%zu and %zu runs)\n", e->n, e->m);
}

static void add_commits(struct pn_buf *out, const struct pn_bisected *b)
{
	size_t i;

	for (i = b->look->from; i <= b->look->to; i++) {
		add_id(out, b, i);
		pn_buf_add_byte(out, ' ');
		add_text(out, b->line[i].subject);
		if (i < b->look->to)
			pn_buf_add_text(out, " (cannot be measured)");
		pn_buf_add_byte(out, '\n');
	}
	if (b->look->from < b->look->to)
		pn_buf_add_text(out, "one of these made it: those that do not "
				     "build or run cannot be told from the "
				     "one behind them\n");
}

static void add_merge(struct pn_buf *out, const struct pn_bisected *b)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &b->merge);
	if (b->inside)
		pn_buf_printf(out, "it came with the merge %.*s\n", SHORT, hex);
	if (b->by_merge)
		pn_buf_add_text(out, "the line that it brought shows no "
				     "change between its ends\n");
}

static void add_found(struct pn_buf *out, const struct pn_bisected *b)
{
	const struct pn_bisect *look = b->look;

	add_commits(out, b);
	add_merge(out, b);
	add_effect(out, b);
	if (b->why) {
		pn_buf_add_text(out, "why: ");
		pn_why_sentence(out, b->why);
		pn_buf_add_byte(out, '\n');
		pn_why_text(out, b->why, 2);
	}
	if (look->steps > 1) {
		pn_buf_printf(out,
			      "the runs show %zu changes: this is the largest, "
			      "between ",
			      look->steps);
		add_id(out, b, look->good);
		pn_buf_add_text(out, " and ");
		add_id(out, b, look->bad);
		pn_buf_add_byte(out, '\n');
	}
	pn_buf_printf(out, "sure by %.4g %%; ",
		      floor(look->confidence * 1e4) / 100);
}

static void add_open(struct pn_buf *out, const struct pn_bisected *b)
{
	size_t best = likeliest(b);

	switch (b->look->state) {
	case PN_BISECT_SAME:
		pn_buf_add_text(out, "no change of ");
		add_metric(out, b);
		pn_buf_add_text(out, " is seen between ");
		add_id(out, b, b->look->good);
		pn_buf_add_text(out, " and ");
		add_id(out, b, b->look->bad);
		pn_buf_printf(out, " (t = %.3g, %zu and %zu runs)\n",
			      b->look->t, b->runs[b->look->good].count,
			      b->runs[b->look->bad].count);
		break;
	case PN_BISECT_STUCK:
		pn_buf_add_text(out, "an end cannot be measured: ");
		add_id(out, b,
		       b->runs[b->look->good].count ? b->look->bad
						    : b->look->good);
		pn_buf_add_byte(out, '\n');
		break;
	default:
		pn_buf_add_text(out, "not decided: ");
		if (b->look->state == PN_BISECT_GOING) {
			pn_buf_add_text(out, "likeliest ");
			add_id(out, b, best);
			pn_buf_printf(out, " (%.0f %%), ",
				      b->look->chance[best] * 100);
			add_count(out, b->look->left, "commit");
			pn_buf_add_text(out, " left\n");
		} else {
			pn_buf_add_text(out, "the ends are not told apart "
					     "yet\n");
		}
	}
}

void pn_bisected_text(struct pn_buf *out, const struct pn_bisected *b,
		      size_t columns)
{
	struct pn_buf text = {0};

	if (b->look->state == PN_BISECT_FOUND)
		add_found(&text, b);
	else
		add_open(&text, b);
	add_cost(&text, b);
	if (b->stored) {
		pn_buf_add_text(&text, "; ");
		add_count(&text, b->stored, "run");
		pn_buf_add_text(&text, " of before");
	}
	pn_buf_add_byte(&text, '\n');
	pn_text_wrap(out, pn_buf_text(&text), text.len, columns, INDENT);
	pn_buf_release(&text);
}

static void put_id(struct pn_json_writer *w, const char *key,
		   const struct pn_oid *id)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, id);
	pn_json_member(w, key, hex);
}

static void put_effect(struct pn_json_writer *w, const struct pn_bisected *b)
{
	const struct pn_bisect_effect *e = &b->effect;

	pn_json_key(w, "effect");
	pn_json_open(w, '{');
	pn_json_member_double(w, "ratio", e->ratio);
	pn_json_member_double(w, "low", e->low);
	pn_json_member_double(w, "high", e->high);
	pn_json_member_double(w, "before", e->before);
	pn_json_member_double(w, "after", e->after);
	pn_json_member_double(w, "noise", e->noise);
	pn_json_member_int(w, "old_n", (int64_t)e->n);
	pn_json_member_int(w, "new_n", (int64_t)e->m);
	pn_json_close(w, '}');
}

static void put_found(struct pn_json_writer *w, const struct pn_bisected *b)
{
	size_t i;

	put_id(w, "commit", &b->line[b->look->to].id);
	pn_json_key(w, "candidates");
	pn_json_open(w, '[');
	for (i = b->look->from; i <= b->look->to; i++) {
		char hex[PN_OID_HEX + 1];

		pn_oid_hex(hex, &b->line[i].id);
		pn_json_string(w, hex);
	}
	pn_json_close(w, ']');
	pn_json_member_double(w, "confidence", b->look->confidence);
	if (b->inside || b->by_merge)
		put_id(w, "merge", &b->merge);
	put_effect(w, b);
	if (b->why) {
		pn_json_key(w, "why");
		pn_why_json(w, b->why);
	}
}

static void put_commits(struct pn_json_writer *w, const struct pn_bisected *b)
{
	size_t i;

	pn_json_key(w, "commits");
	pn_json_open(w, '[');
	for (i = 0; i < b->count; i++) {
		pn_json_open(w, '{');
		put_id(w, "commit", &b->line[i].id);
		pn_json_member(w, "subject", b->line[i].subject);
		pn_json_member_double(w, "chance", b->look->chance[i]);
		pn_json_member_double(w, "weight", b->runs[i].weight);
		pn_json_member_int(w, "runs", (int64_t)b->runs[i].count);
		if (b->runs[i].count)
			pn_json_member_double(
				w, "median",
				pn_stats_median(b->runs[i].values,
						b->runs[i].count));
		if (b->runs[i].skipped)
			pn_json_member(w, "state", "skipped");
		pn_json_close(w, '}');
	}
	pn_json_close(w, ']');
}

void pn_bisected_json(struct pn_buf *out, const struct pn_bisected *b)
{
	struct pn_json_writer w;

	pn_json_writer_init(&w, out, 0);
	pn_json_open(&w, '{');
	pn_json_member_int(&w, "version", 1);
	pn_json_member(&w, "command", "bisect");
	pn_json_member(&w, "job", b->job);
	pn_json_member(&w, "collector", b->collector);
	if (*b->workload)
		pn_json_member(&w, "workload", b->workload);
	if (*b->metric)
		pn_json_member(&w, "metric", b->metric);
	if (*b->unit)
		pn_json_member(&w, "unit", b->unit);
	pn_json_member(&w, "state", states[b->look->state]);
	put_id(&w, "good", &b->line[b->look->good].id);
	put_id(&w, "bad", &b->line[b->look->bad].id);
	pn_json_member_int(&w, "steps", (int64_t)b->look->steps);
	if (b->look->state == PN_BISECT_FOUND)
		put_found(&w, b);
	pn_json_member_int(&w, "runs", (int64_t)b->made);
	pn_json_member_int(&w, "stored_runs", (int64_t)b->stored);
	pn_json_member_int(&w, "builds", (int64_t)b->builds);
	pn_json_member_double(&w, "spent_s", (double)b->spent_ns / 1e9);
	put_commits(&w, b);
	pn_json_close(&w, '}');
	pn_buf_add_byte(out, '\n');
}
