/* A version, then texts of notes, one behind the other: struct head, the text,
 * zeros up to the next multiple of 8. What a power cut left of one is passed
 * over. */
#include "vcs/cache/recent.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/slots.h"
#include "vcs/cache/cache.h"
#include "vcs/cache/folder.h"
#include "vcs/cache/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "recent"
#define ALIGN 8
/* Another one where anything of a text, or how it is summed, is another: a file
 * of another version is of no use, and begins anew. */
#define VERSION "gpnotes2"
#define VERSION_LEN (sizeof(VERSION) - 1)
/* To find one text among all takes less than a sixtieth of what it takes to
 * read a note from a pack. */
#define PAYS 64

struct head {
	struct pn_oid blob;
	uint32_t len; /* not 0 */
	uint64_t sum; /* in this machine's order of bytes */
};

_Static_assert(sizeof(struct head) == 32 && VERSION_LEN == ALIGN,
	       "the file has no gaps");

struct pn_recent {
	const unsigned char *bytes; /* NULL: none */
	size_t len, asked;
	size_t *rows; /* where each begins */
	size_t count, cap;
	struct pn_slots slots;
	bool is_read;
};

static uint64_t sum_of(const struct pn_oid *blob, const void *text, size_t len)
{
	const struct pn_cache_key key = {*blob, PN_CACHE_NOTE};

	return pn_cache_sum(&key, text, len);
}

static bool is_ours(const unsigned char *bytes, size_t len)
{
	return len >= VERSION_LEN && !memcmp(bytes, VERSION, VERSION_LEN);
}

struct pn_recent *pn_recent_open(struct pn_repo *repo)
{
	struct pn_recent *recent = pn_calloc(1, sizeof(*recent));
	char *path = pn_cache_path(repo, NAME);

	recent->bytes = pn_cache_map(&recent->len, path, PN_RECENT_MAX);
	free(path);
	if (recent->bytes && !is_ours(recent->bytes, recent->len)) {
		munmap((void *)recent->bytes, recent->len);
		recent->bytes = NULL;
		recent->len = 0;
	}
	return recent;
}

void pn_recent_close(struct pn_recent *recent)
{
	if (!recent)
		return;
	if (recent->bytes)
		munmap((void *)recent->bytes, recent->len);
	pn_slots_release(&recent->slots);
	free(recent->rows);
	free(recent);
}

bool pn_recent_has_any(const struct pn_recent *recent)
{
	return recent->bytes;
}

/* Whether one begins there, which its checksum says. */
static bool take_head(struct head *head, const struct pn_recent *recent,
		      size_t at)
{
	const unsigned char *from = recent->bytes + at;
	size_t left = recent->len - at;

	if (left < sizeof(*head))
		return false;
	memcpy(head, from, sizeof(*head));
	return head->len && head->len <= PN_RECENT_TEXT_MAX &&
	       pn_cache_padded(head->len) <= left - sizeof(*head) &&
	       sum_of(&head->blob, from + sizeof(*head), head->len) ==
		       head->sum;
}

static void add_row(struct pn_recent *recent, const struct pn_oid *blob,
		    size_t at)
{
	uint32_t hash =
		pn_slots_hash_bytes(&recent->slots, blob->bytes, PN_OID_BYTES);

	recent->rows = pn_grow(recent->rows, &recent->cap, recent->count + 1,
			       sizeof(*recent->rows));
	recent->rows[recent->count] = at;
	pn_slots_add(&recent->slots, hash, (uint32_t)recent->count++);
}

static void read_all(struct pn_recent *recent)
{
	struct head head;
	size_t at = VERSION_LEN;

	recent->is_read = true;
	while (at < recent->len) {
		if (!take_head(&head, recent, at)) {
			at += ALIGN;
			continue;
		}
		add_row(recent, &head.blob, at);
		at += sizeof(head) + pn_cache_padded(head.len);
	}
}

