/* cJSON behind names of our own, and the look that comes before it. */
#include "codec/bench/document.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/json/json.h"
#include "base/number.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX 63 /* bytes of a number that cJSON reads as one */
#define WHOLE_MAX 9007199254740992.0 /* 2^53 */

/* Without cJSON's own functions: those that are called late.c has to have. */
static bool is(const struct cJSON *json, int type)
{
	return (json->type & 0xff) == type;
}

/* A number as cJSON reads it: an infinity where the double has no number. */
static void copy_number(struct pn_json_writer *w, const struct pn_json *json)
{
	const char *text = pn_json_text(json);
	char shortest[PN_NUMBER_TEXT];
	size_t len = pn_json_len(json);
	double value;

	if (!pn_json_number(&value, json) || !isfinite(value)) {
		text = *text == '-' ? "-1e999" : "1e999";
		len = strlen(text);
	} else if (len > NUMBER_MAX) {
		len = pn_number_write(shortest, value, false);
		text = shortest;
	}
	pn_json_raw(w, text, len);
}

/* The document in a form that cJSON reads as it was meant. */
static int copy_checked(struct pn_buf *out, struct pn_json *json,
			enum pn_json_event first, struct pn_error *err)
{
	enum pn_json_event event = PN_JSON_NULL;
	struct pn_json_writer w;
	size_t count = 0;
	int code;

	pn_json_writer_init(&w, out, 0);
	while (!(code = pn_json_next(&event, json, err)) &&
	       event != PN_JSON_END) {
		if (!count++ && event != first)
			return pn_error_set(err, PN_EINVAL,
					    "expected %s, have %s",
					    pn_json_event_name(first),
					    pn_json_event_name(event));
		if (count > PN_DOCUMENT_MAX_EVENTS)
			return pn_error_set(err, PN_ELIMIT,
					    "more than %u values and names",
					    PN_DOCUMENT_MAX_EVENTS);
		if (event == PN_JSON_NUMBER)
			copy_number(&w, json);
		else
			pn_json_put(&w, json, event);
	}
	return code;
}

static int read_whole(struct pn_document *out, struct pn_reader *in,
		      enum pn_json_event first, struct pn_error *err)
{
	struct pn_buf text = {0}, checked = {0};
	struct pn_reader *again = NULL;
	struct pn_json *json = NULL;
	int code = pn_reader_rest(&text, in, PN_DOCUMENT_MAX, err);

	if (!code)
		code = pn_reader_memory(&again, text.data, text.len, "",
					text.len, err);
	if (!code) {
		json = pn_json_new(again);
		code = copy_checked(&checked, json, first, err);
	}
	pn_json_free(json);
	pn_reader_free(again);
	pn_buf_release(&text);
	if (!code) {
		memset(out, 0, sizeof(*out));
		out->json = cJSON_ParseWithLength(pn_buf_text(&checked),
						  checked.len);
		if (!out->json) /* it is good JSON */
			code = pn_error_set(err, PN_EIO,
					    "cJSON cannot read it: no memory, "
					    "or no libcjson");
	}
	pn_buf_release(&checked);
	return code;
}

int pn_document_read(struct pn_document *out, struct pn_reader *in,
		     struct pn_error *err)
{
	return read_whole(out, in, PN_JSON_OBJECT, err);
}

int pn_document_read_list(struct pn_document *out, struct pn_reader *in,
			  struct pn_error *err)
{
	return read_whole(out, in, PN_JSON_ARRAY, err);
}

void pn_document_release(struct pn_document *root)
{
	cJSON_Delete(root->json);
	memset(root, 0, sizeof(*root));
}

static void add_path(struct pn_buf *out, const struct pn_document *value)
{
	if (!value->in)
		return;
	add_path(out, value->in);
	if (is(value->in->json, cJSON_Array))
		pn_buf_printf(out, "[%zu]", value->at);
	else
		pn_json_path_key(out, value->json->string,
				 strlen(value->json->string));
}

int pn_document_fail(const struct pn_document *value, struct pn_error *err,
		     const char *text)
{
	struct pn_buf path = {0};

	add_path(&path, value);
	pn_error_set(err, PN_EINVAL, "%.500s%s%s", pn_buf_text(&path),
		     path.len ? ": " : "", text);
	pn_buf_release(&path);
	return PN_EINVAL;
}

static enum pn_json_event type_of(const struct pn_document *value)
{
	switch (value->json->type & 0xff) {
	case cJSON_False:
		return PN_JSON_FALSE;
	case cJSON_True:
		return PN_JSON_TRUE;
	case cJSON_Number:
		return PN_JSON_NUMBER;
	case cJSON_String:
		return PN_JSON_STRING;
	case cJSON_Array:
		return PN_JSON_ARRAY;
	case cJSON_Object:
		return PN_JSON_OBJECT;
	default:
		return PN_JSON_NULL;
	}
}

