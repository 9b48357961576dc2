/* Objects and arrays taken apart by tables of functions. */
#include "codec/json/walk.h"
#include "base/alloc.h"
#include "base/number.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>
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

int pn_json_take_double_or_nan(double *out, struct pn_json *json,
			       enum pn_json_event first, struct pn_error *err)
{
	if (first != PN_JSON_NUMBER || !pn_json_number(out, json))
		*out = NAN;
	return pn_json_skip(json, first, err);
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

int pn_json_walk_array(void *to, struct pn_json *json, enum pn_json_event first,
		       int (*each)(void *to, struct pn_json *json,
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
		code = each(to, json, event, err);
		if (code)
			return code;
	}
}

static int append_double(void *to, struct pn_json *json,
			 enum pn_json_event first, struct pn_error *err)
{
	struct pn_json_doubles *list = to;

	list->items = pn_grow(list->items, &list->cap, list->count + 1,
			      sizeof(*list->items));
	return pn_json_take_double(&list->items[list->count++], json, first,
				   err);
}

static int64_t *append(struct pn_json_ints *list)
{
	list->items = pn_grow(list->items, &list->cap, list->count + 1,
			      sizeof(*list->items));
	return &list->items[list->count++];
}

static int append_int(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	return pn_json_take_int(append(to), json, first, err);
}

static int append_int_or_null(void *to, struct pn_json *json,
			      enum pn_json_event first, struct pn_error *err)
{
	int64_t *item = append(to);

	*item = -1;
	return first == PN_JSON_NULL ? 0
				     : pn_json_take_int(item, json, first, err);
}

static int take_strings(struct pn_json_ints *list, struct pn_strtab *strings,
			struct pn_json *json, enum pn_json_event event,
			struct pn_error *err)
{
	uint32_t id;
	int code;

	if (event != PN_JSON_ARRAY)
		return expected(json, event, "an array", err);
	while (!(code = pn_json_next(&event, json, err)) &&
	       event != PN_JSON_ARRAY_END) {
		code = pn_json_take_string(&id, strings, json, event, err);
		if (code)
			return code;
		*append(list) = id;
	}
	return code;
}

static int take_text(struct pn_buf *out, struct pn_json *json,
		     enum pn_json_event first, struct pn_error *err)
{
	pn_buf_clear(out);
	return pn_json_copy(out, json, first, err);
}

static int take_typed(void *at, struct pn_strtab *strings, struct pn_json *json,
		      enum pn_json_event first,
		      const struct pn_json_field *field, struct pn_error *err)
{
	if (first == PN_JSON_NULL && field->or_null)
		return 0;
	switch (field->type) {
	case PN_JSON_TO_DOUBLE:
		return pn_json_take_double(at, json, first, err);
	case PN_JSON_TO_INT:
		return pn_json_take_int(at, json, first, err);
	case PN_JSON_TO_AMOUNT:
		return pn_json_take_amount(at, json, first, err);
	case PN_JSON_TO_STRING:
		return pn_json_take_string(at, strings, json, first, err);
	case PN_JSON_TO_TEXT:
		return take_text(at, json, first, err);
	case PN_JSON_TO_DOUBLES:
		return pn_json_walk_array(at, json, first, append_double, err);
	case PN_JSON_TO_INTS:
		return pn_json_walk_array(
			at, json, first,
			field->or_null ? append_int_or_null : append_int, err);
	case PN_JSON_TO_STRINGS:
		return take_strings(at, strings, json, first, err);
	default:
		return pn_json_skip(json, first, err);
	}
}

/* The row of the member whose name was read, or NULL. */
static const struct pn_json_field *find(const struct pn_json_field *table,
					const char *name)
{
	while (table && (!table->name || strcmp(table->name, name) != 0))
		table = table->name ? table + 1 : table->fields;
	return table;
}

static int take_member(void *to, struct pn_strtab *strings,
		       struct pn_json *json, const struct pn_json_field *table,
		       struct pn_error *err)
{
	const struct pn_json_field *field = find(table, pn_json_text(json));
	enum pn_json_event first;
	int code = pn_json_next(&first, json, err);
	void *at;

