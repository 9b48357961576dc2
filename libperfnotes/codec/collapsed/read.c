/*
 * Collapsed stacks: reading. A line is "root;...;leaf count"; the last blank
 * splits, so that names of frames may hold blanks. Where every line ends in
 * two numbers they are a baseline and a target, as difffolded.pl of
 * github.com/brendangregg/FlameGraph writes them. Other lines are ignored.
 */
#include "codec/collapsed/collapsed.h"

#include "base/alloc.h"
#include "base/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES (64u << 20)
#define LINE_STEP 4096	 /* how far to look for the end of a line at first */
#define DOUBLE_DIGITS 15 /* a double keeps so many, DBL_DIG */
#define DOUBLE_WHOLE ((int64_t)1 << 53) /* and every integer up to here */

/* A line taken apart. `text` is the stack. */
struct stack_line {
	const char *text;
	size_t len;
	union pn_value value;
	bool fractional; /* which arm of value */
	bool exact;	 /* the value stands for all digits of the text */
};

/* Of a stack's text. */
struct frame {
	uint32_t location;
	size_t end; /* where it ends in the text */
};

struct decoder {
	struct pn_profile *p;
	uint32_t *location_of; /* by string: a frame's location + 1 */
	size_t location_cap;
	struct pn_buf stack;  /* text of the last line's */
	struct frame *frames; /* of it, leaf last */
	size_t frame_count, frame_cap;
	uint32_t *leaf_first; /* the same, as the profile has them */
	size_t leaf_first_cap;
	struct pn_buf undecided; /* lines of two numbers, all so far */
	bool decided;
	int64_t sums[2]; /* of columns that hold integers so far */
	uint64_t line;	 /* number of the line, from 1 */
	uint64_t first_ignored;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* digits, or digits with a point and maybe more digits */
static bool is_count(const char *text, size_t len, bool *point)
{
	size_t i;

	*point = false;
	if (!len || len > PN_COLLAPSED_COUNT_MAX || text[0] == '.')
		return false;
	for (i = 0; i < len; i++) {
		if (text[i] == '.' && !*point)
			*point = true;
		else if (text[i] < '0' || text[i] > '9')
			return false;
	}
	return true;
}

static bool read_count(struct stack_line *out, const char *text, size_t len)
{
	bool point;

	if (!is_count(text, len, &point))
		return false;
	while (point && text[len - 1] == '0')
		len--;
	if (text[len - 1] == '.')
		len--;
	out->exact = true;
	out->fractional = false;
	if (pn_number_int(&out->value.i, text, len))
		return true;
	out->fractional = true;
	out->exact = len <= DOUBLE_DIGITS;
	return pn_number_double(&out->value.d, text, len);
}

/* Split at the last blank; false when there is no count behind it. */
static bool split_line(struct stack_line *out, const char *text, size_t len)
{
	size_t at = len;

	while (at && !is_blank(text[at - 1]))
		at--;
	if (!at || !read_count(out, text + at, len - at))
		return false;
	out->text = text;
	out->len = at - 1;
	return true;
}

static uint32_t location_of(struct decoder *d, const char *name, size_t len)
{
	struct pn_profile *p = d->p;
	struct pn_function function = {0};
	struct pn_location location = {.mapping = PN_NONE};
	struct pn_line line = {0};
	size_t had = d->location_cap;

	function.name = pn_strtab_add(&p->strings, name, len);
	d->location_of =
		pn_grow(d->location_of, &d->location_cap,
			(size_t)function.name + 1, sizeof(*d->location_of));
	if (d->location_cap > had)
		memset(d->location_of + had, 0,
		       (d->location_cap - had) * sizeof(*d->location_of));
	if (!d->location_of[function.name]) {
		line.function = pn_profile_add_function(p, &function);
		d->location_of[function.name] =
			pn_profile_add_location(p, &location, &line, 1) + 1;
	}
	return d->location_of[function.name] - 1;
}

/* How many frames the stack has in common with that of the last line: lines
 * are mostly sorted, so that many begin alike. */
static size_t common_frames(const struct decoder *d, const char *text,
			    size_t len)
{
	const char *last = pn_buf_text(&d->stack);
	size_t most = len < d->stack.len ? len : d->stack.len, same = 0, n = 0;

	while (same < most && text[same] == last[same])
		same++;
	/* without text there is no frame, not one without a name */
	while (len && n < d->frame_count && d->frames[n].end <= same &&
	       (d->frames[n].end == len || text[d->frames[n].end] == ';'))
		n++;
	return n;
}

/* The frames of a stack behind the first `count`, which are there. */
static int read_frames(struct decoder *d, size_t count, const char *text,
		       size_t len, struct pn_error *err)
{
	const char *at = text, *end = text + len, *semicolon;

	d->frame_count = count;
	if (count)
		at += d->frames[count - 1].end + 1;
	while (len && at <= end) {
		semicolon = memchr(at, ';', (size_t)(end - at));
		if (!semicolon)
			semicolon = end;
		/* it is written as "[unknown]" */
		if (semicolon == at)
			d->p->complete = false;
		if (d->frame_count == PN_MAX_STACK_DEPTH)
			return pn_error_set(err, PN_ELIMIT,
					    "line %" PRIu64
					    ": more than %u frames",
					    d->line, PN_MAX_STACK_DEPTH);
		d->frames = pn_grow(d->frames, &d->frame_cap,
				    d->frame_count + 1, sizeof(*d->frames));
		d->frames[d->frame_count].location =
			location_of(d, at, (size_t)(semicolon - at));
		d->frames[d->frame_count++].end = (size_t)(semicolon - text);
		at = semicolon + 1;
	}
	return 0;
}

static int read_stack(uint32_t *out, struct decoder *d,
		      const struct stack_line *line, struct pn_error *err)
{
	size_t common = common_frames(d, line->text, line->len), i;
	int code = read_frames(d, common, line->text, line->len, err);

	if (code)
		return code;
	if (d->p->frame_count + d->frame_count >= PN_NONE)
		return pn_error_set(err, PN_ELIMIT,
				    "line %" PRIu64
				    ": more than %u frames in all",
				    d->line, PN_NONE - 1);
	pn_buf_clear(&d->stack);
	pn_buf_add(&d->stack, line->text, line->len);
	d->leaf_first = pn_grow(d->leaf_first, &d->leaf_first_cap,
				d->frame_count, sizeof(*d->leaf_first));
	for (i = 0; i < d->frame_count; i++)
		d->leaf_first[i] = d->frames[d->frame_count - 1 - i].location;
	*out = pn_profile_add_stack(d->p, d->leaf_first, d->frame_count);
	return 0;
}

/* From the first fraction on, or where integers add up to more than 64 bits
 * hold, a column holds doubles. */
static void make_fractional(struct pn_profile *p, size_t type)
{
	size_t i;

	p->types[type].number = PN_NUMBER_DOUBLE;
	for (i = 0; i < p->sample_count; i++) {
		union pn_value *v = &p->values[i * p->type_count + type];

		if (v->i > DOUBLE_WHOLE)
			p->complete = false;
		v->d = (double)v->i;
	}
}

static union pn_value column_value(struct decoder *d, size_t type,
				   const struct stack_line *line)
{
	struct pn_profile *p = d->p;
	union pn_value value = line->value;

	if (!line->exact)
		p->complete = false;
	if (p->types[type].number == PN_NUMBER_INT &&
	    (line->fractional || value.i > INT64_MAX - d->sums[type]))
		make_fractional(p, type);
	if (!line->fractional && p->types[type].number == PN_NUMBER_DOUBLE) {
		if (value.i > DOUBLE_WHOLE)
			p->complete = false;
		value.d = (double)line->value.i;
	}
	if (p->types[type].number == PN_NUMBER_INT)
		d->sums[type] += value.i;
	return value;
}

static void ignore(struct decoder *d)
{
	d->p->complete = false;
	if (!d->first_ignored)
		d->first_ignored = d->line;
}

/* flamegraph.pl splits so that frames without a name at the leaf's end are
 * none; heaptrack_print -F writes "main;f; 3". */
static void cut_empty_leaves(struct decoder *d, struct stack_line *line)
{
	if (!line->len || line->text[line->len - 1] != ';')
		return;
	d->p->complete = false;
	while (line->len && line->text[line->len - 1] == ';')
		line->len--;
}

/* A line when it is known how many numbers lines end in. */
static int read_decided(struct decoder *d, const char *text, size_t len,
			struct pn_error *err)
{
	struct pn_profile *p = d->p;
	struct stack_line line, before;
	union pn_value values[2];
	uint32_t stack;
	int code;

