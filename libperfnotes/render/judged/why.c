/* The functions that explain a change. */
#include "render/judged/why.h"

#include "base/escape.h"
#include "base/text/width.h"
#include "render/judged/check_words.h"
#include "render/quantity.h"

#include <math.h>
#include <string.h>

#define NAME_MAX_SHOWN 60 /* columns of a name: C++ has endless ones */
#define TWICE 2		  /* from here on "3 x as often", below in percent */
#define MANY 1000	  /* from here on it is another thing */
#define SAME 0.01	  /* of a ratio: the caller's is that of all calls */

static const char *const states[] = {
	[PN_DIFF_CHANGED] = "changed",
	[PN_DIFF_NEW] = "new",
	[PN_DIFF_GONE] = "gone",
	[PN_DIFF_RENAMED] = "renamed",
};

static const char *const causes[] = {
	[PN_FUNCTION_CALLS] = "calls",
	[PN_FUNCTION_COST] = "cost",
	[PN_FUNCTION_CALLS_AND_COST] = "calls and cost",
};

static void add_name(struct pn_buf *out, const char *name)
{
	struct pn_buf safe = {0}, cut = {0};

	pn_check_name(&cut, name, NAME_MAX_SHOWN + 3);
	pn_escape_terminal(&safe, pn_buf_text(&cut), cut.len);
	pn_text_fit(out, pn_buf_text(&safe), safe.len, NAME_MAX_SHOWN + 3);
	pn_buf_release(&safe);
	pn_buf_release(&cut);
}

static void add_delta(struct pn_buf *out, double delta, const char *unit)
{
	if (delta > 0)
		pn_buf_add_byte(out, '+');
	pn_quantity_text(out, delta, (double)NAN, unit);
}

/* "3 x as often", "12 % more often", "40 % less often"; `what`: "often" or
 * "much". */
static void add_times(struct pn_buf *out, double ratio, const char *what)
{
	if (ratio >= MANY)
		pn_buf_printf(out, "over %d x as %s", MANY, what);
	else if (ratio >= TWICE)
		pn_buf_printf(out, "%.*g x as %s", ratio < 10 ? 2 : 3, ratio,
			      what);
	else if (ratio > 0)
		pn_buf_printf(out, "%.3g %% %s%s", fabs(ratio - 1) * 100,
			      ratio > 1 ? "more" : "less",
			      strcmp(what, "often") ? "" : " often");
}

/* Who made the calls more, or fewer: all are of one that did before, or now of
 * another one, or it tells how many. */
static void add_caller(struct pn_buf *out, const struct pn_why_row *row)
{
	double ratio = row->new_calls / row->old_calls;
	double own = row->caller_new / row->caller_old;
	double more = row->caller_new - row->caller_old;

	if (fabs(own - ratio) <= SAME * ratio) {
		pn_buf_add_text(out, " from ");
	} else if (row->caller_old == 0 && row->caller_new == row->new_calls) {
		pn_buf_add_text(out, ", now from ");
	} else {
		pn_buf_add_text(out, ", ");
		pn_quantity_text(out, fabs(more), (double)NAN, "count");
		pn_buf_add_text(out, more > 0 ? " more from " : " fewer from ");
	}
	add_name(out, row->caller);
}

static void add_calls(struct pn_buf *out, const struct pn_why_row *row)
{
	pn_buf_add_text(out, ", called ");
	add_times(out, row->new_calls / row->old_calls, "often");
	if (row->caller && !row->moved)
		add_caller(out, row);
}

static void add_cost(struct pn_buf *out, const struct pn_why_row *row)
{
	double each = (row->new_self / row->new_calls) /
		      (row->old_self / row->old_calls);

	if (!isfinite(each) || each <= 0)
		return;
	pn_buf_add_text(out, ", each call costs ");
	add_times(out, each, "much");
}

/* How it came: behind its name and its change. */
static void add_how(struct pn_buf *out, const struct pn_why_row *row)
{
	bool calls = row->cause == PN_FUNCTION_CALLS ||
		     row->cause == PN_FUNCTION_CALLS_AND_COST;

	if (calls)
		add_calls(out, row);
	if (row->cause == PN_FUNCTION_COST ||
	    row->cause == PN_FUNCTION_CALLS_AND_COST)
		add_cost(out, row);
	if (row->moved) {
		pn_buf_add_text(out, calls ? ", from " : ", called from ");
		add_name(out, row->caller);
		pn_buf_add_text(out, " instead of ");
		add_name(out, row->moved_from);
	}
	if (row->state == PN_DIFF_NEW && row->caller) {
		pn_buf_add_text(out, ", called from ");
		add_name(out, row->caller);
	}
}

static void add_row(struct pn_buf *out, const struct pn_why *why,
		    const struct pn_why_row *row)
{
	add_name(out, row->name);
	if (row->old_name && strcmp(row->old_name, row->name) != 0) {
		pn_buf_add_text(out, " (was ");
		add_name(out, row->old_name);
		pn_buf_add_byte(out, ')');
	}
	if (row->state == PN_DIFF_NEW || row->state == PN_DIFF_GONE)
		pn_buf_printf(out, " is %s,", states[row->state]);
	pn_buf_add_byte(out, ' ');
	add_delta(out, row->delta, why->unit);
	add_how(out, row);
}

