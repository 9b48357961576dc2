/* Packs and what begins where in them: gitformat-pack(5). */
#include "vcs/objects/packed_entry.h"

#include "base/alloc.h"
#include "base/file.h"
#include "vcs/git.h"
#include "vcs/objects/pack.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define INDEX_END ".idx"

void pn_packed_close(struct pn_packed_files *all)
{
	size_t i;

	for (i = 0; i < all->count; i++) {
		struct pn_packed_file *file = &all->files[i];

		pn_pack_index_close(&file->index);
		if (file->bytes)
			munmap((void *)file->bytes, file->size);
		free(file->base);
	}
	free(all->files);
	memset(all, 0, sizeof(*all));
}

/* One that is not there has nothing in it. */
static bool can_be_listed(const char *path)
{
	DIR *dir = opendir(path);

	if (!dir)
		return errno == ENOENT;
	closedir(dir);
	return true;
}

static bool borrows(const struct pn_repo *repo)
{
	struct pn_buf path = {0};
	bool none;

	pn_buf_printf(&path, "%s/objects/info/alternates", repo->common_dir);
	none = !getenv("GIT_OBJECT_DIRECTORY") &&
	       !getenv("GIT_ALTERNATE_OBJECT_DIRECTORIES") &&
	       access(pn_buf_text(&path), F_OK) && errno == ENOENT;
	pn_buf_release(&path);
	return !none;
}

static void list(struct pn_packed_files *all, const struct pn_repo *repo)
{
	struct pn_pack_names names = {0};
	struct pn_buf dir = {0}, base = {0};
	size_t i;

	pn_buf_printf(&dir, "%s/objects/pack", repo->common_dir);
	all->is_all = can_be_listed(pn_buf_text(&dir)) && !borrows(repo);
	pn_pack_names_read(&names, pn_buf_text(&dir), "");
	all->files = pn_calloc(names.count, sizeof(*all->files));
	for (i = 0; i < names.count; i++) {
		const char *name = names.items[i];

		if (!pn_file_ends_with(name, INDEX_END))
			continue;
		pn_buf_printf(&base, "%s/%.*s", pn_buf_text(&dir),
			      (int)(strlen(name) - strlen(INDEX_END)), name);
		all->files[all->count++].base = pn_buf_detach(&base);
	}
	pn_pack_names_release(&names);
	pn_buf_release(&dir);
	all->listed = true;
}

/* Both files, which belong together. */
static void open_file(struct pn_packed_file *file)
{
	static const unsigned char head[] = {'P', 'A', 'C', 'K', 0, 0, 0, 2};
	struct pn_buf path = {0};

	file->opened = true;
	pn_buf_printf(&path, "%s.pack", file->base);
	file->bytes = pn_pack_map(&file->size, pn_buf_text(&path),
				  PN_PACK_HEAD + PN_OID_BYTES);
	pn_buf_clear(&path);
	pn_buf_printf(&path, "%s" INDEX_END, file->base);
	if (file->bytes && !memcmp(file->bytes, head, sizeof(head)) &&
	    pn_pack_index_open(&file->index, pn_buf_text(&path)) &&
	    memcmp(pn_pack_index_sum(&file->index),
		   file->bytes + file->size - PN_OID_BYTES, PN_OID_BYTES) != 0)
		pn_pack_index_close(&file->index);
	pn_buf_release(&path);
}

/* 1: it is in this one, at *row. 0: it is not. -1: that cannot be told. */
static int look_into(uint32_t *row, struct pn_packed_file *file,
		     const struct pn_oid *oid)
{
	if (!file->opened)
		open_file(file);
	return file->index.bytes ? pn_pack_index_find(row, &file->index, oid)
				 : -1;
}

/* 1: *file has it, at *row. 0: none has. -1: one cannot be read, and
 * no other has. */
static int look(struct pn_packed_file **file, uint32_t *row,
		struct pn_packed_files *all, const struct pn_repo *repo,
		const struct pn_oid *oid)
{
	int found, in;
	size_t i, at;

	if (!all->listed)
		list(all, repo);
	found = all->is_all ? 0 : -1;
	/* the one that had the object before is the first */
	for (i = 0; i < all->count; i++) {
		at = i ? i - (i <= all->last) : all->last;
		in = look_into(row, &all->files[at], oid);
		if (in > 0) {
			all->last = at;
			*file = &all->files[at];
			return 1;
		}
		if (in < 0)
			found = -1;
	}
	return found;
}

int pn_packed_has(struct pn_repo *repo, const struct pn_oid *oid)
{
	struct pn_packed_file *file;
	uint32_t row;
	int found;

	if (!repo->common_dir)
		return -1;
	pthread_mutex_lock(&repo->packed.lock);
	found = look(&file, &row, &repo->packed.all, repo, oid);
	pthread_mutex_unlock(&repo->packed.lock);
	return found;
}

bool pn_packed_find_in(struct pn_packed_entry *out, struct pn_packed_files *all,
		       const struct pn_repo *repo, const struct pn_oid *oid)
{
	struct pn_packed_file *file;
	uint32_t row;

	if (look(&file, &row, all, repo, oid) <= 0)
		return false;
	out->pack = file->bytes;
	out->base = file->base;
	out->end = file->bytes + file->size - PN_OID_BYTES;
	return pn_packed_entry_open(out,
				    pn_pack_index_offset(&file->index, row));
}

bool pn_packed_find(struct pn_packed_entry *out, struct pn_repo *repo,
		    const struct pn_oid *oid)
{
	bool found;

	/* two sides of a diff are read by a thread each */
	pthread_mutex_lock(&repo->packed.lock);
	found = pn_packed_find_in(out, &repo->packed.all, repo, oid);
	pthread_mutex_unlock(&repo->packed.lock);
	return found;
}
