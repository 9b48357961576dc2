/* Merging profiles: tables and samples. */
#include "analysis/merge/merge.h"

#include "analysis/merge/state.h"
#include "base/alloc.h"
#include "model/timeline/ticks.h"

#include <stdlib.h>
#include <string.h>

struct pn_merge *pn_merge_new(void)
{
	struct pn_merge *m = pn_calloc(1, sizeof(*m));

	pn_profile_init(&m->out);
	return m;
}

void pn_merge_free(struct pn_merge *m)
{
	if (!m)
		return;
	pn_profile_release(&m->out);
	pn_slots_release(&m->mappings);
	pn_slots_release(&m->functions);
	pn_slots_release(&m->locations);
	pn_slots_release(&m->stacks);
	pn_slots_release(&m->sets);
	pn_slots_release(&m->samples);
	pn_slots_release(&m->nodes);
	pn_slots_release(&m->edges);
	pn_slots_release(&m->costs);
	pn_slots_release(&m->comments);
	pn_slots_release(&m->metrics);
	pn_merge_runs_release(m);
	free(m->order);
	free(m->listed);
	free(m->words);
	free(m->labels);
	free(m);
}

/* Labels of one key keep their order, keys have none: they are sorted. */
static void insert_label(struct pn_label *labels, size_t count,
			 const struct pn_label *label)
{
	while (count && labels[count - 1].key > label->key) {
		labels[count] = labels[count - 1];
		count--;
	}
	labels[count] = *label;
}

static void take_label(struct pn_merge *m, size_t count,
		       const struct pn_label *from)
{
	bool text =
		from->kind == PN_LABEL_STRING || from->kind == PN_LABEL_JSON;
	struct pn_label label;

	memset(&label, 0, sizeof(label)); /* padding, too: it is compared */
	label.key = pn_merge_string(m, from->key);
	label.unit = pn_merge_string(m, from->unit);
	label.kind = from->kind;
	if (text)
		label.value.s = pn_merge_string(m, from->value.s);
	else
		label.value.i = from->value.i;
	insert_label(m->labels, count, &label);
}

static size_t add_base_label(struct pn_merge *m, size_t count)
{
	struct pn_label label;

	memset(&label, 0, sizeof(label));
	label.key = pn_strtab_add_text(&m->out.strings, "pprof::base");
	label.kind = PN_LABEL_STRING;
	label.value.s = pn_strtab_add_text(&m->out.strings, "true");
	insert_label(m->labels, count, &label);
	return count + 1;
}

static size_t add_run_label(struct pn_merge *m, size_t count, uint32_t run)
{
	struct pn_label label;

	memset(&label, 0, sizeof(label));
	label.key = m->run_key;
	label.kind = PN_LABEL_INT;
	label.value.i = run;
	insert_label(m->labels, count, &label);
	return count + 1;
}

static uint32_t find_set(struct pn_merge *m, size_t count)
{
	struct pn_profile *out = &m->out;
	uint64_t *words = pn_merge_words(m, 3 * count + 1);
	uint32_t hash, row;
	size_t i, slot;

	for (i = 0; i < count; i++) {
		const struct pn_label *label = &m->labels[i];

		words[3 * i] = (uint64_t)label->key << 32 | label->unit;
		words[3 * i + 1] = label->kind;
		words[3 * i + 2] = (uint64_t)label->value.i;
	}
	hash = pn_slots_hash(&m->sets, words, 3 * count);
	slot = pn_slots_first(&m->sets, hash);
	while (pn_slots_row(&row, &m->sets, &slot, hash)) {
		const uint32_t *had = out->label_set_start + row;

		if (had[1] - had[0] == count &&
		    !memcmp(out->labels + had[0], m->labels,
			    count * sizeof(*m->labels)))
			return row;
	}
	row = pn_profile_add_label_set(out, m->labels, count);
	pn_slots_add(&m->sets, hash, row);
	return row;
}

static uint32_t map_set(struct pn_merge *m, uint32_t at)
{
	const uint32_t *start = m->in->label_set_start + at;
	size_t i, count = 0, had = start[1] - start[0];
	uint32_t run;

	if (m->of_set[at] != PN_NONE)
		return m->of_set[at];
	m->labels =
		pn_grow(m->labels, &m->label_cap, had + 2, sizeof(*m->labels));
	for (i = 0; i < had; i++) {
		const struct pn_label *label = &m->in->labels[start[0] + i];

		if (!pn_merge_runs_is_label(m, label))
			take_label(m, count++, label);
	}
	if (m->change.base)
		count = add_base_label(m, count);
	run = pn_merge_runs_of_set(m, at);
	if (run)
		count = add_run_label(m, count, run);
	return m->of_set[at] = count ? find_set(m, count) : 0;
}

