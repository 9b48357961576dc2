/*
 * Perfetto's interned data: strings, mappings, frames and stacks by number,
 * which each sequence of packets has its own of. A number that comes again
 * stands for what it was said to be last.
 */
#ifndef PN_ANDROID_INTERNED_H
#define PN_ANDROID_INTERNED_H

#include "codec/android/room.h"
#include "codec/frames.h"
#include "codec/wire.h"

struct pn_interned {
	struct pn_profile *p;
	struct pn_room *room;
	struct pn_frames frames;
	struct pn_strtab keys; /* sequence, kind and number, as bytes */
	uint32_t *values;      /* by key: string, mapping, location, stack */
	size_t value_cap;
	uint32_t *stack; /* the one that is read */
	size_t stack_cap;
};

void pn_interned_release(struct pn_interned *interned);
/* A message InternedData of this sequence. PN_EINVAL names the byte;
 * PN_ELIMIT. */
int pn_interned_take(struct pn_interned *interned, uint32_t sequence,
		     struct pn_wire data, struct pn_error *err);
/* The stack of this number; false when there is none. */
bool pn_interned_stack(uint32_t *out, const struct pn_interned *interned,
		       uint32_t sequence, uint64_t number);

#endif
