/* The course of each series: what sparklines below a log are made of. */
#include "analysis/history/trend.h"

#include "base/alloc.h"
#include "base/strtab.h"
#include "model/unit.h"

#include <stdlib.h>
#include <string.h>

struct series {
	struct pn_strtab texts; /* owns what `key` points to */
	struct pn_figure key;
	double *values;	 /* newest first */
	double *ordered; /* oldest first: made for the rows */
	size_t count, cap;
	double low, high;
};

struct pn_trends {
	struct series series[PN_TREND_MAX_SERIES];
	size_t count;
};

struct pn_trends *pn_trends_new(void)
{
	return pn_calloc(1, sizeof(struct pn_trends));
}

void pn_trends_free(struct pn_trends *trends)
{
	size_t i;

	for (i = 0; trends && i < trends->count; i++) {
		pn_strtab_release(&trends->series[i].texts);
		free(trends->series[i].values);
		free(trends->series[i].ordered);
	}
	free(trends);
}

static const char *keep(struct series *s, const char *text)
{
	return pn_strtab_text(&s->texts, pn_strtab_add_text(&s->texts, text));
}

static struct series *find(struct pn_trends *trends, const struct pn_figure *f)
{
	struct series *s;
	size_t i;

	for (i = 0; i < trends->count; i++)
		if (!pn_figure_cmp(&trends->series[i].key, f))
			return &trends->series[i];
	if (trends->count == PN_TREND_MAX_SERIES)
		return NULL;
	s = &trends->series[trends->count++];
	s->key = *f;
	s->key.metric = keep(s, f->metric);
	s->key.unit = keep(s, f->unit);
	s->key.series.job = keep(s, f->series.job);
	s->key.series.cmd = keep(s, f->series.cmd);
	s->key.series.args = keep(s, f->series.args);
	s->key.series.workload = keep(s, f->series.workload);
	s->key.series.collector = keep(s, f->series.collector);
	s->key.series.machine = keep(s, f->series.machine);
	return s;
}

void pn_trends_add(struct pn_trends *trends, const struct pn_figure *figures,
		   size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		struct series *s = NULL;
		double value = figures[i].median;
		const char *unit;

		if (!figures[i].dirty)
			s = find(trends, &figures[i]);
		if (!s || s->count == PN_TREND_MAX_VALUES)
			continue;
		if (strcmp(figures[i].unit, s->key.unit) != 0)
			value = pn_unit_scale(&unit, value, figures[i].unit,
					      s->key.unit);
		if (!s->count || value < s->low)
			s->low = value;
		if (!s->count || value > s->high)
			s->high = value;
		s->values = pn_grow(s->values, &s->cap, s->count + 1,
				    sizeof(*s->values));
		s->values[s->count++] = value;
	}
}

static bool has_moved(const struct series *s)
{
	return s->low < s->high;
}

static struct pn_job_tell tell_of(const struct pn_trends *trends,
				  const struct series *s)
{
	struct pn_job_tell tell = {0};
	size_t i;

	for (i = 0; i < trends->count; i++) {
		const struct series *other = &trends->series[i];

		if (has_moved(other) &&
		    !strcmp(other->key.metric, s->key.metric))
			pn_job_tell_apart(&tell, &s->key, &other->key);
	}
	return tell;
}

static const double *order(struct series *s)
{
	size_t i;

	s->ordered =
		pn_realloc_array(s->ordered, s->count, sizeof(*s->ordered));
	for (i = 0; i < s->count; i++)
		s->ordered[i] = s->values[s->count - 1 - i];
	return s->ordered;
}

size_t pn_trends_rows(struct pn_trend out[PN_TREND_MAX_SERIES],
		      struct pn_trends *trends)
{
	size_t i, n = 0;

	for (i = 0; i < trends->count; i++) {
		struct series *s = &trends->series[i];

		if (!has_moved(s))
			continue;
		out[n++] = (struct pn_trend){.key = s->key,
					     .tell = tell_of(trends, s),
					     .values = order(s),
					     .count = s->count,
					     .low = s->low,
					     .high = s->high};
	}
	return n;
}
