/* Quotes are doubled inside of quotes. */
#include "codec/bench/any/columns.h"
#include "base/escape.h"
#include "base/number.h"
#include "codec/bench/any/hint.h"

#include <string.h>

#define SHOWN_MAX 60 /* bytes of a text in a message */

/* A field from *at on, into out->text. */
static int read_field(struct pn_row *out, const char **at, const char *end,
		      char separator, struct pn_error *err)
{
	bool quoted = *at < end && **at == '"';
	const char *s = *at + quoted;

	for (; s < end && (quoted || *s != separator); s++) {
		if (quoted && *s == '"') {
			if (s + 1 == end || s[1] != '"') {
				s++;
				break;
			}
			s++;
		}
		pn_buf_add_byte(&out->text, (unsigned char)*s);
		if (quoted && s + 1 == end)
			return pn_error_set(err, PN_EINVAL,
					    "a quote that does not end in its "
					    "line");
	}
	if (s < end && *s != separator)
		return pn_error_set(err, PN_EINVAL,
				    "expected '%c' behind a quote", separator);
	*at = s;
	return 0;
}

int pn_row_read(struct pn_row *out, struct pn_scan line, char separator,
		struct pn_error *err)
{
	const char *at = line.at;
	int code;

	pn_buf_clear(&out->text);
	out->count = 0;
	for (;;) {
		if (out->count == PN_COLUMNS_MAX)
			return pn_error_set(err, PN_ELIMIT,
					    "more than %d columns",
					    PN_COLUMNS_MAX);
		out->begin[out->count++] = out->text.len;
		code = read_field(out, &at, line.end, separator, err);
		if (code)
			return code;
		pn_buf_add_byte(&out->text, '\0');
		if (at == line.end)
			return 0;
		at++;
	}
}

const char *pn_row_field(const struct pn_row *row, size_t column)
{
	return column < row->count
		       ? (const char *)row->text.data + row->begin[column]
		       : "";
}

void pn_row_show(struct pn_buf *out, const char *text)
{
	pn_escape_terminal(out, text, strnlen(text, SHOWN_MAX));
}

/* PN_EINVAL "expected <what>, have '<text>'" */
static int unexpected(const char *what, const char *text, struct pn_error *err)
{
	struct pn_buf shown = {0};

	pn_row_show(&shown, text);
	pn_error_set(err, PN_EINVAL, "expected %s, have '%s'", what,
		     pn_buf_text(&shown));
	pn_buf_release(&shown);
	return PN_EINVAL;
}

char pn_row_separator(struct pn_scan head)
{
	static const char separators[] = ",;\t";
	size_t counts[3] = {0}, i;
	bool quoted = false;
	const char *at;

	for (at = head.at; at < head.end; at++) {
		quoted ^= *at == '"';
		for (i = 0; i < 3; i++)
			counts[i] += !quoted && *at == separators[i];
	}
	i = counts[1] > counts[0] ? 1 : 0;
	return separators[counts[2] > counts[i] ? 2 : i];
}

static void name_of(struct pn_buf *out, const struct pn_columns *c,
		    const struct pn_row *row)
{
	size_t i;

	pn_buf_clear(out);
	for (i = 0; i < c->name_count; i++)
		pn_buf_printf(out, "%s%s", i ? " " : "",
			      pn_row_field(row, c->names[i]));
}

/* A number, whatever blanks are around it; "" is none. */
static bool value_of(double *out, const char *text)
{
	struct pn_scan s = pn_scan_of(text, strlen(text));

	pn_scan_trim(&s);
	return pn_scan_number(out, &s) && !pn_scan_left(&s);
}

int pn_columns_take(struct pn_bench *bench, const struct pn_columns *c,
		    const struct pn_row *row, struct pn_error *err)
{
	const char *text = pn_row_field(row, c->value);
	const char *unit = pn_row_field(row, c->unit);
	const char *word = pn_row_field(row, c->better);
	struct pn_scan better_text = pn_scan_of(word, strlen(word));
	enum pn_better better = c->all_better;
	struct pn_buf name = {0};
	double value;
	int code;

	if (!*text)
		return 0;
	/* where commas are points, semicolons are between the columns */
	if (c->separator == ';' && strchr(text, ','))
		return unexpected("a number with a point and no comma", text,
				  err);
	if (!value_of(&value, text))
		return unexpected("a number", text, err);
	if (*word && !pn_hint_better(&better, &better_text))
		return unexpected("less or more", word, err);
	if (!*unit)
		unit = c->all_unit;
	if (!*word && c->by_unit)
		better = pn_bench_better(unit);
	name_of(&name, c, row);
	code = name.len ? pn_bench_add(bench, pn_buf_text(&name), unit, better,
				       value, err)
			: pn_error_set(err, PN_EINVAL, "expected a name");
	if (!code && c->order)
		pn_run_order_add(c->order, pn_buf_text(&name), unit,
				 pn_row_field(row, c->run));
	pn_buf_release(&name);
	return code;
}
