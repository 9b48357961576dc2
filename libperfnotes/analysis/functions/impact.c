/* Which functions lines are in. */
#include "analysis/functions/impact.h"

#include "base/alloc.h"
#include "base/buf.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void add(struct pn_costed_lines *out, int64_t line, uint32_t name,
		bool is_start)
{
	if (line <= 0)
		return;
	out->items = pn_grow(out->items, &out->cap, out->count + 1,
			     sizeof(*out->items));
	out->items[out->count++] =
		(struct pn_costed_line){line, name, is_start};
}

static int by_line(const void *left, const void *right)
{
	const struct pn_costed_line *a = left, *b = right;

	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return (a->name > b->name) - (a->name < b->name);
}

void pn_costed_lines_of(struct pn_costed_lines *out,
			const struct pn_report *by_lines,
			const unsigned char *is_meant)
{
	const struct pn_profile *p = by_lines->profile;
	size_t i;

	for (i = 0; i < by_lines->nodes.count; i++) {
		const struct pn_node_info *info = &by_lines->nodes.items[i];

		if (!is_meant[info->file] || !info->name)
			continue;
		add(out, info->line, info->name, false);
		if (info->function != PN_NONE)
			add(out, p->functions[info->function].start_line,
			    info->name, true);
	}
	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items), by_line);
}

void pn_costed_lines_release(struct pn_costed_lines *lines)
{
	free(lines->items);
	*lines = (struct pn_costed_lines){0};
}

/* The first one at the line or behind it. */
static size_t first_at(const struct pn_costed_lines *lines, int64_t line)
{
	size_t low = 0, high = lines->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (lines->items[middle].line < line)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Whether a function has costs at the line of this one. */
static bool is_at(const struct pn_costed_lines *lines, size_t at, uint32_t name)
{
	int64_t line = lines->items[at].line;
	size_t i;

	for (i = first_at(lines, line);
	     i < lines->count && lines->items[i].line == line; i++)
		if (lines->items[i].name == name)
			return true;
	return false;
}

uint32_t pn_impact_next(size_t *at, const struct pn_costed_lines *lines,
			int64_t line, bool between)
{
	size_t begin = first_at(lines, between ? line + 1 : line), i;
	int64_t before;

	if (!between && begin < lines->count &&
	    lines->items[begin].line == line) {
		i = begin + *at;
		while (i > begin && i < lines->count &&
		       lines->items[i].line == line &&
		       lines->items[i].name == lines->items[i - 1].name)
			i++;
		if (i >= lines->count || lines->items[i].line != line)
			return PN_NONE;
		*at = i + 1 - begin;
		return lines->items[i].name;
	}
	if (!begin || begin == lines->count)
		return PN_NONE;
	/* those of the line before that go on behind */
	before = lines->items[begin - 1].line;
	for (i = first_at(lines, before) + *at; i < begin; i++) {
		++*at;
		if (is_at(lines, begin, lines->items[i].name) &&
		    (i == 0 || lines->items[i - 1].line != before ||
		     lines->items[i - 1].name != lines->items[i].name))
			return lines->items[i].name;
	}
	return PN_NONE;
}

/* The function that only the line where it begins is known of, as are its
 * neighbours, and that begins last before the line. */
uint32_t pn_impact_begun(const struct pn_costed_lines *lines, int64_t line)
{
	size_t begin = first_at(lines, line + 1), i;
	uint32_t name = begin ? lines->items[begin - 1].name : PN_NONE;
	bool starts = false;

	for (i = 0; begin && i < lines->count; i++) {
		if (lines->items[i].name == name &&
		    lines->items[i].line != lines->items[begin - 1].line)
			return PN_NONE;
		starts |= lines->items[i].name == name &&
			  lines->items[i].is_start;
	}
	return starts ? name : PN_NONE;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '~' ||
	       (unsigned char)c >= 128;
}

static char closes(char c)
{
	return c == '(' ? ')' : c == '<' ? '>' : c == '[' ? ']' : '\0';
}

/* Behind the bracket that closes the one at `at`, or the end. */
static const char *skip(const char *at)
{
	char open = *at, close = closes(open);
	size_t depth = 0;

	for (; *at; at++) {
		depth += *at == open;
		depth -= *at == close;
		if (!depth)
			return at + 1;
	}
	return at;
}

static bool is_attribute(const struct pn_buf *name)
{
	const char *text = pn_buf_text(name);

	return !strncmp(text, "__", 2) || !strcmp(text, "alignas");
}

/* The word in front of the outermost (, with its classes, without template
 * arguments; a name without ( is its last word where `whole`, else none. */
static void name_of(struct pn_buf *out, const char *text, bool whole)
{
	const char *at = text;
	bool ended = false; /* blanks stand behind the word */

	while (*at) {
		if (*at == '(' && !(out->len && is_attribute(out)))
			return;
		if (closes(*at)) {
			at = skip(at);
			continue;
		}
		if (!is_word(*at) && *at != ':' && *at != '.') {
			ended = true;
		} else {
			if (ended)
				pn_buf_clear(out);
			ended = false;
			pn_buf_add_byte(out, *at);
		}
		at++;
	}
	if (!whole)
		pn_buf_clear(out);
}

bool pn_impact_names(const char *context, const char *name)
{
	struct pn_buf a = {0}, b = {0};
	bool same;

	name_of(&a, context, false);
	name_of(&b, name, true);
	same = a.len && !strcmp(pn_buf_text(&a), pn_buf_text(&b));
	pn_buf_release(&a);
	pn_buf_release(&b);
	return same;
}
