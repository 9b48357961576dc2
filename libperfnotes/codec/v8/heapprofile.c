/*
 * V8's sampled heap (node --heap-prof, Chrome's developer tools): a nested
 * call tree with the bytes that are alive from each place.
 * Chrome DevTools protocol, HeapProfiler.SamplingHeapProfile.
 */
#include "codec/codec.h"
#include "codec/json/sniff.h"
#include "codec/json/walk.h"
#include "codec/v8/v8_nodes.h"

struct decoder {
	struct pn_v8_nodes nodes;
	bool has_head;
};

static int take_head(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	struct decoder *d = to;

	d->has_head = true;
	return pn_v8_nodes_take(&d->nodes, json, first, err);
}

static int add_sizes(struct decoder *d, struct pn_error *err)
{
	struct pn_profile *p = d->nodes.p;
	uint32_t stack;
	size_t i;
	int code = 0;

	for (i = 0; !code && i < d->nodes.count; i++) {
		const struct pn_v8_node *node = &d->nodes.nodes[i];
		union pn_value row = {.i = node->size};

		if (!node->size)
			continue;
		code = pn_call_tree_stack(&stack, &d->nodes.tree, p, node->tree,
					  err);
		if (!code)
			pn_profile_add_sample(p, stack, 0, &row);
	}
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"head", take_head},
		{0},
	};
	struct decoder d = {.nodes = {.p = out}};
	int code = pn_json_walk_document(&d, NULL, in, fields, err);

	if (!code && !d.has_head)
		code = pn_error_set(err, PN_EINVAL, "expected a head");
	if (!code)
		code = pn_v8_nodes_finish(&d.nodes, err);
	if (!code) {
		pn_profile_add_type(out, "inuse_space", "bytes");
		out->types[0].better = PN_BETTER_LESS;
		code = add_sizes(&d, err);
	}
	out->complete = false; /* the single samples and ids */
	pn_v8_nodes_release(&d.nodes);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return pn_json_sniff_object(bytes, len) &&
			       pn_json_sniff_key(bytes, len, "head") &&
			       pn_json_sniff_key(bytes, len, "callFrame") &&
			       pn_json_sniff_key(bytes, len, "selfSize")
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_heapprofile = {
	.name = "heapprofile",
	.summary = "V8's sampled heap (node --heap-prof, Chrome)",
	.languages = "javascript typescript node",
	.made_by = "node --heap-prof",
	.sniffed_by = "\"head\" with \"callFrame\" and \"selfSize\"",
	.suffix = ".heapprofile",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT,
	.read = read_profile,
};
