/*
 * The map of memory behind a profile, as /proc/self/maps shows it (proc(5)),
 * or in short, as servers print it: "400000-fcb000: /usr/bin/x".
 * What is done to it is what pprof does, so that locations agree.
 */
#include "codec/gperftools/gperftools.h"

#include "base/alloc.h"
#include "codec/program.h"

#include <stdlib.h>
#include <string.h>

#define PROGRAM_START 0x400000 /* where ld puts one that cannot move */

static bool take_hex(uint64_t *out, const char **text, size_t *len)
{
	size_t n = 0;
	uint64_t value = 0;

	while (n < *len && n < 16) {
		char c = (*text)[n];

		if (c >= '0' && c <= '9')
			value = value << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			value = value << 4 | (uint64_t)(c - 'a' + 10);
		else if (c >= 'A' && c <= 'F')
			value = value << 4 | (uint64_t)(c - 'A' + 10);
		else
			break;
		n++;
	}
	*out = value;
	*text += n;
	*len -= n;
	return n > 0;
}

static bool take_byte(char byte, const char **text, size_t *len)
{
	if (!*len || **text != byte)
		return false;
	++*text;
	--*len;
	return true;
}

static bool take_blanks(const char **text, size_t *len)
{
	size_t had = *len;

	while (take_byte(' ', text, len) || take_byte('\t', text, len))
		;
	return had != *len;
}

/* "00:1f", a device, or digits, an inode. */
static bool skip_hex(const char **text, size_t *len)
{
	uint64_t value;

	return take_hex(&value, text, len);
}

/* What a mapping may do, "r-xp"; without, it may be executed. */
static bool take_rights(bool *executable, const char **text, size_t *len)
{
	size_t n = 0;

	*executable = true;
	while (n < *len && strchr("rwxsp-", (*text)[n]))
		n++;
	if (!n || (n < *len && (*text)[n] != ' ' && (*text)[n] != '\t'))
		return false;
	*executable = memchr(*text, 'x', n) != NULL;
	*text += n;
	*len -= n;
	return true;
}

/* The kernel's: "00001000 08:01 1234   /lib/x", with blanks before it. */
static bool read_proc(struct pn_mapping *out, const char **text, size_t *len)
{
	return take_blanks(text, len) && take_hex(&out->offset, text, len) &&
	       take_blanks(text, len) && skip_hex(text, len) &&
	       take_byte(':', text, len) && skip_hex(text, len) &&
	       take_blanks(text, len) && skip_hex(text, len);
}

static size_t word(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && text[n] != ' ' && text[n] != '\t')
		n++;
	return n;
}

/* What servers print of themselves: "/lib/x (@1000) build-id". */
static void read_brief(struct pn_mapping *out, struct pn_profile *p,
		       const char *text, size_t len)
{
	size_t n;

	take_blanks(&text, &len);
	n = word(text, len);
	out->file = pn_strtab_add(&p->strings, text, n);
	text += n;
	len -= n;
	take_blanks(&text, &len);
	if (len > 2 && !memcmp(text, "(@", 2)) {
		text += 2;
		len -= 2;
		if (!take_hex(&out->offset, &text, &len) ||
		    !take_byte(')', &text, &len))
			return;
		take_blanks(&text, &len);
	}
	out->build_id = pn_strtab_add(&p->strings, text, word(text, len));
}

static void skip_prefix(const char **text, size_t *len)
{
	if (*len > 2 && !memcmp(*text, "0x", 2)) {
		*text += 2;
		*len -= 2;
	}
}

/* "7f00-7f08 r-xp", or with a colon and without the rights. */
static bool read_range(struct pn_mapping *out, bool *executable,
		       const char **text, size_t *len)
{
	take_blanks(text, len);
	skip_prefix(text, len);
	if (!take_hex(&out->start, text, len) || !take_byte('-', text, len))
		return false;
	skip_prefix(text, len);
	if (!take_hex(&out->limit, text, len))
		return false;
	take_byte(':', text, len);
	if (*len && !take_blanks(text, len))
		return false;
	take_rights(executable, text, len);
	return out->start < out->limit;
}

