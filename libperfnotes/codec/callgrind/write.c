/*
 * callgrind: writing, for KCachegrind and callgrind_annotate. Names have
 * numbers, positions are whole. callgrind_annotate takes a call that happened
 * 0 times for none, so one whose count is not known is one call.
 */
#include "codec/callgrind/callgrind.h"

#include "base/alloc.h"
#include "base/number.h"
#include "model/unnamed.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROOT "(root)"

struct encoder {
	const struct pn_profile *p;	 /* where names and values are */
	const struct pn_profile *source; /* and where the header is */
	struct pn_buf *out;
	struct pn_callgrind_columns named;   /* of source */
	struct pn_callgrind_columns columns; /* of p */
	bool has_address;
	uint32_t object, file; /* that are current: number, 0 is none */
	uint32_t *numbers[3];  /* by kind and string */
	uint32_t used[3];
	struct pn_profile of_stacks;
	size_t *cost_first, *edge_first; /* of node n, in the lists below */
	uint32_t *costs, *edges;
	double *calls; /* to node n, where their times are not known; else 0 */
};

enum kind { OBJECT, SOURCE, FUNCTION };

/* A name is what is left of its line, without blanks around it. */
static unsigned char plain(char c)
{
	return (unsigned char)c < ' ' || c == 127 ? ' ' : (unsigned char)c;
}

static void put_text(struct pn_buf *out, const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		pn_buf_add_byte(out, plain(text[i]));
}

static bool is_blank(const char *text)
{
	while (*text && plain(*text) == ' ')
		text++;
	return !*text;
}

static void put_name(struct encoder *e, const char *key, enum kind kind,
		     uint32_t string)
{
	uint32_t *number = &e->numbers[kind][string];
	const char *text = pn_profile_text(e->p, string);

	if (*number) {
		pn_buf_printf(e->out, "%s=(%" PRIu32 ")\n", key, *number);
		return;
	}
	*number = ++e->used[kind];
	pn_buf_printf(e->out, "%s=(%" PRIu32 ") ", key, *number);
	if (is_blank(text))
		text = PN_CALLGRIND_UNKNOWN;
	put_text(e->out, text, strlen(text));
	pn_buf_add_byte(e->out, '\n');
}

struct place {
	uint32_t object, file, name; /* strings */
	int64_t start_line;
};

/* "(root)" is a name that the profile may not have: the last number is kept
 * for it. */
static struct place place_of(const struct encoder *e, uint32_t node)
{
	const struct pn_profile *p = e->p;
	uint32_t location = p->graph.nodes[node].location;
	struct place place = {0, 0, (uint32_t)p->strings.count, 0};
	const struct pn_location *l;
	const struct pn_function *f;

	if (location == PN_NONE)
		return place;
	l = &p->locations[location];
	if (l->mapping != PN_NONE)
		place.object = p->mappings[l->mapping].file;
	place.name = 0;
	if (!l->line_count)
		return place;
	f = &p->functions[p->lines[l->line_first].function];
	place.name = f->name;
	place.file = f->file;
	place.start_line = f->start_line;
	return place;
}

static void put_function(struct encoder *e, const char *key,
			 const struct place *place)
{
	if (place->name < e->p->strings.count) {
		put_name(e, key, FUNCTION, place->name);
	} else if (e->numbers[FUNCTION][place->name]) {
		pn_buf_printf(e->out, "%s=(%" PRIu32 ")\n", key,
			      e->numbers[FUNCTION][place->name]);
	} else {
		e->numbers[FUNCTION][place->name] = ++e->used[FUNCTION];
		pn_buf_printf(e->out, "%s=(%" PRIu32 ") " ROOT "\n", key,
			      e->used[FUNCTION]);
	}
}

static void put_costs(struct encoder *e, const int64_t *costs)
{
	size_t i;

	for (i = 0; i < e->columns.count; i++)
		pn_buf_printf(e->out, " %" PRId64, costs[i]);
	pn_buf_add_byte(e->out, '\n');
}

