/* Pictures of numbers as elements of SVG. */
#include "render/resources/plot.h"

#include "base/text/width.h"
#include "model/unit.h"
#include "render/html/html.h"

#include <math.h>
#include <string.h>

#define LINE 18	       /* of text */
#define TOP 20	       /* the first one's */
#define LETTER 7.3     /* of what a letter is wide, at most */
#define BELOW 44       /* numbers and the name of the axis */
#define LEGEND_MOST 28 /* letters of a name */
#define TICKS 5	       /* that are aimed at */
#define TICKS_MOST 24

void pn_plot_widen(struct pn_plot_axis *axis)
{
	if (axis->high > axis->low)
		return;
	if (axis->low == 0) {
		axis->high = 1;
		return;
	}
	axis->low -= fabs(axis->low) / 10;
	axis->high += fabs(axis->high) / 10;
}

static double place(const struct pn_plot_axis *axis, double value)
{
	return (value - axis->low) / (axis->high - axis->low);
}

double pn_plot_x(const struct pn_plot *p, double value)
{
	return p->left + place(&p->x, value) * (p->right - p->left);
}

double pn_plot_y(const struct pn_plot *p, double value)
{
	return p->bottom - place(&p->y, value) * (p->bottom - p->top);
}

size_t pn_plot_color(const struct pn_plot_words *words, size_t series)
{
	if (words->rest && series + 1 == words->legend_count)
		return PN_PLOT_COLORS - 1;
	return series % (PN_PLOT_COLORS - 1);
}

/* Of at most `most` letters, "..." where it is cut; true then. */
static bool shorten(struct pn_buf *out, const char *text, size_t most)
{
	size_t len = strlen(text);

	pn_text_fit(out, text, len, most);
	return out->len != len || memcmp(out->data, text, len) != 0;
}

void pn_plot_text(struct pn_plot *p, double x, double y, const char *anchor,
		  const char *text, size_t most)
{
	struct pn_buf shown = {0};
	bool cut = shorten(&shown, text, most);

	pn_buf_printf(p->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">",
		      x, y, anchor);
	pn_html_text(p->out, pn_buf_text(&shown), shown.len);
	if (cut) {
		size_t len = strlen(text);

		pn_buf_add_text(p->out, "<title>");
		pn_html_text(p->out, text, len < 1000 ? len : 1000);
		pn_buf_add_text(p->out, "</title>");
	}
	pn_buf_add_text(p->out, "</text>\n");
	pn_buf_release(&shown);
}

void pn_plot_rect(struct pn_plot *p, double x0, double y0, double x1, double y1,
		  size_t color, const char *figures)
{
	pn_buf_printf(p->out,
		      "<rect class=\"c%zu\" x=\"%.1f\" y=\"%.1f\" "
		      "width=\"%.1f\" height=\"%.1f\">",
		      color, fmin(x0, x1), fmin(y0, y1),
		      fmax(fabs(x1 - x0), 0.5), fmax(fabs(y1 - y0), 0.5));
	if (figures) {
		pn_buf_add_text(p->out, "<title>");
		pn_html_text(p->out, figures, strlen(figures));
		pn_buf_add_text(p->out, "</title>");
	}
	pn_buf_add_text(p->out, "</rect>\n");
}

/* A row of names with their colours; returns how many lines they take. */
static size_t legend(struct pn_plot *p, const struct pn_plot_words *words,
		     double y, bool drawn)
{
	double x = 12;
	size_t i, lines = 1;

	for (i = 0; i < words->legend_count; i++) {
		struct pn_buf name = {0};
		double width;

		shorten(&name, words->legend[i], LEGEND_MOST);
		width = 30 + LETTER * (double)pn_text_width(pn_buf_text(&name),
							    name.len);
		pn_buf_release(&name);
		if (x + width > p->width && x > 12) {
			x = 12;
			lines++;
		}
		if (drawn) {
			double top = y + LINE * (double)(lines - 1);

			pn_plot_rect(p, x, top - 10, x + 12, top + 2,
				     pn_plot_color(words, i), NULL);
			pn_plot_text(p, x + 18, top, "start", words->legend[i],
				     LEGEND_MOST);
		}
		x += width;
	}
	return words->legend_count ? lines : 0;
}

static double heads(struct pn_plot *p, const struct pn_plot_words *words,
		    double y)
{
	const char *at = words->remarks;

	pn_buf_add_text(p->out, "<g class=\"head\">");
	pn_plot_text(p, 12, y, "start", words->title, 120);
	pn_buf_add_text(p->out, "</g>\n");
	for (; *at; at += strcspn(at, "\n") + (strchr(at, '\n') != NULL)) {
		struct pn_buf line = {0};

		pn_buf_add(&line, at, strcspn(at, "\n"));
		y += LINE;
		pn_plot_text(p, 12, y, "start", pn_buf_text(&line), 130);
		pn_buf_release(&line);
	}
	return y;
}

