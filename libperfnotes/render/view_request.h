/*
 * What is asked for of a view: the options of commands that print one, and
 * what they say together.
 */
#ifndef PN_RENDER_VIEW_REQUEST_H
#define PN_RENDER_VIEW_REQUEST_H

#include "analysis/diff/diff.h"
#include "analysis/diff/reports.h"
#include "analysis/filter/clean.h"
#include "analysis/merge/reshape.h"
#include "analysis/pstats/report.h"
#include "analysis/report.h"
#include "analysis/resources/request.h"
#include "base/opts/opts.h"
#include "render/renderer.h"

struct pn_view_request {
	const char *view, *function, *demangle, *flame;
	struct pn_reshape reshape; /* in `report`: pn_view_request_check */
	const char *source_path, *binary_path, *order;
	struct pn_report_options report;
	struct pn_resources_request resources;
	bool trim, csv;
	enum pn_view_form form; /* of -o's file: pn_view_request_check */
	struct pn_clean clean;	/* its demangling: pn_view_request_check */
	struct pn_opt_list sort, restrict_to;
	struct pn_pstats_options stats; /* with these: pn_view_request_check */
	struct pn_timed_style timed;	/* its order: pn_view_request_check */
	struct pn_flame_style style;	/* what `flame` names */
};

/* Their rows, for a command's own table: OPT_TABLE(struct pn_view_request,
 * view, pn_view_opts), and OPT_TABLE(struct pn_filter, view.report.filter,
 * pn_filter_opts). */
extern const struct pn_opt pn_view_opts[];

/* What is shown when no option says another thing. */
void pn_view_request_init(struct pn_view_request *out);

/* What the option table cannot check; *view is the one that is asked for, by
 * --view or by the suffix of -o's file (NULL: none). */
int pn_view_request_check(const struct pn_view **view,
			  struct pn_view_request *request, const char *output,
			  struct pn_error *err);
/* Whether a view of a profile is asked for, in one of these ways. */
bool pn_view_is_chosen(const struct pn_view_request *request,
		       const char *output);
/* The form that is asked for: --json, --csv, or by the suffix of -o's file. */
enum pn_view_form pn_view_request_form(const struct pn_view_request *request,
				       const char *output, bool json);

/* Whether a view of one profile is asked for by any option. */
bool pn_view_is_meant(const struct pn_view_request *request,
		      const char *output);

/*
 * Filter the profile and report on it, unless the view, which may become
 * another one that fits the profile, is of metrics. `out` is zeroed before; it
 * knows which filters matched nothing.
 */
int pn_view_request_prepare(struct pn_report *out, struct pn_view_input *in,
			    const struct pn_view **view,
			    struct pn_profile *profile,
			    const struct pn_view_request *request,
			    struct pn_error *err);
/* The difference of two, as a view of both shows it; the reports, which belong
 * to it, say on failure which side is to blame. Both are zeroed before, and to
 * be released in any case. */
int pn_view_request_compare(struct pn_diff *out,
			    struct pn_diff_reports *reports,
			    const struct pn_view *view,
			    struct pn_profile *before, struct pn_profile *after,
			    const struct pn_view_request *request,
			    bool normalize, struct pn_error *err);
/* By which share the second profile is worse, see pn_diff_worse; both may
 * change. */
int pn_view_request_worse(double *out, struct pn_profile *before,
			  struct pn_profile *after,
			  const struct pn_view_request *request, bool normalize,
			  struct pn_error *err);

#endif