	if (!split_line(&line, text, len)) {
		ignore(d);
		return 0;
	}
	before = line;
	if (p->type_count == 2 && !split_line(&before, line.text, line.len))
		return pn_error_set(err, PN_EINVAL,
				    "line %" PRIu64
				    ": expected two numbers at its end, as "
				    "the lines before have",
				    d->line);
	cut_empty_leaves(d, &before);
	code = read_stack(&stack, d, &before, err);
	if (code)
		return code;
	values[0] = column_value(d, 0, &before);
	if (p->type_count == 2)
		values[1] = column_value(d, 1, &line);
	pn_profile_add_sample(p, stack, 0, values);
	return 0;
}

/* Settle how many numbers lines end in, and read those that waited. */
static int decide(struct decoder *d, bool differential, struct pn_error *err)
{
	const struct pn_buf *lines = &d->undecided;
	uint64_t line = d->line;
	size_t at = 0, len;
	int code = 0;

	d->decided = true;
	if (differential) {
		pn_profile_add_type(d->p, PN_COLLAPSED_BASELINE, "count");
		pn_profile_add_type(d->p, PN_COLLAPSED_TARGET, "count");
	} else {
		pn_profile_add_type(d->p, "samples", "count");
	}
	for (; !code && at < lines->len; at += len) {
		memcpy(&d->line, lines->data + at, sizeof(d->line));
		at += sizeof(d->line);
		memcpy(&len, lines->data + at, sizeof(len));
		at += sizeof(len);
		code = read_decided(d, (const char *)lines->data + at, len,
				    err);
	}
	pn_buf_release(&d->undecided);
	d->line = line;
	return code;
}

static int read_line(struct decoder *d, const char *text, size_t len,
		     struct pn_error *err)
{
	struct stack_line line, before;
	int code;

