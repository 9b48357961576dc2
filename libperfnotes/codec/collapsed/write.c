/*
 * Collapsed stacks: writing. Inlined lines become frames of their own; a
 * frame without function is its mapping or address in brackets. Stacks that
 * read alike, as ones that differ in addresses do, are one line with the sum,
 * where the first of them was.
 */
#include "codec/collapsed/collapsed.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/number.h"
#include "model/unnamed.h"

#include <float.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWN "[unknown]" /* what has neither a name nor a place */

/* What is written behind a stack: one value, or baseline and target. */
struct sum {
	union pn_value values[2];
};

struct encoder {
	const struct pn_profile *p;
	struct pn_buf *out;
	struct pn_strtab names; /* of frames, each with a semicolon behind */
	/* ids of names, root first: of location i from starts[i] to
	 * starts[i + 1] */
	uint32_t *frames;
	size_t frame_count, frame_cap, *starts;
	struct pn_strtab lines; /* ids of names, from root to leaf */
	uint32_t *line_of;	/* the profile's stacks; 0: not known yet */
	struct sum *sums;	/* by id of the line */
	size_t sum_count, sum_cap;
	bool differential, free_too;
	size_t type; /* the value that is written, or the target */
	/* the blank before a number that ends a leaf's name is replaced */
	bool guard;
	size_t begin;
	bool plain; /* a line that cannot be taken for one of two numbers */
};

static bool is_type(const struct pn_profile *p, size_t type, const char *name)
{
	return !strcmp(pn_profile_text(p, p->types[type].type), name);
}

static bool is_differential(const struct pn_profile *p)
{
	return p->type_count == 2 && is_type(p, 0, PN_COLLAPSED_BASELINE) &&
	       is_type(p, 1, PN_COLLAPSED_TARGET);
}

/* In one of several columns, zeros say that a sample is about another, unless
 * all are. */
static bool has_free(const struct pn_profile *p, size_t type)
{
	size_t i;

	for (i = 0; i < p->sample_count; i++)
		if (p->values[i * p->type_count + type].i)
			return p->type_count == 1 || is_differential(p);
	return true;
}

/* What stands for a byte of a name, which may come from anywhere: what would
 * end a frame or a line is replaced. */
static char written(char byte)
{
	if (byte == ';')
		return ':';
	return byte == '\n' || byte == '\r' || !byte ? ' ' : byte;
}

static void put_name(struct pn_buf *out, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		pn_buf_add_byte(out, (unsigned char)written(name[i]));
}

static void put_unknown(struct pn_buf *out, const struct pn_profile *p,
			const struct pn_location *l)
{
	const char *file = "";

	if (l->mapping != PN_NONE)
		file = pn_file_basename(
			pn_profile_text(p, p->mappings[l->mapping].file));
	pn_buf_add_byte(out, '[');
	if (*file)
		put_name(out, file, strlen(file));
	else if (l->address)
		pn_buf_printf(out, "0x%" PRIx64, l->address);
	else
		pn_buf_add_text(out, "unknown");
	pn_buf_add_byte(out, ']');
}

static void add_frame(struct encoder *e, struct pn_buf *name)
{
	pn_buf_add_byte(name, ';');
	e->frames = pn_grow(e->frames, &e->frame_cap, e->frame_count + 1,
			    sizeof(*e->frames));
	e->frames[e->frame_count++] =
		pn_strtab_add(&e->names, pn_buf_text(name), name->len);
}

static void name_location(struct encoder *e, const struct pn_location *l)
{
	const struct pn_profile *p = e->p;
	struct pn_buf name = {0};
	uint32_t i;

	for (i = l->line_count; i-- > 0;) {
		const struct pn_line *line = &p->lines[l->line_first + i];
		uint32_t id = p->functions[line->function].name;

		pn_buf_clear(&name);
		put_name(&name, pn_profile_text(p, id),
			 pn_strtab_len(&p->strings, id));
		/* "" would leave a leaf's cost to its caller */
		if (!name.len)
			pn_buf_add_text(&name, UNKNOWN);
		add_frame(e, &name);
	}
	if (!l->line_count) {
		put_unknown(&name, p, l);
		add_frame(e, &name);
	}
	pn_buf_release(&name);
}

/* The frames of each location, once: stacks share them. */
static void name_locations(struct encoder *e)
{
	const struct pn_profile *p = e->p;
	size_t i;

	e->starts = pn_realloc_array(NULL, p->location_count + 1,
				     sizeof(*e->starts));
	for (i = 0; i < p->location_count; i++) {
		e->starts[i] = e->frame_count;
		name_location(e, &p->locations[i]);
	}
	e->starts[i] = e->frame_count;
}

/* The id of a stack's line; PN_NONE is no name and stands for no frame. */
static int find_line(uint32_t *out, struct encoder *e, uint32_t stack,
		     struct pn_buf *key, struct pn_error *err)
{
	static const uint32_t none = PN_NONE;
	const struct pn_profile *p = e->p;
	uint32_t i;

