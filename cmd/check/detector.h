/* git perf check --detector: one of Perun's checks of two commits. */
#ifndef CMD_CHECK_DETECTOR_H
#define CMD_CHECK_DETECTOR_H

#include "command.h"
#include "jobs/judge/check.h"

struct detector_call {
	const char *name; /* of the detector */
	const char *output;
	bool json, all;
	bool allow_unknown;
};

/* Returns an exit code. */
int check_by_detector(const struct global *global,
		      const struct detector_call *call,
		      struct pn_check_request *request);

#endif
