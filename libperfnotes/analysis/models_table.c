/* Models as a table: read from the JSON that they are. */
#include "analysis/models.h"

#include "base/alloc.h"
#include "base/json/tree.h"
#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UID, MODEL, START, END, R_SQUARE, FORMULA };

#define DIGITS 6 /* of a coefficient in a formula */

static void columns(struct pn_table *table)
{
	static const struct pn_column all[] = {
		[UID] = {"uid", .left = true},
		[MODEL] = {"model", .gap = 2, .left = true},
		[START] = {"from x", .gap = 2},
		[END] = {"to x", .gap = 2},
		[R_SQUARE] = {"r\u00b2", .gap = 2},
		[FORMULA] = {"formula", .gap = 2, .left = true},
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		pn_table_add_column(table, &all[i]);
}

/* The item of a member's value in the object at `object`, 0 without. */
static size_t find(const struct pn_json_tree *v, size_t object,
		   const char *name)
{
	size_t at = object + 1;

	while (pn_json_tree_event(v, at) == PN_JSON_KEY) {
		if (pn_json_tree_is(v, at, name))
			return at + 1;
		at = pn_json_tree_end(v, at + 1);
	}
	return 0;
}

static double number_at(const struct pn_json_tree *v, size_t item)
{
	double value;
	const char *text;
	size_t len;

	if (!item || pn_json_tree_event(v, item) != PN_JSON_NUMBER)
		return (double)NAN;
	text = pn_json_tree_text(v, item, &len);
	return pn_number_double(&value, text, len) ? value : (double)NAN;
}

static void add_text(struct pn_buf *out, const struct pn_json_tree *v,
		     size_t item)
{
	size_t len;
	const char *text;

	if (!item || pn_json_tree_event(v, item) != PN_JSON_STRING)
		return;
	text = pn_json_tree_text(v, item, &len);
	pn_buf_add(out, text, len);
}

/* To DIGITS significant ones; what is very small or large with its power of
 * ten. A foreign model may lack it. */
static void add_number(struct pn_buf *out, double value)
{
	bool apart;
	char text[PN_NUMBER_TEXT];
	int power = 0;
	double unit;

	if (!isfinite(value)) {
		pn_buf_add_byte(out, '?');
		return;
	}
	if (value != 0)
		power = (int)floor(log10(fabs(value)));
	if (power < -300)
		power = -300; /* 10 to less is not exact any more */
	apart = power < -4 || power > 14;
	if (apart)
		value /= pow(10, power);
	unit = pow(10, apart ? DIGITS - 1 : fmax(0, DIGITS - 1 - power));
	value = nearbyint(value * unit) / unit;
	pn_buf_add(out, text, pn_number_write(text, value, false));
	if (apart)
		pn_buf_printf(out, "e%d", power);
}

/* "3.2 + 1.5 x - 0.25 x²"; terms of 0 are left out. */
static void add_sum(struct pn_buf *out, const double *b, const char *const *of)
{
	bool any = false;
	size_t i;

	for (i = 0; i < 3; i++) {
		if (!of[i] || (b[i] == 0 && (i || of[1])) || isnan(b[i]))
			continue;
		if (any)
			pn_buf_add_text(out, b[i] < 0 ? " - " : " + ");
		add_number(out, any ? fabs(b[i]) : b[i]);
		if (*of[i])
			pn_buf_printf(out, " %s", of[i]);
		any = true;
	}
	if (!any)
		pn_buf_add_byte(out, '0');
}

static void add_formula(struct pn_buf *out, const char *model, const double *b)
{
	static const char *const linear[] = {"", "x", NULL};
	static const char *const quadratic[] = {"", "x", "x\u00b2"};
	static const char *const logarithmic[] = {"", "ln x", NULL};
	static const char *const constant[] = {"", NULL, NULL};
	bool power = !strcmp(model, "power");

	if (isnan(b[0])) {
		return;
	} else if (power || !strcmp(model, "exponential")) {
		add_number(out, b[0]);
		pn_buf_add_text(out, power ? " x^" : " \u00b7 ");
		if (power && b[1] < 0)
			pn_buf_add_byte(out, '(');
		add_number(out, b[1]);
		pn_buf_add_text(out, !power ? "^x" : b[1] < 0 ? ")" : "");
	} else {
		add_sum(out, b,
			!strcmp(model, "quadratic")	? quadratic
			: !strcmp(model, "logarithmic") ? logarithmic
			: !strcmp(model, "linear")	? linear
							: constant);
	}
}

/* coeffs: [{"name": "b0", "value": 1.5}, ...] */
static void read_coefficients(double b[3], const struct pn_json_tree *v,
			      size_t list)
{
	static const char *const names[] = {"b0", "b1", "b2"};
	size_t at, i, name;

	for (i = 0; i < 3; i++)
		b[i] = (double)NAN;
	if (!list || pn_json_tree_event(v, list) != PN_JSON_ARRAY)
		return;
	for (at = list + 1; pn_json_tree_event(v, at) == PN_JSON_OBJECT;
	     at = pn_json_tree_end(v, at)) {
		name = find(v, at, "name");
		for (i = 0; name && i < 3; i++)
			if (pn_json_tree_event(v, name) == PN_JSON_STRING &&
			    pn_json_tree_is(v, name, names[i]))
				b[i] = number_at(v, find(v, at, "value"));
	}
}

static size_t count_values(const struct pn_json_tree *v, size_t list)
{
	size_t n = 0, at = list + 1;

	if (!list || pn_json_tree_event(v, list) != PN_JSON_ARRAY)
		return 0;
	for (; pn_json_tree_event(v, at) != PN_JSON_ARRAY_END; n++)
		at = pn_json_tree_end(v, at);
	return n;
}

/* A curve has no formula: how it was made, and of how many values it is. */
static void add_curve(struct pn_buf *out, const struct pn_json_tree *v,
		      size_t object)
{
	static const char *const how[] = {
		"moving_method",  "window_width",	"alpha",
		"kernel_type",	  "smoothing_method",	"bandwidth",
		"buckets_method", "statistic_function",
	};
	size_t i, n = count_values(v, find(v, object, "bucket_stats"));
	double number;

	if (!n)
		n = count_values(v, find(v, object, "kernel_stats"));
	pn_buf_printf(out, "%zu values", n);
	for (i = 0; i < sizeof(how) / sizeof(*how); i++) {
		size_t at = find(v, object, how[i]);

		if (!at)
			continue;
		pn_buf_add_text(out, ", ");
		number = number_at(v, at);
		if (isfinite(number)) {
			pn_buf_printf(out, "%.*s ", (int)strcspn(how[i], "_"),
				      how[i]);
			add_number(out, number);
		} else {
			add_text(out, v, at);
		}
	}
}

static const char *keep(struct pn_table *table, const struct pn_buf *text)
{
	return pn_arena_copy(&table->arena, pn_buf_text(text), text->len);
}

static void add_row(struct pn_table *table, const struct pn_json_tree *v)
{
	struct pn_cell *row = pn_table_add_row(table);
	struct pn_buf text = {0};
	const char *model;
	double b[3];

	add_text(&text, v, find(v, 0, "model"));
	model = keep(table, &text);
	read_coefficients(b, v, find(v, 0, "coeffs"));
	pn_buf_clear(&text);
	if (!isnan(b[0]))
		add_formula(&text, model, b);
	else
		add_curve(&text, v, 0);
	row[FORMULA] = pn_cell_text(keep(table, &text));
	pn_buf_clear(&text);
	add_text(&text, v, find(v, 0, "uid"));
	row[UID] = pn_cell_text(keep(table, &text));
	row[MODEL] = pn_cell_text(model);
	row[START] = pn_cell_number(number_at(v, find(v, 0, "x_start")));
	row[END] = pn_cell_number(number_at(v, find(v, 0, "x_end")));
	row[R_SQUARE] = pn_cell_number(number_at(v, find(v, 0, "r_square")));
	pn_buf_release(&text);
}

static void read_values(struct pn_model_line *out, const struct pn_json_tree *v,
			size_t list)
{
	size_t at = list + 1, n = count_values(v, list), i;

	out->values = pn_realloc_array(out->values, n + 1, sizeof(double));
	out->value_count = n;
	for (i = 0; i < n; i++, at = pn_json_tree_end(v, at))
		out->values[i] = number_at(v, at);
}

/* One of the profile's models, read. */
static int parse(struct pn_json_tree *value, const struct pn_profile *profile,
		 size_t index, struct pn_error *err)
{
	const struct pn_strtab *strings = &profile->strings;
	uint32_t id = profile->header.models[index];
	int code;

	pn_json_tree_clear(value);
	code = pn_json_tree_parse(value, pn_strtab_text(strings, id),
				  pn_strtab_len(strings, id), err);
	if (!code && pn_json_tree_event(value, 0) != PN_JSON_OBJECT)
		code = pn_error_set(err, PN_EINVAL, "a model is no object");
	return code;
}

int pn_model_line_read(struct pn_model_line *out,
		       const struct pn_profile *profile, size_t index,
		       struct pn_error *err)
{
	struct pn_json_tree v = {0};
	int code = parse(&v, profile, index, err);
	size_t list;

	pn_buf_clear(&out->uid);
	pn_buf_clear(&out->model);
	if (!code) {
		add_text(&out->uid, &v, find(&v, 0, "uid"));
		add_text(&out->model, &v, find(&v, 0, "model"));
		out->r_square = number_at(&v, find(&v, 0, "r_square"));
		out->x_start = number_at(&v, find(&v, 0, "x_start"));
		out->x_end = number_at(&v, find(&v, 0, "x_end"));
		out->y_start = number_at(&v, find(&v, 0, "y_start"));
		read_coefficients(out->b, &v, find(&v, 0, "coeffs"));
		list = find(&v, 0, "bucket_stats");
		read_values(out, &v, list ? list : find(&v, 0, "kernel_stats"));
	}
	pn_json_tree_release(&v);
	return code;
}

void pn_model_line_release(struct pn_model_line *line)
{
	pn_buf_release(&line->uid);
	pn_buf_release(&line->model);
	free(line->values);
	memset(line, 0, sizeof(*line));
}

double pn_model_line_at(const struct pn_model_line *line, double x)
{
	const char *model = pn_buf_text(&line->model);
	const double *b = line->b;

	if (!strcmp(model, "constant"))
		return b[0];
	if (!strcmp(model, "linear"))
		return b[0] + b[1] * x;
	if (!strcmp(model, "logarithmic"))
		return x > 0 ? b[0] + b[1] * log(x) : (double)NAN;
	if (!strcmp(model, "quadratic"))
		return b[0] + b[1] * x + b[2] * x * x;
	if (!strcmp(model, "power"))
		return b[0] * pow(x, b[1]);
	if (!strcmp(model, "exponential"))
		return b[0] * pow(b[1], x);
	return (double)NAN;
}

int pn_table_of_models(struct pn_table *out, const struct pn_profile *profile,
		       size_t first, struct pn_error *err)
{
	struct pn_json_tree value = {0};
	struct pn_table table = {0};
	size_t i;
	int code = 0;

	columns(&table);
	for (i = first; i < profile->header.model_count && !code; i++) {
		code = parse(&value, profile, i, err);
		if (!code)
			add_row(&table, &value);
	}
	pn_json_tree_release(&value);
	if (code)
		pn_table_release(&table);
	else
		*out = table;
	return code;
}
