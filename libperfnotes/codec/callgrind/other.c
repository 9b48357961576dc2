/*
 * callgrind: which names and totals are others when a call graph is read back.
 * A file has what each call cost and not what a function did; readers add up.
 * So it is written, read, and compared by what callgrind tells functions by.
 */
#include "codec/callgrind/callgrind.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>

/* Of all costs. What is written is rounded, to whole ns mostly. */
#define TOLERANCE 1e-6

struct sums {
	struct pn_strtab keys; /* function, file, object: texts */
	double *values;	       /* by id of the key and column: was, is */
	size_t cap, columns;
	double all[PN_MAX_VALUE_TYPES];
};

static void add_text(struct pn_buf *key, const struct pn_profile *p,
		     uint32_t string)
{
	pn_buf_add(key, pn_profile_text(p, string),
		   pn_strtab_len(&p->strings, string));
	pn_buf_add_byte(key, '\n');
}

/* SIZE_MAX: it has no name, and is given one when it is written. */
static size_t key_of(struct sums *s, const struct pn_profile *p, size_t node)
{
	uint32_t at = p->graph.nodes[node].location, had, id;
	const struct pn_location *l = at == PN_NONE ? NULL : &p->locations[at];
	const struct pn_function *f;
	struct pn_buf key = {0};
	size_t i;

	if (!l || !l->line_count)
		return SIZE_MAX;
	f = &p->functions[p->lines[l->line_first].function];
	if (!f->name)
		return SIZE_MAX;
	add_text(&key, p, f->name);
	add_text(&key, p, f->file);
	add_text(&key, p,
		 l->mapping == PN_NONE ? 0 : p->mappings[l->mapping].file);
	had = (uint32_t)s->keys.count;
	id = pn_strtab_add(&s->keys, key.data, key.len);
	pn_buf_release(&key);
	s->values = pn_grow(s->values, &s->cap, (id + 1) * 2 * s->columns,
			    sizeof(*s->values));
	if (s->keys.count != had)
		for (i = 0; i < 2 * s->columns; i++)
			s->values[id * 2 * s->columns + i] = 0;
	return id * 2 * s->columns;
}

static void add(struct sums *s, const struct pn_profile *p,
		const struct pn_callgrind_columns *columns, size_t side)
{
	size_t i, k, at;

	for (i = 0; i < p->graph.node_count; i++) {
		at = key_of(s, p, i);
		for (k = 0; k < s->columns; k++) {
			size_t type = columns->items[k].type;
			double factor = columns->items[k].factor;

			if (!side)
				s->all[k] +=
					factor *
					fabs(pn_profile_number(p, p->graph.self,
							       i, type));
			if (at != SIZE_MAX)
				s->values[at + 2 * k + side] +=
					factor *
					pn_profile_number(p, p->graph.total, i,
							  type);
		}
	}
}

static size_t count_other(const struct sums *s)
{
	size_t id, k, count = 0;

	for (id = 1; id < s->keys.count; id++) { /* id 0 is none */
		const double *v = s->values + id * 2 * s->columns;

		for (k = 0; k < s->columns; k++)
			if (fabs(v[2 * k] - v[2 * k + 1]) >
			    TOLERANCE * s->all[k])
				break;
		/* what is known of calls alone has no cost of its own */
		count += k < s->columns && s->all[k] > 0;
	}
	return count;
}

static size_t compare(const struct pn_profile *p, const struct pn_profile *back,
		      const struct pn_callgrind_columns *columns)
{
	struct pn_callgrind_columns in_order = {.count = columns->count};
	struct sums s = {.columns = columns->count};
	size_t k, count;

	for (k = 0; k < columns->count; k++) {
		in_order.items[k].type = k;
		in_order.items[k].factor = 1;
	}
	add(&s, p, columns, 0);
	add(&s, back, &in_order, 1);
	count = count_other(&s);
	pn_strtab_release(&s.keys);
	free(s.values);
	return count;
}

static int read_back(struct pn_profile *out, const struct pn_profile *p)
{
	struct pn_reader *in = NULL;
	struct pn_buf bytes = {0};
	struct pn_error err;
	int code = pn_callgrind_write(&bytes, p, &err);

	pn_profile_init(out);
	if (!code)
		code = pn_reader_memory(&in, bytes.data, bytes.len, "", 0,
					&err);
	if (!code)
		code = pn_callgrind_read(out, in, &err);
	pn_reader_free(in);
	pn_buf_release(&bytes);
	return code;
}

size_t pn_callgrind_other_totals(const struct pn_profile *p)
{
	struct pn_callgrind_columns columns;
	struct pn_profile back;
	size_t count = 0;

	if (!p->graph.node_count)
		return 0;
	pn_callgrind_columns_of(&columns, p);
	if (!read_back(&back, p) && back.type_count == columns.count)
		count = compare(p, &back, &columns);
	pn_profile_release(&back);
	return count;
}

static bool has_control(const char *text)
{
	while (*text && (unsigned char)*text >= ' ' && *text != 127)
		text++;
	return *text != '\0';
}

/* Blanks at its ends are none of a name to a reader. */
static bool has_outer_blank(const char *text)
{
	size_t len = strlen(text);

	return len && (*text == ' ' || text[len - 1] == ' ');
}

size_t pn_callgrind_other_names(const struct pn_profile *p)
{
	unsigned char *named = pn_calloc(p->function_count + 1, 1);
	size_t i, k, count = 0;

	for (i = 0; i < p->location_count; i++)
		for (k = 0; k < p->locations[i].line_count; k++)
			named[p->lines[p->locations[i].line_first + k]
				      .function] = 1;
	for (i = 0; i < p->function_count; i++) {
		const char *name = pn_profile_text(p, p->functions[i].name);

		count += named[i] &&
			 (has_control(name) || has_outer_blank(name));
	}
	free(named);
	return count;
}
