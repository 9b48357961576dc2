/* Where source files are read. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "jobs/source/tree.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/folder/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int pn_source_tree_of_commit(struct pn_source_tree *out, struct pn_repo *repo,
			     const struct pn_oid *commit, struct pn_error *err)
{
	const char *work_dir = pn_repo_work_dir(repo);
	char hex[PN_OID_HEX + 1];

	*out = (struct pn_source_tree){.files = NULL};
	pn_oid_hex(hex, commit);
	snprintf(out->name, sizeof(out->name), "commit %.10s", hex);
	if (work_dir)
		out->work_dir = pn_strdup(work_dir);
	return pn_files_open(&out->files, repo, commit, err);
}

void pn_source_tree_of_folder(struct pn_source_tree *out, const char *folder)
{
	*out = (struct pn_source_tree){.folder = folder};
	out->work_dir = realpath(folder, NULL);
	snprintf(out->name, sizeof(out->name), "the folder");
}

void pn_source_tree_release(struct pn_source_tree *tree)
{
	pn_files_close(tree->files);
	pn_strtab_release(&tree->there);
	pn_strtab_release(&tree->gone);
	free(tree->work_dir);
	memset(tree, 0, sizeof(*tree));
}

/* Most names that are looked for are nowhere: one call says so. */
static bool is_away(const char *folder, const char *path)
{
	struct pn_buf whole = {0};
	struct stat st;
	bool away;

	pn_buf_printf(&whole, "%s/%s", folder, path);
	away = lstat(pn_buf_text(&whole), &st) &&
	       (errno == ENOENT || errno == ENOTDIR);
	pn_buf_release(&whole);
	return away;
}

/* An open regular file, or -1. Opening a pipe would wait for its writer. */
static int open_beneath(const char *folder, const char *path)
{
	struct stat st;
	int dir, fd = -1;

	if (!*path || *path == '/' || strlen(path) > PN_FILES_PATH_MAX ||
	    is_away(folder, path) ||
	    pn_beneath_open(&dir, folder, path, false, NULL))
		return -1;
	if (!fstatat(dir, pn_file_basename(path), &st, AT_SYMLINK_NOFOLLOW) &&
	    S_ISREG(st.st_mode))
		fd = openat(dir, pn_file_basename(path),
			    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	close(dir);
	return fd;
}

/* Whether the folder has no such entry as the path begins with: there are few
 * of those in a profile of 20,000 names, each of which is looked for by every
 * end that it has. */
static bool begins_nowhere(struct pn_source_tree *tree, const char *path)
{
	size_t len = strcspn(path, "/");
	char first[PN_FILES_PATH_MAX + 1];
	bool away;
	uint32_t id;

	if (!len || len >= sizeof(first) ||
	    pn_strtab_find(&id, &tree->there, path, len))
		return false;
	if (pn_strtab_find(&id, &tree->gone, path, len))
		return true;
	memcpy(first, path, len);
	first[len] = '\0';
	away = is_away(tree->folder, first);
	pn_strtab_add(away ? &tree->gone : &tree->there, first, len);
	return away;
}

bool pn_source_tree_has(struct pn_source_tree *tree, const char *path)
{
	int fd;

	if (tree->files)
		return pn_files_has(tree->files, path);
	if (begins_nowhere(tree, path))
		return false;
	fd = open_beneath(tree->folder, path);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

int pn_source_tree_read(struct pn_buf *out, const struct pn_source_tree *tree,
			const char *path, struct pn_error *err)
{
	int fd, code = 0;

	if (tree->files)
		return pn_files_read(out, tree->files, path,
				     PN_SOURCE_MAX_BYTES, err);
	fd = open_beneath(tree->folder, path);
	if (fd < 0)
		return pn_error_set(err, PN_ENOTFOUND, "no file '%s'", path);
	if (pn_file_read_all(out, fd, PN_SOURCE_MAX_BYTES))
		code = pn_error_system(err, "cannot read '%s'", path);
	else if (out->len > PN_SOURCE_MAX_BYTES)
		code = pn_error_set(err, PN_ELIMIT,
				    "'%s' has more than %u bytes", path,
				    PN_SOURCE_MAX_BYTES);
	close(fd);
	return code;
}
