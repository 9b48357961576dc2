/*
 * What a Perun profile says of itself: header, collector_info,
 * postprocessors, models.
 *
 * The header's text is kept as the extra "header", with null in place of what
 * the model holds, so that it can be written with its other members and in
 * its own order.
 */
#include "codec/perun/read.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

static uint32_t text_of(struct pn_perun_reading *r)
{
	return pn_strtab_add(&r->profile->strings, pn_json_text(r->json),
			     pn_json_len(r->json));
}

/* Append the value just taken to the text of the header. */
static int keep_value(struct pn_perun_reading *r, enum pn_json_event first,
		      struct pn_error *err)
{
	int code = pn_perun_take(r, first, err);

	if (!code)
		pn_json_tree_write(&r->scratch, &r->traits.value, 0,
				   PN_JSON_COMPACT);
	return code;
}

/* ["-a", "b c"] as one shell-quoted text. */
static uint32_t joined_args(struct pn_perun_reading *r)
{
	const struct pn_json_tree *v = &r->traits.value;
	struct pn_buf text = {0};
	size_t at, len;
	uint32_t id;

	for (at = 1; pn_json_tree_event(v, at) == PN_JSON_STRING; at++) {
		const char *word = pn_json_tree_text(v, at, &len);
		char *copy = pn_strndup(word, len);

		if (text.len)
			pn_buf_add_byte(&text, ' ');
		pn_escape_shell(&text, copy);
		free(copy);
	}
	id = pn_strtab_add(&r->profile->strings, pn_buf_text(&text), text.len);
	pn_buf_release(&text);
	return id;
}

static int read_text(struct pn_perun_reading *r, uint32_t *out, bool list,
		     enum pn_json_event event, struct pn_error *err)
{
	int code;

	if (list && event == PN_JSON_ARRAY) {
		code = keep_value(r, event, err);
		if (!code)
			*out = joined_args(r);
		return code;
	}
	if (event != PN_JSON_STRING)
		return pn_perun_expected(r, "a string", event, err);
	*out = text_of(r);
	pn_buf_add_text(&r->scratch, "null");
	return 0;
}

static int read_exitcode(struct pn_perun_reading *r, enum pn_json_event event,
			 struct pn_error *err)
{
	int64_t *out = &r->profile->header.exit_status;

	if (event == PN_JSON_NUMBER &&
	    pn_number_int(out, pn_json_text(r->json), pn_json_len(r->json)) &&
	    *out >= 0) {
		pn_buf_add_text(&r->scratch, "null");
		return 0;
	}
	*out = -1;
	return keep_value(r, event, err);
}

/* The next key of an object, written to its text; *more is false at its end. */
static int next_key(bool *more, struct pn_perun_reading *r,
		    struct pn_error *err)
{
	struct pn_buf *text = &r->scratch;
	enum pn_json_event event;
	int code = pn_json_next(&event, r->json, err);

	if (code)
		return code;
	*more = event == PN_JSON_KEY;
	if (!*more) {
		pn_buf_add_byte(text, '}');
		return 0;
	}
	if (text->data[text->len - 1] != '{')
		pn_buf_add_byte(text, ',');
	pn_json_write_string(text, pn_json_text(r->json), pn_json_len(r->json),
			     PN_JSON_COMPACT);
	pn_buf_add_byte(text, ':');
	return 0;
}

static void add_unit(struct pn_perun_reading *r, uint32_t key)
{
	struct pn_perun_units *units = &r->units;

	units->items = pn_grow(units->items, &units->cap, units->count + 1,
			       sizeof(*units->items));
	units->items[units->count].key = key;
	units->items[units->count++].value = text_of(r);
}

static int read_units(struct pn_perun_reading *r, enum pn_json_event event,
		      struct pn_error *err)
{
	uint32_t key;
	bool more;
	int code;

	if (event != PN_JSON_OBJECT)
		return pn_perun_expected(r, "an object", event, err);
	pn_buf_add_byte(&r->scratch, '{');
	for (;;) {
		code = next_key(&more, r, err);
		if (code || !more)
			return code;
		key = pn_perun_key(r);
		code = pn_perun_want(r, PN_JSON_STRING, err);
		if (code)
			return code;
		add_unit(r, key);
		pn_json_write_string(&r->scratch, pn_json_text(r->json),
				     pn_json_len(r->json), PN_JSON_COMPACT);
	}
}

