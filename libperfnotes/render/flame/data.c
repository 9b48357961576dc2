/* What a page's script knows of a flame graph: JSON of arrays by name and by
 * frame, in pre-order. */
#include "base/number.h"
#include "model/unit.h"
#include "render/flame/picture.h"
#include "render/html/html.h"

#include <stdio.h>
#include <string.h>

#define PIECE 4096 /* of the text of an array */

static void put_member_text(struct pn_sink *out, const char *key,
			    const char *text)
{
	pn_buf_printf(&out->text, ",\"%s\":", key);
	pn_html_json(&out->text, text, strlen(text));
}

/* An array of numbers on its way to the sink: there are hundreds of thousands,
 * so that each is written once and where it stays. */
struct array {
	struct pn_sink *out;
	unsigned char *to, *end; /* room in the sink's text */
};

static void make_room(struct array *a)
{
	struct pn_buf *text = &a->out->text;

	if (a->to)
		text->len = (size_t)(a->to - text->data);
	pn_sink_drain(a->out);
	a->to = pn_buf_reserve(text, PIECE);
	a->end = a->to + PIECE - PN_NUMBER_TEXT;
}

static void begin_array(struct array *a, struct pn_sink *out, const char *key)
{
	pn_buf_printf(&out->text, "\"%s\":[", key);
	*a = (struct array){out, NULL, NULL};
	make_room(a);
}

static inline void put_uint(struct array *a, uint64_t value)
{
	if (a->to >= a->end)
		make_room(a);
	if (value < 100) { /* depths, nearly all of them */
		*a->to = (unsigned char)('0' + value / 10);
		a->to += value >= 10;
		*a->to++ = (unsigned char)('0' + value % 10);
	} else {
		a->to += pn_number_write_uint((char *)a->to, value);
	}
	*a->to++ = ',';
}

/* Nine digits are more than a page can show. */
static size_t write_number(char text[PN_NUMBER_TEXT], double value)
{
	if (value >= 0 && value < 9e15 && value == (double)(int64_t)value)
		return pn_number_write_uint(text, (uint64_t)value);
	return (size_t)snprintf(text, PN_NUMBER_TEXT, "%.9g", value);
}

static inline void put_number(struct array *a, double value)
{
	if (value == 0) {
		put_uint(a, 0);
		return;
	}
	if (a->to >= a->end)
		make_room(a);
	a->to += write_number((char *)a->to, value);
	*a->to++ = ',';
}

/* In place of the last comma. */
static void end_array(struct array *a, bool any)
{
	struct pn_buf *text = &a->out->text;

	text->len = (size_t)(a->to - text->data) - (any ? 1 : 0);
	pn_buf_add_byte(text, ']');
	pn_sink_drain(a->out);
}

/* The units in which values are printed: name and factor, smallest first. */
static void put_units(struct pn_sink *out, const char *unit)
{
	static const char *const names[] = {"ns", "us", "ms", "s", "B",
					    "kB", "MB", "GB", "TB"};
	const char *to;
	size_t i, n = 0;

	pn_buf_add_text(&out->text, ",\"units\":[");
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		double factor;

		if (!pn_unit_comparable(unit, names[i]))
			continue;
		factor = pn_unit_scale(&to, 1, unit, names[i]);
		pn_buf_printf(&out->text, "%s[\"%s\",%.17g]", n++ ? "," : "",
			      names[i], factor);
	}
	if (!n) {
		pn_unit_scale(&to, 1, unit, PN_UNIT_AUTO);
		pn_buf_add_byte(&out->text, '[');
		pn_html_json(&out->text, to, strlen(to));
		pn_buf_add_text(&out->text, ",1]");
	}
	pn_buf_add_byte(&out->text, ']');
}

static void put_names(struct pn_sink *out, const struct pn_flame *flame)
{
	struct pn_buf name = {0};
	struct array a;
	size_t i;

	pn_buf_add_text(&out->text, "{\"names\":[");
	for (i = 0; i < flame->name_count; i++) {
		pn_buf_clear(&name);
		pn_flame_name_text(&name, &flame->names[i],
				   PN_FLAME_NAME_SHOWN);
		pn_buf_add_text(&out->text, i ? ",\n" : "");
		pn_html_json(&out->text, pn_buf_text(&name), name.len);
		pn_sink_drain(out);
	}
	pn_buf_release(&name);
	pn_buf_add_text(&out->text, "],\n\"modules\":[");
	for (i = 0; i < flame->module_count; i++) {
		pn_buf_add_text(&out->text, i ? "," : "");
		pn_html_json(&out->text, flame->modules[i],
			     strlen(flame->modules[i]));
	}
	pn_buf_add_text(&out->text, "],\n");
	begin_array(&a, out, "of");
	for (i = 0; i < flame->name_count; i++) {
		const struct pn_flame_name *n = &flame->names[i];

		put_uint(&a, n->module);
		put_uint(&a, pn_flame_name_color(n));
		put_uint(&a, pn_flame_module_color(flame, n));
	}
	end_array(&a, i > 0);
}

static void put_values(struct pn_sink *out, const struct pn_flame *flame,
		       const char *key, int side, bool self)
{
	struct array a;
	size_t i;

	pn_buf_add_text(&out->text, ",\n");
	begin_array(&a, out, key);
	for (i = 0; i < flame->frame_count; i++) {
		const struct pn_flame_frame *f = &flame->frames[i];

		put_number(&a, self ? f->self[side] : f->total[side]);
	}
	end_array(&a, i > 0);
}

static void put_tree(struct pn_sink *out, const struct pn_flame *flame)
{
	struct array a;
	size_t i;

	put_names(out, flame);
	pn_buf_add_text(&out->text, ",\n");
	begin_array(&a, out, "depth");
	for (i = 0; i < flame->frame_count; i++)
		put_uint(&a, flame->frames[i].depth);
	end_array(&a, i > 0);
	pn_buf_add_text(&out->text, ",\n");
	begin_array(&a, out, "name");
	for (i = 0; i < flame->frame_count; i++)
		put_uint(&a, flame->frames[i].name);
	end_array(&a, i > 0);
	put_values(out, flame, "total", PN_FLAME_NEW, false);
	put_values(out, flame, "self", PN_FLAME_NEW, true);
	if (flame->two) {
		put_values(out, flame, "oldTotal", PN_FLAME_OLD, false);
		put_values(out, flame, "oldSelf", PN_FLAME_OLD, true);
	}
	pn_buf_add_byte(&out->text, '}');
}

void pn_flame_data(struct pn_sink *out, const struct pn_flame_drawing *d)
{
	static const char *const colors[] = {
		[PN_FLAME_BY_NAME] = "name",
		[PN_FLAME_BY_MODULE] = "module",
		[PN_FLAME_BY_CHANGE] = "change",
	};
	char scale[PN_NUMBER_TEXT];

	pn_buf_printf(&out->text,
		      "{\"two\":%d,\"icicle\":%d,\"old\":%d,\"time\":%d,"
		      "\"reversed\":%d,\"scale\":",
		      d->flame->two, d->style.icicle, d->style.old_width,
		      d->flame->by_time, d->flame->reversed);
	pn_buf_add(&out->text, scale, write_number(scale, d->scale));
	put_member_text(out, "color", colors[pn_flame_colors(d)]);
	put_units(out, d->flame->unit);
	pn_buf_add_text(&out->text, ",\n\"trees\":[");
	put_tree(out, d->flame);
	if (d->below) {
		pn_buf_add_byte(&out->text, ',');
		put_tree(out, d->below);
	}
	pn_buf_add_text(&out->text, "]}");
}
