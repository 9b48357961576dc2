/* Which file of a tree each source file of a profile is. */
#include "jobs/source/paths.h"

#include "base/alloc.h"
#include "jobs/profiles/source_root.h"

#include <stdlib.h>
#include <string.h>

struct search {
	struct pn_source_paths *paths;
	struct pn_source_tree *tree;
	const char *root;
	uint32_t *folder;	  /* of each file what stands before its end */
	struct pn_strtab folders; /* such beginnings */
	uint64_t *votes;	  /* of each: parts of names that agree */
	size_t vote_cap;
	bool sure; /* some names are no guesses */
};

/* What stands behind a folder and its slash; NULL: it is elsewhere. */
static const char *below(const char *path, const char *folder)
{
	size_t len = folder ? strlen(folder) : 0;

	if (len < 2 || strncmp(path, folder, len) != 0 || path[len] != '/')
		return NULL;
	return path + len + 1;
}

static bool take(struct search *s, size_t file, const char *path)
{
	if (!path || !pn_source_tree_has(s->tree, path))
		return false;
	s->paths->of[file] = pn_strdup(path);
	s->sure = true;
	return true;
}

/* "../../" is nothing that a tree could have. */
static const char *without_climbing(const char *path)
{
	while (!strncmp(path, "../", 3))
		path += 3;
	return path;
}

static uint64_t count_parts(const char *path)
{
	uint64_t parts = 1;

	for (; (path = strchr(path, '/')); path++)
		parts++;
	return parts;
}

/* The longest end of the name that the tree has, as a guess. */
static void guess(struct search *s, size_t file, const char *name)
{
	const char *end = name;
	size_t had = s->folders.count;
	uint32_t folder;

	while ((end = strchr(end, '/'))) {
		end++;
		if (!pn_source_tree_has(s->tree, end))
			continue;
		folder = pn_strtab_add(&s->folders, name, (size_t)(end - name));
		s->votes = pn_grow(s->votes, &s->vote_cap, (size_t)folder + 1,
				   sizeof(*s->votes));
		if (s->folders.count != had)
			s->votes[folder] = 0;
		s->votes[folder] += count_parts(end);
		s->folder[file] = folder;
		s->paths->of[file] = pn_strdup(end);
		return;
	}
}

static void find(struct search *s, size_t file, const char *name)
{
	bool known = !strcmp(s->root, PN_SOURCE_ROOT_REPOSITORY);
	struct pn_buf joined = {0}, path = {0};
	const char *rest;

	if (*name != '/' && *s->root == '/') {
		pn_buf_printf(&joined, "%s/%s", s->root, name);
		pn_path_clean(&path, pn_buf_text(&joined), joined.len);
		name = pn_buf_text(&path);
	}
	if (*name == '/') {
		if (!take(s, file, below(name, s->tree->work_dir)) && !known)
			guess(s, file, name);
	} else {
		rest = without_climbing(name);
		if (!take(s, file, rest) && !known)
			guess(s, file, rest);
	}
	pn_buf_release(&joined);
	pn_buf_release(&path);
}

/* Of the guesses those of one folder stay, and none beside what is sure. */
static void choose(struct search *s)
{
	uint32_t best = 0, i;
	size_t file;

	for (i = 1; i < s->folders.count; i++)
		if (!best || s->votes[i] > s->votes[best])
			best = i;
	for (file = 0; file < s->paths->count; file++) {
		if (!s->folder[file] || (!s->sure && s->folder[file] == best))
			continue;
		free(s->paths->of[file]);
		s->paths->of[file] = NULL;
	}
}

void pn_source_paths_init(struct pn_source_paths *out,
			  const struct pn_strtab *files, const char *root,
			  struct pn_source_tree *tree)
{
	struct search s = {.paths = out, .tree = tree, .root = root};
	size_t i;

	out->count = files->count;
	out->of = pn_calloc(out->count + 1, sizeof(*out->of));
	s.folder = pn_calloc(out->count + 1, sizeof(*s.folder));
	for (i = 1; i < out->count && i <= PN_SOURCE_FILES_MAX; i++)
		if (pn_strtab_len(files, (uint32_t)i) <= PN_FILES_PATH_MAX)
			find(&s, i, pn_strtab_text(files, (uint32_t)i));
	choose(&s);
	pn_strtab_release(&s.folders);
	free(s.folder);
	free(s.votes);
}

void pn_source_paths_release(struct pn_source_paths *paths)
{
	size_t i;

	for (i = 0; i < paths->count; i++)
		free(paths->of[i]);
	free(paths->of);
	memset(paths, 0, sizeof(*paths));
}

unsigned char *pn_source_paths_of(const struct pn_source_paths *paths,
				  const char *path)
{
	unsigned char *is = pn_calloc(paths->count + 1, 1);
	size_t i;

	for (i = 0; i < paths->count; i++)
		is[i] = paths->of[i] && !strcmp(paths->of[i], path);
	return is;
}
