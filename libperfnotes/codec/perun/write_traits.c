/* What stays the same over a type of resources, written as JSON. */
#include "codec/perun/write.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "codec/perun/build.h"
#include "model/json_label.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_STACK "[unknown]" /* uid of a sample without frames */

/* One frame of a stack as it is shown. */
struct frame {
	const char *name, *file;
	size_t name_len, file_len;
	int64_t line;
	char address[24]; /* the name, where there is no function */
};

static const char *string_of(size_t *len, const struct pn_profile *p,
			     uint32_t id)
{
	*len = pn_strtab_len(&p->strings, id);
	return pn_profile_text(p, id);
}

static void frame_of(struct frame *out, const struct pn_profile *p,
		     const struct pn_location *location, uint32_t n)
{
	const struct pn_function *function;
	const struct pn_line *line;
	uint32_t file = 0;

	out->line = 0;
	if (!location->line_count) {
		out->name_len =
			(size_t)snprintf(out->address, sizeof(out->address),
					 "0x%" PRIx64, location->address);
		out->name = out->address;
		if (location->mapping != PN_NONE)
			file = p->mappings[location->mapping].file;
		out->file = string_of(&out->file_len, p, file);
		return;
	}
	line = &p->lines[location->line_first + n];
	function = &p->functions[line->function];
	out->name = string_of(&out->name_len, p,
			      function->name ? function->name
					     : function->system_name);
	out->file = string_of(&out->file_len, p, function->file);
	out->line = line->line;
}

static void write_frame(struct pn_buf *out, const struct frame *frame,
			const char *layout)
{
	const char *key = layout;
	size_t len;

	pn_buf_add_byte(out, '{');
	for (;; key += len + 1) {
		len = strcspn(key, ",");
		if (key != layout)
			pn_buf_add_text(out, ", ");
		pn_json_write_string(out, key, len, PN_JSON_PYTHON);
		pn_buf_add_text(out, ": ");
		if (key[0] == 'l')
			pn_json_write_int(out, frame->line);
		else if (key[0] == 's')
			pn_json_write_string(out, frame->file, frame->file_len,
					     PN_JSON_PYTHON);
		else
			pn_json_write_string(out, frame->name, frame->name_len,
					     PN_JSON_PYTHON);
		if (!key[len])
			break;
	}
	pn_buf_add_byte(out, '}');
}

/* From the leaf up, or from the root down and without the leaf. */
static void write_trace(struct pn_buf *out, const struct pn_profile *p,
			uint32_t stack, const char *layout)
{
	uint32_t first = p->stack_start[stack], end = p->stack_start[stack + 1];
	bool from_root = !strcmp(layout, "func");
	size_t n = end - first, i, written = 0;
	struct frame frame;
	uint32_t line;

	pn_buf_add_byte(out, '[');
	for (i = 0; i < n; i++) {
		size_t at = from_root ? n - 1 - i : i;
		const struct pn_location *location =
			&p->locations[p->frames[first + at]];
		uint32_t lines =
			location->line_count ? location->line_count : 1;

		for (line = 0; line < lines; line++) {
			uint32_t which = from_root ? lines - 1 - line : line;

			if (from_root && !at && !which)
				continue;
			frame_of(&frame, p, location, which);
			if (written++)
				pn_buf_add_text(out, ", ");
			write_frame(out, &frame, layout);
		}
	}
	pn_buf_add_byte(out, ']');
}

static bool leaf_of(struct frame *out, const struct pn_profile *p,
		    uint32_t stack)
{
	if (p->stack_start[stack] == p->stack_start[stack + 1])
		return false;
	frame_of(out, p, &p->locations[p->frames[p->stack_start[stack]]], 0);
	return true;
}

/* Whether there is more to show of a stack than one name. */
static bool has_trace(const struct pn_profile *p, uint32_t stack)
{
	uint32_t first = p->stack_start[stack];
	const struct pn_location *leaf;
	struct frame frame;

	if (!leaf_of(&frame, p, stack))
		return false;
	leaf = &p->locations[p->frames[first]];
	return p->stack_start[stack + 1] - first > 1 || leaf->line_count > 1 ||
	       frame.file_len || frame.line;
}

static struct pn_perun_entry *add_entry(struct pn_perun_writing *w,
					const char *key, size_t len)
{
	struct pn_perun_entry *entry;

	w->entries = pn_grow(w->entries, &w->entry_cap, w->entry_count + 1,
			     sizeof(*w->entries));
	entry = &w->entries[w->entry_count];
	memset(entry, 0, sizeof(*entry));
	entry->key = key;
	entry->key_len = len;
	entry->seq = w->entry_count++;
	return entry;
}

static bool is_key(const struct pn_perun_entry *entry, const char *key)
{
	return entry->key_len == strlen(key) &&
	       !memcmp(entry->key, key, entry->key_len);
}

static const struct pn_label *find_entry(const struct pn_perun_writing *w,
					 const char *key)
{
	size_t i;

	for (i = 0; i < w->entry_count; i++)
		if (is_key(&w->entries[i], key))
			return w->entries[i].label;
	return NULL;
}

static void add_text(struct pn_perun_writing *w, const char *key,
		     const char *text, size_t len)
{
	struct pn_perun_entry *entry;

	if (find_entry(w, key))
		return;
	entry = add_entry(w, key, strlen(key));
	entry->text = text;
	entry->text_len = len;
}

