/* Sort keys of pstats: names, beginnings of names, and the order they make. */
#include "analysis/pstats/steps.h"

#include "base/alloc.h"
#include "base/number.h"
#include "base/text/similar.h"

#include <stdlib.h>
#include <string.h>

enum field {
	BY_NOTHING, /* the end of a list */
	BY_PRIMITIVE,
	BY_CALLS,
	BY_SELF,
	BY_TOTAL,
	BY_FILE,
	BY_LINE,
	BY_NAME,
	BY_TEXT
};

#define KEY_FIELDS 4 /* of one key, with the end */

struct key {
	const char *name;
	enum field fields[KEY_FIELDS];
	const char *label;
};

static const struct key keys[] = {
	{"calls", {BY_CALLS}, "call count"},
	{"ncalls", {BY_CALLS}, "call count"},
	{"cumtime", {BY_TOTAL}, "cumulative time"},
	{"cumulative", {BY_TOTAL}, "cumulative time"},
	{"filename", {BY_FILE}, "file name"},
	{"line", {BY_LINE}, "line number"},
	{"module", {BY_FILE}, "file name"},
	{"name", {BY_NAME}, "function name"},
	{"nfl", {BY_NAME, BY_FILE, BY_LINE}, "name/file/line"},
	{"pcalls", {BY_PRIMITIVE}, "primitive call count"},
	{"stdname", {BY_TEXT}, "standard name"},
	{"time", {BY_SELF}, "internal time"},
	{"tottime", {BY_SELF}, "internal time"},
};
#define KEYS (sizeof(keys) / sizeof(keys[0]))

/* The keys of the profiler before this one, from -1. */
static const char *const numbers[] = {"stdname", "calls", "time", "cumulative"};

static size_t common(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	return n;
}

/* The longest beginning that a key shares with one before it is taken from
 * both, and nothing shorter: "c" and "n" mean nothing, "cu" means cumtime. */
static bool is_ambiguous(const char *text, size_t len)
{
	size_t i, k;

	for (i = 1; i < KEYS; i++) {
		size_t most = 0;

		for (k = 0; k < i; k++)
			if (common(keys[i].name, keys[k].name) > most)
				most = common(keys[i].name, keys[k].name);
		if (most == len && !strncmp(keys[i].name, text, len))
			return true;
	}
	return false;
}

/* Python has "cum" for ambiguous though both keys that begin with it mean the
 * same, and its manual's own example uses it. */
static const struct key *find_key(const char *text, size_t len)
{
	static const char cumulative[] = "cum";
	size_t i;

	if (!len ||
	    (is_ambiguous(text, len) && (len != strlen(cumulative) ||
					 strncmp(text, cumulative, len) != 0)))
		return NULL;
	for (i = 0; i < KEYS; i++)
		if (!strncmp(keys[i].name, text, len))
			return &keys[i];
	return NULL;
}

static const struct key *find_number(const char *text, size_t len)
{
	int64_t number;

	if (!pn_number_int(&number, text, len) || number < -1 || number > 2)
		return NULL;
	text = numbers[number + 1];
	return find_key(text, strlen(text));
}

void pn_pstats_sort_names(struct pn_buf *out, const char *between)
{
	size_t i;

	for (i = 0; i < KEYS; i++)
		pn_buf_printf(out, "%s%s", i ? between : "", keys[i].name);
}

static int unknown(const char *text, size_t len, struct pn_error *err)
{
	struct pn_buf names = {0};
	size_t count;

	pn_pstats_sort_names(&names, ", ");
	count = names.len;
	pn_similar_say(&names, text, len);
	pn_error_set(err, PN_EINVAL,
		     "no sort key '%.*s': there are %.*s, unique beginnings of "
		     "them, and alone -1 to 2%s",
		     len > 100 ? 100 : (int)len, text, (int)count,
		     pn_buf_text(&names), pn_buf_text(&names) + count);
	pn_buf_release(&names);
	return PN_EINVAL;
}

/* What the keys come to, in turn. */
struct order {
	enum field *fields;
	size_t count, cap;
	struct pn_buf *label;
};

