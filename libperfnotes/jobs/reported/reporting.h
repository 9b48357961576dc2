/* All that a report of a repository shows, from what is stored. */
#ifndef PN_REPORTED_REPORTING_H
#define PN_REPORTED_REPORTING_H

#include "analysis/reported/reported.h"
#include "jobs/functions/gather.h"
#include "jobs/judge/check.h"
#include "jobs/judge/past_marks.h"

struct pn_reporting_request {
	struct pn_repo *repo;
	struct pn_notes *notes;
	const char *range;  /* a revision or a range of them; NULL: HEAD */
	int64_t commits;    /* of first parents, at most */
	int64_t profiles;   /* at most, and PN_REPORTING_PROFILES at most */
	const char *metric; /* a regular expression; NULL: all */
	struct pn_log_filter filter; /* its metric: set by the above */
};

#define PN_REPORTING_PROFILES 100

struct pn_reporting_loaded; /* a profile and what is made of it */

/* Zeroed before, released in any case. */
struct pn_reporting {
	struct pn_reported reported; /* borrows from the rest */
	struct pn_check check;
	struct pn_past_marks past;
	struct pn_buf no_check, name, url, series;
	struct pn_regex *metric;
	struct pn_reporting_loaded *loaded;
	struct pn_reported_profile *profiles;
	size_t count;
	struct pn_functions_gathered functions;
	struct pn_heat heat; /* of one of them */
	size_t passed_over;  /* notes that cannot be read */
};

/* PN_ENOTFOUND: no commit of the range has a figure. */
int pn_reporting_read(struct pn_reporting *out,
		      struct pn_reporting_request *request,
		      struct pn_error *err);
void pn_reporting_release(struct pn_reporting *reporting);

/* Inside of jobs/reported/ only. Profiles of one series at some commits, and of
 * its functions over all of them; without any there are none. */
void pn_reporting_profiles(struct pn_reporting *out,
			   const struct pn_reporting_request *request);
/* Where a commit of a remote with this URL can be seen, up to its id; nothing
 * where that is no web page. */
void pn_reporting_url(struct pn_buf *out, const char *remote);

#endif
