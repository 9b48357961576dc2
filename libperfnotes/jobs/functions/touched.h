/* What a change touches, in the newest profiles before it: nothing is run. */
#ifndef PN_FUNCTIONS_TOUCHED_H
#define PN_FUNCTIONS_TOUCHED_H

#include "analysis/functions/impact.h"
#include "analysis/history/log_series.h"
#include "vcs/files/hunks.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

/* Commits behind the change's base that are looked at for profiles, and how
 * many behind the newest measured one. */
#define PN_IMPACT_COMMITS 1000
#define PN_IMPACT_MEASURED 50

struct pn_impact_request {
	struct pn_repo *repo;
	struct pn_notes *notes;
	/* <a>..<b>, <a>...<b> (since they parted), or one commit, whose own
	 * change is meant; NULL: what differs from HEAD. */
	const char *range;
	bool cached; /* in the index; only without a range */
	struct pn_log_filter filter;
	const char *type; /* of the costs; NULL: the default one */
	double min_share; /* of self or total; smaller rows are left out */
};

/* Zeroed before, released in any case. */
struct pn_impact_read {
	struct pn_impact impact;
	struct pn_hunks hunks;
	struct pn_oid base, target; /* target: zero: the work tree */
	unsigned char *known;
	size_t faults;	     /* profiles that could not be read */
	size_t without_type; /* that have no costs of that type */
	/* Series whose newest record has no functions that could be read. */
	struct pn_series *blind;
	size_t blind_count, blind_cap;
	unsigned char *told; /* hunks that some profile has a function of */
	struct pn_arena arena;
};

int pn_impact_read(struct pn_impact_read *out,
		   const struct pn_impact_request *request,
		   struct pn_error *err);
void pn_impact_release(struct pn_impact_read *read);

#endif
