/* What the labels of samples weigh at each node. */
#include "analysis/drawn/drawn.h"

#include "analysis/filter/tagfilter.h"
#include "analysis/tags.h"
#include "base/alloc.h"
#include "model/unit.h"

#include <stdlib.h>
#include <string.h>

/* The only numbers that are drawn. */
#define NUMBERS "bytes"

/* A tag as a set of labels has it. */
struct kind {
	uint32_t labels, number;
	const char *unit;
	int64_t value;
};

struct work {
	struct pn_drawn_tags *out;
	const struct pn_report *report;
	struct kind *kinds;
	size_t kind_count, kind_cap;
	uint32_t *of_set;      /* kinds: of set s from of_set[s] on */
	unsigned char *is_row; /* by node */
	uint32_t *seen;	       /* by node: the last sample that counted here */
	struct pn_slots slots; /* items by node and tag */
};

static int by_text(const void *left, const void *right)
{
	const char *const *a = left, *const *b = right;

	return strcmp(*a, *b);
}

/* "key:value" of each text, sorted, LF between; LF in them are blanks. */
static uint32_t join_labels(struct work *w, size_t set)
{
	const struct pn_profile *p = w->report->profile;
	uint32_t at, first = p->label_set_start[set], id;
	uint32_t end = p->label_set_start[set + 1];
	const char **texts = pn_calloc(end - first + 1, sizeof(*texts));
	struct pn_arena arena = {0};
	struct pn_buf text = {0};
	size_t i, n = 0;

	for (at = first; at < end; at++) {
		const struct pn_label *l = &p->labels[at];
		const char *key = pn_profile_text(p, l->key);

		if (l->kind != PN_LABEL_STRING || !strcmp(key, "pprof::base"))
			continue;
		pn_buf_clear(&text);
		pn_buf_printf(&text, "%s:%s", key,
			      pn_profile_text(p, l->value.s));
		for (i = 0; i < text.len; i++)
			if (text.data[i] == '\n')
				text.data[i] = ' ';
		texts[n++] = pn_arena_copy(&arena, text.data, text.len);
	}
	qsort(texts, n, sizeof(*texts), by_text);
	pn_buf_clear(&text);
	for (i = 0; i < n; i++)
		pn_buf_printf(&text, "%s%s", i ? "\n" : "", texts[i]);
	id = pn_strtab_add(&w->out->strings, pn_buf_text(&text), text.len);
	pn_buf_release(&text);
	pn_arena_release(&arena);
	free(texts);
	return id;
}

static struct kind *new_kind(struct work *w, uint32_t labels)
{
	w->kinds = pn_grow(w->kinds, &w->kind_cap, w->kind_count + 1,
			   sizeof(*w->kinds));
	w->kinds[w->kind_count] = (struct kind){.labels = labels};
	return &w->kinds[w->kind_count++];
}

static void find_kinds(struct work *w)
{
	/* before one unit was chosen for the weights: labels have others */
	const char *to = w->report->options.unit;
	const struct pn_profile *p = w->report->profile;
	struct pn_buf text = {0};
	size_t set;
	uint32_t at;

	w->of_set = pn_calloc(p->label_set_count + 1, sizeof(*w->of_set));
	for (set = 0; set < p->label_set_count; set++) {
		uint32_t labels = join_labels(w, set);

		w->of_set[set] = (uint32_t)w->kind_count;
		if (labels)
			new_kind(w, labels);
		for (at = p->label_set_start[set];
		     at < p->label_set_start[set + 1]; at++) {
			const struct pn_label *l = &p->labels[at];
			struct kind *kind;

			if (l->kind != PN_LABEL_INT ||
			    strcmp(pn_profile_text(p, l->key), NUMBERS) != 0)
				continue;
			pn_buf_clear(&text);
			pn_tag_text(&text, w->report, l,
				    to ? to : PN_UNIT_MINIMUM);
			kind = new_kind(w, labels);
			kind->number = pn_strtab_add(
				&w->out->strings, pn_buf_text(&text), text.len);
			kind->unit = pn_tag_unit(w->report->tag_units, p, l);
			kind->value = l->value.i;
		}
	}
	w->of_set[p->label_set_count] = (uint32_t)w->kind_count;
	pn_buf_release(&text);
}