	if (e->line_of[stack]) {
		*out = e->line_of[stack];
		return 0;
	}
	pn_buf_clear(key);
	for (i = p->stack_start[stack + 1]; i-- > p->stack_start[stack];) {
		const size_t *at = &e->starts[p->frames[i]];

		pn_buf_add(key, e->frames + at[0],
			   (at[1] - at[0]) * sizeof(*e->frames));
	}
	if (!key->len)
		pn_buf_add(key, &none, sizeof(none));
	if (key->len > UINT32_MAX / 2)
		return pn_error_set(
			err, PN_ELIMIT, "a stack has more than %u frames",
			(unsigned int)(UINT32_MAX / 2 / sizeof(*e->frames)));
	*out = e->line_of[stack] =
		pn_strtab_add(&e->lines, pn_buf_text(key), key->len);
	return 0;
}

static int add_value(union pn_value *sum, const struct encoder *e,
		     size_t sample, size_t type, struct pn_error *err)
{
	const struct pn_profile *p = e->p;
	union pn_value v = p->values[sample * p->type_count + type];
	bool whole = p->types[type].number == PN_NUMBER_INT;

	if (whole ? v.i < 0 : !(v.d >= 0 && v.d <= DBL_MAX))
		return pn_error_set(err, PN_EINVAL,
				    "collapsed stacks have no negative "
				    "or infinite values, sample %zu has one",
				    sample);
	if (whole ? v.i > INT64_MAX - sum->i : sum->d + v.d > DBL_MAX)
		return pn_error_set(err, PN_ERANGE,
				    "the stack of sample %zu adds up to more "
				    "than a number can hold",
				    sample);
	if (whole)
		sum->i += v.i;
	else
		sum->d += v.d;
	return 0;
}

static bool is_changed(const struct pn_profile *p, uint32_t name)
{
	const char *text = pn_profile_text(p, name);
	size_t i, len = pn_strtab_len(&p->strings, name);

	for (i = 0; i < len; i++)
		if (written(text[i]) != text[i])
			return true;
	return false;
}

static void mark_stack(unsigned char *marks, const struct pn_profile *p,
		       uint32_t stack)
{
	uint32_t at, k;

	for (at = p->stack_start[stack]; at < p->stack_start[stack + 1]; at++) {
		const struct pn_location *l = &p->locations[p->frames[at]];

		for (k = 0; k < l->line_count; k++)
			marks[p->lines[l->line_first + k].function] = 1;
	}
}

size_t pn_collapsed_other_names(const struct pn_profile *p)
{
	unsigned char *marks = pn_calloc(p->function_count + 1, 1);
	size_t i, count = 0, type = pn_profile_default_type(p);
	bool free_too = has_free(p, type);

	for (i = 0; i < p->sample_count; i++)
		if (free_too || p->values[i * p->type_count + type].i)
			mark_stack(marks, p, p->samples[i].stack);
	for (i = 0; i < p->function_count; i++)
		count += marks[i] && is_changed(p, p->functions[i].name);
	free(marks);
	return count;
}

static union pn_value zero_of(const struct pn_profile *p, size_t type)
{
	return p->types[type].number == PN_NUMBER_INT
		       ? (union pn_value){.i = 0}
		       : (union pn_value){.d = 0};
}

static int add_sample(struct encoder *e, size_t i, struct pn_buf *key,
		      struct pn_error *err)
{
	const struct pn_profile *p = e->p;
	uint32_t line;
	int code;

	if (!e->free_too && !p->values[i * p->type_count + e->type].i)
		return 0;
	code = find_line(&line, e, p->samples[i].stack, key, err);
	if (code)
		return code;
	if (line >= e->sum_count) {
		e->sums = pn_grow(e->sums, &e->sum_cap, line + (size_t)1,
				  sizeof(*e->sums));
		e->sums[line].values[0] = zero_of(p, 0);
		e->sums[line].values[1] = zero_of(p, e->type);
		e->sum_count = line + (size_t)1;
	}
	if (e->differential)
		code = add_value(&e->sums[line].values[0], e, i, 0, err);
	if (!code)
		code = add_value(&e->sums[line].values[1], e, i, e->type, err);
	return code;
}

static int add_samples(struct encoder *e, struct pn_error *err)
{
	struct pn_buf key = {0};
	size_t i;
	int code = 0;

	e->line_of = pn_calloc(e->p->stack_count + 1, sizeof(*e->line_of));
	for (i = 0; !code && i < e->p->sample_count; i++)
		code = add_sample(e, i, &key, err);
	pn_buf_release(&key);
	return code;
}

/* The last blank of a stack when a number follows it, else its end. */
static size_t number_at_end(const unsigned char *text, size_t len)
{
	size_t at = len;
	bool point = false;

	while (at && text[at - 1] != ' ' && text[at - 1] != '\t') {
		unsigned char c = text[--at];

		if ((c < '0' || c > '9') && (c != '.' || point))
			return len;
		point |= c == '.';
	}
	if (!at || at == len || text[at] == '.' ||
	    len - at > PN_COLLAPSED_COUNT_MAX)
		return len;
	return at - 1;
}

