/* The verdict on a commit as JSON: git-perf-json(5). */
#include "render/judged/check_functions.h"
#include "render/judged/check_words.h"
#include "render/judged/why.h"

#include "base/json/json.h"
#include "render/log/series.h"
#include "render/sink.h"

#include <math.h>
#include <string.h>

static const char *const doubts[] = {
	[PN_JUDGE_SURE] = NULL,
	[PN_JUDGE_NEW] = "new",
	[PN_JUDGE_UNIT] = "other unit",
	[PN_JUDGE_FOREIGN] = "other machine",
	[PN_JUDGE_GONE] = "not measured",
	[PN_JUDGE_FEW] = "few commits",
	[PN_JUDGE_NOISY] = "noisy",
	[PN_JUDGE_ZERO] = "zero",
	[PN_JUDGE_CLOCK] = "clock",
	[PN_JUDGE_DIRECTION] = "direction",
	[PN_JUDGE_SESSION] = "session",
	[PN_JUDGE_SESSIONS] = "two sessions",
	[PN_JUDGE_NEIGHBOURS] = "neighbours",
	[PN_JUDGE_ROUNDED] = "rounded",
};

static void oid_member(struct pn_json_writer *w, const char *key,
		       const struct pn_oid *oid)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, oid);
	pn_json_member(w, key, hex);
}

/* The least share that there is stands for none. */
static void share_member(struct pn_json_writer *w, const char *key,
			 double share)
{
	pn_json_member_double(w, key, share < 1e-300 ? 0 : share);
}

static void range_member(struct pn_json_writer *w,
			 const struct pn_judge_report *report,
			 const struct pn_judge_row *row)
{
	size_t span = pn_judge_span(report, row);

	if (!span)
		return;
	pn_json_key(w, "range");
	pn_json_open(w, '{');
	oid_member(w, "good", &report->commits[row->to + 1].id);
	oid_member(w, "bad", &report->commits[row->from].id);
	pn_json_member_int(w, "commits", (int64_t)span);
	pn_json_close(w, '}');
}

static void standing_member(struct pn_json_writer *w,
			    const struct pn_judge_report *report,
			    const struct pn_judge_row *row)
{
	const struct pn_judge_stands *s = &row->stands;

	if (isnan(s->ratio))
		return;
	pn_json_key(w, "stands");
	pn_json_open(w, '{');
	oid_member(w, "commit", &report->commits[s->commit].id);
	pn_json_member_double(w, "ratio", s->ratio);
	pn_json_close(w, '}');
}

static void reason_member(struct pn_json_writer *w,
			  const struct pn_judge_report *report,
			  const struct pn_judge_row *row)
{
	const struct pn_judge_reason *reason = pn_judge_reason_of(report, row);

	if (!reason)
		return;
	pn_json_member(w, "why_by", reason->collector);
	pn_json_key(w, "why");
	pn_why_json(w, reason->why);
}

static void row_json(struct pn_json_writer *w,
		     const struct pn_judge_report *report,
		     const struct pn_judge_row *row)
{
	static const char *const better[] = {NULL, "less", "more"};
	const struct pn_figure *key = &row->course->key;

	pn_json_open(w, '{');
	pn_json_member(w, "metric", key->metric);
	pn_series_members(w, &key->series, &row->parts);
	pn_json_member(w, "unit", key->unit);
	pn_json_member(w, "better", better[key->better]);
	pn_json_member(w, "verdict", pn_verdict_name(row->verdict));
	pn_json_member(w, "reason", doubts[row->doubt]);
	pn_json_member_double(w, "before", row->before);
	pn_json_member_double(w, "after", row->after);
	pn_json_member_double(w, "ratio", row->ratio);
	if (pn_judge_has_interval(row)) {
		pn_json_member_double(w, "low", row->low);
		pn_json_member_double(w, "high", row->high);
	}
	pn_json_member_double(w, "p", row->p);
	pn_json_member_double(w, "q", row->q);
	pn_json_key(w, "n");
	pn_json_open(w, '[');
	pn_json_uint(w, row->n[0]);
	pn_json_uint(w, row->n[1]);
	pn_json_close(w, ']');
	share_member(w, "noise", row->noise);
	share_member(w, "mde", row->least_effect);
	share_member(w, "min_effect", row->min_effect);
	pn_json_member(w, "method", pn_judge_method_name(row->method));
	pn_json_member_int(w, "past", (int64_t)row->past);
	if (row->left_out)
		pn_json_member_int(w, "noisy", (int64_t)row->left_out);
	if (row->flagged) {
		pn_json_key(w, "flagged");
		pn_json_bool(w, true);
	}
	range_member(w, report, row);
	standing_member(w, report, row);
	if (row->accepted) {
		pn_json_key(w, "accepted");
		pn_json_open(w, '{');
		pn_json_member(w, "by", row->accepted->by);
		pn_json_member(w, "reason", row->accepted->reason);
		pn_json_close(w, '}');
	}
	reason_member(w, report, row);
	pn_json_close(w, '}');
}

/* Of all that was judged; NULL: they are several. */
static const char *machine_of(const struct pn_judge *judge)
{
	const char *machine = NULL, *at;
	size_t i;

	for (i = 0; i < judge->count; i++) {
		at = judge->rows[i].course->key.series.machine;
		if (machine && strcmp(machine, at) != 0)
			return NULL;
		machine = at;
	}
	return machine && *machine ? machine : NULL;
}

static void print_json(FILE *to, const struct pn_judge_report *report,
		       const struct pn_check_print *print)
{
	static const char *const results[] = {"pass", "fail", "no verdict"};
	struct pn_json_writer *w;
	struct pn_sink sink;
	size_t i;

	(void)print;
	pn_sink_init(&sink, to);
	w = &sink.json;
	pn_json_open(w, '{');
	pn_json_member_int(w, "version", 1);
	pn_json_member(w, "command", "check");
	oid_member(w, "target", &report->target);
	if (report->commit_count > 1)
		oid_member(w, "base", &report->commits[1].id);
	pn_json_member(w, "environment", machine_of(report->judge));
	pn_json_member(w, "result", results[report->result]);
	pn_json_member_int(w, "past", (int64_t)report->commit_count - 1);
	pn_json_member_double(w, "session", report->judge->session);
	pn_json_member_int(w, "dirty", (int64_t)report->dirty);
	pn_json_member_int(w, "unreadable", (int64_t)report->unreadable);
	pn_json_member_int(w, "rewritten", (int64_t)report->rewritten);
	pn_json_key(w, "shallow");
	pn_json_bool(w, report->shallow);
	pn_json_key(w, "verdicts");
	pn_json_open(w, '[');
	for (i = 0; i < report->judge->count; i++) {
		row_json(w, report, &report->judge->rows[i]);
		pn_sink_drain(&sink);
	}
	pn_check_functions_json(&sink, report);
	pn_json_close(w, ']');
	pn_json_close(w, '}');
	pn_buf_add_byte(&sink.text, '\n');
	pn_sink_finish(&sink);
}

const struct pn_check_format pn_check_json = {
	.name = "json",
	.print = print_json,
};
