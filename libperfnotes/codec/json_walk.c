/* Objects and arrays taken apart by tables of functions. */
#include "codec/json_walk.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

int pn_json_fail(struct pn_json *json, struct pn_error *err, const char *text)
{
	struct pn_buf path = {0};

	pn_json_path(&path, json);
	pn_error_set(err, PN_EINVAL, "%.500s%s%s", pn_buf_text(&path),
		     path.len ? ": " : "", text);
	pn_buf_release(&path);
	return PN_EINVAL;
}

static int expected(struct pn_json *json, enum pn_json_event have,
		    const char *what, struct pn_error *err)
{
	struct pn_buf buf = {0};

	pn_buf_printf(&buf, "expected %s, have %s", what,
		      pn_json_event_name(have));
	pn_json_fail(json, err, pn_buf_text(&buf));
	pn_buf_release(&buf);
	return PN_EINVAL;
}

static int take_member(void *to, struct pn_json *json,
		       const struct pn_json_field *table, struct pn_error *err)
{
	const char *key = pn_json_text(json);
	enum pn_json_event first;
	int code;

	while (table->name && strcmp(table->name, key) != 0)
		table++;
	code = pn_json_next(&first, json, err);
	if (code)
		return code;
	return table->name ? table->take(to, json, first, err)
			   : pn_json_skip(json, first, err);
}

int pn_json_walk_object(void *to, struct pn_json *json,
			enum pn_json_event first,
			const struct pn_json_field *table, struct pn_error *err)
{
	enum pn_json_event event;
	int code;

	if (first != PN_JSON_OBJECT)
		return expected(json, first, "an object", err);
	for (;;) {
		code = pn_json_next(&event, json, err);
		if (code || event == PN_JSON_OBJECT_END)
			return code;
		code = take_member(to, json, table, err);
		if (code)
			return code;
	}
}

int pn_json_walk_array(void *to, struct pn_json *json, enum pn_json_event first,
		       int (*take)(void *to, struct pn_json *json,
				   enum pn_json_event first,
				   struct pn_error *err),
		       struct pn_error *err)
{
	enum pn_json_event event;
	int code;

	if (first != PN_JSON_ARRAY)
		return expected(json, first, "an array", err);
	for (;;) {
		code = pn_json_next(&event, json, err);
		if (code || event == PN_JSON_ARRAY_END)
			return code;
		code = take(to, json, event, err);
		if (code)
			return code;
	}
}

int pn_json_walk_document(void *to, struct pn_reader *in,
			  const struct pn_json_field *table,
			  struct pn_error *err)
{
	struct pn_json *json = pn_json_new(in);
	enum pn_json_event event;
	int code = pn_json_next(&event, json, err);

	if (!code)
		code = pn_json_walk_object(to, json, event, table, err);
	if (!code)
		code = pn_json_expect(json, PN_JSON_END, err);
	pn_json_free(json);
	return code;
}

int pn_json_take_double(double *out, struct pn_json *json,
			enum pn_json_event first, struct pn_error *err)
{
	double value;

	if (first != PN_JSON_NUMBER)
		return expected(json, first, "a number", err);
	if (!pn_json_number(&value, json) || !isfinite(value))
		return pn_json_fail(json, err, "expected a finite number");
	*out = value;
	return 0;
}

int pn_json_take_int(int64_t *out, struct pn_json *json,
		     enum pn_json_event first, struct pn_error *err)
{
	double value;

	if (first != PN_JSON_NUMBER)
		return expected(json, first, "a number", err);
	if (pn_number_int(out, pn_json_text(json), pn_json_len(json)))
		return 0;
	/* beyond 2^53 a double is no exact whole number */
	if (!pn_json_number(&value, json) ||
	    !(fabs(value) <= 9007199254740992) || value != floor(value))
		return pn_json_fail(json, err, "expected a whole number");
	*out = (int64_t)value;
	return 0;
}

int pn_json_take_amount(int64_t *out, struct pn_json *json,
			enum pn_json_event first, struct pn_error *err)
{
	int code = pn_json_take_int(out, json, first, err);

	if (!code && *out < 0)
		code = pn_json_fail(json, err, "expected 0 or more");
	return code;
}

int pn_json_take_string(uint32_t *out, struct pn_strtab *strings,
			struct pn_json *json, enum pn_json_event first,
			struct pn_error *err)
{
	if (first == PN_JSON_NULL || first == PN_JSON_FALSE) {
		*out = 0;
		return 0;
	}
	if (first != PN_JSON_STRING)
		return expected(json, first, "a string", err);
	*out = pn_strtab_add(strings, pn_json_text(json), pn_json_len(json));
	return 0;
}
