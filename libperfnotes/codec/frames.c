/* Frames by what they say: ids of a string table are dense and in order of
 * first addition, and so are the profile's indices. */
#include "codec/frames.h"

#include "base/alloc.h"

#include <stdlib.h>

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
	return pn_frames_inlined(frames, p, frame, frame, 1);
}

#define KEY_HEAD 2 /* words of a place */
#define KEY_LINE 3 /* words of a line */
#define FEW 4	   /* lines: most places have one */

/* Lines of these frames and a key that tells the place from any other. */
static void fill(struct pn_line *lines, uint64_t *key, struct pn_frames *frames,
		 struct pn_profile *p, const struct pn_frame *place,
		 const struct pn_frame *inlined, size_t count)
{
	size_t i;

	*key++ = place->address;
	*key++ = place->mapping;
	for (i = 0; i < count; i++) {
		lines[i] = (struct pn_line){
			.function = function_of(frames, p, &inlined[i]),
			.line = inlined[i].line,
			.column = inlined[i].column,
		};
		*key++ = lines[i].function;
		*key++ = (uint64_t)lines[i].line;
		*key++ = (uint64_t)lines[i].column;
	}
}

uint32_t pn_frames_inlined(struct pn_frames *frames, struct pn_profile *p,
			   const struct pn_frame *place,
			   const struct pn_frame *inlined, size_t count)
{
	struct pn_line few[FEW], *lines = few;
	uint64_t few_words[KEY_HEAD + FEW * KEY_LINE], *key = few_words;
	size_t words = KEY_HEAD + count * KEY_LINE;
	struct pn_location location = {
		.address = place->address,
		.mapping = place->mapping,
	};
	bool is_new;
	uint32_t at;

	if (count > FEW) {
		lines = pn_calloc(count, sizeof(*lines));
		key = pn_calloc(words, sizeof(*key));
	}
	fill(lines, key, frames, p, place, inlined, count);
	at = index_of(&is_new, &frames->locations, key, words * sizeof(*key));
	if (is_new)
		pn_profile_add_location(p, &location, lines, count);
	if (count > FEW) {
		free(lines);
		free(key);
	}
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
