/*
 * Massif (valgrind's heap profiler; also what --xtree-memory writes): a curve
 * of snapshots, some of them with a tree of who allocated what was in use.
 * The tree of the peak is the profile; what there was at each
 * snapshot is three curves, and points of the first say by whom, where there
 * is a tree. Massif's manual, "ms_print"; ms_print.in of valgrind.
 */
#include "base/alloc.h"
#include "base/number.h"
#include "base/reader/lines.h"
#include "codec/codec.h"
#include "codec/frames.h"
#include "codec/program.h"
#include "model/timeline/curves.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define RULE "#-----------"
#define SNAPSHOTS_MAX 100000 /* massif keeps at most 1000 */

enum field { TIME, HEAP, EXTRA, STACKS, FIELDS, TREE = FIELDS };

static const char *const field_names[FIELDS] = {
	"time=", "mem_heap_B=", "mem_heap_extra_B=", "mem_stacks_B="};

/* Bytes of a place without those of the places below it. */
struct part {
	uint32_t stack;
	int64_t bytes;
};

struct snapshot {
	int64_t values[FIELDS];
	size_t first_part, part_count;
	unsigned int seen; /* bits of enum field, TREE as well */
	bool is_peak;
};

/* A line " n2: 98352 0x1097CE: table_lookup (wordfreq.c:60)". */
struct place {
	size_t depth, children; /* children: still to come */
	int64_t self;		/* bytes, without those of the children */
	size_t text, text_len;	/* behind the bytes */
};

/* The tree of a snapshot, root first. */
struct tree {
	struct place *places;
	size_t count, cap;
	struct pn_buf texts;
};

struct decoder {
	struct pn_profile *p;
	struct pn_lines lines;
	struct pn_frames frames;
	struct snapshot *snapshots;
	size_t count, cap;
	size_t chosen; /* snapshot whose tree is the profile; SIZE_MAX: none */
	struct tree tree;
	struct part *parts; /* of all trees, snapshot by snapshot */
	size_t part_count, part_cap;
	uint32_t *path; /* of the place that is read: locations, leaf first */
	size_t path_cap;
	size_t *open; /* of the tree: the last place of each depth */
	size_t open_cap;
	bool has_tree; /* of this snapshot */
	uint32_t time_unit;
};

static int bad_line(const struct decoder *d, struct pn_error *err,
		    const char *what)
{
	return pn_error_set(err, PN_EINVAL, "line %" PRIu64 ": %s",
			    d->lines.number, what);
}

/* Takes `word` off the front. */
static bool take(const char **text, size_t *len, const char *word)
{
	size_t n = strlen(word);

	if (*len < n || memcmp(*text, word, n) != 0)
		return false;
	*text += n;
	*len -= n;
	return true;
}

/* Digits off the front; at most INT64_MAX. */
static bool take_number(int64_t *out, const char **text, size_t *len)
{
	size_t n = 0;

	while (n < *len && (*text)[n] >= '0' && (*text)[n] <= '9')
		n++;
	if (!pn_number_int(out, *text, n))
		return false;
	*text += n;
	*len -= n;
	return true;
}

static int64_t sum(const struct snapshot *s)
{
	return s->values[HEAP] + s->values[EXTRA] + s->values[STACKS];
}

/* The peak is better than any other, then the larger. */
static bool is_better(const struct decoder *d)
{
	const struct snapshot *s = &d->snapshots[d->count - 1], *than;

	if (d->chosen == SIZE_MAX)
		return true;
	than = &d->snapshots[d->chosen];
	if (s->is_peak != than->is_peak)
		return s->is_peak;
	return sum(s) > sum(than);
}

/* "wordfreq.c:60" or "in /usr/lib/libc.so.6" as file or mapping. */
static void set_file(struct decoder *d, struct pn_frame *frame,
		     const char *text, size_t len)
{
	size_t at = len;
	int64_t line;

	if (take(&text, &len, "in ")) {
		frame->mapping = pn_program_mapping(
			d->p, pn_strtab_add(&d->p->strings, text, len));
		return;
	}
	while (at && text[at - 1] != ':')
		at--;
	if (at > 1 && pn_number_int(&line, text + at, len - at)) {
		frame->line = line;
		len = at - 1;
	}
	frame->file = pn_strtab_add(&d->p->strings, text, len);
}

