/* Points of resources with the models that were fitted to them. */
#include "analysis/resources/scatter.h"

#include "analysis/models.h"
#include "analysis/post/regression.h"
#include "analysis/resources/frame.h"
#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a formula, in equal steps; only where it has a value. */
static void sweep(struct pn_scatter_curve *out,
		  const struct pn_model_line *line)
{
	size_t i;

	for (i = 0; i < PN_SCATTER_STEPS; i++) {
		double x = line->x_start + (line->x_end - line->x_start) *
						   (double)i /
						   (PN_SCATTER_STEPS - 1);
		double y = pn_model_line_at(line, x);

		if (!isfinite(y))
			continue;
		out->x[out->count] = x;
		out->y[out->count++] = y;
	}
}

/* Of buckets: a step each; of other curves: values at equal distances. Where
 * there are more than a picture has room for, some of them. */
static void walk(struct pn_scatter_curve *out, const struct pn_model_line *line)
{
	bool steps = !strcmp(pn_buf_text(&line->model), "regressogram");
	size_t n = line->value_count, i, k, at;
	double wide = line->x_end - line->x_start;

	for (i = 0; i < n && i < PN_SCATTER_STEPS; i++) {
		at = n <= PN_SCATTER_STEPS ? i : i * n / PN_SCATTER_STEPS;
		for (k = 0; k < (steps ? 2 : 1); k++) {
			double part = steps   ? (double)(at + k) / (double)n
				      : n > 1 ? (double)at / (double)(n - 1)
					      : 0;

			if (!isfinite(line->values[at]))
				continue;
			out->x[out->count] = line->x_start + wide * part;
			out->y[out->count++] = line->values[at];
		}
	}
}

static int by_fit(const void *a, const void *b)
{
	const struct pn_scatter_curve *l = a, *r = b;

	if (l->r_square != r->r_square)
		return l->r_square > r->r_square ? -1 : 1;
	return strcmp(l->name, r->name);
}

static void add_curve(struct pn_scatter_plot *plot,
		      const struct pn_model_line *line)
{
	struct pn_scatter_curve *curve;

	plot->curves = pn_realloc_array(plot->curves, plot->curve_count + 1,
					sizeof(*plot->curves));
	curve = &plot->curves[plot->curve_count];
	memset(curve, 0, sizeof(*curve));
	curve->r_square = isnan(line->r_square) ? 0 : line->r_square;
	if (!isnan(line->b[0]))
		sweep(curve, line);
	else
		walk(curve, line);
	if (!curve->count)
		return;
	curve->name = pn_strdup(pn_buf_text(&line->model));
	plot->curve_count++;
}

/* The best ones stay. */
static void choose_curves(struct pn_scatter_plot *plot)
{
	if (plot->curve_count < 2)
		return;
	qsort(plot->curves, plot->curve_count, sizeof(*plot->curves), by_fit);
	while (plot->curve_count > PN_SCATTER_CURVES)
		free(plot->curves[--plot->curve_count].name);
}

static int stored_models(struct pn_scatter *s, const struct pn_profile *p,
			 struct pn_error *err)
{
	struct pn_model_line line = {.values = NULL};
	size_t i, k;
	int code = 0;

	for (i = 0; i < p->header.model_count && !code; i++) {
		code = pn_model_line_read(&line, p, i, err);
		for (k = 0; k < s->plot_count && !code; k++) {
			const struct pn_points *of = s->plots[k].points;

			if (of->uid_len == line.uid.len &&
			    !memcmp(of->uid, pn_buf_text(&line.uid),
				    of->uid_len))
				add_curve(&s->plots[k], &line);
		}
		for (k = 0; k < s->plot_count; k++)
			choose_curves(&s->plots[k]);
	}
	pn_model_line_release(&line);
	return code;
}

static void fit_model(struct pn_scatter_plot *plot)
{
	struct pn_regression_points points;
	struct pn_model_line line = {.values = NULL};
	struct pn_fit fits[PN_REGRESSIONS];
	size_t n = 0, best, i;
	int model;

	pn_regression_points_init(&points, plot->points);
	for (model = 0; model < PN_REGRESSIONS; model++)
		n += pn_regression_fit(&fits[n], (enum pn_regression)model,
				       &points, 0, points.count);
	best = pn_regression_best(fits, n);
	if (best != SIZE_MAX) {
		line.r_square = fits[best].r_square;
		line.x_start = fits[best].x_start;
		line.x_end = fits[best].x_end;
		for (i = 0; i < fits[best].b_count; i++)
			line.b[i] = fits[best].b[i];
		pn_buf_add_text(&line.model,
				pn_regression_names[fits[best].model]);
		add_curve(plot, &line);
	}
	pn_model_line_release(&line);
	pn_regression_points_release(&points);
}

