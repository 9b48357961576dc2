/* Real files of callgrind, cachegrind and Xdebug, and what callgrind_annotate
 * says of them. */
#include "shared.h"

#include "base/file.h"

/* A row of callgrind_annotate: the first event's figure. */
struct row {
	int64_t value;
	char *file, *name;
};

/* "1,234 (5.67%) ...  file:function [object]"; false for another line. */
static bool take_row(struct row *row, char *line)
{
	char *at = line + strspn(line, " ");

	if (*at < '0' || *at > '9')
		return false;
	for (row->value = 0; *at && *at != ' '; at++)
		if (*at != ',')
			row->value = row->value * 10 + *at - '0';
	at += strcspn(at, "/?");
	if (!*at)
		return false;
	row->file = at[-1] == '.' ? at - 1 : at;
	row->name = strrchr(row->file, ':');
	if (!row->name)
		return false;
	*row->name++ = '\0';
	at = strstr(row->name, " [");
	if (at)
		*at = '\0';
	return true;
}

static const char *file_of(const struct pn_profile *p, uint32_t file)
{
	const char *text = pn_profile_text(p, file);

	return *text ? text : "???";
}

static const struct pn_function *function_of(const struct pn_profile *p,
					     size_t node)
{
	const struct pn_location *l =
		&p->locations[p->graph.nodes[node].location];

	return &p->functions[p->lines[l->line_first].function];
}

static bool is_named(const struct pn_profile *p, size_t node, const char *name)
{
	return !strcmp(pn_profile_text(p, function_of(p, node)->name), name);
}

/* What lines of a file cost in a function: the peer's rows are such pairs. */
static int64_t cost_of(const struct pn_profile *p, const struct row *row)
{
	const struct pn_graph *g = &p->graph;
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < g->cost_count; i++) {
		const struct pn_cost *c = &g->costs[i];
		uint32_t file =
			c->file ? c->file : function_of(p, c->node)->file;

		if (is_named(p, c->node, row->name) &&
		    !strcmp(file_of(p, file), row->file))
			sum += g->cost_values[i * p->type_count].i;
	}
	return sum;
}

/* The function of a row, -1 when its file is one that was inlined. */
static long node_of(const struct pn_profile *p, const struct row *row)
{
	size_t i;

	for (i = 0; i < p->graph.node_count; i++)
		if (is_named(p, i, row->name) &&
		    !strcmp(file_of(p, function_of(p, i)->file), row->file))
			return (long)i;
	return -1;
}

/* What the peer adds to a total for each level of recursion. */
static int64_t recursion_of(const struct pn_profile *p, size_t node)
{
	const struct pn_graph *g = &p->graph;
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < g->edge_count; i++)
		if (g->edges[i].caller == node && g->edges[i].callee == node)
			sum += g->edge_total[i * p->type_count].i;
	return sum;
}

/* Calls `check` for each row and says how many there were. */
static size_t each_row(const struct pn_profile *p, const char *report,
		       void (*check)(const struct pn_profile *,
				     const struct row *))
{
	struct pn_buf text = {0};
	struct pn_error err;
	struct row row;
	char *line, *next;
	size_t rows = 0;

	if (pn_file_read(&text, shared(report), 1 << 20, &err))
		fail_msg("%s", err.message);
	line = strstr((char *)text.data, "file:function");
	for (; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (!strncmp(line, "-- Auto-annotated", 17))
			break;
		if (take_row(&row, line)) {
			check(p, &row);
			rows++;
		}
	}
	pn_buf_release(&text);
	return rows;
}

static void check_self(const struct pn_profile *p, const struct row *row)
{
	if (cost_of(p, row) != row->value)
		fail_msg("%s:%s: %lld, the peer says %lld", row->file,
			 row->name, (long long)cost_of(p, row),
			 (long long)row->value);
}

static void check_total(const struct pn_profile *p, const struct row *row)
{
	long node = node_of(p, row);
	int64_t ours;

	if (node < 0)
		return;
	ours = p->graph.total[(size_t)node * p->type_count].i +
	       recursion_of(p, (size_t)node);
	if (ours != row->value)
		fail_msg("%s:%s: %lld in all, the peer says %lld", row->file,
			 row->name, (long long)ours, (long long)row->value);
}

