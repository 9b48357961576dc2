/* Words about functions over commits. */
#include "render/functions/words.h"

#include "base/escape.h"
#include "base/text/width.h"
#include "render/quantity.h"

#include <math.h>
#include <string.h>

#define WIDTH 80
#define LESS_MAX 20 /* columns that are taken from names */

#define LONG 4096 /* bytes of a text that are looked at */

void pn_functions_add_name(struct pn_buf *out, const char *text, size_t width)
{
	struct pn_buf safe = {0};

	pn_escape_terminal(&safe, text, strnlen(text, LONG));
	pn_text_fit(out, pn_buf_text(&safe), safe.len, width);
	pn_buf_release(&safe);
}

/* Of a path the end tells most. */
void pn_functions_add_path(struct pn_buf *out, const char *text, size_t width)
{
	size_t len = strnlen(text, LONG);
	const char *at = text;

	while (pn_text_width(at, len - (size_t)(at - text)) > width) {
		const char *slash = strchr(at + 1, '/');

		if (!slash || slash >= text + len)
			break;
		at = slash;
	}
	if (at > text)
		at++;
	pn_functions_add_name(out, at, width);
}

static void add_right(struct pn_buf *out, const struct pn_buf *text,
		      size_t width)
{
	size_t has = pn_text_width(pn_buf_text(text), text->len);

	pn_buf_printf(out, "%*s", has < width ? (int)(width - has) : 0, "");
	pn_buf_add(out, text->data, text->len);
}

void pn_functions_add_figure(struct pn_buf *out, double value, const char *unit,
			     size_t width)
{
	struct pn_buf text = {0}, safe = {0};

	pn_quantity_text(&text, value, NAN, unit);
	pn_text_fit(&safe, pn_buf_text(&text), text.len, 24);
	add_right(out, &safe, width);
	pn_buf_release(&text);
	pn_buf_release(&safe);
}

void pn_functions_add_share(struct pn_buf *out, double share, size_t width)
{
	struct pn_buf text = {0};

	pn_buf_printf(&text, "%.1f%%", share * 100);
	add_right(out, &text, width);
	pn_buf_release(&text);
}

size_t pn_functions_less(size_t columns)
{
	size_t least = WIDTH - LESS_MAX;

	if (!columns || columns >= WIDTH)
		return 0;
	return WIDTH - (columns < least ? least : columns);
}

void pn_functions_add_head(struct pn_buf *out, const struct pn_blame *blame,
			   const struct pn_function_history *series,
			   const struct pn_palette *palette, size_t less)
{
	struct pn_buf text = {0}, safe = {0};

	pn_series_text(&text, &series->series, &series->parts);
	pn_buf_add_text(out, palette->head);
	pn_escape_terminal(&safe, pn_buf_text(&text), text.len);
	pn_text_fit_name(out, pn_buf_text(&safe), safe.len, 48 - less);
	pn_buf_printf(out, "%s: ", palette->end);
	pn_functions_add_name(out, series->type, 14);
	pn_buf_printf(out, ", %zu of %zu commits\n\n", series->point_count,
		      blame->commit_count);
	pn_buf_release(&safe);
	pn_buf_release(&text);
}

size_t pn_functions_span(const struct pn_function_change *change)
{
	return change->to >= change->from ? change->to - change->from + 1 : 1;
}

void pn_functions_add_change(struct pn_buf *out,
			     const struct pn_function_history *series,
			     const struct pn_function_change *change,
			     const struct pn_palette *palette, size_t width)
{
	struct pn_buf text = {0};

	if (change->kind == PN_FUNCTION_CAME)
		pn_buf_add_text(&text, "new");
	else if (change->kind == PN_FUNCTION_WENT)
		pn_buf_add_text(&text, "gone");
	else
		pn_change_text(&text, 1, change->ratio);
	pn_buf_add_text(out, pn_function_change_direction(series, change) > 0
				     ? palette->worse
				     : palette->better);
	add_right(out, &text, width);
	pn_buf_add_text(out, palette->end);
	pn_buf_release(&text);
}

/* "cost nothing at the oldest 2 commits, too few" */
static void add_absence(struct pn_buf *out, const struct pn_function_changes *c,
			const char *which)
{
	bool none = !(c->apart_ratio > 0);

	pn_buf_printf(out, "cannot tell: it cost %s at the %s ",
		      none ? "nothing" : "something", which);
	if (c->apart > 1)
		pn_buf_printf(out, "%zu commits%s, too few", c->apart,
			      none ? "" : " alone");
	else
		pn_buf_add_text(out, none ? "commit, and one is too few"
					  : "commit alone");
}

static void add_apart(struct pn_buf *out, const struct pn_function_changes *c)
{
	const char *which =
		c->doubt == PN_FUNCTION_NEWEST ? "newest" : "oldest";

	if (!(c->apart_ratio > 0) || isinf(c->apart_ratio)) {
		add_absence(out, c, which);
		return;
	}
	pn_buf_printf(out, "cannot tell: the %s ", which);
	if (c->apart > 1)
		pn_buf_printf(out, "%zu commits differ by ", c->apart);
	else
		pn_buf_add_text(out, "commit differs by ");
	pn_change_text(out, 1, c->apart_ratio);
	pn_buf_add_text(out, c->apart > 1 ? ", and are too few"
					  : ", and one is too few");
}

void pn_functions_add_doubt(struct pn_buf *out, const struct pn_blame_row *row)
{
	size_t count = row->changes.measured;
	bool exact = row->series->exact;

	if (row->changes.doubt == PN_FUNCTION_FEW)
		pn_buf_printf(out,
			      "cannot tell: %zu commit%s measured, %d needed",
			      count, count == 1 ? " was" : "s were",
			      exact ? 2 : PN_FUNCTION_MIN_POINTS);
	else if (row->changes.doubt == PN_FUNCTION_RARELY)
		pn_buf_add_text(out, "cannot tell: too few samples hit it");
	else if (row->changes.doubt == PN_FUNCTION_STEADY) {
		pn_buf_add_text(out, "drifts by ");
		pn_change_text(out, 1, 1 + row->changes.drift);
		pn_buf_printf(out,
			      " over %zu commits, and none of them stands out",
			      count);
	} else if (row->changes.apart)
		add_apart(out, &row->changes);
}
