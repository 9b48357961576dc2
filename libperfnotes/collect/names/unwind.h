/*
 * Stacks by unwinding tables (.eh_frame, .debug_frame) out of registers and a
 * copy of the stack's inner end.
 */
#ifndef PN_NAMES_UNWIND_H
#define PN_NAMES_UNWIND_H

#include "runtime/record.h"

#include <stddef.h>
#include <stdint.h>

struct pn_unwinder;

/* Of one process. */
struct pn_unwinder *pn_unwinder_new(void);
void pn_unwinder_free(struct pn_unwinder *unwinder);

/* From here on this is mapped, in place of what was there. */
void pn_unwinder_map(struct pn_unwinder *unwinder,
		     const struct pn_runtime_mapping *mapping,
		     const char *path);

struct pn_unwind_state {
	const uint64_t *registers; /* in DWARF's order */
	size_t register_count;
	uint64_t stack_pointer; /* the address of stack[0] */
	const unsigned char *stack;
	size_t stack_size;
};

/*
 * Addresses from the innermost frame outwards, those of callers inside of
 * their calls; at most `max`. Ends where the copy ends or a table is missing.
 */
size_t pn_unwinder_walk(uint64_t *out, size_t max, struct pn_unwinder *unwinder,
			const struct pn_unwind_state *state);

#endif
