/* Building a profile, looking into it, releasing it. */
#include "model/profile.h"

#include "base/alloc.h"
#include "model/timeline/curves.h"
#include "model/timeline/events.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void pn_profile_init(struct pn_profile *profile)
{
	memset(profile, 0, sizeof(*profile));
	profile->header.exit_status = -1;
	profile->header.runs = 1;
	profile->complete = true;
}

static void release_header(struct pn_header *header)
{
	free(header->posts);
	free(header->environment);
	free(header->labels);
	free(header->extras);
	free(header->models);
}

static void release_graph(struct pn_graph *graph)
{
	free(graph->nodes);
	free(graph->self);
	free(graph->self_by_run);
	free(graph->total);
	free(graph->edges);
	free(graph->edge_self);
	free(graph->edge_total);
	free(graph->costs);
	free(graph->cost_values);
}

void pn_profile_release(struct pn_profile *profile)
{
	size_t i;

	if (!profile)
		return;
	pn_strtab_release(&profile->strings);
	release_header(&profile->header);
	release_graph(&profile->graph);
	free(profile->types);
	free(profile->comments);
	free(profile->mappings);
	free(profile->functions);
	free(profile->lines);
	free(profile->locations);
	free(profile->frames);
	free(profile->stack_start);
	free(profile->labels);
	free(profile->label_set_start);
	free(profile->samples);
	free(profile->values);
	free(profile->present);
	for (i = 0; i < profile->metric_count; i++)
		free(profile->metrics[i].values);
	free(profile->metrics);
	pn_curves_clear(profile);
	pn_events_clear(profile);
	free(profile->ticks);
	free(profile->facts);
	memset(profile, 0, sizeof(*profile));
}

const char *pn_profile_text(const struct pn_profile *profile, uint32_t id)
{
	return pn_strtab_text(&profile->strings, id);
}

uint32_t pn_profile_runs(const struct pn_profile *profile)
{
	return profile->header.runs ? profile->header.runs : 1;
}

/* Indices are 32 bits wide and PN_NONE is taken. */
static uint32_t index_of(size_t count)
{
	if (count >= PN_NONE)
		pn_alloc_failed(SIZE_MAX);
	return (uint32_t)count;
}

uint32_t pn_profile_add_type(struct pn_profile *p, const char *type,
			     const char *unit)
{
	struct pn_value_type *added;
	size_t count = p->type_count;

	p->types = pn_realloc_array(p->types, count + 1, sizeof(*p->types));
	added = &p->types[count];
	memset(added, 0, sizeof(*added));
	added->type = pn_strtab_add_text(&p->strings, type);
	added->unit = pn_strtab_add_text(&p->strings, unit);
	p->type_count++;
	return index_of(count);
}

void pn_profile_add_comment(struct pn_profile *p, const void *text, size_t len)
{
	p->comments = pn_realloc_array(p->comments, p->comment_count + 1,
				       sizeof(*p->comments));
	p->comments[p->comment_count++] = pn_strtab_add(&p->strings, text, len);
}

uint32_t pn_profile_add_mapping(struct pn_profile *p,
				const struct pn_mapping *mapping)
{
	p->mappings = pn_grow(p->mappings, &p->mapping_cap,
			      p->mapping_count + 1, sizeof(*mapping));
	p->mappings[p->mapping_count] = *mapping;
	return index_of(p->mapping_count++);
}

uint32_t pn_profile_add_function(struct pn_profile *p,
				 const struct pn_function *function)
{
	p->functions = pn_grow(p->functions, &p->function_cap,
			       p->function_count + 1, sizeof(*function));
	p->functions[p->function_count] = *function;
	return index_of(p->function_count++);
}

uint32_t pn_profile_add_location(struct pn_profile *p,
				 const struct pn_location *location,
				 const struct pn_line *lines, size_t count)
{
	struct pn_location *added;

	p->lines = pn_grow(p->lines, &p->line_cap, p->line_count + count,
			   sizeof(*lines));
	if (count)
		memcpy(p->lines + p->line_count, lines, count * sizeof(*lines));
	p->locations = pn_grow(p->locations, &p->location_cap,
			       p->location_count + 1, sizeof(*location));
	added = &p->locations[p->location_count];
	*added = *location;
	added->line_first = index_of(p->line_count);
	added->line_count = index_of(count);
	p->line_count += count;
	return index_of(p->location_count++);
}