/* "0x10912D: main (wordfreq.c:93)"; anything else is a name, but "???". */
static void read_frame(struct decoder *d, struct pn_frame *frame,
		       const char *text, size_t len)
{
	const char *colon = memchr(text, ':', len);
	size_t at = len;

	if (len > 2 && !memcmp(text, "0x", 2) && colon &&
	    colon - text <= 2 + 16) {
		frame->address = strtoull(text, NULL, 16);
		len -= (size_t)(colon - text) + 1;
		text = colon + 1;
		if (len && *text == ' ') {
			text++;
			len--;
		}
		at = len;
	}
	if (len && text[len - 1] == ')') {
		while (at && text[at - 1] != '(')
			at--;
		if (at > 1 && text[at - 2] == ' ') {
			set_file(d, frame, text + at, len - at - 1);
			len = at - 2;
		}
	}
	if (len != 3 || memcmp(text, "???", 3) != 0)
		frame->name = pn_strtab_add(&d->p->strings, text, len);
}

/* "in 12 places, all below massif's threshold (1.00%)": how many changes from
 * run to run and is not of the name. */
static uint32_t location_of(struct decoder *d, const struct place *place)
{
	struct pn_frame frame = {.mapping = PN_NONE};
	const char *text = pn_buf_text(&d->tree.texts) + place->text;
	size_t len = place->text_len;
	int64_t places;

	if (take(&text, &len, "in ") && take_number(&places, &text, &len) &&
	    take(&text, &len, " place"))
		frame.name =
			pn_strtab_add_text(&d->p->strings, "[below threshold]");
	else
		read_frame(d, &frame, pn_buf_text(&d->tree.texts) + place->text,
			   place->text_len);
	return pn_frames_location(&d->frames, d->p, &frame);
}

/* From the place that allocates, which is below the root, to its callers. */
static int take_parts(struct decoder *d, struct snapshot *snapshot,
		      struct pn_error *err)
{
	size_t i;

	snapshot->first_part = d->part_count;
	for (i = 0; i < d->tree.count; i++) {
		const struct place *place = &d->tree.places[i];
		struct part *part;

		if (place->depth > PN_MAX_STACK_DEPTH)
			return pn_error_set(err, PN_ELIMIT,
					    "more than %u frames in a stack",
					    PN_MAX_STACK_DEPTH);
		d->path = pn_grow(d->path, &d->path_cap, place->depth + 1,
				  sizeof(*d->path));
		if (place->depth)
			d->path[place->depth - 1] = location_of(d, place);
		if (!place->self)
			continue;
		d->parts = pn_grow(d->parts, &d->part_cap, d->part_count + 1,
				   sizeof(*d->parts));
		part = &d->parts[d->part_count++];
		part->stack = pn_frames_stack(&d->frames, d->p, d->path,
					      place->depth);
		part->bytes = place->self;
	}
	snapshot->part_count = d->part_count - snapshot->first_part;
	d->tree.count = 0;
	d->tree.texts.len = 0;
	return 0;
}

static int end_snapshot(struct decoder *d, struct pn_error *err)
{
	size_t i;

	if (!d->count)
		return 0;
	if (d->snapshots[d->count - 1].seen != (2u << TREE) - 1)
		return bad_line(d, err,
				"the snapshot before has no time, mem_heap_B, "
				"mem_heap_extra_B, mem_stacks_B or heap_tree");
	for (i = 0; i < d->tree.count; i++)
		if (d->tree.places[i].children)
			return bad_line(d, err,
					"the tree before has fewer lines than "
					"it says");
	if (d->has_tree && !d->tree.count)
		return bad_line(d, err, "the tree before has no line");
	if (d->tree.count && is_better(d))
		d->chosen = d->count - 1;
	d->has_tree = false;
	return take_parts(d, &d->snapshots[d->count - 1], err);
}

static int begin_snapshot(struct decoder *d, struct pn_error *err)
{
	int code = end_snapshot(d, err);

	if (code)
		return code;
	if (d->count == SNAPSHOTS_MAX)
		return pn_error_set(err, PN_ELIMIT, "more than %d snapshots",
				    SNAPSHOTS_MAX);
	d->snapshots = pn_grow(d->snapshots, &d->cap, d->count + 1,
			       sizeof(*d->snapshots));
	memset(&d->snapshots[d->count++], 0, sizeof(*d->snapshots));
	return 0;
}

static int read_value(struct decoder *d, enum field field, const char *text,
		      size_t len, struct pn_error *err)
{
	struct snapshot *s = &d->snapshots[d->count - 1];
	int64_t *out = &s->values[field];

	if (!take_number(out, &text, &len) || len || *out > INT64_MAX / 4)
		return bad_line(d, err, "expected a number of 0 or more");
	s->seen |= 1u << field;
	return 0;
}

