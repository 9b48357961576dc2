/*
 * Recognising a Perun profile by its first bytes, which may end anywhere: the
 * keys in them and where they stand.
 */
#include "codec/perun/perun.h"

#include <stdbool.h>
#include <string.h>

#define MAX_DEPTH 6 /* keys below are of no interest */

struct text {
	const char *at;
	size_t len;
};

struct scan {
	const char *at, *end;
	size_t depth;
	struct text keys[MAX_DEPTH + 1]; /* by depth; empty in an array */
};

/* What was seen, or-ed. */
enum seen {
	HEADER_TYPE = 1,
	HEADER_FACT = 2,
	COLLECTOR = 4,
	RESOURCES = 8,
	RESOURCE_KEY = 16,
	TYPE_MAP = 32,
	TYPED = 64, /* "uid#0" */
	ORIGIN = 128,
	MODEL = 256
};

static bool is(const struct text *text, const char *word)
{
	return text->len == strlen(word) && !memcmp(text->at, word, text->len);
}

static bool is_one_of(const struct text *text, const char *const *words)
{
	for (; *words; words++)
		if (is(text, *words))
			return true;
	return false;
}

/* "main.c:main#12" */
static bool is_typed(const struct text *text)
{
	size_t n = text->len;

	while (n && text->at[n - 1] >= '0' && text->at[n - 1] <= '9')
		n--;
	return n && n < text->len && text->at[n - 1] == '#';
}

/* Whether "models" is on the way to the key. */
static bool is_in_models(const struct scan *s)
{
	size_t i;

	for (i = 2; i < s->depth; i++)
		if (is(&s->keys[i], "models"))
			return true;
	return false;
}

static unsigned int meaning(const struct scan *s)
{
	static const char *const facts[] = {"units", "cmd", "args", "workload",
					    NULL};
	static const char *const lists[] = {"snapshots", "global", "resources",
					    NULL};
	static const char *const of_resource[] = {"uid", "amount", "subtype",
						  "structure-unit-size", NULL};
	static const char *const of_model[] = {"r_square", "coeffs",
					       "bucket_stats", NULL};
	const struct text *top = &s->keys[1], *key = &s->keys[s->depth];

	if (s->depth == 1)
		return is(key, "resource_type_map") ? TYPE_MAP
		       : is(key, "origin")	    ? ORIGIN
						    : 0;
	if (is_one_of(key, of_model) &&
	    (is(top, "models") || (is_one_of(top, lists) && is_in_models(s))))
		return MODEL;
	if (s->depth == 2 && is(top, "header") && is(key, "type"))
		return HEADER_TYPE;
	if (s->depth == 2 && is(top, "header") && is_one_of(key, facts))
		return HEADER_FACT;
	if (s->depth == 2 && is(top, "collector_info") && is(key, "name"))
		return COLLECTOR;
	if (!is_one_of(top, lists))
		return 0;
	if (s->depth == 2 && is(top, "resources") && is_typed(key))
		return TYPED;
	if (is(key, "resources"))
		return RESOURCES;
	if (is_one_of(key, of_resource))
		return RESOURCE_KEY |
		       (is(top, "resources") ? (unsigned int)RESOURCES : 0);
	return 0;
}

static bool skip_string(struct text *out, struct scan *s)
{
	out->at = ++s->at;
	for (; s->at < s->end && *s->at != '"'; s->at++)
		if (*s->at == '\\')
			s->at++;
	if (s->at >= s->end)
		return false;
	out->len = (size_t)(s->at++ - out->at);
	return true;
}

static void skip_blanks(struct scan *s)
{
	while (s->at < s->end && strchr(" \t\r\n", *s->at) && *s->at)
		s->at++;
}

static void enter(struct scan *s, bool in)
{
	s->at++;
	s->depth += in ? 1 : (size_t)-1;
	if (in && s->depth <= MAX_DEPTH)
		s->keys[s->depth].len = 0;
}

/* What the keys say, up to the end of the object or of the bytes. */
static unsigned int scan_keys(struct scan *s)
{
	unsigned int seen = 0;
	struct text text;

	while (s->at < s->end) {
		char c = *s->at;

		if (c == '{' || c == '[') {
			enter(s, true);
		} else if (c == '}' || c == ']') {
			enter(s, false);
			if (!s->depth)
				break;
		} else if (c == '"') {
			if (!skip_string(&text, s))
				break;
			skip_blanks(s);
			if (s->at >= s->end || *s->at != ':' ||
			    s->depth > MAX_DEPTH)
				continue;
			s->keys[s->depth] = text;
			seen |= meaning(s);
		} else {
			s->at++;
		}
	}
	return seen;
}

enum pn_sniff pn_perun_sniff(const unsigned char *bytes, size_t len)
{
	struct scan s = {.at = (const char *)bytes,
			 .end = (const char *)bytes + len};
	unsigned int seen;

	if (len >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3))
		s.at += 3;
	skip_blanks(&s);
	if (s.at >= s.end || *s.at != '{')
		return PN_SNIFF_NO;
	seen = scan_keys(&s);
	if (seen & TYPE_MAP)
		return PN_SNIFF_SURE;
	if (seen & HEADER_TYPE && seen & (HEADER_FACT | COLLECTOR))
		return seen & (COLLECTOR | RESOURCES | TYPED) ? PN_SNIFF_SURE
							      : PN_SNIFF_LIKELY;
	if (seen & RESOURCES && seen & RESOURCE_KEY)
		return PN_SNIFF_LIKELY;
	if (seen & MODEL || (seen & ORIGIN && seen & (COLLECTOR | RESOURCES)))
		return PN_SNIFF_LIKELY;
	return seen & TYPED ? PN_SNIFF_LIKELY : PN_SNIFF_NO;
}
