/* Who changed functions, as text. */
#include "base/text/width.h"
#include "render/functions/course.h"
#include "render/functions/words.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#define NAME 40
#define SUBJECT 46 /* and who wrote it: 80 without id, date and indent */
#define MERGE " (merge)"
#define AUTHOR 16
#define LISTED 5 /* commits of a range, each with its subject */

static void add_commit(struct pn_buf *out, const struct pn_blame *b,
		       size_t number, const struct pn_palette *p, size_t less)
{
	const struct pn_function_commit *c = &b->commits[number];
	char hex[PN_OID_HEX + 1], date[16] = "";
	time_t time = (time_t)c->author_time_s;
	struct pn_buf author = {0};
	size_t taken = c->is_merge ? strlen(MERGE) : 0;
	struct tm tm;

	pn_oid_hex(hex, &c->id);
	if (gmtime_r(&time, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d", &tm);
	pn_buf_printf(out, "%s%.10s%s %s ", p->commit, hex, p->end, date);
	pn_functions_add_name(&author, c->author, AUTHOR);
	taken += pn_text_width(pn_buf_text(&author), author.len);
	pn_buf_printf(out, "%s  ", pn_buf_text(&author));
	pn_functions_add_name(out, c->subject, SUBJECT - less - taken);
	if (c->is_merge)
		pn_buf_printf(out, "%s" MERGE "%s", p->dim, p->end);
	pn_buf_add_byte(out, '\n');
	pn_buf_release(&author);
}

static void add_change(struct pn_buf *out, const struct pn_blame *b,
		       const struct pn_function_change *c,
		       const struct pn_palette *p, size_t less)
{
	size_t span = pn_functions_span(c), i;

	if (span > 1)
		pn_buf_printf(out, "%10sby one of %zu commits:\n", "", span);
	for (i = 0; i < span && i < LISTED; i++) {
		pn_buf_printf(out, "%10s", "");
		add_commit(out, b, c->from + i, p, less);
	}
	if (span > LISTED)
		pn_buf_printf(out, "%10s... and %zu more\n", "", span - LISTED);
}

static void add_row(struct pn_buf *out, const struct pn_blame *b,
		    const struct pn_blame_row *row, const struct pn_palette *p,
		    size_t less)
{
	const struct pn_function_history *h = row->series;
	const struct pn_function_row *f = row->function;
	const struct pn_function_changes *c = &row->changes;

	pn_functions_add_share(out,
			       pn_function_share(h, f, 0, h->rule.by_total), 6);
	pn_functions_add_figure(out, pn_function_size(h, &f->values[0]),
				h->unit, 11);
	if (c->count)
		pn_functions_add_change(out, h, &c->items[0], p, 9);
	else
		pn_buf_printf(out, "%9s", "");
	pn_buf_add_text(out, "  ");
	pn_functions_add_name(out, f->name, NAME - less / 2);
	pn_buf_add_byte(out, '\n');
	if (c->count) {
		add_change(out, b, &c->items[0], p, less);
		return;
	}
	pn_buf_printf(out, "%10s%s", "", p->dim);
	if (c->doubt == PN_FUNCTION_SURE)
		pn_buf_printf(out, "no change in %zu measured commits",
			      c->measured);
	else
		pn_functions_add_doubt(out, row);
	pn_buf_printf(out, "%s\n", p->end);
}

void pn_function_blame_text(struct pn_buf *out, const struct pn_blame *blame,
			    const struct pn_palette *palette, size_t columns)
{
	size_t i, less = pn_functions_less(columns);

	for (i = 0; i < blame->count; i++) {
		const struct pn_function_history *h = blame->rows[i].series;

		if (i && blame->rows[i - 1].series != h)
			pn_buf_add_byte(out, '\n');
		if (!i || blame->rows[i - 1].series != h)
			pn_functions_add_head(out, blame, h, palette, less);
		add_row(out, blame, &blame->rows[i], palette, less);
	}
}
