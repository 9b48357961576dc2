/*
 * gperftools' CPU profile: words of 4 or 8 bytes in either byte order (0, 3,
 * 0, period in us, 0), then stacks as they were hit, then a map of memory.
 * Addresses above the leaf are where calls return to, so one is taken off.
 * In Java's the third word is 1, and a list of frames takes the map's place.
 * gperftools' "cpuprofile-fileformat", and pprof's rules on what a handler of
 * a signal leaves in a stack.
 */
#include "base/alloc.h"
#include "codec/codec.h"
#include "codec/gperftools/gperftools.h"
#include "codec/gperftools/java.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HEAD_WORDS 5
#define MAP_MAX_BYTES (256u << 20) /* 65530 lines of a path of 4096 each */
#define TAKEN_OFF 2		   /* frames of a handler, at most */
#define ONE_IN 32		   /* samples may lack such a frame */

/* How the words are written. */
struct layout {
	unsigned int bytes;
	bool big;
};

/* What stands in the file, before frames of the handler are taken off. */
struct record {
	int64_t count;
	uint32_t first, frames; /* of `addresses` */
};

struct decoder {
	struct pn_profile *p;
	struct pn_reader *in;
	struct layout layout;
	struct record *records;
	size_t count, cap;
	uint64_t *addresses;
	size_t address_count, address_cap;
	struct pn_frames frames;
	bool java; /* frames are numbers, named behind the samples */
	struct pn_java_names names;
};

static uint64_t word_at(const unsigned char *at, struct layout layout)
{
	uint64_t value = 0;
	unsigned int i;

	for (i = 0; i < layout.bytes; i++)
		value = value << 8 | at[layout.big ? i : layout.bytes - 1 - i];
	return value;
}

/* The period in us; 0: these words are no head. *java: of a Java program. */
static int64_t head_of(bool *java, const unsigned char *bytes, size_t len,
		       struct layout layout)
{
	uint64_t words[HEAD_WORDS];
	size_t i;

	if (len < HEAD_WORDS * layout.bytes)
		return 0;
	for (i = 0; i < HEAD_WORDS; i++)
		words[i] = word_at(bytes + i * layout.bytes, layout);
	*java = words[2] == 1;
	if (words[0] || words[1] != 3 || words[2] > 1 || words[4] ||
	    words[3] > INT64_MAX / 1000)
		return 0;
	return (int64_t)words[3];
}

static int64_t find_layout(struct layout *out, bool *java,
			   const unsigned char *bytes, size_t len)
{
	static const struct layout layouts[] = {
		{4, false}, {4, true}, {8, false}, {8, true}};
	int64_t period_us;
	size_t i;

	for (i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
		period_us = head_of(java, bytes, len, layouts[i]);
		if (period_us) {
			*out = layouts[i];
			return period_us;
		}
	}
	return 0;
}

static int bad_byte(const struct decoder *d, struct pn_error *err,
		    const char *what)
{
	return pn_error_set(err, PN_EINVAL, "byte %" PRIu64 ": %s",
			    pn_reader_offset(d->in), what);
}

static int read_head(struct decoder *d, struct pn_error *err)
{
	const unsigned char *bytes;
	int64_t period_us;
	size_t have;
	int code = pn_reader_peek(&bytes, &have, d->in, HEAD_WORDS * 8, err);

	if (code)
		return code;
	period_us = find_layout(&d->layout, &d->java, bytes, have);
	if (!period_us)
		return bad_byte(d, err,
				"expected the words 0, 3, 0 (1: Java), a "
				"period, 0");
	pn_reader_consume(d->in, HEAD_WORDS * d->layout.bytes);
	d->p->period = period_us * 1000;
	return 0;
}

