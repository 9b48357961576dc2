/*
 * A few objects as loose files, written and read. All are written before any
 * waits for the disk: sync_file_range(2) for each, then one fsync, which makes
 * the file system commit what came before it, and with it the renames (what git
 * calls core.fsyncMethod=batch). Where a ref of the same file system moves
 * next, its lock file is the one that is synced. Where there is no such order,
 * each file and each folder is synced.
 */
#define _GNU_SOURCE /* sync_file_range */
#include "base/alloc.h"
#include "base/deflate.h"
#include "base/file.h"
#include "base/number.h"
#include "vcs/git.h"
#include "vcs/objects/objects.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LEVEL 1	       /* git's default for loose objects */
#define HEAD_MAX 32    /* "commit <bytes>" NUL */
#define FILE_MORE 1024 /* of a small object's file */

struct file {
	char *tmp, *path; /* tmp NULL: nothing to remove */
	int fd;
};

#ifdef HAVE_SYNC_FILE_RANGE
static int start_sync(int fd)
{
	return sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE);
}
#else
static int start_sync(int fd)
{
	(void)fd;
	return 0;
}
#endif

static int make_dir(const char *dir, int shared, struct pn_error *err)
{
	if (!mkdir(dir, 0777))
		return pn_git_share(dir, shared, err);
	if (errno == EEXIST)
		return 0;
	return pn_error_system(err, "cannot create folder '%s'", dir);
}

static int deflate_object(struct pn_buf *out, const struct pn_object *object,
			  struct pn_deflater *deflater, struct pn_error *err)
{
	const unsigned char *bytes = object->bytes;
	struct pn_buf raw = {0};
	size_t len = object->len;
	char head[HEAD_MAX];
	int head_len;

	if (object->raw_len) {
		int code = pn_inflate_zlib(&raw, NULL, bytes, len,
					   object->raw_len, err);

		if (code)
			return code;
		bytes = raw.data;
		len = raw.len;
	}
	head_len = snprintf(head, sizeof(head), "%s %zu",
			    pn_object_type_name(object->type), len);
	pn_deflater_run(out, deflater, head, (size_t)head_len + 1, bytes, len);
	pn_buf_release(&raw);
	return 0;
}

static int write_tmp(struct file *file, struct pn_repo *repo,
		     const struct pn_object *object, int shared,
		     struct pn_deflater *deflater, struct pn_error *err)
{
	struct pn_buf dir = {0}, prefix = {0}, packed = {0};
	char hex[PN_OID_HEX + 1];
	int code;

	pn_oid_hex(hex, &object->id);
	pn_buf_printf(&dir, "%s/objects/%.2s", repo->common_dir, hex);
	pn_buf_printf(&prefix, "%s/tmp_obj_", pn_buf_text(&dir));
	code = make_dir(pn_buf_text(&dir), shared, err);
	if (code)
		goto out;
	code = pn_git_temporary(&file->fd, &file->tmp, pn_buf_text(&prefix),
				err);
	if (code)
		goto out;
	pn_buf_printf(&dir, "/%s", hex + 2);
	file->path = pn_buf_detach(&dir);
	code = deflate_object(&packed, object, deflater, err);
	if (code)
		goto out;
	if (pn_file_write_all(file->fd, packed.data, packed.len))
		code = pn_error_system(err, "cannot write '%s'", file->tmp);
	else
		start_sync(file->fd);
out:
	pn_buf_release(&dir);
	pn_buf_release(&prefix);
	pn_buf_release(&packed);
	return code;
}

static int sync_folder_of(const struct file *file, struct pn_error *err)
{
	size_t len = (size_t)(pn_file_basename(file->path) - file->path);
	char *dir = pn_strndup(file->path, len);
	int code = pn_git_sync_dir(dir, err);

	free(dir);
	return code;
}

/* The names that files now have, in folders that may be new. */
static int sync_names(const struct file *files, size_t count,
		      struct pn_repo *repo, struct pn_error *err)
{
	const struct file *last = &files[count - 1];
	struct pn_buf objects = {0};
	size_t i;
	int code = 0;

	if (pn_file_is_journalled(last->fd))
		return fsync(last->fd)
			       ? pn_error_system(err, "cannot write '%s'",
						 last->path)
			       : 0;
	for (i = 0; !code && i < count; i++)
		code = sync_folder_of(&files[i], err);
	pn_buf_printf(&objects, "%s/objects", repo->common_dir);
	if (!code)
		code = pn_git_sync_dir(pn_buf_text(&objects), err);
	pn_buf_release(&objects);
	return code;
}

/* Whether a sync of the refs' files holds for this one. */
static bool is_with_refs(struct pn_repo *repo, int fd)
{
	struct pn_buf path = {0};
	struct stat mine, refs;
	bool is;

	pn_buf_printf(&path, "%s/refs/notes", repo->common_dir);
	is = pn_file_is_journalled(fd) && !fstat(fd, &mine) &&
	     !stat(pn_buf_text(&path), &refs) && mine.st_dev == refs.st_dev;
	pn_buf_release(&path);
	return is;
}

/* Every file's data, then every name, then everything's metadata, if that is
 * not left to a later fsync. */
