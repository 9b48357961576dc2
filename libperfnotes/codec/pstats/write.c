/*
 * Writing Python's profile dumps, in the types that every Python 3 reads and
 * without references. Where calls are unknown (samples) they are 0: pstats
 * leaves the time a call blank then.
 */
#include "base/alloc.h"
#include "codec/pstats/pstats.h"
#include "model/graph/callgraph.h"
#include "model/unit.h"
#include "model/unnamed.h"

#include <stdlib.h>
#include <string.h>

/* All calls of one caller, from whatever line. */
struct calls {
	int64_t calls, primitive; /* -1: unknown */
	double self, total;
	size_t of; /* callee + 1; 0: they are written */
};

struct encoder {
	struct pn_buf *out;
	const struct pn_profile *p; /* has the graph */
	size_t type;		    /* its column of times */
	double seconds;		    /* one of its units; 0: it is seconds */
	uint32_t *number;	    /* by node: how many had its name before */
	size_t *first_caller;	    /* by node: in `callers`, node_count + 1 */
	size_t *callers;	    /* edges by callee, in order */
	struct calls *calls;	    /* by node: of the callee at hand */
};

static void add_little(struct pn_buf *out, uint64_t value, size_t n)
{
	while (n--) {
		pn_buf_add_byte(out, (unsigned char)value);
		value >>= 8;
	}
}

static void add_int(struct pn_buf *out, int64_t value)
{
	uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	int32_t digits = 0;
	uint64_t left;

	if (value >= INT32_MIN && value <= INT32_MAX) {
		pn_buf_add_byte(out, 'i');
		add_little(out, (uint64_t)value, 4);
		return;
	}
	for (left = rest; left; left >>= 15)
		digits++;
	pn_buf_add_byte(out, 'l');
	add_little(out, (uint64_t)(value < 0 ? -digits : digits), 4);
	for (left = rest; left; left >>= 15)
		add_little(out, left & 0x7fff, 2);
}

static void add_double(struct pn_buf *out, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	pn_buf_add_byte(out, 'g');
	add_little(out, bits, 8);
}

/* Bytes of the UTF-8 sequence here, as CPython's decoder with surrogatepass
 * takes it; 0 when it is none. */
static size_t sequence(const unsigned char *at, size_t left)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	uint32_t value;
	size_t i, n;

	if (*at < 0x80)
		return 1;
	n = *at >= 0xf0 && *at < 0xf8	? 4
	    : *at >= 0xe0 && *at < 0xf0 ? 3
	    : *at >= 0xc0 && *at < 0xe0 ? 2
					: 0;
	if (!n || n > left)
		return 0;
	value = *at & (0x7fu >> n);
	for (i = 1; i < n; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (at[i] & 0x3fu);
	}
	if (value >= 0xdc80 && value <= 0xdcff)
		return 0; /* it would be read as a byte */
	return value >= least[n] && value <= 0x10ffff ? n : 0;
}

/* Bytes that are no UTF-8 become the surrogates that Python itself uses for
 * them (PEP 383). */
static void add_string(struct encoder *e, uint32_t id, uint32_t number)
{
	const unsigned char *text =
		(const unsigned char *)pn_profile_text(e->p, id);
	size_t len = pn_strtab_len(&e->p->strings, id), i, n, size_at;
	size_t begin;

	pn_buf_add_byte(e->out, 'u');
	size_at = e->out->len;
	add_little(e->out, 0, 4);
	begin = e->out->len;
	for (i = 0; i < len; i += n ? n : 1) {
		n = sequence(text + i, len - i);
		if (n) {
			pn_buf_add(e->out, text + i, n);
		} else {
			pn_buf_add_byte(e->out, 0xed);
			pn_buf_add_byte(e->out, 0xb0 | (text[i] >> 6 & 3));
			pn_buf_add_byte(e->out, 0x80 | (text[i] & 0x3f));
		}
	}
	if (number)
		pn_buf_printf(e->out, "#%u", number + 1);
	n = e->out->len - begin;
	for (i = 0; i < 4; i++)
		e->out->data[size_at + i] = (unsigned char)(n >> 8 * i);
}

