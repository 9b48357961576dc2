/* Frames by what they say: the profile's tables, each with an index. */
#include "codec/frames.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

void pn_frames_release(struct pn_frames *frames)
{
	pn_slots_release(&frames->functions);
	pn_slots_release(&frames->locations);
	pn_slots_release(&frames->stacks);
}

static bool is_function(const struct pn_function *a,
			const struct pn_frame *frame)
{
	return a->name == frame->name && a->system_name == frame->system_name &&
	       a->file == frame->file && a->start_line == frame->start_line;
}

static uint32_t function_of(struct pn_frames *frames, struct pn_profile *p,
			    const struct pn_frame *frame)
{
	uint64_t key[] = {(uint64_t)frame->name << 32 | frame->file,
			  frame->system_name, (uint64_t)frame->start_line};
	struct pn_function function = {
		.name = frame->name,
		.system_name = frame->system_name,
		.file = frame->file,
		.start_line = frame->start_line,
	};
	uint32_t hash = pn_slots_hash(&frames->functions, key, 3), row;
	size_t at = pn_slots_first(&frames->functions, hash);

	while (pn_slots_row(&row, &frames->functions, &at, hash))
		if (is_function(&p->functions[row], frame))
			return row;
	row = pn_profile_add_function(p, &function);
	pn_slots_add(&frames->functions, hash, row);
	return row;
}

uint32_t pn_frames_location(struct pn_frames *frames, struct pn_profile *p,
			    const struct pn_frame *frame)
{
	return pn_frames_inlined(frames, p, frame, frame, 1);
}

#define FEW 4 /* lines: most places have one */

static bool is_line(const struct pn_line *a, const struct pn_line *b)
{
	return a->function == b->function && a->line == b->line &&
	       a->column == b->column;
}

static bool is_location(const struct pn_profile *p, uint32_t at,
			const struct pn_frame *place,
			const struct pn_line *lines, size_t count)
{
	const struct pn_location *l = &p->locations[at];
	size_t i = 0;

	if (l->address != place->address || l->mapping != place->mapping ||
	    l->line_count != count)
		return false;
	while (i < count && is_line(&p->lines[l->line_first + i], &lines[i]))
		i++;
	return i == count;
}

static uint32_t hash_location(struct pn_slots *slots,
			      const struct pn_frame *place,
			      const struct pn_line *lines, size_t count)
{
	uint64_t key[] = {place->address, place->mapping, count, 0};
	uint32_t hash = pn_slots_hash(slots, key, 3);
	size_t i;

	for (i = 0; i < count; i++) {
		key[0] = hash;
		key[1] = lines[i].function;
		key[2] = (uint64_t)lines[i].line;
		key[3] = (uint64_t)lines[i].column;
		hash = pn_slots_hash(slots, key, 4);
	}
	return hash;
}

/* The location of these lines at the place. */
static uint32_t location_of(struct pn_frames *frames, struct pn_profile *p,
			    const struct pn_frame *place,
			    const struct pn_line *lines, size_t count)
{
	struct pn_location location = {
		.address = place->address,
		.mapping = place->mapping,
	};
	uint32_t hash = hash_location(&frames->locations, place, lines, count);
	size_t at = pn_slots_first(&frames->locations, hash);
	uint32_t row;

	while (pn_slots_row(&row, &frames->locations, &at, hash))
		if (is_location(p, row, place, lines, count))
			return row;
	row = pn_profile_add_location(p, &location, lines, count);
	pn_slots_add(&frames->locations, hash, row);
	return row;
}

uint32_t pn_frames_inlined(struct pn_frames *frames, struct pn_profile *p,
			   const struct pn_frame *place,
			   const struct pn_frame *inlined, size_t count)
{
	struct pn_line few[FEW], *lines = few;
	uint32_t row;
	size_t i;

	if (count > FEW)
		lines = pn_calloc(count, sizeof(*lines));
	for (i = 0; i < count; i++)
		lines[i] = (struct pn_line){
			.function = function_of(frames, p, &inlined[i]),
			.line = inlined[i].line,
			.column = inlined[i].column,
		};
	row = location_of(frames, p, place, lines, count);
	if (count > FEW)
		free(lines);
	return row;
}

uint32_t pn_frames_stack(struct pn_frames *frames, struct pn_profile *p,
			 const uint32_t *locations, size_t count)
{
	size_t bytes = count * sizeof(*locations);
	uint32_t hash = pn_slots_hash_bytes(&frames->stacks, locations, bytes);
	size_t at = pn_slots_first(&frames->stacks, hash);
	uint32_t row;

	while (pn_slots_row(&row, &frames->stacks, &at, hash)) {
		uint32_t first = p->stack_start[row];

		if (p->stack_start[row + 1] - first == count &&
		    (!count || !memcmp(p->frames + first, locations, bytes)))
			return row;
	}
	row = pn_profile_add_stack(p, locations, count);
	pn_slots_add(&frames->stacks, hash, row);
	return row;
}

int pn_frames_add_values(struct pn_profile *p, size_t sample,
			 const union pn_value *row, struct pn_error *err)
{
	union pn_value *had = &p->values[sample * p->type_count];
	size_t i;

	for (i = 0; i < p->type_count; i++)
		if (__builtin_add_overflow(had[i].i, row[i].i, &had[i].i))
			return pn_error_set(
				err, PN_ERANGE, "%.100s: more than 2^63",
				pn_profile_text(p, p->types[i].type));
	return 0;
}

int pn_frames_add_sample(struct pn_profile *p, uint32_t stack,
			 const union pn_value *row, struct pn_error *err)
{
	if (stack != p->sample_count)
		return pn_frames_add_values(p, stack, row, err);
	pn_profile_add_sample(p, stack, 0, row);
	return 0;
}

void pn_frames_set_period(struct pn_profile *p, const char *type,
			  const char *unit, int64_t period)
{
	p->period_type.type = pn_strtab_add_text(&p->strings, type);
	p->period_type.unit = pn_strtab_add_text(&p->strings, unit);
	p->period = period;
}
