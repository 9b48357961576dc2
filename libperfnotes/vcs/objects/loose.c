/*
 * Loose objects, read: objects/<two digits>/<38 digits>, a zlib stream of
 * "<type> <bytes>" NUL and the bytes.
 */
#include "base/deflate.h"
#include "base/file.h"
#include "base/number.h"
#include "vcs/git.h"
#include "vcs/objects/stored.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD_MAX 32    /* "commit <bytes>" NUL */
#define FILE_MORE 1024 /* of a small object's file */
#define FEW 16	       /* folders */

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

static bool mark_folders(bool there[256], const char *path)
{
	struct dirent *entry;
	DIR *dir = opendir(path);
	bool all;

	for (errno = 0; dir && (entry = readdir(dir)); errno = 0) {
		int high = pn_hex_digit(entry->d_name[0]);
		int low = high < 0 ? -1 : pn_hex_digit(entry->d_name[1]);

		if (low >= 0 && !entry->d_name[2])
			there[16 * high + low] = true;
	}
	all = dir && !errno;
	if (dir)
		closedir(dir);
	return all;
}

/* In those folders that are not there nothing is: after a clone or a `git gc`
 * that are most. */
static void list_folders(struct pn_repo *repo)
{
	struct pn_buf path = {0};
	bool there[256] = {false};
	size_t i;

	pn_buf_printf(&path, "%s/objects", repo->common_dir);
	if (mark_folders(there, pn_buf_text(&path)))
		for (i = 0; i < 256; i++)
			if (!there[i])
				repo->loose[i].asked = repo->loose[i].listed =
					true;
	pn_buf_release(&path);
}

static bool may_be(struct pn_repo *repo, const struct pn_oid *oid)
{
	struct pn_loose_folder *folder = &repo->loose[oid->bytes[0]];
	unsigned int second = oid->bytes[1];

	/* who reads a few objects has no use for lists */
	if (!folder->asked && ++repo->loose_asked == FEW)
		list_folders(repo);
	if (!folder->asked) {
		folder->asked = true;
		return true;
	}
	if (!folder->listed)
		list_folder(folder, repo, oid->bytes[0]);
	return folder->seconds[second / 8] >> second % 8 & 1;
}

bool pn_loose_may_be(struct pn_repo *repo, const struct pn_oid *oid)
{
	bool may;

	/* two sides of a diff are read by a thread each */
	pthread_mutex_lock(&repo->packed.lock);
	may = may_be(repo, oid);
	pthread_mutex_unlock(&repo->packed.lock);
	return may;
}

static void add_path(struct pn_buf *out, const struct pn_repo *repo,
		     const struct pn_oid *oid)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, oid);
	pn_buf_printf(out, "%s/objects/%.2s/%s", repo->common_dir, hex,
		      hex + 2);
}

bool pn_loose_has(struct pn_repo *repo, const struct pn_oid *oid)
{
	struct pn_buf path = {0};
	bool has;

	if (!pn_loose_may_be(repo, oid))
		return false;
	add_path(&path, repo, oid);
	has = !access(pn_buf_text(&path), F_OK) || errno != ENOENT;
	pn_buf_release(&path);
	return has;
}

static int read_file(struct pn_buf *out, struct pn_repo *repo,
		     const struct pn_oid *oid, uint64_t limit)
{
	struct pn_buf path = {0};
	int code;

	add_path(&path, repo, oid);
	code = pn_file_read(out, pn_buf_text(&path), limit, NULL);
	pn_buf_release(&path);
	return code;
}

/* "<type> <bytes>" NUL and as many bytes. */
static bool take_object(struct pn_stored *out, struct pn_buf *bytes,
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

int pn_loose_read(struct pn_stored *out, struct pn_repo *repo,
		  const struct pn_oid *oid, const char *type, uint64_t limit)
{
	/* deflated a little more than the bytes, if they do not compress */
	uint64_t file_max = limit + limit / 64 + FILE_MORE;
	struct pn_buf file = {0}, bytes = {0};
	int code;

	if (!repo->common_dir || !pn_loose_may_be(repo, oid))
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
