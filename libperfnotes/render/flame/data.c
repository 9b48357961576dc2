/* What a page's script knows of a flame graph: JSON of arrays by name and by
 * frame, in pre-order. */
#include "base/number.h"
#include "model/unit.h"
#include "render/flame/picture.h"
#include "render/html/html.h"

#include <math.h>
#include <string.h>

static void put_member_text(struct pn_sink *out, const char *key,
			    const char *text)
{
	pn_buf_printf(&out->text, ",\"%s\":", key);
	pn_html_json(&out->text, text, strlen(text));
}

static void put_uint(struct pn_buf *out, uint64_t value)
{
	char digits[PN_NUMBER_UINT_TEXT];

	pn_buf_add(out, digits, pn_number_write_uint(digits, value));
}

/* Nine digits are more than a page can show. */
static void put_number(struct pn_buf *out, double value)
{
	if (value == floor(value) && value >= 0 && value < 9e15)
		put_uint(out, (uint64_t)value);
	else
		pn_buf_printf(out, "%.9g", value);
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
	pn_buf_add_text(&out->text, "],\n\"of\":[");
	for (i = 0; i < flame->name_count; i++) {
		const struct pn_flame_name *n = &flame->names[i];

		pn_buf_printf(&out->text, "%s%u,%u,%u", i ? "," : "", n->module,
			      pn_flame_name_color(n),
			      pn_flame_module_color(flame, n));
		pn_sink_drain(out);
	}
	pn_buf_add_byte(&out->text, ']');
}

static void put_values(struct pn_sink *out, const struct pn_flame *flame,
		       const char *key, int side, bool self)
{
	size_t i;

	pn_buf_printf(&out->text, ",\n\"%s\":[", key);
	for (i = 0; i < flame->frame_count; i++) {
		const struct pn_flame_frame *f = &flame->frames[i];

		if (i)
			pn_buf_add_byte(&out->text, ',');
		put_number(&out->text, self ? f->self[side] : f->total[side]);
		pn_sink_drain(out);
	}
	pn_buf_add_byte(&out->text, ']');
}

static void put_tree(struct pn_sink *out, const struct pn_flame *flame)
{
	size_t i;

	put_names(out, flame);
	pn_buf_add_text(&out->text, ",\n\"depth\":[");
	for (i = 0; i < flame->frame_count; i++) {
		if (i)
			pn_buf_add_byte(&out->text, ',');
		put_uint(&out->text, flame->frames[i].depth);
		pn_sink_drain(out);
	}
	pn_buf_add_text(&out->text, "],\n\"name\":[");
	for (i = 0; i < flame->frame_count; i++) {
		if (i)
			pn_buf_add_byte(&out->text, ',');
		put_uint(&out->text, flame->frames[i].name);
		pn_sink_drain(out);
	}
	pn_buf_add_byte(&out->text, ']');
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

	pn_buf_printf(&out->text,
		      "{\"two\":%d,\"icicle\":%d,\"old\":%d,\"time\":%d,"
		      "\"reversed\":%d,\"scale\":",
		      d->flame->two, d->style.icicle, d->style.old_width,
		      d->flame->by_time, d->flame->reversed);
	put_number(&out->text, d->scale);
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
