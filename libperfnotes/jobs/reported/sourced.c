/* The source of what costs most in a profile. */
#include "jobs/reported/sourced.h"

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

bool pn_sourced_init(struct pn_sourced *out, struct pn_profile *profile,
		     const struct pn_report *report, const char *hex)
{
	struct pn_report_options options = {
		.divide_by = 1, .unit = "minimum", .granularity = PN_BY_LINES};
	struct pn_buf pattern = {0};
	const char *text;
	bool good = choose(&pattern, report);

	text = pn_buf_text(&pattern);
	good = good && !pn_report_init(&out->by_line, profile, &options, NULL);
	good = good &&
	       !pn_routines_init(&out->routines, &out->by_line, text, NULL);
	good = good && !pn_source_texts_load(&out->texts, &out->by_line, text,
					     hex, NULL, NULL);
	pn_buf_release(&pattern);
	return good;
}

void pn_sourced_release(struct pn_sourced *sourced)
{
	pn_source_texts_release(&sourced->texts);
	pn_routines_release(&sourced->routines);
	pn_report_release(&sourced->by_line);
	memset(sourced, 0, sizeof(*sourced));
}