static void add_tuple(struct encoder *e, unsigned int items)
{
	pn_buf_add_byte(e->out, '(');
	add_little(e->out, items, 4);
}

static const struct pn_function *function_of(const struct pn_profile *p,
					     size_t node, int64_t *line)
{
	uint32_t at = p->graph.nodes[node].location;
	const struct pn_location *l = at == PN_NONE ? NULL : &p->locations[at];
	const struct pn_function *f;

	*line = 0;
	if (!l || !l->line_count)
		return NULL;
	f = &p->functions[p->lines[l->line_first].function];
	*line = f->start_line ? f->start_line : p->lines[l->line_first].line;
	return f;
}

static void add_function(struct encoder *e, size_t node)
{
	int64_t line;
	const struct pn_function *f = function_of(e->p, node, &line);

	add_tuple(e, 3);
	add_string(e, f ? f->file : 0, 0);
	add_int(e->out, line);
	add_string(e, f ? f->name : 0, e->number[node]);
}

/* Functions of one name, as those of two objects, stay apart: "f", "f#2". */
static void number_names(struct encoder *e)
{
	struct pn_strtab names = {0};
	size_t i, n = e->p->graph.node_count;
	uint32_t *count = pn_calloc(n + 1, sizeof(*count));

	e->number = pn_calloc(n + 1, sizeof(*e->number));
	for (i = 0; i < n; i++) {
		int64_t line;
		const struct pn_function *f = function_of(e->p, i, &line);
		uint64_t key[3] = {f ? f->file : 0, (uint64_t)line,
				   f ? f->name : 0};
		uint32_t id = pn_strtab_add(&names, key, sizeof(key));

		e->number[i] = count[id - 1]++; /* id 0 is "" */
	}
	pn_strtab_release(&names);
	free(count);
}

static double value_of(const struct encoder *e, const union pn_value *values,
		       size_t row)
{
	union pn_value v = values[row * e->p->type_count + e->type];

	return e->p->types[e->type].number == PN_NUMBER_INT ? (double)v.i : v.d;
}

static void add_seconds(struct encoder *e, double value)
{
	add_double(e->out, e->seconds ? value * e->seconds : value);
}

static int64_t known(int64_t calls)
{
	return calls < 0 ? 0 : calls;
}