static void put_position(struct encoder *e, uint64_t address, int64_t line)
{
	if (e->has_address)
		pn_buf_printf(e->out, "0x%" PRIx64 " ", address);
	pn_buf_printf(e->out, "%" PRId64, line > 0 ? line : 0);
}

static bool row_of(int64_t *out, const struct encoder *e,
		   const union pn_value *values, size_t row)
{
	return pn_callgrind_whole(out, &e->columns, e->p,
				  values + row * e->p->type_count);
}

static void set_file(struct encoder *e, const char *key, uint32_t file)
{
	if (e->file == file)
		return;
	put_name(e, key, SOURCE, file);
	e->file = file;
}

/* What the lines of a function do not say of its cost stands at its start. */
static bool put_self(struct encoder *e, uint32_t node,
		     const struct place *place)
{
	const struct pn_graph *g = &e->p->graph;
	int64_t left[PN_MAX_VALUE_TYPES] = {0}, row[PN_MAX_VALUE_TYPES] = {0};
	size_t i, k;
	bool is_left = false;

	if (!row_of(left, e, g->self, node))
		return false;
	for (i = e->cost_first[node]; i < e->cost_first[node + 1]; i++) {
		const struct pn_cost *c = &g->costs[e->costs[i]];

		if (!row_of(row, e, g->cost_values, e->costs[i]))
			return false;
		for (k = 0; k < e->columns.count; k++)
			if (__builtin_sub_overflow(left[k], row[k], &left[k]))
				return false;
		set_file(e, "fi", c->file ? c->file : place->file);
		put_position(e, c->address, c->line);
		put_costs(e, row);
	}
	set_file(e, "fe", place->file);
	for (k = 0; k < e->columns.count; k++)
		is_left |= left[k] != 0;
	if (is_left) {
		put_position(e, 0, place->start_line);
		put_costs(e, left);
	}
	return true;
}

/* Calls are counted, and how long they took is not known, as of Python's module
 * profile: each call takes as long as the others, as gprof has it. Calls of a
 * function by itself are part of those. */
static void count_timeless(struct encoder *e)
{
	const struct pn_graph *g = &e->p->graph;
	size_t i, k, types = e->p->type_count;
	bool *timed = pn_calloc(g->node_count + 1, sizeof(*timed));

	e->calls = pn_calloc(g->node_count + 1, sizeof(*e->calls));
	for (i = 0; i < g->edge_count; i++) {
		const struct pn_edge *edge = &g->edges[i];

		for (k = 0; k < types; k++)
			timed[edge->callee] |=
				g->edge_total[i * types + k].i != 0;
		if (edge->caller != edge->callee && edge->calls > 0)
			e->calls[edge->callee] += (double)edge->calls;
	}
	for (i = 0; i < g->node_count; i++)
		if (timed[i])
			e->calls[i] = 0;
	free(timed);
}

/* The costs of a call. */
static bool call_row(int64_t *row, const struct encoder *e, uint32_t at)
{
	const struct pn_graph *g = &e->p->graph;
	const struct pn_edge *edge = &g->edges[at];
	double part, calls = e->calls[edge->callee];
	size_t k;

	if (calls == 0 || edge->calls <= 0 || edge->caller == edge->callee)
		return row_of(row, e, g->edge_total, at);
	if (!row_of(row, e, g->total, edge->callee))
		return false;
	for (k = 0; k < e->columns.count; k++) {
		part = nearbyint((double)row[k] * (double)edge->calls / calls);
		if (!(fabs(part) < 9.2e18)) /* 2^63 is a bit more */
			return false;
		row[k] = (int64_t)part;
	}
	return true;
}

