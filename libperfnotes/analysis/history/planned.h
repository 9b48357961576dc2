/* Jobs of a project's job file, and what became of them: plain data that the
 * program fills and a renderer prints. */
#ifndef PN_HISTORY_PLANNED_H
#define PN_HISTORY_PLANNED_H

#include "model/entry.h"

#include <stdbool.h>
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
/* What went wrong with a job, or is missing of it. Everything is borrowed. */
struct pn_ran_fault {
	const char *section;
	bool unmodelled; /* it is measured, but was not postprocessed */
	const char *cmd; /* of the job; NULL: all of the section failed */
	const char *args, *workload;
	const char *why;   /* a build that fails is told once */
	const char *said;  /* its last lines, or "" */
	const char *doubt; /* what may be wrong with the section, or "" */
};

#endif
