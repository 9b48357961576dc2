/*
 * OTLP: what can only be known at the end. Numbers of the file become indices
 * of the profile; each profile becomes a value type, and samples of one stack
 * with the same attributes one row.
 */
#include "codec/otlp/otlp.h"

#include "base/alloc.h"
#include "codec/call_tree.h"
#include "model/timeline/shares.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int string_of(uint32_t *id, const struct pn_otlp *d, const char *what,
		     size_t index, struct pn_error *err)
{
	const struct pn_wire_strings strings = {d->strings, d->string_count};

	return pn_wire_string(id, strings, what, index, err);
}

/* Mapping 0 stands for none; the table of the profile goes without it. */
static int resolve_mappings(struct pn_otlp *d, struct pn_error *err)
{
	struct pn_profile *p = d->p;
	size_t i;

	for (i = 0; i < p->mapping_count; i++) {
		struct pn_mapping *m = &p->mappings[i];

		if (string_of(&m->file, d, "mapping", i, err))
			return PN_EINVAL;
		m->build_id =
			pn_otlp_text_of(d, d->build_lists[i], PN_OTLP_BUILD_ID);
	}
	if (!p->mapping_count)
		return 0;
	p->mapping_count--;
	memmove(p->mappings, p->mappings + 1,
		p->mapping_count * sizeof(*p->mappings));
	return 0;
}

static int missing(const char *what, size_t index, const char *of,
		   uint32_t number, size_t have, struct pn_error *err)
{
	return pn_error_set(err, PN_EINVAL,
			    "%s %zu has %s %" PRIu32 ", the table has %zu",
			    what, index, of, number, have);
}

static void note_lines(struct pn_profile *p, const struct pn_location *l)
{
	struct pn_mapping *m = &p->mappings[l->mapping];
	uint32_t i;

	for (i = l->line_first; i < l->line_first + l->line_count; i++) {
		m->has |= PN_MAPPING_FUNCTIONS;
		if (p->functions[p->lines[i].function].file)
			m->has |= PN_MAPPING_FILENAMES;
		if (p->lines[i].line)
			m->has |= PN_MAPPING_LINES;
	}
	if (l->line_count > 1)
		m->has |= PN_MAPPING_INLINES;
}

/* A line of no function says nothing, and is left out. */
static int resolve_lines(struct pn_otlp *d, size_t at, struct pn_error *err)
{
	struct pn_profile *p = d->p;
	struct pn_location *l = &p->locations[at];
	uint32_t none = d->no_function ? 1 : 0, i, n = l->line_first;

	for (i = l->line_first; i < l->line_first + l->line_count; i++) {
		uint32_t function = p->lines[i].function;

		if (function < none)
			continue;
		if (function - none >= p->function_count)
			return missing("location", at, "function", function,
				       p->function_count + none, err);
		p->lines[n] = p->lines[i];
		p->lines[n++].function = function - none;
	}
	l->line_count = n - l->line_first;
	return 0;
}

static int resolve_locations(struct pn_otlp *d, struct pn_error *err)
{
	struct pn_profile *p = d->p;
	size_t i;

	for (i = 0; i < p->location_count; i++) {
		struct pn_location *l = &p->locations[i];

		if (l->mapping > p->mapping_count)
			return missing("location", i, "mapping", l->mapping,
				       p->mapping_count + 1, err);
		l->mapping = l->mapping ? l->mapping - 1 : PN_NONE;
		if (resolve_lines(d, i, err))
			return PN_EINVAL;
		if (l->mapping != PN_NONE)
			note_lines(p, l);
	}
	return 0;
}

static int resolve_stacks(struct pn_otlp *d, struct pn_error *err)
{
	struct pn_profile *p = d->p;
	uint32_t none = d->no_location ? 1 : 0;
	size_t i, stack;

	for (i = 0; i < p->frame_count; i++) {
		if (p->frames[i] - none >= p->location_count) {
			for (stack = 0; p->stack_start[stack + 1] <= i;)
				stack++;
			return missing("stack", stack, "location", p->frames[i],
				       p->location_count + none, err);
		}
		p->frames[i] -= none;
	}
	return 0;
}

static int resolve_types(struct pn_otlp *d, struct pn_error *err)
{
	struct pn_profile *p = d->p;
	size_t i, k;

	for (i = 0; i < d->profile_count; i++) {
		struct pn_value_type *t = &d->profiles[i].type;

		if (string_of(&t->type, d, "profile", i, err) ||
		    string_of(&t->unit, d, "profile", i, err))
			return PN_EINVAL;
		for (k = 0; k < p->type_count; k++)
			if (p->types[k].type == t->type &&
			    p->types[k].unit == t->unit)
				break;
		if (k == PN_MAX_VALUE_TYPES)
			return pn_error_set(err, PN_ELIMIT,
					    "more than %d value types",
					    PN_MAX_VALUE_TYPES);
		d->profiles[i].column = (uint32_t)k;
		if (k < p->type_count)
			continue;
		pn_profile_add_type(p, "", "");
		p->types[k].type = t->type;
		p->types[k].unit = t->unit;
	}
	if (p->type_count > 1) /* the first is what is shown */
		p->default_type = p->types[0].type;
	if (string_of(&p->period_type.type, d, "period type", 0, err) ||
	    string_of(&p->period_type.unit, d, "period type", 0, err))
		return PN_EINVAL;
	return 0;
}

