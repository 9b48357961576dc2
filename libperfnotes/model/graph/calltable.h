/*
 * A call graph as Python's profilers write it (its modules profile and
 * cProfile): each function with file, line and name, counts of its calls, times
 * in seconds, and its callers; the calls of one caller are one, from whatever
 * line.
 */
#ifndef PN_GRAPH_CALLTABLE_H
#define PN_GRAPH_CALLTABLE_H

#include "base/buf.h"
#include "base/error.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pn_calltable_caller {
	uint32_t row;
	bool timed; /* else the number of calls is all that is known of it */
	int64_t calls, primitive;
	double self_s, total_s; /* of the callee, called by this one */
};

struct pn_calltable_row {
	uint32_t file, name; /* strings of the profile */
	int64_t line;	     /* where the function begins; 0: unknown */
	/* Rows before that have its file, line and name, as those of two
	 * objects: they stay apart. */
	uint32_t number;
	bool listed;		  /* else it is known as a caller only */
	int64_t calls, primitive; /* 0: unknown */
	double self_s, total_s;
	size_t caller_first, caller_count; /* of `callers` */
};

struct pn_calltable {
	struct pn_calltable_row *rows; /* one a node of the graph */
	size_t row_count;
	struct pn_calltable_caller *callers;
	size_t caller_count;
};

/* Append a row's name with its number: "f", "f#2". */
void pn_calltable_name(struct pn_buf *out, const struct pn_profile *profile,
		       const struct pn_calltable_row *row);

/*
 * The table of the graph that `profile` has (of samples:
 * model/graph/callgraph.h). `type` is the column; SIZE_MAX: the default value
 * type, else the first one in a unit of time. PN_EINVAL when it is in none.
 * Time and memory O(nodes + edges).
 */
int pn_calltable_init(struct pn_calltable *out,
		      const struct pn_profile *profile, size_t type,
		      struct pn_error *err);
void pn_calltable_release(struct pn_calltable *table);

#endif
