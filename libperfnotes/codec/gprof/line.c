/* gprof: lines taken apart. Columns may be blank, and names hold blanks. */
#include "codec/gprof/gprof.h"

#include "base/number.h"

#include <string.h>

#define NS_DIGITS 9

struct text {
	const char *at;
	size_t len;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static void trim(struct text *t)
{
	while (t->len && is_blank(*t->at)) {
		t->at++;
		t->len--;
	}
	while (t->len && is_blank(t->at[t->len - 1]))
		t->len--;
}

/* The first word, without taking it off. */
static struct text first_word(struct text t)
{
	struct text word = {t.at, 0};

	while (word.len < t.len && !is_blank(t.at[word.len]))
		word.len++;
	return word;
}

static void take(struct text *t, size_t len)
{
	t->at += len;
	t->len -= len;
	trim(t);
}

static bool is_whole(struct text word)
{
	size_t i = 0;

	while (i < word.len && is_digit(word.at[i]))
		i++;
	return word.len && i == word.len;
}

bool pn_gprof_time(int64_t *out, const char *text, size_t len)
{
	const char *point = memchr(text, '.', len);
	size_t whole = point ? (size_t)(point - text) : len, i;
	int64_t seconds, ns = 0;

	if (!point || !whole || !pn_number_int(&seconds, text, whole) ||
	    seconds < 0 || seconds > INT64_MAX / 1000000000 - 1)
		return false;
	for (i = whole + 1; i < len; i++)
		if (!is_digit(text[i]))
			return false;
	for (i = 0; i < NS_DIGITS; i++)
		ns = ns * 10 +
		     (whole + 1 + i < len ? text[whole + 1 + i] - '0' : 0);
	*out = seconds * 1000000000 + ns;
	return true;
}

static bool take_time(int64_t *out, struct text *t)
{
	struct text word = first_word(*t);

	if (!pn_gprof_time(out, word.at, word.len))
		return false;
	take(t, word.len);
	return true;
}

/* "a", "a/b" (of b in all) or "a+b" (b more by itself). */
static bool take_calls(struct pn_gprof_line *out, struct text *t)
{
	struct text word = first_word(*t);
	size_t digits = 0;
	int64_t other;

	while (digits < word.len && is_digit(word.at[digits]))
		digits++;
	if (!digits || !pn_number_int(&out->calls, word.at, digits))
		return false;
	if (digits < word.len) {
		if ((word.at[digits] != '/' && word.at[digits] != '+') ||
		    !pn_number_int(&other, word.at + digits + 1,
				   word.len - digits - 1) ||
		    other < 0)
			return false;
		if (word.at[digits] == '+')
			out->recursive = other;
	}
	take(t, word.len);
	return true;
}

/* "[12]" or, for what is not printed itself, "(12)", at the end. */
static bool cut_index(uint64_t *out, struct text *t)
{
	size_t at;
	char open;

	if (t->len < 3 ||
	    (t->at[t->len - 1] != ']' && t->at[t->len - 1] != ')'))
		return false;
	open = t->at[t->len - 1] == ']' ? '[' : '(';
	for (at = t->len - 1; at && is_digit(t->at[at - 1]); at--)
		;
	if (!at || t->at[at - 1] != open ||
	    !pn_number_uint(out, t->at + at, t->len - 1 - at))
		return false;
	t->len = at - 1;
	trim(t);
	return true;
}

/* "<cycle 1>" behind the name of a function that is in one. */
static void cut_cycle(struct text *t)
{
	size_t at = t->len ? t->len - 1 : 0;

	if (!at || t->at[at] != '>')
		return;
	while (at && is_digit(t->at[at - 1]))
		at--;
	if (at == t->len - 1 || at < 8 || memcmp(t->at + at - 7, "<cycle ", 7))
		return;
	t->len = at - 7;
	trim(t);
}

static bool begins(struct text t, const char *with)
{
	return t.len >= strlen(with) && !memcmp(t.at, with, strlen(with));
}

static bool take_primary(struct pn_gprof_line *out, struct text *t)
{
	struct text word = first_word(*t);
	int64_t percent;

	if (word.len < 3 || *word.at != '[')
		return false;
	take(t, word.len);
	return take_time(&percent, t) && take_time(&out->self_ns, t) &&
	       take_time(&out->children_ns, t);
}

bool pn_gprof_line(struct pn_gprof_line *out, const char *text, size_t len)
{
	struct text t = {text, len};
	struct text word;

	memset(out, 0, sizeof(*out));
	out->calls = -1;
	trim(&t);
	if (begins(t, "<spontaneous>")) {
		out->is_nobody = true;
		return true;
	}
	if (!cut_index(&out->index, &t))
		return false;
	cut_cycle(&t);
	out->is_primary = t.len && *t.at == '[';
	out->has_time = true;
	if (out->is_primary) {
		if (!take_primary(out, &t))
			return false;
	} else if (!take_time(&out->self_ns, &t)) {
		out->has_time = false;
	} else if (!take_time(&out->children_ns, &t)) {
		return false;
	}
	word = first_word(t);
	if (word.len && is_digit(*word.at) && !take_calls(out, &t))
		return false;
	out->is_cycle = begins(t, "<cycle ");
	out->name = t.at;
	out->name_len = t.len;
	return t.len > 0;
}

bool pn_gprof_row(struct pn_gprof_row *out, const char *text, size_t len)
{
	struct text t = {text, len}, rest;
	struct text word;
	int64_t percent, cumulative, skipped;

	memset(out, 0, sizeof(*out));
	out->calls = -1;
	trim(&t);
	if (!take_time(&percent, &t) || !take_time(&cumulative, &t) ||
	    !take_time(&out->self_ns, &t))
		return false;
	rest = t;
	word = first_word(rest);
	if (is_whole(word)) {
		take(&rest, word.len);
		if (take_time(&skipped, &rest) &&
		    pn_number_int(&out->calls, word.at, word.len)) {
			word = first_word(rest);
			if (!pn_number_double(&out->total_per_call, word.at,
					      word.len))
				return false;
			take(&rest, word.len);
			t = rest;
		}
	}
	out->name = t.at;
	out->name_len = t.len;
	return t.len > 0;
}

bool pn_gprof_is_heading(const char *text, size_t len)
{
	static const char *const words[] = {
		"index", "%", "time", "self", "children", "called", "name"};
	struct text t = {text, len}, word;
	size_t i;

	trim(&t);
	for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
		word = first_word(t);
		if (word.len != strlen(words[i]) ||
		    memcmp(word.at, words[i], word.len))
			return false;
		take(&t, word.len);
	}
	return !t.len;
}