static bool put_calls(struct encoder *e, uint32_t node,
		      const struct place *place)
{
	const struct pn_graph *g = &e->p->graph;
	int64_t row[PN_MAX_VALUE_TYPES] = {0};
	size_t i;

	for (i = e->edge_first[node]; i < e->edge_first[node + 1]; i++) {
		const struct pn_edge *edge = &g->edges[e->edges[i]];
		struct place to = place_of(e, edge->callee);

		if (g->nodes[edge->callee].location == PN_NONE)
			continue;
		if (!call_row(row, e, e->edges[i]))
			return false;
		set_file(e, "fi", edge->file ? edge->file : place->file);
		if (to.object != place->object)
			put_name(e, "cob", OBJECT, to.object);
		/* readers do not agree on which file it is without */
		if (to.file != e->file || to.file != place->file)
			put_name(e, "cfi", SOURCE, to.file);
		put_function(e, "cfn", &to);
		pn_buf_printf(e->out, "calls=%" PRId64 " ",
			      edge->calls > 0 ? edge->calls : 1);
		put_position(e, 0, to.start_line);
		pn_buf_add_byte(e->out, '\n');
		put_position(e, edge->address, edge->line);
		put_costs(e, row);
	}
	return true;
}

static bool put_node(struct encoder *e, uint32_t node)
{
	struct place place = place_of(e, node);

	pn_buf_add_byte(e->out, '\n');
	if (e->object != place.object || !node) {
		put_name(e, "ob", OBJECT, place.object);
		e->object = place.object;
	}
	put_name(e, "fl", SOURCE, place.file);
	e->file = place.file;
	put_function(e, "fn", &place);
	return put_self(e, node, &place) && put_calls(e, node, &place);
}

/* What node a row is about; rows have `stride` bytes and begin at `node`. */
static uint32_t node_of(const uint32_t *node, size_t stride, size_t row)
{
	uint32_t value;

	memcpy(&value, (const char *)node + row * stride, sizeof(value));
	return value;
}

/* The rows of each node, in their order: sorted by counting. */
static uint32_t *list_rows(size_t **first, size_t node_count, size_t count,
			   const uint32_t *node, size_t stride)
{
	uint32_t *rows = pn_calloc(count + 1, sizeof(*rows));
	size_t *at = pn_calloc(node_count + 2, sizeof(*at)), i;

	for (i = 0; i < count; i++)
		at[node_of(node, stride, i) + 2]++;
	for (i = 2; i < node_count + 2; i++)
		at[i] += at[i - 1];
	for (i = 0; i < count; i++)
		rows[at[node_of(node, stride, i) + 1]++] = (uint32_t)i;
	*first = at;
	return rows;
}

static void put_word(struct pn_buf *out, const char *text)
{
	for (; *text; text++)
		pn_buf_add_byte(out, (unsigned char)*text <= ' ' || *text == 127
					     ? '_'
					     : (unsigned char)*text);
}

/* "cpu" and "ns" as "cpu_(ns)", as Xdebug says its units; a number, when it
 * is not 0, tells names apart that are written alike. */
static void put_event(struct pn_buf *word, const char *name, const char *unit,
		      size_t number)
{
	pn_buf_clear(word);
	put_word(word, *name ? name : "cost");
	if (number)
		pn_buf_printf(word, "_%zu", number);
	if (!*unit || !strcmp(unit, "count") || *unit == '(')
		return;
	pn_buf_add_text(word, "_(");
	put_word(word, unit);
	pn_buf_add_byte(word, ')');
}

/* Whether a word stands among others, each with a blank before it. */
static bool has_word(const char *words, const struct pn_buf *word)
{
	const char *at = words, *text = pn_buf_text(word);

	while ((at = strstr(at, text))) {
		if (at > words && at[-1] == ' ' &&
		    (!at[word->len] || at[word->len] == ' '))
			return true;
		at++;
	}
	return false;
}

