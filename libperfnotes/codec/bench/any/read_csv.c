/* Which column is what is said by the hint, or by usual heads. */
#include "codec/bench/any/read_csv.h"
#include "base/alloc.h"
#include "codec/bench/any/columns.h"
#include "codec/bench/any/hint.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HEADS_SHOWN 160 /* bytes of heads that an error lists */

struct state {
	const char *hint; /* or NULL */
	struct pn_columns columns;
	struct pn_row row;
	struct pn_buf unit;
	struct pn_run_order order;
};

/* Heads that need no hint; the first one that is there counts. */
static const struct usual {
	const char *word;
	const char *heads[6];
} usual[] = {
	{"name", {"name", "benchmark", "metric", "test"}},
	{"value", {"value", "mean", "median"}},
	{"unit", {"unit"}},
	{"better", {"better"}},
	{"run", {"run", "iteration"}},
};

static size_t find_head(const struct pn_row *heads, const char *text,
			size_t len)
{
	size_t i;

	for (i = 0; i < heads->count; i++) {
		const char *head = pn_row_field(heads, i);

		if (strlen(head) == len && !strncasecmp(head, text, len))
			return i;
	}
	return SIZE_MAX;
}

static size_t find_usual(const struct pn_row *heads, const struct usual *u)
{
	size_t i, at;

	for (i = 0; i < 6 && u->heads[i]; i++) {
		at = find_head(heads, u->heads[i], strlen(u->heads[i]));
		if (at != SIZE_MAX)
			return at;
	}
	return SIZE_MAX;
}

static int no_column(const struct pn_row *heads, const char *head, size_t len,
		     const char *word, struct pn_error *err)
{
	struct pn_buf have = {0};
	size_t i;

	for (i = 0; i < heads->count && have.len < HEADS_SHOWN; i++) {
		pn_buf_add_text(&have, i ? ", " : "");
		pn_row_show(&have, pn_row_field(heads, i));
	}
	if (i < heads->count)
		pn_buf_printf(&have, " and %zu more", heads->count - i);
	pn_error_set(err, PN_EINVAL,
		     "no column '%.*s' for the %s, there are %.500s: name it "
		     "with --column=%s=<head>",
		     (int)(len < 60 ? len : 60), head, word, pn_buf_text(&have),
		     word);
	pn_buf_release(&have);
	return PN_EINVAL;
}

/* The column of a word; `out` stays SIZE_MAX where nothing was said and no
 * usual head is there. */
static int choose(size_t *out, const struct state *s, const struct usual *u,
		  struct pn_error *err)
{
	const char *at = NULL;
	struct pn_scan head;

	if (!pn_hint_next(&head, &at, s->hint, u->word)) {
		*out = find_usual(&s->row, u);
		return 0;
	}
	*out = find_head(&s->row, head.at, pn_scan_left(&head));
	return *out == SIZE_MAX ? no_column(&s->row, head.at,
					    pn_scan_left(&head), u->word, err)
				: 0;
}

static int choose_names(struct state *s, struct pn_error *err)
{
	struct pn_columns *c = &s->columns;
	const char *at = NULL;
	struct pn_scan head;

	while (pn_hint_next(&head, &at, s->hint, "name")) {
		size_t column =
			find_head(&s->row, head.at, pn_scan_left(&head));

		if (column == SIZE_MAX || c->name_count == PN_COLUMNS_MAX)
			return no_column(&s->row, head.at, pn_scan_left(&head),
					 "name", err);
		c->names[c->name_count++] = column;
	}
	if (c->name_count)
		return 0;
	c->names[0] = find_usual(&s->row, &usual[0]);
	c->name_count = 1;
	return c->names[0] == SIZE_MAX
		       ? no_column(&s->row, "name", 4, "name", err)
		       : 0;
}

static int read_head(struct state *s, struct pn_scan line, struct pn_error *err)
{
	struct pn_columns *c = &s->columns;
	int code;

	/* a byte order mark, of spreadsheets */
	(void)pn_scan_text(&line, "\xef\xbb\xbf");
	c->separator = pn_row_separator(line);
	code = pn_row_read(&s->row, line, c->separator, err);
	if (!code)
		code = choose_names(s, err);
	if (!code)
		code = choose(&c->value, s, &usual[1], err);
	if (!code)
		code = choose(&c->unit, s, &usual[2], err);
	if (!code)
		code = choose(&c->better, s, &usual[3], err);
	if (!code)
		code = choose(&c->run, s, &usual[4], err);
	if (!code && c->run != SIZE_MAX)
		c->order = &s->order;
	if (!code && c->value == SIZE_MAX)
		code = no_column(&s->row, "value", 5, "value", err);
	return code;
}

static int take_line(struct pn_bench *bench, void *user, struct pn_scan *line,
		     struct pn_error *err)
{
	struct state *s = user;
	int code;

	if (!s->columns.separator)
		return read_head(s, *line, err);
	if (!pn_scan_left(line))
		return 0;
	code = pn_row_read(&s->row, *line, s->columns.separator, err);
	return code ? code : pn_columns_take(bench, &s->columns, &s->row, err);
}

int pn_csv_read(struct pn_profile *out, struct pn_reader *in,
		struct pn_error *err)
{
	struct state *s = pn_calloc(1, sizeof(*s));
	struct pn_columns *c = &s->columns;
	const char *at = NULL;
	struct pn_scan text;
	int code;

	s->hint = pn_reader_hint(in);
	c->all_unit = "";
	if (pn_hint_next(&text, &at, s->hint, "all-unit"))
		c->all_unit = pn_scan_copy(&s->unit, &text);
	at = NULL;
	c->by_unit = !pn_hint_next(&text, &at, s->hint, "all-better") ||
		     !pn_hint_better(&c->all_better, &text);
	code = pn_bench_read_lines(out, in, s, take_line,
				   "a row with a value below the head", err);
	if (!code)
		pn_run_order_apply(&s->order, out);
	/* what was asked for is all there, and the hint is gone later */
	out->complete = true;
	pn_buf_release(&s->row.text);
	pn_buf_release(&s->unit);
	pn_run_order_release(&s->order);
	free(s);
	return code;
}