void pn_gperftools_map_line(struct pn_profile *p, const char *text, size_t len)
{
	struct pn_mapping mapping = {0};
	bool executable;
	const char *rest;
	size_t left;

	if (!read_range(&mapping, &executable, &text, &len) || !executable)
		return;
	rest = text;
	left = len;
	if (read_proc(&mapping, &rest, &left)) {
		take_blanks(&rest, &left);
		mapping.file = pn_strtab_add(&p->strings, rest, left);
	} else {
		mapping.offset = 0;
		read_brief(&mapping, p, text, len);
	}
	pn_profile_add_mapping(p, &mapping);
}

static bool are_adjacent(const struct pn_mapping *a, const struct pn_mapping *b)
{
	if ((a->file && b->file && a->file != b->file) || a->limit != b->start)
		return false;
	return !a->offset || !b->offset ||
	       a->offset + (a->limit - a->start) == b->offset;
}

static void join(struct pn_profile *p)
{
	size_t i, kept = 0;

	for (i = 1; i < p->mapping_count; i++) {
		struct pn_mapping *last = &p->mappings[kept];

		if (!are_adjacent(last, &p->mappings[i])) {
			p->mappings[++kept] = p->mappings[i];
			continue;
		}
		last->limit = p->mappings[i].limit;
		if (p->mappings[i].file)
			last->file = p->mappings[i].file;
	}
	if (p->mapping_count)
		p->mapping_count = kept + 1;
}

/* What was first takes its place: no location has a mapping so far. */
static void put_program_first(struct pn_profile *p)
{
	uint32_t at = pn_program_guess(p);

	if (at != PN_NONE) {
		struct pn_mapping program = p->mappings[at];

		p->mappings[at] = p->mappings[0];
		p->mappings[0] = program;
	}
	if (p->mapping_count &&
	    p->mappings[0].start - p->mappings[0].offset == PROGRAM_START) {
		p->mappings[0].start = PROGRAM_START;
		p->mappings[0].offset = 0;
	}
}

struct by_start {
	uint64_t start;
	uint32_t mapping;
};

static int compare(const void *a, const void *b)
{
	const struct by_start *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->mapping < y->mapping ? -1 : x->mapping > y->mapping;
}

/* The first mapping that starts behind the address; `count`: none. */
static size_t behind(const struct by_start *sorted, size_t count,
		     uint64_t address)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (sorted[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* A map may lack the first part of a file: the offset of the next one tells
 * how far it reaches. */
static uint32_t mapping_of(struct pn_profile *p, struct by_start *sorted,
			   uint64_t address)
{
	size_t at = behind(sorted, p->mapping_count, address);
	struct pn_mapping *next;

	if (at && address < p->mappings[sorted[at - 1].mapping].limit)
		return sorted[at - 1].mapping;
	if (at == p->mapping_count)
		return PN_NONE;
	next = &p->mappings[sorted[at].mapping];
	if (!next->offset || next->offset > next->start ||
	    address < next->start - next->offset)
		return PN_NONE;
	next->start -= next->offset;
	next->offset = 0;
	sorted[at].start = next->start;
	return sorted[at].mapping;
}

void pn_gperftools_map_end(struct pn_profile *p)
{
	struct by_start *sorted;
	size_t i;

	join(p);
	put_program_first(p);
	sorted = pn_calloc(p->mapping_count + 1, sizeof(*sorted));
	for (i = 0; i < p->mapping_count; i++) {
		sorted[i].start = p->mappings[i].start;
		sorted[i].mapping = (uint32_t)i;
	}
	qsort(sorted, p->mapping_count, sizeof(*sorted), compare);
	for (i = 0; i < p->location_count; i++)
		if (p->locations[i].address)
			p->locations[i].mapping =
				mapping_of(p, sorted, p->locations[i].address);
	free(sorted);
}