static bool is_zero(const union pn_value *row, size_t width)
{
	size_t i;

	for (i = 0; i < width; i++)
		if (row[i].i) /* of a double: all bits but that of -0 */
			return false;
	return true;
}

/* The presence of a sample's values: there as soon as one of them is. */
static void take_absence(struct pn_merge *m, size_t from, size_t to,
			 bool is_new)
{
	struct pn_profile *out = &m->out;
	size_t i, width = out->type_count;

	if (!m->in->present && !out->present)
		return;
	for (i = 0; i < width; i++) {
		size_t bit = to * width + i;

		if (!pn_profile_is_present(m->in, from, m->column[i])) {
			if (is_new)
				pn_profile_set_absent(out, to, i);
		} else if (out->present) {
			out->present[bit / 8] |= (uint8_t)(1u << bit % 8);
		}
	}
}

/* The sample of `out` with this stack and these labels, or PN_NONE. */
static uint32_t find_sample(struct pn_merge *m, const struct pn_sample *sample,
			    uint32_t *hash)
{
	uint64_t word = (uint64_t)sample->stack << 32 | sample->labels;
	uint32_t row;
	size_t slot;

	*hash = pn_slots_hash(&m->samples, &word, 1);
	slot = pn_slots_first(&m->samples, *hash);
	while (pn_slots_row(&row, &m->samples, &slot, *hash))
		if (m->out.samples[row].stack == sample->stack &&
		    m->out.samples[row].labels == sample->labels)
			return row;
	return PN_NONE;
}

static void merge_sample(struct pn_merge *m, size_t at)
{
	struct pn_profile *out = &m->out;
	size_t width = out->type_count;
	union pn_value row[PN_MAX_VALUE_TYPES];
	struct pn_sample sample = m->in->samples[at];
	uint32_t to = PN_NONE, hash = 0;
	bool is_new;

	pn_merge_row(row, m, m->in->values + at * width);
	pn_merge_roles_row(row, m, sample.labels);
	if (!m->observations && is_zero(row, width))
		return;
	sample.stack = pn_merge_stack(m, sample.stack);
	sample.labels = map_set(m, sample.labels);
	if (!m->observations)
		to = find_sample(m, &sample, &hash);
	is_new = to == PN_NONE;
	if (is_new) {
		to = (uint32_t)pn_profile_add_sample(out, sample.stack,
						     sample.labels, row);
		if (!m->observations)
			pn_slots_add(&m->samples, hash, to);
	} else {
		pn_merge_add_row(out->values + to * width, m, row);
	}
	take_absence(m, at, to, is_new);
}

static uint32_t *map_of(size_t count)
{
	uint32_t *map = pn_realloc_array(NULL, count + 1, sizeof(*map));

	memset(map, 255, (count + 1) * sizeof(*map));
	return map;
}

static void open_maps(struct pn_merge *m)
{
	const struct pn_profile *in = m->in;

	m->strings = map_of(in->strings.count);
	m->of_mapping = map_of(in->mapping_count);
	m->of_function = map_of(in->function_count);
	m->of_location = map_of(in->location_count);
	m->of_stack = map_of(in->stack_count);
	m->of_set = map_of(in->label_set_count);
	m->of_node = map_of(in->graph.node_count);
	m->joins_threads = m->inputs && !m->change.negate && !m->change.base &&
			   pn_merge_is_thread(m);
	m->change.same_runs |= m->joins_threads;
	pn_merge_runs_begin(m);
}

static void close_maps(struct pn_merge *m)
{
	free(m->strings);
	free(m->of_mapping);
	free(m->of_function);
	free(m->of_location);
	free(m->of_stack);
	free(m->of_set);
	free(m->of_node);
	pn_merge_runs_close(m);
	m->in = NULL;
}

/* Ids are 32 bits: no table may come to hold more. */
static int check_size(const struct pn_merge *m, const struct pn_profile *in,
		      struct pn_error *err)
{
	const struct pn_profile *out = &m->out;
	const size_t had[] = {out->frame_count,	       out->sample_count,
			      out->stack_count,	       out->line_count,
			      out->location_count,     out->strings.count,
			      out->graph.node_count,   out->graph.edge_count,
			      out->graph.cost_count,   out->label_count,
			      out->curves.point_count, out->curves.part_count,
			      out->events.count};
	const size_t more[] = {in->frame_count,	       in->sample_count,
			       in->stack_count,	       in->line_count,
			       in->location_count,     in->strings.count,
			       in->graph.node_count,   in->graph.edge_count,
			       in->graph.cost_count,   in->label_count,
			       in->curves.point_count, in->curves.part_count,
			       in->events.count};
	size_t i;

