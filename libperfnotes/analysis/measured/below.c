/* What tracing cannot see. */
#include "analysis/measured/below.h"

#include <string.h>

#define LEAST_SHARE 0.01

static double cost_of(const struct pn_profile *p)
{
	size_t i;

	for (i = 0; i < p->metric_count; i++)
		if (!strcmp(pn_profile_text(p, p->metrics[i].name),
			    PN_BELOW_METRIC) &&
		    p->metrics[i].value_count)
			return p->metrics[i].values[0];
	return 0;
}

static const char *name_of(const struct pn_profile *p,
			   const struct pn_node *node)
{
	const struct pn_location *l;

	if (node->location >= p->location_count)
		return "";
	l = &p->locations[node->location];
	if (!l->line_count || p->lines[l->line_first].function == PN_NONE)
		return "";
	return pn_profile_text(
		p, p->functions[p->lines[l->line_first].function].name);
}

static double self_of(const struct pn_profile *p, size_t node)
{
	return (double)p->graph.self[node * p->type_count].i;
}

/* Which of the named ones it stands before: those that were called more. */
static void add_name(struct pn_below *out, int64_t calls[PN_BELOW_NAMED],
		     const char *name, int64_t called)
{
	size_t at = out->named, i;

	while (at && calls[at - 1] < called)
		at--;
	if (!*name || at == PN_BELOW_NAMED)
		return;
	if (out->named < PN_BELOW_NAMED)
		out->named++;
	for (i = out->named - 1; i > at; i--) {
		calls[i] = calls[i - 1];
		out->names[i] = out->names[i - 1];
	}
	calls[at] = called;
	out->names[at] = name;
}

void pn_below_of(struct pn_below *out, const struct pn_profile *p)
{
	int64_t calls[PN_BELOW_NAMED] = {0};
	double all_ns = 0;
	size_t i;

	memset(out, 0, sizeof(*out));
	out->cost_ns = cost_of(p);
	if (!(out->cost_ns > 0) || p->type_count < 2 ||
	    strcmp(pn_profile_text(p, p->types[0].unit), "ns") != 0)
		return;
	for (i = 0; i < p->graph.node_count; i++)
		if (self_of(p, i) > 0)
			all_ns += self_of(p, i);
	for (i = 0; i < p->graph.node_count; i++) {
		const struct pn_node *node = &p->graph.nodes[i];
		double traced_ns = (double)node->calls * out->cost_ns;

		if (node->calls <= 0 || self_of(p, i) >= traced_ns ||
		    traced_ns < LEAST_SHARE * all_ns)
			continue;
		out->count++;
		add_name(out, calls, name_of(p, node), node->calls);
	}
}