/* Whether a type before has the same name, and maybe another unit. */
static bool is_repeated(const struct pn_profile *p, size_t type)
{
	size_t i = 0;

	while (i < type && p->types[i].type != p->types[type].type)
		i++;
	return i < type;
}

static void put_events(struct encoder *e)
{
	const struct pn_profile *p = e->source;
	struct pn_buf word = {0}, words = {0};
	size_t i, number;

	for (i = 0; i < e->columns.count; i++) {
		size_t type = e->named.items[i].type;
		const char *name = pn_profile_text(p, p->types[type].type);
		const char *unit = pn_profile_text(p, p->types[type].unit);

		if (e->named.items[i].factor != 1)
			unit = "ns";
		number = is_repeated(p, type) ? type : 0;
		do {
			put_event(&word, name, unit, number);
			number = number ? number + 1 : type + 1;
		} while (has_word(pn_buf_text(&words), &word));
		pn_buf_add_byte(&words, ' ');
		pn_buf_add(&words, word.data, word.len);
	}
	pn_buf_add(e->out, words.data, words.len);
	pn_buf_release(&word);
	pn_buf_release(&words);
}

/* Comments that the reader made of such lines. */
static bool is_header(const char *comment)
{
	static const char *const keys[] = {
		"creator: ", "desc: ", "part: ", "thread: "};
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!strncmp(comment, keys[i], strlen(keys[i])))
			return true;
	return false;
}

static void put_key(struct encoder *e, const char *key, uint32_t string)
{
	const char *text = pn_profile_text(e->source, string);

	if (!*text)
		return;
	pn_buf_printf(e->out, "%s: ", key);
	put_text(e->out, text, strlen(text));
	pn_buf_add_byte(e->out, '\n');
}

/* The dump of one thread says so; a dump of several has a part for each of
 * them, by which our costs are not known. */
static void put_thread(struct encoder *e)
{
	const struct pn_events *events = &e->source->events;
	const struct pn_thread *thread = events->threads;

	if (events->thread_count != 1 || events->count)
		return;
	if (thread->process != PN_NONE)
		put_key(e, "pid", events->processes[thread->process].id);
	put_key(e, "thread", thread->id);
}

static void put_header(struct encoder *e)
{
	const struct pn_profile *p = e->source;
	const char *comment;
	size_t i;

	pn_buf_add_text(e->out, "# callgrind format\nversion: 1\n");
	for (i = 0; i < p->comment_count; i++) {
		comment = pn_profile_text(p, p->comments[i]);
		if (!is_header(comment))
			pn_buf_add_text(e->out, "desc: ");
		put_text(e->out, comment, strlen(comment));
		pn_buf_add_byte(e->out, '\n');
	}
	put_thread(e);
	if (p->header.cmd) {
		pn_buf_add_text(e->out, "cmd: ");
		comment = pn_profile_text(p, p->header.cmd);
		put_text(e->out, comment, strlen(comment));
		pn_buf_add_byte(e->out, ' ');
		comment = pn_profile_text(p, p->header.args);
		put_text(e->out, comment, strlen(comment));
		pn_buf_add_byte(e->out, '\n');
	}
	if (!p->graph.node_count)
		pn_buf_add_text(e->out, "desc: made of samples: how often "
					"functions were called is not known\n");
	pn_buf_printf(e->out, "positions: %sline\nevents:",
		      e->has_address ? "instr " : "");
	put_events(e);
	pn_buf_add_byte(e->out, '\n');
}

/* The profile's own figures where it has one for each event. */
static void put_summary(struct encoder *e)
{
	const struct pn_profile *p = e->source;
	size_t start = e->out->len, i, k;

	pn_buf_add_text(e->out, "summary:");
	for (i = 0; i < e->columns.count; i++) {
		uint32_t type = p->types[e->named.items[i].type].type;

		for (k = 0; k < p->metric_count; k++)
			if (p->metrics[k].name == type &&
			    p->metrics[k].value_count == 1)
				break;
		if (k == p->metric_count ||
		    !(fabs(p->metrics[k].values[0]) < 9e15) ||
		    p->metrics[k].values[0] != round(p->metrics[k].values[0])) {
			e->out->len = start;
			return;
		}
		pn_buf_printf(e->out, " %.0f", p->metrics[k].values[0]);
	}
	pn_buf_add_byte(e->out, '\n');
}

