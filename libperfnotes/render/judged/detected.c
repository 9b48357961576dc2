/* What a detector says. */
#include "render/judged/detected.h"

#include "base/escape.h"

#include <math.h>
#include <string.h>

static void add_number(struct pn_buf *out, const char *name, double value)
{
	if (isinf(value))
		pn_buf_printf(out, "  %s infinite", name);
	else if (!isnan(value))
		pn_buf_printf(out, "  %s %.4g", name, value);
}

static void add_row(struct pn_buf *out, const struct pn_detected_row *row)
{
	pn_buf_printf(out, "  %-19s  ", pn_verdict_name(row->check.verdict));
	pn_escape_terminal(out, row->uid, strlen(row->uid));
	add_number(out, "rate", row->check.rate);
	add_number(out, "confidence", row->check.confidence);
	if (*row->check.change)
		pn_buf_printf(out, "  %s", row->check.change);
	pn_buf_add_byte(out, '\n');
}

void pn_detected_text(struct pn_buf *out, const struct pn_detected *found,
		      bool all)
{
	size_t i, shown = 0;
	int verdict;

	for (verdict = 0; verdict <= PN_VERDICT_UNKNOWN; verdict++) {
		if (!all && verdict == PN_VERDICT_NO_CHANGE)
			continue;
		for (i = 0; i < found->count; i++)
			if ((int)found->rows[i].check.verdict == verdict) {
				add_row(out, &found->rows[i]);
				shown++;
			}
	}
	if (shown < found->count)
		pn_buf_printf(out, "  %zu without a change\n",
			      found->count - shown);
	if (!found->count)
		pn_buf_add_text(out, "  no function has enough of both\n");
}

void pn_detected_json(struct pn_json_writer *w, const struct pn_detected *found)
{
	size_t i;

	pn_json_open(w, '[');
	for (i = 0; i < found->count; i++) {
		const struct pn_detected_row *row = &found->rows[i];

		pn_json_open(w, '{');
		pn_json_member(w, "uid", row->uid);
		pn_json_member(w, "verdict",
			       pn_verdict_name(row->check.verdict));
		pn_json_member_double(w, "rate", row->check.rate);
		pn_json_member_double(w, "confidence", row->check.confidence);
		if (*row->check.change)
			pn_json_member(w, "change", row->check.change);
		pn_json_close(w, '}');
	}
	pn_json_close(w, ']');
}

void pn_detection_text(struct pn_buf *out, const struct pn_detection *d,
		       bool all)
{
	size_t i;

	for (i = 0; i < d->count; i++) {
		const struct pn_detected_series *s = &d->items[i];

		pn_buf_printf(out, "%s%s%s%s\n", s->name,
			      d->by_rules ? ", " : "",
			      d->by_rules ? s->detector->name : "",
			      s->why.code ? ": not compared" : "");
		if (!s->why.code)
			pn_detected_text(out, &s->found, all);
	}
}

void pn_detection_json(struct pn_buf *out, const struct pn_detection *d,
		       const char *name)
{
	struct pn_json_writer w;
	size_t i;

	pn_json_writer_init(&w, out, 0);
	pn_json_open(&w, '{');
	pn_json_member_int(&w, "version", 1);
	pn_json_member(&w, "command", "check");
	pn_json_member(&w, "detector", name);
	pn_json_key(&w, "series");
	pn_json_open(&w, '[');
	for (i = 0; i < d->count; i++) {
		pn_json_open(&w, '{');
		pn_json_member(&w, "series", d->items[i].name);
		pn_json_member(&w, "detector", d->items[i].detector->name);
		if (d->items[i].why.code)
			pn_json_member(&w, "reason", d->items[i].why.message);
		pn_json_key(&w, "verdicts");
		pn_detected_json(&w, &d->items[i].found);
		pn_json_close(&w, '}');
	}
	pn_json_close(&w, ']');
	pn_json_close(&w, '}');
	pn_buf_add_byte(out, '\n');
}
