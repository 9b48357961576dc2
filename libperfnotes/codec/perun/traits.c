/*
 * What stays the same over the values of a resource: labels and a stack.
 *
 * A `trace` whose frames all have the same keys becomes the stack:
 *
 *   {"function": f, "source": s, "line": n}, any order, the last two may be
 *   missing: leaf first, as Perun's memory collector writes them;
 *   {"func": f}: root first and without the leaf, which is the uid, as its
 *   perf collector writes them and its flame graphs show them.
 *
 * The label "trace" (a string) then says which keys in which order. It is
 * left out where it would say "function,source,line" and the stack has more
 * than a name to show, because that is what is written for any such stack.
 * Every other trace stays a label, as JSON. A resource without a trace has
 * one frame, its flat uid. The label "uid" is left out when it is a string
 * and equal to the name of the leaf.
 */
#include "codec/perun/build.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/number.h"
#include "model/json_label.h"

#include <stdlib.h>
#include <string.h>

#define NATURAL_LAYOUT "function,source,line"

void pn_perun_traits_clear(struct pn_perun_traits *traits)
{
	traits->count = 0;
	traits->frame_count = 0;
	traits->layout = 0;
	traits->uid = 0;
	traits->has_uid = false;
}

void pn_perun_traits_release(struct pn_perun_traits *traits)
{
	free(traits->items);
	free(traits->frames);
	pn_json_tree_release(&traits->value);
	memset(traits, 0, sizeof(*traits));
}

void pn_perun_traits_add_label(struct pn_perun_build *build,
			       struct pn_perun_traits *traits,
			       const struct pn_label *label)
{
	const struct pn_profile *p = build->profile;
	struct pn_perun_trait *trait;

	traits->items = pn_grow(traits->items, &traits->cap, traits->count + 1,
				sizeof(*traits->items));
	trait = &traits->items[traits->count];
	trait->key = pn_profile_text(p, label->key);
	trait->key_len = pn_strtab_len(&p->strings, label->key);
	trait->label = *label;
	trait->seq = traits->count++;
}

static uint32_t json_string(struct pn_perun_build *b,
			    const struct pn_json_tree *value)
{
	struct pn_buf *buf = &b->scratch;

	pn_buf_clear(buf);
	pn_json_tree_write(buf, value, 0, PN_JSON_COMPACT);
	return pn_strtab_add(&b->profile->strings, pn_buf_text(buf), buf->len);
}

static uint32_t item_string(struct pn_perun_build *b,
			    const struct pn_json_tree *value, size_t item)
{
	size_t len;
	const char *text = pn_json_tree_text(value, item, &len);

	return pn_strtab_add(&b->profile->strings, text, len);
}

static void set_number(struct pn_label *label, struct pn_perun_build *b,
		       const struct pn_json_tree *value)
{
	size_t len;
	const char *text = pn_json_tree_text(value, 0, &len);

	if (pn_number_int(&label->value.i, text, len)) {
		label->kind = PN_LABEL_INT;
		return;
	}
	if (memchr(text, '.', len) || memchr(text, 'e', len)) {
		label->kind = PN_LABEL_DOUBLE;
		if (pn_number_double(&label->value.d, text, len))
			return;
	}
	label->kind = PN_LABEL_JSON; /* more digits than fit, or not finite */
	label->value.s = json_string(b, value);
}

void pn_perun_label_set(struct pn_label *label, struct pn_perun_build *b,
			const struct pn_json_tree *value)
{
	switch (pn_json_tree_event(value, 0)) {
	case PN_JSON_STRING:
		label->kind = PN_LABEL_STRING;
		label->value.s = item_string(b, value, 0);
		break;
	case PN_JSON_NUMBER:
		set_number(label, b, value);
		break;
	default:
		label->kind = PN_LABEL_JSON;
		label->value.s = json_string(b, value);
	}
}

/* The flat text of a uid whose JSON text is the string `json`; one computation
 * for equal uids. */
static int flat_uid(uint32_t *out, struct pn_perun_build *b,
		    const struct pn_json_tree *value, uint32_t json,
		    struct pn_error *err)
{
	size_t had = b->flat_cap;
	int code;

	b->flat_uids = pn_grow(b->flat_uids, &b->flat_cap, (size_t)json + 1,
			       sizeof(*b->flat_uids));
	for (; had < b->flat_cap; had++)
		b->flat_uids[had] = PN_NONE;
	if (b->flat_uids[json] == PN_NONE) {
		pn_buf_clear(&b->scratch);
		code = pn_json_label_flatten(&b->scratch, value, 0,
					     &b->flat_budget, err);
		if (code)
			return code;
		b->flat_uids[json] =
			pn_strtab_add(&b->profile->strings,
				      pn_buf_text(&b->scratch), b->scratch.len);
	}
	*out = b->flat_uids[json];
	return 0;
}

