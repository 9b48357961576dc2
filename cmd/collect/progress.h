/* Progress of a collection: a line on a terminal that is written over again and
 * again, at most ten times a second. */
#ifndef CMD_PROGRESS_H
#define CMD_PROGRESS_H

#include "collect/collector.h"

/* Zeroed: not shown yet. */
struct progress {
	int64_t shown_ns;
	bool visible;
};

void progress_show(struct progress *view,
		   const struct pn_collect_progress *progress,
		   const char *title);
void progress_clear(struct progress *view);

#endif
