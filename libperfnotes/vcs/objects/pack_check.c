/* Indexes of packs, checked: gitformat-pack(5), versions 1 and 2. */
#include "vcs/objects/pack_check.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/escape.h"
#include "base/file.h"
#include "vcs/git.h"
#include "vcs/objects/lent.h"
#include "vcs/objects/pack_index.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FANOUT 256
#define HEAD 8 /* of version 2, before its counts */
#define BEGIN (HEAD + FANOUT * 4)
#define SUMS (2 * PN_OID_BYTES)
#define ROW_1 (4 + PN_OID_BYTES)
#define ROW_2 (PN_OID_BYTES + 4 + 4)
#define LONG 8 /* of offsets beyond 2^31 */
#define PACK_HEAD 12
#define INDEX_END ".idx"
#define DEPTH_MAX 5 /* of folders that borrow, as git and libgit2 have it */

struct checked {
	char *base; /* path without ".pack" and ".idx" */
	struct pn_pack_index index;
	bool scanned;
};

struct pn_pack_checks {
	struct checked *items;
	size_t count, cap;
};

/* At every start: pn_buf_printf takes ten times as long. */
static void join(struct pn_buf *out, const char *a, const char *b)
{
	pn_buf_clear(out);
	pn_buf_add_text(out, a);
	pn_buf_add_text(out, b);
}

/* Nothing is deleted: where the pack was cut, git index-pack says so. */
static int damaged(const char *base, const char *why, struct pn_error *err)
{
	struct pn_buf pack = {0}, path = {0}, index = {0};

	join(&path, base, ".pack");
	pn_escape_shell(&pack, pn_buf_text(&path));
	join(&path, base, INDEX_END);
	pn_escape_shell(&index, pn_buf_text(&path));
	pn_error_set(err, PN_EINVAL,
		     "damaged pack index '%s': %s; what makes it anew: mv %s "
		     "%s.damaged && git index-pack %s",
		     pn_buf_text(&path), why, pn_buf_text(&index),
		     pn_buf_text(&index), pn_buf_text(&pack));
	pn_buf_release(&pack);
	pn_buf_release(&path);
	pn_buf_release(&index);
	return PN_EINVAL;
}

static bool shrinks(const unsigned char *counts)
{
	uint32_t last = 0, now;
	int i;

	for (i = 0; i < FANOUT; i++, last = now) {
		now = pn_bytes_big_four(counts + i * 4);
		if (now < last)
			return true;
	}
	return false;
}

/* What is wrong with an index that begins so, NULL: nothing. */
static const char *wrong_with(const unsigned char begin[BEGIN], uint64_t size)
{
	static const unsigned char magic[] = {0xff, 't', 'O', 'c'};
	bool second = !memcmp(begin, magic, sizeof(magic));
	const unsigned char *counts = begin + (second ? HEAD : 0);
	uint64_t rows = pn_bytes_big_four(counts + (FANOUT - 1) * 4), least;

	if (second && pn_bytes_big_four(begin + 4) != 2)
		return "its version is neither 1 nor 2";
	if (shrinks(counts))
		return "its counts shrink";
	least = second ? BEGIN + rows * ROW_2 : BEGIN - HEAD + rows * ROW_1;
	least += SUMS;
	if (size < least)
		return "it is too short";
	if (size - least > (second && rows ? (rows - 1) * LONG : 0))
		return "it is too long";
	return NULL;
}

/* Nobody reads one whose pack is not there. */
static bool has_pack(uint64_t *size, const char *base)
{
	struct pn_buf path = {0};
	struct stat st;
	bool has;

	join(&path, base, ".pack");
	has = !stat(pn_buf_text(&path), &st) && S_ISREG(st.st_mode);
	pn_buf_release(&path);
	if (has)
		*size = (uint64_t)st.st_size;
	return has;
}

/* One that cannot be opened libgit2 cannot, either. */
static int check_begin(const char *base, struct pn_error *err)
{
	unsigned char begin[BEGIN];
	struct pn_buf path = {0};
	const char *why = NULL;
	uint64_t size;
	struct stat st;
	ssize_t got;
	int fd;

	join(&path, base, INDEX_END);
	fd = open(pn_buf_text(&path), O_RDONLY | O_CLOEXEC);
	pn_buf_release(&path);
	if (fd < 0)
		return 0;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
		got = pread(fd, begin, sizeof(begin), 0);
		if (got == (ssize_t)sizeof(begin))
			why = wrong_with(begin, (uint64_t)st.st_size);
		else if (got >= 0)
			why = "it is too short";
	}
	close(fd);
	return why && has_pack(&size, base) ? damaged(base, why, err) : 0;
}

/* Those of version 1, which git made until 2008, are not looked into. */
static int add(struct pn_pack_checks *checks, const char *base)
{
	struct checked item = {0};
	struct pn_buf path = {0};

	join(&path, base, INDEX_END);
	if (pn_pack_index_open(&item.index, pn_buf_text(&path))) {
		item.base = pn_strdup(base);
		checks->items =
			pn_grow(checks->items, &checks->cap, checks->count + 1,
				sizeof(*checks->items));
		checks->items[checks->count++] = item;
	}
	pn_buf_release(&path);
	return 0;
}

