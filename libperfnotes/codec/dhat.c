/*
 * DHAT's JSON, of valgrind or of Rust's dhat: what each stack allocated, what
 * of it was there at the peak and at the end, and how often it was read and
 * written. valgrind's manual, "DHAT: File Format", version 2.
 */
#include "base/alloc.h"
#include "base/number.h"
#include "codec/codec.h"
#include "codec/frames.h"
#include "codec/json/sniff.h"
#include "codec/json/walk.h"
#include "codec/program.h"
#include "codec/scan.h"

#include <stdlib.h>
#include <string.h>

/* Of one program point, as the file has them. */
struct point {
	int64_t blocks, bytes;
	int64_t peak_blocks, peak_bytes, end_blocks, end_bytes;
	int64_t read_bytes, written_bytes;
	size_t frames_end; /* in decoder.frames */
};

enum kind { ALWAYS, LIFETIMES, ACCESSES };

static const struct column {
	const char *name, *unit;
	size_t offset;
	enum kind kind;
	enum pn_role role;
} columns[] = {
	{"read", "bytes", offsetof(struct point, read_bytes), ACCESSES,
	 PN_ROLE_SUM},
	{"written", "bytes", offsetof(struct point, written_bytes), ACCESSES,
	 PN_ROLE_SUM},
	{"end_blocks", "count", offsetof(struct point, end_blocks), LIFETIMES,
	 PN_ROLE_GAUGE},
	{"end", "bytes", offsetof(struct point, end_bytes), LIFETIMES,
	 PN_ROLE_GAUGE},
	{"peak_blocks", "count", offsetof(struct point, peak_blocks), LIFETIMES,
	 PN_ROLE_PEAK},
	{"peak", "bytes", offsetof(struct point, peak_bytes), LIFETIMES,
	 PN_ROLE_PEAK},
	{"blocks", "count", offsetof(struct point, blocks), ALWAYS,
	 PN_ROLE_SUM},
	{"total", "bytes", offsetof(struct point, bytes), ALWAYS, PN_ROLE_SUM},
};
#define COLUMNS (sizeof(columns) / sizeof(*columns))

struct decoder {
	struct pn_profile *p;
	struct pn_frames frames;
	struct point *points;
	size_t count, cap;
	int64_t *stacks; /* numbers of frames, of one point after another */
	size_t stacks_count, stacks_cap;
	uint32_t *table; /* location by number of frame */
	size_t table_count, table_cap;
	uint32_t *stack; /* locations of one point */
	size_t stack_cap;
	uint32_t cmd, byte_unit;
	int64_t version;
	bool has_lifetimes, has_accesses, has_points, has_table;
};

struct reading {
	struct point point;
	struct pn_json_ints stack;
};

static int take_point(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		PN_JSON_AMOUNT("tb", reading, point.bytes),
		PN_JSON_AMOUNT("tbk", reading, point.blocks),
		PN_JSON_AMOUNT("gb", reading, point.peak_bytes),
		PN_JSON_AMOUNT("gbk", reading, point.peak_blocks),
		PN_JSON_AMOUNT("eb", reading, point.end_bytes),
		PN_JSON_AMOUNT("ebk", reading, point.end_blocks),
		PN_JSON_AMOUNT("rb", reading, point.read_bytes),
		PN_JSON_AMOUNT("wb", reading, point.written_bytes),
		PN_JSON_FIELD("fs", reading, stack),
		{0},
	};
	struct decoder *d = to;
	struct reading r = {{0}, {0}};
	int code = pn_json_walk_object(&r, NULL, json, first, fields, err);

	if (!code && r.stack.count > PN_MAX_STACK_DEPTH)
		code = pn_json_fail(json, err, "more frames than a stack has");
	if (!code) {
		d->stacks = pn_grow(d->stacks, &d->stacks_cap,
				    d->stacks_count + r.stack.count + 1,
				    sizeof(*d->stacks));
		if (r.stack.count)
			memcpy(d->stacks + d->stacks_count, r.stack.items,
			       r.stack.count * sizeof(*d->stacks));
		d->stacks_count += r.stack.count;
		r.point.frames_end = d->stacks_count;
		d->points = pn_grow(d->points, &d->cap, d->count + 1,
				    sizeof(*d->points));
		d->points[d->count++] = r.point;
	}
	free(r.stack.items);
	return code;
}

