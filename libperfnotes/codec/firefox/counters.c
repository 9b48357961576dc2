/* Counters of Firefox's profiles. */
#include "codec/firefox/counters.h"

#include "base/alloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELLS_MAX 64 /* of a row; Firefox's have two or three */

struct counter {
	struct pn_firefox_counters *to;
	uint32_t name, category, pid; /* strings */
	/* of columns */
	struct pn_json_doubles times, deltas, counts;
	/* of rows: where the two stand, and all cells of the row */
	int64_t time_at, count_at;
	struct pn_json_doubles row;
};

static const struct {
	const char *category, *unit;
	bool grows;
} categories[] = {{"Memory", "bytes", true},
		  {"Bandwidth", "bytes", false},
		  {"power", "pWh", false}};
#define CATEGORIES (sizeof(categories) / sizeof(*categories))

/* A number or a string. */
static int take_pid(void *to, struct pn_json *json, enum pn_json_event first,
		    struct pn_error *err)
{
	struct counter *c = to;
	struct pn_strtab *strings = &c->to->counters.p->strings;

	if (first != PN_JSON_NUMBER && first != PN_JSON_STRING)
		return pn_json_skip(json, first, err);
	c->pid = pn_strtab_add(strings, pn_json_text(json), pn_json_len(json));
	return 0;
}

static void push(struct pn_json_doubles *to, double value)
{
	to->items =
		pn_grow(to->items, &to->cap, to->count + 1, sizeof(*to->items));
	to->items[to->count++] = value;
}

/* [12.5, 4096, 3]: what is no number is passed over. */
static int take_row(void *to, struct pn_json *json, enum pn_json_event first,
		    struct pn_error *err)
{
	struct counter *c = to;
	enum pn_json_event event;
	int code = 0;
	double value, time, count;

	if (first != PN_JSON_ARRAY)
		return pn_json_fail(json, err, "expected an array");
	c->row.count = 0;
	while (!code) {
		code = pn_json_next(&event, json, err);
		if (code || event == PN_JSON_ARRAY_END)
			break;
		value = NAN;
		if (event == PN_JSON_NUMBER)
			code = pn_json_take_double(&value, json, event, err);
		else
			code = pn_json_skip(json, event, err);
		if (c->row.count < CELLS_MAX)
			push(&c->row, value);
	}
	if (code || c->time_at < 0 || c->count_at < 0 ||
	    (uint64_t)c->time_at >= c->row.count ||
	    (uint64_t)c->count_at >= c->row.count)
		return code;
	time = c->row.items[c->time_at];
	count = c->row.items[c->count_at];
	if (!isnan(time) && !isnan(count)) {
		push(&c->times, time);
		push(&c->counts, count);
	}
	return 0;
}

static const struct pn_json_field schema_fields[] = {
	PN_JSON_FIELD("time", counter, time_at),
	PN_JSON_FIELD("count", counter, count_at),
	{0},
};

static const struct pn_json_field samples_fields[] = {
	PN_JSON_FIELD("time", counter, times),
	PN_JSON_FIELD("timeDeltas", counter, deltas),
	PN_JSON_FIELD("count", counter, counts),
	{"schema", .fields = schema_fields},
	{"data", .each = take_row},
	{0},
};

/* Times of columns: as they are, or each since the one before. */
static bool sum_deltas(struct counter *c)
{
	double ms = 0;
	size_t i;

	for (i = 0; !c->times.count && i < c->deltas.count; i++)
		c->deltas.items[i] = ms += c->deltas.items[i];
	return c->counts.count ==
	       (c->times.count ? c->times.count : c->deltas.count);
}

static void add(struct counter *c)
{
	struct pn_counters *to = &c->to->counters;
	const char *category = pn_profile_text(to->p, c->category);
	const double *ms;
	double value = 0;
	uint32_t unit = 0;
	size_t i, at, kind = 0;

	while (kind < CATEGORIES &&
	       strcmp(category, categories[kind].category) != 0)
		kind++;
	if (kind < CATEGORIES)
		unit = pn_strtab_add_text(&to->p->strings,
					  categories[kind].unit);
	at = pn_counters_at(to, c->pid, c->name, unit);
	ms = c->times.count ? c->times.items : c->deltas.items;
	for (i = 0; i < c->counts.count; i++) {
		value = c->counts.items[i] +
			(kind < CATEGORIES && categories[kind].grows ? value
								     : 0);
		pn_counters_add(to, at, ms[i] + c->to->shift_ms, value);
	}
}

/* Older ones have a list of such groups. */
static int take_group(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"samples", .fields = samples_fields},
		{0},
	};

	return pn_json_walk_object(to, NULL, json, first, fields, err);
}

static uint32_t numbered(struct pn_firefox_counters *c)
{
	char text[32];

	snprintf(text, sizeof(text), "process %zu", c->before + 1);
	return pn_strtab_add_text(&c->counters.p->strings, text);
}

int pn_firefox_take_counter(void *to, struct pn_json *json,
			    enum pn_json_event first, struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		PN_JSON_FIELD("name", counter, name),
		PN_JSON_FIELD("category", counter, category),
		{"pid", take_pid},
		{"samples", .fields = samples_fields},
		{"sampleGroups", .each = take_group},
		{"sample_groups", .each = take_group},
		{0},
	};
	struct counter c = {.to = to, .time_at = -1, .count_at = -1};
	int code;

	c.pid = c.to->pid ? c.to->pid : numbered(c.to);
	code = pn_json_walk_object(&c, &c.to->counters.p->strings, json, first,
				   fields, err);

	if (!code && !sum_deltas(&c))
		code = pn_json_fail(json, err,
				    "expected as many times as counts");
	if (!code)
		add(&c);
	free(c.times.items);
	free(c.deltas.items);
	free(c.counts.items);
	free(c.row.items);
	return code;
}
