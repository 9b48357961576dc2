/* Resources, or models, as a table. */
#include "analysis/resources/listing.h"

#include "analysis/resources/frame.h"
#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct listing {
	struct pn_frame frame;
	size_t keys[PN_TABLE_MAX_COLUMNS];
	size_t key_count;
	const struct pn_listing_ask *ask;
};

static bool any_has(struct pn_frame *f, size_t key)
{
	size_t i;

	for (i = 0; i < f->count; i++)
		if (pn_frame_get(f, f->rows[i], key).kind != PN_DATUM_NONE)
			return true;
	return false;
}

static int add_key(struct listing *l, size_t key, struct pn_error *err)
{
	if (l->key_count == PN_TABLE_MAX_COLUMNS)
		return pn_error_set(err, PN_ELIMIT,
				    "more than %d columns: choose some with "
				    "--headers",
				    PN_TABLE_MAX_COLUMNS);
	l->keys[l->key_count++] = key;
	return 0;
}

static int choose_keys(struct listing *l, const struct pn_opt_list *headers,
		       struct pn_error *err)
{
	const struct pn_query *q = &l->frame.query;
	size_t i, key = 0;
	int code = 0;

	for (i = 0; i < headers->count && !code; i++) {
		code = pn_frame_need(&key, &l->frame, headers->values[i], false,
				     err);
		if (!code)
			code = add_key(l, key, err);
	}
	for (i = 0; i < q->key_count && !headers->count && !code; i++)
		if (strcmp(q->keys[i].name, "stack") != 0 &&
		    any_has(&l->frame, i))
			code = add_key(l, i, err);
	return code;
}

/* A row with what it is ordered by. */
struct sorted {
	size_t row, at;
	double number; /* NaN: it has none, or is a text */
	const char *text;
	size_t len;
	bool there;
};

static int in_order(const void *a, const void *b)
{
	const struct sorted *l = a, *r = b;
	size_t len = l->len < r->len ? l->len : r->len;
	int order;

	if (l->there != r->there)
		return l->there ? -1 : 1;
	if (isnan(l->number) != isnan(r->number))
		return isnan(l->number) ? 1 : -1;
	if (!isnan(l->number) && l->number != r->number)
		return l->number < r->number ? -1 : 1;
	order = isnan(l->number) && len ? memcmp(l->text, r->text, len) : 0;
	if (order)
		return order;
	if (isnan(l->number) && l->len != r->len)
		return l->len < r->len ? -1 : 1;
	return l->at < r->at ? -1 : l->at > r->at;
}

/* Stable; `texts` holds what is compared. */
static void sort_by(struct pn_frame *f, size_t key, struct pn_arena *texts)
{
	struct sorted *all = pn_calloc(f->count + 1, sizeof(*all));
	const char *text;
	size_t i, len;

	for (i = 0; i < f->count; i++) {
		all[i] = (struct sorted){.row = f->rows[i], .at = i};
		all[i].number = pn_frame_number(f, f->rows[i], key);
		all[i].there = pn_frame_text(&text, &len, f, f->rows[i], key);
		all[i].text = pn_arena_copy(texts, text, len);
		all[i].len = len;
	}
	qsort(all, f->count, sizeof(*all), in_order);
	for (i = 0; i < f->count; i++)
		f->rows[i] = all[i].row;
	free(all);
}

static int sort(struct listing *l, struct pn_error *err)
{
	const struct pn_listing_ask *ask = l->ask;
	struct pn_frame *f = &l->frame;
	size_t i, key = 0;
	int code = 0;

	/* the last one first: each keeps the order of those before */
	for (i = ask->sort_count; i-- > 0 && !code;) {
		struct pn_arena texts = {0};

		code = pn_frame_need(&key, f, ask->sort[i], false, err);
		if (!code)
			sort_by(f, key, &texts);
		pn_arena_release(&texts);
	}
	for (i = 0; ask->reverse && i < f->count / 2 && !code; i++) {
		size_t swapped = f->rows[i];

		f->rows[i] = f->rows[f->count - 1 - i];
		f->rows[f->count - 1 - i] = swapped;
	}
	return code;
}

static void add_columns(struct pn_table *out, const struct listing *l)
{
	size_t i;

	for (i = 0; i < l->key_count; i++) {
		const struct pn_query_key *key =
			&l->frame.query.keys[l->keys[i]];
		const char *name = pn_arena_copy(&out->arena, key->name,
						 strlen(key->name));
		struct pn_column column = {.title = pn_table_title(out, name),
					   .key = name,
					   .gap = i ? 2 : 0,
					   .left = !key->numeric};

		pn_table_add_column(out, &column);
	}
}

static struct pn_cell cell_of(struct pn_table *out, struct pn_frame *f,
			      size_t row, size_t key)
{
	struct pn_datum d = pn_frame_get(f, row, key);
	const char *text;
	size_t len;

	if (d.kind == PN_DATUM_INT)
		return pn_cell_int(d.i);
	if (d.kind == PN_DATUM_NUMBER)
		return pn_cell_number(d.d);
	if (d.kind == PN_DATUM_NONE)
		return (struct pn_cell){.kind = PN_CELL_NONE};
	pn_frame_text_of(&text, &len, f, &d);
	return pn_cell_text(pn_arena_copy(&out->arena, text, len));
}

static void add_rows(struct pn_table *out, struct listing *l)
{
	size_t count = l->frame.count, i, k;

	if (l->ask->most > 0 && (uint64_t)l->ask->most < count)
		count = (size_t)l->ask->most;
	for (i = 0; i < count; i++) {
		struct pn_cell *row = pn_table_add_row(out);

		for (k = 0; k < l->key_count; k++)
			row[k] = cell_of(out, &l->frame, l->frame.rows[i],
					 l->keys[k]);
	}
}

static int list(struct pn_table *out, const struct pn_profile *profile,
		const struct pn_resources_request *r,
		const struct pn_listing_ask *ask, struct pn_error *err)
{
	struct listing l = {.ask = ask};
	int code = pn_frame_init(&l.frame, profile, r->filters.values,
				 r->filters.count, err);

	memset(out, 0, sizeof(*out));
	if (!code)
		code = choose_keys(&l, &r->headers, err);
	if (!code)
		code = sort(&l, err);
	if (!code) {
		add_columns(out, &l);
		add_rows(out, &l);
	}
	pn_frame_release(&l.frame);
	return code;
}

int pn_listing(struct pn_table *out, const struct pn_profile *profile,
	       const struct pn_resources_request *r,
	       const struct pn_listing_ask *ask, struct pn_error *err)
{
	struct pn_profile models;
	int code;

	if (!r->models)
		return list(out, profile, r, ask, err);
	memset(out, 0, sizeof(*out));
	pn_profile_init(&models);
	code = pn_models_as_resources(&models, profile, err);
	if (!code)
		code = list(out, &models, r, ask, err);
	pn_profile_release(&models);
	return code;
}
