/*
 * What is asked of the values and frames of a profile before it is shown or
 * written: pprof's options that change a profile rather than a report.
 */
#ifndef PN_MERGE_RESHAPE_H
#define PN_MERGE_RESHAPE_H

#include "analysis/nodes.h"
#include "base/opts/opts.h"
#include "model/profile.h"

struct pn_reshape {
	const char *sample_index; /* value type; NULL: the default */
	const char *granularity_name;
	enum pn_granularity granularity; /* pn_reshape_check */
	double divide_by;
	bool noinlines;
};

/* Bases that are subtracted. */
struct pn_bases {
	struct pn_opt_list base, diff_base;
	bool normalize;
};

extern const struct pn_opt pn_reshape_opts[], pn_bases_opts[];

#define PN_RESHAPE_DEFAULT                                                     \
	(struct pn_reshape)                                                    \
	{                                                                      \
		.divide_by = 1                                                 \
	}

/* What the option tables cannot check; sets the granularity. PN_EINVAL. */
int pn_reshape_check(struct pn_reshape *ask, struct pn_error *err);
int pn_bases_check(const struct pn_bases *ask, struct pn_error *err);
/* Whether something is to be subtracted. */
bool pn_bases_any(const struct pn_bases *bases);

/*
 * Do it to a profile that is to be written. The value type becomes the default
 * one; values are divided, whole numbers rounded; inlined calls go to their
 * caller; frames keep what the granularity says (by functions neither files nor
 * lines nor addresses), and samples that are equal then are one. Nothing else
 * changes, and nothing at all where nothing is asked for. PN_EINVAL: no such
 * value type, or a call graph is to get another granularity.
 */
int pn_reshape(struct pn_profile *profile, const struct pn_reshape *ask,
	       struct pn_error *err);

#endif
