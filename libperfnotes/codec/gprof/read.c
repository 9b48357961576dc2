/*
 * gprof: reading. The call graph has exact calls, self times and what each
 * call cost; functions go by the number that it gives them, as two may have
 * one name. The flat profile is for those that the graph does not have.
 */
#include "codec/gprof/gprof.h"

#include "base/alloc.h"
#include "base/number.h"
#include "base/reader/lines.h"
#include "base/slots.h"
#include "model/graph/graph.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum part { BEFORE, FLAT_HEAD, FLAT, GRAPH, INDEX };

/* A line of the block that is read; names are in `names`. */
struct entry {
	struct pn_gprof_line line;
	uint32_t name; /* string */
};

/* A row of the flat profile, kept until the graph is known. */
struct row {
	uint32_t name; /* string */
	int64_t self_ns, total_ns, calls;
};

struct decoder {
	struct pn_profile *p;
	struct pn_lines lines;
	enum part part;
	bool has_flat, has_graph;
	double unit_ns; /* of the columns "ms/call" */
	struct row *rows;
	size_t row_count, row_cap;
	struct entry *entries; /* of the block */
	size_t entry_count, entry_cap;
	struct pn_strtab numbers; /* nodes, by their number: id - 1 */
	struct pn_slots edges;
};

static int bad_line(const struct decoder *d, struct pn_error *err,
		    const char *what)
{
	return pn_error_set(err, PN_EINVAL, "line %" PRIu64 ": %s",
			    d->lines.number, what);
}

static uint32_t string_of(struct decoder *d, const char *text, size_t len)
{
	return pn_strtab_add(&d->p->strings, text, len);
}

static uint32_t new_node(struct decoder *d, uint32_t name)
{
	struct pn_function function = {.name = name};
	struct pn_location location = {.mapping = PN_NONE};
	struct pn_line line = {0};

	line.function = pn_profile_add_function(d->p, &function);
	return pn_graph_add_node(
		d->p, pn_profile_add_location(d->p, &location, &line, 1), -1,
		-1);
}

/* The node with this number, made when it is new. */
static uint32_t node_of(struct decoder *d, uint64_t number, uint32_t name)
{
	size_t had;
	uint32_t id;

	if (!d->numbers.count)
		pn_strtab_add(&d->numbers, "", 0);
	had = d->numbers.count;
	id = pn_strtab_add(&d->numbers, &number, sizeof(number));
	if (d->numbers.count != had)
		new_node(d, name);
	return id - 1;
}

/* An edge is said twice, below its caller and above its callee. */
static void add_edge(struct decoder *d, uint32_t caller, uint32_t callee,
		     const struct pn_gprof_line *line)
{
	uint64_t key = (uint64_t)caller << 32 | callee;
	uint32_t hash = pn_slots_hash(&d->edges, &key, 1), row;
	size_t at = pn_slots_first(&d->edges, hash);
	struct pn_graph *g = &d->p->graph;
	struct pn_edge edge = {.caller = caller,
			       .callee = callee,
			       .calls = line->calls,
			       .primitive = -1};

	while (pn_slots_row(&row, &d->edges, &at, hash))
		if (g->edges[row].caller == caller &&
		    g->edges[row].callee == callee)
			return;
	row = (uint32_t)pn_graph_add_edge(d->p, &edge);
	pn_slots_add(&d->edges, hash, row);
	g->edge_self[row].i = line->self_ns;
	g->edge_total[row].i = line->self_ns + line->children_ns;
}

static void set_node(struct decoder *d, uint32_t node,
		     const struct pn_gprof_line *line)
{
	struct pn_graph *g = &d->p->graph;

	g->self[node].i = line->self_ns;
	g->total[node].i = line->self_ns + line->children_ns;
	g->nodes[node].primitive = line->calls;
	g->nodes[node].calls = line->calls;
	if (line->calls >= 0 &&
	    __builtin_add_overflow(line->calls, line->recursive,
				   &g->nodes[node].calls))
		g->nodes[node].calls = INT64_MAX;
}

/* Callers, the function itself, then what it calls. */
static int end_block(struct decoder *d, struct pn_error *err)
{
	size_t i, primary = 0, count = d->entry_count;
	uint32_t node, other;

	d->entry_count = 0;
	if (!count)
		return 0;
	while (primary < count && !d->entries[primary].line.is_primary)
		primary++;
	if (primary == count)
		return bad_line(d, err, "a block without a line '[n]'");
	if (d->entries[primary].line.is_cycle)
		return 0;
	node = node_of(d, d->entries[primary].line.index,
		       d->entries[primary].name);
	set_node(d, node, &d->entries[primary].line);
	for (i = 0; i < count; i++) {
		const struct pn_gprof_line *line = &d->entries[i].line;

		if (i == primary || line->is_nobody || line->is_cycle)
			continue;
		other = node_of(d, line->index, d->entries[i].name);
		if (i < primary)
			add_edge(d, other, node, line);
		else
			add_edge(d, node, other, line);
	}
	return 0;
}

