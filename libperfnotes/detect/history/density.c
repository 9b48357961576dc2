/* The density of residuals on a grid. */
#include "detect/history/density.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BEGUN_WITH 6.0 /* residuals that the first density counts as */
#define FEW 5	       /* residuals teach nothing */
#define SEEN 1e-9      /* times that are more than rounding */
#define WIDTHS 6

void pn_density_begin(double *out, const struct pn_grid *grid, double scale)
{
	int r, reach = grid->reach, size = 2 * reach + 1;
	double sum = 0, x;

	for (r = 0; r <= reach; r++) {
		x = r / scale;
		x = 1 + x * x / 5;
		out[reach + r] = out[reach - r] = 1 / (x * x * x);
	}
	for (r = 0; r < size; r++)
		sum += out[r];
	for (r = 0; r < size; r++)
		out[r] /= sum;
}

/* Where the running share of the residuals is p, between cells. */
static double share_at(const double *residuals, int reach, double all, double p)
{
	double below = 0, next;
	int r, size = 2 * reach + 1;

	for (r = 0; r < size; r++) {
		next = below + residuals[r];
		if (next / all > p)
			break;
		below = next;
	}
	if (r == 0)
		return -reach;
	if (r == size)
		return reach;
	return r - 1 - reach + (p - below / all) / (residuals[r] / all);
}

/* Gaussian, its sum 1; returns how many cells are on each side of the middle.
 */
static int fill_kernel(double *kernel, int reach, double width)
{
	int half = (int)ceil(4 * width), i;
	double sum = 0, x;

	if (2 * half + 1 > 2 * reach) {
		width = reach / 5.0;
		half = (int)ceil(4 * width);
	}
	for (i = 0; i <= half; i++) {
		x = i / width;
		kernel[half + i] = exp(-0.5 * x * x);
		sum += i ? 2 * kernel[half + i] : kernel[half + i];
	}
	for (i = 0; i <= half; i++)
		kernel[half - i] = kernel[half + i] /= sum;
	return half;
}

static void smooth(double *restrict out, const double *residuals, int size,
		   const double *restrict kernel, int half)
{
	int r, i, from, to;

	memset(out, 0, (size_t)size * sizeof(*out));
	for (r = 0; r < size; r++) {
		if (!(residuals[r] > 0))
			continue;
		from = r < half ? -r : -half;
		to = r + half < size ? half : size - 1 - r;
		for (i = from; i <= to; i++)
			out[r + i] += residuals[r] * kernel[half + i];
	}
}

/* How likely each residual is by the others. */
static double likelihood(const double *smoothed, const double *residuals,
			 const double *begun, int size, double own, double all)
{
	double score = 0, density;
	int r;

	for (r = 0; r < size; r++) {
		if (!(residuals[r] > SEEN))
			continue;
		density = (smoothed[r] - own + BEGUN_WITH * begun[r]) /
			  (all - 1 + BEGUN_WITH);
		score += residuals[r] * log(fmax(density, 1e-12));
	}
	return score;
}

static void choose(double *best, double *scratch, double *kernel,
		   const struct pn_grid *g, const double *residuals,
		   const double *begun, double core)
{
	static const double widths[WIDTHS] = {.1, .15, .22, .33, .5, .7};
	int size = 2 * g->reach + 1, half, i;
	double all = 0, score, best_score = -INFINITY, width, last = 0;

	for (i = 0; i < size; i++)
		all += residuals[i];
	for (i = 0; i < WIDTHS; i++) {
		width = fmax(g->min_width, core * widths[i]);
		if (width == last)
			continue;
		last = width;
		half = fill_kernel(kernel, g->reach, width);
		smooth(scratch, residuals, size, kernel, half);
		score = likelihood(scratch, residuals, begun, size,
				   kernel[half], all);
		if (score > best_score) {
			best_score = score;
			memcpy(best, scratch, (size_t)size * sizeof(*best));
		}
	}
}

void pn_density_learn(double *out, const struct pn_grid *grid,
		      const double *residuals, double scale)
{
	int size = 2 * grid->reach + 1, i;
	double all = 0, core, *begun, *best, *scratch, *kernel;

	for (i = 0; i < size; i++)
		all += residuals[i];
	if (!(all >= FEW)) {
		pn_density_begin(out, grid, scale);
		return;
	}
	begun = pn_realloc_array(NULL, 4 * (size_t)size, sizeof(*begun));
	best = begun + size;
	scratch = best + size;
	kernel = scratch + size;
	pn_density_begin(begun, grid, scale);
	core = share_at(residuals, grid->reach, all, 0.75) -
	       share_at(residuals, grid->reach, all, 0.25);
	core = fmax(1, fmin(core / 1.349, scale * 1.5));
	choose(best, scratch, kernel, grid, residuals, begun, core);
	for (i = 0; i < size; i++)
		out[i] = (best[i] + BEGUN_WITH * begun[i]) / (all + BEGUN_WITH);
	free(begun);
}
