/* What the formats of a check say alike. */
#include "render/judged/check_words.h"

#include "analysis/judge/functions.h"
#include "base/escape.h"
#include "base/text/utf8.h"
#include "base/text/width.h"
#include "model/unit.h"
#include "render/quantity.h"
#include "render/terminal.h"

#include <math.h>
#include <string.h>

#define HEX_SHOWN 10
#define BYTES 4	 /* of a column, at most */
#define INDENT 2 /* of what follows in a further line */

void pn_check_line(struct pn_sink *out, struct pn_buf *text, const char *color)
{
	struct pn_buf safe = {0};

	pn_escape_terminal(&safe, pn_buf_text(text), text->len);
	pn_buf_add_text(&out->text, color);
	pn_text_wrap_names(&out->text, pn_buf_text(&safe), safe.len,
			   pn_terminal_columns(out->to), INDENT);
	pn_buf_release(&safe);
	if (*color)
		pn_buf_add_text(&out->text, out->palette.end);
	pn_buf_add_byte(&out->text, '\n');
	pn_buf_clear(text);
}

/* What combines takes no column, but bytes. */
void pn_check_name(struct pn_buf *out, const char *name, size_t columns)
{
	size_t len = strlen(name), taken,
	       fits = pn_text_bytes(&taken, name, len, columns);

	if (fits == len && len <= BYTES * columns) {
		pn_buf_add(out, name, len);
		return;
	}
	fits = pn_text_bytes(&taken, name, len, columns - 3);
	if (fits > BYTES * columns)
		fits = BYTES * columns;
	while (fits && pn_utf8_is_tail((unsigned char)name[fits]))
		fits--;
	pn_buf_add(out, name, fits);
	pn_buf_add_text(out, "...");
}

void pn_check_series(struct pn_buf *out, const struct pn_judge_row *row)
{
	struct pn_buf text = {0};

	pn_series_text(&text, &row->course->key.series, &row->parts);
	pn_check_name(out, pn_buf_text(&text), PN_CHECK_NAME);
	pn_buf_release(&text);
}

void pn_check_metric(struct pn_buf *out, const struct pn_judge_row *row)
{
	pn_check_name(out, row->course->key.metric, PN_CHECK_NAME);
}

static void add_percent(struct pn_buf *out, double share, bool sign)
{
	double percent = share * 100, size = fabs(percent);

	if (sign && percent >= 0)
		pn_buf_add_byte(out, '+');
	if (size >= 100)
		pn_buf_printf(out, "%.0f", percent);
	else
		pn_unit_fixed(out, percent, size < 1 ? 2 : 1);
}

void pn_check_ratio(struct pn_buf *out, double ratio)
{
	if (ratio >= 10)
		pn_buf_printf(out, "x%.0f", ratio);
	else
		add_percent(out, ratio - 1, true);
	if (ratio < 10)
		pn_buf_add_byte(out, '%');
}

void pn_check_ratios(struct pn_buf *out, double low, double high)
{
	pn_buf_add_byte(out, '[');
	add_percent(out, low - 1, true);
	pn_buf_add_text(out, ", ");
	if (high < 100)
		add_percent(out, high - 1, true);
	else
		pn_buf_printf(out, "x%.0f", high);
	pn_buf_add_byte(out, ']');
}

void pn_check_change(struct pn_buf *out, const struct pn_judge_row *row)
{
	if (!isnan(row->ratio))
		pn_check_ratio(out, row->ratio);
}

void pn_check_interval(struct pn_buf *out, const struct pn_judge_row *row)
{
	if (pn_judge_has_interval(row))
		pn_check_ratios(out, row->low, row->high);
}

void pn_check_seen(struct pn_buf *out, const struct pn_judge_row *row)
{
	/* a confirmed change was seen: its interval says how well */
	if (isnan(row->least_effect) || pn_judge_direction(row->verdict))
		return;
	if (row->least_effect >= 9) { /* as a change of that size is shown */
		pn_buf_printf(out, "x%.0f", 1 + row->least_effect);
		return;
	}
	add_percent(out, row->least_effect, false);
	pn_buf_add_byte(out, '%');
}