static void add_parts(struct pn_buf *out, const struct pn_why *why,
		      const char *between)
{
	size_t i, shown = 0;

	for (i = 0; i < why->explaining_count && shown < PN_WHY_SENTENCE_MAX;
	     i++) {
		if (shown++)
			pn_buf_add_text(out, between);
		add_row(out, why, &why->rows[i]);
	}
	if (!shown) {
		pn_buf_add_text(out, "no function explains it");
		return;
	}
	if (why->explaining_count > shown)
		pn_buf_printf(out, "; %zu more", why->explaining_count - shown);
	if (why->delta != 0)
		pn_buf_printf(out, "%s%.0f %% of it explained", between,
			      why->explained * 100);
}

void pn_why_sentence(struct pn_buf *out, const struct pn_why *why)
{
	add_parts(out, why, "; ");
}

void pn_why_lines(struct pn_buf *out, const struct pn_why *why)
{
	pn_buf_add_text(out, "  ");
	add_parts(out, why, "\n  ");
}

void pn_why_reason(struct pn_buf *out, const struct pn_judge_reason *reason,
		   const struct pn_judge_row *row, bool lines)
{
	if (lines)
		pn_why_lines(out, reason->why);
	else
		pn_why_sentence(out, reason->why);
	if (strcmp(reason->collector, row->course->key.series.collector) != 0) {
		pn_buf_add_text(out, ", says ");
		pn_escape_terminal(out, reason->collector,
				   strlen(reason->collector));
	}
}

void pn_why_change(struct pn_buf *out, const struct pn_judge_report *report,
		   const struct pn_judge_row *row)
{
	const struct pn_judge_reason *reason = pn_judge_reason_of(report, row);

	pn_check_sentence(out, report, row);
	if (!reason)
		return;
	pn_buf_add_text(out, "; ");
	pn_why_reason(out, reason, row, false);
}

static void add_right(struct pn_buf *out, const struct pn_buf *text,
		      size_t width)
{
	size_t i;

	for (i = text->len; i < width; i++)
		pn_buf_add_byte(out, ' ');
	pn_buf_add(out, text->data, text->len);
}

void pn_why_text(struct pn_buf *out, const struct pn_why *why,
		 unsigned int indent)
{
	struct pn_buf cell = {0};
	size_t i;

	for (i = 0; i < why->row_count; i++) {
		const struct pn_why_row *row = &why->rows[i];

		pn_buf_printf(out, "%*s", (int)indent, "");
		add_delta(&cell, row->delta, why->unit);
		add_right(out, &cell, 10);
		pn_buf_clear(&cell);
		pn_buf_printf(&cell, "%+.0f %%", row->of_change * 100);
		add_right(out, &cell, 8);
		pn_buf_clear(&cell);
		pn_buf_add_text(out, "  ");
		add_name(out, row->name);
		if (row->old_name && strcmp(row->old_name, row->name) != 0) {
			pn_buf_add_text(out, " (renamed from ");
			add_name(out, row->old_name);
			pn_buf_add_byte(out, ')');
		} else if (row->state != PN_DIFF_CHANGED) {
			pn_buf_printf(out, " (%s)", states[row->state]);
		}
		add_how(out, row);
		pn_buf_add_byte(out, '\n');
	}
	pn_buf_release(&cell);
}

static void put_calls(struct pn_json_writer *w, const struct pn_why_row *row)
{
	pn_json_member_double(w, "old_calls", row->old_calls);
	pn_json_member_double(w, "new_calls", row->new_calls);
	pn_json_member_double(w, "by_calls", row->by_calls);
	pn_json_member_double(w, "by_each", row->by_each);
	if (row->cause != PN_FUNCTION_CAUSE_UNKNOWN)
		pn_json_member(w, "cause", causes[row->cause]);
	if (row->caller) {
		pn_json_member(w, "caller", row->caller);
		pn_json_member_double(w, "caller_old_calls", row->caller_old);
		pn_json_member_double(w, "caller_new_calls", row->caller_new);
	}
	if (row->moved)
		pn_json_member(w, "moved_from", row->moved_from);
}

static void put_row(struct pn_json_writer *w, const struct pn_why_row *row)
{
	pn_json_open(w, '{');
	pn_json_member(w, "function", row->name);
	if (row->old_name)
		pn_json_member(w, "old_name", row->old_name);
	if (*row->file)
		pn_json_member(w, "file", row->file);
	pn_json_member(w, "state", states[row->state]);
	pn_json_member(w, "verdict", pn_verdict_name(row->verdict));
	pn_json_member_double(w, "old_self", row->old_self);
	pn_json_member_double(w, "new_self", row->new_self);
	pn_json_member_double(w, "delta", row->delta);
	pn_json_member_double(w, "of_change", row->of_change);
	pn_json_member_double(w, "ratio", row->ratio);
	pn_json_member_double(w, "low", row->low);
	pn_json_member_double(w, "high", row->high);
	pn_json_member_double(w, "q", row->q);
	put_calls(w, row);
	pn_json_close(w, '}');
}

void pn_why_json(struct pn_json_writer *w, const struct pn_why *why)
{
	size_t i;

	pn_json_open(w, '{');
	pn_json_member(w, "type", why->type);
	pn_json_member(w, "unit", why->unit);
	pn_json_member_double(w, "old_total", why->old_total);
	pn_json_member_double(w, "new_total", why->new_total);
	pn_json_member_double(w, "delta", why->delta);
	pn_json_member_double(w, "common", why->common);
	pn_json_member_double(w, "explained", why->explained);
	pn_json_key(w, "tested");
	pn_json_bool(w, why->tested);
	pn_json_member_int(w, "changed", (int64_t)why->changed_count);
	pn_json_key(w, "rows");
	pn_json_open(w, '[');
	for (i = 0; i < why->row_count; i++)
		put_row(w, &why->rows[i]);
	pn_json_close(w, ']');
	pn_json_close(w, '}');
}