static int add_uid(struct pn_perun_build *b, struct pn_perun_traits *t,
		   uint32_t key, struct pn_error *err)
{
	struct pn_label label = {.key = key};

	t->has_uid = true;
	pn_perun_label_set(&label, b, &t->value);
	pn_perun_traits_add_label(b, t, &label);
	t->uid = label.value.s;
	if (label.kind == PN_LABEL_STRING)
		return 0;
	if (label.kind != PN_LABEL_JSON)
		t->uid = json_string(b, &t->value);
	return flat_uid(&t->uid, b, &t->value, t->uid, err);
}

/* One member of a frame; what the frame's keys come to grows in `layout`. */
static bool read_member(struct pn_perun_frame *frame, struct pn_buf *layout,
			struct pn_perun_build *b, const struct pn_json_tree *v,
			size_t key)
{
	enum pn_json_event event = pn_json_tree_event(v, key + 1);
	size_t len;
	const char *text = pn_json_tree_text(v, key, &len);

	if (layout->len)
		pn_buf_add_byte(layout, ',');
	pn_buf_add(layout, text, len);
	if (pn_json_tree_is(v, key, "line")) {
		text = pn_json_tree_text(v, key + 1, &len);
		return event == PN_JSON_NUMBER &&
		       pn_number_int(&frame->line, text, len);
	}
	if (event != PN_JSON_STRING)
		return false;
	if (pn_json_tree_is(v, key, "source"))
		frame->file = item_string(b, v, key + 1);
	else if (pn_json_tree_is(v, key, "function") ||
		 pn_json_tree_is(v, key, "func"))
		frame->function = item_string(b, v, key + 1);
	else
		return false;
	return true;
}

bool pn_perun_is_layout(const char *text, size_t len)
{
	static const char *const layouts[] = {
		"func",
		"function",
		"function,line",
		"function,source",
		"line,function",
		"source,function",
		"function,source,line",
		"function,line,source",
		"source,function,line",
		"source,line,function",
		"line,function,source",
		"line,source,function",
	};
	size_t i;

	for (i = 0; i < sizeof(layouts) / sizeof(*layouts); i++)
		if (strlen(layouts[i]) == len && !memcmp(layouts[i], text, len))
			return true;
	return false;
}

/* Frames of a trace; false when it has other things in it. */
static bool read_frames(struct pn_perun_build *b, struct pn_perun_traits *t)
{
	const struct pn_json_tree *v = &t->value;
	struct pn_buf first = {0}, layout = {0};
	size_t at = 1;
	bool good = true;

	t->frame_count = 0;
	while (good && pn_json_tree_event(v, at) == PN_JSON_OBJECT) {
		struct pn_perun_frame frame = {0};

		pn_buf_clear(&layout);
		for (at++; good && pn_json_tree_event(v, at) == PN_JSON_KEY;
		     at += 2)
			good = read_member(&frame, &layout, b, v, at);
		at++;
		if (!t->frame_count)
			pn_buf_add(&first, pn_buf_text(&layout), layout.len);
		good = good && first.len == layout.len &&
		       !memcmp(pn_buf_text(&first), pn_buf_text(&layout),
			       layout.len);
		t->frames = pn_grow(t->frames, &t->frame_cap,
				    t->frame_count + 1, sizeof(frame));
		t->frames[t->frame_count++] = frame;
	}
	good = good && pn_json_tree_event(v, at) == PN_JSON_ARRAY_END;
	if (!t->frame_count)
		pn_buf_add_text(&first, "func");
	good = good && pn_perun_is_layout(pn_buf_text(&first), first.len);
	if (good)
		t->layout = pn_strtab_add(&b->profile->strings,
					  pn_buf_text(&first), first.len);
	else
		t->frame_count = 0;
	pn_buf_release(&first);
	pn_buf_release(&layout);
	return good;
}

static int add_trace(struct pn_perun_build *b, struct pn_perun_traits *t,
		     uint32_t key, struct pn_error *err)
{
	struct pn_label label = {.key = key};

	if (pn_json_tree_event(&t->value, 0) == PN_JSON_ARRAY &&
	    read_frames(b, t)) {
		if (t->frame_count >= PN_MAX_STACK_DEPTH)
			return pn_error_set(err, PN_ELIMIT,
					    "more than %u frames",
					    PN_MAX_STACK_DEPTH);
		label.kind = PN_LABEL_STRING;
		label.value.s = t->layout;
		pn_perun_traits_add_label(b, t, &label);
		return 0;
	}
	t->layout = 0;
	t->frame_count = 0;
	pn_perun_label_set(&label, b, &t->value);
	if (label.kind == PN_LABEL_STRING) {
		label.kind = PN_LABEL_JSON; /* a string says the layout */
		label.value.s = json_string(b, &t->value);
	}
	pn_perun_traits_add_label(b, t, &label);
	return 0;
}

