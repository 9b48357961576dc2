/*
 * The parts of the codec for gprof's text (GNU binutils, "GNU gprof"): the
 * flat profile, the call graph, or both. Times are nanoseconds of what is
 * printed: gprof itself rounds to 10 ms, or whatever one sample is.
 */
#ifndef PN_GPROF_GPROF_H
#define PN_GPROF_GPROF_H

#include "base/error.h"
#include "base/reader/reader.h"
#include "model/profile.h"

#define PN_GPROF_FLAT "Flat profile:"
#define PN_GPROF_INDEX "Index by function name"

/* One line of the call graph, taken apart. */
struct pn_gprof_line {
	bool is_primary; /* "[n]" in front: what the block is about */
	bool is_nobody;	 /* "<spontaneous>" */
	bool is_cycle;	 /* "<cycle n as a whole>" */
	uint64_t index;	 /* "[n]" at the end */
	bool has_time;
	int64_t self_ns, children_ns;
	int64_t calls; /* that were not recursive; -1: blank */
	int64_t recursive;
	const char *name;
	size_t name_len;
};

/* One row of the flat profile. */
struct pn_gprof_row {
	int64_t self_ns;
	int64_t calls;	       /* -1: blank */
	double total_per_call; /* in the unit of the column */
	const char *name;
	size_t name_len;
};

/* False when the line is none. */
bool pn_gprof_line(struct pn_gprof_line *out, const char *text, size_t len);
bool pn_gprof_row(struct pn_gprof_row *out, const char *text, size_t len);
/* "0.08" as nanoseconds. */
bool pn_gprof_time(int64_t *out, const char *text, size_t len);
/* The heading of the call graph. */
bool pn_gprof_is_heading(const char *text, size_t len);

int pn_gprof_read(struct pn_profile *out, struct pn_reader *in,
		  struct pn_error *err);

#endif
