/*
 * pprof: what can only be known at the end. The file's numbers become indices
 * of the profile; what points nowhere is refused as CheckValid does
 * (profile/profile.go of github.com/google/pprof).
 */
#include "codec/pprof/read.h"

#include "base/alloc.h"

#include <inttypes.h>

static int string_of(uint32_t *id, const struct pn_pprof_decoder *d,
		     const char *what, size_t index, struct pn_error *err)
{
	const struct pn_wire_strings strings = {d->strings, d->string_count};

	return pn_wire_string(id, strings, what, index, err);
}

static int resolve_types(struct pn_pprof_decoder *d, struct pn_error *err)
{
	struct pn_profile *p = d->p;
	size_t i;

	if (p->sample_count && !p->type_count)
		return pn_error_set(err, PN_EINVAL,
				    "%zu samples but no sample type",
				    p->sample_count);
	if (p->sample_count && d->width != p->type_count)
		return pn_error_set(err, PN_EINVAL,
				    "the samples have %zu values, but there "
				    "are %zu sample types",
				    d->width, p->type_count);
	for (i = 0; i < p->type_count; i++)
		if (string_of(&p->types[i].type, d, "sample type", i, err) ||
		    string_of(&p->types[i].unit, d, "sample type", i, err))
			return PN_EINVAL;
	for (i = 0; i < p->comment_count; i++)
		if (string_of(&p->comments[i], d, "comment", i, err))
			return PN_EINVAL;
	if (string_of(&p->period_type.type, d, "period type", 0, err) ||
	    string_of(&p->period_type.unit, d, "period type", 0, err) ||
	    string_of(&p->drop_frames, d, "drop_frames", 0, err) ||
	    string_of(&p->keep_frames, d, "keep_frames", 0, err) ||
	    string_of(&p->default_type, d, "default_sample_type", 0, err) ||
	    string_of(&p->doc_url, d, "doc_url", 0, err))
		return PN_EINVAL;
	return 0;
}

static int resolve_tables(struct pn_pprof_decoder *d, struct pn_error *err)
{
	const struct pn_wire_strings strings = {d->strings, d->string_count};
	struct pn_profile *p = d->p;
	size_t i;

	for (i = 0; i < p->mapping_count; i++) {
		struct pn_mapping *m = &p->mappings[i];

		if (string_of(&m->file, d, "mapping", i, err) ||
		    string_of(&m->build_id, d, "mapping", i, err))
			return PN_EINVAL;
	}
	return pn_wire_functions(p, strings, err);
}

static int resolve_lines(struct pn_pprof_decoder *d, size_t location,
			 struct pn_error *err)
{
	struct pn_profile *p = d->p;
	const struct pn_location *l = &p->locations[location];
	uint32_t i;

	for (i = l->line_first; i < l->line_first + l->line_count; i++) {
		uint32_t name = p->lines[i].function;
		uint32_t function = pn_ids_index(&d->functions, name);

		if (function == PN_NONE)
			return pn_error_set(
				err, PN_EINVAL,
				"location %" PRIu64
				" has a line of function %" PRIu64
				", which is not there",
				pn_ids_id(&d->locations,
					  d->locations.defined[location]),
				pn_ids_id(&d->functions, name));
		p->lines[i].function = function;
	}
	return 0;
}

static int resolve_locations(struct pn_pprof_decoder *d, struct pn_error *err)
{
	struct pn_profile *p = d->p;
	size_t i;

	for (i = 0; i < p->location_count; i++) {
		struct pn_location *l = &p->locations[i];
		uint32_t name = l->mapping;

		l->mapping = pn_ids_index(&d->mappings, name);
		/* pprof forgets a mapping that is not there */
		if (name && l->mapping == PN_NONE)
			p->complete = false;
		if (resolve_lines(d, i, err))
			return PN_EINVAL;
	}
	return 0;
}

static int missing_location(const struct pn_pprof_decoder *d, size_t frame,
			    struct pn_error *err)
{
	const struct pn_profile *p = d->p;
	size_t stack = 0;

	while (p->stack_start[stack + 1] <= frame)
		stack++;
	return pn_error_set(
		err, PN_EINVAL,
		"sample %zu names location %" PRIu64 ", which is not there",
		stack, pn_ids_id(&d->locations, p->frames[frame] + 1));
}

/* Frames of locations that are counted from 1 on are right as they are. */
static int resolve_frames(struct pn_pprof_decoder *d, struct pn_error *err)
{
	struct pn_profile *p = d->p;
	uint32_t *frames = p->frames, location;
	size_t i, count = p->frame_count;

	if (d->locations.counted && d->largest_frame < p->location_count)
		return 0;
	for (i = 0; i < count; i++) {
		location = pn_ids_index(&d->locations, frames[i] + 1);
		if (location == PN_NONE)
			return missing_location(d, i, err);
		frames[i] = location;
	}
	return 0;
}

static int resolve_labels(struct pn_pprof_decoder *d, struct pn_error *err)
{
	struct pn_profile *p = d->p;
	size_t i;

	for (i = 0; i < p->label_count; i++) {
		struct pn_label *label = &p->labels[i];
		bool text = label->kind == PN_LABEL_STRING;

		if (string_of(&label->key, d, "label", i, err) ||
		    string_of(&label->unit, d, "label", i, err) ||
		    (text && string_of(&label->value.s, d, "label", i, err)))
			return PN_EINVAL;
		/* a second "" in the string table: no writer can say it */
		if (text ? !label->value.s : !label->value.i && !label->unit)
			p->complete = false;
	}
	return 0;
}

int pn_pprof_resolve(struct pn_pprof_decoder *d, struct pn_error *err)
{
	if (!d->string_count)
		return pn_error_set(err, PN_EINVAL,
				    "no string table, expected one that "
				    "begins with an empty string");
	if (resolve_types(d, err) || resolve_tables(d, err) ||
	    pn_ids_finish(&d->mappings, "mapping", err) ||
	    pn_ids_finish(&d->functions, "function", err) ||
	    pn_ids_finish(&d->locations, "location", err) ||
	    resolve_locations(d, err) || resolve_frames(d, err) ||
	    resolve_labels(d, err))
		return PN_EINVAL;
	return 0;
}
