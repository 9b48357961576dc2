/* Sparklines below a log: at most so many series and values are kept, because
 * a log may run over a million commits. */
#include "trend.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "base/strtab.h"
#include "entry_view.h"
#include "render/sparkline.h"

#include <stdlib.h>
#include <string.h>

#define MAX_SERIES 16
#define MAX_VALUES 65536
#define WIDTH 60 /* leaves room for name and range in 120 columns */

struct series {
	struct pn_strtab texts; /* owns what `key` points to */
	struct pn_figure key;
	double *values; /* newest first */
	size_t count, cap;
	double low, high;
};

struct trends {
	struct series series[MAX_SERIES];
	size_t count;
};

struct trends *trends_new(void)
{
	return pn_calloc(1, sizeof(struct trends));
}

void trends_free(struct trends *trends)
{
	size_t i;

	for (i = 0; i < trends->count; i++) {
		pn_strtab_release(&trends->series[i].texts);
		free(trends->series[i].values);
	}
	free(trends);
}

static const char *keep(struct series *s, const char *text)
{
	return pn_strtab_text(&s->texts, pn_strtab_add_text(&s->texts, text));
}

static struct series *find(struct trends *trends, const struct pn_figure *f)
{
	struct series *s;
	size_t i;

	for (i = 0; i < trends->count; i++)
		if (!pn_figure_cmp(&trends->series[i].key, f))
			return &trends->series[i];
	if (trends->count == MAX_SERIES)
		return NULL;
	s = &trends->series[trends->count++];
	s->key = *f;
	s->key.metric = keep(s, f->metric);
	s->key.unit = keep(s, f->unit);
	s->key.cmd = keep(s, f->cmd);
	s->key.args = keep(s, f->args);
	s->key.workload = keep(s, f->workload);
	s->key.collector = keep(s, f->collector);
	s->key.environment = keep(s, f->environment);
	return s;
}

void trends_add(struct trends *trends, const struct pn_figure *figures,
		size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		struct series *s = find(trends, &figures[i]);
		double value = figures[i].median;

		if (!s || s->count == MAX_VALUES)
			continue;
		if (!s->count || value < s->low)
			s->low = value;
		if (!s->count || value > s->high)
			s->high = value;
		s->values = pn_grow(s->values, &s->cap, s->count + 1,
				    sizeof(*s->values));
		s->values[s->count++] = value;
	}
}

static bool is_printed(const struct series *s)
{
	return s->low < s->high;
}

/* What the row needs so that none of the others looks like it. */
static struct job_tell tell_of(const struct trends *trends,
			       const struct series *s)
{
	struct job_tell tell = {0};
	size_t i;

	for (i = 0; i < trends->count; i++)
		if (is_printed(&trends->series[i]) &&
		    !strcmp(trends->series[i].key.metric, s->key.metric))
			job_tell_apart(&tell, &s->key, &trends->series[i].key);
	return tell;
}

static void print_one(struct pn_buf *out, const struct series *s,
		      const struct job_tell *tell)
{
	double *ordered = pn_malloc(s->count * sizeof(*ordered));
	struct pn_buf job = {0};
	size_t i;

	for (i = 0; i < s->count; i++)
		ordered[i] = s->values[s->count - 1 - i];
	pn_escape_terminal(out, s->key.metric, strlen(s->key.metric));
	pn_buf_add_text(out, "  ");
	pn_sparkline(out, ordered, s->count, WIDTH);
	pn_buf_add_text(out, "  ");
	value_text(out, s->low, s->key.unit);
	pn_buf_add_text(out, " .. ");
	value_text(out, s->high, s->key.unit);
	job_text(&job, &s->key, tell);
	if (job.len)
		pn_buf_printf(out, "  [%s]", pn_buf_text(&job));
	pn_buf_add_byte(out, '\n');
	pn_buf_release(&job);
	free(ordered);
}

void trends_print(struct pn_buf *out, const struct trends *trends)
{
	size_t i;

	for (i = 0; i < trends->count; i++) {
		const struct series *s = &trends->series[i];
		struct job_tell tell;

		if (!is_printed(s))
			continue;
		tell = tell_of(trends, s);
		print_one(out, s, &tell);
	}
}
