/* What a person should know before trusting a result, on standard error. */
#ifndef CMD_DOUBTS_H
#define CMD_DOUBTS_H

#include "collect/collector.h"

/* `title` is the command; the plan decides what to advise. */
void warn_of_doubts(const char *title,
		    const struct pn_collect_warning *warnings, size_t count,
		    const struct pn_collect_plan *plan, bool has_prepare);

#endif