static int read_tree_kind(struct decoder *d, const char *text, size_t len,
			  struct pn_error *err)
{
	d->snapshots[d->count - 1].seen |= 1u << TREE;
	if (take(&text, &len, "peak"))
		d->snapshots[d->count - 1].is_peak = true;
	else if (!take(&text, &len, "detailed")) {
		d->has_tree = false;
		return take(&text, &len, "empty") && !len
			       ? 0
			       : bad_line(d, err,
					  "expected heap_tree=empty, "
					  "detailed or peak");
	}
	d->has_tree = true;
	return len ? bad_line(d, err, "text behind the kind of the tree") : 0;
}

/* Puts the place below its parent, which has one child less to come then. */
static int hang_place(struct decoder *d, const struct place *place,
		      struct pn_error *err)
{
	struct place *parent;

	if (!place->depth) {
		if (d->tree.count)
			return bad_line(d, err, "a second root of the tree");
		return 0;
	}
	if (!d->tree.count ||
	    place->depth > d->tree.places[d->tree.count - 1].depth + 1)
		return bad_line(d, err, "indented deeper than one more");
	parent = &d->tree.places[d->open[place->depth - 1]];
	if (!parent->children)
		return bad_line(d, err, "more lines than the one above says");
	if (place->self > parent->self)
		return bad_line(d, err, "more bytes than the one above has");
	parent->children--;
	parent->self -= place->self;
	return 0;
}

static int read_place(struct decoder *d, const char *text, size_t len,
		      struct pn_error *err)
{
	struct place place = {0};
	int64_t children;
	int code;

	while (take(&text, &len, " "))
		place.depth++;
	if (!take(&text, &len, "n") || !take_number(&children, &text, &len) ||
	    !take(&text, &len, ": ") ||
	    !take_number(&place.self, &text, &len) || !take(&text, &len, " "))
		return bad_line(d, err,
				"expected 'n<children>: <bytes> <place>'");
	code = hang_place(d, &place, err);
	if (code)
		return code;
	place.children = (size_t)children;
	place.text = d->tree.texts.len;
	place.text_len = len;
	pn_buf_add(&d->tree.texts, text, len);
	d->open = pn_grow(d->open, &d->open_cap, place.depth + 1,
			  sizeof(*d->open));
	d->open[place.depth] = d->tree.count;
	d->tree.places = pn_grow(d->tree.places, &d->tree.cap,
				 d->tree.count + 1, sizeof(*d->tree.places));
	d->tree.places[d->tree.count++] = place;
	return 0;
}

static int read_head_line(struct decoder *d, const char *text, size_t len,
			  struct pn_error *err)
{
	if (take(&text, &len, "cmd: "))
		pn_program_command(d->p, text, len);
	else if (take(&text, &len, "time_unit: "))
		d->time_unit = pn_strtab_add(&d->p->strings, text, len);
	else if (!take(&text, &len, "desc:"))
		return bad_line(d, err,
				"expected 'desc:', 'cmd:', 'time_unit:' or "
				"'snapshot='");
	return 0;
}

static int read_line(void *to, const char *text, size_t len,
		     struct pn_error *err)
{
	struct decoder *d = to;
	size_t i;

	if (!len || *text == '#')
		return 0;
	if (memchr(text, '\0', len))
		return bad_line(d, err, "a NUL byte, expected text");
	if (take(&text, &len, "snapshot="))
		return begin_snapshot(d, err);
	if (!d->count)
		return read_head_line(d, text, len, err);
	for (i = 0; i < FIELDS; i++)
		if (take(&text, &len, field_names[i]))
			return read_value(d, (enum field)i, text, len, err);
	if (take(&text, &len, "heap_tree="))
		return read_tree_kind(d, text, len, err);
	if (d->has_tree)
		return read_place(d, text, len, err);
	return bad_line(d, err, "expected a value of the snapshot");
}

static int read_lines(struct decoder *d, struct pn_error *err)
{
	int code = pn_lines_each(&d->lines, d, read_line, err);

	return code ? code : end_snapshot(d, err);
}

/* The snapshot that is reported: where the tree is, else the largest. */
static const struct snapshot *choose(const struct decoder *d)
{
	const struct snapshot *largest = d->snapshots;
	size_t i;

	if (d->chosen != SIZE_MAX)
		return &d->snapshots[d->chosen];
	for (i = 1; i < d->count; i++)
		if (sum(&d->snapshots[i]) > sum(largest))
			largest = &d->snapshots[i];
	return largest;
}

