/* What tracing a call costs. */
#include "render/measured/calibration.h"

#include "base/json/json.h"

void pn_calibration_text(struct pn_buf *out, const struct pn_calibration *rows,
			 size_t count)
{
	size_t i;

	pn_buf_add_text(out, "clock     inside    outside     a call   "
			     "collect -c trace\n");
	for (i = 0; i < count; i++)
		pn_buf_printf(
			out,
			"%-5s %7.1f ns %7.1f ns %7.1f ns   -O clock=%s "
			"-O calibration=%.1f,%.1f\n",
			rows[i].clock, rows[i].inside_ns, rows[i].outside_ns,
			rows[i].inside_ns + rows[i].outside_ns, rows[i].clock,
			rows[i].inside_ns, rows[i].outside_ns);
}

void pn_calibration_json(struct pn_buf *out, const struct pn_calibration *rows,
			 size_t count, uint64_t rounds)
{
	struct pn_json_writer w;
	size_t i;

	pn_json_writer_init(&w, out, 0);
	pn_json_open(&w, '{');
	pn_json_member_int(&w, "version", 1);
	pn_json_member(&w, "command", "collect");
	pn_json_member_int(&w, "rounds", (int64_t)rounds);
	pn_json_key(&w, "calibration");
	pn_json_open(&w, '[');
	for (i = 0; i < count; i++) {
		pn_json_open(&w, '{');
		pn_json_member(&w, "clock", rows[i].clock);
		pn_json_member(&w, "unit", "ns");
		pn_json_key(&w, "inside");
		pn_json_double(&w, rows[i].inside_ns);
		pn_json_key(&w, "outside");
		pn_json_double(&w, rows[i].outside_ns);
		pn_json_close(&w, '}');
	}
	pn_json_close(&w, ']');
	pn_json_close(&w, '}');
	pn_buf_add_byte(out, '\n');
}
