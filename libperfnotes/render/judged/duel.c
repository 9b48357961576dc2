/* The outcome of a duel. */
#include "render/judged/duel.h"

#include "base/json/json.h"

#include <math.h>

static const char *const methods[] = {
	[PN_DUEL_EXACT] = "exact",
	[PN_DUEL_T] = "t",
	[PN_DUEL_RANKS] = "ranks",
};

/* NaN: not known, as where it is no number that we have. */
static double known_ratio(const struct pn_duel_look *look, double shift)
{
	double ratio = pn_duel_ratio(look, shift);

	return isfinite(shift) && isfinite(ratio) ? ratio : (double)NAN;
}

static void add_ratio(struct pn_buf *out, const struct pn_duel_look *look,
		      double shift)
{
	double ratio = known_ratio(look, shift);

	if (isfinite(ratio))
		pn_buf_printf(out, "\t%.6g", ratio);
	else
		pn_buf_add_text(out, "\t-");
}

void pn_duel_text(struct pn_buf *out, const struct pn_duel_look *last)
{
	pn_buf_add_text(out, pn_duel_decision_names[last->decision]);
	add_ratio(out, last, last->effect);
	add_ratio(out, last, last->low);
	add_ratio(out, last, last->high);
	pn_buf_printf(out, "\t%zu\n", last->pairs);
}

static void member_ratio(struct pn_json_writer *w, const char *key,
			 const struct pn_duel_look *look, double shift)
{
	pn_json_member_double(w, key, known_ratio(look, shift));
}

/* Without its p, which is not the same of a look and of a duel. */
static void put_look(struct pn_json_writer *w, const struct pn_duel_look *look)
{
	pn_json_member(w, "decision", pn_duel_decision_names[look->decision]);
	pn_json_key(w, "pairs");
	pn_json_uint(w, look->pairs);
	member_ratio(w, "ratio", look, look->effect);
	member_ratio(w, "low", look, look->low);
	member_ratio(w, "high", look, look->high);
	pn_json_member(w, "method", methods[look->method]);
	pn_json_member_double(w, "bound", look->bound);
	pn_json_member_double(w, "need", look->need);
}

void pn_duel_json(struct pn_buf *out, const struct pn_duel_look *looks,
		  size_t count, const size_t failed[2])
{
	struct pn_json_writer w;
	size_t i;

	pn_json_writer_init(&w, out, 0);
	pn_json_open(&w, '{');
	pn_json_member_int(&w, "version", 1);
	pn_json_member(&w, "command", "detect");
	put_look(&w, &looks[count - 1]);
	pn_json_member_double(&w, "p", looks[count - 1].p_any);
	pn_json_key(&w, "failed");
	pn_json_open(&w, '[');
	pn_json_uint(&w, failed[0]);
	pn_json_uint(&w, failed[1]);
	pn_json_close(&w, ']');
	pn_json_key(&w, "looks");
	pn_json_open(&w, '[');
	for (i = 0; i < count; i++) {
		pn_json_open(&w, '{');
		put_look(&w, &looks[i]);
		pn_json_member_double(&w, "p", looks[i].p);
		pn_json_member_double(&w, "p_any", looks[i].p_any);
		pn_json_close(&w, '}');
	}
	pn_json_close(&w, ']');
	pn_json_close(&w, '}');
	pn_buf_add_byte(out, '\n');
}
