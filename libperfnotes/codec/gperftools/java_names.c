/* The list of frames behind the samples of a Java program. */
#include "codec/gperftools/gperftools.h"
#include "codec/gperftools/java.h"

#include "base/alloc.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

#define STUB "generated stub/JIT"

static void trim(const char **text, size_t *len)
{
	while (*len && strchr(" \t", **text)) {
		++*text;
		--*len;
	}
	while (*len && strchr(" \t", (*text)[*len - 1]))
		--*len;
}

/* "source.java:31": the line is 0 where none is known, as -1 says as well. */
static bool split_place(size_t *file, int64_t *line, const char *text,
			size_t len)
{
	size_t colon = len;

	while (colon && text[colon - 1] != ':')
		colon--;
	if (colon < 2 || !pn_number_int(line, text + colon, len - colon))
		return false;
	if (*line < 0)
		*line = 0;
	*file = colon - 1;
	return true;
}

static size_t base_name(const char *text, size_t len)
{
	while (len && text[len - 1] != '/')
		len--;
	return len;
}

static bool has_stub(const char *text, size_t len)
{
	const size_t n = sizeof(STUB) - 1;

	for (; len >= n; text++, len--)
		if (!memcmp(text, STUB, n))
			return true;
	return false;
}

/* "f (A.java:3)", "f (/lib/libjvm.so)", or a state such as "GC". */
static void fill(struct pn_frame *out, struct pn_profile *p, const char *text,
		 size_t len)
{
	const char *place;
	size_t open = len, inside, file = 0;

	if (len && text[len - 1] == ')')
		while (open && text[open - 1] != '(')
			open--;
	if (open < 2 || open == len || !strchr(" \t", text[open - 2])) {
		out->name = has_stub(text, len)
				    ? pn_strtab_add_text(&p->strings, "STUB")
				    : pn_strtab_add(&p->strings, text, len);
		return;
	}
	place = text + open;
	inside = len - open - 1;
	if (!split_place(&file, &out->line, place, inside)) {
		size_t base = base_name(place, inside);

		place += base;
		file = inside - base;
	}
	out->file = pn_strtab_add(&p->strings, place, file);
	len = open - 1;
	trim(&text, &len);
	out->name = pn_strtab_add(&p->strings, text, len);
}

void pn_java_names_line(struct pn_java_names *names, struct pn_profile *p,
			const char *text, size_t len)
{
	struct pn_java_name *row;
	uint64_t number;

	trim(&text, &len);
	if (!pn_gperftools_take_address(&number, &text, &len) || !len)
		return;
	trim(&text, &len);
	names->rows = pn_grow(names->rows, &names->cap, names->count + 1,
			      sizeof(*names->rows));
	row = &names->rows[names->count];
	memset(row, 0, sizeof(*row));
	row->number = number;
	row->order = names->count++;
	row->frame.mapping = PN_NONE;
	fill(&row->frame, p, text, len);
	row->frame.system_name = row->frame.name;
}

static int compare(const void *a, const void *b)
{
	const struct pn_java_name *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

void pn_java_names_sort(struct pn_java_names *names)
{
	if (names->count)
		qsort(names->rows, names->count, sizeof(*names->rows), compare);
}

struct pn_frame pn_java_names_find(const struct pn_java_names *names,
				   uint64_t number)
{
	struct pn_frame none = {.mapping = PN_NONE};
	size_t low = 0, high = names->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (names->rows[middle].number <= number)
			low = middle + 1;
		else
			high = middle;
	}
	return low && names->rows[low - 1].number == number
		       ? names->rows[low - 1].frame
		       : none;
}

void pn_java_names_release(struct pn_java_names *names)
{
	free(names->rows);
	memset(names, 0, sizeof(*names));
}
