/* The heaviest functions so far. */
#include "render/measured/snapshot.h"

#include "analysis/report.h"
#include "base/escape.h"
#include "model/symbols.h"
#include "render/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int print_top(FILE *to, struct pn_profile *snapshot, int64_t rows,
		     struct pn_error *err)
{
	struct pn_report_options options = {
		.divide_by = 1,
		.node_count = rows,
		.node_fraction = PN_REPORT_NODE_FRACTION,
		.edge_fraction = PN_REPORT_EDGE_FRACTION};
	struct pn_report report = {0};
	struct pn_view_input in = {.profile = snapshot, .report = &report};
	int code;

	pn_view_options(&options, &pn_view_top);
	pn_symbols_demangle(snapshot, PN_DEMANGLE_SIMPLE);
	code = pn_report_init(&report, snapshot, &options, err);
	if (!code)
		code = pn_view_print(to, &pn_view_top, &in, "collect",
				     PN_VIEW_TEXT, err);
	pn_report_release(&report);
	return code;
}

int pn_snapshot_text(struct pn_buf *out, const char *title,
		     struct pn_profile *snapshot, int64_t rows,
		     struct pn_error *err)
{
	char *text = NULL;
	size_t len = 0;
	FILE *to = open_memstream(&text, &len);
	int code = 0;

	if (!to)
		return pn_error_system(err, "cannot show a snapshot");
	if (snapshot->sample_count)
		code = print_top(to, snapshot, rows, err);
	else
		fputs("no sample yet\n", to);
	if (fclose(to) && !code)
		code = pn_error_system(err, "cannot show a snapshot");
	if (!code) {
		pn_escape_terminal(out, title, strlen(title));
		pn_buf_add_byte(out, '\n');
		pn_buf_add(out, text, len);
	}
	free(text);
	return code;
}
