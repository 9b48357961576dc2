/* Labels and numbers beside the nodes of a picture. */
#include "analysis/drawn/drawn.h"

#include "base/alloc.h"
#include "model/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ordered {
	struct pn_drawn_tag tag;
	const char *name;
	bool flat;
};

static int heavier(int64_t a, int64_t b)
{
	uint64_t x = (uint64_t)pn_weight_abs(a), y = (uint64_t)pn_weight_abs(b);

	return (x < y) - (x > y);
}

/* Lines of a name have "\n" between them in pprof, which decides. */
static int by_name(const char *a, const char *b)
{
	unsigned char x, y;

	while (*a && *a == *b) {
		a++;
		b++;
	}
	x = *a == '\n' ? '\\' : (unsigned char)*a;
	y = *b == '\n' ? '\\' : (unsigned char)*b;
	return (x > y) - (x < y);
}

static int by_weight(const void *left, const void *right)
{
	const struct ordered *a = left, *b = right;
	int order = 0;

	if (!a->flat)
		order = heavier(a->tag.cum, b->tag.cum);
	if (!order)
		order = heavier(a->tag.flat, b->tag.flat);
	return order ? order : by_name(a->name, b->name);
}

void pn_drawn_tags_order(struct pn_drawn_tag *items, size_t count, bool flat,
			 const struct pn_strtab *strings)
{
	struct ordered *list = pn_calloc(count + 1, sizeof(*list));
	size_t i;

	for (i = 0; i < count; i++) {
		uint32_t name =
			items[i].number ? items[i].number : items[i].labels;

		list[i].tag = items[i];
		list[i].name = pn_strtab_text(strings, name);
		list[i].flat = flat;
	}
	if (count)
		qsort(list, count, sizeof(*list), by_weight);
	for (i = 0; i < count; i++)
		items[i] = list[i].tag;
	free(list);
}

struct work {
	struct pn_nodelets *out;
	struct pn_drawn_tags tags;
	bool flat; /* of a node that calls others, its own weight alone */
};

static struct pn_nodelet *add(struct work *w, const char *name, uint32_t place)
{
	struct pn_nodelets *out = w->out;

	out->items = pn_grow(out->items, &out->cap, out->count + 1,
			     sizeof(*out->items));
	out->items[out->count] = (struct pn_nodelet){
		.name = pn_arena_copy(&out->arena, name, strlen(name)),
		.place = place};
	return &out->items[out->count++];
}

static double distance(const struct pn_drawn_tag *a,
		       const struct pn_drawn_tag *b)
{
	const char *unit;

	return fabs(pn_unit_scale(&unit, (double)b->value, b->unit, a->unit) -
		    (double)a->value);
}

/* Several numbers that are drawn as one tag: their range and their sum. */
struct group {
	const struct pn_drawn_tag *least, *most;
	struct pn_drawn_tag sum;
	size_t count;
};

static double in_unit(const struct pn_drawn_tag *tag, const char *unit)
{
	return pn_unit_scale(&unit, (double)tag->value, tag->unit, unit);
}

static void join(struct group *g, const struct pn_drawn_tag *tag)
{
	g->count++;
	if (trunc(in_unit(tag, g->least->unit)) < (double)g->least->value)
		g->least = tag;
	if (trunc(in_unit(tag, g->most->unit)) > (double)g->most->value)
		g->most = tag;
	g->sum.flat = pn_weight_add(g->sum.flat, tag->flat);
	g->sum.flat_div = pn_weight_add(g->sum.flat_div, tag->flat_div);
	g->sum.cum = pn_weight_add(g->sum.cum, tag->cum);
	g->sum.cum_div = pn_weight_add(g->sum.cum_div, tag->cum_div);
}

/* "1MB..2MB"; the sums are divided then, where they are of a mean. */
static void name_group(struct work *w, struct group *g)
{
	struct pn_buf name = {0};

	pn_unit_label(&name, (double)g->least->value, g->least->unit,
		      PN_UNIT_AUTO);
	if (g->count > 1) {
		pn_buf_add_text(&name, "..");
		pn_unit_label(&name, (double)g->most->value, g->most->unit,
			      PN_UNIT_AUTO);
	}
	g->sum.number =
		pn_strtab_add(&w->tags.strings, pn_buf_text(&name), name.len);
	g->sum.flat = pn_weight_div(g->sum.flat, g->sum.flat_div);
	g->sum.cum = pn_weight_div(g->sum.cum, g->sum.cum_div);
	g->sum.flat_div = g->sum.cum_div = 0;
	pn_buf_release(&name);
}

