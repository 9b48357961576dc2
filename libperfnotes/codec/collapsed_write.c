/*
 * Collapsed stacks: writing. Inlined lines become frames of their own; a
 * frame without function is its mapping or address in brackets.
 */
#include "codec/collapsed.h"

#include "base/alloc.h"
#include "base/number.h"

#include <float.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct encoder {
	const struct pn_profile *p;
	struct pn_buf *out;
	struct pn_buf names; /* of locations, from starts[i] to starts[i + 1] */
	size_t *starts;
	bool differential;
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

/* Names come from anywhere: what would end a frame or a line is replaced. */
static void put_name(struct pn_buf *out, const char *name, size_t len)
{
	unsigned char *at;
	size_t i;

	pn_buf_add(out, name, len);
	at = out->data + out->len - len;
	for (i = 0; i < len; i++) {
		if (at[i] == ';')
			at[i] = ':';
		else if (at[i] == '\n' || at[i] == '\r' || at[i] == '\0')
			at[i] = ' ';
	}
}

static void put_unknown(struct pn_buf *out, const struct pn_profile *p,
			const struct pn_location *l)
{
	const char *file = "", *slash;

	if (l->mapping != PN_NONE)
		file = pn_profile_text(p, p->mappings[l->mapping].file);
	slash = strrchr(file, '/');
	if (slash)
		file = slash + 1;
	pn_buf_add_byte(out, '[');
	if (*file)
		put_name(out, file, strlen(file));
	else if (l->address)
		pn_buf_printf(out, "0x%" PRIx64, l->address);
	else
		pn_buf_add_text(out, "unknown");
	pn_buf_add_text(out, "];");
}

/* Each frame is followed by a semicolon. */
static void put_location(struct pn_buf *out, const struct pn_profile *p,
			 const struct pn_location *l)
{
	uint32_t i;

	for (i = l->line_count; i-- > 0;) {
		const struct pn_line *line = &p->lines[l->line_first + i];
		uint32_t name = p->functions[line->function].name;

		put_name(out, pn_profile_text(p, name),
			 pn_strtab_len(&p->strings, name));
		pn_buf_add_byte(out, ';');
	}
	if (!l->line_count)
		put_unknown(out, p, l);
}

/* The text of each location, once: stacks share them. */
static void name_locations(struct encoder *e)
{
	const struct pn_profile *p = e->p;
	size_t i;

	e->starts = pn_realloc_array(NULL, p->location_count + 1,
				     sizeof(*e->starts));
	for (i = 0; i < p->location_count; i++) {
		e->starts[i] = e->names.len;
		put_location(&e->names, p, &p->locations[i]);
	}
	e->starts[i] = e->names.len;
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

static void put_stack(struct encoder *e, uint32_t stack)
{
	const struct pn_profile *p = e->p;
	size_t start = e->out->len, at;
	uint32_t i;

	pn_buf_reserve(e->out, 1); /* a pointer to look back from */
	for (i = p->stack_start[stack + 1]; i-- > p->stack_start[stack];) {
		const size_t *name = &e->starts[p->frames[i]];

		pn_buf_add(e->out, e->names.data + name[0], name[1] - name[0]);
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

static int put_value(struct encoder *e, size_t sample, size_t type,
		     struct pn_error *err)
{
	const struct pn_profile *p = e->p;
	union pn_value v = p->values[sample * p->type_count + type];
	bool whole = p->types[type].number == PN_NUMBER_INT;
	char text[PN_NUMBER_TEXT];

	if (whole ? v.i < 0 : !(v.d >= 0 && v.d <= DBL_MAX))
		return pn_error_set(err, PN_EINVAL,
				    "collapsed stacks have no negative "
				    "or infinite values, sample %zu has one",
				    sample);
	pn_buf_add_byte(e->out, ' ');
	if (whole) {
		pn_buf_printf(e->out, "%" PRId64, v.i);
	} else {
		pn_number_write(text, v.d, false);
		put_decimal(e->out, text);
	}
	return 0;
}

static int put_sample(struct encoder *e, size_t i, struct pn_error *err)
{
	const struct pn_profile *p = e->p;
	int code = 0;

	/* in one of several columns, zeros say that it is about another */
	if (p->type_count > 1 && !e->differential &&
	    !p->values[i * p->type_count + e->type].i)
		return 0;
	put_stack(e, p->samples[i].stack);
	if (e->differential)
		code = put_value(e, i, 0, err);
	if (!code)
		code = put_value(e, i, e->type, err);
	pn_buf_add_byte(e->out, '\n');
	return code;
}

static int put_samples(struct encoder *e, struct pn_error *err)
{
	size_t i;

	for (i = 0; i < e->p->sample_count; i++)
		if (put_sample(e, i, err))
			return PN_EINVAL;
	return 0;
}

/* A name that begins like a mark of UTF-16 or UTF-8 is told apart from one
 * by a mark before it. */
static void protect_begin(struct encoder *e)
{
	static const char mark[] = "\xef\xbb\xbf";
	size_t len = e->out->len - e->begin;
	unsigned char *at;

	if (len < 3)
		return;
	at = e->out->data + e->begin;
	if (memcmp(at, mark, 3) && memcmp(at, "\xff\xfe", 2) &&
	    memcmp(at, "\xfe\xff", 2))
		return;
	pn_buf_reserve(e->out, 3);
	at = e->out->data + e->begin;
	memmove(at + 3, at, len + 1);
	memcpy(at, mark, 3);
	e->out->len += 3;
}

int pn_collapsed_write(struct pn_buf *out, const struct pn_profile *profile,
		       struct pn_error *err)
{
	struct encoder e = {.p = profile, .out = out, .begin = out->len};
	int code;

	if (!profile->sample_count)
		return pn_error_set(err, PN_EINVAL,
				    "collapsed stacks need samples with "
				    "stacks, the profile has none");
	e.type = pn_profile_default_type(profile);
	e.differential = profile->type_count == 2 &&
			 is_type(profile, 0, PN_COLLAPSED_BASELINE) &&
			 is_type(profile, 1, PN_COLLAPSED_TARGET);
	if (e.differential)
		e.type = 1;
	name_locations(&e);
	code = put_samples(&e, err);
	if (!code && !e.plain && !e.differential) {
		out->len = e.begin;
		e.guard = true;
		code = put_samples(&e, err);
	}
	if (code)
		out->len = e.begin;
	else
		protect_begin(&e);
	pn_buf_release(&e.names);
	free(e.starts);
	return code;
}