/* "count, depth, addresses". *ended: it was the last one, 0, 1, 0. */
static int read_record(bool *ended, struct decoder *d, struct pn_error *err)
{
	const unsigned int bytes = d->layout.bytes;
	const unsigned char *at;
	uint64_t count, depth, i;
	size_t have;
	int code = pn_reader_peek(&at, &have, d->in, (size_t)bytes * 2, err);

	*ended = !code && !have;
	if (code || *ended)
		return code;
	if (have < (size_t)bytes * 2)
		return bad_byte(d, err, "the file ends within a record");
	count = word_at(at, d->layout);
	depth = word_at(at + bytes, d->layout);
	if (depth > PN_MAX_STACK_DEPTH)
		return bad_byte(d, err, "a stack of more than 1048576 frames");
	if (count > (uint64_t)(INT64_MAX / d->p->period))
		return bad_byte(d, err, "a count beyond 2^63 ns");
	code = pn_reader_peek(&at, &have, d->in, (size_t)(bytes * (2 + depth)),
			      err);
	if (code)
		return code;
	if (have < bytes * (2 + depth))
		return bad_byte(d, err, "the file ends within a record");
	if (d->address_count + depth >= PN_NONE)
		return bad_byte(d, err, "more than 4294967294 frames in all");
	d->records =
		pn_grow(d->records, &d->cap, d->count + 1, sizeof(*d->records));
	d->addresses = pn_grow(d->addresses, &d->address_cap,
			       d->address_count + (size_t)depth,
			       sizeof(*d->addresses));
	d->records[d->count] = (struct record){
		(int64_t)count, (uint32_t)d->address_count, (uint32_t)depth};
	for (i = 0; i < depth; i++)
		d->addresses[d->address_count + i] =
			word_at(at + bytes * (2 + i), d->layout) -
			(i > 0 && !d->java);
	pn_reader_consume(d->in, (size_t)(bytes * (2 + depth)));
	*ended = !count && depth == 1 && !d->addresses[d->address_count];
	if (!*ended) {
		d->count++;
		d->address_count += (size_t)depth;
	}
	return 0;
}

/* The leaf stays, as it is what the signal says. */
static void drop_second(const struct decoder *d, struct record *r)
{
	uint64_t *frames = d->addresses + r->first;

	memmove(frames + 1, frames + 2, (r->frames - 2) * sizeof(*frames));
	r->frames--;
}

/* What nearly all stacks have above the leaf is what called the handler. A
 * majority, if there is one, is found in one pass (Boyer and Moore, MJRTY). */
static bool find_common(uint64_t *out, const struct decoder *d)
{
	size_t i, votes = 0, have = 0;

	for (i = 0; i < d->count; i++) {
		const struct record *r = &d->records[i];

		if (r->frames < 2)
			continue;
		if (!votes)
			*out = d->addresses[r->first + 1];
		votes += d->addresses[r->first + 1] == *out ? 1 : (size_t)-1;
	}
	for (i = 0; i < d->count; i++)
		have += d->records[i].frames > 1 &&
			d->addresses[d->records[i].first + 1] == *out;
	return have && have >= d->count - d->count / ONE_IN;
}

static void drop_handler(struct decoder *d)
{
	uint64_t common = 0;
	size_t i, times;

	for (times = 0; times < TAKEN_OFF && find_common(&common, d); times++)
		for (i = 0; i < d->count; i++)
			if (d->records[i].frames > 1 &&
			    d->addresses[d->records[i].first + 1] == common)
				drop_second(d, &d->records[i]);
	for (i = 0; i < d->count; i++) {
		const uint64_t *frames;

		/* Of records without frames there are no addresses at all. */
		if (d->records[i].frames < 2)
			continue;
		frames = d->addresses + d->records[i].first;
		if (frames[0] == frames[1] + 1)
			drop_second(d, &d->records[i]);
	}
}