	d->line++;
	while (len && (is_blank(text[len - 1]) || text[len - 1] == '\r'))
		len--;
	if (!len)
		return 0;
	if (memchr(text, '\0', len))
		return pn_error_set(
			err, PN_EINVAL,
			"line %" PRIu64 ": a NUL byte, expected text", d->line);
	/* what ends lines elsewhere is not written into a name */
	if (memchr(text, '\r', len))
		d->p->complete = false;
	if (d->decided)
		return read_decided(d, text, len, err);
	if (!split_line(&line, text, len)) {
		ignore(d);
		return 0;
	}
	if (!split_line(&before, line.text, line.len)) {
		code = decide(d, false, err);
		return code ? code : read_decided(d, text, len, err);
	}
	pn_buf_add(&d->undecided, &d->line, sizeof(d->line));
	pn_buf_add(&d->undecided, &len, sizeof(len));
	pn_buf_add(&d->undecided, text, len);
	if (d->undecided.len > PN_COLLAPSED_DECIDE_BYTES)
		return decide(d, true, err);
	return 0;
}

/* UTF-8 may begin with a mark, which says nothing; UTF-16 does. */
static int read_mark(struct pn_reader *in, struct pn_error *err)
{
	const unsigned char *at;
	size_t have;
	int code = pn_reader_peek(&at, &have, in, 3, err);

	if (code)
		return code;
	if (have >= 2 && ((at[0] == 0xff && at[1] == 0xfe) ||
			  (at[0] == 0xfe && at[1] == 0xff)))
		return pn_error_set(err, PN_EINVAL,
				    "the text is UTF-16, expected UTF-8 "
				    "(iconv -f UTF-16 -t UTF-8 converts it)");
	if (have >= 3 && !memcmp(at, "\xef\xbb\xbf", 3))
		pn_reader_consume(in, 3);
	return 0;
}

/* All lines that end in this window; *used is where the last one ends. */
static int read_window(size_t *used, struct decoder *d, const unsigned char *at,
		       size_t have, struct pn_error *err)
{
	const unsigned char *from = at, *end = at + have, *lf;
	int code = 0;

	while (!code && (lf = memchr(at, '\n', (size_t)(end - at)))) {
		code = read_line(d, (const char *)at, (size_t)(lf - at), err);
		at = lf + 1;
	}
	*used = (size_t)(at - from);
	return code;
}

static int read_lines(struct decoder *d, struct pn_reader *in,
		      struct pn_error *err)
{
	const unsigned char *at;
	size_t have, used, want = LINE_STEP;
	int code;

	for (;;) {
		code = pn_reader_peek(&at, &have, in, want, err);
		if (!code)
			code = read_window(&used, d, at, have, err);
		if (code)
			return code;
		pn_reader_consume(in, used);
		if (have < want)
			return read_line(d, (const char *)at + used,
					 have - used, err);
		want = used ? LINE_STEP : have * 2;
		if (want > LINE_MAX_BYTES)
			return pn_error_set(err, PN_ELIMIT,
					    "line %" PRIu64
					    ": more than %u bytes",
					    d->line + 1, LINE_MAX_BYTES);
	}
}

int pn_collapsed_read(struct pn_profile *out, struct pn_reader *in,
		      struct pn_error *err)
{
	struct decoder d = {.p = out};
	int code = read_mark(in, err);

	if (!code)
		code = read_lines(&d, in, err);
	if (!code && !d.decided)
		code = decide(&d, d.undecided.len > 0, err);
	if (!code && !out->sample_count)
		code = pn_error_set(err, PN_EINVAL,
				    "line %" PRIu64 ": missing count, expected "
				    "'frame;frame count'",
				    d.first_ignored ? d.first_ignored : 1);
	free(d.location_of);
	free(d.frames);
	free(d.leaf_first);
	pn_buf_release(&d.stack);
	pn_buf_release(&d.undecided);
	if (code)
		pn_profile_release(out);
	return code;
}
