/* Jobs of a project's job file, and what became of them: plain data that the
 * program fills and a renderer prints. */
#ifndef PN_HISTORY_PLANNED_H
#define PN_HISTORY_PLANNED_H

#include "model/entry.h"

#include <stddef.h>

/* One job. Everything is borrowed. */
struct pn_planned {
	const char *section, *id;
	const char *cmd, *args, *workload; /* NULL: none */
	const char *collector;
	size_t post_count;
	const char *const *post_names; /* postprocessors, ... */
	const char *const *post_texts; /* ... and as the file has them */
};

/* What became of it: an index line, or the reason why there is none. */
struct pn_ran {
	struct pn_planned job;
	const struct pn_entry *entry; /* NULL: it failed, ... */
	const char *why;	      /* ... and why */
};

#endif
