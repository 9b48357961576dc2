/*
 * The allocation tracer's books: which stack allocated how much, and which
 * blocks are live. memory_hooks.c calls it around the real allocator.
 */
#ifndef PN_RUNTIME_MEMORY_H
#define PN_RUNTIME_MEMORY_H

#include "runtime/unwind.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A block as it was noted; stack 0: it was not. */
struct pn_block {
	uint64_t address, size;
	uint32_t stack;
};

/*
 * After the real allocator gave `size` bytes at `address` to the caller `at`.
 * Does nothing when this thread is in here already (a signal's handler, or
 * what we call ourselves).
 */
void pn_memory_allocated(const void *address, size_t size,
			 const struct pn_unwind_at *at);
/* Before the real allocator takes it back: afterwards another thread may get
 * the same address. */
struct pn_block pn_memory_freed(const void *address);
/* It was not taken back after all (realloc failed). */
void pn_memory_kept(const struct pn_block *block);

/* Begin the record if that was not done yet. */
void pn_memory_start(void);
void pn_memory_end(void);

#endif
