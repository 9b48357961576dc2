/* git perf check --collect and --why: what is missing is measured first. */
#ifndef CMD_CHECK_COLLECT_H
#define CMD_CHECK_COLLECT_H

#include "jobs/judge/measure.h"

/* All of it, with progress; then `measure` is closed. */
int check_measure(struct pn_check_measure *measure, struct pn_error *err);

#endif
