/* What a change touches. */
#include "render/functions/touches.h"

#include "base/escape.h"
#include "base/json/json.h"
#include "base/text/width.h"
#include "render/functions/words.h"

#include <inttypes.h>
#include <math.h>

#define NAME 34
#define WIDTH 80 /* 29 of them behind the name of a series */
#define PLACE 26
#define FILES 10 /* that no profile has, by name */
#define UNTOLD 5

static double share_of(double value, double total)
{
	return total != 0 ? value / total : 0;
}

static void add_row(struct pn_buf *out, const struct pn_impact_series *s,
		    const struct pn_impact_row *row, const struct pn_palette *p)
{
	pn_functions_add_share(out, share_of(row->self, s->total), 6);
	pn_functions_add_share(out, share_of(row->total, s->total), 8);
	pn_buf_add_text(out, "  ");
	pn_functions_add_name(out, row->function, NAME);
	pn_buf_printf(out, "  %s", p->dim);
	pn_functions_add_path(out, row->file, PLACE);
	pn_buf_printf(out, ":%" PRId64, row->first_line);
	if (row->last_line != row->first_line)
		pn_buf_printf(out, "-%" PRId64, row->last_line);
	pn_buf_printf(out, "%s%s\n", row->guess ? " (a guess)" : "", p->end);
}

/* Lines of which it is not known what they are in. */
static void add_untold(struct pn_buf *out, const struct pn_impact_series *s)
{
	size_t i;

	for (i = 0; i < s->untold_count && i < UNTOLD; i++) {
		const struct pn_impact_lines *at = &s->untold[i];

		pn_buf_add_text(out, "  ");
		pn_functions_add_path(out, at->file, PLACE);
		pn_buf_printf(out, ":%" PRIu32, at->first_line);
		if (at->last_line != at->first_line)
			pn_buf_printf(out, "-%" PRIu32, at->last_line);
		pn_buf_add_text(out, at->by_name
					     ? ": may be in no function here\n"
					     : ": no function could be told\n");
	}
	if (s->untold_count > UNTOLD)
		pn_buf_printf(out, "  %zu more places\n",
			      s->untold_count - UNTOLD);
}

static void add_series(struct pn_buf *out, const struct pn_impact_series *s,
		       const struct pn_palette *p)
{
	struct pn_buf name = {0}, safe = {0};
	char hex[PN_OID_HEX + 1];
	size_t i, before = out->len;

	pn_series_text(&name, &s->series, &s->parts);
	pn_oid_hex(hex, &s->commit);
	if (s->count || s->hidden) {
		pn_buf_add_text(out, "touches ");
		pn_functions_add_share(out, share_of(s->self, s->total), 0);
		pn_buf_add_text(out, " of ");
	} else if (s->untold_count) {
		pn_buf_add_text(out, "touches no function for certain of ");
	} else {
		pn_buf_add_text(out, "touches no function of ");
	}
	before = out->len - before;
	pn_buf_add_text(out, p->head);
	pn_escape_terminal(&safe, pn_buf_text(&name), name.len);
	pn_text_fit_name(out, pn_buf_text(&safe), safe.len,
			 WIDTH - 29 - before);
	pn_buf_printf(out, "%s (", p->end);
	pn_functions_add_name(out, s->type, 12);
	pn_buf_printf(out, " at %s%.10s%s)\n", p->commit, hex, p->end);
	if (s->count)
		pn_buf_printf(out, "%s%6s%8s%s\n", p->dim, "self", "total",
			      p->end);
	for (i = 0; i < s->count; i++)
		add_row(out, s, &s->rows[i], p);
	if (s->hidden)
		pn_buf_printf(out,
			      "  %zu function%s that cost%s less left out "
			      "(--min-share)\n",
			      s->hidden, s->hidden == 1 ? "" : "s",
			      s->hidden == 1 ? "s" : "");
	add_untold(out, s);
	pn_buf_release(&safe);
	pn_buf_release(&name);
}

/* Files that no profile has: a build, a header, a document. */
static void add_unknown(struct pn_buf *out, const struct pn_impact *impact)
{
	size_t i, n = 0;

	for (i = 0; i < impact->file_count; i++) {
		if (impact->known[i])
			continue;
		if (n++ >= FILES)
			continue;
		pn_buf_add_text(out, "in no profile: ");
		pn_functions_add_path(out, impact->files[i], 60);
		pn_buf_add_byte(out, '\n');
	}
	if (n > FILES)
		pn_buf_printf(out, "in no profile: %zu more files\n",
			      n - FILES);
}