/* "file.c:12" or "file.rs:12:34", or "in /lib/x.so". */
static void read_place(struct pn_frame *frame, struct pn_profile *p,
		       struct pn_scan place)
{
	struct pn_scan file;
	uint64_t last, before;

	if (pn_scan_text(&place, "in ")) {
		frame->mapping = pn_program_mapping(
			p, pn_strtab_add(&p->strings, place.at,
					 pn_scan_left(&place)));
		return;
	}
	if (!pn_scan_until_last(&file, &place, ':') ||
	    !pn_number_uint(&last, place.at, pn_scan_left(&place)) ||
	    last > INT32_MAX)
		return;
	frame->line = (int64_t)last;
	place = file;
	if (pn_scan_until_last(&file, &place, ':') &&
	    pn_number_uint(&before, place.at, pn_scan_left(&place)) &&
	    before <= INT32_MAX) {
		frame->column = frame->line;
		frame->line = (int64_t)before;
	} else {
		file = (struct pn_scan){file.at, place.end};
	}
	frame->file = pn_strtab_add(&p->strings, file.at, pn_scan_left(&file));
}

/* "0x1091BB: churn (<file>:6)"; "???" is no name. Addresses are of this run. */
static uint32_t read_frame(struct decoder *d, const char *text, size_t len)
{
	struct pn_scan s = pn_scan_of(text, len), address, place;
	struct pn_frame frame = {.mapping = PN_NONE};
	struct pn_scan name;

	if (pn_scan_begins(&s, "0x"))
		pn_scan_until(&address, &s, ": ");
	name = s;
	if (pn_scan_left(&s) > 2 && s.end[-1] == ')') {
		place = s;
		place.end--;
		/* the last " (": names of C++ have parentheses, too */
		while (pn_scan_until(&name, &place, " ("))
			;
		if (place.at > s.at) {
			name = (struct pn_scan){s.at, place.at - 2};
			read_place(&frame, d->p, place);
		} else {
			name = s;
		}
	}
	if (!pn_scan_is(&name, "???"))
		frame.name = pn_strtab_add(&d->p->strings, name.at,
					   pn_scan_left(&name));
	return pn_frames_location(&d->frames, d->p, &frame);
}

static int take_frame(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	struct decoder *d = to;
	uint32_t location;

	d->has_table = true;
	if (first != PN_JSON_STRING)
		return pn_json_fail(json, err, "expected a string");
	location = read_frame(d, pn_json_text(json), pn_json_len(json));
	d->table = pn_grow(d->table, &d->table_cap, d->table_count + 1,
			   sizeof(*d->table));
	d->table[d->table_count++] = location;
	return 0;
}

static int take_points(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	((struct decoder *)to)->has_points = true;
	return pn_json_walk_array(to, json, first, take_point, err);
}

static int take_flag(bool *out, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	if (first != PN_JSON_TRUE && first != PN_JSON_FALSE)
		return pn_json_fail(json, err, "expected true or false");
	*out = first == PN_JSON_TRUE;
	return 0;
}

static int take_lifetimes(void *to, struct pn_json *json,
			  enum pn_json_event first, struct pn_error *err)
{
	return take_flag(&((struct decoder *)to)->has_lifetimes, json, first,
			 err);
}

static int take_accesses(void *to, struct pn_json *json,
			 enum pn_json_event first, struct pn_error *err)
{
	return take_flag(&((struct decoder *)to)->has_accesses, json, first,
			 err);
}

