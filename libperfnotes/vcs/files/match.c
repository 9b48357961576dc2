/* Which lines of two texts are the same: git's own diff, as libgit2 has it. */
#include "vcs/files/match.h"

#include "base/alloc.h"
#include "vcs/git.h"

#include <string.h>

struct match {
	struct pn_line_pair *pairs;
	size_t count, cap;
	uint32_t before, after; /* lines that are told */
};

static void add(struct match *m, uint32_t before, uint32_t after)
{
	m->pairs = pn_grow(m->pairs, &m->cap, m->count + 1, sizeof(*m->pairs));
	m->pairs[m->count++] = (struct pn_line_pair){before, after};
}

static void add_same(struct match *m, uint32_t until)
{
	while (m->before < until)
		add(m, ++m->before, ++m->after);
}

/* Without context a hunk of no lines begins behind its number. */
static int take_hunk(const git_diff_delta *delta, const git_diff_hunk *hunk,
		     void *data)
{
	struct match *m = data;
	uint32_t until = (uint32_t)hunk->old_start - (hunk->old_lines ? 1 : 0);
	int i;

	(void)delta;
	add_same(m, until);
	for (i = 0; i < hunk->old_lines; i++)
		add(m, ++m->before, 0);
	for (i = 0; i < hunk->new_lines; i++)
		add(m, 0, ++m->after);
	return 0;
}

static size_t count_lines(const char *text, size_t len)
{
	size_t count = len && text[len - 1] != '\n';
	const char *at = text, *end = text + len;

	while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
		at++;
		count++;
	}
	return count;
}

int pn_lines_match(struct pn_line_pair **out, size_t *count, const char *before,
		   size_t before_len, const char *after, size_t after_len,
		   struct pn_error *err)
{
	git_diff_options options = GIT_DIFF_OPTIONS_INIT;
	struct match m = {0};
	size_t lines = count_lines(before, before_len);

	if (lines > INT32_MAX || count_lines(after, after_len) > INT32_MAX)
		return pn_error_set(err, PN_ELIMIT,
				    "a file has too many lines");
	options.context_lines = 0;
	options.flags = GIT_DIFF_FORCE_TEXT;
	if (git_diff_buffers(before, before_len, NULL, after, after_len, NULL,
			     &options, NULL, NULL, take_hunk, NULL, &m))
		return pn_git_fail(err, PN_EIO, "cannot compare two files");
	add_same(&m, (uint32_t)lines);
	*out = m.pairs;
	*count = m.count;
	return 0;
}
