/*
 * GHC's profile as JSON (+RTS -pj): a tree of cost-centre stacks with exact
 * ticks, bytes and entries. GHC User's Guide, "JSON profile format".
 */
#include "base/alloc.h"
#include "codec/codec.h"
#include "codec/haskell/centres.h"
#include "codec/json/sniff.h"
#include "codec/json/walk.h"

#include <stdlib.h>

struct centre {
	int64_t id;
	uint32_t label, module, place;
	uint32_t location; /* PN_NONE: not made yet */
};

/* Of the tree, before the cost centres may be known. */
struct node {
	int64_t id, entries, bytes, ticks;
	uint32_t parent; /* or PN_NONE */
};

struct decoder {
	struct pn_centres centres;
	struct centre *items;
	size_t count, cap;
	struct node *nodes; /* a parent before its children */
	size_t node_count, node_cap;
	int64_t tick_us;
	uint32_t program;
	bool has_profile;
};

static int take_centre(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		PN_JSON_FIELD("id", centre, id),
		PN_JSON_FIELD("label", centre, label),
		PN_JSON_FIELD("module", centre, module),
		PN_JSON_FIELD("src_loc", centre, place),
		{0},
	};
	struct decoder *d = to;
	struct centre c = {.id = -1, .location = PN_NONE};
	int code = pn_json_walk_object(&c, &d->centres.p->strings, json, first,
				       fields, err);

	d->items = pn_grow(d->items, &d->cap, d->count + 1, sizeof(*d->items));
	d->items[d->count++] = c;
	return code;
}

static uint32_t add_node(void *to, uint32_t parent)
{
	struct decoder *d = to;

	d->nodes = pn_grow(d->nodes, &d->node_cap, d->node_count + 1,
			   sizeof(*d->nodes));
	d->nodes[d->node_count] = (struct node){.id = -1, .parent = parent};
	return (uint32_t)d->node_count++;
}

static void *node_at(void *to, uint32_t number)
{
	struct decoder *d = to;

	return &d->nodes[number];
}

static int take_profile(void *to, struct pn_json *json,
			enum pn_json_event first, struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		PN_JSON_FIELD("id", node, id),
		PN_JSON_AMOUNT("entries", node, entries),
		PN_JSON_AMOUNT("alloc", node, bytes),
		PN_JSON_AMOUNT("ticks", node, ticks),
		{0},
	};
	static const struct pn_json_tree stacks = {"children", fields, add_node,
						   node_at};
	struct decoder *d = to;

	d->has_profile = true;
	return pn_json_walk_tree(d, NULL, json, first, &stacks, err);
}

static int compare_ids(const void *a, const void *b)
{
	const struct centre *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static struct pn_scan text_of(const struct pn_profile *p, uint32_t id)
{
	return pn_scan_of(pn_strtab_text(&p->strings, id),
			  pn_strtab_len(&p->strings, id));
}

static int locate(uint32_t *out, struct decoder *d, size_t at,
		  struct pn_error *err)
{
	struct pn_profile *p = d->centres.p;
	struct centre key = {.id = d->nodes[at].id}, *c;

	c = d->count
		    ? bsearch(&key, d->items, d->count, sizeof(*c), compare_ids)
		    : NULL;
	if (!c)
		return pn_error_set(err, PN_EINVAL,
				    "profile: cost centre %lld is not in "
				    "cost_centres",
				    (long long)key.id);
	if (c->location == PN_NONE)
		c->location = pn_centres_location(
			&d->centres, text_of(p, c->label),
			text_of(p, c->module), text_of(p, c->place));
	*out = c->location;
	return 0;
}

static int build(struct decoder *d, struct pn_error *err)
{
	uint32_t *nodes = pn_calloc(d->node_count + 1, sizeof(*nodes));
	uint32_t location = 0;
	size_t i;
	int code = 0;

	if (d->count)
		qsort(d->items, d->count, sizeof(*d->items), compare_ids);
	for (i = 0; !code && i < d->node_count; i++) {
		const struct node *n = &d->nodes[i];

		code = locate(&location, d, i, err);
		if (code)
			break;
		nodes[i] = pn_call_tree_child(
			&d->centres.tree,
			n->parent == PN_NONE ? PN_NONE : nodes[n->parent],
			location);
		code = pn_centres_add(&d->centres, nodes[i], n->entries,
				      n->bytes, n->ticks, err);
	}
	free(nodes);
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		PN_JSON_AMOUNT("tick_interval", decoder, tick_us),
		PN_JSON_FIELD("program", decoder, program),
		{"cost_centres", .each = take_centre},
		{"profile", take_profile},
		{0},
	};
	struct decoder d = {.centres = {.p = out}};
	int code = pn_json_walk_document(&d, &out->strings, in, fields, err);

	if (!code && (!d.has_profile || !d.tick_us || d.tick_us > INT32_MAX))
		code = pn_error_set(err, PN_EINVAL,
				    "expected a profile and a tick_interval");
	if (!code) {
		d.centres.tick_ns = d.tick_us * 1000;
		out->header.cmd = d.program;
		pn_centres_add_types(&d.centres);
		code = build(&d, err);
	}
	out->complete = false; /* arguments, stacks without costs */
	pn_centres_release(&d.centres);
	free(d.items);
	free(d.nodes);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return pn_json_sniff_object(bytes, len) &&
			       pn_json_sniff_key(bytes, len, "rts_arguments") &&
			       pn_json_sniff_key(bytes, len, "tick_interval")
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_ghc_json = {
	.name = "ghc-json",
	.summary = "GHC's profile, JSON",
	.languages = "haskell",
	.made_by = "<program built with ghc -prof> +RTS -pj",
	.sniffed_by = "\"rts_arguments\" and \"tick_interval\"",
	.suffix = ".prof",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT,
	.read = read_profile,
};
