/*
 * Maps of bpftrace that are keyed by stacks: "@name[" with a frame a line, and
 * "]: n" behind it; each map is a value. Other keys, as comm, stand at the root
 * of the stack, as stackcollapse-bpftrace has them. Maps without stacks and
 * what the program prints besides is passed over.
 * bpftrace's reference guide, "ustack" and "kstack".
 */
#include "base/alloc.h"
#include "base/number.h"
#include "base/reader/lines.h"
#include "codec/codec.h"
#include "codec/frames.h"
#include "codec/scan.h"

#include <stdlib.h>
#include <string.h>

#define MAPS_MAX 64

/* What one key of one map counted. */
struct entry {
	size_t map, frames_end; /* in decoder.stacks */
	int64_t count;
};

struct decoder {
	struct pn_profile *p;
	struct pn_frames frames;
	uint32_t maps[MAPS_MAX]; /* strings: their names */
	size_t map_count;
	bool open;
	uint32_t name, key; /* strings: the open map, keys before its stack */
	uint32_t *stacks; /* locations of one entry after another, leaf first */
	size_t stacks_count, stacks_cap;
	struct entry *entries;
	size_t count, cap;
};

static size_t begin_of(const struct decoder *d)
{
	return d->count ? d->entries[d->count - 1].frames_end : 0;
}

static void push(struct decoder *d, const struct pn_frame *frame)
{
	uint32_t location = pn_frames_location(&d->frames, d->p, frame);

	d->stacks = pn_grow(d->stacks, &d->stacks_cap, d->stacks_count + 1,
			    sizeof(*d->stacks));
	d->stacks[d->stacks_count++] = location;
}

/* "@name[", and keys in front of the stack: "@[bprog, " */
static void open_map(struct decoder *d, struct pn_scan name,
		     struct pn_scan keys)
{
	struct pn_strtab *strings = &d->p->strings;

	d->open = true;
	d->name = pn_strtab_add(strings, name.at, pn_scan_left(&name));
	d->key = pn_strtab_add(strings, keys.at, pn_scan_left(&keys));
	d->stacks_count = begin_of(d);
}

/* The number of the open map, which has a count now. */
static int find_map(size_t *out, struct decoder *d, struct pn_error *err)
{
	size_t i;

	for (i = 0; i < d->map_count; i++)
		if (d->maps[i] == d->name)
			break;
	if (i == MAPS_MAX)
		return pn_error_set(err, PN_ELIMIT, "more than %d maps",
				    MAPS_MAX);
	if (i == d->map_count)
		d->maps[d->map_count++] = d->name;
	*out = i;
	return 0;
}

/* "fib+16", "0x7f1024d162ad", or of ustack(perf) "557882e30163 fib+16 (x)". */
static void take_frame(struct decoder *d, struct pn_scan line)
{
	struct pn_frame frame = {.mapping = PN_NONE};
	struct pn_scan name = line, before, rest = line;
	char hex[20], *end;
	size_t len;

	/* "(x)" at the end, and in front of it a blank */
	if (line.end[-1] == ')' && pn_scan_until_last(&before, &rest, '(') &&
	    pn_scan_left(&before) && before.end[-1] == ' ') {
		name = before;
		pn_scan_word(&before, &name);
		pn_scan_trim(&name);
	}
	len = pn_scan_left(&name);
	if (pn_scan_begins(&name, "0x") && len < sizeof(hex)) {
		memcpy(hex, name.at, len);
		hex[len] = '\0';
		frame.address = strtoull(hex, &end, 16);
	} else {
		rest = name;
		if (pn_scan_until_last(&before, &rest, '+'))
			name = before;
		frame.name = pn_strtab_add(&d->p->strings, name.at,
					   pn_scan_left(&name));
	}
	push(d, &frame);
}

static void push_key(struct decoder *d, uint32_t key)
{
	struct pn_frame frame = {.name = key, .mapping = PN_NONE};

	push(d, &frame);
}

/* ", bprog]: 12": keys behind the stack, and the count. */
static int close_map(struct decoder *d, struct pn_scan line,
		     struct pn_error *err)
{
	struct pn_scan key = line;
	struct entry e = {0};
	int code;