/* A stack is new or has a sample: both are counted from 0. */
static void add_sample(struct decoder *d, const struct record *r,
		       const uint32_t *frames)
{
	uint32_t stack = pn_frames_stack(&d->frames, d->p, frames, r->frames);
	union pn_value row[2] = {{.i = r->count},
				 {.i = r->count * d->p->period}};
	union pn_value *had;

	if (stack == d->p->sample_count) {
		pn_profile_add_sample(d->p, stack, 0, row);
		return;
	}
	had = &d->p->values[(size_t)stack * 2];
	if (had[1].i > INT64_MAX - row[1].i) {
		had[1].i = INT64_MAX;
	} else {
		had[0].i += row[0].i;
		had[1].i += row[1].i;
	}
}

static uint32_t location_of(struct decoder *d, uint64_t address)
{
	struct pn_frame place = {.mapping = PN_NONE};

	if (d->java)
		place = pn_java_names_find(&d->names, address);
	else
		place.address = address;
	return pn_frames_inlined(&d->frames, d->p, &place, &place,
				 place.name ? 1 : 0);
}

static void add_samples(struct decoder *d)
{
	uint32_t *frames = NULL;
	size_t i, f, cap = 0;

	for (i = 0; i < d->count; i++) {
		const struct record *r = &d->records[i];

		frames = pn_grow(frames, &cap, (size_t)r->frames + 1,
				 sizeof(*frames));
		for (f = 0; f < r->frames; f++) {
			frames[f] = location_of(d, d->addresses[r->first + f]);
		}
		add_sample(d, r, frames);
	}
	free(frames);
}

/* The map of memory, or what Java's frames are. */
static int read_rest(struct decoder *d, struct pn_error *err)
{
	struct pn_buf rest = {0};
	const char *at, *lf;
	int code = pn_reader_rest(&rest, d->in, MAP_MAX_BYTES, err);

	for (at = pn_buf_text(&rest); !code && *at; at = *lf ? lf + 1 : lf) {
		lf = at + strcspn(at, "\n");
		if (d->java)
			pn_java_names_line(&d->names, d->p, at,
					   (size_t)(lf - at));
		else
			pn_gperftools_map_line(d->p, at, (size_t)(lf - at));
	}
	pn_buf_release(&rest);
	return code;
}

static int read_all(struct decoder *d, struct pn_error *err)
{
	bool ended = false;
	int code = read_head(d, err);

	if (code)
		return code;
	pn_profile_add_type(d->p, "samples", "count");
	pn_profile_add_type(d->p, "cpu", "nanoseconds");
	d->p->types[0].better = d->p->types[1].better = PN_BETTER_LESS;
	d->p->period_type = d->p->types[1];
	while (!code && !ended)
		code = read_record(&ended, d, err);
	if (code)
		return code;
	code = read_rest(d, err);
	if (code)
		return code;
	if (!d->java)
		drop_handler(d);
	pn_java_names_sort(&d->names);
	add_samples(d);
	if (!d->java)
		pn_gperftools_map_end(d->p);
	d->p->complete = false; /* what was taken off, the rest of the map */
	return 0;
}

static int read_cpu(struct pn_profile *out, struct pn_reader *in,
		    struct pn_error *err)
{
	struct decoder d = {.p = out, .in = in};
	int code = read_all(&d, err);

	pn_java_names_release(&d.names);
	pn_frames_release(&d.frames);
	free(d.records);
	free(d.addresses);
	if (code)
		pn_profile_release(out);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct layout layout;
	bool java;

	return find_layout(&layout, &java, bytes, len) ? PN_SNIFF_SURE
						       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_gperftools_cpu = {
	.name = "gperftools-cpu",
	.summary = "gperftools' CPU profile, as CPUPROFILE writes it",
	.languages = "c c++",
	.made_by = "CPUPROFILE=<file> with -lprofiler (gperftools)",
	.sniffed_by = "the words 0, 3, 0 (1: Java), period, 0, of 4 or 8 bytes",
	.suffix = ".prof",
	.sniff = sniff,
	.first = PN_FIRST_CONTROL,
	.read = read_cpu,
};