static int expect(const struct pn_document *value, enum pn_json_event want,
		  struct pn_error *err)
{
	enum pn_json_event have = type_of(value);
	char text[64];

	if (have == want)
		return 0;
	snprintf(text, sizeof(text), "expected %s, have %s",
		 pn_json_event_name(want), pn_json_event_name(have));
	return pn_document_fail(value, err, text);
}

/* A member of this type, PN_JSON_NULL is any; absent where there is none, or
 * null. */
static int find(struct pn_document *out, const struct pn_document *object,
		const char *name, enum pn_json_event want, struct pn_error *err)
{
	struct pn_document member = {0};
	struct cJSON *item;

	if (expect(object, PN_JSON_OBJECT, err))
		return err->code;
	cJSON_ArrayForEach(item, object->json) if (!strcmp(item->string, name))
		member.json = item;
	member.in = object;
	if (!member.json || is(member.json, cJSON_NULL))
		member = (struct pn_document){0};
	else if (want == PN_JSON_STRING && is(member.json, cJSON_False))
		member = (struct pn_document){0};
	else if (want != PN_JSON_NULL && expect(&member, want, err))
		return err->code;
	*out = member;
	return 0;
}

int pn_document_member(struct pn_document *out,
		       const struct pn_document *object, const char *name,
		       struct pn_error *err)
{
	return find(out, object, name, PN_JSON_NULL, err);
}

int pn_document_object(struct pn_document *out,
		       const struct pn_document *object, const char *name,
		       struct pn_error *err)
{
	return find(out, object, name, PN_JSON_OBJECT, err);
}

int pn_document_array(struct pn_document *out, const struct pn_document *object,
		      const char *name, struct pn_error *err)
{
	return find(out, object, name, PN_JSON_ARRAY, err);
}

int pn_document_value(double *out, const struct pn_document *value,
		      struct pn_error *err)
{
	if (expect(value, PN_JSON_NUMBER, err))
		return err->code;
	if (!isfinite(value->json->valuedouble))
		return pn_document_fail(value, err, "expected a finite number");
	*out = value->json->valuedouble;
	return 0;
}

int pn_document_number(double *out, const struct pn_document *object,
		       const char *name, struct pn_error *err)
{
	struct pn_document value = {0};
	int code = find(&value, object, name, PN_JSON_NUMBER, err);

	return code || !value.json ? code : pn_document_value(out, &value, err);
}

int pn_document_int(int64_t *out, const struct pn_document *object,
		    const char *name, struct pn_error *err)
{
	struct pn_document value = {0};
	int code = find(&value, object, name, PN_JSON_NUMBER, err);
	double number;

	if (code || !value.json)
		return code;
	number = value.json->valuedouble;
	/* 2^53 itself may be what is left of 2^53 + 1 */
	if (!(fabs(number) < WHOLE_MAX) || number != floor(number))
		return pn_document_fail(&value, err,
					"expected a whole number below 2^53");
	*out = (int64_t)number;
	return 0;
}

int pn_document_text(const char **out, const struct pn_document *object,
		     const char *name, struct pn_error *err)
{
	struct pn_document value = {0};
	int code = find(&value, object, name, PN_JSON_STRING, err);

	if (!code && value.json)
		*out = value.json->valuestring;
	return code;
}

int pn_document_numbers(double **out, size_t *count,
			const struct pn_document *object, const char *name,
			struct pn_error *err)
{
	struct pn_document list = {0}, item = {0};
	double *numbers = NULL;
	size_t n = 0, cap = 0;
	int code = pn_document_array(&list, object, name, err);

	if (code)
		return code;
	while (!code && pn_document_next(&item, &list)) {
		numbers = pn_grow(numbers, &cap, n + 1, sizeof(*numbers));
		code = pn_document_value(&numbers[n++], &item, err);
	}
	if (code) {
		free(numbers);
		return code;
	}
	*out = numbers;
	*count = n;
	return 0;
}

bool pn_document_next(struct pn_document *item, const struct pn_document *list)
{
	if (!list->json)
		return false;
	item->at = item->json ? item->at + 1 : 0;
	item->json = item->json ? item->json->next : list->json->child;
	item->in = list;
	return item->json != NULL;
}

const char *pn_document_name(const struct pn_document *member)
{
	return member->json->string;
}

bool pn_document_is_number(double *out, const struct pn_document *value)
{
	if (!is(value->json, cJSON_Number))
		return false;
	*out = value->json->valuedouble;
	return true;
}

const char *pn_document_string(const struct pn_document *value)
{
	return is(value->json, cJSON_String) ? value->json->valuestring : NULL;
}

bool pn_document_is_array(const struct pn_document *value)
{
	return is(value->json, cJSON_Array);
}

bool pn_document_is_true(const struct pn_document *value)
{
	return is(value->json, cJSON_True);
}
