/*
 * The executable code of this process, from /proc/self/maps: what a record
 * says of it, and what a walk of a stack wants to know. No lock, no allocation:
 * everything here may be called in a signal handler.
 */
#ifndef PN_RUNTIME_MODULES_H
#define PN_RUNTIME_MODULES_H

#include "runtime/output.h"

#include <stdbool.h>
#include <stdint.h>

#define PN_MODULES_MAX 2048 /* browsers map about 300 */

/* A run of executable memory. */
struct pn_module {
	uint64_t start, limit;
	bool frame_pointers; /* functions keep them; true for memory of no
				file, whose compilers mostly do */
	bool from_file;
	/* Its table of functions, sorted: pairs of 32-bit offsets from `base`,
	 * the first of which is where one begins. 0 when it has none. */
	uint64_t table, base;
	uint32_t count;
};

/*
 * Look again, and write a chunk for each mapping that is new since the last
 * call with this record. One caller at a time; the others return at once.
 */
void pn_modules_scan(struct pn_stream *stream);
/* The record is a new one: all mappings are new. */
void pn_modules_forget(void);

/* The module of a code address; NULL where nothing executable was seen. */
const struct pn_module *pn_modules_find(uint64_t address);

/* Whether the function that has this code address sets up a frame pointer
 * before anything else. */
bool pn_modules_sets_pointer(const struct pn_module *module, uint64_t address);

/* Read memory that may not be there; false then. */
bool pn_modules_peek(void *to, uint64_t from, size_t size);

#endif
