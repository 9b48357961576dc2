/* Names, figures and colours of frames. */
#include "render/flame/describe.h"

#include "base/escape.h"
#include "base/text/utf8.h"
#include "model/unit.h"

#include <math.h>
#include <string.h>

#define NAME_COLORS 12	/* of flame.css: .n0 ... */
#define MODULE_COLORS 8 /* .m0 ..., each with its tints */
#define MODULE_TINTS 3
#define CHANGE_STEPS 8 /* .d0 (gone) to .d16 (new) */

void pn_flame_name_text(struct pn_buf *out, const struct pn_flame_name *name,
			size_t most)
{
	size_t len = name->len;

	if (len <= most) {
		pn_escape_terminal(out, name->text, len);
		return;
	}
	for (len = most;
	     len && pn_utf8_is_tail((unsigned char)name->text[len]);)
		len--;
	pn_escape_terminal(out, name->text, len);
	pn_buf_printf(out, "... (%zu bytes)", name->len);
}

void pn_flame_value(struct pn_buf *out, const struct pn_flame *flame,
		    double value)
{
	pn_unit_label(out, value, flame->unit, PN_UNIT_AUTO);
}

static void add_share(struct pn_buf *out, double value, double total)
{
	pn_unit_fixed(out, total > 0 ? 100 * value / total : 0, 2);
	pn_buf_add_byte(out, '%');
}

static void add_sign(struct pn_buf *out, double value)
{
	pn_buf_add_byte(out, value < 0 ? '-' : '+');
}

/* Both sides and what there is between them. */
static void describe_change(struct pn_buf *out, const struct pn_flame *flame,
			    const struct pn_flame_frame *f)
{
	const double *all = flame->frames[0].total;
	double new = f->total[PN_FLAME_NEW], old = f->total[PN_FLAME_OLD];
	double delta = new - old, points = 0;

	pn_buf_add_text(out, "new ");
	pn_flame_value(out, flame, new);
	pn_buf_add_text(out, ", ");
	add_share(out, new, all[PN_FLAME_NEW]);
	pn_buf_add_text(out, "; old ");
	pn_flame_value(out, flame, old);
	pn_buf_add_text(out, ", ");
	add_share(out, old, all[PN_FLAME_OLD]);
	pn_buf_add_text(out, "; delta ");
	add_sign(out, delta);
	pn_flame_value(out, flame, fabs(delta));
	pn_buf_add_text(out, ", ");
	if (old > 0) {
		add_sign(out, delta);
		add_share(out, fabs(delta), old);
	} else {
		pn_buf_add_text(out, "not there before");
	}
	if (all[PN_FLAME_OLD] > 0)
		points = 100 * delta / all[PN_FLAME_OLD];
	pn_buf_add_text(out, ", ");
	add_sign(out, points);
	pn_unit_fixed(out, fabs(points), 2);
	pn_buf_add_text(out, " points of the old total");
}

void pn_flame_describe(struct pn_buf *out, const struct pn_flame *flame,
		       const struct pn_flame_frame *f, size_t name_most)
{
	pn_flame_name_text(out, &flame->names[f->name], name_most);
	pn_buf_add_text(out, ": ");
	if (flame->two) {
		describe_change(out, flame, f);
		return;
	}
	pn_flame_value(out, flame, f->total[PN_FLAME_NEW]);
	pn_buf_add_text(out, ", ");
	add_share(out, f->total[PN_FLAME_NEW],
		  flame->frames[0].total[PN_FLAME_NEW]);
	if (f->self[PN_FLAME_NEW] > 0) {
		pn_buf_add_text(out, ", self ");
		pn_flame_value(out, flame, f->self[PN_FLAME_NEW]);
	}
}

unsigned int pn_flame_name_color(const struct pn_flame_name *name)
{
	return name->hash % NAME_COLORS;
}

unsigned int pn_flame_module_color(const struct pn_flame *flame,
				   const struct pn_flame_name *name)
{
	const char *module = flame->modules[name->module];
	uint32_t hash = 5381; /* Bernstein's hash: times 33 */

	while (*module)
		hash = hash * 33 ^ (unsigned char)*module++;
	return (hash ^ hash >> 13) % MODULE_COLORS * MODULE_TINTS +
	       name->hash % MODULE_TINTS;
}

enum pn_flame_color pn_flame_colors(const struct pn_flame_drawing *drawing)
{
	enum pn_flame_color color = drawing->style.color;

	if (color == PN_FLAME_BY_CHANGE && !drawing->flame->two)
		color = PN_FLAME_BY_DEFAULT;
	if (color != PN_FLAME_BY_DEFAULT)
		return color;
	if (drawing->flame->two)
		return PN_FLAME_BY_CHANGE;
	return drawing->flame->module_count > 2 ? PN_FLAME_BY_MODULE
						: PN_FLAME_BY_NAME;
}

void pn_flame_class(struct pn_buf *out, const struct pn_flame_drawing *drawing,
		    const struct pn_flame *flame,
		    const struct pn_flame_frame *frame)
{
	const struct pn_flame_name *name = &flame->names[frame->name];
	enum pn_flame_color color = pn_flame_colors(drawing);
	double change;

	if (color == PN_FLAME_BY_CHANGE) {
		change = pn_flame_change(frame) / drawing->scale;
		change = change > 1 ? 1 : change < -1 ? -1 : change;
		pn_buf_add_byte(out, 'd');
		pn_buf_add_uint(out, (uint64_t)(CHANGE_STEPS +
						lround(change * CHANGE_STEPS)));
	} else if (frame->parent == PN_NONE && !drawing->below) {
		pn_buf_add_text(out, "root");
	} else if (color == PN_FLAME_BY_MODULE) {
		pn_buf_add_byte(out, 'm');
		pn_buf_add_uint(out, pn_flame_module_color(flame, name));
	} else {
		pn_buf_add_byte(out, 'n');
		pn_buf_add_uint(out, pn_flame_name_color(name));
	}
}
