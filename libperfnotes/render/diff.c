/* The table of a difference. */
#include "render/diff.h"

#include "render/print_table.h"
#include "render/table_forms.h"
#include "render/terminal.h"

#include <math.h>

static void open_object(struct pn_json_writer *w, const char *view)
{
	pn_json_open(w, '{');
	pn_json_member_int(w, "version", 1);
	pn_json_member(w, "command", "diff");
	pn_json_member(w, "view", view);
}

static void print_json(struct pn_sink *out, const struct pn_diff *diff,
		       const struct pn_table *table)
{
	double delta = diff->new_sum - diff->old_sum;
	uint32_t old_runs = pn_profile_runs(diff->before->profile);
	uint32_t new_runs = pn_profile_runs(diff->after->profile);
	struct pn_json_writer *w = &out->json;

	open_object(w, "top");
	pn_json_member(w, "type", diff->after->type);
	pn_json_member(w, "unit", diff->unit);
	pn_json_member_double(w, "old_total", diff->old_sum);
	pn_json_member_double(w, "new_total", diff->new_sum);
	pn_json_member_double(w, "delta", delta);
	if (diff->old_sum != 0)
		pn_json_member_double(w, "relative",
				      delta / fabs(diff->old_sum));
	if (diff->options.normalize)
		pn_json_member_double(w, "factor", diff->factor);
	if (old_runs > 1 || new_runs > 1) {
		pn_json_member_int(w, "old_runs", old_runs);
		pn_json_member_int(w, "new_runs", new_runs);
	}
	pn_json_key(w, "rows");
	pn_print_table_json(out, table);
	pn_json_close(w, '}');
	pn_buf_add_byte(&out->text, '\n');
}

void pn_print_diff(FILE *to, const struct pn_diff *diff,
		   const struct pn_palette *palette, enum pn_view_form form)
{
	struct pn_buf header = {0};
	struct pn_table table;
	struct pn_sink sink;

	pn_sink_init(&sink, to);
	pn_sink_colors(&sink, palette);
	pn_table_of_diff(&table, diff);
	if (form == PN_VIEW_JSON) {
		print_json(&sink, diff, &table);
	} else if (form == PN_VIEW_CSV) {
		pn_print_table_csv(&sink, &table);
	} else {
		pn_diff_header(&header, diff);
		pn_sink_lines(&sink, pn_buf_text(&header), header.len);
		if (diff->row_count)
			pn_print_table_within(&sink, &table,
					      pn_terminal_columns(to));
	}
	pn_buf_release(&header);
	pn_table_release(&table);
	pn_sink_finish(&sink);
}

void pn_print_metric_diff(FILE *to, const struct pn_table *table,
			  const struct pn_palette *palette,
			  enum pn_view_form form)
{
	struct pn_sink sink;

	pn_sink_init(&sink, to);
	pn_sink_colors(&sink, palette);
	if (form == PN_VIEW_JSON) {
		open_object(&sink.json, "metrics");
		pn_json_key(&sink.json, "rows");
		pn_print_table_json(&sink, table);
		pn_json_close(&sink.json, '}');
		pn_buf_add_byte(&sink.text, '\n');
	} else if (form == PN_VIEW_CSV) {
		pn_print_table_csv(&sink, table);
	} else {
		pn_print_table_within(&sink, table, pn_terminal_columns(to));
	}
	pn_sink_finish(&sink);
}
