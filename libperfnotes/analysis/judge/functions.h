/*
 * A verdict for each function of two profiles, by what each cost itself
 * (analysis/why/compared.h), as `git perf detect functions` has it. Pure.
 */
#ifndef PN_JUDGE_FUNCTIONS_H
#define PN_JUDGE_FUNCTIONS_H

#include "base/arena.h"
#include "base/error.h"
#include "detect/functions/functions.h"
#include "model/profile.h"

/* Shares of all costs: what is new or gone and smaller is no change, ... */
#define PN_JUDGE_FUNCTIONS_NEW 0.005
/* ... and what did not change and is smaller than this is not told. */
#define PN_JUDGE_FUNCTIONS_SHARE 0.001
#define PN_JUDGE_FUNCTIONS_MAX 1000 /* rows */

/* Figures are of one run. */
struct pn_judge_function {
	const char *name;
	const char *old_name; /* of a renamed one, else NULL */
	const char *file;     /* "": not known */
	double before, after;
	struct pn_function_verdict found;
};

struct pn_judge_row;
struct pn_judge_report;

/* A zeroed struct is empty. */
struct pn_judge_functions {
	/* Set by whoever knows: the first row of the series, and the number of
	 * the commit that it is compared with. */
	const struct pn_judge_row *row;
	size_t base;
	const char *type, *unit; /* of the costs */
	size_t runs[2];
	bool tested;	/* told from noise: of several runs, or exact */
	bool exact;	/* counts that do not vary */
	double common;	/* what all functions changed by together; else 1 */
	double total;	/* of a run of the new side */
	size_t count;	/* functions with costs on either side */
	size_t changed; /* confirmed, new or gone */
	size_t unknown;
	/* By verdicts, of rows beyond the last, too. */
	size_t verdicts[PN_VERDICT_UNKNOWN + 1];
	/* What changed, the largest difference first, then the others, the most
	 * expensive one first. */
	struct pn_judge_function *rows;
	size_t row_count;
	struct pn_arena arena; /* of rows and texts */
};

/*
 * Of the value type `type` (NULL: the default one of `after`); a smaller effect
 * than `min_effect` is no change (0: as detect/functions has it). Profiles may
 * change, see pn_report_init, and are not borrowed. PN_EINVAL: one has no such
 * costs, or in another unit.
 */
int pn_judge_functions_init(struct pn_judge_functions *out,
			    struct pn_profile *before, struct pn_profile *after,
			    const char *type, double min_effect,
			    struct pn_error *err);
void pn_judge_functions_release(struct pn_judge_functions *functions);

/* Confirmed for the worse or the better, new or gone. */
bool pn_judge_function_changed(const struct pn_judge_function *function);
/* How many functions of a report have a verdict that fails, and in `verdicts`
 * how many have which; NULL: nobody asks. */
size_t pn_judge_functions_failing(size_t verdicts[PN_VERDICT_UNKNOWN + 1],
				  const struct pn_judge_report *report);

#endif
