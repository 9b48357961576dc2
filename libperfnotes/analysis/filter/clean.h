/* What every view does to a profile before it looks at it. Pure. */
#ifndef PN_FILTER_CLEAN_H
#define PN_FILTER_CLEAN_H

#include "base/error.h"
#include "base/opts/opts.h"
#include "model/symbols.h"

#include <stdbool.h>

struct pn_clean {
	enum pn_demangling demangle;
	bool join_clones; /* copies that compilers make are one function */
	bool all_frames;  /* those that the profile says to drop, too */
	struct pn_opt_list comments; /* to be added */
};

/* In place: names as they are wanted, then without the frames that the profile
 * itself says to drop; see pn_filter_drop_frames for what can fail. Comments
 * that it has are not added again. */
int pn_clean(struct pn_profile *profile, const struct pn_clean *how,
	     struct pn_error *err);

#endif