/* What is beyond 64 bits stays the largest that they hold. */
static int64_t add_known(int64_t a, int64_t b)
{
	int64_t sum;

	if (a < 0)
		return b;
	if (b < 0)
		return a;
	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static void unite(struct encoder *e, size_t callee, size_t at)
{
	const struct pn_graph *g = &e->p->graph;
	const struct pn_edge *edge = &g->edges[at];
	struct calls *c = &e->calls[edge->caller];

	if (c->of != callee + 1)
		*c = (struct calls){
			.calls = -1, .primitive = -1, .of = callee + 1};
	c->calls = add_known(c->calls, edge->calls);
	c->primitive = add_known(c->primitive, edge->primitive);
	c->self += value_of(e, g->edge_self, at);
	c->total += value_of(e, g->edge_total, at);
}

/* Calls without times are a number alone, as the module profile has them. */
static void add_caller(struct encoder *e, size_t at)
{
	uint32_t caller = e->p->graph.edges[at].caller;
	struct calls *c = &e->calls[caller];

	if (!c->of || e->p->graph.nodes[caller].location == PN_NONE)
		return;
	c->of = 0;
	add_function(e, caller);
	if (c->calls >= 0 && c->primitive < 0 && c->self == 0 &&
	    c->total == 0) {
		add_int(e->out, c->calls);
		return;
	}
	add_tuple(e, 4);
	add_int(e->out, known(c->calls));
	add_int(e->out, c->primitive < 0 ? known(c->calls) : c->primitive);
	add_seconds(e, c->self);
	add_seconds(e, c->total);
}

static void add_entry(struct encoder *e, size_t node)
{
	const struct pn_graph *g = &e->p->graph;
	size_t i;

	add_function(e, node);
	add_tuple(e, 5);
	add_int(e->out, known(g->nodes[node].primitive));
	add_int(e->out, known(g->nodes[node].calls));
	add_seconds(e, value_of(e, g->self, node));
	add_seconds(e, value_of(e, g->total, node));
	pn_buf_add_byte(e->out, '{');
	for (i = e->first_caller[node]; i < e->first_caller[node + 1]; i++)
		unite(e, node, e->callers[i]);
	for (i = e->first_caller[node]; i < e->first_caller[node + 1]; i++)
		add_caller(e, e->callers[i]);
	pn_buf_add_byte(e->out, '0');
}

static void sort_edges(struct encoder *e)
{
	const struct pn_graph *g = &e->p->graph;
	size_t i, *next;

	e->first_caller = pn_calloc(g->node_count + 2, sizeof(*next));
	e->callers = pn_calloc(g->edge_count + 1, sizeof(*next));
	e->calls = pn_calloc(g->node_count + 1, sizeof(*e->calls));
	next = e->first_caller + 1;
	for (i = 0; i < g->edge_count; i++)
		next[g->edges[i].callee + 1]++;
	for (i = 1; i <= g->node_count; i++)
		next[i] += next[i - 1];
	/* filling moves each start to the one behind it */
	for (i = 0; i < g->edge_count; i++)
		e->callers[next[g->edges[i].callee]++] = i;
}

/* A caller that the dump itself did not list stays without an entry, and so
 * does what calls the first function. */
static bool is_named_only(const struct encoder *e, size_t node)
{
	const struct pn_graph *g = &e->p->graph;
	size_t at = node * e->p->type_count + e->type;

	/* 0 and 0.0 have the same bits, and so do -0.0 and its like here */
	return g->nodes[node].location == PN_NONE ||
	       (g->nodes[node].calls < 0 && !g->self[at].i && !g->total[at].i);
}

static bool has_time(const struct pn_profile *p, size_t type)
{
	return pn_unit_comparable(pn_profile_text(p, p->types[type].unit), "s");
}

/* The default type, else the first one in a unit of time. */
static int find_time(size_t *out, const struct pn_profile *p,
		     struct pn_error *err)
{
	size_t i, at = p->type_count;

	for (i = 0; i < p->type_count; i++)
		if (has_time(p, i) &&
		    (at == p->type_count ||
		     (p->default_type && p->types[i].type == p->default_type)))
			at = i;
	if (at == p->type_count)
		return pn_error_set(err, PN_EINVAL,
				    "format pstats needs values in a unit of "
				    "time");
	*out = at;
	return 0;
}

static int write_graph(struct encoder *e, struct pn_error *err)
{
	const char *unit;
	size_t i;
	int code = find_time(&e->type, e->p, err);

	if (code)
		return code;
	unit = pn_profile_text(e->p, e->p->types[e->type].unit);
	if (strcmp(unit, "seconds") != 0 && strcmp(unit, "s") != 0)
		e->seconds = pn_unit_scale(&unit, 1, unit, "s");
	sort_edges(e);
	number_names(e);
	pn_buf_add_byte(e->out, '{');
	for (i = 0; i < e->p->graph.node_count; i++)
		if (!is_named_only(e, i))
			add_entry(e, i);
	pn_buf_add_byte(e->out, '0');
	free(e->first_caller);
	free(e->callers);
	free(e->calls);
	free(e->number);
	return 0;
}

static int write_named(struct pn_buf *out, const struct pn_profile *profile,
		       struct pn_error *err)
{
	struct encoder e = {.out = out, .p = profile};
	struct pn_profile graph;
	int code;

	if (!profile->sample_count || profile->graph.node_count)
		return write_graph(&e, err);
	pn_callgraph_of(&graph, profile);
	e.p = &graph;
	code = write_graph(&e, err);
	pn_profile_release(&graph);
	return code;
}

int pn_pstats_write(struct pn_buf *out, const struct pn_profile *profile,
		    struct pn_error *err)
{
	return pn_unnamed_write(out, profile, write_named, err);
}