	for (i = 0; i < sizeof(had) / sizeof(*had); i++) {
		/* a set may get pprof::base and its run as further labels */
		uint64_t sum = (uint64_t)had[i] + more[i] +
			       2 * (uint64_t)in->label_set_count;

		if (sum >= PN_NONE - 1)
			return pn_error_set(err, PN_ELIMIT,
					    "the merged profile would have "
					    "more than %lu samples, frames, "
					    "labels or the like",
					    (unsigned long)PN_NONE - 2);
	}
	return 0;
}

static bool is_graph(const struct pn_profile *p)
{
	return !p->sample_count && p->graph.node_count;
}

static int check_kind(const struct pn_merge *m, const struct pn_profile *in,
		      struct pn_error *err)
{
	const struct pn_profile *out = &m->out;

	if ((is_graph(out) && in->sample_count) ||
	    (is_graph(in) && out->sample_count))
		return pn_error_set(err, PN_EINVAL,
				    "a call graph without stacks cannot be "
				    "merged with samples");
	return 0;
}

/* Beside the stacks of several profiles stands the graph of all or none. */
static void drop_graph(struct pn_profile *p)
{
	p->graph.node_count = p->graph.edge_count = p->graph.cost_count = 0;
	free(p->graph.self_by_run);
	p->graph.self_by_run = NULL;
}

int pn_merge_add(struct pn_merge *m, const struct pn_profile *profile,
		 const struct pn_merge_change *change, struct pn_error *err)
{
	size_t i;
	int code;

	code = check_kind(m, profile, err);
	if (!code)
		code = check_size(m, profile, err);
	if (code)
		return code;
	m->in = profile;
	m->change = change ? *change : (struct pn_merge_change){0};
	open_maps(m);
	code = pn_merge_types(m, err);
	if (code) {
		close_maps(m);
		return code;
	}
	/* the first one is the program's own, which nobody knows where the
	 * first profile has none; others come as they are met */
	if (!m->out.mapping_count && profile->mapping_count && m->inputs)
		pn_profile_add_mapping(&m->out, &(struct pn_mapping){0});
	else if (!m->out.mapping_count && profile->mapping_count)
		pn_merge_mapping(m, 0);
	m->no_graph |= profile->sample_count && !profile->graph.node_count;
	for (i = 0; i < profile->sample_count; i++)
		merge_sample(m, i);
	pn_merge_graph(m);
	pn_merge_curves(m);
	pn_merge_events(m);
	pn_merge_ticks(m);
	pn_merge_header(m);
	pn_merge_metrics(m);
	m->inputs++;
	close_maps(m);
	return 0;
}

void pn_merge_end(struct pn_profile *out, struct pn_merge *m)
{
	size_t i, width = m->out.type_count;
	bool pool, anew;

	pn_merge_graph_end(m);
	pool = pn_merge_runs_end(m);
	anew = pool && m->out.sample_count;
	if (m->no_graph && m->out.graph.node_count) {
		drop_graph(&m->out);
		anew = true;
	}
	if (!anew)
		pn_merge_roles_end(m);
	for (i = 0; i < m->out.sample_count && !m->observations; i++)
		anew = anew || is_zero(m->out.values + i * width, width);
	if (anew) {
		/* what zeros alone used has to go, too */
		struct pn_merge_change change = {.pool = pool};
		struct pn_merge *again = pn_merge_new();

		again->again = true;
		pn_merge_add(again, &m->out, &change, NULL);
		pn_merge_runs_end(again);
		if (!m->no_roles)
			pn_merge_roles_end(again);
		pn_merge_free(m);
		m = again;
	}
	pn_ticks_unite(&m->out);
	*out = m->out;
	pn_profile_init(&m->out);
	pn_merge_free(m);
}

int pn_merge_one(struct pn_profile *out, const struct pn_profile *profile,
		 const struct pn_merge_change *change, struct pn_error *err)
{
	struct pn_merge *merge = pn_merge_new();
	int code = pn_merge_add(merge, profile, change, err);

	if (code)
		pn_merge_free(merge);
	else
		pn_merge_end(out, merge);
	return code;
}

int pn_merge_alone(struct pn_profile *profile,
		   const struct pn_merge_change *change, struct pn_error *err)
{
	struct pn_profile merged;
	int code = pn_merge_one(&merged, profile, change, err);

	if (code)
		return code;
	pn_profile_release(profile);
	*profile = merged;
	return 0;
}
