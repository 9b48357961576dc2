/* A source file with what its lines cost. */
#include "analysis/source/annotated.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static int by_function(const struct pn_annotated_cost *a,
		       const struct pn_annotated_cost *b)
{
	size_t len = a->len < b->len ? a->len : b->len;
	int order = len ? memcmp(a->function, b->function, len) : 0;

	return order ? order : (a->len > b->len) - (a->len < b->len);
}

static int by_line(const void *left, const void *right)
{
	const struct pn_annotated_cost *a = left, *b = right;

	if (a->line != b->line)
		return a->line > b->line ? 1 : -1;
	return by_function(a, b);
}

/* What inner calls of a function cost is in the total of the outermost, but for
 * lines that call nothing. */
static void settle_calls(struct pn_annotated_side *side)
{
	size_t i, n = 0;

	for (i = 0; i < side->count; i++) {
		struct pn_annotated_cost *cost = &side->costs[i], *had;

		had = n ? &side->costs[n - 1] : NULL;
		if (had && had->line == cost->line && cost->len &&
		    !by_function(had, cost)) {
			had->self = pn_weight_add(had->self, cost->self);
			had->total = pn_weight_most(had->total, cost->total);
			had->total = pn_weight_most(had->total, had->self);
		} else {
			side->costs[n++] = *cost;
		}
	}
	side->count = n;
}

/* In order, each line once. */
static void settle(struct pn_annotated_side *side)
{
	size_t i, n = 0;

	qsort(side->costs, side->count, sizeof(*side->costs), by_line);
	settle_calls(side);
	for (i = 0; i < side->count; i++) {
		struct pn_annotated_cost *cost = &side->costs[i];

		cost->len = 0;
		if (n && side->costs[n - 1].line == cost->line) {
			struct pn_annotated_cost *had = &side->costs[n - 1];

			had->self = pn_weight_add(had->self, cost->self);
			had->total = pn_weight_add(had->total, cost->total);
		} else {
			side->costs[n++] = *cost;
		}
	}
	side->count = n;
}

size_t pn_function_len(const char *name)
{
	const char *mark = strrchr(name, '\'');

	return mark && mark[1] && !mark[1 + strspn(mark + 1, "0123456789")]
		       ? (size_t)(mark - name)
		       : strlen(name);
}

void pn_annotated_costs(struct pn_annotated_side *out,
			const struct pn_report *report,
			const unsigned char *is_meant)
{
	bool calls = report->profile->graph.node_count > 0;
	size_t i;

	*out = (struct pn_annotated_side){.report = report};
	out->costs = pn_calloc(report->row_count + 1, sizeof(*out->costs));
	for (i = 0; i < report->row_count; i++) {
		const struct pn_report_node *row = &report->rows[i];
		const struct pn_node_info *info =
			&report->nodes.items[row->node];
		const char *name = pn_profile_text(report->profile, info->name);

		if (!info->file || !is_meant[info->file])
			continue;
		out->self = pn_weight_add(out->self, row->flat);
		out->costs[out->count++] = (struct pn_annotated_cost){
			info->line, row->flat, row->cum, name,
			calls ? pn_function_len(name) : 0};
	}
	settle(out);
}

void pn_annotated_move(struct pn_annotated_side *side, const uint32_t *to,
		       size_t count)
{
	size_t i;

	for (i = 0; i < side->count; i++) {
		struct pn_annotated_cost *cost = &side->costs[i];

		cost->line = cost->line > 0 && (uint64_t)cost->line <= count
				     ? to[cost->line - 1]
				     : 0;
	}
	settle(side);
}

static void fill_side(struct pn_annotated *a, int side)
{
	struct pn_annotated_side *s = &a->side[side];
	int64_t shown = 0;
	size_t row, at = 0;

	for (row = 0; row < a->row_count; row++) {
		uint32_t line = a->rows[row].line[side];

		if (!line)
			continue;
		while (at < s->count && s->costs[at].line < (int64_t)line)
			at++;
		if (at == s->count || s->costs[at].line != (int64_t)line)
			continue;
		a->rows[row].self[side] = s->costs[at].self;
		a->rows[row].total[side] = s->costs[at].total;
		shown = pn_weight_add(shown, s->costs[at].self);
	}
	s->elsewhere = (int64_t)((uint64_t)s->self - (uint64_t)shown);
}

void pn_annotated_fill(struct pn_annotated *annotated)
{
	fill_side(annotated, 0);
	fill_side(annotated, 1);
}

void pn_annotated_release(struct pn_annotated *annotated)
{
	free(annotated->side[0].costs);
	free(annotated->side[1].costs);
	free(annotated->rows);
	memset(annotated, 0, sizeof(*annotated));
}