/* Even twice as much would not be noticed, and nobody asked for that. */
static bool tells_little(const struct pn_judge_row *row)
{
	return row->noise > 0 && row->least_effect >= 1 &&
	       row->least_effect > row->min_effect;
}

bool pn_check_is_change(const struct pn_judge_row *row)
{
	return pn_judge_direction(row->verdict) ||
	       row->verdict == PN_VERDICT_MAYBE_DEGRADATION ||
	       row->verdict == PN_VERDICT_MAYBE_OPTIMIZATION;
}

static bool is_time(const struct pn_judge_row *row)
{
	return !strcmp(pn_unit_base(row->course->key.unit), "ns");
}

static void add_verb(struct pn_buf *out, const struct pn_judge_row *row)
{
	bool sure = pn_judge_direction(row->verdict) != 0;
	bool more = !(row->after < row->before);

	if (!sure)
		pn_buf_add_text(out, "may have ");
	if (is_time(row) && row->course->key.better == PN_BETTER_LESS)
		pn_buf_add_text(out, more ? "got slower" : "got faster");
	else if (more)
		pn_buf_add_text(out, sure ? "grew" : "grown");
	else
		pn_buf_add_text(out, sure ? "shrank" : "shrunk");
}

static void add_quantity(struct pn_buf *out, const struct pn_judge_row *row,
			 double value)
{
	double spread = row->noise > 0 ? fabs(value) * row->noise : (double)NAN;
	struct pn_buf text = {0};

	pn_quantity_text(&text, value, spread, row->course->key.unit);
	pn_check_name(out, pn_buf_text(&text), PN_CHECK_NAME);
	pn_buf_release(&text);
}

static void add_culprits(struct pn_buf *out,
			 const struct pn_judge_report *report,
			 const struct pn_judge_row *row)
{
	size_t span = pn_judge_span(report, row);
	char hex[PN_OID_HEX + 1];

	if (report->pair || !span || (span == 1 && !row->from))
		return;
	pn_oid_hex(hex, &report->commits[row->from].id);
	if (span == 1)
		pn_buf_printf(out, ", by commit %.*s", HEX_SHOWN, hex);
	else
		pn_buf_printf(out, ", by one of %zu commits up to %.*s", span,
			      HEX_SHOWN, hex);
}

/* A change: how large, from what to what, since when. */
static void add_change(struct pn_buf *out, const struct pn_judge_report *report,
		       const struct pn_judge_row *row)
{
	struct pn_judge_row plain = *row;

	pn_buf_add_byte(out, ' ');
	add_verb(out, row);
	if (!isnan(row->ratio)) {
		/* the verb says which way: no sign */
		if (row->ratio < 1) {
			plain.ratio = 2 - row->ratio;
			plain.low = 2 - row->high;
			plain.high = 2 - row->low;
		}
		pn_buf_add_text(out, " by ");
		add_percent(out, plain.ratio - 1, false);
		pn_buf_add_byte(out, '%');
		if (pn_judge_has_interval(row)) {
			pn_buf_add_text(out, " [");
			add_percent(out, plain.low - 1, false);
			pn_buf_add_text(out, ", ");
			add_percent(out, plain.high - 1, false);
			pn_buf_add_byte(out, ']');
		}
	}
	pn_buf_add_text(out, ": ");
	add_quantity(out, row, row->after);
	pn_buf_add_text(out, ", was ");
	add_quantity(out, row, row->before);
	add_culprits(out, report, row);
	if (row->accepted) {
		pn_buf_add_text(out, " (accepted by ");
		pn_check_name(out, row->accepted->by, PN_CHECK_NAME);
		pn_buf_add_text(out, ": ");
		pn_check_name(out, row->accepted->reason, PN_CHECK_NAME);
		pn_buf_add_byte(out, ')');
	}
}

