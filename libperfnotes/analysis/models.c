/* Models as they are written. */
#include "analysis/models.h"

#include "base/alloc.h"
#include "base/json/tree.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

void pn_model_open(struct pn_model_draft *draft, const struct pn_points *points,
		   const char *model, double r_square, double x_start,
		   double x_end)
{
	memset(draft, 0, sizeof(*draft));
	pn_json_writer_init(&draft->json, &draft->text, 0);
	pn_json_open(&draft->json, '{');
	pn_json_key(&draft->json, "uid");
	pn_json_string_n(&draft->json, points->uid, points->uid_len);
	pn_json_member(&draft->json, "model", model);
	pn_json_member_double(&draft->json, "r_square", r_square);
	pn_json_member_double(&draft->json, "x_start", x_start);
	pn_json_member_double(&draft->json, "x_end", x_end);
}

void pn_model_buckets(struct pn_model_draft *draft, const double *values,
		      size_t count)
{
	size_t i;

	pn_json_key(&draft->json, "bucket_stats");
	pn_json_open(&draft->json, '[');
	for (i = 0; i < count; i++)
		pn_json_double(&draft->json, values[i]);
	pn_json_close(&draft->json, ']');
}

void pn_model_add(struct pn_profile *profile, struct pn_model_draft *draft)
{
	struct pn_header *h = &profile->header;

	pn_json_close(&draft->json, '}');
	h->models = pn_realloc_array(h->models, h->model_count + 1,
				     sizeof(*h->models));
	h->models[h->model_count++] = pn_strtab_add(
		&profile->strings, pn_buf_text(&draft->text), draft->text.len);
	pn_buf_release(&draft->text);
}

static void write_number(struct pn_json_writer *w, const char *text, size_t len)
{
	double value;

	if (pn_number_double(&value, text, len) && isfinite(value))
		pn_json_raw(w, text, len);
	else
		pn_json_double(w, (double)NAN);
}

/* One event of a value; the tape has its objects and arrays in order. */
static void write_event(struct pn_json_writer *w, const struct pn_json_tree *v,
			size_t item)
{
	size_t len;
	const char *text = pn_json_tree_text(v, item, &len);

	switch (pn_json_tree_event(v, item)) {
	case PN_JSON_OBJECT:
		pn_json_open(w, '{');
		break;
	case PN_JSON_OBJECT_END:
		pn_json_close(w, '}');
		break;
	case PN_JSON_ARRAY:
		pn_json_open(w, '[');
		break;
	case PN_JSON_ARRAY_END:
		pn_json_close(w, ']');
		break;
	case PN_JSON_KEY:
		pn_json_key_n(w, text, len);
		break;
	case PN_JSON_STRING:
		pn_json_string_n(w, text, len);
		break;
	case PN_JSON_NUMBER:
		write_number(w, text, len);
		break;
	case PN_JSON_TRUE:
	case PN_JSON_FALSE:
		pn_json_bool(w, pn_json_tree_event(v, item) == PN_JSON_TRUE);
		break;
	default:
		pn_json_raw(w, "null", 4);
	}
}

/* A writer holds PN_JSON_MAX_DEPTH levels; those around are a few. */
static bool is_deep(const struct pn_json_tree *v)
{
	size_t at, depth = 0;

	for (at = 0; at < v->count; at++) {
		enum pn_json_event event = pn_json_tree_event(v, at);

		if (event == PN_JSON_OBJECT || event == PN_JSON_ARRAY)
			depth++;
		else if (event == PN_JSON_OBJECT_END ||
			 event == PN_JSON_ARRAY_END)
			depth--;
		if (depth > PN_JSON_MAX_DEPTH / 2)
			return true;
	}
	return false;
}

int pn_models_write(struct pn_json_writer *w, const struct pn_profile *profile,
		    size_t first, struct pn_error *err)
{
	const struct pn_strtab *strings = &profile->strings;
	struct pn_json_tree value = {0};
	size_t i, at;
	int code = 0;

	pn_json_open(w, '[');
	for (i = first; i < profile->header.model_count && !code; i++) {
		uint32_t id = profile->header.models[i];

		pn_json_tree_clear(&value);
		code = pn_json_tree_parse(&value, pn_strtab_text(strings, id),
					  pn_strtab_len(strings, id), err);
		if (!code && is_deep(&value))
			code = pn_error_set(err, PN_ELIMIT,
					    "a model is nested too deeply");
		for (at = 0; at < value.count && !code; at++)
			write_event(w, &value, at);
	}
	pn_json_close(w, ']');
	pn_json_tree_release(&value);
	return code;
}
