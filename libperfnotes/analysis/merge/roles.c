/*
 * Merging profiles: values that are no sums. Of peaks the profile with the
 * largest counts, whole, because no two peaks were there at once; of levels
 * the mean by run is kept. Differences take both as they are, and so do runs
 * that stay apart.
 */
#include "analysis/merge/state.h"
#include "model/runs.h"

#include <math.h>
#include <string.h>

static bool applies(const struct pn_merge *m)
{
	return !m->by_run && !m->change.runs && !m->change.same_runs &&
	       !m->change.negate;
}

/* The peak of the run that had the largest, in the unit of `out`; which run
 * that was, PN_NONE where runs are not told. */
static double find_peak(uint32_t *run, const struct pn_merge *m, size_t column)
{
	const struct pn_profile *in = m->in;
	uint32_t from = m->column[column];
	double peak = pn_runs_peak(run, in, from, m->run_of_set);

	return peak * m->factor[column];
}

static void clear_column(struct pn_merge *m, size_t column)
{
	struct pn_profile *out = &m->out;
	size_t i, width = out->type_count;

	for (i = 0; i < out->sample_count; i++)
		out->values[i * width + column].i = 0;
	for (i = 0; i < out->graph.node_count; i++) {
		out->graph.self[i * width + column].i = 0;
		out->graph.total[i * width + column].i = 0;
	}
	for (i = 0; i < out->graph.edge_count; i++) {
		out->graph.edge_self[i * width + column].i = 0;
		out->graph.edge_total[i * width + column].i = 0;
	}
	for (i = 0; i < out->graph.cost_count; i++)
		out->graph.cost_values[i * width + column].i = 0;
}

void pn_merge_roles(struct pn_merge *m)
{
	double peak;
	size_t i;

	if (!applies(m)) {
		m->no_roles = true;
		for (i = 0; i < m->out.type_count; i++)
			m->peak_run[i] = PN_NONE;
		return;
	}
	for (i = 0; i < m->out.type_count; i++) {
		m->peak_run[i] = PN_NONE;
		if (m->out.types[i].role == PN_ROLE_GAUGE && !m->run_of_set)
			m->factor[i] *= m->runs;
		if (m->out.types[i].role != PN_ROLE_PEAK)
			continue;
		peak = find_peak(&m->peak_run[i], m, i);
		if (m->inputs && peak <= m->peak[i]) {
			m->factor[i] = 0;
			continue;
		}
		if (m->inputs)
			clear_column(m, i);
		m->peak[i] = peak;
	}
}

void pn_merge_roles_row(union pn_value *row, const struct pn_merge *m,
			uint32_t set)
{
	size_t i;

	for (i = 0; m->run_of_set && i < m->out.type_count; i++)
		if (m->peak_run[i] != PN_NONE &&
		    m->run_of_set[set] != m->peak_run[i])
			row[i].i = 0;
}

/* Levels were added up, each run's once. */
static void divide(union pn_value *values, size_t rows, size_t width,
		   const struct pn_value_type *type, double runs)
{
	size_t i;

	for (i = 0; i < rows; i++) {
		union pn_value *value = &values[i * width];

		if (type->number == PN_NUMBER_DOUBLE)
			value->d /= runs;
		else
			value->i = pn_merge_rounded((double)value->i / runs);
	}
}

void pn_merge_roles_end(struct pn_merge *m)
{
	struct pn_profile *out = &m->out;
	struct pn_graph *g = &out->graph;
	double runs = pn_profile_runs(out);
	size_t i, width = out->type_count;

	for (i = 0; !m->by_run && !m->no_roles && runs > 1 && i < width; i++) {
		const struct pn_value_type *type = &out->types[i];

		if (type->role != PN_ROLE_GAUGE)
			continue;
		if (out->sample_count)
			divide(out->values + i, out->sample_count, width, type,
			       runs);
		if (!g->node_count)
			continue;
		divide(g->self + i, g->node_count, width, type, runs);
		divide(g->total + i, g->node_count, width, type, runs);
		if (!g->edge_count)
			continue;
		divide(g->edge_self + i, g->edge_count, width, type, runs);
		divide(g->edge_total + i, g->edge_count, width, type, runs);
	}
}
