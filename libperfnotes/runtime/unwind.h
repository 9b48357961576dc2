/*
 * Return addresses of the calling thread, fast enough for every allocation.
 *
 * What the unwind tables of the loaded objects (.eh_frame) say about an
 * address is read once and kept in four words of a cache for all threads;
 * where they say nothing, frame pointers are followed. Nothing is read that
 * is not in the window, so that wrong tables end a stack and nothing else.
 *
 * Only x86-64 has tables here; others have frame pointers by their ABI
 * (aarch64) or give the caller alone.
 */
#ifndef PN_RUNTIME_UNWIND_H
#define PN_RUNTIME_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Registers of a frame, as they are when its callee has returned. */
struct pn_unwind_at {
	uintptr_t pc, sp, fp;
};

/* The caller of the function that this stands in. Has to be inlined there. */
#define PN_UNWIND_CALLER()                                                     \
	pn_unwind_caller((const uintptr_t *)__builtin_frame_address(0))

static inline struct pn_unwind_at pn_unwind_caller(const uintptr_t *frame)
{
	return (struct pn_unwind_at){frame[1], (uintptr_t)(frame + 2),
				     frame[0]};
}

/* Readable bytes of a stack; a copy of them lies `shift` bytes further. */
struct pn_unwind_window {
	uintptr_t low, high;
	uintptr_t shift;
};

/*
 * Fill `out` with at most `max` return addresses, at->pc first. Lock-free but
 * for an address that is new. Never allocates.
 */
size_t pn_unwind(uintptr_t *out, size_t max, const struct pn_unwind_at *at,
		 const struct pn_unwind_window *window);

/*
 * The last stack of a thread. What one has in common with the next, mostly all
 * but a few frames, is held against the words that it came from instead of
 * being looked up by rules: a frame's rule depends on its address alone.
 */
#define PN_UNWIND_KEPT 64

struct pn_unwind_step {
	struct pn_unwind_at at;
	uintptr_t slot; /* of the next one's fp; 0: it is the same; or odd: the
			 * next one came by other words, or there is none */
};

struct pn_unwind_last {
	uint64_t generation; /* of what was loaded */
	size_t left;	     /* unused steps, before the innermost one */
	struct pn_unwind_step steps[PN_UNWIND_KEPT];
};

/*
 * As pn_unwind, in a window that is no copy and always ends where it did for
 * this thread. `last` begins with zeros.
 */
size_t pn_unwind_again(uintptr_t *out, size_t max,
		       const struct pn_unwind_at *at,
		       const struct pn_unwind_window *window,
		       struct pn_unwind_last *last);
/* Whether that would be the last stack, all of it; false where nobody knows. */
bool pn_unwind_is_last(const struct pn_unwind_at *at,
		       const struct pn_unwind_window *window,
		       const struct pn_unwind_last *last);

/* Objects were unloaded: other code may stand at their addresses. */
void pn_unwind_forget(void);

/*
 * How to get from one frame to the next. The canonical frame address is
 * `cfa` + offset; the return address is below it, as x86-64 has it.
 */
enum pn_rule_kind {
	PN_RULE_NONE,	 /* unknown: follow frame pointers */
	PN_RULE_SP,	 /* from the stack pointer */
	PN_RULE_FP,	 /* from the frame pointer */
	PN_RULE_FP_SLOT, /* is stored at the frame pointer + offset */
	PN_RULE_SIGNAL,	 /* a signal's frame: registers are in its context */
	PN_RULE_END	 /* the outermost frame */
};

#define PN_RULE_AT_FP INT16_MIN /* fp_offset: at the frame pointer */

struct pn_rule {
	uint8_t kind;	   /* enum pn_rule_kind */
	bool saves_fp;	   /* at cfa + fp_offset */
	int16_t fp_offset; /* divided by 8 */
	int32_t offset;
};

/* What the tables say about the address before `pc`, which is a return
 * address. `hdr` is the object's .eh_frame_hdr, of `size` bytes. */
struct pn_rule pn_rule_read(uintptr_t pc, const uint8_t *hdr, size_t size);

#endif