static void add_key(struct order *order, const struct key *key)
{
	size_t i;

	if (order->label)
		pn_buf_printf(order->label, "%s%s",
			      order->label->len ? ", " : "", key->label);
	for (i = 0; key->fields[i]; i++) {
		order->fields =
			pn_grow(order->fields, &order->cap, order->count + 1,
				sizeof(*order->fields));
		order->fields[order->count++] = key->fields[i];
	}
}

static int read_keys(struct order *order, const struct pn_pstats_list *sort,
		     struct pn_error *err)
{
	size_t i, len;

	for (i = 0; i < sort->count; i++) {
		const char *text = sort->values[i];

		for (;; text += len + 1) {
			const struct key *key;

			len = strcspn(text, ",");
			key = find_key(text, len);
			if (!key && sort->count == 1 && !order->count &&
			    !text[len])
				key = find_number(text, len);
			if (!key)
				return unknown(text, len, err);
			add_key(order, key);
			if (!text[len])
				break;
		}
	}
	return 0;
}

int pn_pstats_check(const struct pn_pstats_options *options,
		    struct pn_error *err)
{
	struct order order = {0};
	int code = read_keys(&order, &options->sort, err);

	free(order.fields);
	return code;
}

static int compare_texts(const char *a, size_t a_len, const char *b,
			 size_t b_len)
{
	size_t least = a_len < b_len ? a_len : b_len;
	int by = least ? memcmp(a, b, least) : 0;

	if (by)
		return by;
	return a_len < b_len ? -1 : a_len > b_len;
}

int pn_pstats_compare(const struct pn_pstats_function *a,
		      const struct pn_pstats_function *b)
{
	int by = compare_texts(a->file, a->file_len, b->file, b->file_len);

	if (!by)
		by = a->line < b->line ? -1 : a->line > b->line;
	if (!by)
		by = compare_texts(a->name, a->name_len, b->name, b->name_len);
	return by;
}

/* Counts and times begin with the largest. */
static int compare_by(enum field field, const struct pn_pstats_function *a,
		      const struct pn_pstats_function *b)
{
	switch (field) {
	case BY_PRIMITIVE:
		return a->primitive > b->primitive
			       ? -1
			       : a->primitive < b->primitive;
	case BY_CALLS:
		return a->calls > b->calls ? -1 : a->calls < b->calls;
	case BY_SELF:
		return a->self_s > b->self_s ? -1 : a->self_s < b->self_s;
	case BY_TOTAL:
		return a->total_s > b->total_s ? -1 : a->total_s < b->total_s;
	case BY_FILE:
		return compare_texts(a->file, a->file_len, b->file,
				     b->file_len);
	case BY_LINE:
		return a->line < b->line ? -1 : a->line > b->line;
	case BY_NAME:
		return compare_texts(a->name, a->name_len, b->name,
				     b->name_len);
	case BY_TEXT:
		return compare_texts(a->text, a->text_len, b->text,
				     b->text_len);
	case BY_NOTHING:
		break;
	}
	return 0;
}

struct item {
	const struct order *order;
	const struct pn_pstats_function *function;
	uint32_t index;
};

static int compare_items(const void *left, const void *right)
{
	const struct item *a = left, *b = right;
	size_t i;

	for (i = 0; i < a->order->count; i++) {
		int by = compare_by(a->order->fields[i], a->function,
				    b->function);

		if (by)
			return by;
	}
	return a->index < b->index ? -1 : a->index > b->index;
}

int pn_pstats_sort(struct pn_pstats *stats,
		   const struct pn_pstats_options *options,
		   struct pn_error *err)
{
	struct order order = {.label = &stats->order};
	size_t i, n = stats->shown_count;
	struct item *items;
	int code = read_keys(&order, &options->sort, err);

	if (!code && order.count) {
		items = pn_calloc(n + 1, sizeof(*items));
		for (i = 0; i < n; i++)
			items[i] = (struct item){&order, &stats->functions[i],
						 (uint32_t)i};
		if (n)
			qsort(items, n, sizeof(*items), compare_items);
		for (i = 0; i < n; i++)
			stats->shown[i] =
				items[options->reverse ? n - 1 - i : i].index;
		free(items);
	}
	free(order.fields);
	return code;
}
