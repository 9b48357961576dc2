/* What the notes say of one job at commits: values, failures, profiles. */
#ifndef PN_BISECT_MEASURED_H
#define PN_BISECT_MEASURED_H

#include "analysis/history/figures.h"
#include "base/arena.h"
#include "jobs/matrix/matrix.h"
#include "model/profile.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

/* A job on this machine, and one metric of it. All is borrowed. */
struct pn_bisect_series {
	struct pn_repo *repo;
	const struct pn_matrix_job *job;
	const char *fingerprint; /* of the machine */
	const char *metric;	 /* NULL: the default one */
};

struct pn_bisect_measured {
	double *values; /* owned; NULL: none */
	size_t count;
	bool skipped; /* a line says that it does not build or run */
	/* Of the values, "" without any: for less than 64 bytes. */
	char metric[64], unit[64];
	enum pn_better better;
};

/*
 * Of the commit whose tree is `tree`. The metric is the series' first one, or
 * for the collector `time` processor time, which other programs on the machine
 * disturb less. Values are in the unit in which most records have them.
 */
int pn_bisect_measured_read(struct pn_bisect_measured *out,
			    const struct pn_bisect_series *series,
			    const struct pn_oid *commit,
			    const struct pn_oid *tree, struct pn_error *err);
/* The job's profiles at a commit as one; `out` is initialised by the caller.
 * PN_ENOTFOUND. */
int pn_bisect_measured_load(struct pn_profile *out,
			    const struct pn_bisect_series *series,
			    const struct pn_oid *commit, struct pn_error *err);

#endif