/*
 * One run more in a column of runs: `starts` has room for cap + 1 ends, the
 * first of which is 0.
 */
static uint32_t *grow_starts(uint32_t *starts, size_t *cap, size_t count)
{
	size_t room = *cap ? *cap + 1 : 0;

	starts = pn_grow(starts, &room, count + 2, sizeof(*starts));
	*cap = room - 1;
	if (!count)
		starts[0] = 0;
	return starts;
}

uint32_t pn_profile_add_stack(struct pn_profile *p, const uint32_t *frames,
			      size_t count)
{
	/* of empty stacks, too, there are frames to stand at */
	p->frames = pn_grow(p->frames, &p->frame_cap,
			    p->frame_count + count + 1, sizeof(*frames));
	if (count)
		memcpy(p->frames + p->frame_count, frames,
		       count * sizeof(*frames));
	p->frame_count += count;
	p->stack_start =
		grow_starts(p->stack_start, &p->stack_cap, p->stack_count);
	p->stack_start[p->stack_count + 1] = index_of(p->frame_count);
	return index_of(p->stack_count++);
}

static void need_empty_label_set(struct pn_profile *p)
{
	if (p->label_set_count)
		return;
	p->label_set_start =
		grow_starts(p->label_set_start, &p->label_set_cap, 0);
	p->label_set_start[1] = 0;
	p->label_set_count = 1;
}

uint32_t pn_profile_add_label_set(struct pn_profile *p,
				  const struct pn_label *labels, size_t count)
{
	need_empty_label_set(p);
	if (!count)
		return 0;
	p->labels = pn_grow(p->labels, &p->label_cap, p->label_count + count,
			    sizeof(*labels));
	memcpy(p->labels + p->label_count, labels, count * sizeof(*labels));
	p->label_count += count;
	p->label_set_start = grow_starts(p->label_set_start, &p->label_set_cap,
					 p->label_set_count);
	p->label_set_start[p->label_set_count + 1] = index_of(p->label_count);
	return index_of(p->label_set_count++);
}

/* Bytes of the presence bits of this many samples. */
static size_t present_bytes(const struct pn_profile *p, size_t samples)
{
	return (samples * p->type_count + 7) / 8;
}

static void grow_samples(struct pn_profile *p, size_t need)
{
	size_t cap = p->sample_cap;

	if (need <= cap)
		return;
	p->samples = pn_grow(p->samples, &cap, need, sizeof(*p->samples));
	p->values = pn_realloc_array(p->values, cap,
				     p->type_count * sizeof(*p->values));
	if (p->present) {
		size_t had = present_bytes(p, p->sample_cap);
		size_t has = present_bytes(p, cap);

		p->present = pn_realloc(p->present, has);
		memset(p->present + had, 0xff, has - had);
	}
	p->sample_cap = cap;
}

size_t pn_profile_add_sample(struct pn_profile *p, uint32_t stack,
			     uint32_t labels, const union pn_value *values)
{
	struct pn_sample *sample;

	need_empty_label_set(p);
	grow_samples(p, p->sample_count + 1);
	sample = &p->samples[p->sample_count];
	sample->stack = stack;
	sample->labels = labels;
	if (p->type_count)
		memcpy(p->values + p->sample_count * p->type_count, values,
		       p->type_count * sizeof(*values));
	return p->sample_count++;
}

static void add_stacks(struct pn_profile *p, const struct pn_profile *from)
{
	uint32_t frames = index_of(p->frame_count), *to;
	size_t i, last = p->stack_count + from->stack_count;

	p->stack_start = grow_starts(p->stack_start, &p->stack_cap, last);
	to = p->stack_start + p->stack_count;
	*to = frames;
	for (i = 1; i <= from->stack_count; i++)
		to[i] = frames + from->stack_start[i];
	p->stack_count = last;
	p->frame_count += from->frame_count;
}

