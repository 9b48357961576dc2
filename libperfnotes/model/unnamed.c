/* Names for frames that have none. */
#include "model/unnamed.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>

struct naming {
	const struct pn_profile *p;
	struct pn_profile *out;
	struct pn_strtab keys; /* function and mapping, as bytes */
	uint32_t *functions;   /* id - 1: what it is named as */
	size_t function_cap;
};

static bool is_named(const struct pn_profile *p, const struct pn_line *line)
{
	return p->functions[line->function].name != 0;
}

static bool wants_name(const struct pn_profile *p, const struct pn_location *l)
{
	uint32_t i;

	if (l->mapping == PN_NONE || !p->mappings[l->mapping].file)
		return false;
	for (i = 0; i < l->line_count; i++)
		if (!is_named(p, &p->lines[l->line_first + i]))
			return true;
	return !l->line_count;
}

static void *copy_of(const void *items, size_t count, size_t size)
{
	void *copy = pn_calloc(count + 1, size);

	if (count)
		memcpy(copy, items, count * size);
	return copy;
}

static uint32_t name_after(struct naming *n, const char *file)
{
	struct pn_buf name = {0};
	const char *base = pn_file_basename(file);
	uint32_t id;

	pn_buf_printf(&name, "[%s]", *base ? base : file);
	id = pn_strtab_add(&n->out->strings, pn_buf_text(&name), name.len);
	pn_buf_release(&name);
	return id;
}

/* The function that a frame of `function` (PN_NONE: of none) in a mapping is
 * named as. */
static uint32_t function_of(struct naming *n, uint32_t function,
			    uint32_t mapping)
{
	const uint32_t key[2] = {function, mapping};
	uint32_t file = n->p->mappings[mapping].file, id;
	struct pn_function named = {0};
	size_t had = n->keys.count;

	id = pn_strtab_add(&n->keys, key, sizeof(key)) - 1; /* 0 is "" */
	if (n->keys.count == had)
		return n->functions[id];
	if (function != PN_NONE)
		named = n->p->functions[function];
	named.name = name_after(n, pn_profile_text(n->p, file));
	if (!named.file)
		named.file = file;
	n->functions = pn_grow(n->functions, &n->function_cap, (size_t)id + 1,
			       sizeof(*n->functions));
	n->functions[id] = pn_profile_add_function(n->out, &named);
	return n->functions[id];
}

static uint32_t add_line(struct pn_profile *out, uint32_t function)
{
	out->lines = pn_grow(out->lines, &out->line_cap, out->line_count + 1,
			     sizeof(*out->lines));
	out->lines[out->line_count] = (struct pn_line){.function = function};
	return (uint32_t)out->line_count++;
}

static void name_location(struct naming *n, struct pn_location *l)
{
	uint32_t i;

	if (!l->line_count) {
		l->line_first =
			add_line(n->out, function_of(n, PN_NONE, l->mapping));
		l->line_count = 1;
		return;
	}
	for (i = 0; i < l->line_count; i++) {
		struct pn_line *line = &n->out->lines[l->line_first + i];

		if (!n->out->functions[line->function].name)
			line->function =
				function_of(n, line->function, l->mapping);
	}
}

const struct pn_profile *pn_unnamed_name(struct pn_unnamed *out,
					 const struct pn_profile *p)
{
	struct naming n = {.p = p, .out = &out->named};
	size_t i;

	out->used = false;
	for (i = 0; i < p->location_count && !out->used; i++)
		out->used = wants_name(p, &p->locations[i]);
	if (!out->used)
		return p;
	out->named = *p;
	pn_strtab_copy(&out->named.strings, &p->strings);
	out->named.functions =
		copy_of(p->functions, p->function_count, sizeof(*p->functions));
	out->named.function_cap = p->function_count + 1;
	out->named.lines = copy_of(p->lines, p->line_count, sizeof(*p->lines));
	out->named.line_cap = p->line_count + 1;
	out->named.locations =
		copy_of(p->locations, p->location_count, sizeof(*p->locations));
	for (i = 0; i < p->location_count; i++)
		if (wants_name(p, &p->locations[i]))
			name_location(&n, &out->named.locations[i]);
	pn_strtab_release(&n.keys);
	free(n.functions);
	return &out->named;
}

void pn_unnamed_release(struct pn_unnamed *copy)
{
	if (!copy->used)
		return;
	pn_strtab_release(&copy->named.strings);
	free(copy->named.functions);
	free(copy->named.lines);
	free(copy->named.locations);
	copy->used = false;
}

int pn_unnamed_write(struct pn_buf *out, const struct pn_profile *p,
		     int (*encode)(struct pn_buf *out,
				   const struct pn_profile *named,
				   struct pn_error *err),
		     struct pn_error *err)
{
	struct pn_unnamed copy;
	int code = encode(out, pn_unnamed_name(&copy, p), err);

	pn_unnamed_release(&copy);
	return code;
}

bool pn_unnamed_is_address(const char *name)
{
	return name[0] == '0' && name[1] == 'x' && name[2] &&
	       !name[2 + strspn(name + 2, "0123456789abcdefABCDEF")];
}
