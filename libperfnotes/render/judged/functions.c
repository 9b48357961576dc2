/* Verdicts on functions. */
#include "render/judged/functions.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "base/json/json.h"

#include <math.h>
#include <stdlib.h>

static const char *const causes[] = {
	[PN_FUNCTION_CAUSE_UNKNOWN] = "",
	[PN_FUNCTION_CALLS] = "calls",
	[PN_FUNCTION_COST] = "cost",
	[PN_FUNCTION_CALLS_AND_COST] = "calls and cost",
};

static void add_number(struct pn_buf *out, double value)
{
	if (isfinite(value))
		pn_buf_printf(out, "\t%.6g", value);
	else
		pn_buf_add_text(out, "\t-");
}

void pn_functions_text(struct pn_buf *out, const struct pn_functions *found,
		       const struct pn_function_table *table)
{
	size_t i, len;

	for (i = 0; i < found->count; i++) {
		const struct pn_function_verdict *v = &found->items[i];
		const char *uid = pn_function_table_uid(table, i, &len);

		pn_escape_terminal(out, uid, len);
		pn_buf_printf(out, "\t%s", pn_verdict_name(v->verdict));
		add_number(out, v->ratio);
		add_number(out, v->q);
		pn_buf_add_byte(out, '\n');
	}
}

static void member_uid(struct pn_json_writer *w, const char *key,
		       const struct pn_function_table *table, size_t function)
{
	size_t len;
	const char *uid = pn_function_table_uid(table, function, &len);

	pn_json_key(w, key);
	pn_json_string_n(w, uid, len);
}

void pn_functions_members(struct pn_json_writer *w,
			  const struct pn_function_verdict *v)
{
	pn_json_member(w, "verdict", pn_verdict_name(v->verdict));
	pn_json_member_double(w, "ratio", v->ratio);
	pn_json_member_double(w, "low", v->low);
	pn_json_member_double(w, "high", v->high);
	pn_json_member_double(w, "p", v->p);
	pn_json_member_double(w, "q", v->q);
	pn_json_member_double(w, "mde", v->least_effect);
	pn_json_member_double(w, "delta", v->delta);
	pn_json_member_double(w, "share", v->share);
	pn_json_member(w, "cause", causes[v->cause]);
	pn_json_member_double(w, "calls_ratio", v->calls_ratio);
	pn_json_member_double(w, "each_ratio", v->each_ratio);
}

static void put_function(struct pn_json_writer *w,
			 const struct pn_functions *found, size_t i,
			 const struct pn_function_table *table)
{
	const struct pn_function_verdict *v = &found->items[i];

	pn_json_open(w, '{');
	member_uid(w, "uid", table, i);
	pn_functions_members(w, v);
	if (v->partner != SIZE_MAX)
		member_uid(w, v->is_old_name ? "new_name" : "old_name", table,
			   v->partner);
	pn_json_close(w, '}');
}

static void put_explained(struct pn_json_writer *w,
			  const struct pn_functions *found,
			  const struct pn_function_table *table)
{
	size_t *order = pn_calloc(found->count + 1, sizeof(*order));
	size_t i, len, n = pn_functions_explain(order, found);

	pn_json_key(w, "explained");
	pn_json_open(w, '[');
	for (i = 0; i < n; i++) {
		const char *uid = pn_function_table_uid(table, order[i], &len);

		pn_json_string_n(w, uid, len);
	}
	pn_json_close(w, ']');
	free(order);
}

void pn_functions_json(struct pn_buf *out, const struct pn_functions *found,
		       const struct pn_function_table *table)
{
	struct pn_json_writer w;
	size_t i;

	pn_json_writer_init(&w, out, 0);
	pn_json_open(&w, '{');
	pn_json_member_int(&w, "version", 1);
	pn_json_member(&w, "command", "detect");
	pn_json_member_double(&w, "baseline", found->baseline);
	pn_json_member_double(&w, "target", found->target);
	pn_json_member_double(&w, "common", found->common);
	pn_json_key(&w, "exact");
	pn_json_bool(&w, found->exact);
	pn_json_key(&w, "functions");
	pn_json_open(&w, '[');
	for (i = 0; i < found->count; i++)
		put_function(&w, found, i, table);
	pn_json_close(&w, ']');
	put_explained(&w, found, table);
	pn_json_close(&w, '}');
	pn_buf_add_byte(out, '\n');
}