/* A string or key that C can hold: it has no NUL in it. */
static bool is_text(const struct pn_json_tree *v, size_t item)
{
	enum pn_json_event event = pn_json_tree_event(v, item);
	size_t len;
	const char *text;

	if (event != PN_JSON_STRING && event != PN_JSON_KEY)
		return false;
	text = pn_json_tree_text(v, item, &len);
	return !memchr(text, '\0', len);
}

/* An object whose members are all text, few enough for a list, and none of
 * which is the label that has a member of its own. */
static bool is_text_map(const struct pn_json_tree *v)
{
	size_t at, count = 0;

	if (pn_json_tree_event(v, 0) != PN_JSON_OBJECT)
		return false;
	for (at = 1; pn_json_tree_event(v, at) == PN_JSON_KEY; at += 2)
		if (!is_text(v, at) || pn_json_tree_is(v, at, "label") ||
		    !is_text(v, at + 1) || count++ == PN_MAX_LABELS)
			return false;
	return true;
}

static void set_label(struct pn_perun_reading *r, const char *key,
		      size_t key_len, size_t value_at)
{
	const struct pn_json_tree *v = &r->traits.value;
	size_t len;
	const char *value = pn_json_tree_text(v, value_at, &len);
	char *key_copy = pn_strndup(key, key_len);
	char *value_copy = pn_strndup(value, len);

	pn_profile_set_label(r->profile, key_copy, value_copy);
	free(key_copy);
	free(value_copy);
}

/* "label": text, as Perun writes it, or "labels": {key: text, ...}. */
static int read_labels(struct pn_perun_reading *r, bool many,
		       enum pn_json_event event, struct pn_error *err)
{
	const struct pn_json_tree *v = &r->traits.value;
	size_t had = r->profile->header.label_count, at, len;
	int code = pn_perun_take(r, event, err);

	if (code)
		return code;
	if (many ? !is_text_map(v) : !is_text(v, 0)) {
		pn_json_tree_write(&r->scratch, v, 0, PN_JSON_COMPACT);
		return 0;
	}
	pn_buf_add_text(&r->scratch, "null");
	if (!many)
		set_label(r, "label", 5, 0);
	for (at = 1; many && pn_json_tree_event(v, at) == PN_JSON_KEY;
	     at += 2) {
		const char *key = pn_json_tree_text(v, at, &len);

		set_label(r, key, len, at + 1);
	}
	if (many && r->profile->header.label_count < had + (at - 1) / 2)
		r->profile->complete = false; /* equal keys */
	return 0;
}

enum member {
	TYPE,
	CMD,
	WORKLOAD,
	ARGS,
	UNITS,
	EXITCODE,
	LABEL,
	LABELS,
	OTHER
};

static enum member member_of(const struct pn_perun_reading *r)
{
	static const char *const names[] = {
		[TYPE] = "type",   [CMD] = "cmd",	[WORKLOAD] = "workload",
		[ARGS] = "args",   [UNITS] = "units",	[EXITCODE] = "exitcode",
		[LABEL] = "label", [LABELS] = "labels",
	};
	size_t i;

	for (i = 0; i < OTHER; i++)
		if (strlen(names[i]) == pn_json_len(r->json) &&
		    !strcmp(names[i], pn_json_text(r->json)))
			break;
	return (enum member)i;
}

static int read_member(struct pn_perun_reading *r, enum member member,
		       struct pn_error *err)
{
	struct pn_header *header = &r->profile->header;
	enum pn_json_event event;
	int code = pn_json_next(&event, r->json, err);

	if (code)
		return code;
	switch (member) {
	case TYPE:
		return read_text(r, &header->kind, false, event, err);
	case CMD:
		return read_text(r, &header->cmd, false, event, err);
	case WORKLOAD:
		return read_text(r, &header->workload, false, event, err);
	case ARGS:
		return read_text(r, &header->args, true, event, err);
	case UNITS:
		return read_units(r, event, err);
	case EXITCODE:
		return read_exitcode(r, event, err);
	case LABEL:
	case LABELS:
		return read_labels(r, member == LABELS, event, err);
	default:
		return keep_value(r, event, err);
	}
}

