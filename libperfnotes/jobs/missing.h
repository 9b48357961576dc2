/*
 * Which jobs of a matrix are missing at a commit: those that are selected and
 * that no line of the commit's note is of. Asks the notes as they are when it
 * is opened, and starts nothing.
 */
#ifndef PN_JOBS_MISSING_H
#define PN_JOBS_MISSING_H

#include "base/error.h"
#include "base/oid.h"
#include "jobs/matrix/matrix.h"
#include "jobs/run.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>

struct pn_missing;

/*
 * `matrix` is expanded; it, `repo` and what `options` points to are borrowed.
 * Of the options it heeds names, shards, machine, again, dirty and skips.
 * PN_ENOTFOUND names one of options->names that no job has.
 */
int pn_missing_open(struct pn_missing **out, struct pn_repo *repo,
		    const struct pn_matrix *matrix,
		    const struct pn_run_options *options, struct pn_error *err);
void pn_missing_free(struct pn_missing *missing);

/* Whether any job is selected, be it missing or not. */
bool pn_missing_selects(const struct pn_missing *missing);
/* Of the machine, as the lines have it. */
const char *pn_missing_fingerprint(const struct pn_missing *missing);

/* How many of the selected jobs are what at a commit. */
struct pn_missing_counts {
	size_t missing, measured;
	size_t skipped; /* left out because they failed before */
};

/* Look at one commit, whose tree is `tree`. */
int pn_missing_look(struct pn_missing_counts *out, struct pn_missing *missing,
		    const struct pn_oid *commit, const struct pn_oid *tree,
		    struct pn_error *err);
/* Whether the job of this index was missing at the commit looked at last. */
bool pn_missing_has(const struct pn_missing *missing, size_t index);

#endif