static int by_key(const void *a, const void *b)
{
	const struct pn_perun_entry *l = a, *r = b;
	int order = pn_bytes_order(l->key, l->key_len, r->key, r->key_len);

	if (order)
		return order;
	return l->seq < r->seq ? -1 : l->seq > r->seq;
}

static int write_label(struct pn_buf *out, struct pn_perun_writing *w,
		       const struct pn_label *label, struct pn_error *err)
{
	const struct pn_strtab *strings = &w->profile->strings;

	switch (label->kind) {
	case PN_LABEL_INT:
		pn_json_write_int(out, label->value.i);
		return 0;
	case PN_LABEL_DOUBLE:
		pn_json_write_double(out, label->value.d);
		return 0;
	case PN_LABEL_JSON:
		return pn_perun_write_json(out, w, label->value.s, err);
	default:
		pn_json_write_string(
			out, pn_strtab_text(strings, label->value.s),
			pn_strtab_len(strings, label->value.s), PN_JSON_PYTHON);
		return 0;
	}
}

/* The layout that a label "trace" names, NULL when it is a value. */
static const char *layout_of(const struct pn_perun_writing *w,
			     const struct pn_perun_entry *entry)
{
	const struct pn_label *label = entry->label;
	const char *text;

	if (!is_key(entry, "trace"))
		return NULL;
	if (!label)
		return "function,source,line";
	text = pn_profile_text(w->profile, label->value.s);
	return label->kind == PN_LABEL_STRING &&
			       pn_perun_is_layout(text, strlen(text))
		       ? text
		       : NULL;
}

static int write_entry(struct pn_buf *out, struct pn_perun_writing *w,
		       const struct pn_perun_entry *entry, uint32_t stack,
		       struct pn_error *err)
{
	const char *layout = layout_of(w, entry);

	if (layout)
		write_trace(out, w->profile, stack, layout);
	else if (entry->label)
		return write_label(out, w, entry->label, err);
	else
		pn_json_write_string(out, entry->text, entry->text_len,
				     PN_JSON_PYTHON);
	return 0;
}

static bool same_key(const struct pn_perun_entry *a,
		     const struct pn_perun_entry *b)
{
	return a->key_len == b->key_len && !memcmp(a->key, b->key, a->key_len);
}

/* pprof may give several values to one label: they become a list. */
static int write_entries(struct pn_buf *out, struct pn_perun_writing *w,
			 uint32_t stack, struct pn_error *err)
{
	size_t i, n = w->entry_count, end;
	int code = 0;

	pn_buf_add_byte(out, '{');
	for (i = 0; i < n && !code; i = end) {
		const struct pn_perun_entry *entry = &w->entries[i];

		for (end = i + 1; end < n; end++)
			if (!same_key(entry, &w->entries[end]))
				break;
		if (i)
			pn_buf_add_text(out, ", ");
		pn_json_write_string(out, entry->key, entry->key_len,
				     PN_JSON_PYTHON);
		pn_buf_add_text(out, end > i + 1 ? ": [" : ": ");
		for (; entry < w->entries + end && !code; entry++) {
			if (entry > w->entries + i)
				pn_buf_add_text(out, ", ");
			code = write_entry(out, w, entry, stack, err);
		}
		if (end > i + 1)
			pn_buf_add_byte(out, ']');
	}
	pn_buf_add_byte(out, '}');
	return code;
}

static int flat_uid(struct pn_buf *uid, struct pn_perun_writing *w,
		    const struct pn_label *label, const struct frame *leaf,
		    struct pn_error *err)
{
	const struct pn_strtab *strings = &w->profile->strings;
	struct pn_buf text = {0};
	int code;

	if (!label) {
		pn_buf_add(uid, leaf->name, leaf->name_len);
		return 0;
	}
	if (label->kind == PN_LABEL_STRING) {
		pn_buf_add(uid, pn_strtab_text(strings, label->value.s),
			   pn_strtab_len(strings, label->value.s));
		return 0;
	}
	code = write_label(&text, w, label, err);
	if (!code)
		code = pn_json_tree_parse(&w->value, pn_buf_text(&text),
					  text.len, err);
	if (!code)
		code = pn_json_label_flatten(uid, &w->value, 0, &w->flat_budget,
					     err);
	pn_buf_release(&text);
	return code;
}

int pn_perun_write_traits(struct pn_buf *out, struct pn_buf *uid,
			  struct pn_perun_writing *w, uint32_t stack,
			  uint32_t labels, struct pn_error *err)
{
	const struct pn_profile *p = w->profile;
	const struct pn_label *label;
	struct frame leaf = {
		.name = NO_STACK, .name_len = strlen(NO_STACK), .file = ""};
	uint32_t i;
	int code;

	w->entry_count = 0;
	for (i = p->label_set_start[labels]; i < p->label_set_start[labels + 1];
	     i++) {
		label = &p->labels[i];
		add_entry(w, pn_profile_text(p, label->key),
			  pn_strtab_len(&p->strings, label->key))
			->label = label;
	}
	leaf_of(&leaf, p, stack);
	label = find_entry(w, "uid");
	code = flat_uid(uid, w, label, &leaf, err);
	if (code)
		return code;
	add_text(w, "uid", leaf.name, leaf.name_len);
	if (!find_entry(w, "trace") && has_trace(p, stack))
		add_entry(w, "trace", 5);
	if (w->kind)
		add_text(w, "type", w->kind, strlen(w->kind));
	if (w->subtype)
		add_text(w, "subtype", w->subtype, strlen(w->subtype));
	qsort(w->entries, w->entry_count, sizeof(*w->entries), by_key);
	return write_entries(out, w, stack, err);
}