/* The row of a stack and a set, added when new. */
static size_t row_of(struct pn_otlp *d, uint32_t stack, uint32_t set,
		     const union pn_value *none)
{
	const uint64_t key = (uint64_t)stack << 32 | set;
	uint32_t hash = pn_slots_hash(&d->rows, &key, 1), row;
	struct pn_profile *p = d->p;
	size_t at;

	for (at = pn_slots_first(&d->rows, hash);
	     pn_slots_row(&row, &d->rows, &at, hash);)
		if (p->samples[row].stack == stack &&
		    p->samples[row].labels == set)
			return row;
	at = pn_profile_add_sample(p, stack, set, none);
	pn_slots_add(&d->rows, hash, (uint32_t)at);
	return at;
}

static int add_sample(struct pn_otlp *d, size_t i, uint64_t *walk,
		      const union pn_value *none, struct pn_error *err)
{
	const struct pn_otlp_sample *s = &d->samples[i];
	struct pn_profile *p = d->p;
	uint32_t set, thread;
	union pn_value *v;
	size_t row;
	int code;

	if (s->stack >= p->stack_count)
		return missing("sample", i, "stack", s->stack, p->stack_count,
			       err);
	code = pn_otlp_labels(&set, &thread, d, s->list, err);
	if (code)
		return code;
	*walk += p->stack_start[s->stack + 1] - p->stack_start[s->stack];
	if (*walk > PN_CALL_TREE_WALK)
		return pn_error_set(err, PN_ELIMIT,
				    "samples of more than %" PRIu64
				    " frames in all",
				    PN_CALL_TREE_WALK);
	row = row_of(d, s->stack, set, none);
	v = &p->values[row * p->type_count + d->profiles[s->profile].column];
	if (__builtin_add_overflow(v->i, s->value, &v->i))
		return pn_error_set(err, PN_ERANGE,
				    "values of one stack beyond 63 bits");
	return 0;
}

/* What an event counted, as the time that it took; other units are none. */
static int64_t duration_of(const struct pn_profile *p, const struct pn_event *e)
{
	double ns =
		round((double)e->duration_ns * pn_share_unit_ns(p, e->type));

	return ns > 0 && ns < 0x1p62 ? (int64_t)ns : 0;
}

static int resolve_samples(struct pn_otlp *d, struct pn_error *err)
{
	struct pn_profile *p = d->p;
	union pn_value *none = pn_calloc(p->type_count + 1, sizeof(*none));
	uint64_t walk = 0;
	size_t i;
	int code = 0;

	for (i = 0; !code && i < d->sample_count; i++)
		code = add_sample(d, i, &walk, none, err);
	free(none);
	for (i = 0; !code && i < p->events.count; i++) {
		struct pn_event *e = &p->events.items[i];

		e->type = d->profiles[e->type].column;
		e->thread = d->threads[e->thread];
		e->duration_ns = duration_of(p, e);
	}
	return code;
}

int pn_otlp_resolve(struct pn_otlp *d, struct pn_error *err)
{
	const struct pn_wire_strings strings = {d->strings, d->string_count};
	int code;

	if (!d->profile_count)
		return pn_error_set(err, PN_EINVAL,
				    "expected at least one profile");
	if (d->string_count && d->strings[0])
		return pn_error_set(err, PN_EINVAL,
				    "the string table begins with '%.40s', "
				    "expected an empty string",
				    pn_profile_text(d->p, d->strings[0]));
	pn_strtab_add(&d->lists, "", 0);
	d->sets = pn_realloc_array(NULL, d->lists.count, sizeof(*d->sets));
	memset(d->sets, 0xff, d->lists.count * sizeof(*d->sets));
	d->threads =
		pn_realloc_array(NULL, d->lists.count, sizeof(*d->threads));
	code = resolve_types(d, err);
	if (!code)
		code = pn_otlp_resolve_attributes(d, err);
	if (!code)
		code = resolve_mappings(d, err);
	if (!code)
		code = pn_wire_functions(d->p, strings, err);
	if (!code)
		code = resolve_locations(d, err);
	if (!code)
		code = resolve_stacks(d, err);
	if (!code)
		code = resolve_samples(d, err);
	return code;
}