	if (code)
		return code;
	if (!field)
		return pn_json_skip(json, first, err);
	at = (char *)to + field->offset;
	if (field->take)
		return field->take(at, json, first, err);
	if (field->each)
		return pn_json_walk_array(at, json, first, field->each, err);
	if (field->fields)
		return pn_json_walk_object(at, strings, json, first,
					   field->fields, err);
	return take_typed(at, strings, json, first, field, err);
}

int pn_json_walk_object(void *to, struct pn_strtab *strings,
			struct pn_json *json, enum pn_json_event first,
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
		code = take_member(to, strings, json, table, err);
		if (code)
			return code;
	}
}

/* The objects that are open, and whether a list of children is, too. */
struct open_objects {
	uint32_t *items;
	size_t count, cap;
	bool in_list;
};

static int open_object(struct open_objects *open, void *to,
		       struct pn_json *json, enum pn_json_event event,
		       const struct pn_json_tree *tree, struct pn_error *err)
{
	uint32_t parent = open->count ? open->items[open->count - 1] : PN_NONE;

	if (event != PN_JSON_OBJECT)
		return expected(json, event, "an object", err);
	if (open->count == PN_JSON_TREE_DEPTH)
		return pn_error_set(err, PN_ELIMIT,
				    "more than %d %s below each other",
				    PN_JSON_TREE_DEPTH, tree->children);
	open->items = pn_grow(open->items, &open->cap, open->count + 1,
			      sizeof(*open->items));
	open->items[open->count++] = tree->add(to, parent);
	open->in_list = false;
	return 0;
}

/* The member whose name was read. */
static int take_of_tree(struct open_objects *open, void *to,
			struct pn_strtab *strings, struct pn_json *json,
			const struct pn_json_tree *tree, struct pn_error *err)
{
	enum pn_json_event event;
	int code;

	if (strcmp(pn_json_text(json), tree->children) != 0)
		return take_member(tree->at(to, open->items[open->count - 1]),
				   strings, json, tree->fields, err);
	code = pn_json_next(&event, json, err);
	if (!code && event != PN_JSON_ARRAY)
		code = expected(json, event, "an array", err);
	open->in_list = !code;
	return code;
}

int pn_json_walk_tree(void *to, struct pn_strtab *strings, struct pn_json *json,
		      enum pn_json_event first, const struct pn_json_tree *tree,
		      struct pn_error *err)
{
	struct open_objects open = {0};
	enum pn_json_event event;
	int code = open_object(&open, to, json, first, tree, err);

	pn_json_allow_depth(json, 2 * PN_JSON_TREE_DEPTH + PN_JSON_MAX_DEPTH);
	while (!code && open.count) {
		code = pn_json_next(&event, json, err);
		if (code)
			break;
		if (event == PN_JSON_ARRAY_END)
			open.in_list = false;
		else if (open.in_list)
			code = open_object(&open, to, json, event, tree, err);
		else if (event == PN_JSON_OBJECT_END)
			open.in_list = --open.count > 0;
		else
			code = take_of_tree(&open, to, strings, json, tree,
					    err);
	}
	pn_json_allow_depth(json, PN_JSON_MAX_DEPTH);
	free(open.items);
	return code;
}

int pn_json_walk_document(void *to, struct pn_strtab *strings,
			  struct pn_reader *in,
			  const struct pn_json_field *table,
			  struct pn_error *err)
{
	struct pn_json *json = pn_json_new(in);
	enum pn_json_event event;
	int code = pn_json_next(&event, json, err);

	if (!code)
		code = pn_json_walk_object(to, strings, json, event, table,
					   err);
	if (!code)
		code = pn_json_expect(json, PN_JSON_END, err);
	pn_json_free(json);
	return code;
}
