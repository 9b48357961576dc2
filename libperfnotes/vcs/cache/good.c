/* The list of good blobs: read whole into an index, written at its end. */
#include "vcs/cache/good.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/slots.h"
#include "vcs/cache/folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "good"
/* To put an id into the index takes less than a hundredth of what it takes to
 * verify a line. */
#define PAYS 128
/* Whoever adds to a note asks once, mostly of what was written just before. */
#define NEWEST 64
#define MAX_BYTES (PN_GOOD_MAX * PN_OID_BYTES)

struct pn_good {
	char *path;
	struct pn_buf ids; /* the newest, all once is_read */
	size_t count, asked;
	struct pn_slots slots;
	bool has_newest, is_read;
};

struct pn_good *pn_good_open(struct pn_repo *repo)
{
	struct pn_good *good = pn_calloc(1, sizeof(*good));
	struct stat st;

	good->path = pn_cache_path(repo, NAME);
	if (!lstat(good->path, &st) && S_ISREG(st.st_mode) &&
	    st.st_size <= (off_t)MAX_BYTES)
		good->count = (size_t)st.st_size / PN_OID_BYTES;
	return good;
}

void pn_good_close(struct pn_good *good)
{
	if (!good)
		return;
	pn_buf_release(&good->ids);
	pn_slots_release(&good->slots);
	free(good->path);
	free(good);
}

static const unsigned char *row_at(const struct pn_good *good, size_t row)
{
	return good->ids.data + row * PN_OID_BYTES;
}

/* As many as there were; no map, because it may begin anew meanwhile. */
static void read_all(struct pn_good *good)
{
	size_t i;

	good->is_read = true;
	pn_buf_clear(&good->ids);
	if (pn_file_read(&good->ids, good->path, MAX_BYTES, NULL))
		pn_buf_clear(&good->ids);
	pn_slots_seed(&good->slots);
	for (i = 0; i < good->ids.len / PN_OID_BYTES; i++)
		pn_slots_add(&good->slots,
			     pn_slots_hash_bytes(&good->slots, row_at(good, i),
						 PN_OID_BYTES),
			     (uint32_t)i);
}

static void read_newest(struct pn_good *good)
{
	size_t rows = good->count < NEWEST ? good->count : NEWEST;
	unsigned char bytes[NEWEST * PN_OID_BYTES];
	ssize_t got = -1;
	int fd;

	good->has_newest = true;
	fd = open(good->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	if (fd >= 0) {
		got = pread(fd, bytes, rows * PN_OID_BYTES,
			    (off_t)((good->count - rows) * PN_OID_BYTES));
		close(fd);
	}
	if (got > 0)
		pn_buf_add(&good->ids, bytes, (size_t)got);
}

static bool is_new(struct pn_good *good, const struct pn_oid *blob)
{
	size_t row;

	if (!good->has_newest)
		read_newest(good);
	for (row = good->ids.len / PN_OID_BYTES; row-- > 0;)
		if (!memcmp(row_at(good, row), blob->bytes, PN_OID_BYTES))
			return true;
	return false;
}

bool pn_good_has(struct pn_good *good, const struct pn_oid *blob)
{
	uint32_t hash, row;
	size_t at;

	if (!good->count)
		return false;
	if (!good->is_read && is_new(good, blob))
		return true;
	if (!good->is_read && ++good->asked * PAYS >= good->count)
		read_all(good);
	if (!good->is_read)
		return false;
	hash = pn_slots_hash_bytes(&good->slots, blob->bytes, PN_OID_BYTES);
	for (at = pn_slots_first(&good->slots, hash);
	     pn_slots_row(&row, &good->slots, &at, hash);)
		if (!memcmp(row_at(good, row), blob->bytes, PN_OID_BYTES))
			return true;
	return false;
}

/* Behind the last whole id; a full list begins anew. */
static bool make_room(int fd, size_t bytes)
{
	struct stat st;
	off_t size;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return false;
	size = st.st_size - st.st_size % PN_OID_BYTES;
	if (size + (off_t)bytes > (off_t)MAX_BYTES)
		size = 0;
	return size == st.st_size || !ftruncate(fd, size);
}

void pn_good_add(struct pn_repo *repo, const struct pn_oid *blobs, size_t count)
{
	size_t bytes;
	char *path;
	bool there;
	int fd;

	if (!count || !pn_cache_make_folder(repo))
		return;
	bytes = (count < PN_GOOD_MAX ? count : PN_GOOD_MAX) * PN_OID_BYTES;
	path = pn_cache_path(repo, NAME);
	there = !access(path, F_OK);
	fd = pn_cache_open_end(path);
	if (fd >= 0 && make_room(fd, bytes) &&
	    !pn_file_write_all(fd, blobs->bytes, bytes) && !there)
		pn_repo_share(repo, path);
	if (fd >= 0)
		close(fd);
	free(path);
}
