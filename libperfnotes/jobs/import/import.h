/*
 * Taking over what other tools measured at commits: kaihowl/git-perf's notes,
 * results of airspeed velocity, data.js of github-action-benchmark. Each result
 * goes to the commit that it names. What was imported before is known again by
 * a label, and takes the place of what it was then when it has changed.
 */
#ifndef PN_IMPORT_IMPORT_H
#define PN_IMPORT_IMPORT_H

#include "base/buf.h"
#include "base/error.h"
#include "model/moved.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stdint.h>

struct pn_import_request {
	struct pn_repo *repo;
	/* A ref (from "refs/" on), a file, or a folder with results of asv. */
	const char *from;
	uint64_t max_bytes; /* of a body */
	bool dry_run;
};

/* Counts of what was stored, was here already, and was left out; in `doubts`
 * what is wrong there, a line each and 100 at most, also after a failure.
 * PN_ENOTFOUND: there is nothing of the kind. */
int pn_import(struct pn_takeover_counts *out, struct pn_buf *doubts,
	      const struct pn_import_request *request, struct pn_error *err);

/* False of a ref and of a file: those are nobody's folder. */
bool pn_import_is_folder(const char *from);

#endif
