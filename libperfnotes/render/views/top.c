/* The view `top`: what each function costs, heaviest first. */
#include "analysis/table.h"
#include "render/header.h"
#include "render/print_table.h"
#include "render/renderer.h"
#include "render/sink.h"

static int text(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct pn_table table;

	(void)err;
	pn_table_of_report(&table, in->report);
	pn_print_header(out, in->report, true);
	pn_print_table_within(out, &table, in->columns);
	pn_table_release(&table);
	return 0;
}

static int json(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct pn_table table;

	(void)err;
	pn_table_of_report(&table, in->report);
	pn_print_header_json(out, in->report);
	pn_json_key(&out->json, "rows");
	pn_print_table_json(out, &table);
	pn_table_release(&table);
	return 0;
}

static int rows(struct pn_table *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	(void)err;
	pn_table_of_report(out, in->report);
	return 0;
}

const struct pn_view pn_view_top = {
	.name = "top",
	.summary = "what each function costs, heaviest first",
	.needs = PN_VIEW_WEIGHTS,
	.edges = PN_EDGES_INLINED,
	.trims = true,
	.text = text,
	.json = json,
	.table = rows,
};