static void add_samples(struct decoder *d)
{
	const struct snapshot *s;
	size_t i;

	if (d->chosen == SIZE_MAX)
		return;
	s = &d->snapshots[d->chosen];
	for (i = 0; i < s->part_count; i++) {
		const struct part *part = &d->parts[s->first_part + i];
		union pn_value value = {.i = part->bytes};

		pn_profile_add_sample(d->p, part->stack, 0, &value);
	}
}

static void add_metrics(struct decoder *d)
{
	const struct snapshot *s = choose(d);
	const struct {
		const char *name;
		int64_t bytes;
	} figures[] = {
		{"peak", sum(s)},
		{"heap", s->values[HEAP]},
		{"heap-extra", s->values[EXTRA]},
		{"stacks", s->values[STACKS]},
	};
	size_t i;

	for (i = 0; i < sizeof(figures) / sizeof(*figures); i++) {
		double value = (double)figures[i].bytes;

		pn_profile_add_metric(d->p, figures[i].name, "bytes",
				      PN_BETTER_LESS, &value, 1);
	}
}

/* Of the heap, whose trees say what it is made of. */
static void add_parts(struct decoder *d, const struct snapshot *snapshot)
{
	size_t i;

	for (i = 0; i < snapshot->part_count; i++) {
		const struct part *part = &d->parts[snapshot->first_part + i];

		pn_curves_add_part(d->p, part->stack, (double)part->bytes);
	}
}

static void add_curves(struct decoder *d)
{
	static const char *const names[FIELDS] = {
		[HEAP] = "heap", [EXTRA] = "heap-extra", [STACKS] = "stacks"};
	struct pn_strtab *strings = &d->p->strings;
	uint32_t bytes = pn_strtab_add_text(strings, "bytes"), along;
	enum field field;
	size_t i;

	along = !strcmp(pn_profile_text(d->p, d->time_unit), "B")
			? bytes
			: d->time_unit;
	for (field = HEAP; field < FIELDS; field++) {
		pn_curves_add(d->p, pn_strtab_add_text(strings, names[field]),
			      bytes, along);
		for (i = 0; i < d->count; i++) {
			const struct snapshot *s = &d->snapshots[i];

			pn_curves_add_point(d->p, (double)s->values[TIME],
					    (double)s->values[field]);
			if (field == HEAP)
				add_parts(d, s);
		}
	}
}

static int read_all(struct decoder *d, struct pn_error *err)
{
	uint32_t type = pn_profile_add_type(d->p, "heap", "bytes");
	int code;

	d->p->types[type].better = PN_BETTER_LESS;
	d->p->types[type].role = PN_ROLE_PEAK;
	code = read_lines(d, err);
	if (code)
		return code;
	if (!d->count)
		return bad_line(d, err, "the file ends without a snapshot");
	add_samples(d);
	add_metrics(d);
	add_curves(d);
	pn_program_of_command(d->p);
	d->p->complete = false; /* how many places were below */
	return 0;
}

static int read_massif(struct pn_profile *out, struct pn_reader *in,
		       struct pn_error *err)
{
	struct decoder d = {.p = out, .chosen = SIZE_MAX};
	int code;

	d.lines.in = in;
	code = read_all(&d, err);
	pn_frames_release(&d.frames);
	free(d.snapshots);
	free(d.tree.places);
	free(d.parts);
	free(d.path);
	pn_buf_release(&d.tree.texts);
	free(d.open);
	if (code)
		pn_profile_release(out);
	return code;
}

/* "desc:" first, and a rule with "snapshot=" behind it. */
static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	static const char rule[] = "\n" RULE "\nsnapshot=";
	size_t n = sizeof(rule) - 1, i;

	if (len < 5 || (memcmp(bytes, "desc:", 5) && memcmp(bytes, "cmd: ", 5)))
		return PN_SNIFF_NO;
	for (i = 0; i + n <= len; i++)
		if (!memcmp(bytes + i, rule, n))
			return PN_SNIFF_SURE;
	return PN_SNIFF_NO;
}

const struct pn_codec pn_codec_massif = {
	.name = "massif",
	.summary = "massif's heap profile: its peak, and the curve",
	.languages = "c c++ rust",
	.made_by = "valgrind --tool=massif",
	.sniffed_by = "'desc:' or 'cmd:' first, and 'snapshot=' below a rule",
	.suffix = ".massif",
	.sniff = sniff,
	.read = read_massif,
};
