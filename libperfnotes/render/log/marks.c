/* The marks of a history beside its commits. */
#include "render/log/marks.h"

#include "base/escape.h"
#include "base/text/width.h"
#include "render/quantity.h"

#include <math.h>
#include <string.h>

#define INDENT 4

static bool is_at(const struct pn_marked *m, const struct pn_mark *mark,
		  const struct pn_oid *commit)
{
	return mark->commit < m->commit_count &&
	       pn_oid_equal(&m->commits[mark->commit].id, commit);
}

/* How many commits may have made it; 0: not known. */
static size_t span_of(const struct pn_marked *m, const struct pn_mark *mark)
{
	if (mark->drift || mark->to + 1 >= m->commit_count ||
	    mark->from > mark->to)
		return 0;
	return m->commits[mark->to + 1].distance -
	       m->commits[mark->from].distance;
}

/* Of a line of `width` columns (0: of any). */
static void add_name(struct pn_buf *out, const struct pn_mark *mark,
		     size_t width)
{
	struct pn_buf text = {0}, safe = {0};

	pn_series_text(&text, &mark->course->key.series, &mark->parts);
	pn_escape_terminal(&safe, pn_buf_text(&text), text.len);
	pn_text_fit_name(out, pn_buf_text(&safe), safe.len,
			 width > INDENT + 3 ? width - INDENT - 3 : safe.len);
	pn_buf_clear(&safe);
	pn_escape_terminal(&safe, mark->course->key.metric,
			   strlen(mark->course->key.metric));
	pn_buf_printf(out, ": %s ", pn_buf_text(&safe));
	pn_buf_release(&text);
	pn_buf_release(&safe);
}

static void add_reason(struct pn_buf *out, const struct pn_accepted *accepted)
{
	pn_buf_add_text(out, " (accepted by ");
	pn_escape_terminal(out, accepted->by, strlen(accepted->by));
	pn_buf_add_text(out, ": ");
	pn_escape_terminal(out, accepted->reason, strlen(accepted->reason));
	pn_buf_add_byte(out, ')');
}

/* Where there is no ratio: "-3 ms, was 2 ms". */
static void add_levels(struct pn_buf *out, const struct pn_mark *mark)
{
	const char *unit = mark->course->key.unit;

	pn_quantity_text(out, mark->after, NAN, unit);
	pn_buf_add_text(out, ", was ");
	pn_quantity_text(out, mark->before, NAN, unit);
}

static void add_mark(struct pn_buf *to, const struct pn_marked *m,
		     const struct pn_mark *mark, const struct pn_palette *p,
		     size_t width)
{
	const char *color = mark->accepted || !mark->direction ? p->dim
			    : mark->direction > 0	       ? p->worse
							       : p->better;
	size_t span = span_of(m, mark);
	struct pn_buf text = {0}, *out = &text;

	pn_buf_printf(out, "%*s%s ", INDENT, "", mark->drift ? "~" : "!");
	add_name(out, mark, width);
	if (mark->drift)
		pn_buf_add_text(out, "drifts by ");
	if (isnan(mark->ratio))
		add_levels(out, mark);
	else
		pn_change_text(out, 1, mark->ratio);
	if (!isnan(mark->low) && mark->low != mark->high) {
		pn_buf_add_text(out, " [");
		pn_change_text(out, 1, mark->low);
		pn_buf_add_text(out, ", ");
		pn_change_text(out, 1, mark->high);
		pn_buf_add_byte(out, ']');
	}
	if (mark->drift)
		pn_buf_add_text(out, " since the last jump");
	if (span > 1)
		pn_buf_printf(out, ", by one of %zu commits", span);
	if (mark->accepted)
		add_reason(out, mark->accepted);
	pn_buf_add_text(to, color);
	pn_text_wrap(to, pn_buf_text(out), out->len, width, INDENT + 2);
	pn_buf_printf(to, "%s\n", p->end);
	pn_buf_release(out);
}

void pn_log_marks_text(struct pn_buf *out, const struct pn_marked *m,
		       const struct pn_oid *commit, const struct pn_palette *p,
		       size_t width)
{
	size_t i;

	for (i = 0; i < m->marks->count; i++)
		if (is_at(m, &m->marks->items[i], commit))
			add_mark(out, m, &m->marks->items[i], p, width);
}

static void mark_json(struct pn_json_writer *w, const struct pn_marked *m,
		      const struct pn_mark *mark)
{
	static const char *const words[] = {"better", NULL, "worse"};
	struct pn_buf text = {0};
	size_t span = span_of(m, mark);

	pn_series_text(&text, &mark->course->key.series, &mark->parts);
	pn_json_open(w, '{');
	pn_json_member(w, "kind", mark->drift ? "drift" : "jump");
	pn_json_member(w, "series", pn_buf_text(&text));
	pn_json_member(w, "metric", mark->course->key.metric);
	pn_json_member(w, "change", words[mark->direction + 1]);
	pn_json_member_double(w, "effect", mark->ratio - 1);
	pn_json_member_double(w, "low", mark->low - 1);
	pn_json_member_double(w, "high", mark->high - 1);
	if (!mark->drift) {
		pn_json_member_double(w, "before", mark->before);
		pn_json_member_double(w, "after", mark->after);
		pn_json_member(w, "unit", mark->course->key.unit);
	}
	pn_json_member_double(w, "confidence", mark->confidence);
	if (span)
		pn_json_member_int(w, "commits", (int64_t)span);
	if (mark->accepted)
		pn_json_member(w, "accepted", mark->accepted->by);
	pn_json_close(w, '}');
	pn_buf_release(&text);
}

void pn_log_marks_json(struct pn_json_writer *w, const struct pn_marked *m,
		       const struct pn_oid *commit)
{
	size_t i, n = 0;

	for (i = 0; i < m->marks->count; i++) {
		if (!is_at(m, &m->marks->items[i], commit))
			continue;
		if (!n++) {
			pn_json_key(w, "changes");
			pn_json_open(w, '[');
		}
		mark_json(w, m, &m->marks->items[i]);
	}
	if (n)
		pn_json_close(w, ']');
}