static bool is_rule(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && text[i] == '-')
		i++;
	return len >= 3 && i == len;
}

static bool has(const char *text, size_t len, const char *what)
{
	while (len && (*text == ' ' || *text == '\t' || *text == '\f')) {
		text++;
		len--;
	}
	return len >= strlen(what) && !memcmp(text, what, strlen(what));
}

static int read_graph_line(struct decoder *d, const char *text, size_t len,
			   struct pn_error *err)
{
	struct entry *entry;

	if (is_rule(text, len))
		return end_block(d, err);
	if (!len || *text == '\f')
		return 0;
	if (has(text, len, "This table describes")) {
		d->part = BEFORE;
		return end_block(d, err);
	}
	d->entries = pn_grow(d->entries, &d->entry_cap, d->entry_count + 1,
			     sizeof(*d->entries));
	entry = &d->entries[d->entry_count];
	if (!pn_gprof_line(&entry->line, text, len))
		return bad_line(d, err,
				"expected '[n] time self children called name "
				"[n]', as gprof prints it");
	if (entry->line.is_primary)
		for (size_t i = 0; i < d->entry_count; i++)
			if (d->entries[i].line.is_primary)
				return bad_line(d, err,
						"a second line '[n]' in a "
						"block");
	entry->name = string_of(d, entry->line.name, entry->line.name_len);
	d->entry_count++;
	return 0;
}

/* " time   seconds   seconds    calls  ms/call  ms/call  name" */
static bool read_units(struct decoder *d, const char *text, size_t len)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{" ps/call", 1e-3}, {" ns/call", 1},  {" us/call", 1e3},
		     {" ms/call", 1e6},	 {" s/call", 1e9}, {" Ks/call", 1e12},
		     {" Ms/call", 1e15}};
	char line[256];
	size_t i;

	if (!has(text, len, "time ") || len >= sizeof(line))
		return false;
	memcpy(line, text, len);
	line[len] = '\0';
	if (!strstr(line, " name"))
		return false;
	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (strstr(line, units[i].name))
			d->unit_ns = units[i].ns;
	return true;
}

static int64_t total_of(const struct decoder *d, const struct pn_gprof_row *row)
{
	double total =
		round(row->total_per_call * d->unit_ns * (double)row->calls);

	if (row->calls < 0 || !(total > (double)row->self_ns) || total > 9e18)
		return row->self_ns;
	return (int64_t)total;
}

static int read_flat_row(struct decoder *d, const char *text, size_t len,
			 struct pn_error *err)
{
	struct pn_gprof_row row;
	struct row *kept;

	if (!len || *text == '\f') {
		d->part = BEFORE;
		return 0;
	}
	if (!pn_gprof_row(&row, text, len))
		return bad_line(d, err,
				"expected '% cumulative self [calls self "
				"total] name', as gprof prints it");
	d->rows = pn_grow(d->rows, &d->row_cap, d->row_count + 1,
			  sizeof(*d->rows));
	kept = &d->rows[d->row_count++];
	kept->name = string_of(d, row.name, row.name_len);
	kept->self_ns = row.self_ns;
	kept->total_ns = total_of(d, &row);
	kept->calls = row.calls;
	return 0;
}

/* "Each sample counts as 0.01 seconds." */
static void read_period(struct decoder *d, const char *text, size_t len)
{
	static const char before[] = "Each sample counts as ";
	size_t from = sizeof(before) - 1, to = from;

	if (!has(text, len, before))
		return;
	while (to < len && text[to] != ' ')
		to++;
	if (pn_gprof_time(&d->p->period, text + from, to - from))
		d->p->period_type = d->p->types[0];
}

/* "[8] checksum (wordfreq.c)": several in a line. A file is in parentheses,
 * and so are arguments, but those have no blank in front. */
