/* Ids of the merged profile for strings and locations of an input. */
#include "analysis/merge/state.h"
#include "base/alloc.h"

#include <string.h>

#define MAPPING_PAGE 4096u /* sizes of mappings are compared in these */

uint32_t pn_merge_string(struct pn_merge *m, uint32_t id)
{
	if (!id)
		return 0;
	if (m->strings[id] == PN_NONE)
		m->strings[id] = pn_strtab_add_from(&m->out.strings,
						    &m->in->strings, id);
	return m->strings[id];
}

static uint64_t pages(const struct pn_mapping *mapping)
{
	uint64_t size = mapping->limit - mapping->start;

	return (size + MAPPING_PAGE - 1) / MAPPING_PAGE;
}

static uint32_t identity(const struct pn_mapping *mapping)
{
	return mapping->build_id ? mapping->build_id : mapping->file;
}

uint32_t pn_merge_mapping(struct pn_merge *m, uint32_t at)
{
	struct pn_mapping mapping = m->in->mappings[at];
	uint64_t words[3];
	uint32_t hash, row;
	size_t slot;

	if (m->of_mapping[at] != PN_NONE)
		return m->of_mapping[at];
	mapping.file = pn_merge_string(m, mapping.file);
	mapping.build_id = pn_merge_string(m, mapping.build_id);
	words[0] = pages(&mapping);
	words[1] = mapping.offset;
	words[2] = identity(&mapping);
	hash = pn_slots_hash(&m->mappings, words, 3);
	slot = pn_slots_first(&m->mappings, hash);
	while (pn_slots_row(&row, &m->mappings, &slot, hash)) {
		const struct pn_mapping *had = &m->out.mappings[row];

		if (pages(had) == words[0] && had->offset == words[1] &&
		    identity(had) == words[2])
			return m->of_mapping[at] = row;
	}
	row = pn_profile_add_mapping(&m->out, &mapping);
	pn_slots_add(&m->mappings, hash, row);
	return m->of_mapping[at] = row;
}

static uint32_t map_function(struct pn_merge *m, uint32_t at)
{
	struct pn_function f = m->in->functions[at];
	uint64_t words[3];
	uint32_t hash, row;
	size_t slot;

	if (m->of_function[at] != PN_NONE)
		return m->of_function[at];
	f.name = pn_merge_string(m, f.name);
	f.system_name = pn_merge_string(m, f.system_name);
	f.file = pn_merge_string(m, f.file);
	words[0] = (uint64_t)f.name << 32 | f.system_name;
	words[1] = f.file;
	words[2] = (uint64_t)f.start_line;
	hash = pn_slots_hash(&m->functions, words, 3);
	slot = pn_slots_first(&m->functions, hash);
	while (pn_slots_row(&row, &m->functions, &slot, hash)) {
		const struct pn_function *had = &m->out.functions[row];

		if (had->name == f.name && had->system_name == f.system_name &&
		    had->file == f.file && had->start_line == f.start_line)
			return m->of_function[at] = row;
	}
	row = pn_profile_add_function(&m->out, &f);
	pn_slots_add(&m->functions, hash, row);
	return m->of_function[at] = row;
}

uint64_t *pn_merge_words(struct pn_merge *m, size_t count)
{
	m->words = pn_grow(m->words, &m->word_cap, count, sizeof(*m->words));
	return m->words;
}

/* Where the mapping lies in the first profile that has it. */
static void move_location(struct pn_merge *m, struct pn_location *location)
{
	const struct pn_mapping *from, *to;

	if (location->mapping == PN_NONE)
		return;
	from = &m->in->mappings[location->mapping];
	location->mapping = pn_merge_mapping(m, location->mapping);
	to = &m->out.mappings[location->mapping];
	if (location->address)
		location->address += to->start - from->start;
}

static bool same_location(const struct pn_merge *m,
			  const struct pn_location *had,
			  const struct pn_location *location,
			  const uint64_t *lines)
{
	const struct pn_line *line;
	uint32_t i;

	if (had->address != location->address ||
	    had->mapping != location->mapping ||
	    had->folded != location->folded ||
	    had->line_count != location->line_count)
		return false;
	for (i = 0; i < had->line_count; i++, lines += 3) {
		line = &m->out.lines[had->line_first + i];
		if (line->function != lines[0] ||
		    (uint64_t)line->line != lines[1] ||
		    (uint64_t)line->column != lines[2])
			return false;
	}
	return true;
}