static struct pn_drawn_tag *tag_of(struct work *w, uint32_t node,
				   const struct kind *kind)
{
	const uint64_t words[2] = {node,
				   (uint64_t)kind->labels << 32 | kind->number};
	uint32_t row, hash = pn_slots_hash(&w->slots, words, 2);
	size_t at = pn_slots_first(&w->slots, hash);
	struct pn_drawn_tags *out = w->out;

	while (pn_slots_row(&row, &w->slots, &at, hash)) {
		struct pn_drawn_tag *had = &out->items[row];

		if (had->node == node && had->labels == kind->labels &&
		    had->number == kind->number)
			return had;
	}
	pn_slots_add(&w->slots, hash, (uint32_t)out->count);
	out->items = pn_grow(out->items, &out->cap, out->count + 1,
			     sizeof(*out->items));
	out->items[out->count] = (struct pn_drawn_tag){
		.node = node,
		.labels = kind->labels,
		.number = kind->number,
		.unit = kind->unit,
		.value = kind->value,
	};
	return &out->items[out->count++];
}

static void add_cum(struct work *w, uint32_t node, uint32_t set, int64_t value,
		    int64_t divisor)
{
	uint32_t k;

	for (k = w->of_set[set]; k < w->of_set[set + 1]; k++) {
		struct pn_drawn_tag *tag = tag_of(w, node, &w->kinds[k]);

		tag->cum = pn_weight_add(tag->cum, value);
		tag->cum_div = pn_weight_add(tag->cum_div, divisor);
	}
}

static void add_flat(struct work *w, uint32_t node, uint32_t set, int64_t value,
		     int64_t divisor)
{
	uint32_t k;

	for (k = w->of_set[set]; k < w->of_set[set + 1]; k++) {
		struct pn_drawn_tag *tag = tag_of(w, node, &w->kinds[k]);

		tag->flat = pn_weight_add(tag->flat, value);
		tag->flat_div = pn_weight_add(tag->flat_div, divisor);
	}
}

static void weigh_sample(struct work *w, size_t i)
{
	const struct pn_profile *p = w->report->profile;
	const struct pn_nodes *nodes = &w->report->nodes;
	const struct pn_weight *weight = &w->report->weight;
	const union pn_value *row = p->values + i * p->type_count;
	int64_t value = pn_weight_value(weight, p, row);
	int64_t divisor = pn_weight_divisor(weight, p, row);
	uint32_t stack = p->samples[i].stack, set = p->samples[i].labels;
	uint32_t first = p->stack_start[stack], end = p->stack_start[stack + 1];
	uint32_t at, k;

	if (first == end || (!value && !divisor) ||
	    w->of_set[set] == w->of_set[set + 1])
		return;
	for (at = first; at < end; at++)
		for (k = nodes->first[p->frames[at]];
		     k < nodes->first[p->frames[at] + 1]; k++) {
			uint32_t node = nodes->of[k];

			if (!w->is_row[node] || w->seen[node] == i + 1)
				continue;
			w->seen[node] = (uint32_t)i + 1;
			add_cum(w, node, set, value, divisor);
		}
	k = nodes->of[nodes->first[p->frames[first]]];
	if (w->is_row[k])
		add_flat(w, k, set, value, divisor);
}

static int by_node(const void *left, const void *right)
{
	const struct pn_drawn_tag *a = left, *b = right;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	if (a->labels != b->labels)
		return a->labels < b->labels ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static void settle(struct pn_drawn_tags *out, size_t nodes, int64_t least)
{
	size_t i, n = 0;

	for (i = 0; i < out->count; i++)
		if (pn_weight_abs(out->items[i].flat) >= least ||
		    pn_weight_abs(out->items[i].cum) >= least)
			out->items[n++] = out->items[i];
	out->count = n;
	if (n)
		qsort(out->items, n, sizeof(*out->items), by_node);
	out->first = pn_calloc(nodes + 2, sizeof(*out->first));
	for (i = 0; i < n; i++)
		out->first[out->items[i].node + 1]++;
	for (i = 0; i < nodes; i++)
		out->first[i + 1] += out->first[i];
}

void pn_drawn_tags_init(struct pn_drawn_tags *out,
			const struct pn_report *report, int64_t least)
{
	const struct pn_profile *p = report->profile;
	struct work w = {.out = out, .report = report};
	size_t i;

	memset(out, 0, sizeof(*out));
	pn_strtab_add(&out->strings, "", 0);
	w.is_row = pn_calloc(report->nodes.count + 1, 1);
	w.seen = pn_calloc(report->nodes.count + 1, sizeof(*w.seen));
	for (i = 0; i < report->row_count; i++)
		w.is_row[report->rows[i].node] = 1;
	if (p->label_set_start)
		find_kinds(&w);
	for (i = 0; i < p->sample_count && w.kind_count && p->frame_count; i++)
		weigh_sample(&w, i);
	settle(out, report->nodes.count, least);
	pn_slots_release(&w.slots);
	free(w.is_row);
	free(w.seen);
	free(w.of_set);
	free(w.kinds);
}

void pn_drawn_tags_release(struct pn_drawn_tags *tags)
{
	free(tags->items);
	free(tags->first);
	pn_strtab_release(&tags->strings);
	memset(tags, 0, sizeof(*tags));
}
