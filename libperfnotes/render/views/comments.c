/* The view `comments`: what was written into the profile for its readers. */
#include "render/renderer.h"
#include "render/sink.h"

#include <string.h>

/* All of them, a line each or several: also those that headers leave out. */
static int text(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	const struct pn_profile *p = in->profile;
	size_t i;

	(void)err;
	for (i = 0; i < p->comment_count; i++) {
		const char *comment = pn_profile_text(p, p->comments[i]);

		pn_sink_lines(out, comment, strlen(comment));
		pn_buf_add_byte(&out->text, '\n');
		pn_sink_drain(out);
	}
	return 0;
}

static int json(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	const struct pn_profile *p = in->profile;
	size_t i;

	(void)err;
	pn_json_key(&out->json, "comments");
	pn_json_open(&out->json, '[');
	for (i = 0; i < p->comment_count; i++)
		pn_json_string(&out->json, pn_profile_text(p, p->comments[i]));
	pn_json_close(&out->json, ']');
	return 0;
}

const struct pn_view pn_view_comments = {
	.name = "comments",
	.summary = "comments of the profile",
	.needs = PN_VIEW_WEIGHTS,
	.bare = true,
	.own_rows = true,
	.text = text,
	.json = json,
};