/* Checked, or added to `checks` where that is not NULL. */
static int each_of_folder(const char *objects, struct pn_pack_checks *checks,
			  struct pn_error *err)
{
	struct pn_buf path = {0};
	struct dirent *entry;
	size_t len, begin;
	int code = 0;
	DIR *dir;

	join(&path, objects, "/pack/");
	begin = path.len;
	dir = opendir(pn_buf_text(&path));
	while (!code && dir && (entry = readdir(dir))) {
		if (!pn_file_ends_with(entry->d_name, INDEX_END))
			continue;
		len = strlen(entry->d_name) - strlen(INDEX_END);
		pn_buf_cut(&path, begin);
		pn_buf_add(&path, entry->d_name, len);
		code = checks ? add(checks, pn_buf_text(&path))
			      : check_begin(pn_buf_text(&path), err);
	}
	if (dir)
		closedir(dir);
	pn_buf_release(&path);
	return code;
}

/* A folder, and those that it borrows from. */
static int each_index(const char *objects, int depth,
		      struct pn_pack_checks *checks, struct pn_error *err)
{
	struct pn_buf text = {0}, folder = {0};
	int code = each_of_folder(objects, checks, err);
	const char *at;

	if (!code && depth < DEPTH_MAX)
		pn_lent_read(&text, objects);
	at = pn_buf_text(&text);
	while (!code && (pn_lent_next(&folder, &at, objects), folder.len))
		code = each_index(pn_buf_text(&folder), depth + 1, checks, err);
	pn_buf_release(&text);
	pn_buf_release(&folder);
	return code;
}

static int each(const struct pn_repo *repo, struct pn_pack_checks *checks,
		struct pn_error *err)
{
	struct pn_buf path = {0}, given = {0};
	const char *at;
	int code;

	if (!repo->common_dir) /* all of it is in memory */
		return 0;
	join(&path, repo->common_dir, "/objects");
	code = each_index(pn_buf_text(&path), 0, checks, err);
	pn_lent_given(&given);
	for (at = pn_buf_text(&given); !code && *at; at += strlen(at) + 1)
		code = each_index(at, 0, checks, err);
	pn_buf_release(&path);
	pn_buf_release(&given);
	return code;
}

int pn_pack_check_all(const struct pn_repo *repo, struct pn_error *err)
{
	return each(repo, NULL, err);
}

static struct pn_pack_checks *checks_of(struct pn_repo *repo)
{
	if (!repo->checks) {
		repo->checks = pn_calloc(1, sizeof(*repo->checks));
		(void)each(repo, repo->checks, NULL);
	}
	return repo->checks;
}

/* Both end in the sum of the pack; before its own, in an index. */
static bool is_of(const struct pn_pack_index *index, const char *base,
		  uint64_t size)
{
	unsigned char sum[PN_OID_BYTES];
	struct pn_buf path = {0};
	ssize_t got = -1;
	int fd;

	join(&path, base, ".pack");
	fd = open(pn_buf_text(&path), O_RDONLY | O_CLOEXEC);
	pn_buf_release(&path);
	if (fd < 0)
		return true;
	if (size >= sizeof(sum))
		got = pread(fd, sum, sizeof(sum), (off_t)(size - sizeof(sum)));
	close(fd);
	return got < 0 || (got == (ssize_t)sizeof(sum) &&
			   !memcmp(sum, pn_pack_index_sum(index), sizeof(sum)));
}

static int scan(struct checked *item, struct pn_error *err)
{
	uint32_t row, rows = pn_pack_index_rows(&item->index);
	uint64_t size, offset;

	if (item->scanned || !has_pack(&size, item->base))
		return 0;
	if (!is_of(&item->index, item->base, size))
		return damaged(item->base,
			       "it is not of the pack beside it, or one of "
			       "both was cut",
			       err);
	for (row = 0; row < rows; row++) {
		offset = pn_pack_index_offset(&item->index, row);
		if (offset < PACK_HEAD || offset + PN_OID_BYTES >= size)
			return damaged(item->base,
				       "an offset leads out of its pack", err);
	}
	item->scanned = true;
	return 0;
}

/* `oid` NULL: all. */
static int scan_those(struct pn_repo *repo, const struct pn_oid *oid,
		      struct pn_error *err)
{
	struct pn_pack_checks *checks;
	uint32_t row;
	int code = 0;
	size_t i;

	/* two sides of a diff are read by a thread each */
	pthread_mutex_lock(&repo->packed.lock);
	checks = checks_of(repo);
	for (i = 0; !code && i < checks->count; i++) {
		struct checked *item = &checks->items[i];

		if (!oid || pn_pack_index_find(&row, &item->index, oid) > 0)
			code = scan(item, err);
	}
	pthread_mutex_unlock(&repo->packed.lock);
	return code;
}

int pn_pack_check_object(struct pn_repo *repo, const struct pn_oid *oid,
			 struct pn_error *err)
{
	return scan_those(repo, oid, err);
}

int pn_pack_check_offsets(struct pn_repo *repo, struct pn_error *err)
{
	return scan_those(repo, NULL, err);
}

void pn_pack_checks_free(struct pn_pack_checks *checks)
{
	size_t i;

	for (i = 0; checks && i < checks->count; i++) {
		pn_pack_index_close(&checks->items[i].index);
		free(checks->items[i].base);
	}
	if (checks)
		free(checks->items);
	free(checks);
}