static void set_file(struct decoder *d, uint64_t number, const char *text,
		     size_t len)
{
	struct pn_graph *g = &d->p->graph;
	const struct pn_location *l;
	size_t at;
	uint32_t id;

	while (len && text[len - 1] == ' ')
		len--;
	if (len < 4 || text[len - 1] != ')')
		return;
	for (at = len - 1; at && text[at] != '('; at--)
		;
	if (at < 2 || text[at - 1] != ' ' ||
	    !memchr(text + at, '.', len - at) ||
	    memchr(text + at, ' ', len - at) ||
	    !pn_strtab_find(&id, &d->numbers, &number, sizeof(number)) || !id)
		return;
	l = &d->p->locations[g->nodes[id - 1].location];
	d->p->functions[d->p->lines[l->line_first].function].file =
		string_of(d, text + at + 1, len - at - 2);
}

static size_t index_at(uint64_t *out, const char *text, size_t len)
{
	size_t i = 1;

	if (!len || *text != '[')
		return 0;
	while (i < len && text[i] >= '0' && text[i] <= '9')
		i++;
	return i + 1 < len && text[i] == ']' && text[i + 1] == ' ' &&
			       pn_number_uint(out, text + 1, i - 1)
		       ? i + 2
		       : 0;
}

static void read_index_line(struct decoder *d, const char *text, size_t len)
{
	uint64_t number = 0, next;
	size_t at, from = 0, skip;

	for (at = 0; at < len; at++) {
		skip = index_at(&next, text + at, len - at);
		if (!skip)
			continue;
		if (from)
			set_file(d, number, text + from, at - from);
		number = next;
		from = at + skip;
	}
	if (from)
		set_file(d, number, text + from, len - from);
}

static int read_line(void *to, const char *text, size_t len,
		     struct pn_error *err)
{
	struct decoder *d = to;

	if (len && memchr(text, '\0', len))
		return bad_line(d, err, "a NUL byte, expected text");
	if (has(text, len, PN_GPROF_INDEX)) {
		d->part = INDEX;
		return end_block(d, err);
	}
	if (has(text, len, PN_GPROF_FLAT)) {
		d->part = FLAT_HEAD;
		return end_block(d, err);
	}
	if (pn_gprof_is_heading(text, len)) {
		d->part = GRAPH;
		d->has_graph = true;
		return 0;
	}
	switch (d->part) {
	case BEFORE:
		return 0;
	case FLAT_HEAD:
		read_period(d, text, len);
		if (read_units(d, text, len)) {
			d->part = FLAT;
			d->has_flat = true;
		}
		return 0;
	case FLAT:
		return read_flat_row(d, text, len, err);
	case GRAPH:
		return read_graph_line(d, text, len, err);
	case INDEX:
		read_index_line(d, text, len);
		return 0;
	}
	return 0;
}

static int read_lines(struct decoder *d, struct pn_error *err)
{
	int code = pn_lines_each(&d->lines, d, read_line, err);

	return code ? code : end_block(d, err);
}

/* What the graph does not have; all of it where there is no graph. */
static void add_rows(struct decoder *d)
{
	struct pn_graph *g = &d->p->graph;
	bool *named = pn_calloc(d->p->strings.count + 1, sizeof(*named));
	size_t i;

	for (i = 0; i < d->p->function_count; i++)
		named[d->p->functions[i].name] = true;
	for (i = 0; i < d->row_count; i++) {
		const struct row *row = &d->rows[i];
		uint32_t node;

		if (named[row->name])
			continue;
		node = new_node(d, row->name);
		g->self[node].i = row->self_ns;
		g->total[node].i = row->total_ns;
		g->nodes[node].calls = g->nodes[node].primitive = row->calls;
	}
	free(named);
}

static int read_all(struct decoder *d, struct pn_error *err)
{
	uint32_t type = pn_profile_add_type(d->p, "time", "nanoseconds");
	int code;

	d->p->types[type].better = PN_BETTER_LESS;
	code = read_lines(d, err);
	if (code)
		return code;
	if (!d->has_flat && !d->has_graph)
		return bad_line(d, err,
				"the file ends without a flat profile or a "
				"call graph");
	add_rows(d);
	if (!d->p->graph.node_count)
		return bad_line(d, err, "the file ends without a function");
	d->p->complete = false; /* shares and times a call */
	return 0;
}

int pn_gprof_read(struct pn_profile *out, struct pn_reader *in,
		  struct pn_error *err)
{
	struct decoder d = {.p = out, .unit_ns = 1e6};
	int code;

	d.lines.in = in;
	code = read_all(&d, err);
	free(d.rows);
	free(d.entries);
	pn_strtab_release(&d.numbers);
	pn_slots_release(&d.edges);
	if (code)
		pn_profile_release(out);
	return code;
}
