/* Postprocessors of a command line. */
#include "jobs/profiles/posts.h"

#include "base/buf.h"
#include "collect/words.h"

#include <string.h>

/* More settings, behind those of a line. */
struct more {
	const char **items;
	size_t count;
};

static int parse_line(struct pn_post *out, struct pn_arena *arena,
		      const char *line, const struct more *more,
		      struct pn_error *err)
{
	const char *const *words = NULL;
	const char **all;
	size_t n = 0;
	int code = pn_words_split(&words, arena, line, err);

	if (code)
		return code;
	while (words[n])
		n++;
	all = pn_arena_alloc(arena, (n + more->count + 1) * sizeof(*all));
	memcpy(all, words, n * sizeof(*all));
	memcpy(all + n, more->items, more->count * sizeof(*all));
	all[n + more->count] = NULL;
	return pn_post_parse(out, arena, all, err);
}

static void add_setting(struct more *more, struct pn_arena *arena,
			const char *key, const char *value)
{
	struct pn_buf text = {0};

	if (!value)
		return;
	pn_buf_printf(&text, "%s=%s", key, value);
	more->items[more->count++] =
		pn_arena_copy(arena, pn_buf_text(&text), text.len);
	pn_buf_release(&text);
}

int pn_posts_parse(struct pn_post **out, size_t *count, struct pn_arena *arena,
		   const struct pn_posts_request *request, struct pn_error *err)
{
	const char *const *lines = request->lines;
	size_t i, n = request->line_count;
	struct more more = {.count = request->setting_count};
	struct pn_post *posts;
	int code = 0;

	if (!n) {
		lines = &pn_postprocessors[0]->name;
		n = 1;
	}
	more.items =
		pn_arena_alloc(arena, (more.count + 2) * sizeof(*more.items));
	for (i = 0; i < more.count; i++)
		more.items[i] = request->settings[i];
	add_setting(&more, arena, "of", request->of);
	add_setting(&more, arena, "depending-on", request->depending_on);
	posts = pn_arena_alloc(arena, n * sizeof(*posts));
	for (i = 0; !code && i < n; i++)
		code = parse_line(&posts[i], arena, lines[i], &more, err);
	if (code)
		return code;
	*out = posts;
	*count = n;
	return 0;
}
