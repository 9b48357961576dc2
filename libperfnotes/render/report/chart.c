/* A history as a picture: what is seen where no script runs, on paper, and
 * beside the names of all charts. */
#include "render/report/parts.h"

#include <math.h>

#define PAD 4

struct frame {
	double low, high; /* of the values */
	double x, y;	  /* pixels of a commit, of a unit */
	size_t oldest;	  /* commit at the left end */
	int width, height;
};

static void span(struct frame *f, const struct pn_reported_line *line)
{
	size_t i;

	for (i = 0; i < line->count; i++) {
		const struct pn_reported_point *p = &line->points[i];

		if (p->commit > f->oldest)
			continue;
		f->low = fmin(f->low, p->value);
		f->high = fmax(f->high, p->value);
	}
}

/* A tenth of the middle at least: what hardly moves looks so. */
static void scale(struct frame *f, size_t commits)
{
	double middle = (f->low + f->high) / 2, least = 0.05 * fabs(middle);

	if (f->high - f->low < 2 * least) {
		f->low = middle - least;
		f->high = middle + least;
	}
	if (!(f->high > f->low))
		f->high = f->low + 1;
	f->x = (f->width - 2.0 * PAD) / (commits > 1 ? (double)commits - 1 : 1);
	f->y = (f->height - 2.0 * PAD) / (f->high - f->low);
}

static void place(struct pn_buf *out, const struct frame *f, size_t commit,
		  double value)
{
	double y = f->height - PAD -
		   (fmax(f->low, fmin(f->high, value)) - f->low) * f->y;

	pn_buf_printf(out, "%.1f,%.1f ",
		      PAD + (double)(f->oldest - commit) * f->x, y);
}

static void band(struct pn_buf *out, const struct frame *f,
		 const struct pn_reported_line *line, size_t color)
{
	size_t i, n = 0;

	for (i = 0; i < line->count; i++)
		n += line->points[i].commit <= f->oldest &&
		     line->points[i].high > line->points[i].low;
	if (n < 2)
		return;
	pn_buf_printf(out, "<polygon class=\"b%zu\" points=\"", color);
	for (i = 0; i < line->count; i++)
		if (line->points[i].commit <= f->oldest)
			place(out, f, line->points[i].commit,
			      line->points[i].high);
	for (i = line->count; i-- > 0;)
		if (line->points[i].commit <= f->oldest)
			place(out, f, line->points[i].commit,
			      line->points[i].low);
	pn_buf_add_text(out, "\"/>");
}

static void curve(struct pn_buf *out, const struct frame *f,
		  const struct pn_reported_line *line, size_t color)
{
	size_t i, last = 0, n = 0;

	for (i = 0; i < line->count; i++)
		if (line->points[i].commit <= f->oldest) {
			last = i;
			n++;
		}
	pn_buf_printf(out, "<polyline class=\"l%zu%s\" points=\"", color,
		      n == 1 ? " dot" : "");
	for (i = 0; i < line->count; i++)
		if (line->points[i].commit <= f->oldest)
			place(out, f, line->points[i].commit,
			      line->points[i].value);
	if (n == 1) /* a line to itself, which round ends make seen */
		place(out, f, line->points[last].commit,
		      line->points[last].value);
	pn_buf_add_text(out, "\"/>");
}

static void marks(struct pn_buf *out, const struct frame *f,
		  const struct pn_reported *r, size_t first, size_t count)
{
	size_t i;

	for (i = 0; i < r->mark_count; i++) {
		const struct pn_reported_mark *m = &r->marks[i];
		double left, right;

		if (m->drift || m->line < first || m->line >= first + count ||
		    m->newest > f->oldest)
			continue;
		left = PAD +
		       ((double)f->oldest - (double)m->oldest - 0.5) * f->x;
		right = PAD +
			((double)f->oldest - (double)m->newest + 0.5) * f->x;
		left = fmax(left, 0);
		pn_buf_printf(out,
			      "<rect class=\"mark %s\" x=\"%.1f\" y=\"0\" "
			      "width=\"%.1f\" height=\"%d\"/>",
			      m->direction > 0	 ? "worse"
			      : m->direction < 0 ? "better"
						 : "other",
			      left, fmax(1, fmin(right, f->width) - left),
			      f->height);
	}
}

void pn_page_chart(struct pn_buf *out, const struct pn_reported *r,
		   size_t first, size_t count, size_t commits, int width,
		   int height)
{
	struct frame f = {.low = INFINITY,
			  .high = -INFINITY,
			  .width = width,
			  .height = height};
	size_t i;

	if (commits > r->count)
		commits = r->count;
	f.oldest = commits - 1;
	for (i = first; i < first + count; i++)
		span(&f, &r->lines[i]);
	if (!(f.high >= f.low))
		return;
	scale(&f, commits);
	pn_buf_printf(out,
		      "<svg class=\"chart\" viewBox=\"0 0 %d %d\" "
		      "preserveAspectRatio=\"none\" width=\"%d\" "
		      "height=\"%d\" aria-hidden=\"true\">",
		      width, height, width, height);
	if (height > 40)
		marks(out, &f, r, first, count);
	for (i = first; i < first + count; i++) {
		if (height > 40)
			band(out, &f, &r->lines[i], (i - first) % 8);
		curve(out, &f, &r->lines[i], (i - first) % 8);
	}
	pn_buf_add_text(out, "</svg>");
}
