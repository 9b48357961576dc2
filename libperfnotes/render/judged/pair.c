/* The verdict on two samples. */
#include "render/judged/pair.h"

#include "base/json/json.h"

#include <math.h>

static void add_number(struct pn_buf *out, double value)
{
	if (isfinite(value))
		pn_buf_printf(out, " %.6g", value);
	else
		pn_buf_add_text(out, " -");
}

void pn_pair_text(struct pn_buf *out, const struct pn_pair_verdict *pair)
{
	pn_buf_add_text(out, pn_verdict_name(pair->verdict));
	add_number(out, pair->ratio);
	add_number(out, pair->low);
	add_number(out, pair->high);
	add_number(out, pair->p);
	add_number(out, pair->least_effect);
	pn_buf_add_byte(out, '\n');
}

void pn_pair_json(struct pn_buf *out, const struct pn_pair_verdict *pair)
{
	static const char *const methods[] = {
		[PN_PAIR_NONE] = "",
		[PN_PAIR_EXACT] = "exact",
		[PN_PAIR_CLOCK] = "clock",
		[PN_PAIR_TESTS] = "ranks and means",
	};
	struct pn_json_writer w;

	pn_json_writer_init(&w, out, 0);
	pn_json_open(&w, '{');
	pn_json_member_int(&w, "version", 1);
	pn_json_member(&w, "command", "detect");
	pn_json_member(&w, "verdict", pn_verdict_name(pair->verdict));
	pn_json_member_double(&w, "ratio", pair->ratio);
	pn_json_member_double(&w, "low", pair->low);
	pn_json_member_double(&w, "high", pair->high);
	pn_json_member_double(&w, "p", pair->p);
	pn_json_member_double(&w, "p_rank", pair->p_rank);
	pn_json_member_double(&w, "p_mean", pair->p_mean);
	pn_json_key(&w, "n");
	pn_json_open(&w, '[');
	pn_json_uint(&w, pair->n);
	pn_json_uint(&w, pair->m);
	pn_json_close(&w, ']');
	pn_json_member_double(&w, "noise", pair->noise);
	pn_json_member_double(&w, "mde", pair->least_effect);
	pn_json_member(&w, "method", methods[pair->method]);
	pn_json_close(&w, '}');
	pn_buf_add_byte(out, '\n');
}
