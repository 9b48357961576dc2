/* Functions over commits. */
#include "analysis/functions/history.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/strtab.h"
#include "model/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is known of a key. */
struct known {
	const char *name, *file;
	uint32_t row; /* PN_NONE: it has none */
	bool matches;
	bool seen; /* at some commit */
};

/* A row on its way. */
struct rising {
	uint32_t key; /* that it has now, going back */
	struct pn_function_value *values;
	size_t cap;
	struct pn_function_name *names;
	size_t name_count, name_cap;
	size_t first; /* the newest point that has it */
	uint32_t first_key;
};

struct pn_function_building {
	struct pn_strtab keys; /* name, NUL, part of the path */
	struct known *known;   /* by key */
	size_t known_cap;
	struct rising *rows;
	size_t count, cap;
	struct pn_buf text;
};

static struct pn_function_building *
building_of(struct pn_function_history *history)
{
	if (!history->building)
		history->building = pn_calloc(1, sizeof(*history->building));
	return history->building;
}

static void know(struct pn_function_history *h, uint32_t key, const char *name,
		 size_t len, const char *file)
{
	struct pn_function_building *b = h->building;
	size_t had = b->known_cap;
	struct known *k;
	uint32_t ignored;

	b->known = pn_grow(b->known, &b->known_cap, (size_t)key + 1,
			   sizeof(*b->known));
	if (b->known_cap > had)
		memset(b->known + had, 0,
		       (b->known_cap - had) * sizeof(*b->known));
	k = &b->known[key];
	if (k->name)
		return;
	k->name = pn_arena_copy(&h->arena, name, len);
	k->file = pn_arena_copy(&h->arena, file, strlen(file));
	k->row = PN_NONE;
	k->matches = !h->rule.name || pn_regex_match(h->rule.name, name, len) ||
		     (h->rule.also &&
		      pn_strtab_find(&ignored, h->rule.also, name, len));
}

uint32_t pn_function_history_key(struct pn_function_history *h,
				 const char *name, size_t len, const char *file,
				 bool apart)
{
	struct pn_function_building *b = building_of(h);
	uint32_t key;

	pn_buf_clear(&b->text);
	pn_buf_add(&b->text, name, len);
	pn_buf_add_byte(&b->text, '\0');
	if (apart)
		pn_buf_add_text(&b->text, pn_file_basename(file));
	key = pn_strtab_add(&b->keys, b->text.data, b->text.len);
	know(h, key, name, len, file);
	return key;
}

bool pn_function_history_takes(const struct pn_function_history *h,
			       const struct pn_function_list *list)
{
	return !h->type || (!strcmp(h->type, list->type) &&
			    pn_unit_comparable(h->unit, list->unit));
}

static void bring_to_unit(struct pn_function_list *list, const char *unit)
{
	const char *ignored;
	double scale;
	size_t i;

	if (!strcmp(list->unit, unit))
		return;
	scale = pn_unit_scale(&ignored, 1, list->unit, unit);
	list->total *= scale;
	for (i = 0; i < list->count; i++) {
		list->items[i].value.self *= scale;
		list->items[i].value.total *= scale;
	}
}

static int by_size(const void *left, const void *right)
{
	const struct pn_function_item *a = left, *b = right;
	double x = fabs(a->value.self), y = fabs(b->value.self);

	if (x == y) {
		x = fabs(a->value.total);
		y = fabs(b->value.total);
	}
	if (x != y)
		return x > y ? -1 : 1;
	return (a->key > b->key) - (a->key < b->key);
}

/* A value of the point at hand; those between were 0. */
static void set_value(struct pn_function_history *h, struct rising *r,
		      const struct pn_function_value *value)
{
	struct pn_function_value *to = &r->values[h->point_count - 1];

	to->self += value->self;
	to->total += value->total;
	to->calls = value->calls;
}

static bool has_room(const struct pn_function_history *h)
{
	size_t count = h->building->count + 1;

	return count <= PN_FUNCTION_ROWS_MAX &&
	       count <= PN_FUNCTION_VALUES_MAX / h->point_count;
}

