/* What postprocessors made of a profile. */
#include "render/applied.h"

#include "analysis/models.h"
#include "base/escape.h"
#include "render/print_table.h"

#include <string.h>

static void write_posts(struct pn_json_writer *w, const struct pn_applied *a)
{
	const struct pn_profile *p = a->profile;
	size_t i;

	pn_json_key(w, "postprocessors");
	pn_json_open(w, '[');
	for (i = a->posts_before; i < p->header.post_count; i++) {
		const struct pn_step *post = &p->header.posts[i];

		pn_json_open(w, '{');
		pn_json_member(w, "name", pn_profile_text(p, post->name));
		pn_json_key(w, "params");
		pn_json_raw(w, pn_profile_text(p, post->params),
			    pn_strtab_len(&p->strings, post->params));
		pn_json_close(w, '}');
	}
	pn_json_close(w, ']');
}

static void write_notes(struct pn_json_writer *w,
			const struct pn_post_notes *notes)
{
	size_t i;

	pn_json_key(w, "notes");
	pn_json_open(w, '[');
	for (i = 0; i < notes->count && i < PN_POST_MAX_NOTES; i++)
		pn_json_string(w, notes->lines[i]);
	pn_json_close(w, ']');
	pn_json_member_int(w, "note_count", (int64_t)notes->count);
}

int pn_applied_json(FILE *to, const struct pn_applied *a, struct pn_error *err)
{
	struct pn_json_writer *w;
	struct pn_sink sink;
	int code;

	pn_sink_init(&sink, to);
	w = &sink.json;
	pn_json_open(w, '{');
	pn_json_member_int(w, "version", 1);
	pn_json_member(w, "command", "model");
	pn_json_member(w, "name", a->name);
	pn_json_member(w, "path", a->path);
	pn_json_member(w, "origin", a->origin);
	write_posts(w, a);
	pn_json_key(w, "models");
	code = pn_models_write(w, a->profile, a->models_before, err);
	write_notes(w, a->notes);
	pn_json_close(w, '}');
	pn_buf_add_byte(&sink.text, '\n');
	pn_sink_finish(&sink);
	return code;
}

int pn_applied_text(FILE *to, const struct pn_applied *a, struct pn_error *err)
{
	struct pn_table table = {0};
	struct pn_sink sink;
	int code;

	if (a->profile->header.model_count == a->models_before)
		return 0;
	code = pn_table_of_models(&table, a->profile, a->models_before, err);
	if (code)
		return code;
	pn_sink_init(&sink, to);
	pn_print_table(&sink, &table);
	pn_sink_finish(&sink);
	pn_table_release(&table);
	return 0;
}

void pn_post_notes_text(struct pn_buf *out, const struct pn_post_notes *notes)
{
	size_t i;

	for (i = 0; i < notes->count && i < PN_POST_MAX_NOTES; i++) {
		pn_escape_terminal(out, notes->lines[i],
				   strlen(notes->lines[i]));
		pn_buf_add_byte(out, '\n');
	}
	if (notes->count > PN_POST_MAX_NOTES)
		pn_buf_printf(out, "and %zu more of this kind\n",
			      notes->count - PN_POST_MAX_NOTES);
}
