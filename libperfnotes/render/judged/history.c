/* The changes of a history. */
#include "render/judged/history.h"

#include "base/json/json.h"

#include <math.h>

void pn_change_points_text(struct pn_buf *out,
			   const struct pn_change_points *history,
			   bool one_line)
{
	size_t i;

	for (i = 0; i < history->count; i++)
		pn_buf_printf(out, "%s%zu%s", one_line && i ? " " : "",
			      history->changes[i].at, one_line ? "" : "\n");
	if (one_line)
		pn_buf_add_byte(out, '\n');
}

static void write_change(struct pn_json_writer *w,
			 const struct pn_change_point *change)
{
	pn_json_open(w, '{');
	pn_json_key(w, "index");
	pn_json_uint(w, change->at);
	pn_json_member_double(w, "effect", change->effect);
	pn_json_member_double(w, "low", change->low);
	pn_json_member_double(w, "high", change->high);
	pn_json_member_double(w, "p", 1 - change->confidence);
	pn_json_member_double(w, "confidence", change->confidence);
	pn_json_key(w, "from");
	pn_json_uint(w, change->from);
	pn_json_key(w, "to");
	pn_json_uint(w, change->to);
	pn_json_member_double(w, "before", change->before);
	pn_json_member_double(w, "after", change->after);
	pn_json_close(w, '}');
}

void pn_change_points_json(struct pn_buf *out,
			   const struct pn_change_points *history)
{
	struct pn_json_writer w;
	size_t i;

	pn_json_writer_init(&w, out, 0);
	pn_json_open(&w, '{');
	pn_json_member_int(&w, "version", 1);
	pn_json_member(&w, "command", "detect");
	pn_json_key(&w, "n");
	pn_json_uint(&w, history->measured);
	pn_json_key(&w, "points");
	pn_json_open(&w, '[');
	for (i = 0; i < history->count; i++)
		write_change(&w, &history->changes[i]);
	pn_json_close(&w, ']');
	pn_json_member_double(&w, "drift", history->drift);
	pn_json_member_double(&w, "noise", history->noise);
	pn_json_member_double(&w, "rho", history->rho);
	pn_json_close(&w, '}');
	pn_buf_add_byte(out, '\n');
}