static void put_stack(struct encoder *e, uint32_t line)
{
	const char *key = pn_strtab_text(&e->lines, line);
	size_t len = pn_strtab_len(&e->lines, line), start = e->out->len, i, at;
	uint32_t id;

	pn_buf_reserve(e->out, 1); /* a pointer to look back from */
	for (i = 0; i < len; i += sizeof(id)) {
		memcpy(&id, key + i, sizeof(id));
		pn_buf_add(e->out, pn_strtab_text(&e->names, id),
			   pn_strtab_len(&e->names, id));
	}
	if (e->out->len > start)
		e->out->len--; /* the last semicolon */
	at = number_at_end(e->out->data + start, e->out->len - start);
	if (at == e->out->len - start)
		e->plain |= start - e->begin < PN_COLLAPSED_DECIDE_BYTES / 2;
	else if (e->guard)
		e->out->data[start + at] = '_';
}

/* "1.5e-07" without its exponent, which readers do not know. */
static void put_decimal(struct pn_buf *out, const char *text)
{
	const char *e = strchr(text, 'e'), *c;
	char digits[PN_NUMBER_TEXT];
	int64_t exponent = 0, point = 0, count = 0, i;

	if (!e) {
		pn_buf_add_text(out, text);
		return;
	}
	pn_number_int(&exponent, e + 1, strlen(e + 1));
	for (c = text; c < e; c++) {
		if (*c == '.')
			point = count;
		else
			digits[count++] = *c;
	}
	point = (point ? point : count) + exponent;
	if (point <= 0)
		pn_buf_add_text(out, "0.");
	for (i = point; i < 0; i++)
		pn_buf_add_byte(out, '0');
	for (i = 0; i < count || i < point; i++) {
		if (i && i == point)
			pn_buf_add_byte(out, '.');
		pn_buf_add_byte(out,
				(unsigned char)(i < count ? digits[i] : '0'));
	}
}

static void put_value(struct encoder *e, union pn_value v, size_t type)
{
	char text[PN_NUMBER_TEXT];

	pn_buf_add_byte(e->out, ' ');
	if (e->p->types[type].number == PN_NUMBER_INT) {
		pn_buf_printf(e->out, "%" PRId64, v.i);
	} else {
		pn_number_write(text, v.d, false);
		put_decimal(e->out, text);
	}
}

/* Id 0 is no line. */
static void put_lines(struct encoder *e)
{
	uint32_t i;

	for (i = 1; i < e->sum_count; i++) {
		put_stack(e, i);
		if (e->differential)
			put_value(e, e->sums[i].values[0], 0);
		put_value(e, e->sums[i].values[1], e->type);
		pn_buf_add_byte(e->out, '\n');
	}
}

/* A name that begins like a mark of UTF-16 or UTF-8, or like packed bytes, is
 * told apart from one by a mark before it. */
static void protect_begin(struct encoder *e)
{
	static const char mark[] = "\xef\xbb\xbf";
	static const struct {
		const char *bytes;
		size_t len;
	} begins[] = {{mark, 3},
		      {"\xff\xfe", 2},
		      {"\xfe\xff", 2},
		      {"\x1f\x8b", 2},
		      {"\x28\xb5\x2f\xfd", 4}};
	size_t len = e->out->len - e->begin, i;
	unsigned char *at;

	for (i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (len >= begins[i].len &&
		    !memcmp(e->out->data + e->begin, begins[i].bytes,
			    begins[i].len))
			break;
	if (i == sizeof(begins) / sizeof(*begins))
		return;
	pn_buf_reserve(e->out, 3);
	at = e->out->data + e->begin;
	memmove(at + 3, at, len + 1);
	memcpy(at, mark, 3);
	e->out->len += 3;
}

static void release(struct encoder *e)
{
	pn_strtab_release(&e->names);
	pn_strtab_release(&e->lines);
	free(e->frames);
	free(e->starts);
	free(e->line_of);
	free(e->sums);
}

static int write_named(struct pn_buf *out, const struct pn_profile *profile,
		       struct pn_error *err)
{
	struct encoder e = {.p = profile, .out = out, .begin = out->len};
	int code;

	if (!profile->sample_count)
		return pn_error_set(err, PN_EINVAL,
				    "collapsed stacks need samples with "
				    "stacks, the profile has none");
	e.type = pn_profile_default_type(profile);
	e.differential = is_differential(profile);
	if (e.differential)
		e.type = 1;
	e.free_too = has_free(profile, e.type);
	name_locations(&e);
	code = add_samples(&e, err);
	if (!code)
		put_lines(&e);
	if (!code && !e.plain && !e.differential) {
		out->len = e.begin;
		e.guard = true;
		put_lines(&e);
	}
	if (!code)
		protect_begin(&e);
	release(&e);
	return code;
}

int pn_collapsed_write(struct pn_buf *out, const struct pn_profile *profile,
		       struct pn_error *err)
{
	return pn_unnamed_write(out, profile, write_named, err);
}