static bool has_column(const struct decoder *d, const struct column *column)
{
	return column->kind == LIFETIMES  ? d->has_lifetimes
	       : column->kind == ACCESSES ? d->has_accesses
					  : true;
}

static void add_types(const struct decoder *d)
{
	struct pn_profile *p = d->p;
	const char *unit = pn_profile_text(p, d->byte_unit);
	size_t i;
	uint32_t at;

	for (i = 0; i < COLUMNS; i++) {
		if (!has_column(d, &columns[i]))
			continue;
		/* what is counted ad hoc is "units" and not bytes */
		at = pn_profile_add_type(p, columns[i].name,
					 strcmp(columns[i].unit, "bytes") ||
							 !*unit ||
							 !strcmp(unit, "byte")
						 ? columns[i].unit
						 : "count");
		p->types[at].better = PN_BETTER_LESS;
		p->types[at].role = (uint8_t)columns[i].role;
	}
}

static int add_point(struct decoder *d, size_t at, struct pn_error *err)
{
	const struct point *point = &d->points[at];
	size_t begin = at ? point[-1].frames_end : 0, i, count = 0;
	union pn_value row[COLUMNS];

	for (i = begin; i < point->frames_end; i++) {
		if (d->stacks[i] < 0 ||
		    (uint64_t)d->stacks[i] >= d->table_count)
			return pn_error_set(err, PN_EINVAL,
					    "pps[%zu].fs: frame %lld is not in "
					    "the table of %zu",
					    at, (long long)d->stacks[i],
					    d->table_count);
		d->stack = pn_grow(d->stack, &d->stack_cap, count + 1,
				   sizeof(*d->stack));
		d->stack[count++] = d->table[d->stacks[i]];
	}
	for (i = 0, begin = 0; i < COLUMNS; i++)
		if (has_column(d, &columns[i]))
			memcpy(&row[begin++].i,
			       (const char *)point + columns[i].offset,
			       sizeof(int64_t));
	return pn_frames_add_sample(
		d->p, pn_frames_stack(&d->frames, d->p, d->stack, count), row,
		err);
}

static int build(struct decoder *d, struct pn_error *err)
{
	size_t i;
	int code = 0;

	if (d->version != 2)
		return pn_error_set(err, PN_EINVAL,
				    "expected dhatFileVersion 2, have %lld",
				    (long long)d->version);
	if (!d->has_points || !d->has_table)
		return pn_error_set(err, PN_EINVAL, "expected pps and ftbl");
	add_types(d);
	if (d->cmd) {
		const char *command = pn_profile_text(d->p, d->cmd);

		pn_program_command(d->p, command, strlen(command));
	}
	for (i = 0; !code && i < d->count; i++)
		code = add_point(d, i, err);
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		PN_JSON_FIELD("dhatFileVersion", decoder, version),
		PN_JSON_FIELD("bu", decoder, byte_unit),
		PN_JSON_FIELD("cmd", decoder, cmd),
		{"bklt", take_lifetimes},
		{"bkacc", take_accesses},
		{"pps", take_points},
		{"ftbl", .each = take_frame},
		{0},
	};
	struct decoder d = {.p = out};
	int code = pn_json_walk_document(&d, &out->strings, in, fields, err);

	if (!code)
		code = build(&d, err);
	if (!code)
		pn_program_of_command(out);
	out->complete = false; /* lifetimes, accesses by offset, addresses */
	pn_frames_release(&d.frames);
	free(d.points);
	free(d.stacks);
	free(d.table);
	free(d.stack);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return pn_json_sniff_object(bytes, len) &&
			       pn_json_sniff_key(bytes, len, "dhatFileVersion")
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_dhat = {
	.name = "dhat",
	.summary = "allocations of valgrind's DHAT, JSON",
	.languages = "c c++ rust",
	.made_by = "valgrind --tool=dhat --dhat-out-file=<file> <program>",
	.sniffed_by = "\"dhatFileVersion\"",
	.suffix = ".json",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT,
	.read = read_profile,
};