int pn_perun_traits_add(struct pn_perun_build *build,
			struct pn_perun_traits *traits, uint32_t key,
			struct pn_error *err)
{
	const char *text = pn_profile_text(build->profile, key);
	size_t len = pn_strtab_len(&build->profile->strings, key);
	struct pn_label label = {.key = key};

	if (traits->count >= PN_MAX_LABELS)
		return pn_error_set(err, PN_ELIMIT, "more than %u keys",
				    PN_MAX_LABELS);
	if (len == 3 && !memcmp(text, "uid", 3))
		return add_uid(build, traits, key, err);
	if (len == 5 && !memcmp(text, "trace", 5))
		return add_trace(build, traits, key, err);
	pn_perun_label_set(&label, build, &traits->value);
	pn_perun_traits_add_label(build, traits, &label);
	return 0;
}

static uint32_t location_of(struct pn_perun_build *b,
			    const struct pn_perun_frame *frame)
{
	struct pn_profile *p = b->profile;
	struct pn_location location = {.mapping = PN_NONE};
	struct pn_line line = {.line = frame->line};
	uint32_t id;

	id = pn_strtab_add(&b->locations, frame, sizeof(*frame)) - 1;
	if (id < p->location_count)
		return id;
	line.function =
		pn_strtab_add(&b->functions, frame, 2 * sizeof(uint32_t)) - 1;
	if (line.function >= p->function_count) {
		struct pn_function function = {.name = frame->function,
					       .system_name = frame->function,
					       .file = frame->file};

		pn_profile_add_function(p, &function);
	}
	return pn_profile_add_location(p, &location, &line, 1);
}

static uint32_t stack_of(struct pn_perun_build *b,
			 const struct pn_perun_traits *t, bool from_root)
{
	struct pn_perun_frame leaf = {.function = t->uid};
	size_t n = t->frame_count + from_root, i;
	uint32_t *frames = pn_realloc_array(NULL, n, sizeof(*frames)), id;

	for (i = 0; i < t->frame_count; i++)
		frames[from_root ? n - 1 - i : i] =
			location_of(b, &t->frames[i]);
	if (from_root)
		frames[0] = location_of(b, &leaf);
	id = pn_strtab_add(&b->stacks, frames, n * sizeof(*frames)) - 1;
	if (id >= b->profile->stack_count)
		pn_profile_add_stack(b->profile, frames, n);
	free(frames);
	return id;
}

static int by_key(const void *a, const void *b)
{
	const struct pn_perun_trait *l = a, *r = b;
	int order = pn_bytes_order(l->key, l->key_len, r->key, r->key_len);

	if (order)
		return order;
	return l->seq < r->seq ? -1 : l->seq > r->seq;
}

/* In the order of keys; of equal keys the last one stands, as in Python. */
static void sort_traits(struct pn_perun_build *b, struct pn_perun_traits *t)
{
	size_t i, n = 0;

	if (t->count)
		qsort(t->items, t->count, sizeof(*t->items), by_key);
	for (i = 0; i < t->count; i++) {
		if (n && t->items[n - 1].label.key == t->items[i].label.key) {
			b->profile->complete = false;
			n--;
		}
		t->items[n++] = t->items[i];
	}
	t->count = n;
}

/* Whether writing the stack says this label without its being there. */
static bool is_implied(const struct pn_perun_build *b,
		       const struct pn_perun_traits *t,
		       const struct pn_perun_trait *trait)
{
	const struct pn_label *label = &trait->label;
	const struct pn_perun_frame *leaf = t->frames;
	const char *layout = pn_profile_text(b->profile, t->layout);
	bool from_root = !*layout || !strcmp(layout, "func");

	if (label->kind != PN_LABEL_STRING)
		return false;
	if (trait->key_len == 3 && !memcmp(trait->key, "uid", 3))
		return from_root || leaf->function == label->value.s;
	if (trait->key_len == 5 && !memcmp(trait->key, "trace", 5))
		return !strcmp(layout, NATURAL_LAYOUT) &&
		       (t->frame_count > 1 || leaf->file || leaf->line);
	return false;
}

int pn_perun_traits_finish(struct pn_sample *out, struct pn_perun_build *build,
			   struct pn_perun_traits *traits, struct pn_error *err)
{
	const char *layout = pn_profile_text(build->profile, traits->layout);
	struct pn_buf set = {0};
	size_t i;

	if (!traits->has_uid)
		return pn_error_set(err, PN_EINVAL, "missing 'uid'");
	sort_traits(build, traits);
	for (i = 0; i < traits->count; i++)
		if (!is_implied(build, traits, &traits->items[i]))
			pn_perun_set_add(&set, &traits->items[i].label);
	out->labels = pn_strtab_add(&build->sets, pn_buf_text(&set), set.len);
	out->stack =
		stack_of(build, traits, !*layout || !strcmp(layout, "func"));
	pn_buf_release(&set);
	return 0;
}
