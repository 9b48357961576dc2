/*
 * Frames and stacks of formats that name functions and not ids: each distinct
 * one becomes one function, location or stack of the profile. While frames
 * are in use nothing else may add functions, locations or stacks to it.
 * A zeroed struct is empty.
 */
#ifndef PN_CODEC_FRAMES_H
#define PN_CODEC_FRAMES_H

#include "base/error.h"
#include "base/slots.h"
#include "model/profile.h"

struct pn_frames {
	struct pn_slots functions, locations, stacks; /* of the profile's */
};

/* One place: strings are ids of the profile, 0 where unknown. */
struct pn_frame {
	uint32_t name, system_name, file;
	uint32_t mapping; /* or PN_NONE */
	int64_t start_line, line, column;
	uint64_t address;
};

void pn_frames_release(struct pn_frames *frames);
/* The location of this frame, added when new. */
uint32_t pn_frames_location(struct pn_frames *frames, struct pn_profile *p,
			    const struct pn_frame *frame);
/* The location of several frames that share one place, innermost first: what
 * was inlined there. Address and mapping are those of `place`; without frames
 * it is all that is known. */
uint32_t pn_frames_inlined(struct pn_frames *frames, struct pn_profile *p,
			   const struct pn_frame *place,
			   const struct pn_frame *inlined, size_t count);
/* The stack of these locations, leaf first, added when new. */
uint32_t pn_frames_stack(struct pn_frames *frames, struct pn_profile *p,
			 const uint32_t *locations, size_t count);
/* Whole numbers for a stack, added to what it has: one sample a stack, so each
 * stack is given here before another one is made. PN_ERANGE beyond 63 bits. */
int pn_frames_add_sample(struct pn_profile *p, uint32_t stack,
			 const union pn_value *row, struct pn_error *err);
/* The same of a sample that is there. */
int pn_frames_add_values(struct pn_profile *p, size_t sample,
			 const union pn_value *row, struct pn_error *err);

/* What goes by between two samples. */
void pn_frames_set_period(struct pn_profile *p, const char *type,
			  const char *unit, int64_t period);

#endif