static void measure(struct pn_scatter_plot *plot)
{
	const struct pn_points *p = plot->points;
	const double *all[2] = {p->x, p->y};
	size_t axis, i;

	for (axis = 0; axis < 2; axis++) {
		plot->low[axis] = plot->high[axis] = all[axis][0];
		for (i = 1; i < p->count; i++) {
			plot->low[axis] = fmin(plot->low[axis], all[axis][i]);
			plot->high[axis] = fmax(plot->high[axis], all[axis][i]);
		}
	}
	/* 0 belongs to it unless all is far from there */
	if (plot->low[1] < plot->high[1] / 2)
		plot->low[1] = fmin(plot->low[1], 0);
}

static int by_points(const void *a, const void *b)
{
	const struct pn_scatter_plot *l = a, *r = b;

	if (l->points->count != r->points->count)
		return l->points->count > r->points->count ? -1 : 1;
	return l->points < r->points ? -1 : l->points > r->points;
}

static void choose_plots(struct pn_scatter *s, int64_t most)
{
	size_t i, n = s->points.count, room;

	s->plots = pn_calloc(n + 1, sizeof(*s->plots));
	for (i = 0; i < n; i++)
		s->plots[i].points = &s->points.items[i];
	qsort(s->plots, n, sizeof(*s->plots), by_points);
	room = most < 0 ? n : most ? (size_t)most : PN_SCATTER_PLOTS;
	s->plot_count = n < room ? n : room;
	s->more = n - s->plot_count;
	for (i = 0; i < s->plot_count; i++)
		measure(&s->plots[i]);
}

static char *unit_of(const struct pn_profile *p, const char *key)
{
	struct pn_frame frame;
	struct pn_error err;
	char *unit = NULL;
	size_t at;

	if (!pn_frame_init(&frame, p, NULL, 0, &err) &&
	    (at = pn_frame_find(&frame, key)) != SIZE_MAX)
		unit = pn_strdup(pn_frame_unit(&frame, at));
	pn_frame_release(&frame);
	return unit ? unit : pn_strdup("");
}

int pn_scatter_init(struct pn_scatter *out, const struct pn_profile *profile,
		    const struct pn_resources_request *r, int64_t most,
		    struct pn_error *err)
{
	int code;
	size_t i;

	memset(out, 0, sizeof(*out));
	code = pn_points_gather(&out->points, profile, r->of, r->per, err);
	if (code)
		return code;
	choose_plots(out, most);
	out->x_unit = unit_of(profile, out->points.per);
	out->y_unit = unit_of(profile, out->points.of);
	out->fitted = !profile->header.model_count;
	for (i = 0; i < out->plot_count && out->fitted; i++)
		fit_model(&out->plots[i]);
	return out->fitted ? 0 : stored_models(out, profile, err);
}

void pn_scatter_release(struct pn_scatter *s)
{
	size_t i, k;

	for (i = 0; i < s->plot_count; i++) {
		for (k = 0; k < s->plots[i].curve_count; k++)
			free(s->plots[i].curves[k].name);
		free(s->plots[i].curves);
	}
	free(s->plots);
	free(s->x_unit);
	free(s->y_unit);
	pn_points_release(&s->points);
	memset(s, 0, sizeof(*s));
}

void pn_table_of_scatter(struct pn_table *out, const struct pn_scatter *s,
			 bool named)
{
	const char *names[] = {"uid", s->points.per, s->points.of};
	static const char *const keys[] = {"uid", "x", "y"};
	size_t i, k;

	memset(out, 0, sizeof(*out));
	for (i = 0; i < 3; i++) {
		struct pn_column column = {.gap = i ? 2 : 0, .left = !i};

		column.title = pn_table_title(out, names[i]);
		column.key = named ? column.title : keys[i];
		pn_table_add_column(out, &column);
	}
	for (i = 0; i < s->plot_count; i++) {
		const struct pn_points *p = s->plots[i].points;
		const char *uid =
			pn_arena_copy(&out->arena, p->uid, p->uid_len);

		for (k = 0; k < p->count; k++) {
			struct pn_cell *cells = pn_table_add_row(out);

			cells[0] = pn_cell_text(uid);
			cells[1] = pn_cell_count(p->x[k]);
			cells[2] = pn_cell_count(p->y[k]);
		}
	}
}
