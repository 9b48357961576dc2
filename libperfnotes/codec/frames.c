/* Frames by what they say: ids of a string table are dense and in order of
 * first addition, and so are the profile's indices. */
#include "codec/frames.h"

/* The index of a key among the keys of its table; *is_new says whether it was
 * not there before. "" has the id 0, so other keys begin at 1. */
static uint32_t index_of(bool *is_new, struct pn_strtab *tab, const void *key,
			 size_t len)
{
	size_t had = tab->count;
	uint32_t id = pn_strtab_add(tab, key, len);

	*is_new = tab->count != had && id;
	return id - 1;
}

void pn_frames_release(struct pn_frames *frames)
{
	pn_strtab_release(&frames->functions);
	pn_strtab_release(&frames->locations);
	pn_strtab_release(&frames->stacks);
}

static uint32_t function_of(struct pn_frames *frames, struct pn_profile *p,
			    const struct pn_frame *frame)
{
	uint64_t key[4] = {frame->name, frame->system_name, frame->file,
			   (uint64_t)frame->start_line};
	struct pn_function function = {
		.name = frame->name,
		.system_name = frame->system_name,
		.file = frame->file,
		.start_line = frame->start_line,
	};
	bool is_new;
	uint32_t at = index_of(&is_new, &frames->functions, key, sizeof(key));

	if (is_new)
		pn_profile_add_function(p, &function);
	return at;
}

uint32_t pn_frames_location(struct pn_frames *frames, struct pn_profile *p,
			    const struct pn_frame *frame)
{
	struct pn_line line = {
		.function = function_of(frames, p, frame),
		.line = frame->line,
		.column = frame->column,
	};
	uint64_t key[5] = {line.function, (uint64_t)line.line,
			   (uint64_t)line.column, frame->address,
			   frame->mapping};
	struct pn_location location = {
		.address = frame->address,
		.mapping = frame->mapping,
	};
	bool is_new;
	uint32_t at = index_of(&is_new, &frames->locations, key, sizeof(key));

	if (is_new)
		pn_profile_add_location(p, &location, &line, 1);
	return at;
}

uint32_t pn_frames_stack(struct pn_frames *frames, struct pn_profile *p,
			 const uint32_t *locations, size_t count)
{
	/* an empty stack needs a key that is not "" */
	static const char empty[] = "empty";
	bool is_new;
	uint32_t at =
		index_of(&is_new, &frames->stacks,
			 count ? (const void *)locations : empty,
			 count ? count * sizeof(*locations) : sizeof(empty));

	if (is_new)
		pn_profile_add_stack(p, locations, count);
	return at;
}
