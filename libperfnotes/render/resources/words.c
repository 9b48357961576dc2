/* What views of resources say above their pictures. */
#include "render/resources/words.h"

#include "base/escape.h"
#include "base/text/width.h"
#include "render/print_table.h"
#include "render/quantity.h"

#include <math.h>
#include <string.h>

void pn_pivot_title(struct pn_buf *out, const struct pn_pivot *pivot,
		    const struct pn_view_input *in)
{
	if (in->title)
		pn_buf_printf(out, "%s: ", in->title);
	pn_buf_printf(out, "%s of %s per %s",
		      pn_aggregate_name(pivot->aggregate), pivot->of,
		      pivot->per);
	if (pivot->by)
		pn_buf_printf(out, ", by %s", pivot->by);
	if (pivot->accumulated)
		pn_buf_add_text(out, ", added up");
}

void pn_runs_remark(struct pn_buf *out, uint32_t runs)
{
	if (runs > 1)
		pn_buf_printf(out, "Runs: %u, figures are per run\n", runs);
}

void pn_runs_json(struct pn_sink *out, uint32_t runs)
{
	if (runs > 1)
		pn_json_member_int(&out->json, "runs", runs);
}

void pn_pivot_remarks(struct pn_buf *out, const struct pn_pivot *pivot)
{
	pn_runs_remark(out, pivot->runs);
	if (pivot->rows.more)
		pn_buf_printf(out, "the %zu heaviest of %zu\n",
			      pivot->rows.count,
			      pivot->rows.count + pivot->rows.more);
	if (pivot->columns.more)
		pn_buf_printf(out, "%s are %zu more\n", PN_PIVOT_REST,
			      pivot->columns.more);
	if (pivot->other_unit)
		pn_buf_printf(out,
			      "without %zu of other units: --filter-by=unit="
			      "<unit> chooses\n",
			      pivot->other_unit);
	if (pivot->left_out)
		pn_buf_printf(out, "without %zu that lack one of these\n",
			      pivot->left_out);
}

void pn_pivot_json(struct pn_sink *out, const struct pn_pivot *pivot)
{
	struct pn_table table;

	pn_json_member(&out->json, "of", pivot->of);
	pn_json_member(&out->json, "per", pivot->per);
	if (pivot->by)
		pn_json_member(&out->json, "by", pivot->by);
	pn_json_member(&out->json, "aggregate",
		       pn_aggregate_name(pivot->aggregate));
	pn_json_member(&out->json, "unit", pivot->unit);
	pn_json_key(&out->json, "accumulated");
	pn_json_bool(&out->json, pivot->accumulated);
	pn_runs_json(out, pivot->runs);
	pn_json_member_int(&out->json, "left_out",
			   (int64_t)(pivot->left_out + pivot->other_unit));
	pn_json_key(&out->json, "rows");
	pn_table_of_pivot(&table, pivot, false);
	pn_print_table_json(out, &table);
	pn_table_release(&table);
}

void pn_resources_value(struct pn_buf *out, double value, const char *unit)
{
	if (isfinite(value))
		pn_quantity_text(out, value, (double)NAN, unit);
}

void pn_resources_text(struct pn_buf *out, const char *text, size_t width)
{
	struct pn_buf safe = {0};

	pn_escape_terminal(&safe, text, strlen(text));
	pn_text_pad(out, pn_buf_text(&safe), width);
	pn_buf_release(&safe);
}

void pn_resources_line(struct pn_buf *out, const char *text, size_t width)
{
	struct pn_buf safe = {0};

	pn_escape_terminal(&safe, text, strlen(text));
	pn_text_fit(out, pn_buf_text(&safe), safe.len, width);
	pn_buf_release(&safe);
}

void pn_resources_trim(struct pn_buf *out)
{
	while (out->len && out->data[out->len - 1] == ' ')
		pn_buf_cut(out, out->len - 1);
}

size_t pn_resources_columns(const struct pn_view_input *in)
{
	size_t columns = in->columns ? in->columns : PN_RESOURCES_COLUMNS;

	return columns < 40 ? 40 : columns > 200 ? 200 : columns;
}
