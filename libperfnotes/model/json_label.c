/*
 * The flat text of a value, by the rules of Perun's profile/convert.py and
 * profile/query.py (version 0.22).
 */
#include "model/json_label.h"

#include "base/alloc.h"
#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
	const char *data;
	size_t len;
};

/* An item of a flat object: its key, its place among others, its text. */
struct pair {
	struct text key, value, rank;
	size_t seq;
};

struct pairs {
	struct pair *items;
	size_t count, cap;
};

struct flat {
	const struct pn_json_tree *value;
	struct pn_arena arena;
	uint64_t *budget;
	struct pn_error *err;
};

static int flatten_under(struct flat *f, struct pairs *out,
			 const struct text *key, size_t item);

static int spend(struct flat *f, uint64_t bytes)
{
	if (*f->budget < bytes)
		return pn_error_set(f->err, PN_ELIMIT,
				    "nested too deeply to be flattened");
	*f->budget -= bytes;
	return 0;
}

static void add_pair(struct pairs *out, struct text key, struct text value)
{
	struct pair *pair;

	out->items = pn_grow(out->items, &out->cap, out->count + 1,
			     sizeof(*out->items));
	pair = &out->items[out->count];
	memset(pair, 0, sizeof(*pair));
	pair->key = key;
	pair->value = value;
	pair->seq = out->count++;
}

static int keep(struct flat *f, struct text *out, const struct pn_buf *buf)
{
	int code = spend(f, (uint64_t)buf->len + 16);

	if (code)
		return code;
	out->data = pn_arena_copy(&f->arena, pn_buf_text(buf), buf->len);
	out->len = buf->len;
	return 0;
}

/* As Python's str(). */
static struct text scalar_text(const struct flat *f, size_t item)
{
	struct text text = {"", 0};

	switch (pn_json_tree_event(f->value, item)) {
	case PN_JSON_TRUE:
		return (struct text){"True", 4};
	case PN_JSON_FALSE:
		return (struct text){"False", 5};
	case PN_JSON_NULL:
		return (struct text){"None", 4};
	case PN_JSON_NUMBER:
		if (pn_json_tree_is(f->value, item, "NaN"))
			return (struct text){"nan", 3};
		if (pn_json_tree_is(f->value, item, "Infinity"))
			return (struct text){"inf", 3};
		if (pn_json_tree_is(f->value, item, "-Infinity"))
			return (struct text){"-inf", 4};
		/* fallthrough */
	default:
		text.data = pn_json_tree_text(f->value, item, &text.len);
		return text;
	}
}

static const char *known_rank(const struct text *key)
{
	static const struct {
		const char *key, *rank;
	} known[] = {
		{"bin", "0"},	  {"file", "1"},	{"source", "1"},
		{"package", "1"}, {"module", "2"},	{"class", "3"},
		{"struct", "3"},  {"structure", "3"},	{"function", "4"},
		{"func", "4"},	  {"method", "4"},	{"procedure", "4"},
		{"line", "5"},	  {"instruction", "6"},
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strlen(known[i].key) == key->len &&
		    !memcmp(known[i].key, key->data, key->len))
			return known[i].rank;
	return NULL;
}

static uint32_t point_at(const struct text *key, size_t *at)
{
	unsigned char c = (unsigned char)key->data[(*at)++];
	uint32_t point = c < 0x80   ? c
			 : c < 0xe0 ? c & 0x1f
			 : c < 0xf0 ? c & 0x0f
				    : c & 0x07;

	while (*at < key->len && (key->data[*at] & 0xc0) == 0x80)
		point = (point << 6 | (key->data[(*at)++] & 0x3f)) & 0x1fffff;
	return point;
}

/* Digits of a number without leading zeros, so that length decides first. */
static int set_rank(struct flat *f, struct pair *pair, struct pn_buf *buf)
{
	const char *rank = known_rank(&pair->key);
	size_t at = 0;

	if (rank) {
		pair->rank = (struct text){rank, 1};
		return 0;
	}
	pn_buf_clear(buf);
	while (at < pair->key.len)
		pn_buf_printf(buf, "%u",
			      (unsigned int)point_at(&pair->key, &at) + 6);
	return keep(f, &pair->rank, buf);
}

static int by_rank(const void *a, const void *b)
{
	const struct pair *l = a, *r = b;
	int order;

	if (l->rank.len != r->rank.len)
		return l->rank.len < r->rank.len ? -1 : 1;
	order = memcmp(l->rank.data, r->rank.data, l->rank.len);
	if (order)
		return order;
	return l->seq < r->seq ? -1 : l->seq > r->seq;
}

static int join(struct flat *f, struct text *out, const struct pairs *pairs,
		char separator)
{
	struct pn_buf buf = {0};
	size_t i;
	int code;

	for (i = 0; i < pairs->count; i++) {
		if (i)
			pn_buf_add_byte(&buf, (unsigned char)separator);
		pn_buf_add(&buf, pairs->items[i].value.data,
			   pairs->items[i].value.len);
	}
	code = keep(f, out, &buf);
	pn_buf_release(&buf);
	return code;
}

static int join_by_rank(struct flat *f, struct text *out, struct pairs *pairs)
{
	struct pn_buf buf = {0};
	size_t i;
	int code = 0;

	for (i = 0; pairs->count > 1 && i < pairs->count && !code; i++)
		code = set_rank(f, &pairs->items[i], &buf);
	pn_buf_release(&buf);
	if (code)
		return code;
	if (pairs->count > 1)
		qsort(pairs->items, pairs->count, sizeof(*pairs->items),
		      by_rank);
	return join(f, out, pairs, ':');
}