	d->open = false;
	if (!pn_scan_until_last(&key, &line, ']') ||
	    !pn_scan_text(&line, ": ") ||
	    !pn_number_int(&e.count, line.at, pn_scan_left(&line)) ||
	    e.count < 0) {
		d->stacks_count = begin_of(d); /* avg(), hist(): no count */
		return 0;
	}
	(void)pn_scan_text(&key, ",");
	pn_scan_trim(&key);
	if (pn_scan_left(&key))
		push_key(d, pn_strtab_add(&d->p->strings, key.at,
					  pn_scan_left(&key)));
	if (d->key)
		push_key(d, d->key);
	if (d->stacks_count - begin_of(d) > PN_MAX_STACK_DEPTH)
		return pn_error_set(err, PN_ELIMIT,
				    "a stack of more than %u frames",
				    PN_MAX_STACK_DEPTH);
	code = find_map(&e.map, d, err);
	if (code)
		return code;
	e.frames_end = d->stacks_count;
	d->entries =
		pn_grow(d->entries, &d->cap, d->count + 1, sizeof(*d->entries));
	d->entries[d->count++] = e;
	return 0;
}

static bool is_open(struct pn_scan *name, struct pn_scan *keys,
		    struct pn_scan line)
{
	struct pn_scan rest;

	if (!pn_scan_text(&line, "@") || !pn_scan_until(name, &line, "["))
		return false;
	*keys = rest = line;
	if (pn_scan_until(&line, &rest, "]"))
		return false;
	pn_scan_trim(keys);
	if (pn_scan_left(keys) && keys->end[-1] == ',')
		keys->end--;
	pn_scan_trim(keys);
	return true;
}

static int take_line(void *to, const char *text, size_t len,
		     struct pn_error *err)
{
	struct decoder *d = to;
	struct pn_scan line = pn_scan_of(text, len), name, keys;

	if (is_open(&name, &keys, line)) {
		open_map(d, name, keys);
		return 0;
	}
	if (!d->open)
		return 0;
	if (len && (*text == ' ' || *text == '\t')) {
		pn_scan_trim(&line);
		if (pn_scan_left(&line))
			take_frame(d, line);
		return 0;
	}
	/* ", " alone is between two stacks */
	name = line;
	pn_scan_trim(&name);
	if (pn_scan_is(&name, ",") || !pn_scan_left(&name))
		return 0;
	return close_map(d, line, err);
}

static int build(struct decoder *d, struct pn_error *err)
{
	union pn_value *row;
	size_t i, begin = 0;
	int code = 0;

	if (!d->count)
		return pn_error_set(err, PN_EINVAL,
				    "expected '@[', frames and ']: <count>'");
	for (i = 0; i < d->map_count; i++) {
		pn_profile_add_type(d->p, "count", "count");
		if (d->maps[i])
			d->p->types[i].type = d->maps[i];
		d->p->types[i].better = PN_BETTER_LESS;
	}
	row = pn_calloc(d->map_count, sizeof(*row));
	for (i = 0; !code && i < d->count; i++) {
		const struct entry *e = &d->entries[i];

		memset(row, 0, d->map_count * sizeof(*row));
		row[e->map].i = e->count;
		code = pn_frames_add_sample(
			d->p,
			pn_frames_stack(&d->frames, d->p,
					d->stacks ? d->stacks + begin : NULL,
					e->frames_end - begin),
			row, err);
		begin = e->frames_end;
	}
	free(row);
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct decoder d = {.p = out};
	int code = pn_lines_read(in, &d, take_line, err);

	if (!code)
		code = build(&d, err);
	out->complete = false; /* offsets in functions, other maps */
	pn_frames_release(&d.frames);
	free(d.stacks);
	free(d.entries);
	return code;
}

/* A line that begins so. Binary files have many line feeds and few of these. */
static bool has_map(const unsigned char *bytes, size_t len)
{
	const unsigned char *at = bytes, *end = bytes + len;

	while (at < end && (at = memchr(at, '@', (size_t)(end - at)))) {
		if (at == bytes || at[-1] == '\n')
			return true;
		at++;
	}
	return false;
}

/* "@name[" at the end of a line, and an indented one below it. */
static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan rest = pn_scan_of((const char *)bytes, len), line;
	struct pn_scan name, keys;

	if (!has_map(bytes, len))
		return PN_SNIFF_NO;
	while (pn_scan_line(&line, &rest))
		if (is_open(&name, &keys, line) && pn_scan_left(&rest) &&
		    (*rest.at == ' ' || *rest.at == '\t'))
			return PN_SNIFF_SURE;
	return PN_SNIFF_NO;
}

const struct pn_codec pn_codec_bpftrace = {
	.name = "bpftrace",
	.summary = "maps of bpftrace keyed by stacks",
	.languages = "c c++ rust any ebpf",
	.made_by = "bpftrace -e 'profile:hz:99 { @[ustack] = count(); }'",
	.sniffed_by = "'@[' and frames below it",
	.suffix = ".txt",
	.sniff = sniff,
	.read = read_profile,
};
