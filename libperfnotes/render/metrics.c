/* The view `metrics`: measured quantities and their samples. */
#include "analysis/table.h"
#include "render/print_table.h"
#include "render/renderer.h"
#include "render/sink.h"

static int text(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct pn_table table;

	(void)err;
	pn_table_of_metrics(&table, in->profile);
	pn_print_table(out, &table);
	pn_table_release(&table);
	return 0;
}

static int json(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct pn_table table;

	(void)err;
	pn_table_of_metrics(&table, in->profile);
	pn_json_key(&out->json, "rows");
	pn_print_table_json(out, &table);
	pn_table_release(&table);
	return 0;
}

const struct pn_view pn_view_metrics = {
	.name = "metrics",
	.summary = "measured quantities: n, median, spread",
	.needs = PN_VIEW_METRICS,
	.text = text,
	.json = json,
};
