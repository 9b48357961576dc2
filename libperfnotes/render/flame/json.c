/* A flame graph as JSON: its frames in pre-order. */
#include "render/flame/picture.h"

static void put_sides(struct pn_json_writer *w, const struct pn_flame *flame,
		      const struct pn_flame_frame *f)
{
	if (!flame->two) {
		pn_json_member_double(w, "self", f->self[PN_FLAME_NEW]);
		pn_json_member_double(w, "total", f->total[PN_FLAME_NEW]);
		return;
	}
	pn_json_member_double(w, "old_self", f->self[PN_FLAME_OLD]);
	pn_json_member_double(w, "new_self", f->self[PN_FLAME_NEW]);
	pn_json_member_double(w, "old_total", f->total[PN_FLAME_OLD]);
	pn_json_member_double(w, "new_total", f->total[PN_FLAME_NEW]);
}

static void put_frames(struct pn_sink *out, const char *key,
		       const struct pn_flame *flame)
{
	struct pn_json_writer *w = &out->json;
	size_t i;

	pn_json_key(w, key);
	pn_json_open(w, '[');
	for (i = 0; i < flame->frame_count; i++) {
		const struct pn_flame_frame *f = &flame->frames[i];
		const struct pn_flame_name *name = &flame->names[f->name];

		pn_json_open(w, '{');
		pn_json_member_int(w, "depth", f->depth);
		pn_json_key(w, "name");
		pn_json_string_n(w, name->text, name->len);
		pn_json_member(w, "module", flame->modules[name->module]);
		put_sides(w, flame, f);
		pn_json_close(w, '}');
		pn_sink_drain(out);
	}
	pn_json_close(w, ']');
}

void pn_flame_json(struct pn_sink *out, const struct pn_flame_drawing *d)
{
	struct pn_json_writer *w = &out->json;

	pn_json_member(w, "type", d->flame->type);
	pn_json_member(w, "unit", d->flame->unit);
	pn_json_key(w, "estimate");
	pn_json_bool(w, d->flame->estimate);
	pn_json_key(w, "complete");
	pn_json_bool(w, !d->flame->cut && (!d->below || !d->below->cut));
	if (d->below) {
		put_frames(out, "callers", d->flame);
		put_frames(out, "callees", d->below);
	} else {
		put_frames(out, "frames", d->flame);
	}
}