static bool put_totals(struct encoder *e)
{
	const struct pn_graph *g = &e->p->graph;
	int64_t sums[PN_MAX_VALUE_TYPES] = {0}, row[PN_MAX_VALUE_TYPES];
	size_t i, k;

	for (i = 0; i < g->node_count; i++) {
		if (!row_of(row, e, g->self, i))
			return false;
		for (k = 0; k < e->columns.count; k++)
			if (__builtin_add_overflow(sums[k], row[k], &sums[k]))
				return false;
	}
	pn_buf_add_text(e->out, "\ntotals:");
	put_costs(e, sums);
	return true;
}

static int put_graph(struct encoder *e, struct pn_error *err)
{
	const struct pn_graph *g = &e->p->graph;
	size_t i;
	bool good = true;

	for (i = 0; i < g->cost_count; i++)
		e->has_address |= g->costs[i].address != 0;
	for (i = 0; i < g->edge_count; i++)
		e->has_address |= g->edges[i].address != 0;
	for (i = 0; i < 3; i++)
		e->numbers[i] = pn_calloc(e->p->strings.count + 2,
					  sizeof(*e->numbers[i]));
	e->costs = list_rows(&e->cost_first, g->node_count, g->cost_count,
			     g->cost_count ? &g->costs->node : NULL,
			     sizeof(*g->costs));
	e->edges = list_rows(&e->edge_first, g->node_count, g->edge_count,
			     g->edge_count ? &g->edges->caller : NULL,
			     sizeof(*g->edges));
	put_header(e);
	put_summary(e);
	count_timeless(e);
	for (i = 0; good && i < g->node_count; i++)
		good = put_node(e, (uint32_t)i);
	if (good && put_totals(e))
		return 0;
	return pn_error_set(err, PN_EINVAL,
			    "callgrind's costs are whole numbers of 63 bits, "
			    "those of the profile do not fit");
}

static void columns_in_order(struct pn_callgrind_columns *columns)
{
	size_t i;

	for (i = 0; i < columns->count; i++) {
		columns->items[i].type = i;
		columns->items[i].factor = 1;
	}
}

static void release(struct encoder *e)
{
	size_t i;

	for (i = 0; i < 3; i++)
		free(e->numbers[i]);
	free(e->cost_first);
	free(e->edge_first);
	free(e->costs);
	free(e->edges);
	free(e->calls);
	pn_profile_release(&e->of_stacks);
}

static int write_named(struct pn_buf *out, const struct pn_profile *profile,
		       struct pn_error *err)
{
	struct encoder e = {.p = profile, .source = profile, .out = out};
	size_t begin = out->len;
	int code = 0;

	if (!profile->sample_count && !profile->graph.node_count)
		return pn_error_set(err, PN_EINVAL,
				    "callgrind needs samples with stacks or a "
				    "call graph, the profile has none");
	pn_callgrind_columns_of(&e.named, profile);
	e.columns = e.named;
	if (!profile->graph.node_count) {
		code = pn_callgrind_of_stacks(&e.of_stacks, profile, &e.named,
					      err);
		e.p = &e.of_stacks;
		columns_in_order(&e.columns);
	}
	if (!code)
		code = put_graph(&e, err);
	if (code)
		out->len = begin;
	release(&e);
	return code;
}

int pn_callgrind_write(struct pn_buf *out, const struct pn_profile *profile,
		       struct pn_error *err)
{
	return pn_unnamed_write(out, profile, write_named, err);
}