static int settle(struct file *files, size_t count, struct pn_repo *repo,
		  int shared, bool sync, struct pn_error *err)
{
	size_t i;
	int code;

	for (i = 0; i < count; i++)
		if (pn_file_write_out(files[i].fd))
			return pn_error_system(err, "cannot write '%s'",
					       files[i].tmp);
	for (i = 0; i < count; i++) {
		code = pn_git_share(files[i].tmp, shared, err);
		if (code)
			return code;
		if (rename(files[i].tmp, files[i].path))
			return pn_git_system(err, "create", files[i].path);
		free(files[i].tmp);
		files[i].tmp = NULL;
	}
	if (!sync && is_with_refs(repo, files[0].fd))
		return 0;
	return sync_names(files, count, repo, err);
}

int pn_loose_write(struct pn_repo *repo, const struct pn_object *objects,
		   size_t count, bool sync, struct pn_error *err)
{
	struct pn_deflater *deflater = pn_deflater_new(LEVEL);
	struct file *files = pn_calloc(count, sizeof(*files));
	int shared, code;
	size_t i;

	for (i = 0; i < count; i++)
		files[i].fd = -1;
	code = pn_git_shared(&shared, repo, err);
	for (i = 0; !code && i < count; i++)
		code = write_tmp(&files[i], repo, &objects[i], shared, deflater,
				 err);
	if (!code)
		code = settle(files, count, repo, shared, sync, err);
	for (i = 0; i < count; i++) {
		if (files[i].fd >= 0)
			close(files[i].fd);
		if (files[i].tmp)
			unlink(files[i].tmp);
		free(files[i].tmp);
		free(files[i].path);
	}
	free(files);
	pn_deflater_free(deflater);
	return code;
}

static void list_folder(struct pn_loose_folder *folder, struct pn_repo *repo,
			unsigned char first)
{
	struct pn_buf path = {0};
	struct dirent *entry;
	DIR *dir;

	pn_buf_printf(&path, "%s/objects/%02x", repo->common_dir, first);
	dir = opendir(pn_buf_text(&path));
	while (dir && (entry = readdir(dir))) {
		char digits[3] = {0}, *end;
		unsigned long second;

		memcpy(digits, entry->d_name, 2);
		second = strtoul(digits, &end, 16);
		if (end == digits + 2 && second < 256) /* not "-1" */
			folder->seconds[second / 8] |=
				(unsigned char)(1u << second % 8);
	}
	if (dir)
		closedir(dir);
	pn_buf_release(&path);
	folder->listed = true;
}

/*
 * Whether there may be a file of an object. Most objects are in packs, and to
 * look for the file of each takes a fifth of the time of a log. What others
 * write after the look libgit2 reads.
 */
static bool may_be_file(struct pn_repo *repo, const struct pn_oid *oid)
{
	struct pn_loose_folder *folder = &repo->loose[oid->bytes[0]];
	unsigned int second = oid->bytes[1];

	/* who reads a few objects has no use for lists */
	if (!folder->asked) {
		folder->asked = true;
		return true;
	}
	if (!folder->listed)
		list_folder(folder, repo, oid->bytes[0]);
	return folder->seconds[second / 8] >> second % 8 & 1;
}

static int read_file(struct pn_buf *out, struct pn_repo *repo,
		     const struct pn_oid *oid, uint64_t limit)
{
	struct pn_buf path = {0};
	char hex[PN_OID_HEX + 1];
	int code;

	pn_oid_hex(hex, oid);
	pn_buf_printf(&path, "%s/objects/%.2s/%s", repo->common_dir, hex,
		      hex + 2);
	code = pn_file_read(out, pn_buf_text(&path), limit, NULL);
	pn_buf_release(&path);
	return code;
}

/* "<type> <bytes>" NUL and as many bytes. */
static bool take_object(struct pn_git_object *out, struct pn_buf *bytes,
			const char *type, uint64_t limit)
{
	const char *text = pn_buf_text(bytes);
	const char *nul = memchr(text, '\0', bytes->len);
	size_t head = nul ? (size_t)(nul - text) : 0, len = strlen(type);
	uint64_t size;

	if (head <= len + 1 || memcmp(text, type, len) || text[len] != ' ' ||
	    !pn_number_uint(&size, text + len + 1, head - len - 1) ||
	    size != bytes->len - head - 1 || size > limit)
		return false;
	out->own = *bytes;
	out->bytes = bytes->data + head + 1;
	out->len = (size_t)size;
	memset(bytes, 0, sizeof(*bytes));
	return true;
}

int pn_loose_read(struct pn_git_object *out, struct pn_repo *repo,
		  const struct pn_oid *oid, const char *type, uint64_t limit)
{
	/* deflated a little more than the bytes, if they do not compress */
	uint64_t file_max = limit + limit / 64 + FILE_MORE;
	struct pn_buf file = {0}, bytes = {0};
	int code;

	if (!repo->common_dir || !may_be_file(repo, oid))
		return 0;
	code = read_file(&file, repo, oid, file_max);
	if (code == PN_ENOTFOUND)
		return 0;
	if (!code)
		code = pn_inflate_zlib(&bytes, NULL, file.data, file.len,
				       limit + HEAD_MAX, NULL);
	code = !code && take_object(out, &bytes, type, limit) ? 1 : PN_EINVAL;
	pn_buf_release(&file);
	pn_buf_release(&bytes);
	return code;
}
