/* A check from the names that were typed to the rows. */
#ifndef PN_JUDGE_CHECK_H
#define PN_JUDGE_CHECK_H

#include "analysis/history/series_request.h"
#include "analysis/judge/judge.h"
#include "base/buf.h"
#include "jobs/judge/by_function.h"
#include "jobs/judge/ends.h"
#include "jobs/judge/gather.h"
#include "jobs/judge/reasons.h"

struct pn_check_request {
	struct pn_repo *repo;
	struct pn_notes *notes;
	const char *const *names; /* see pn_judge_ends_find */
	size_t name_count;
	const char *pair[2]; /* what pn_check_beside makes them */
	char base[PN_OID_HEX + 1];
	const char *against; /* NULL: none */
	double min_effect;   /* of all metrics; 0: as the project says */
	struct pn_log_filter filter;
	const struct pn_series_request *which; /* what the filter was made of,
						  for why; NULL: not said */
	unsigned int fail_on;		       /* see pn_judge_result */
	/* A verdict for each function, too, and which of these fail. */
	bool by_function;
	unsigned int functions_fail_on;
};

/* Zeroed before, released in any case. */
struct pn_check {
	struct pn_judge_ends ends;
	struct pn_gates gates;
	struct pn_gathered gathered;
	struct pn_judge judge;
	struct pn_reasons reasons;
	struct pn_check_functions functions;
	struct pn_judge_report report; /* of the above */
	bool nothing; /* there is nothing that could be compared: no rows */
};

int pn_check_run(struct pn_check *out, const struct pn_check_request *request,
		 struct pn_error *err);
/* A commit beside its past, by what is stored, of one machine (NULL: of all).
 * False: there is nothing to compare, or it cannot be read. */
bool pn_check_commit(struct pn_check *out, struct pn_repo *repo,
		     const struct pn_oid *commit, const char *machine);
void pn_check_release(struct pn_check *check);

/* From now on the request is of the check's target beside this commit alone. */
void pn_check_beside(struct pn_check_request *request,
		     const struct pn_oid *base);

/* Why there is nothing to compare, in `err`, and in `hints` lines that say how
 * there may be. */
void pn_check_why(struct pn_buf *hints, const struct pn_check *check,
		  const struct pn_check_request *request, struct pn_error *err);

/* Names of verdicts, parted by commas, as bits of `fail_on`; upper and lower
 * case are one. PN_EINVAL names the one that is none. */
int pn_check_fail_on(unsigned int *out, const char *names,
		     struct pn_error *err);

#endif
