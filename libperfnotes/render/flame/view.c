/* The views `flamegraph` and `sandwich`. */
#include "base/alloc.h"
#include "model/unit.h"
#include "render/flame/picture.h"
#include "render/header.h"
#include "render/renderer.h"

#include <string.h>

#define COLUMNS 80	     /* where nobody says how wide a line may be */
#define FRAMES_OF_TEXT 10000 /* more than a terminal has room for */

/* What is printed. */
enum form { FORM_TEXT, FORM_JSON, FORM_SVG, FORM_HTML };

/* A drawing with what it draws. */
struct drawn {
	struct pn_flame_drawing drawing;
	struct pn_flame flame;
	struct pn_sandwich sandwich;
};

/* The first line of a picture: what it is of, and what it counts. */
static void add_title(struct pn_buf *out, const struct pn_flame *flame,
		      const struct pn_view_input *in)
{
	const double *all = flame->frames[0].total;

	if (in->title)
		pn_buf_printf(out, "%s: ", in->title);
	if (flame->type)
		pn_buf_printf(out, "%s ", flame->type);
	if (flame->two) {
		pn_flame_value(out, flame, all[PN_FLAME_OLD]);
		pn_buf_add_text(out, " to ");
	}
	pn_flame_value(out, flame, all[PN_FLAME_NEW]);
}

/* What one has to know to read it. */
static void add_remarks(struct pn_buf *out, const struct pn_flame *flame,
			const struct pn_flame_style *style)
{
	if (flame->estimate)
		pn_buf_add_text(out, "an estimate: the profile is a call graph "
				     "without stacks\n");
	if (flame->cut)
		pn_buf_printf(out, "the heaviest %zu frames\n",
			      flame->frame_count);
	if (flame->negative)
		pn_buf_add_text(out, "without what weighs less than nothing\n");
	if (flame->by_time)
		pn_buf_add_text(out, "from left to right: in the order of "
				     "time\n");
	if (flame->reversed)
		pn_buf_add_text(out, "reversed: callers stand on what they "
				     "call\n");
	if (flame->two && style->old_width)
		pn_buf_add_text(out, "as wide as it was\n");
}

static void add_matches(struct pn_buf *out, const struct pn_sandwich *s)
{
	if (s->matches > 1)
		pn_buf_printf(out, "the heaviest of %zu functions that match\n",
			      s->matches);
}

static void begin_drawing(struct drawn *d, const struct pn_view_input *in)
{
	memset(d, 0, sizeof(*d));
	d->drawing.report = in->report;
	d->drawing.diff = in->diff;
	d->drawing.style = in->flame;
}

static void end_drawing(struct drawn *d, const struct pn_view_input *in)
{
	add_title(&d->drawing.title, d->drawing.flame, in);
	add_remarks(&d->drawing.remarks, d->drawing.flame, &in->flame);
	d->drawing.scale = pn_flame_change_scale(d->drawing.flame);
}

static void release(struct drawn *d)
{
	pn_flame_release(&d->flame);
	pn_sandwich_release(&d->sandwich);
	pn_buf_release(&d->drawing.title);
	pn_buf_release(&d->drawing.remarks);
}

static int make_flame(struct drawn *d, const struct pn_view_input *in,
		      enum form form, struct pn_error *err)
{
	struct pn_flame_options options = {
		in->flame.by_time, in->flame.reversed,
		form == FORM_TEXT ? FRAMES_OF_TEXT : 0};
	int code;

	begin_drawing(d, in);
	code = pn_flame_init(&d->flame, in->report, in->diff, &options, err);
	if (code)
		return code;
	d->flame.cut = d->flame.cut && form != FORM_TEXT;
	d->drawing.flame = &d->flame;
	end_drawing(d, in);
	return 0;
}

static int make_sandwich(struct drawn *d, const struct pn_view_input *in,
			 enum form form, struct pn_error *err)
{
	int code;

