/* The pairs of a duel as a filter gets them. */
#include "detect/duel/pairs.h"

#include <math.h>
#include <string.h>

void pn_duel_pairs_release(struct pn_duel_pairs *pairs)
{
	if (!pairs)
		return;
	pn_numbers_release(&pairs->a);
	pn_numbers_release(&pairs->b);
}

static int add_pair(struct pn_duel_pairs *out, const struct pn_numbers *pair,
		    const char *what, size_t number, struct pn_error *err)
{
	int code;

	if (pair->count != 2)
		return pn_error_set(err, PN_EINVAL,
				    "%s %zu: need two numbers, have %zu", what,
				    number, pair->count);
	code = pn_numbers_add(&out->a, pair->values[0], err);
	return code ? code : pn_numbers_add(&out->b, pair->values[1], err);
}

static int parse_lines(struct pn_duel_pairs *out, const char *text, size_t len,
		       struct pn_error *err)
{
	struct pn_numbers pair = {0};
	size_t line = 0, size;
	const char *lf;
	int code = 0;

	for (; !code && len; text += size, len -= size) {
		lf = memchr(text, '\n', len);
		size = lf ? (size_t)(lf - text) + 1 : len;
		code = pn_numbers_words(&pair, text, size, ++line, err);
		if (!code && pair.count)
			code = add_pair(out, &pair, "line", line, err);
	}
	pn_numbers_release(&pair);
	return code;
}

/* The list of pairs: the document, or its member "pairs". SIZE_MAX without. */
static size_t find_list(const struct pn_json_tree *v)
{
	size_t at;

	if (pn_json_tree_event(v, 0) == PN_JSON_ARRAY)
		return 0;
	for (at = 1; pn_json_tree_event(v, at) == PN_JSON_KEY;
	     at = pn_json_tree_end(v, at + 1))
		if (pn_json_tree_is(v, at, "pairs") &&
		    pn_json_tree_event(v, at + 1) == PN_JSON_ARRAY)
			return at + 1;
	return SIZE_MAX;
}

static int parse_json(struct pn_duel_pairs *out, const char *text, size_t len,
		      struct pn_error *err)
{
	struct pn_json_tree v = {0};
	struct pn_numbers pair = {0};
	size_t list = SIZE_MAX, at, number = 0;
	int code = pn_json_tree_parse(&v, text, len, err);

	if (!code)
		list = find_list(&v);
	if (!code && list == SIZE_MAX)
		code = pn_error_set(err, PN_EINVAL,
				    "no list \"pairs\" in the object");
	for (at = list + 1;
	     !code && pn_json_tree_event(&v, at) != PN_JSON_ARRAY_END;
	     at = pn_json_tree_end(&v, at)) {
		code = pn_numbers_item(&pair, &v, at, "a pair", err);
		if (!code)
			code = add_pair(out, &pair, "pair", ++number, err);
	}
	pn_numbers_release(&pair);
	pn_json_tree_release(&v);
	return code;
}

int pn_duel_pairs_parse(struct pn_duel_pairs *out, const char *text, size_t len,
			struct pn_error *err)
{
	return pn_numbers_is_json(text, len) ? parse_json(out, text, len, err)
					     : parse_lines(out, text, len, err);
}

size_t pn_duel_play(struct pn_duel_look *looks, size_t failed[2],
		    struct pn_duel *duel, const struct pn_duel_pairs *pairs)
{
	size_t i, n = 0;

	for (i = 0; i < pairs->a.count && !pn_duel_is_over(duel); i++) {
		double a = pairs->a.values[i], b = pairs->b.values[i];

		failed[0] += isnan(a);
		failed[1] += isnan(b);
		if (!isnan(a) && !isnan(b) && pn_duel_add(duel, a, b))
			looks[n++] = duel->last;
	}
	if (pn_duel_finish(duel))
		looks[n++] = duel->last;
	return n;
}
