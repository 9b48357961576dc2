/*
 * heaptrack: what each stack allocated, how much of it lived for one call
 * only, was never freed, and was held at the moment of the peak.
 */
#include "codec/heaptrack/heaptrack.h"

#include "base/alloc.h"
#include "codec/codec.h"
#include "codec/program.h"
#include "model/timeline/curves.h"

#include <stdlib.h>
#include <string.h>

enum column { ALLOCATIONS, TEMPORARY, LEAKS, LEAKED, PEAK, COLUMNS };

static const struct {
	const char *name, *unit;
	enum pn_role role;
} columns[COLUMNS] = {
	{"allocations", "count"},
	{"temporary", "count"},
	{"leaked_objects", "count", PN_ROLE_GAUGE},
	{"leaked", "bytes", PN_ROLE_GAUGE},
	{"peak", "bytes", PN_ROLE_PEAK},
};

static void add_types(struct pn_profile *p)
{
	size_t i;

	for (i = 0; i < COLUMNS; i++) {
		pn_profile_add_type(p, columns[i].name, columns[i].unit);
		p->types[i].better = PN_BETTER_LESS;
		p->types[i].role = (uint8_t)columns[i].role;
	}
}

/* The trace where the stack of one begins: not in operator new. What is
 * passed counts as spread out: many traces may pass the same. */
static uint32_t leaf_of(const struct pn_heaptrack *h, uint32_t trace,
			size_t *spread)
{
	for (;
	     trace && h->locations[h->traces[trace - 1].location - 1].allocates;
	     ++*spread)
		trace = h->traces[trace - 1].parent;
	return trace;
}

/* How deep it is: a trace has its parent before it, so there is an end. */
static size_t depth_of(const struct pn_heaptrack *h, uint32_t trace)
{
	size_t depth = 0;

	for (; trace; trace = h->traces[trace - 1].parent)
		depth++;
	return depth;
}

static int stack_of(uint32_t *out, struct pn_heaptrack *h, uint32_t trace,
		    size_t *spread, struct pn_error *err)
{
	size_t depth, i;
	uint32_t *frames;

	trace = leaf_of(h, trace, spread);
	depth = depth_of(h, trace);
	if (depth > PN_MAX_STACK_DEPTH || *spread > PN_CALL_TREE_FRAMES ||
	    depth > PN_CALL_TREE_FRAMES - *spread)
		return pn_error_set(err, PN_ELIMIT,
				    "stacks of more than %u frames together",
				    PN_CALL_TREE_FRAMES);
	*spread += depth;
	frames = pn_calloc(depth + 1, sizeof(*frames));
	for (i = 0; i < depth; i++, trace = h->traces[trace - 1].parent)
		frames[i] = h->locations[h->traces[trace - 1].location - 1]
				    .location;
	*out = pn_frames_stack(&h->frames, h->p, frames, depth);
	free(frames);
	return 0;
}

static void fill_row(union pn_value row[COLUMNS], const struct pn_heaptrack *h,
		     const struct pn_heaptrack_trace *trace)
{
	row[ALLOCATIONS].i = trace->allocations;
	row[TEMPORARY].i = trace->temporary;
	row[LEAKS].i = trace->held;
	row[LEAKED].i = trace->held_bytes;
	row[PEAK].i =
		trace->peak == h->peak ? trace->peak_bytes : trace->held_bytes;
}

/* Traces become one stack where they differ by operator new alone. */
static int add_sample(struct pn_heaptrack *h, uint32_t index, int64_t *sums,
		      size_t *spread, struct pn_error *err)
{
	const struct pn_heaptrack_trace *trace =
		index ? &h->traces[index - 1] : &h->unknown;
	union pn_value row[COLUMNS];
	uint32_t stack;
	size_t i;
	int code;

	if (!trace->allocations && !trace->held)
		return 0;
	fill_row(row, h, trace);
	code = stack_of(&stack, h, index, spread, err);
	if (code)
		return code;
	for (i = 0; i < COLUMNS; i++)
		if (__builtin_add_overflow(sums[i], row[i].i, &sums[i]))
			return pn_error_set(err, PN_ERANGE,
					    "%s: more than 2^63",
					    columns[i].name);
	return pn_frames_add_sample(h->p, stack, row, err);
}