static void agree(const char *name, size_t rows)
{
	char path[64], report[96];
	struct pn_profile p;

	snprintf(path, sizeof(path), "callgrind/%s.callgrind", name);
	read_profile(&p, NULL, shared(path));
	snprintf(report, sizeof(report), "callgrind/%s.annotate.txt", name);
	assert_true(each_row(&p, report, check_self) >= rows);
	snprintf(report, sizeof(report), "callgrind/%s.annotate-inclusive.txt",
		 name);
	assert_true(each_row(&p, report, check_total) >= rows);
	pn_profile_release(&p);
}

static void agrees_with_callgrind_annotate(void **state)
{
	(void)state;
	agree("wordfreq", 20);
	agree("wordfreq-instr-jumps", 20);
	agree("wordfreq-nocompress", 20);
	agree("wordfreq-cachesim", 20);
}

/* Of one name there are two: the sums of both. */
static int64_t column_sum(const struct pn_profile *p, size_t column)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < p->graph.node_count; i++)
		sum += p->graph.self[i * p->type_count + column].i;
	return sum;
}

/* The lines "totals:" and "summary:" of the files. */
static void adds_up_to_the_sums_of_the_files(void **state)
{
	struct pn_profile p;

	(void)state;
	read_profile(&p, NULL, shared("callgrind/wordfreq.callgrind"));
	assert_int_equal(column_sum(&p, 0), 51286075);
	assert_int_equal(p.metric_count, 0);
	assert_string_equal(pn_profile_text(&p, p.mappings[0].file),
			    "/home/user/wordcount/repo/wordfreq");
	pn_profile_release(&p);
	read_profile(&p, NULL, shared("callgrind/wordfreq-cachesim.callgrind"));
	assert_int_equal(p.type_count, 13);
	assert_int_equal(column_sum(&p, 0), 26315730);
	assert_int_equal(column_sum(&p, 12), 49914);
	assert_true(p.metrics[0].values[0] == 26315732);
	pn_profile_release(&p);
	read_profile(&p, NULL, shared("callgrind/wordfreq.cachegrind"));
	assert_int_equal(p.type_count, 9);
	assert_int_equal(column_sum(&p, 0), 26430748);
	assert_int_equal(column_sum(&p, 8), 4447);
	pn_profile_release(&p);
	read_profile(&p, NULL, shared("php/xdebug.cachegrind.gz"));
	assert_int_equal(p.type_count, 2);
	assert_true(p.metrics[0].values[0] == 37570900); /* 3757090 x 10 ns */
	assert_true(p.metrics[1].values[0] == 553712);
	assert_int_equal(column_sum(&p, 1), 46464);
	pn_profile_release(&p);
}

static size_t cost_like(const struct pn_profile *q, const struct pn_profile *p,
			const struct pn_cost *c)
{
	struct row row = {0};
	const struct pn_graph *g = &q->graph;
	int64_t sum = 0;
	uint32_t file = c->file ? c->file : function_of(p, c->node)->file;
	size_t i;

	row.name = (char *)(uintptr_t)pn_profile_text(
		p, function_of(p, c->node)->name);
	row.file = (char *)(uintptr_t)file_of(p, file);
	for (i = 0; i < g->cost_count; i++) {
		const struct pn_cost *d = &g->costs[i];
		uint32_t of = d->file ? d->file : function_of(q, d->node)->file;

		if (d->line == c->line && is_named(q, d->node, row.name) &&
		    !strcmp(file_of(q, of), row.file))
			sum += g->cost_values[i * q->type_count].i;
	}
	return (size_t)sum;
}

/* One program was run with and without relative positions, instructions and
 * numbers for names: each line cost the same. */
static void both_kinds_of_positions_say_the_same(void **state)
{
	struct pn_profile p, q;
	size_t i;

	(void)state;
	read_profile(&p, NULL,
		     shared("callgrind/wordfreq-nocompress.callgrind"));
	read_profile(&q, NULL,
		     shared("callgrind/wordfreq-instr-jumps.callgrind"));
	assert_true(p.graph.cost_count > 1000);
	for (i = 0; i < p.graph.cost_count; i += 7)
		assert_int_equal(cost_like(&q, &p, &p.graph.costs[i]),
				 cost_like(&p, &p, &p.graph.costs[i]));
	pn_profile_release(&p);
	pn_profile_release(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_callgrind_annotate),
		cmocka_unit_test(adds_up_to_the_sums_of_the_files),
		cmocka_unit_test(both_kinds_of_positions_say_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
