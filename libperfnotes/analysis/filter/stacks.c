/* Shortening stacks and dropping samples, in place. */
#include "analysis/filter/stacks.h"

#include "base/alloc.h"
#include "model/timeline/curves.h"
#include "model/timeline/events.h"

#include <stdlib.h>
#include <string.h>

static void move_present(struct pn_profile *p, size_t to, size_t from)
{
	size_t column;

	for (column = 0; column < p->type_count; column++) {
		size_t a = to * p->type_count + column;
		size_t b = from * p->type_count + column;
		uint8_t bit = (uint8_t)(1u << (a & 7));

		if (p->present[b >> 3] & (1u << (b & 7)))
			p->present[a >> 3] |= bit;
		else
			p->present[a >> 3] &= (uint8_t)~bit;
	}
}

void pn_samples_keep(struct pn_profile *p, const unsigned char *stacks,
		     const unsigned char *sets)
{
	size_t from, to = 0, width = p->type_count;

	for (from = 0; from < p->sample_count; from++) {
		const struct pn_sample *sample = &p->samples[from];

		if ((stacks && !stacks[sample->stack]) ||
		    (sets && !sets[sample->labels]))
			continue;
		if (to != from) {
			p->samples[to] = *sample;
			memcpy(p->values + to * width, p->values + from * width,
			       width * sizeof(*p->values));
			if (p->present)
				move_present(p, to, from);
		}
		to++;
	}
	p->sample_count = to;
	if (stacks)
		pn_curves_keep_parts(p, stacks);
	/* events have no labels to be told by */
	if (stacks || sets)
		pn_events_keep(p, sets ? NULL : stacks);
}

void pn_stacks_cut(struct pn_profile *p,
		   bool (*cut)(uint32_t *frames, size_t count, size_t *from,
			       size_t *to, const void *context),
		   const void *context)
{
	unsigned char *stays = pn_malloc(p->stack_count + 1);
	uint32_t none, *frames = p->frames ? p->frames : &none;
	size_t stack, start, end, used = 0;

	for (stack = 0, start = 0; stack < p->stack_count; stack++) {
		size_t from = 0, to;

		end = p->stack_start[stack + 1];
		to = end - start;
		stays[stack] =
			cut(frames + start, end - start, &from, &to, context);
		memmove(frames + used, frames + start + from,
			(to - from) * sizeof(*frames));
		p->stack_start[stack] = (uint32_t)used;
		used += to - from;
		start = end;
	}
	if (p->stack_count)
		p->stack_start[p->stack_count] = (uint32_t)used;
	p->frame_count = used;
	pn_samples_keep(p, stays, NULL);
	free(stays);
}