static void begin_row(struct pn_function_history *h, uint32_t key)
{
	struct pn_function_building *b = h->building;

	if (!has_room(h)) {
		h->left_out += !b->known[key].seen;
		return;
	}
	b->rows = pn_grow(b->rows, &b->cap, b->count + 1, sizeof(*b->rows));
	b->rows[b->count] = (struct rising){
		.key = key, .first = h->point_count - 1, .first_key = key};
	b->known[key].row = (uint32_t)b->count++;
}

/* All rows get room for a point; it begins as 0. */
static void widen(struct pn_function_history *h)
{
	struct pn_function_building *b = h->building;
	size_t i, k;

	for (i = 0; i < b->count; i++) {
		struct rising *r = &b->rows[i];

		k = r->cap;
		r->values = pn_grow(r->values, &r->cap, h->point_count,
				    sizeof(*r->values));
		if (r->cap > k)
			memset(r->values + k, 0,
			       (r->cap - k) * sizeof(*r->values));
	}
}

static void begin(struct pn_function_history *h,
		  const struct pn_function_list *list)
{
	h->type = pn_arena_copy(&h->arena, list->type, strlen(list->type));
	h->unit = pn_arena_copy(&h->arena, list->unit, strlen(list->unit));
	h->better = list->better;
	h->exact = list->exact;
}

void pn_function_history_add(struct pn_function_history *h, size_t commit,
			     struct pn_function_list *list)
{
	struct pn_function_building *b = building_of(h);
	size_t i;

	if (!h->type)
		begin(h, list);
	h->exact = h->exact && list->exact;
	bring_to_unit(list, h->unit);
	h->points = pn_grow(h->points, &h->point_cap, h->point_count + 1,
			    sizeof(*h->points));
	h->points[h->point_count++] =
		(struct pn_function_point){commit, list->total};
	if (h->point_count == 1 && list->count)
		qsort(list->items, list->count, sizeof(*list->items), by_size);
	for (i = 0; i < list->count; i++) {
		struct known *k = &b->known[list->items[i].key];

		if (k->matches && k->row == PN_NONE)
			begin_row(h, list->items[i].key);
		k->seen = true;
	}
	widen(h);
	for (i = 0; i < list->count; i++) {
		const struct known *k = &b->known[list->items[i].key];

		if (k->row != PN_NONE)
			set_value(h, &b->rows[k->row], &list->items[i].value);
	}
}

bool pn_function_history_misses(const struct pn_function_history *h,
				const struct pn_function_list *list,
				double least)
{
	struct pn_function_building *b = h->building;
	unsigned char *there;
	bool misses = false;
	size_t i, last = h->point_count - 1;

	if (!b || !h->point_count)
		return false;
	least *= fabs(h->points[last].total);
	there = pn_calloc(b->count + 1, 1);
	for (i = 0; i < list->count; i++)
		if (b->known[list->items[i].key].row != PN_NONE)
			there[b->known[list->items[i].key].row] = 1;
	for (i = 0; i < b->count && !misses; i++)
		misses = !there[i] && b->rows[i].cap > last &&
			 b->rows[i].values[last].total > 0 &&
			 b->rows[i].values[last].total >= least;
	free(there);
	return misses;
}

bool pn_function_history_meets(const struct pn_function_history *h,
			       const struct pn_function_list *list,
			       double least)
{
	const struct pn_function_building *b = h->building;
	size_t i;

	if (!b || !h->point_count || !h->rule.also || !h->rule.name)
		return false;
	for (i = 0; i < list->count; i++) {
		const struct known *k = &b->known[list->items[i].key];

		if (k->matches && k->row == PN_NONE &&
		    list->items[i].value.total >= least * list->total)
			return true;
	}
	return false;
}