static void add_metric(struct pn_profile *p, const char *name, const char *unit,
		       int64_t amount)
{
	double value = (double)amount;

	pn_profile_add_metric(p, name, unit, PN_BETTER_LESS, &value, 1);
}

static void add_curve(struct pn_heaptrack *h, const char *name,
		      const struct pn_heaptrack_curve *from, int64_t factor)
{
	struct pn_strtab *strings = &h->p->strings;
	size_t i;

	if (!from->count || !factor)
		return;
	pn_curves_add(h->p, pn_strtab_add_text(strings, name),
		      pn_strtab_add_text(strings, "bytes"),
		      pn_strtab_add_text(strings, "ms"));
	for (i = 0; i < from->count; i++)
		pn_curves_add_point(h->p, (double)from->ms[i],
				    (double)from->values[i] * (double)factor);
}

int pn_heaptrack_finish(struct pn_heaptrack *h, struct pn_error *err)
{
	int64_t sums[COLUMNS] = {0}, resident;
	size_t spread = 0, i;
	int code = 0;

	add_types(h->p);
	for (i = 0; !code && i <= h->trace_count; i++)
		code = add_sample(h, (uint32_t)i, sums, &spread, err);
	if (code)
		return code;
	add_metric(h->p, columns[PEAK].name, columns[PEAK].unit, sums[PEAK]);
	for (i = 0; i < PEAK; i++)
		add_metric(h->p, columns[i].name, columns[i].unit, sums[i]);
	if (h->resident &&
	    !__builtin_mul_overflow(h->resident, h->page_bytes, &resident))
		add_metric(h->p, "peak-rss", "bytes", resident);
	/* what came behind the last time */
	if (h->heap.count && h->moved)
		pn_heaptrack_curve_add(&h->heap, h->ms, h->most);
	add_curve(h, "heap", &h->heap, 1);
	add_curve(h, "rss", &h->rss, h->page_bytes);
	if (h->ms <= INT64_MAX / 1000000)
		h->p->duration_ns = h->ms * 1000000;
	h->p->complete = false; /* the order in which it came and went */
	return 0;
}

static int read_heaptrack(struct pn_profile *out, struct pn_reader *in,
			  struct pn_error *err)
{
	struct pn_heaptrack h = {.p = out};
	int code;

	h.lines.in = in;
	code = pn_heaptrack_read(&h, err);
	if (!code)
		code = pn_heaptrack_finish(&h, err);
	pn_heaptrack_release(&h);
	if (!code)
		pn_program_of_command(out);
	else
		pn_profile_release(out);
	return code;
}

static bool is_hex(const unsigned char **at, const unsigned char *end)
{
	const unsigned char *from = *at;

	while (*at < end &&
	       ((**at >= '0' && **at <= '9') || (**at >= 'a' && **at <= 'f')))
		++*at;
	return *at > from;
}

/* "v 10400 3", then a line of a letter and a blank. */
static bool is_text(const unsigned char *bytes, size_t len)
{
	const unsigned char *at = bytes + 2, *end = bytes + len;

	if (len < 4 || memcmp(bytes, "v ", 2) || !is_hex(&at, end))
		return false;
	if (at < end && *at == ' ') {
		at++;
		if (!is_hex(&at, end))
			return false;
	}
	if (at == end || *at++ != '\n')
		return false;
	return end - at >= 2 && at[1] == ' ' && strchr("XxIsASm", *at);
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return is_text(bytes, len) ? PN_SNIFF_SURE : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_heaptrack = {
	.name = "heaptrack",
	.summary = "heaptrack's allocations",
	.languages = "c c++ rust",
	.made_by = "heaptrack <program>",
	.sniffed_by = "'v <version> <format>' first",
	.suffix = ".heaptrack",
	.sniff = sniff,
	.read = read_heaptrack,
};