void pn_impact_text(struct pn_buf *out, const struct pn_impact *impact,
		    const struct pn_palette *palette)
{
	struct pn_buf unknown = {0};
	size_t i;

	for (i = 0; i < impact->series_count; i++) {
		pn_buf_add_text(out, i ? "\n" : "");
		add_series(out, &impact->series[i], palette);
	}
	if (impact->series_count)
		add_unknown(&unknown, impact);
	for (i = 0; i < impact->binary_count; i++) {
		pn_buf_add_text(&unknown, "binary file ");
		pn_functions_add_path(&unknown, impact->binaries[i], 48);
		pn_buf_add_text(&unknown, ": not looked into\n");
	}
	if (unknown.len)
		pn_buf_printf(out, "\n%s", pn_buf_text(&unknown));
	pn_buf_release(&unknown);
}

static void put_row(struct pn_json_writer *w, const struct pn_impact_series *s,
		    const struct pn_impact_row *row, const char *series)
{
	pn_json_open(w, '{');
	pn_json_member(w, "function", row->function);
	pn_json_member(w, "file", row->file);
	pn_json_member_int(w, "first_line", row->first_line);
	pn_json_member_int(w, "last_line", row->last_line);
	pn_json_member(w, "series", series);
	pn_json_member(w, "type", s->type);
	pn_json_member(w, "unit", s->unit);
	pn_json_member_double(w, "self", row->self);
	pn_json_member_double(w, "total", row->total);
	pn_json_member_double(w, "self_share", share_of(row->self, s->total));
	pn_json_member_double(w, "total_share", share_of(row->total, s->total));
	pn_json_member_double(w, "calls", row->calls);
	pn_json_key(w, "guess");
	pn_json_bool(w, row->guess);
	pn_json_close(w, '}');
}

static void put_series(struct pn_json_writer *w,
		       const struct pn_impact_series *s, const char *name)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &s->commit);
	pn_json_open(w, '{');
	pn_json_member(w, "series", name);
	pn_json_member(w, "commit", hex);
	pn_json_member(w, "type", s->type);
	pn_json_member(w, "unit", s->unit);
	pn_json_member_double(w, "total", s->total);
	pn_json_member_double(w, "self_share", share_of(s->self, s->total));
	pn_json_member_double(w, "total_share",
			      share_of(s->most_total, s->total));
	pn_json_member_int(w, "hidden", (int64_t)s->hidden);
	pn_json_close(w, '}');
}

static void put_untold(struct pn_json_writer *w,
		       const struct pn_impact_lines *at, const char *series)
{
	pn_json_open(w, '{');
	pn_json_member(w, "file", at->file);
	pn_json_member_int(w, "first_line", at->first_line);
	pn_json_member_int(w, "last_line", at->last_line);
	pn_json_member(w, "series", series);
	pn_json_close(w, '}');
}

enum part { SERIES, ROWS, UNTOLD_LINES };

/* Series, or the rows of all of them, or what was told to none. */
static void put_all(struct pn_json_writer *w, const struct pn_impact *impact,
		    enum part part)
{
	struct pn_buf name = {0};
	size_t i, k;

	pn_json_open(w, '[');
	for (i = 0; i < impact->series_count; i++) {
		const struct pn_impact_series *s = &impact->series[i];

		pn_buf_clear(&name);
		pn_series_text(&name, &s->series, &s->parts);
		if (part == SERIES)
			put_series(w, s, pn_buf_text(&name));
		for (k = 0; part == ROWS && k < s->count; k++)
			put_row(w, s, &s->rows[k], pn_buf_text(&name));
		for (k = 0; part == UNTOLD_LINES && k < s->untold_count; k++)
			put_untold(w, &s->untold[k], pn_buf_text(&name));
	}
	pn_json_close(w, ']');
	pn_buf_release(&name);
}

void pn_impact_json(struct pn_buf *out, const struct pn_impact *impact)
{
	struct pn_json_writer w;
	size_t i;

	pn_json_writer_init(&w, out, 0);
	pn_json_open(&w, '{');
	pn_json_member_int(&w, "version", 1);
	pn_json_member(&w, "command", "impact");
	pn_json_member(&w, "range", impact->range);
	pn_json_key(&w, "series");
	put_all(&w, impact, SERIES);
	pn_json_key(&w, "rows");
	put_all(&w, impact, ROWS);
	pn_json_key(&w, "untold");
	put_all(&w, impact, UNTOLD_LINES);
	pn_json_key(&w, "unknown");
	pn_json_open(&w, '[');
	for (i = 0; i < impact->file_count; i++)
		if (!impact->known[i])
			pn_json_string(&w, impact->files[i]);
	pn_json_close(&w, ']');
	pn_json_key(&w, "binaries");
	pn_json_open(&w, '[');
	for (i = 0; i < impact->binary_count; i++)
		pn_json_string(&w, impact->binaries[i]);
	pn_json_close(&w, ']');
	pn_json_close(&w, '}');
	pn_buf_add_byte(out, '\n');
}
