/* What views of a pivot have in common. */
#include "render/resources/drawn.h"

#include "render/resources/words.h"

#include <string.h>

int pn_drawn_init(struct pn_drawn *out, const struct pn_view_input *in,
		  bool flow, struct pn_error *err)
{
	int64_t most = in->most < 0 ? 0 : in->most ? in->most : -1;
	int code;

	memset(out, 0, sizeof(*out));
	out->grouped = in->resources->grouped;
	out->stacked = in->resources->stacked;
	code = pn_pivot_init(&out->pivot, in->profile, in->resources, flow,
			     most, err);
	if (code)
		return code;
	pn_pivot_title(&out->title, &out->pivot, in);
	pn_pivot_remarks(&out->remarks, &out->pivot);
	out->words.title = pn_buf_text(&out->title);
	out->words.remarks = pn_buf_text(&out->remarks);
	out->words.legend = out->pivot.columns.names;
	out->words.legend_count = out->pivot.by ? out->pivot.columns.count : 0;
	out->words.rest = out->pivot.columns.more > 0;
	return 0;
}

void pn_drawn_release(struct pn_drawn *d)
{
	pn_pivot_release(&d->pivot);
	pn_buf_release(&d->title);
	pn_buf_release(&d->remarks);
}

int pn_drawn_rows(struct pn_table *out, const struct pn_view_input *in,
		  bool flow, struct pn_error *err)
{
	struct pn_drawn d;
	int code = pn_drawn_init(&d, in, flow, err);

	if (!code)
		pn_table_of_pivot(out, &d.pivot, true);
	pn_drawn_release(&d);
	return code;
}

int pn_drawn_json(struct pn_sink *out, const struct pn_view_input *in,
		  bool flow, struct pn_error *err)
{
	struct pn_drawn d;
	int code = pn_drawn_init(&d, in, flow, err);

	if (!code)
		pn_pivot_json(out, &d.pivot);
	pn_drawn_release(&d);
	return code;
}

int pn_drawn_svg(struct pn_sink *out, const struct pn_view_input *in, bool flow,
		 const struct pn_picture *picture, struct pn_error *err)
{
	struct pn_drawn d;
	int code = pn_drawn_init(&d, in, flow, err);

	if (!code)
		picture->draw(&out->text, &d, true);
	pn_drawn_release(&d);
	return code;
}

/* A drawing for a page. */
struct pictured {
	const struct pn_drawn *drawn;
	const struct pn_picture *picture;
};

static void draw(struct pn_buf *out, const void *of)
{
	const struct pictured *p = of;

	p->picture->draw(out, p->drawn, false);
}

int pn_drawn_html(struct pn_sink *out, const struct pn_view_input *in,
		  bool flow, const struct pn_picture *picture,
		  struct pn_error *err)
{
	struct pn_table table = {0};
	struct pn_drawn d;
	struct pictured p = {&d, picture};
	int code = pn_drawn_init(&d, in, flow, err);

	if (!code) {
		pn_table_of_pivot(&table, &d.pivot, true);
		pn_resources_page(out, d.words.title, d.words.remarks, &table,
				  draw, &p);
	}
	pn_table_release(&table);
	pn_drawn_release(&d);
	return code;
}

void pn_drawn_head(struct pn_buf *out, const struct pn_drawn *d, size_t columns)
{
	pn_resources_line(out, d->words.title, columns);
	pn_buf_add_byte(out, '\n');
	pn_buf_add_text(out, d->words.remarks);
}