/* Whether its series takes that time: the wall clock's, or the only one that it
 * has. Results of several benchmarks are none of them. */
static bool is_of_series(const struct pn_judge_report *report,
			 const struct pn_judge_row *row)
{
	const struct pn_figure *key = &row->course->key;
	size_t i;

	if (!row->headline || !is_time(row))
		return false;
	if (!strcmp(key->metric, "wall"))
		return true;
	for (i = 0; i < report->judge->count; i++) {
		const struct pn_judge_row *other = &report->judge->rows[i];

		if (other != row && is_time(other) &&
		    !pn_series_cmp(&other->course->key.series, &key->series) &&
		    strcmp(other->course->key.metric, key->metric) != 0)
			return false;
	}
	return true;
}

void pn_check_sentence(struct pn_buf *out, const struct pn_judge_report *report,
		       const struct pn_judge_row *row)
{
	pn_check_series(out, row);
	if (!is_of_series(report, row)) {
		pn_buf_add_text(out, ": ");
		pn_check_metric(out, row);
	}
	switch (row->verdict) {
	case PN_VERDICT_NO_CHANGE:
		if (tells_little(row))
			pn_buf_add_text(out, " varies too much to tell a "
					     "change by less than ");
		else if (isnan(row->least_effect))
			pn_buf_add_text(out, " did not change");
		else
			pn_buf_add_text(out, " did not change by more than ");
		pn_check_seen(out, row);
		break;
	case PN_VERDICT_NOT_IN_BASELINE:
	case PN_VERDICT_NOT_IN_TARGET:
	case PN_VERDICT_UNKNOWN:
		pn_buf_add_text(out, ": ");
		pn_check_doubt(out, row);
		break;
	default:
		add_change(out, report, row);
	}
}

/* A revision as it was typed, with its id where that is not what was typed. */
static void add_rev(struct pn_buf *out, const char *rev,
		    const struct pn_oid *id)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, id);
	if (strncmp(rev, hex, strlen(rev)) != 0)
		pn_buf_printf(out, "%s (%.*s)", rev, HEX_SHOWN, hex);
	else
		pn_buf_printf(out, "%.*s", HEX_SHOWN, hex);
}

void pn_check_title(struct pn_buf *out, const struct pn_judge_report *report)
{
	size_t past = report->commit_count - 1;

	add_rev(out, report->target_rev, &report->target);
	pn_buf_add_text(out, " beside ");
	if (report->base_rev)
		add_rev(out, report->base_rev, &report->commits[1].id);
	if (report->pair)
		return;
	pn_buf_printf(out, "%s of %zu measured commit%s%s",
		      report->base_rev ? " and its past" : "its past", past,
		      past == 1 ? "" : "s",
		      report->shallow ? " in this shallow clone" : "");
}

static void add_total(struct pn_buf *out, size_t count, const char *what)
{
	if (!count)
		return;
	if (out->len)
		pn_buf_add_text(out, ", ");
	pn_buf_printf(out, "%zu %s", count, what);
}

/* What fails, by its verdicts, the worst first. */
static void add_failing(struct pn_buf *out,
			const size_t of[PN_VERDICT_UNKNOWN + 1],
			const char *what)
{
	struct pn_buf text = {0};
	size_t i, n = 0;

	for (i = 0; i <= PN_VERDICT_UNKNOWN; i++) {
		add_total(&text, of[i], pn_verdict_name(i));
		n += of[i];
	}
	if (n)
		pn_buf_printf(out, "; %zu %s%s: %s", n, what,
			      n == 1 ? " fails" : "s fail", pn_buf_text(&text));
	pn_buf_release(&text);
}

