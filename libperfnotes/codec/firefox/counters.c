/* Counters of Firefox's profiles. */
#include "codec/firefox/counters.h"

#include "base/alloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELLS_MAX 64 /* of a row; Firefox's have two or three */

struct point {
	double ms, count;
	size_t order; /* in the file */
};

struct counter {
	struct pn_firefox_counters *to;
	uint32_t name, category, pid; /* strings */
	struct point *points;	      /* of all its tables */
	size_t point_count, point_cap;
	bool bad;  /* a table is none */
	bool gaps; /* a point lacks its time or its count */
	/* of one table, in columns */
	struct pn_json_doubles times, deltas, counts;
	/* in rows: where the two stand, and all cells of the row */
	double time_at, count_at;
	struct pn_json_doubles row;
};

static const struct {
	const char *category, *unit;
	bool grows;
} categories[] = {{"Memory", "bytes", true},
		  {"Bandwidth", "bytes", false},
		  {"power", "pWh", false}};
#define CATEGORIES (sizeof(categories) / sizeof(*categories))

static int take_text(uint32_t *out, struct counter *c, struct pn_json *json,
		     enum pn_json_event first, struct pn_error *err)
{
	if (first == PN_JSON_NUMBER || first == PN_JSON_STRING)
		*out = pn_strtab_add(&c->to->counters.p->strings,
				     pn_json_text(json), pn_json_len(json));
	return pn_json_skip(json, first, err);
}

static int take_name(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	return take_text(&((struct counter *)to)->name, to, json, first, err);
}

static int take_category(void *to, struct pn_json *json,
			 enum pn_json_event first, struct pn_error *err)
{
	return take_text(&((struct counter *)to)->category, to, json, first,
			 err);
}

/* A number or a string. */
static int take_pid(void *to, struct pn_json *json, enum pn_json_event first,
		    struct pn_error *err)
{
	return take_text(&((struct counter *)to)->pid, to, json, first, err);
}

static void push(struct pn_json_doubles *to, double value)
{
	to->items =
		pn_grow(to->items, &to->cap, to->count + 1, sizeof(*to->items));
	to->items[to->count++] = value;
}

static int take_cell(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	double value;
	int code = pn_json_take_double_or_nan(&value, json, first, err);

	push(to, value);
	return code;
}

static int take_column(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	if (first != PN_JSON_ARRAY)
		return pn_json_skip(json, first, err);
	return pn_json_walk_array(to, json, first, take_cell, err);
}

static void add_point(struct counter *c, double ms, double count)
{
	if (!isfinite(ms) || !isfinite(count)) {
		c->gaps = true;
		return;
	}
	c->points = pn_grow(c->points, &c->point_cap, c->point_count + 1,
			    sizeof(*c->points));
	c->points[c->point_count] = (struct point){ms, count, c->point_count};
	c->point_count++;
}

static double cell(const struct counter *c, double at)
{
	return at >= 0 && at < (double)c->row.count ? c->row.items[(size_t)at]
						    : NAN;
}

/* [12.5, 4096, 3] */
static int take_row(void *to, struct pn_json *json, enum pn_json_event first,
		    struct pn_error *err)
{
	struct counter *c = to;
	enum pn_json_event event;
	int code = 0;
	double value;

	c->row.count = 0;
	if (first != PN_JSON_ARRAY)
		code = pn_json_skip(json, first, err);
	while (!code && first == PN_JSON_ARRAY) {
		code = pn_json_next(&event, json, err);
		if (code || event == PN_JSON_ARRAY_END)
			break;
		code = pn_json_take_double_or_nan(&value, json, event, err);
		if (c->row.count < CELLS_MAX)
			push(&c->row, value);
	}
	if (!code)
		add_point(c, cell(c, c->time_at), cell(c, c->count_at));
	return code;
}

static int take_rows(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	if (first != PN_JSON_ARRAY)
		return pn_json_skip(json, first, err);
	return pn_json_walk_array(to, json, first, take_row, err);
}

static int take_place(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	return pn_json_take_double_or_nan(to, json, first, err);
}

static int take_schema(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"time", take_place,
		 .offset = offsetof(struct counter, time_at)},
		{"count", take_place,
		 .offset = offsetof(struct counter, count_at)},
		{0},
	};

	if (first != PN_JSON_OBJECT)
		return pn_json_skip(json, first, err);
	return pn_json_walk_object(to, NULL, json, first, fields, err);
}

