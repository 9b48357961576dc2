/* Renamed functions. */
#include "jobs/functions/renamed.h"

#include "analysis/diff/diff.h"
#include "analysis/diff/reports.h"

#include <string.h>

static uint32_t key_of(struct pn_function_history *history,
		       const struct pn_report *report,
		       const struct pn_report_node *node)
{
	const struct pn_profile *p = report->profile;
	uint32_t function = report->nodes.items[node->node].function;
	const char *file =
		function == PN_NONE
			? ""
			: pn_profile_text(p, p->functions[function].file);

	return pn_function_history_key(history, node->name, node->name_len,
				       file, !p->sample_count);
}

/* What has another name, or only another file: that is a rename, too. */
static void tell(struct pn_function_history *history,
		 const struct pn_diff *diff)
{
	size_t i;

	for (i = 0; i < diff->row_count; i++) {
		const struct pn_diff_row *row = &diff->rows[i];

		if (row->before && row->after)
			pn_function_history_rename(
				history,
				key_of(history, diff->after, row->after),
				key_of(history, diff->before, row->before));
	}
}

static void compare(struct pn_function_history *history,
		    struct pn_profile profiles[2])
{
	const struct pn_report_options report = {.divide_by = 1,
						 .sample_index = history->type};
	const struct pn_diff_options all = {.keep_equal = true};
	struct pn_diff_reports reports = {0};
	struct pn_diff diff = {0};

	if (!pn_diff_reports_init(&reports, &profiles[0], &profiles[1], &report,
				  NULL) &&
	    !pn_diff_init(&diff, &reports.of[0], &reports.of[1], &all, NULL))
		tell(history, &diff);
	pn_diff_release(&diff);
	pn_diff_reports_release(&reports);
}

void pn_functions_find_renamed(struct pn_function_history *history,
			       const struct pn_function_costs *costs,
			       const struct pn_function_side sides[2])
{
	struct pn_profile profiles[2];
	int side, code = 0;

	for (side = 0; side < 2; side++) {
		pn_profile_init(&profiles[side]);
		if (!code)
			code = pn_function_costs_profile(
				&profiles[side], costs, sides[side].commit,
				sides[side].records, NULL);
	}
	if (!code)
		compare(history, profiles);
	pn_profile_release(&profiles[0]);
	pn_profile_release(&profiles[1]);
}