/* [{"name": k, "value": v}, ...]: an object that is written as a list. */
static bool is_named_list(const struct flat *f, size_t item)
{
	size_t at = item + 1, end, names, values;

	if (pn_json_tree_event(f->value, at) == PN_JSON_ARRAY_END)
		return false;
	while (pn_json_tree_event(f->value, at) != PN_JSON_ARRAY_END) {
		if (pn_json_tree_event(f->value, at) != PN_JSON_OBJECT)
			return false;
		end = pn_json_tree_end(f->value, at);
		names = values = 0;
		for (at++; at + 1 < end;
		     at = pn_json_tree_end(f->value, at + 1)) {
			if (pn_json_tree_is(f->value, at, "name"))
				names++;
			else if (pn_json_tree_is(f->value, at, "value"))
				values++;
			else
				return false;
		}
		if (names != 1 || values != 1)
			return false;
		at = end;
	}
	return true;
}

/* The items of an object, or of a list that stands for one. */
static int object_items(struct flat *f, struct pairs *out, size_t item)
{
	size_t at = item + 1;
	bool named = pn_json_tree_event(f->value, item) == PN_JSON_ARRAY;
	size_t end = pn_json_tree_end(f->value, item) - 1;
	int code = 0;

	while (at < end && !code) {
		size_t key_at = at, value_at = at + 1, next;
		struct text key;

		if (named) {
			bool name_first =
				pn_json_tree_is(f->value, at + 1, "name");
			size_t second = pn_json_tree_end(f->value, at + 2);

			next = pn_json_tree_end(f->value, at);
			key_at = name_first ? at + 2 : second + 1;
			value_at = name_first ? second + 1 : at + 2;
		} else {
			next = pn_json_tree_end(f->value, value_at);
		}
		key = scalar_text(f, key_at);
		code = flatten_under(f, out, &key, value_at);
		at = next;
	}
	return code;
}

static int flatten_object(struct flat *f, struct pairs *out,
			  const struct text *key, size_t item)
{
	struct pairs nested = {0};
	struct pn_buf buf = {0};
	struct text text;
	size_t i;
	int code = object_items(f, &nested, item);

	for (i = 0; i < nested.count && !code; i++) {
		pn_buf_clear(&buf);
		if (key)
			pn_buf_add(&buf, key->data, key->len);
		pn_buf_add_byte(&buf, ':');
		pn_buf_add(&buf, nested.items[i].key.data,
			   nested.items[i].key.len);
		code = keep(f, &text, &buf);
		if (!code)
			add_pair(out, text, nested.items[i].value);
	}
	/* an element of a list shows its items only */
	if (!code && key) {
		code = join_by_rank(f, &text, &nested);
		if (!code)
			add_pair(out, *key, text);
	}
	pn_buf_release(&buf);
	free(nested.items);
	return code;
}

static int flatten_list(struct flat *f, struct text *out, size_t item)
{
	struct pairs elements = {0};
	size_t at = item + 1;
	int code = 0;

	while (pn_json_tree_event(f->value, at) != PN_JSON_ARRAY_END && !code) {
		struct pairs nested = {0};
		struct text text;

		code = flatten_under(f, &nested, NULL, at);
		if (!code)
			code = join(f, &text, &nested, ':');
		if (!code)
			add_pair(&elements, (struct text){"", 0}, text);
		free(nested.items);
		at = pn_json_tree_end(f->value, at);
	}
	if (!code)
		code = join(f, out, &elements, ',');
	free(elements.items);
	return code;
}

/* What a key (NULL: a place in a list) and its value come to. */
static int flatten_under(struct flat *f, struct pairs *out,
			 const struct text *key, size_t item)
{
	enum pn_json_event event = pn_json_tree_event(f->value, item);
	struct text text;
	int code = spend(f, pn_json_tree_end(f->value, item) - item);

	if (code)
		return code;
	if (event == PN_JSON_OBJECT ||
	    (event == PN_JSON_ARRAY && is_named_list(f, item)))
		return flatten_object(f, out, key, item);
	if (event == PN_JSON_ARRAY) {
		code = flatten_list(f, &text, item);
		if (code)
			return code;
	} else {
		text = scalar_text(f, item);
	}
	add_pair(out, key ? *key : (struct text){"", 0}, text);
	return 0;
}

int pn_json_label_flatten(struct pn_buf *out, const struct pn_json_tree *value,
			  size_t item, uint64_t *budget, struct pn_error *err)
{
	struct flat f = {value, {0}, budget, err};
	struct pairs pairs = {0};
	struct text text = {"", 0};
	int code = 0;

	switch (pn_json_tree_event(value, item)) {
	case PN_JSON_OBJECT:
		code = object_items(&f, &pairs, item);
		if (!code)
			code = join_by_rank(&f, &text, &pairs);
		break;
	case PN_JSON_ARRAY:
		code = flatten_list(&f, &text, item);
		break;
	default:
		text = scalar_text(&f, item);
	}
	if (!code)
		pn_buf_add(out, text.data, text.len);
	free(pairs.items);
	pn_arena_release(&f.arena);
	return code;
}
