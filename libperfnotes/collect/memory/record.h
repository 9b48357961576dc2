/*
 * What the allocation tracer left, as a profile: see runtime/memory.h and
 * runtime/record.h. A record is hostile.
 */
#ifndef PN_MEMORY_RECORD_H
#define PN_MEMORY_RECORD_H

#include "collect/names/address_map.h"
#include "collect/runtime_record.h"
#include "model/profile.h"

#include <stdbool.h>

enum pn_memory_column {
	PN_MEMORY_ALLOC_OBJECTS,
	PN_MEMORY_ALLOC_SPACE,
	PN_MEMORY_INUSE_OBJECTS,
	PN_MEMORY_INUSE_SPACE,
	PN_MEMORY_PEAK_SPACE,
	PN_MEMORY_COLUMNS
};

/* Records of all runs on their way into a profile. */
struct pn_memory_reading {
	struct pn_profile *profile;
	struct pn_address_map *map;
	double *totals[PN_MEMORY_COLUMNS]; /* of each run */
	size_t run_count;
	double lost; /* allocations and chunks that are missing */
};

/* Gives `profile`, which is empty and borrowed, its value types. At least one
 * run. */
void pn_memory_reading_begin(struct pn_memory_reading *reading,
			     struct pn_profile *profile, size_t run_count);
/* The stacks of one process of run `run`, from 0 on. Unless `is_alone` in it
 * they get a label with the name of its program, and of several runs one with
 * the number of its run (model/runs.h). */
void pn_memory_reading_add(struct pn_memory_reading *reading,
			   struct pn_runtime_record *record, size_t run,
			   bool is_alone);
/* Gives the profile its metrics. */
void pn_memory_reading_end(struct pn_memory_reading *reading);

#endif