void pn_profile_add_rows(struct pn_profile *p, const struct pn_profile *from,
			 const uint32_t *sets)
{
	uint32_t stacks = index_of(p->stack_count);
	size_t i, count = from->sample_count;

	if (!count)
		return;
	add_stacks(p, from);
	grow_samples(p, p->sample_count + count);
	for (i = 0; i < count; i++) {
		struct pn_sample *sample = &p->samples[p->sample_count + i];

		sample->stack = stacks + from->samples[i].stack;
		sample->labels = sets[from->samples[i].labels];
	}
	if (p->type_count)
		memcpy(p->values + p->sample_count * p->type_count,
		       from->values,
		       count * p->type_count * sizeof(*p->values));
	p->sample_count += count;
}

void pn_profile_set_absent(struct pn_profile *p, size_t sample, size_t type)
{
	size_t bit = sample * p->type_count + type;

	if (!p->present) {
		size_t size = present_bytes(p, p->sample_cap);

		p->present = pn_malloc(size);
		memset(p->present, 0xff, size);
	}
	p->present[bit / 8] &= (uint8_t) ~(1u << bit % 8);
	p->values[bit].i = 0;
}

bool pn_profile_is_present(const struct pn_profile *p, size_t sample,
			   size_t type)
{
	size_t bit = sample * p->type_count + type;

	return !p->present || (p->present[bit / 8] >> bit % 8 & 1);
}

size_t pn_profile_default_type(const struct pn_profile *p)
{
	size_t i;

	for (i = 0; p->default_type && i < p->type_count; i++)
		if (p->types[i].type == p->default_type)
			return i;
	return p->type_count ? p->type_count - 1 : SIZE_MAX;
}

struct pn_metric *pn_profile_add_metric(struct pn_profile *p, const char *name,
					const char *unit, enum pn_better better,
					const double *values, size_t count)
{
	struct pn_metric *metric;

	p->metrics = pn_grow(p->metrics, &p->metric_cap, p->metric_count + 1,
			     sizeof(*metric));
	metric = &p->metrics[p->metric_count++];
	memset(metric, 0, sizeof(*metric));
	metric->name = pn_strtab_add_text(&p->strings, name);
	metric->unit = pn_strtab_add_text(&p->strings, unit);
	metric->better = (uint8_t)better;
	metric->summary =
		(struct pn_summary){0, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	if (!count)
		return metric;
	metric->values = pn_realloc_array(NULL, count, sizeof(*values));
	memcpy(metric->values, values, count * sizeof(*values));
	metric->summary.n = metric->value_count = count;
	return metric;
}

const struct pn_metric *pn_profile_metric(const struct pn_profile *p,
					  const char *name)
{
	size_t i;

	for (i = 0; i < p->metric_count; i++)
		if (!strcmp(pn_profile_text(p, p->metrics[i].name), name))
			return &p->metrics[i];
	return NULL;
}

void pn_profile_add_fact(struct pn_profile *p, const char *name,
			 const char *unit, double value)
{
	struct pn_fact *fact;

	p->facts = pn_realloc_array(p->facts, p->fact_count + 1,
				    sizeof(*p->facts));
	fact = &p->facts[p->fact_count++];
	fact->name = pn_strtab_add_text(&p->strings, name);
	fact->unit = pn_strtab_add_text(&p->strings, unit);
	fact->value = value;
}

bool pn_profile_fact(double *out, const struct pn_profile *p, const char *name)
{
	size_t i;

	for (i = 0; i < p->fact_count; i++)
		if (!strcmp(pn_profile_text(p, p->facts[i].name), name)) {
			*out = p->facts[i].value;
			return true;
		}
	return false;
}

static void set_pair(struct pn_profile *p, struct pn_pair **pairs,
		     size_t *count, const char *key, const char *value)
{
	uint32_t key_id = pn_strtab_add_text(&p->strings, key);
	uint32_t value_id = pn_strtab_add_text(&p->strings, value);
	size_t i, n = *count;

	for (i = 0; i < n; i++)
		if ((*pairs)[i].key == key_id)
			break;
	if (i == n) {
		*pairs = pn_realloc_array(*pairs, n + 1, sizeof(**pairs));
		(*pairs)[n].key = key_id;
		*count = n + 1;
	}
	(*pairs)[i].value = value_id;
}

void pn_profile_set_label(struct pn_profile *p, const char *key,
			  const char *value)
{
	set_pair(p, &p->header.labels, &p->header.label_count, key, value);
}

void pn_profile_set_environment(struct pn_profile *p, const char *key,
				const char *value)
{
	set_pair(p, &p->header.environment, &p->header.environment_count, key,
		 value);
}
