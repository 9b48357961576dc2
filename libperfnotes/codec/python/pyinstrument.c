/*
 * pyinstrument's JSON (-r json): a tree of calls, each with the time that was
 * spent in it and below. JSONRenderer of
 * github.com/joerick/pyinstrument, 3.0 to 5.0. A call's own time is what its
 * children leave of it; nodes named "[self]" are that of what is above them.
 */
#include "base/alloc.h"
#include "codec/call_tree.h"
#include "codec/codec.h"
#include "codec/frames.h"
#include "codec/json/sniff.h"
#include "codec/json/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Before what is below it is known: that stands behind it. */
struct call {
	uint32_t parent; /* of these, or PN_NONE */
	uint32_t function, file, class;
	int64_t line;
	double seconds;
};

struct decoder {
	struct pn_profile *p;
	struct pn_frames frames;
	struct pn_call_tree tree;
	struct call *calls;
	size_t count, cap;
	double start_s, duration_s;
	uint32_t program;
	bool has_root;
};

static uint32_t add_call(void *to, uint32_t parent)
{
	struct decoder *d = to;

	d->calls = pn_grow(d->calls, &d->cap, d->count + 1, sizeof(*d->calls));
	d->calls[d->count] = (struct call){.parent = parent};
	return (uint32_t)d->count++;
}

static void *call_at(void *to, uint32_t number)
{
	struct decoder *d = to;

	return &d->calls[number];
}

static int take_root(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		PN_JSON_FIELD("function", call, function),
		PN_JSON_FIELD("file_path", call, file),
		PN_JSON_FIELD("class_name", call, class),
		PN_JSON_FIELD_OR_NULL("line_no", call, line),
		PN_JSON_FIELD("time", call, seconds),
		{0},
	};
	static const struct pn_json_tree calls = {"children", fields, add_call,
						  call_at};
	struct decoder *d = to;

	d->has_root = true;
	return first == PN_JSON_NULL
		       ? 0
		       : pn_json_walk_tree(d, &d->p->strings, json, first,
					   &calls, err);
}

static uint32_t location_of(struct decoder *d, const struct call *call)
{
	struct pn_strtab *strings = &d->p->strings;
	struct pn_frame f = {.name = call->function,
			     .file = call->file,
			     .mapping = PN_NONE,
			     .line = call->line};
	struct pn_buf name = {0};

	if (call->class) {
		pn_buf_printf(&name, "%s.%s",
			      pn_strtab_text(strings, call->class),
			      pn_strtab_text(strings, call->function));
		f.name = pn_strtab_add(strings, name.data, name.len);
		pn_buf_release(&name);
	}
	return pn_frames_location(&d->frames, d->p, &f);
}

/* Times have six decimals, so what is left may be a microsecond below 0. */
static int add_sample(struct decoder *d, uint32_t node, double seconds,
		      struct pn_error *err)
{
	union pn_value row;
	uint32_t stack;
	int code;

	if (!(seconds < 9e9))
		return pn_error_set(err, PN_ERANGE,
				    "a time of more than 9e9 seconds");
	row.i = seconds > 0 ? (int64_t)round(seconds * 1e6) * 1000 : 0;
	if (!row.i)
		return 0;
	code = pn_call_tree_stack(&stack, &d->tree, d->p, node, err);
	if (!code)
		pn_profile_add_sample(d->p, stack, 0, &row);
	return code;
}

static int build(struct decoder *d, struct pn_error *err)
{
	uint32_t *nodes = pn_calloc(d->count + 1, sizeof(*nodes));
	double *own = pn_calloc(d->count + 1, sizeof(*own));
	size_t i;
	int code = 0;

	for (i = 0; i < d->count; i++) {
		const struct call *c = &d->calls[i];
		uint32_t above =
			c->parent == PN_NONE ? PN_NONE : nodes[c->parent];

		own[i] += c->seconds;
		if (c->parent != PN_NONE)
			own[c->parent] -= c->seconds;
		nodes[i] = c->parent != PN_NONE &&
					   !strcmp(pn_profile_text(d->p,
								   c->function),
						   "[self]")
				   ? above
				   : pn_call_tree_child(&d->tree, above,
							location_of(d, c));
	}
	for (i = 0; !code && i < d->count; i++)
		code = add_sample(d, nodes[i], own[i], err);
	free(nodes);
	free(own);
	return code;
}

static void set_head(struct decoder *d)
{
	struct pn_profile *p = d->p;

	p->header.cmd = d->program;
	if (d->start_s > 0 && d->start_s < 9e9)
		p->time_ns = (int64_t)(d->start_s * 1e6) * 1000;
	if (d->duration_s > 0 && d->duration_s < 9e9)
		p->duration_ns = (int64_t)(d->duration_s * 1e6) * 1000;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		PN_JSON_FIELD_OR_NULL("start_time", decoder, start_s),
		PN_JSON_FIELD_OR_NULL("duration", decoder, duration_s),
		PN_JSON_FIELD("program", decoder, program),
		{"root_frame", take_root},
		{0},
	};
	struct decoder d = {.p = out};
	int code;

	pn_profile_add_type(out, "time", "nanoseconds");
	out->types[0].better = PN_BETTER_LESS;
	code = pn_json_walk_document(&d, &out->strings, in, fields, err);
	if (!code && !d.has_root)
		code = pn_error_set(err, PN_EINVAL, "expected root_frame");
	if (!code)
		code = build(&d, err);
	if (!code)
		set_head(&d);
	out->complete = false; /* groups, what is the application's */
	pn_frames_release(&d.frames);
	pn_call_tree_release(&d.tree);
	free(d.calls);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return pn_json_sniff_object(bytes, len) &&
			       pn_json_sniff_key(bytes, len, "root_frame") &&
			       pn_json_sniff_key(bytes, len, "sample_count")
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_pyinstrument = {
	.name = "pyinstrument",
	.summary = "pyinstrument's JSON: a tree of calls",
	.languages = "python",
	.made_by = "pyinstrument -r json -o <file> <script>",
	.sniffed_by = "\"root_frame\" and \"sample_count\"",
	.suffix = ".json",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT,
	.read = read_profile,
};
