/* Nothing here looks behind the end of the line. */
#include "codec/scan.h"
#include "base/number.h"

#include <string.h>

#define NUMBER_MAX 64 /* bytes of a number without its commas */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

void pn_scan_blanks(struct pn_scan *s)
{
	while (s->at < s->end && is_blank(*s->at))
		s->at++;
}

bool pn_scan_begins(const struct pn_scan *s, const char *text)
{
	size_t len = strlen(text);

	return pn_scan_left(s) >= len && !memcmp(s->at, text, len);
}

bool pn_scan_text(struct pn_scan *s, const char *text)
{
	if (!pn_scan_begins(s, text))
		return false;
	s->at += strlen(text);
	return true;
}

bool pn_scan_word(struct pn_scan *word, struct pn_scan *s)
{
	pn_scan_blanks(s);
	word->at = s->at;
	while (s->at < s->end && !is_blank(*s->at))
		s->at++;
	word->end = s->at;
	return word->at < word->end;
}

/* Where `text` comes next; NULL: it does not. */
static const char *find(const struct pn_scan *s, const char *text)
{
	struct pn_scan from = *s;

	for (; from.at < from.end; from.at++) {
		from.at = memchr(from.at, *text, pn_scan_left(&from));
		if (!from.at || pn_scan_begins(&from, text))
			return from.at;
	}
	return NULL;
}

bool pn_scan_has(const struct pn_scan *s, const char *text)
{
	return find(s, text) != NULL;
}

bool pn_scan_until(struct pn_scan *before, struct pn_scan *s, const char *text)
{
	const char *at = find(s, text);

	if (!at)
		return false;
	*before = (struct pn_scan){s->at, at};
	s->at = at + strlen(text);
	return true;
}

bool pn_scan_until_last(struct pn_scan *before, struct pn_scan *s, char c)
{
	const char *at = s->end;

	while (at > s->at && at[-1] != c)
		at--;
	if (at == s->at)
		return false;
	*before = (struct pn_scan){s->at, at - 1};
	s->at = at;
	return true;
}

static bool in_number(char c)
{
	return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' ||
	       c == 'e' || c == 'E';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Whether the comma at `at` sets thousands apart, behind the whole number from
 * `begin` on: "1,234" and "-12,345,678", but neither "12,5" nor "0,125". */
static bool is_grouping(const char *begin, const char *at, const char *end)
{
	const char *first = begin;
	size_t digits = 0;

	first += first < at && (*first == '-' || *first == '+');
	while (first + digits < at && is_digit(first[digits]))
		digits++;
	if (!digits || digits > 3 || *first == '0')
		return false;
	/* what is between them are groups that were found before */
	for (first += digits; first < at; first++)
		if (*first != ',' && !is_digit(*first))
			return false;
	for (digits = 0, at++; at < end && is_digit(*at); at++)
		digits++;
	return digits == 3;
}

bool pn_scan_number(double *out, struct pn_scan *s)
{
	char text[NUMBER_MAX];
	const char *at = s->at, *begin, *good = NULL;
	size_t len = 0;
	double value;

	while (at < s->end && is_blank(*at))
		at++;
	begin = at;
	/* "12e" is 12 and an e: the longest text that is a number */
	for (; at < s->end && len < NUMBER_MAX; at++) {
		if (*at == ',' && is_grouping(begin, at, s->end))
			continue;
		if (!in_number(*at))
			break;
		text[len++] = *at;
		if (pn_number_double(&value, text, len)) {
			*out = value;
			good = at + 1;
		}
	}
	if (!good)
		return false;
	s->at = good;
	return true;
}

void pn_scan_trim(struct pn_scan *s)
{
	pn_scan_blanks(s);
	while (s->end > s->at && is_blank(s->end[-1]))
		s->end--;
}

bool pn_scan_is(const struct pn_scan *s, const char *text)
{
	return pn_scan_left(s) == strlen(text) && pn_scan_begins(s, text);
}

const char *pn_scan_copy(struct pn_buf *out, const struct pn_scan *s)
{
	pn_buf_clear(out);
	pn_buf_add(out, s->at, pn_scan_left(s));
	return pn_buf_text(out);
}

bool pn_scan_line(struct pn_scan *line, struct pn_scan *bytes)
{
	const char *lf;

	if (bytes->at >= bytes->end)
		return false;
	lf = memchr(bytes->at, '\n', pn_scan_left(bytes));
	*line = (struct pn_scan){bytes->at, lf ? lf : bytes->end};
	bytes->at = lf ? lf + 1 : bytes->end;
	if (line->end > line->at && line->end[-1] == '\r')
		line->end--;
	return true;
}
