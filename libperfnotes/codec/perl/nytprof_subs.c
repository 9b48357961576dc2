/* NYTProf: subs know their lines, lines do not know their subs. */
#include "codec/perl/nytprof.h"

#include "base/alloc.h"
#include "model/graph/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BACK 64 /* subs that are asked whether a line is theirs */

void pn_nytprof_subs_release(struct pn_nytprof_subs *s)
{
	pn_named_release(&s->named);
	free(s->file_names);
	free(s->items);
	pn_strtab_release(&s->lines.keys);
	free(s->lines.ticks);
}

void pn_nytprof_add_line(struct pn_nytprof_subs *s, uint32_t file,
			 uint32_t line, int64_t ticks)
{
	const uint32_t key[2] = {file, line};
	struct pn_nytprof_lines *l = &s->lines;
	size_t had = l->cap;
	uint32_t id = pn_strtab_add(&l->keys, key, sizeof(key));

	l->ticks =
		pn_grow(l->ticks, &l->cap, (size_t)id + 1, sizeof(*l->ticks));
	memset(l->ticks + had, 0, (l->cap - had) * sizeof(*l->ticks));
	if (__builtin_add_overflow(l->ticks[id], ticks, &l->ticks[id]))
		l->ticks[id] = INT64_MAX;
}

static int by_place(const void *a, const void *b)
{
	const struct pn_nytprof_sub *l = a, *r = b;

	if (l->file != r->file)
		return l->file < r->file ? -1 : 1;
	return (l->first_line > r->first_line) -
	       (l->first_line < r->first_line);
}

static uint32_t name_of_file(const struct pn_nytprof_subs *s, uint32_t file)
{
	return file < s->file_count ? s->file_names[file] : 0;
}

static struct pn_function *function_of(struct pn_nytprof_subs *s, uint32_t node)
{
	struct pn_profile *p = s->named.p;
	const struct pn_location *l =
		&p->locations[p->graph.nodes[node].location];

	return &p->functions[p->lines[l->line_first].function];
}

static uint32_t node_of(struct pn_nytprof_subs *s, uint32_t name)
{
	const char *text = pn_profile_text(s->named.p, name);
	size_t len = pn_strtab_len(&s->named.p->strings, name);

	return pn_named_node(&s->named, text, len, text, len);
}

/* Of the subs that begin before a line the last one that does not end before
 * it; NULL: the file's own. */
static const struct pn_nytprof_sub *sub_at(const struct pn_nytprof_subs *s,
					   uint32_t file, uint32_t line)
{
	size_t low = 0, high = s->count, i;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct pn_nytprof_sub *sub = &s->items[middle];

		if (sub->file < file ||
		    (sub->file == file && sub->first_line <= line))
			low = middle + 1;
		else
			high = middle;
	}
	for (i = 0; i < BACK && low-- && s->items[low].file == file; i++)
		if (s->items[low].last_line >= line && s->items[low].first_line)
			return &s->items[low];
	return NULL;
}

/* Lines outside of subs are those of the program, or of a file of it. */
static uint32_t node_of_line(struct pn_nytprof_subs *s, uint32_t file,
			     uint32_t line)
{
	const struct pn_nytprof_sub *sub = sub_at(s, file, line);
	uint32_t own[2] = {file, UINT32_MAX}, node;

	if (sub)
		return node_of(s, sub->name);
	if (file == 1)
		return pn_named_node(&s->named, "main::RUNTIME", 13,
				     "main::RUNTIME", 13);
	node = pn_named_node(&s->named, own, sizeof(own), "(file)", 6);
	function_of(s, node)->file = name_of_file(s, file);
	return node;
}

static int add_line(struct pn_nytprof_subs *s, uint32_t id, double ns_of_tick,
		    struct pn_error *err)
{
	struct pn_profile *p = s->named.p;
	struct pn_cost cost = {0};
	uint32_t place[2];
	int64_t ns;
	size_t at;

	memcpy(place, pn_strtab_text(&s->lines.keys, id), sizeof(place));
	if (!((double)s->lines.ticks[id] * ns_of_tick < 9e18))
		return pn_error_set(err, PN_ERANGE,
				    "a line of more than 63 bits of time");
	ns = llround((double)s->lines.ticks[id] * ns_of_tick);
	cost.node = node_of_line(s, place[0], place[1]);
	cost.line = place[1];
	at = pn_graph_add_cost(p, &cost);
	p->graph.cost_values[at * p->type_count].i = ns;
	at = cost.node * p->type_count;
	if (pn_named_add(&p->graph.self[at].i, ns, err))
		return PN_ERANGE;
	p->graph.total[at].i = p->graph.self[at].i;
	return 0;
}

int pn_nytprof_build(struct pn_nytprof_subs *s, double ns_of_tick,
		     struct pn_error *err)
{
	size_t i;
	uint32_t id;
	int code = 0;

	for (i = 0; i < s->count; i++) {
		struct pn_function *f =
			function_of(s, node_of(s, s->items[i].name));

		f->file = name_of_file(s, s->items[i].file);
		f->start_line = s->items[i].first_line;
	}
	if (s->count)
		qsort(s->items, s->count, sizeof(*s->items), by_place);
	for (id = 1; !code && id < s->lines.keys.count; id++)
		if (s->lines.ticks[id])
			code = add_line(s, id, ns_of_tick, err);
	return code;
}
