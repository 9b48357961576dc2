/* Looking for files. */
#include "base/folder/find.h"

#include "base/buf.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct search {
	const char *text;
	struct pn_arena *arena;
	struct pn_buf path; /* of what is looked at */
	size_t seen;
	char **found;
	size_t count, cap;
};

static void search_folder(struct search *s, unsigned int depth);

static void keep(struct search *s)
{
	char **found;

	if (s->count == s->cap) {
		s->cap = s->cap ? s->cap * 2 : 16;
		found = pn_arena_alloc(s->arena, s->cap * sizeof(*found));
		if (s->count)
			memcpy(found, s->found, s->count * sizeof(*found));
		s->found = found;
	}
	s->found[s->count++] =
		pn_arena_copy(s->arena, pn_buf_text(&s->path), s->path.len);
}

/* s->path is that of `name`. */
static void look_at(struct search *s, const char *name, unsigned int depth)
{
	struct stat st;

	if (lstat(pn_buf_text(&s->path), &st))
		return;
	if (S_ISDIR(st.st_mode) && depth < PN_FIND_MAX_DEPTH)
		search_folder(s, depth + 1);
	else if (S_ISREG(st.st_mode) && strstr(name, s->text))
		keep(s);
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void search_folder(struct search *s, unsigned int depth)
{
	size_t len = s->path.len;
	struct dirent **entries;
	int i, n;

	n = scandir(pn_buf_text(&s->path), &entries, is_visible, alphasort);
	for (i = 0; i < n; i++) {
		if (s->seen++ < PN_FIND_MAX_FILES) {
			s->path.len = len;
			pn_buf_printf(&s->path, "/%s", entries[i]->d_name);
			look_at(s, entries[i]->d_name, depth);
		}
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
}

char **pn_find_files(size_t *count, struct pn_arena *arena, const char *folder,
		     const char *text)
{
	struct search s = {.text = text, .arena = arena};

	pn_buf_add_text(&s.path, folder);
	search_folder(&s, 0);
	pn_buf_release(&s.path);
	*count = s.count;
	return s.found;
}