int pn_perun_read_header(struct pn_perun_reading *r, enum pn_json_event first,
			 struct pn_error *err)
{
	unsigned int seen = 0;
	bool more;
	int code;

	if (first != PN_JSON_OBJECT)
		return pn_perun_expected(r, "an object", first, err);
	r->has_header = true;
	pn_buf_clear(&r->scratch);
	pn_buf_add_byte(&r->scratch, '{');
	for (;;) {
		enum member member;

		code = next_key(&more, r, err);
		if (code || !more)
			break;
		member = member_of(r);
		if (member != OTHER && (seen >> member & 1)) {
			code = pn_error_set(err, PN_EINVAL, "stands twice");
			return pn_perun_at_path(r, code, err);
		}
		seen |= 1u << member;
		code = read_member(r, member, err);
		if (code)
			return code;
	}
	if (!code && !(seen >> TYPE & 1)) {
		code = pn_error_set(err, PN_EINVAL, "missing 'type'");
		return pn_perun_at_path(r, code, err);
	}
	return code;
}

/* {"name": n, "params": {...}} behind its {; other members are not kept. */
static int read_unit(struct pn_step *out, struct pn_perun_reading *r,
		     struct pn_error *err)
{
	enum pn_json_event event;
	bool name, params;
	int code;

	memset(out, 0, sizeof(*out));
	for (;;) {
		code = pn_json_next(&event, r->json, err);
		if (code || event == PN_JSON_OBJECT_END)
			return code;
		name = !strcmp(pn_json_text(r->json), "name");
		params = !strcmp(pn_json_text(r->json), "params");
		if (name) {
			code = pn_perun_want(r, PN_JSON_STRING, err);
			if (code)
				return code;
			out->name = text_of(r);
			continue;
		}
		code = pn_json_next(&event, r->json, err);
		if (!code)
			code = pn_perun_take(r, event, err);
		if (code)
			return code;
		if (params)
			out->params = pn_perun_taken_text(r);
		else
			r->profile->complete = false;
	}
}

int pn_perun_read_collector(struct pn_perun_reading *r,
			    enum pn_json_event first, struct pn_error *err)
{
	if (first != PN_JSON_OBJECT)
		return pn_perun_expected(r, "an object", first, err);
	return read_unit(&r->profile->header.collector, r, err);
}

int pn_perun_read_posts(struct pn_perun_reading *r, enum pn_json_event first,
			struct pn_error *err)
{
	struct pn_header *header = &r->profile->header;
	enum pn_json_event event;
	size_t cap = 0;
	int code;

	if (first != PN_JSON_ARRAY)
		return pn_perun_expected(r, "an array", first, err);
	for (;;) {
		struct pn_step unit;

		code = pn_json_next(&event, r->json, err);
		if (code || event == PN_JSON_ARRAY_END)
			return code;
		if (event != PN_JSON_OBJECT)
			return pn_perun_expected(r, "an object", event, err);
		code = read_unit(&unit, r, err);
		if (code)
			return code;
		if (!unit.name) {
			code = pn_error_set(err, PN_EINVAL, "missing 'name'");
			return pn_perun_at_path(r, code, err);
		}
		header->posts = pn_grow(header->posts, &cap,
					header->post_count + 1, sizeof(unit));
		header->posts[header->post_count++] = unit;
	}
}

static int take_model(struct pn_perun_reading *r, void *to,
		      struct pn_error *err)
{
	int code = pn_perun_take(r, PN_JSON_OBJECT, err);

	if (!code)
		pn_perun_ids_add(to, pn_perun_taken_text(r));
	return code;
}

int pn_perun_read_models(struct pn_perun_reading *r, struct pn_perun_ids *out,
			 enum pn_json_event first, struct pn_error *err)
{
	if (first != PN_JSON_ARRAY)
		return pn_perun_expected(r, "an array", first, err);
	return pn_perun_read_objects(r, take_model, out, err);
}