const char *pn_recent_find(size_t *len, struct pn_recent *recent,
			   const struct pn_oid *blob)
{
	uint32_t hash, row;
	struct head head;
	size_t at;

	*len = 0;
	if (!recent->is_read &&
	    ++recent->asked * PAYS * PN_RECENT_TEXT_MAX / 8 < recent->len)
		return NULL;
	if (!recent->is_read)
		read_all(recent);
	hash = pn_slots_hash_bytes(&recent->slots, blob->bytes, PN_OID_BYTES);
	for (at = pn_slots_first(&recent->slots, hash);
	     pn_slots_row(&row, &recent->slots, &at, hash);) {
		const unsigned char *from = recent->bytes + recent->rows[row];

		memcpy(&head, from, sizeof(head));
		if (pn_oid_equal(&head.blob, blob)) {
			*len = head.len;
			return (const char *)from + sizeof(head);
		}
	}
	return NULL;
}

/* The sum is taken where the text is aligned. */
static void encode_one(struct pn_buf *out, const struct pn_recent_text *text)
{
	static const char zeros[ALIGN];
	struct head head = {.blob = text->blob, .len = (uint32_t)text->len};
	size_t at = out->len;

	pn_buf_add(out, &head, sizeof(head));
	pn_buf_add(out, text->text, text->len);
	pn_buf_add(out, zeros, pn_cache_padded(text->len) - text->len);
	head.sum = sum_of(&head.blob, out->data + at + sizeof(head), head.len);
	memcpy(out->data + at, &head, sizeof(head));
}

/* All of them as bytes; empty when they are too many. */
static void encode(struct pn_buf *out, const struct pn_recent_text *texts,
		   size_t count)
{
	size_t i;

	for (i = 0; i < count && out->len <= PN_RECENT_ADD_MAX; i++)
		if (texts[i].len && texts[i].len <= PN_RECENT_TEXT_MAX)
			encode_one(out, &texts[i]);
	if (out->len > PN_RECENT_ADD_MAX)
		pn_buf_clear(out);
}

/* Whether what is there is of our version; so is an empty file. */
static bool goes_on(const char *path)
{
	size_t len;
	void *bytes = pn_cache_map(&len, path, PN_RECENT_MAX);
	bool ours = !bytes || is_ours(bytes, len);

	if (bytes)
		munmap(bytes, len);
	return ours;
}

/* A full one, or one of another version, begins anew, as another file: somebody
 * may have mapped this one. One that was cut goes on at the next place where
 * one may begin. */
static int open_with_room(bool *there, const char *path, size_t bytes)
{
	struct stat st;
	int fd;

	*there = !access(path, F_OK);
	fd = pn_cache_open_end(path);
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		return -1;
	}
	if ((size_t)st.st_size + bytes > PN_RECENT_MAX - ALIGN ||
	    !goes_on(path)) {
		close(fd);
		*there = false;
		return unlink(path) && errno != ENOENT
			       ? -1
			       : pn_cache_open_end(path);
	}
	return fd;
}

/* What stands before the next text: zeros, or in a new file the version. */
static int align(struct pn_buf *out, int fd)
{
	static const char zeros[ALIGN];
	struct stat st;

	if (fstat(fd, &st))
		return -1;
	pn_buf_add(out, st.st_size ? zeros : VERSION,
		   st.st_size ? pn_cache_padded((size_t)st.st_size) -
					(size_t)st.st_size
			      : VERSION_LEN);
	return 0;
}

void pn_recent_add(struct pn_repo *repo, const struct pn_recent_text *texts,
		   size_t count)
{
	struct pn_buf bytes = {0}, begin = {0};
	char *path;
	bool there;
	int fd;

	encode(&bytes, texts, count);
	if (!bytes.len || !pn_cache_make_folder(repo)) {
		pn_buf_release(&bytes);
		return;
	}
	path = pn_cache_path(repo, NAME);
	fd = open_with_room(&there, path, bytes.len);
	if (fd >= 0 && !align(&begin, fd)) {
		pn_buf_add(&begin, bytes.data, bytes.len);
		if (!pn_file_write_all(fd, begin.data, begin.len) && !there)
			pn_repo_share(repo, path);
	}
	if (fd >= 0)
		close(fd);
	free(path);
	pn_buf_release(&begin);
	pn_buf_release(&bytes);
}
