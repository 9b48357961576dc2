/* Edges that can be done without: residual ones whose end is reached in
 * another way. */
#include "analysis/drawn/drawn.h"

#include "base/alloc.h"

#include <stdlib.h>

/* Of edges that are looked at, in all: the rest stays. A picture of 10,000
 * nodes is none. */
#define LOOKS_MAX ((size_t)1 << 25)

struct search {
	const struct pn_report *report;
	unsigned char *gone; /* by edge */
	uint32_t *seen;	     /* by row: the last search that came here */
	uint32_t *queue;     /* rows */
	uint32_t stamp;
	size_t looks;
};

/* Whether edge `at` can go: from its end back to its beginning without it. */
static bool is_redundant(struct search *s, uint32_t at)
{
	const struct pn_report *report = s->report;
	const struct pn_report_edge *edge = &report->edges[at];
	size_t head = 0, tail = 0, i;

	s->stamp++;
	s->queue[tail++] = edge->to;
	s->seen[edge->to] = s->stamp;
	while (head < tail) {
		const struct pn_report_node *row =
			&report->rows[s->queue[head++]];

		for (i = row->in_first; i < row->in_first + row->in_count;
		     i++) {
			uint32_t in = report->in[i];
			uint32_t from = report->edges[in].from;

			if (++s->looks > LOOKS_MAX)
				return false;
			if (in == at || s->gone[in] ||
			    s->seen[from] == s->stamp)
				continue;
			if (from == edge->from)
				return true;
			s->seen[from] = s->stamp;
			s->queue[tail++] = from;
		}
	}
	return false;
}

static void close_gaps(struct pn_report *report, const unsigned char *gone,
		       bool incoming)
{
	uint32_t *list = incoming ? report->in : report->out;
	size_t i, row, n;

	for (row = 0; row < report->row_count; row++) {
		struct pn_report_node *r = &report->rows[row];
		size_t first = incoming ? r->in_first : r->out_first;
		size_t *count = incoming ? &r->in_count : &r->out_count;

		for (i = n = 0; i < *count; i++)
			if (!gone[list[first + i]])
				list[first + n++] = list[first + i];
		*count = n;
	}
}

void pn_drawn_drop_redundant(struct pn_report *report)
{
	struct search s = {.report = report};
	size_t row, i;

	s.gone = pn_calloc(report->edge_count + 1, 1);
	s.seen = pn_calloc(report->row_count + 1, sizeof(*s.seen));
	s.queue = pn_calloc(report->row_count + 1, sizeof(*s.queue));
	for (row = report->row_count; row-- > 0;) {
		const struct pn_report_node *r = &report->rows[row];

		/* none that is heavier than a call that is really there */
		for (i = r->in_count; i-- > 0;) {
			uint32_t edge = report->in[r->in_first + i];

			if (!report->edges[edge].residual)
				break;
			s.gone[edge] = is_redundant(&s, edge);
		}
	}
	close_gaps(report, s.gone, true);
	close_gaps(report, s.gone, false);
	free(s.gone);
	free(s.seen);
	free(s.queue);
}
