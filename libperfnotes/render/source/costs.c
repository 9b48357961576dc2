/* What a line, an instruction, or a function costs. */
#include "render/source/costs.h"

#define WIDTH 10 /* pprof's */

static void put(struct pn_sink *out, const struct pn_report *report,
		int64_t weight, bool dot)
{
	struct pn_buf text = {0};

	if (dot && !weight)
		pn_buf_add_byte(&text, '.');
	else
		pn_report_value(&text, report, weight);
	pn_sink_right(out, pn_buf_text(&text), WIDTH);
	pn_buf_release(&text);
}

void pn_source_costs(struct pn_sink *out, const struct pn_report *report,
		     int64_t flat, int64_t cum)
{
	put(out, report, flat, true);
	pn_buf_add_byte(&out->text, ' ');
	put(out, report, cum, true);
}

void pn_source_sums(struct pn_sink *out, const struct pn_report *report,
		    int64_t flat, int64_t cum)
{
	put(out, report, flat, false);
	pn_buf_add_byte(&out->text, ' ');
	put(out, report, cum, false);
	pn_buf_add_text(&out->text, " (flat, cum) ");
	pn_report_share(&out->text, report, cum);
	pn_buf_add_text(&out->text, " of Total\n");
}
