/*
 * V8's CPU profiles (node --cpu-prof, Chrome's developer tools): a call tree
 * and, in order of time, which node every sample was in and how long after
 * the one before. A sample lasts until the next one; the last one has no end.
 * Chrome DevTools protocol, Profiler.Profile.
 */
#include "base/alloc.h"
#include "codec/codec.h"
#include "codec/json/sniff.h"
#include "codec/json/walk.h"
#include "codec/v8/v8_nodes.h"
#include "model/timeline/events.h"

#include <stdlib.h>

struct decoder {
	struct pn_v8_nodes nodes;
	struct pn_json_ints samples, deltas, stamps; /* ids; us; us since some
							start */
	double start_us, end_us;
	bool has_nodes;
};

static int take_nodes(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	struct decoder *d = to;

	d->has_nodes = true;
	return pn_v8_nodes_take_list(&d->nodes, json, first, err);
}

static int take_head(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	struct decoder *d = to;

	d->has_nodes = true;
	return pn_v8_nodes_take(&d->nodes, json, first, err);
}

/* Until the next sample. Clocks that ran backwards give 0. */
static int64_t weight_us(const struct decoder *d, size_t sample)
{
	int64_t us = 0;

	if (d->deltas.count)
		us = sample + 1 < d->deltas.count ? d->deltas.items[sample + 1]
						  : 0;
	else if (sample + 1 < d->stamps.count &&
		 d->stamps.items[sample + 1] > d->stamps.items[sample])
		us = (int64_t)((uint64_t)d->stamps.items[sample + 1] -
			       (uint64_t)d->stamps.items[sample]);
	return us > 0 ? us : 0;
}

/* Old writers have seconds with a fraction here, and no use for them. */
static int64_t whole_us(double us)
{
	return us > -9e18 && us < 9e18 ? (int64_t)us : 0;
}

static int add_sample(struct decoder *d, uint32_t tree, int64_t count,
		      int64_t us, struct pn_event *event, struct pn_error *err)
{
	union pn_value row[2] = {{.i = count}, {.i = us}};
	struct pn_profile *p = d->nodes.p;
	uint32_t stack;
	int code = pn_call_tree_stack(&stack, &d->nodes.tree, p, tree, err);

	if (code)
		return code;
	pn_profile_add_sample(p, stack, 0, row);
	if (!event)
		return 0;
	event->stack = stack;
	pn_events_add(p, event);
	return 0;
}

/* When a sample was taken, on the clock of startTime; false when that is not
 * told. *us is that of the sample before, 0 at first. */
static bool time_of(struct pn_event *out, const struct decoder *d, int64_t *us,
		    size_t sample)
{
	*out = (struct pn_event){.thread = PN_NONE, .type = 1};
	if (sample < d->deltas.count) {
		if (!sample)
			*us = whole_us(d->start_us);
		if (__builtin_add_overflow(*us, d->deltas.items[sample], us))
			return false;
	} else if (sample < d->stamps.count) {
		*us = d->stamps.items[sample];
	} else {
		return false;
	}
	return !__builtin_mul_overflow(*us, 1000, &out->time_ns) &&
	       !__builtin_mul_overflow(weight_us(d, sample), 1000,
				       &out->duration_ns);
}

static int add_samples(struct decoder *d, struct pn_error *err)
{
	uint32_t before = PN_NONE, tree;
	struct pn_event event;
	int64_t us = 0;
	bool ran, timed;
	size_t i;
	int code = 0;

	for (i = 0; !code && i < d->samples.count; i++) {
		code = pn_v8_nodes_sample(&tree, &ran, &before, &d->nodes,
					  d->samples.items[i], err);
		if (code)
			return pn_error_context(err, "samples[%zu]", i);
		timed = time_of(&event, d, &us, i);
		if (ran)
			code = add_sample(d, tree, 1, weight_us(d, i),
					  timed ? &event : NULL, err);
	}
	return code;
}

/* Without a list of samples the nodes say how often each was hit. */
static int add_hits(struct decoder *d, struct pn_error *err)
{
	size_t i;
	int code = 0;

	for (i = 0; !code && i < d->nodes.count; i++) {
		struct pn_v8_node *node = &d->nodes.nodes[i];

		if (node->hits && node->kind != PN_V8_IDLE &&
		    node->kind != PN_V8_ROOT)
			code = add_sample(d, node->tree, node->hits, 0, NULL,
					  err);
	}
	return code;
}

static void add_types(struct decoder *d)
{
	struct pn_profile *p = d->nodes.p;
	int64_t start_us, end_us;

	pn_profile_add_type(p, "samples", "count");
	pn_profile_add_type(p, "cpu", "microseconds");
	p->types[0].better = p->types[1].better = PN_BETTER_LESS;
	if (!d->deltas.count && !d->stamps.count)
		p->default_type = p->types[0].type;
	start_us = whole_us(d->start_us);
	end_us = whole_us(d->end_us);
	if (end_us > start_us && start_us >= 0 &&
	    end_us - start_us < INT64_MAX / 1000)
		p->duration_ns = (end_us - start_us) * 1000;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"nodes", take_nodes},
		{"head", take_head},
		PN_JSON_FIELD("samples", decoder, samples),
		PN_JSON_FIELD("timeDeltas", decoder, deltas),
		PN_JSON_FIELD("timestamps", decoder, stamps),
		PN_JSON_FIELD("startTime", decoder, start_us),
		PN_JSON_FIELD("endTime", decoder, end_us),
		{0},
	};
	struct decoder d = {.nodes = {.p = out}};
	int code = pn_json_walk_document(&d, NULL, in, fields, err);

	if (!code && !d.has_nodes)
		code = pn_error_set(err, PN_EINVAL, "expected nodes");
	if (!code)
		code = pn_v8_nodes_finish(&d.nodes, err);
	if (!code) {
		add_types(&d);
		code = d.samples.count ? add_samples(&d, err)
				       : add_hits(&d, err);
	}
	if (!code)
		code = pn_v8_nodes_add_ticks(&d.nodes, err);
	out->complete = false; /* ids, when nothing ran */
	pn_v8_nodes_release(&d.nodes);
	free(d.samples.items);
	free(d.deltas.items);
	free(d.stamps.items);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	bool nodes;

	if (!pn_json_sniff_object(bytes, len) ||
	    !pn_json_sniff_key(bytes, len, "functionName") ||
	    pn_json_sniff_key(bytes, len, "selfSize") ||
	    pn_json_sniff_key(bytes, len, "traceEvents"))
		return PN_SNIFF_NO;
	nodes = pn_json_sniff_key(bytes, len, "nodes") ||
		pn_json_sniff_key(bytes, len, "head");
	return nodes && pn_json_sniff_key(bytes, len, "hitCount")
		       ? PN_SNIFF_SURE
	       : nodes ? PN_SNIFF_LIKELY
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_cpuprofile = {
	.name = "cpuprofile",
	.summary = "V8's CPU profile (node --cpu-prof, Chrome)",
	.languages = "javascript typescript node",
	.made_by = "node --cpu-prof",
	.sniffed_by = "\"nodes\" or \"head\" with \"hitCount\"",
	.suffix = ".cpuprofile",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT,
	.read = read_profile,
};