void pn_check_totals(struct pn_buf *out, const struct pn_judge_report *report)
{
	size_t failing[PN_VERDICT_UNKNOWN + 1] = {0}, i;
	const struct pn_judge *j = report->judge;
	struct pn_buf text = {0};

	add_total(&text, j->worse, "worse");
	add_total(&text, j->better, "better");
	add_total(&text, j->maybe, "not sure");
	add_total(&text, j->same, "unchanged");
	add_total(&text, j->unknown, "without a verdict");
	pn_buf_printf(out, "%zu metric%s: %s", j->count,
		      j->count == 1 ? "" : "s", pn_buf_text(&text));
	pn_buf_release(&text);
	/* what is worse is known to fail, unless somebody says otherwise */
	for (i = 0; i < j->count; i++)
		if (pn_judge_direction(j->rows[i].verdict) <= 0 &&
		    pn_judge_fails(report, &j->rows[i]))
			failing[j->rows[i].verdict]++;
	add_failing(out, failing, "metric");
	pn_judge_functions_failing(failing, report);
	add_failing(out, failing, "function");
}

void pn_check_standing(struct pn_buf *out, const struct pn_judge_report *report,
		       const struct pn_judge_row *row)
{
	const struct pn_judge_stands *s = &row->stands;
	char hex[PN_OID_HEX + 1];
	size_t behind;

	if (isnan(s->ratio) || s->commit >= report->commit_count)
		return;
	pn_oid_hex(hex, &report->commits[s->commit].id);
	behind = report->commits[s->commit].distance;
	pn_buf_add_text(out, "got worse by ");
	pn_check_ratio(out, s->ratio);
	pn_buf_printf(out,
		      " at %.*s, %zu commit%s before: nobody has accepted it",
		      HEX_SHOWN, hex, behind, behind == 1 ? "" : "s");
}

void pn_check_doubt(struct pn_buf *out, const struct pn_judge_row *row)
{
	switch (row->doubt) {
	case PN_JUDGE_SURE:
		break;
	case PN_JUDGE_NEW:
		pn_buf_add_text(out, "not measured at any commit before");
		break;
	case PN_JUDGE_UNIT:
		pn_buf_printf(out, "measured in '%s', before in '%s'",
			      row->course->key.unit, row->other_unit);
		break;
	case PN_JUDGE_FOREIGN:
		pn_buf_add_text(out, "measured before on other machines only, "
				     "last on '");
		pn_check_name(out, row->course->foreign_machine, PN_CHECK_NAME);
		pn_buf_add_byte(out, '\'');
		break;
	case PN_JUDGE_GONE:
		pn_buf_add_text(out, "not measured at this commit");
		break;
	case PN_JUDGE_FEW:
		pn_buf_printf(out,
			      "%zu measured commit%s before, 3 tell how much "
			      "it varies, 21 make sure",
			      row->past, row->past == 1 ? "" : "s");
		break;
	case PN_JUDGE_NOISY:
		pn_buf_add_text(out, "measured while the machine was busy");
		break;
	case PN_JUDGE_ZERO:
		pn_buf_add_text(out, "values of 0 or less have no ratio");
		break;
	case PN_JUDGE_CLOCK:
		pn_buf_add_text(out, "too short for its clock: measure more "
				     "work, or with a finer one");
		break;
	case PN_JUDGE_DIRECTION:
		pn_buf_add_text(out,
				"changed, but is more better? ([metric \"");
		pn_check_metric(out, row);
		pn_buf_add_text(out, "\"] better = less|more in .gitperf says "
				     "it)");
		break;
	case PN_JUDGE_SESSION:
		pn_buf_add_text(out,
				"all metrics moved at once: measure again, "
				"or on a quiet machine");
		break;
	case PN_JUDGE_NEIGHBOURS:
		pn_buf_add_text(out, "neither processor time nor the fastest "
				     "runs changed: other programs may have");
		break;
	case PN_JUDGE_ROUNDED:
		pn_buf_add_text(out, "rounded, and a few of the last digit "
				     "apart: more runs tell");
		break;
	case PN_JUDGE_SESSIONS:
		pn_buf_add_text(out, "two sessions that are not known to be "
				     "alike: ten measured commits before tell");
		break;
	}
}
