/* Postprocessors of a command line. */
#define PN_OPTION_STRUCT struct pn_posts_ask
#include "jobs/profiles/posts.h"

#include "base/buf.h"
#include "base/opts/table.h"
#include "collect/words.h"

#include <string.h>

const struct pn_opt pn_posts_opts[] = {
	{PN_OPTION_LIST(lines), 'p', "postprocess", "<name>[ <key>=<value>...]",
	 "what to apply, in this order (regression-analysis)",
	 .names = pn_post_names},
	{PN_OPTION_LIST(settings), 'O', "option", "<key>=<value>",
	 "option of the only one", .names = pn_post_keys},
	{PN_OPTION_TEXT(of), 0, "of", "<key>", "what is modelled (amount)"},
	{PN_OPTION_TEXT(depending_on), 0, "depending-on", "<key>",
	 "the variable (structure-unit-size)"},
	{0},
};

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
		   const struct pn_posts_ask *ask, struct pn_error *err)
{
	const char *const *lines = ask->lines.values;
	size_t i, n = ask->lines.count;
	struct more more = {.count = ask->settings.count};
	struct pn_post *posts;
	int code = 0;

	if (n > 1 && (ask->settings.count || ask->of || ask->depending_on))
		return pn_error_set(err, PN_EINVAL,
				    "of several postprocessors each has its "
				    "options behind its name: -p '<name> "
				    "<key>=<value>'");
	if (!n) {
		lines = &pn_postprocessors[0]->name;
		n = 1;
	}
	more.items =
		pn_arena_alloc(arena, (more.count + 2) * sizeof(*more.items));
	for (i = 0; i < more.count; i++)
		more.items[i] = ask->settings.values[i];
	add_setting(&more, arena, "of", ask->of);
	add_setting(&more, arena, "depending-on", ask->depending_on);
	posts = pn_arena_alloc(arena, n * sizeof(*posts));
	for (i = 0; !code && i < n; i++)
		code = parse_line(&posts[i], arena, lines[i], &more, err);
	if (code)
		return code;
	*out = posts;
	*count = n;
	return 0;
}
