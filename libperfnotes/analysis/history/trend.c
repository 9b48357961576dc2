/* The course of each series: what sparklines below a log are made of. */
#include "analysis/history/trend.h"

#include "base/alloc.h"
#include "base/strtab.h"
#include "model/unit.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct series {
	struct pn_strtab texts; /* owns what `key` points to */
	struct pn_figure key;
	double *values; /* newest first */
	size_t *places; /* of their commits */
	size_t count, value_cap, place_cap;
	double *ordered; /* oldest first, with gaps: made for the rows */
	double low, high;
};

struct pn_trends {
	struct series series[PN_TREND_MAX_SERIES];
	size_t count;
	size_t commits, measured; /* so far; up to the last one with a figure */
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
		free(trends->series[i].places);
		free(trends->series[i].ordered);
	}
	free(trends);
}

static const char *keep(struct series *s, const char *text)
{
	return pn_strtab_text(&s->texts, pn_strtab_add_text(&s->texts, text));
}

static bool is_one_metric(const struct pn_figure *a, const struct pn_figure *b)
{
	return !strcmp(a->metric, b->metric) &&
	       pn_unit_comparable(a->unit, b->unit);
}

/* Whether the commit has no other series of the figure's job. */
static bool is_alone(const struct pn_figure *f, const struct pn_figure *figures,
		     size_t count)
{
	size_t i;

	if (!*f->series.job || count > PN_SERIES_TELL_MAX)
		return false;
	for (i = 0; i < count; i++)
		if (&figures[i] != f && !figures[i].dirty &&
		    is_one_metric(&figures[i], f) &&
		    pn_series_same_job(&figures[i].series, &f->series))
			return false;
	return true;
}

/* Its series, or the only one of its job, whose command was changed. */
static struct series *find_known(struct pn_trends *trends,
				 const struct pn_figure *f, bool alone)
{
	struct series *s, *other = NULL;
	size_t i, others = 0;

	for (i = 0; i < trends->count; i++) {
		s = &trends->series[i];
		if (!is_one_metric(&s->key, f))
			continue;
		if (pn_series_alike(&s->key.series, &f->series))
			return s;
		if (!pn_series_same_job(&s->key.series, &f->series))
			continue;
		other = s;
		others++;
	}
	return alone && others == 1 ? other : NULL;
}

static struct series *find(struct pn_trends *trends, const struct pn_figure *f,
			   bool alone)
{
	struct series *s = find_known(trends, f, alone);

	if (s || trends->count == PN_TREND_MAX_SERIES)
		return s;
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

/* Figures of one unit are what a course is made of. */
static double value_of(const struct pn_figure *f, const struct series *s)
{
	const char *unit;

	if (!strcmp(f->unit, s->key.unit))
		return f->median;
	return pn_unit_scale(&unit, f->median, f->unit, s->key.unit);
}

static void add_value(struct series *s, double value, size_t place)
{
	/* a commit that another one names by another job's name */
	if (s->count && s->places[s->count - 1] == place)
		return;
	if (!s->count || value < s->low)
		s->low = value;
	if (!s->count || value > s->high)
		s->high = value;
	s->values = pn_grow(s->values, &s->value_cap, s->count + 1,
			    sizeof(*s->values));
	s->places = pn_grow(s->places, &s->place_cap, s->count + 1,
			    sizeof(*s->places));
	s->values[s->count] = value;
	s->places[s->count++] = place;
}

void pn_trends_add(struct pn_trends *trends, const struct pn_figure *figures,
		   size_t count)
{
	size_t i, place = trends->commits;

	if (place == PN_TREND_MAX_COMMITS)
		return;
	trends->commits++;
	for (i = 0; i < count; i++) {
		struct series *s = NULL;

		if (!figures[i].dirty)
			s = find(trends, &figures[i],
				 is_alone(&figures[i], figures, count));
		if (!s)
			continue;
		add_value(s, value_of(&figures[i], s), place);
		trends->measured = place + 1;
	}
}

static bool has_moved(const struct series *s)
{
	return s->low < s->high;
}

static struct pn_series_parts parts_of(const struct pn_trends *trends,
				       const struct series *s)
{
	struct pn_series others[PN_TREND_MAX_SERIES];
	size_t i, n = 0;

	for (i = 0; i < trends->count; i++)
		if (has_moved(&trends->series[i]))
			others[n++] = trends->series[i].key.series;
	return pn_series_tell(&s->key.series, others, n);
}

static const double *order(struct series *s, size_t commits)
{
	size_t i;

	s->ordered = pn_realloc_array(s->ordered, commits, sizeof(*s->ordered));
	for (i = 0; i < commits; i++)
		s->ordered[i] = NAN;
	for (i = 0; i < s->count; i++)
		s->ordered[commits - 1 - s->places[i]] = s->values[i];
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
		out[n++] =
			(struct pn_trend){.key = s->key,
					  .parts = parts_of(trends, s),
					  .values = order(s, trends->measured),
					  .count = trends->measured,
					  .low = s->low,
					  .high = s->high};
	}
	return n;
}
