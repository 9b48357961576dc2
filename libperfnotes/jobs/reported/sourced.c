/* The source of what costs most in a profile. */
#include "jobs/reported/sourced.h"

#include "analysis/merge/merge.h"
#include "jobs/source/load.h"

#include <ctype.h>
#include <string.h>

/* Each character that may mean something in an expression means itself. */
static void quote(struct pn_buf *out, const char *name)
{
	for (; *name; name++) {
		unsigned char c = (unsigned char)*name;

		if (c < 0x80 && !isalnum(c) && c != '_')
			pn_buf_add_byte(out, '\\');
		pn_buf_add_byte(out, c);
	}
}

/* An expression that fits those functions. */
static bool choose(struct pn_buf *out, const struct pn_report *report)
{
	double all = pn_report_number(report, report->total);
	size_t i, n = 0;

	for (i = 0; i < report->row_count && n < PN_SOURCED_FUNCTIONS; i++) {
		const struct pn_report_node *row = &report->rows[i];
		const struct pn_node_info *node =
			&report->nodes.items[row->node];
		const char *name = pn_profile_text(report->profile, node->name);

		if (pn_report_number(report, row->flat) <
		    PN_SOURCED_SHARE * all)
			continue;
		if (!*name || strchr(name, '\n'))
			continue;
		pn_buf_add_text(out, n++ ? "|" : "^(?:");
		quote(out, name);
	}
	pn_buf_add_text(out, ")$");
	return n > 0;
}

void pn_sourced_init(struct pn_routine_texts *lines, struct pn_sourced *out,
		     struct pn_profile *profile, const struct pn_report *report,
		     const char *hex, const char *folder)
{
	struct pn_report_options options = {
		.divide_by = report->options.divide_by,
		.sample_index = report->options.sample_index,
		.mean = report->options.mean,
		.noinlines = report->options.noinlines,
		.unit = "minimum",
		.granularity = PN_BY_LINES};
	struct pn_buf pattern = {0};
	const char *text;
	bool good = choose(&pattern, report);

	text = pn_buf_text(&pattern);
	good = good && !pn_report_init(&out->by_line, profile, &options, NULL);
	good = good &&
	       !pn_routines_init(&out->routines, &out->by_line, text, NULL);
	good = good && !pn_source_texts_load(&out->texts, &out->by_line, text,
					     hex, folder, NULL);
	pn_buf_release(&pattern);
	if (good)
		*lines = (struct pn_routine_texts){&out->by_line,
						   &out->routines, &out->texts};
}

void pn_sourced_copy(struct pn_routine_texts *lines, struct pn_sourced *out,
		     const struct pn_report *report, const char *hex,
		     const char *folder)
{
	pn_profile_init(&out->copy);
	if (!pn_merge_one(&out->copy, report->profile, NULL, NULL))
		pn_sourced_init(lines, out, &out->copy, report, hex, folder);
}

void pn_sourced_release(struct pn_sourced *sourced)
{
	pn_source_texts_release(&sourced->texts);
	pn_routines_release(&sourced->routines);
	pn_report_release(&sourced->by_line);
	pn_profile_release(&sourced->copy);
	memset(sourced, 0, sizeof(*sourced));
}