	begin_drawing(d, in);
	if (in->flame.by_time || in->flame.reversed)
		return pn_error_set(err, PN_EINVAL,
				    "a sandwich is neither reversed nor in the "
				    "order of time");
	code = pn_sandwich_init(&d->sandwich, in->report, in->diff, in->pattern,
				form == FORM_TEXT ? FRAMES_OF_TEXT : 0, err);
	if (code)
		return code;
	d->sandwich.callers.cut = d->sandwich.callers.cut && form != FORM_TEXT;
	d->sandwich.callees.cut = d->sandwich.callees.cut && form != FORM_TEXT;
	d->drawing.flame = &d->sandwich.callers;
	d->drawing.below = &d->sandwich.callees;
	add_matches(&d->drawing.remarks, &d->sandwich);
	end_drawing(d, in);
	return 0;
}

static void print(struct pn_sink *out, const struct pn_view_input *in,
		  const struct drawn *d, enum form form)
{
	size_t columns = in->columns ? in->columns : COLUMNS;

	if (form == FORM_TEXT) {
		pn_sink_lines(out, pn_buf_text(&d->drawing.title),
			      d->drawing.title.len);
		pn_buf_add_byte(&out->text, '\n');
		pn_flame_text(out, &d->drawing, columns, in->utf8);
	} else if (form == FORM_JSON) {
		pn_flame_json(out, &d->drawing);
	} else if (form == FORM_SVG) {
		pn_flame_picture(out, &d->drawing, true);
	} else {
		pn_flame_page(out, &d->drawing);
	}
}

static int print_flame(struct pn_sink *out, const struct pn_view_input *in,
		       enum form form, struct pn_error *err)
{
	struct drawn d;
	int code = make_flame(&d, in, form, err);

	if (!code)
		print(out, in, &d, form);
	release(&d);
	return code;
}

static int print_sandwich(struct pn_sink *out, const struct pn_view_input *in,
			  enum form form, struct pn_error *err)
{
	struct drawn d;
	int code = make_sandwich(&d, in, form, err);

	if (!code)
		print(out, in, &d, form);
	release(&d);
	return code;
}

static int flame_text(struct pn_sink *out, const struct pn_view_input *in,
		      struct pn_error *err)
{
	return print_flame(out, in, FORM_TEXT, err);
}

static int flame_json(struct pn_sink *out, const struct pn_view_input *in,
		      struct pn_error *err)
{
	return print_flame(out, in, FORM_JSON, err);
}

static int flame_svg(struct pn_sink *out, const struct pn_view_input *in,
		     struct pn_error *err)
{
	return print_flame(out, in, FORM_SVG, err);
}

static int flame_html(struct pn_sink *out, const struct pn_view_input *in,
		      struct pn_error *err)
{
	return print_flame(out, in, FORM_HTML, err);
}

static int sandwich_text(struct pn_sink *out, const struct pn_view_input *in,
			 struct pn_error *err)
{
	return print_sandwich(out, in, FORM_TEXT, err);
}

static int sandwich_json(struct pn_sink *out, const struct pn_view_input *in,
			 struct pn_error *err)
{
	return print_sandwich(out, in, FORM_JSON, err);
}

static int sandwich_svg(struct pn_sink *out, const struct pn_view_input *in,
			struct pn_error *err)
{
	return print_sandwich(out, in, FORM_SVG, err);
}

static int sandwich_html(struct pn_sink *out, const struct pn_view_input *in,
			 struct pn_error *err)
{
	return print_sandwich(out, in, FORM_HTML, err);
}

const struct pn_view pn_view_flamegraph = {
	.name = "flamegraph",
	.summary = "all stacks as one picture, as wide as they cost",
	.needs = PN_VIEW_WEIGHTS,
	.nodes_only = PN_VIEW_FORMS_ALL & ~(1u << PN_VIEW_HTML),
	.by_way = true,
	.of_pair = true,
	.unit = PN_UNIT_AUTO,
	.text = flame_text,
	.json = flame_json,
	.svg = flame_svg,
	.html = flame_html,
};

const struct pn_view pn_view_sandwich = {
	.name = "sandwich",
	.summary = "callers and callees of one function as such pictures",
	.needs = PN_VIEW_WEIGHTS,
	.by_way = true,
	.needs_pattern = true,
	.of_pair = true,
	.text = sandwich_text,
	.json = sandwich_json,
	.svg = sandwich_svg,
	.html = sandwich_html,
};