static size_t count_lines(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

double pn_plot_head(const struct pn_plot_words *words, bool alone)
{
	return alone ? TOP + LINE * (double)count_lines(words->remarks) : 0;
}

void pn_plot_open(struct pn_plot *p, const struct pn_plot_words *words,
		  bool alone)
{
	struct pn_buf *out = p->out;

	if (alone)
		pn_buf_add_text(out, "<?xml version=\"1.0\" "
				     "encoding=\"UTF-8\"?>\n");
	pn_buf_printf(out,
		      "<svg xmlns=\"http://www.w3.org/2000/svg\" "
		      "class=\"pn-plot\" role=\"img\" viewBox=\"0 0 %.0f "
		      "%.0f\"",
		      p->width, p->height);
	if (alone)
		pn_buf_printf(out, " width=\"%.0f\" height=\"%.0f\"", p->width,
			      p->height);
	pn_buf_add_text(out, ">\n<title>");
	pn_html_text(out, words->title, strlen(words->title));
	pn_buf_add_text(out, "</title>\n");
	if (alone) {
		pn_buf_printf(out, "<style><![CDATA[\n%s]]></style>\n",
			      pn_plot_style);
		heads(p, words, TOP);
	}
}

/* The frame below `top` and a legend; returns the lines of that. */
static size_t frame(struct pn_plot *p, const struct pn_plot_words *words,
		    double top, double inner)
{
	size_t lines = legend(p, words, 0, false);

	p->top = top + LINE * (double)lines + (p->y.name ? 39 : 20);
	p->bottom = p->top + inner;
	p->height = p->bottom + BELOW;
	return lines;
}

void pn_plot_begin(struct pn_plot *p, const struct pn_plot_words *words,
		   double inner, bool alone)
{
	double top = pn_plot_head(words, alone);
	size_t lines = frame(p, words, top, inner);

	pn_plot_open(p, words, alone);
	if (lines)
		legend(p, words, top + LINE, true);
}

void pn_plot_part(struct pn_plot *p, const struct pn_plot_words *words,
		  double top, double inner)
{
	heads(p, words, top + LINE);
	top += LINE;
	frame(p, words, top, inner);
	legend(p, words, top + LINE, true);
}

/* 1, 2 or 5 times a power of ten, so that there are about TICKS of them; in
 * units of which the figures are printed. */
static double step_of(const struct pn_plot_axis *axis, const char **unit,
		      double *scale)
{
	double most = fmax(fabs(axis->low), fabs(axis->high)), rough, power;
	double shown = pn_unit_scale(unit, most, axis->unit, PN_UNIT_AUTO);

	*scale = shown > 0 && most > 0 ? most / shown : 1;
	rough = (axis->high - axis->low) / *scale / TICKS;
	power = pow(10, floor(log10(rough)));
	if (rough / power > 5)
		power *= 10;
	else if (rough / power > 2)
		power *= 5;
	else if (rough / power > 1)
		power *= 2;
	return power * *scale;
}

/* A number of an axis: as few digits as tell it from the next one. */
static void tick_text(struct pn_buf *out, double value, double step,
		      double scale, const char *unit)
{
	double next = step / scale, zero = 1e-9 * next;
	double shown = fabs(value / scale) < zero ? 0 : value / scale;
	unsigned int decimals = 0;

	while (decimals < 3 && fabs(next - nearbyint(next)) > 1e-6 * next) {
		next *= 10;
		decimals++;
	}
	if (fabs(shown) >= 1e15 || (shown != 0 && fabs(shown) < 1e-3))
		pn_buf_printf(out, "%.3g", shown);
	else if (!decimals)
		pn_buf_printf(out, "%.0f", shown);
	else
		pn_unit_fixed(out, shown, decimals);
	pn_buf_add_text(out, unit);
}

static void tick(struct pn_plot *p, bool across, double value, const char *text)
{
	double at = across ? pn_plot_x(p, value) : pn_plot_y(p, value);

	if (across) {
		pn_buf_printf(p->out,
			      "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>",
			      at, p->top, p->bottom);
		pn_plot_text(p, at, p->bottom + 16, "middle", text, 20);
	} else {
		pn_buf_printf(p->out,
			      "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>",
			      p->left, at, p->right);
		pn_plot_text(p, p->left - 6, at + 4, "end", text, 12);
	}
}

static void ticks(struct pn_plot *p, bool across)
{
	const struct pn_plot_axis *axis = across ? &p->x : &p->y;
	const char *unit = "";
	double scale, step = step_of(axis, &unit, &scale), first, value;
	size_t n;

	if (axis->none || !isfinite(step) || !(step > 0))
		return;
	first = ceil(axis->low / step - 1e-9);
	for (n = 0; n < TICKS_MOST; n++) {
		struct pn_buf text = {0};

		value = (first + (double)n) * step;
		if (value > axis->high + step * 1e-9)
			break;
		tick_text(&text, value, step, scale, unit);
		tick(p, across, value, pn_buf_text(&text));
		pn_buf_release(&text);
	}
}

void pn_plot_axes(struct pn_plot *p)
{
	ticks(p, true);
	ticks(p, false);
	if (p->x.name)
		pn_plot_text(p, (p->left + p->right) / 2, p->bottom + 36,
			     "middle", p->x.name, 80);
	if (p->y.name)
		pn_plot_text(p, 12, p->top - 13, "start", p->y.name, 80);
}

void pn_plot_end(struct pn_plot *p)
{
	pn_buf_add_text(p->out, "</svg>\n");
}