/* Those beyond the heaviest ones join the nearest of these. */
static void collapse(struct work *w, struct pn_drawn_tag *items, size_t count)
{
	struct group groups[PN_DRAWN_NODELETS];
	size_t i, g, nearest;

	for (g = 0; g < PN_DRAWN_NODELETS; g++)
		groups[g] = (struct group){&items[g], &items[g], items[g], 1};
	for (i = PN_DRAWN_NODELETS; i < count; i++) {
		nearest = 0;
		for (g = 1; g < PN_DRAWN_NODELETS; g++)
			if (distance(&items[i], &items[g]) <
			    distance(&items[i], &items[nearest]))
				nearest = g;
		join(&groups[nearest], &items[i]);
	}
	for (g = 0; g < PN_DRAWN_NODELETS; g++)
		name_group(w, &groups[g]);
	for (g = 0; g < PN_DRAWN_NODELETS; g++)
		items[g] = groups[g].sum;
	pn_drawn_tags_order(items, PN_DRAWN_NODELETS, w->flat,
			    &w->tags.strings);
}

static size_t add_numbers(struct work *w, struct pn_drawn_tag *items,
			  size_t count)
{
	size_t i, had = w->out->count;

	pn_drawn_tags_order(items, count, w->flat, &w->tags.strings);
	if (count > PN_DRAWN_NODELETS) {
		collapse(w, items, count);
		count = PN_DRAWN_NODELETS;
	}
	for (i = 0; i < count; i++) {
		int64_t flat = pn_weight_div(items[i].flat, items[i].flat_div);
		int64_t cum = pn_weight_div(items[i].cum, items[i].cum_div);
		bool partly = !w->flat && flat != cum;
		struct pn_nodelet *to;

		if (!(partly ? cum : flat))
			continue;
		to = add(w, pn_strtab_text(&w->tags.strings, items[i].number),
			 (uint32_t)i);
		to->weight = partly ? cum : flat;
		to->partly = partly;
	}
	return w->out->count - had;
}

/* Tags of a node are by labels: first the labels, then their numbers. */
static size_t numbers_of(const struct pn_drawn_tag *items, size_t count,
			 uint32_t labels, size_t *first)
{
	size_t i, n = 0;

	for (i = 0; i < count; i++)
		if (items[i].labels == labels && items[i].number && !n++)
			*first = i;
	return n;
}

static void add_labels(struct work *w, struct pn_nodelet_rows *row,
		       struct pn_drawn_tag *items, size_t count)
{
	struct pn_drawn_tag *labels = pn_calloc(count + 1, sizeof(*labels));
	size_t i, n = 0, had, first = 0;

	for (i = 0; i < count; i++)
		if (!items[i].number)
			labels[n++] = items[i];
	pn_drawn_tags_order(labels, n, w->flat, &w->tags.strings);
	row->labels = w->out->count;
	for (i = 0; i < n && i < PN_DRAWN_NODELETS; i++) {
		const struct pn_drawn_tag *tag = &labels[i];
		int64_t weight =
			w->flat ? pn_weight_div(tag->flat, tag->flat_div)
				: pn_weight_div(tag->cum, tag->cum_div);

		if (!weight)
			continue;
		add(w, pn_strtab_text(&w->tags.strings, tag->labels),
		    (uint32_t)i)
			->weight = weight;
		/* which of `labels` it is, until its numbers are there */
		w->out->items[w->out->count - 1].first = tag->labels;
		row->label_count++;
	}
	for (i = row->labels; i < row->labels + row->label_count; i++) {
		n = numbers_of(items, count, (uint32_t)w->out->items[i].first,
			       &first);
		had = w->out->count;
		n = n ? add_numbers(w, items + first, n) : 0;
		w->out->items[i].first = had;
		w->out->items[i].count = n;
	}
	free(labels);
}

void pn_nodelets_init(struct pn_nodelets *out, const struct pn_report *report)
{
	struct work w = {.out = out};
	size_t i, n, first = 0;

	memset(out, 0, sizeof(*out));
	out->rows = pn_calloc(report->row_count + 1, sizeof(*out->rows));
	pn_drawn_tags_init(&w.tags, report, report->draws_tags_of);
	for (i = 0; i < report->row_count; i++) {
		uint32_t node = report->rows[i].node;
		size_t count = w.tags.first[node + 1] - w.tags.first[node];
		struct pn_nodelet_rows *row = &out->rows[i];
		struct pn_drawn_tag *items;

		if (!count)
			continue;
		items = w.tags.items + w.tags.first[node];
		w.flat = report->rows[i].out_count > 0;
		add_labels(&w, row, items, count);
		n = numbers_of(items, count, 0, &first);
		row->numbers = out->count;
		if (n)
			row->number_count = add_numbers(&w, items + first, n);
	}
	pn_drawn_tags_release(&w.tags);
}

void pn_nodelets_release(struct pn_nodelets *nodelets)
{
	free(nodelets->items);
	free(nodelets->rows);
	pn_arena_release(&nodelets->arena);
	memset(nodelets, 0, sizeof(*nodelets));
}
