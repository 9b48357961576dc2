/* Merging profiles: which run a value is of. */
#include "model/runs.h"
#include "analysis/merge/state.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define GRAPH_VALUES_MAX (1u << 26) /* of all nodes and runs: 512 MB */

void pn_merge_keep_runs(struct pn_merge *m)
{
	m->keep_runs = m->by_run = true;
}

/* Of one run there is nothing to tell, and to tell it nothing is needed. */
static void choose(struct pn_merge *m)
{
	bool known = pn_runs_are_known(m->in) && !m->change.pool &&
		     !m->change.same_runs && m->runs <= PN_RUNS_TOLD_MAX &&
		     m->runs_before <= PN_RUNS_TOLD_MAX - m->runs;

	if (!m->inputs && !m->keep_runs)
		m->by_run = known && m->runs > 1;
	if (!m->by_run || known)
		return;
	m->by_run = false;
	m->lost_runs = true;
}

void pn_merge_runs_begin(struct pn_merge *m)
{
	m->runs = m->change.runs ? m->change.runs : pn_profile_runs(m->in);
	m->runs_before = m->inputs ? pn_profile_runs(&m->out) : 0;
	choose(m);
	m->run_key = PN_NONE;
	if (m->by_run)
		m->run_key = pn_strtab_add_text(&m->out.strings, PN_RUN_LABEL);
	m->run_of_set = pn_runs_of_sets(m->in);
}

void pn_merge_runs_close(struct pn_merge *m)
{
	free(m->run_of_set);
	m->run_of_set = NULL;
}

bool pn_merge_runs_is_label(const struct pn_merge *m,
			    const struct pn_label *label)
{
	return m->run_of_set && label->kind == PN_LABEL_INT && !label->unit &&
	       !strcmp(pn_profile_text(m->in, label->key), PN_RUN_LABEL);
}

uint32_t pn_merge_runs_of_set(const struct pn_merge *m, uint32_t set)
{
	if (!m->by_run)
		return 0;
	if (m->run_of_set && m->run_of_set[set] != PN_NONE)
		return m->runs_before + m->run_of_set[set] + 1;
	return m->runs == 1 ? m->runs_before + 1 : 0;
}

/* Room for a node in a run, zeros at first. */
static union pn_value *row_of(struct pn_merge *m, uint32_t run, size_t node)
{
	size_t width = m->out.type_count, had;

	while (m->run_count <= run) {
		size_t cap = m->run_cap, nodes_cap = m->run_cap;

		m->run_self = pn_grow(m->run_self, &cap, m->run_count + 1,
				      sizeof(*m->run_self));
		m->run_nodes = pn_grow(m->run_nodes, &nodes_cap,
				       m->run_count + 1, sizeof(size_t));
		m->run_caps = pn_grow(m->run_caps, &m->run_cap,
				      m->run_count + 1, sizeof(size_t));
		m->run_self[m->run_count] = NULL;
		m->run_nodes[m->run_count] = m->run_caps[m->run_count] = 0;
		m->run_count++;
	}
	had = m->run_nodes[run];
	if (node >= had) {
		m->run_self[run] =
			pn_grow(m->run_self[run], &m->run_caps[run], node + 1,
				width * sizeof(**m->run_self));
		memset(m->run_self[run] + had * width, 0,
		       (node + 1 - had) * width * sizeof(**m->run_self));
		m->run_nodes[run] = node + 1;
	}
	return m->run_self[run] + node * width;
}

void pn_merge_runs_node(struct pn_merge *m, size_t to, size_t from)
{
	const struct pn_graph *in = &m->in->graph;
	const union pn_value *rows = in->self_by_run;
	size_t width = m->out.type_count;
	union pn_value row[PN_MAX_VALUE_TYPES];
	uint32_t run;

	if (!m->by_run || !width || (!rows && m->runs > 1))
		return;
	rows = rows ? rows + from * m->runs * width : in->self + from * width;
	for (run = 0; run < m->runs; run++, rows += width) {
		pn_merge_row(row, m, rows);
		pn_merge_add_row(row_of(m, m->runs_before + run, to), m, row);
	}
}

void pn_merge_runs_change(struct pn_merge *m, size_t column, uint8_t number,
			  double factor)
{
	const struct pn_value_type type = {.number =
						   m->out.types[column].number};
	size_t run;

	for (run = 0; run < m->run_count; run++)
		if (m->run_nodes[run])
			pn_merge_change_rows(
				m->run_self[run] + column, m->run_nodes[run],
				m->out.type_count, &type, number, factor);
}

/* False, and nothing is put, when it would be too much. */
static bool put_graph(struct pn_merge *m)
{
	struct pn_graph *g = &m->out.graph;
	size_t width = m->out.type_count, runs = pn_profile_runs(&m->out);
	size_t run, node;

	if (g->node_count > GRAPH_VALUES_MAX / (runs * width))
		return false;
	g->self_by_run = pn_calloc(g->node_count * runs,
				   width * sizeof(*g->self_by_run));
	for (run = 0; run < m->run_count; run++)
		for (node = 0; node < m->run_nodes[run]; node++)
			memcpy(g->self_by_run + (node * runs + run) * width,
			       m->run_self[run] + node * width,
			       width * sizeof(*g->self_by_run));
	return true;
}

bool pn_merge_runs_end(struct pn_merge *m)
{
	bool one = pn_profile_runs(&m->out) == 1;

	free(m->out.graph.self_by_run);
	m->out.graph.self_by_run = NULL;
	if (m->by_run && !one && m->run_count && !put_graph(m))
		m->lost_runs = true;
	return m->lost_runs || (m->by_run && one);
}

void pn_merge_runs_release(struct pn_merge *m)
{
	size_t run;

	for (run = 0; run < m->run_count; run++)
		free(m->run_self[run]);
	free(m->run_self);
	free(m->run_nodes);
	free(m->run_caps);
}