static uint32_t add_location(struct pn_merge *m,
			     const struct pn_location *location,
			     const uint64_t *lines)
{
	uint32_t i, row = pn_profile_add_location(&m->out, location, NULL, 0);
	struct pn_profile *out = &m->out;

	out->lines = pn_grow(out->lines, &out->line_cap,
			     out->line_count + location->line_count,
			     sizeof(*out->lines));
	for (i = 0; i < location->line_count; i++, lines += 3)
		out->lines[out->line_count++] =
			(struct pn_line){(uint32_t)lines[0], (int64_t)lines[1],
					 (int64_t)lines[2]};
	out->locations[row].line_count = location->line_count;
	return row;
}

uint32_t pn_merge_location(struct pn_merge *m, uint32_t at)
{
	struct pn_location location = m->in->locations[at];
	uint64_t *words;
	uint32_t hash, row, i;
	size_t slot, n = 2;

	if (m->of_location[at] != PN_NONE)
		return m->of_location[at];
	move_location(m, &location);
	words = pn_merge_words(m, 2 + 3 * (size_t)location.line_count);
	words[0] = (uint64_t)location.mapping << 1 | location.folded;
	words[1] = location.address;
	for (i = 0; i < location.line_count; i++) {
		const struct pn_line *line =
			&m->in->lines[location.line_first + i];

		words[n++] = map_function(m, line->function);
		words[n++] = (uint64_t)line->line;
		words[n++] = (uint64_t)line->column;
	}
	hash = pn_slots_hash(&m->locations, words, n);
	slot = pn_slots_first(&m->locations, hash);
	while (pn_slots_row(&row, &m->locations, &slot, hash))
		if (same_location(m, &m->out.locations[row], &location,
				  words + 2))
			return m->of_location[at] = row;
	row = add_location(m, &location, words + 2);
	pn_slots_add(&m->locations, hash, row);
	return m->of_location[at] = row;
}

/* The frames of `in` behind the frames of `out`, in its numbers; their hash,
 * of two frames a word. */
static uint32_t take_frames(struct pn_merge *m, const uint32_t *frames,
			    size_t count)
{
	struct pn_profile *out = &m->out;
	uint64_t *words;
	uint32_t *to;
	size_t i;

	out->frames =
		pn_grow(out->frames, &out->frame_cap,
			out->frame_count + count + 1, sizeof(*out->frames));
	to = out->frames + out->frame_count;
	for (i = 0; i < count; i++) {
		uint32_t known = m->of_location[frames[i]];

		to[i] = known != PN_NONE ? known
					 : pn_merge_location(m, frames[i]);
	}
	to[count] = PN_NONE;
	words = pn_merge_words(m, count / 2 + 2);
	for (i = 0; i < count; i += 2)
		words[i / 2] = (uint64_t)to[i] << 32 | to[i + 1];
	words[(count + 1) / 2] = count;
	return pn_slots_hash(&m->stacks, words, (count + 1) / 2 + 1);
}

uint32_t pn_merge_stack(struct pn_merge *m, uint32_t at)
{
	struct pn_profile *out = &m->out;
	const uint32_t *start = m->in->stack_start + at;
	size_t slot, count = start[1] - start[0];
	uint32_t hash, row;

	if (m->of_stack[at] != PN_NONE)
		return m->of_stack[at];
	hash = take_frames(m, count ? &m->in->frames[start[0]] : NULL, count);
	slot = pn_slots_first(&m->stacks, hash);
	while (pn_slots_row(&row, &m->stacks, &slot, hash)) {
		const uint32_t *had = out->stack_start + row;

		if (had[1] - had[0] == count &&
		    !memcmp(out->frames + had[0],
			    out->frames + out->frame_count,
			    count * sizeof(*out->frames)))
			return m->of_stack[at] = row;
	}
	/* they lie where they belong; only their end is not known yet */
	row = pn_profile_add_stack(out, NULL, 0);
	out->frame_count += count;
	out->stack_start[row + 1] = (uint32_t)out->frame_count;
	pn_slots_add(&m->stacks, hash, row);
	return m->of_stack[at] = row;
}