/* Times of columns: as they are, or each since the one before. */
static void add_columns(struct counter *c)
{
	const struct pn_json_doubles *times =
		c->times.count ? &c->times : &c->deltas;
	double ms = 0;
	size_t i;

	c->bad |= times->count != c->counts.count;
	for (i = 0; !c->bad && i < times->count; i++) {
		ms = times->items[i] + (c->times.count ? 0 : ms);
		add_point(c, ms, c->counts.items[i]);
	}
}

static int take_samples(void *to, struct pn_json *json,
			enum pn_json_event first, struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"time", take_column,
		 .offset = offsetof(struct counter, times)},
		{"timeDeltas", take_column,
		 .offset = offsetof(struct counter, deltas)},
		{"count", take_column,
		 .offset = offsetof(struct counter, counts)},
		{"schema", take_schema},
		{"data", take_rows},
		{0},
	};
	struct counter *c = to;
	int code;

	if (first != PN_JSON_OBJECT) {
		c->bad = true;
		return pn_json_skip(json, first, err);
	}
	c->times.count = c->deltas.count = c->counts.count = 0;
	c->time_at = c->count_at = -1;
	code = pn_json_walk_object(c, NULL, json, first, fields, err);
	if (!code)
		add_columns(c);
	return code;
}

/* Older ones have a list of such groups. */
static int take_group(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"samples", take_samples},
		{0},
	};

	if (first != PN_JSON_OBJECT)
		return pn_json_skip(json, first, err);
	return pn_json_walk_object(to, NULL, json, first, fields, err);
}

static int take_groups(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	if (first != PN_JSON_ARRAY)
		return pn_json_skip(json, first, err);
	return pn_json_walk_array(to, json, first, take_group, err);
}

static int by_time(const void *a, const void *b)
{
	const struct point *l = a, *r = b;

	if (l->ms != r->ms)
		return l->ms < r->ms ? -1 : 1;
	return (l->order > r->order) - (l->order < r->order);
}

/* What grows is the sum of all groups; behind a gap nobody knows it. */
static void add(struct counter *c)
{
	struct pn_counters *to = &c->to->counters;
	const char *category = pn_profile_text(to->p, c->category);
	double value = 0;
	struct pn_counter of = {.process = c->pid, .name = c->name};
	uint32_t at;
	size_t i, kind = 0, n = c->point_count;
	bool grows;

	while (kind < CATEGORIES &&
	       strcmp(category, categories[kind].category) != 0)
		kind++;
	grows = kind < CATEGORIES && categories[kind].grows;
	if (!n || c->bad || (grows && c->gaps))
		return;
	qsort(c->points, n, sizeof(*c->points), by_time);
	if (kind < CATEGORIES)
		of.unit = pn_strtab_add_text(&to->p->strings,
					     categories[kind].unit);
	at = pn_counters_at(to, &of);
	for (i = 0; i < n; i++) {
		value = c->points[i].count + (grows ? value : 0);
		if (!grows || i + 1 == n ||
		    c->points[i].ms != c->points[i + 1].ms)
			pn_counters_add(to, at,
					c->points[i].ms + c->to->shift_ms,
					value);
	}
}

static uint32_t numbered(struct pn_firefox_counters *c)
{
	char text[32];

	snprintf(text, sizeof(text), "process %zu", c->before + 1);
	return pn_strtab_add_text(&c->counters.p->strings, text);
}

static int take_counter(void *to, struct pn_json *json,
			enum pn_json_event first, struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"name", take_name},
		{"category", take_category},
		{"pid", take_pid},
		{"samples", take_samples},
		{"sampleGroups", take_groups},
		{"sample_groups", take_groups},
		{0},
	};
	struct counter c = {.to = to};
	int code;

	if (first != PN_JSON_OBJECT)
		return pn_json_skip(json, first, err);
	c.pid = c.to->pid ? c.to->pid : numbered(c.to);
	code = pn_json_walk_object(&c, NULL, json, first, fields, err);
	if (!code)
		add(&c);
	free(c.points);
	free(c.times.items);
	free(c.deltas.items);
	free(c.counts.items);
	free(c.row.items);
	return code;
}

int pn_firefox_take_counters(void *to, struct pn_json *json,
			     enum pn_json_event first, struct pn_error *err)
{
	if (first != PN_JSON_ARRAY)
		return pn_json_skip(json, first, err);
	return pn_json_walk_array(to, json, first, take_counter, err);
}