void pn_function_history_rename(struct pn_function_history *h, uint32_t now,
				uint32_t old)
{
	struct pn_function_building *b = h->building;
	uint32_t row = b->known[now].row;
	struct rising *r;

	if (b->known[old].row != PN_NONE || now == old)
		return;
	if (row == PN_NONE && b->known[old].matches && !b->known[now].matches &&
	    h->rule.also)
		pn_strtab_add_text(h->rule.also, b->known[now].name);
	if (row == PN_NONE)
		return;
	r = &b->rows[row];
	r->names = pn_grow(r->names, &r->name_cap, r->name_count + 1,
			   sizeof(*r->names));
	r->names[r->name_count++] = (struct pn_function_name){
		h->point_count, b->known[old].name, b->known[old].file};
	r->key = old;
	b->known[old].row = row;
	b->known[now].row = PN_NONE;
}

static double share_of(double value, double total)
{
	return total != 0 ? fabs(value / total) : 0;
}

static void finish_row(struct pn_function_row *out,
		       struct pn_function_history *h, struct rising *r)
{
	const struct known *k = &h->building->known[r->first_key];
	size_t i;

	*out = (struct pn_function_row){.name = k->name,
					.file = k->file,
					.earlier = r->names,
					.earlier_count = r->name_count,
					.values = r->values};
	for (i = 0; i < h->point_count; i++) {
		double size = pn_function_size(h, &r->values[i]);

		out->most = fmax(out->most, share_of(size, h->points[i].total));
	}
	r->names = NULL;
	r->values = NULL;
}

static bool is_wanted(const struct pn_function_history *h,
		      const struct pn_function_row *row)
{
	double share = row->most;

	if (h->rule.newest)
		share = share_of(pn_function_size(h, &row->values[0]),
				 h->points[0].total);
	return share > 0 && share >= h->rule.min_share;
}

/* By what they cost in the newest commit, then by the most they ever did. */
static int by_newest(const void *left, const void *right)
{
	const struct pn_function_row *a = left, *b = right;
	double x = fabs(a->values[0].self), y = fabs(b->values[0].self);

	if (x == y) {
		x = fabs(a->values[0].total);
		y = fabs(b->values[0].total);
	}
	if (x == y) {
		x = a->most;
		y = b->most;
	}
	if (x != y)
		return x > y ? -1 : 1;
	return strcmp(a->name, b->name);
}

static int by_newest_total(const void *left, const void *right)
{
	const struct pn_function_row *a = left, *b = right;
	double x = fabs(a->values[0].total), y = fabs(b->values[0].total);

	if (x != y)
		return x > y ? -1 : 1;
	return by_newest(left, right);
}

static void release_row(struct pn_function_row *row)
{
	free((void *)row->earlier);
	free(row->values);
}

static void release_building(struct pn_function_building *b)
{
	size_t i;

	if (!b)
		return;
	for (i = 0; i < b->count; i++) {
		free(b->rows[i].values);
		free(b->rows[i].names);
	}
	free(b->rows);
	free(b->known);
	pn_strtab_release(&b->keys);
	pn_buf_release(&b->text);
	free(b);
}

void pn_function_history_end(struct pn_function_history *h)
{
	struct pn_function_building *b = building_of(h);
	struct pn_function_row row;
	size_t i, n = 0;

	h->rows = pn_calloc(b->count + 1, sizeof(*h->rows));
	for (i = 0; i < b->count; i++) {
		finish_row(&row, h, &b->rows[i]);
		if (is_wanted(h, &row)) {
			h->rows[n++] = row;
			continue;
		}
		h->small++;
		release_row(&row);
	}
	if (n)
		qsort(h->rows, n, sizeof(*h->rows),
		      h->rule.by_total ? by_newest_total : by_newest);
	for (i = h->rule.most; h->rule.most && i < n; i++)
		release_row(&h->rows[i]);
	if (h->rule.most && n > h->rule.most) {
		h->left_out += n - h->rule.most;
		n = h->rule.most;
	}
	h->row_count = n;
	release_building(b);
	h->building = NULL;
}

void pn_function_history_release(struct pn_function_history *h)
{
	size_t i;

	release_building(h->building);
	for (i = 0; i < h->row_count; i++)
		release_row(&h->rows[i]);
	free(h->rows);
	free(h->points);
	pn_arena_release(&h->arena);
	memset(h, 0, sizeof(*h));
}
