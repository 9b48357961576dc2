/* Whole values on top of the pull reader: expected, skipped, copied. */
#include "base/json/json.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

const char *pn_json_event_name(enum pn_json_event event)
{
	static const char *const names[] = {
		[PN_JSON_END] = "the end",
		[PN_JSON_OBJECT] = "an object",
		[PN_JSON_OBJECT_END] = "the end of an object",
		[PN_JSON_ARRAY] = "an array",
		[PN_JSON_ARRAY_END] = "the end of an array",
		[PN_JSON_KEY] = "a key",
		[PN_JSON_STRING] = "a string",
		[PN_JSON_NUMBER] = "a number",
		[PN_JSON_TRUE] = "true",
		[PN_JSON_FALSE] = "false",
		[PN_JSON_NULL] = "null",
	};

	return names[event];
}

int pn_json_expect(struct pn_json *json, enum pn_json_event want,
		   struct pn_error *err)
{
	struct pn_buf path = {0};
	enum pn_json_event have;
	int code = pn_json_next(&have, json, err);

	if (code || have == want)
		return code;
	pn_json_path(&path, json);
	pn_error_set(err, PN_EINVAL, "%.*s%sexpected %s, have %s", 500,
		     pn_buf_text(&path), path.len ? ": " : "",
		     pn_json_event_name(want), pn_json_event_name(have));
	pn_buf_release(&path);
	return PN_EINVAL;
}

bool pn_json_number(double *out, const struct pn_json *json)
{
	const char *text = pn_json_text(json);
	bool negative = *text == '-';

	if (pn_number_double(out, text, pn_json_len(json)))
		return true;
	if (!strcmp(text, "NaN"))
		*out = NAN;
	else if (!strcmp(text + negative, "Infinity"))
		*out = negative ? -INFINITY : INFINITY;
	else
		return false;
	return true;
}

static int nesting(enum pn_json_event event)
{
	switch (event) {
	case PN_JSON_OBJECT:
	case PN_JSON_ARRAY:
		return 1;
	case PN_JSON_OBJECT_END:
	case PN_JSON_ARRAY_END:
		return -1;
	default:
		return 0;
	}
}

int pn_json_skip(struct pn_json *json, enum pn_json_event first,
		 struct pn_error *err)
{
	int depth = nesting(first), code = 0;

	while (depth > 0 && !code) {
		enum pn_json_event event = PN_JSON_NULL;

		code = pn_json_next(&event, json, err);
		depth += nesting(event);
	}
	return code;
}

void pn_json_put(struct pn_json_writer *w, const struct pn_json *json,
		 enum pn_json_event event)
{
	switch (event) {
	case PN_JSON_OBJECT:
		pn_json_open(w, '{');
		break;
	case PN_JSON_ARRAY:
		pn_json_open(w, '[');
		break;
	case PN_JSON_OBJECT_END:
		pn_json_close(w, '}');
		break;
	case PN_JSON_ARRAY_END:
		pn_json_close(w, ']');
		break;
	case PN_JSON_KEY:
		pn_json_key_n(w, pn_json_text(json), pn_json_len(json));
		break;
	case PN_JSON_STRING:
		pn_json_string_n(w, pn_json_text(json), pn_json_len(json));
		break;
	default: /* numbers and literals as they were written */
		pn_json_raw(w, pn_json_text(json), pn_json_len(json));
	}
}

int pn_json_copy(struct pn_buf *out, struct pn_json *json,
		 enum pn_json_event first, struct pn_error *err)
{
	size_t start = out->len;
	enum pn_json_event event = first;
	struct pn_json_writer w;
	int depth = nesting(first), code = 0;

	pn_json_writer_init(&w, out, 0);
	pn_json_put(&w, json, event);
	while (depth > 0) {
		code = pn_json_next(&event, json, err);
		if (code)
			break;
		depth += nesting(event);
		pn_json_put(&w, json, event);
	}
	if (code) {
		out->len = start;
		out->data[start] = '\0';
	}
	return code;
}
