/*
 * Deltas between the objects of small packs that become one. git-repack(1)
 * looks for deltas between objects of different packs, and takes those of one
 * pack as they stand: without this all that was taken in would stay whole in
 * every later pack and in every clone. git-pack-objects(1) makes them.
 */
#include "vcs/objects/pack_join.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/folder/folder.h"
#include "base/hash.h"
#include "vcs/child.h"
#include "vcs/git.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* git-prune(1) takes what is called so and was left behind for its own. */
#define FOLDER "tmp_objdir-perf-"
#define IDS "ids"
#define NAME "joined"
#define PACKS "pack"
#define SUM_BYTES 20
/* What git may write more than the parts have: then it is of no use. */
#define SLACK_BYTES (64u << 10)

/* All ids, a line each, in a file that is read from its beginning. It is
 * locked as long as we or git have it open: the folder is in use. */
static int open_ids(const char *folder, const struct pn_pack_join *join)
{
	struct pn_buf path = {0}, text = {0};
	char hex[PN_OID_HEX + 1];
	size_t i, k;
	int fd;

	for (i = 0; i < join->part_count; i++)
		for (k = 0; k < join->parts[i].count; k++) {
			pn_oid_hex(hex, pn_pack_part_id(&join->parts[i], k));
			pn_buf_printf(&text, "%s\n", hex);
		}
	pn_buf_printf(&path, "%s/" IDS, folder);
	fd = open(pn_buf_text(&path), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
		  0600);
	if (fd >= 0 &&
	    ((flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) ||
	     pn_file_write_all(fd, text.data, text.len) ||
	     lseek(fd, 0, SEEK_SET))) {
		close(fd);
		fd = -1;
	}
	pn_buf_release(&path);
	pn_buf_release(&text);
	return fd;
}

struct place {
	uint32_t offset, row;
};

static int by_offset(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void add_be32(struct pn_buf *out, uint32_t word)
{
	const unsigned char bytes[] = {
		(unsigned char)(word >> 24), (unsigned char)(word >> 16),
		(unsigned char)(word >> 8), (unsigned char)word};

	pn_buf_add(out, bytes, sizeof(bytes));
}

/* The rows of the index in the order of the pack, gitformat-pack(5), ".rev":
 * without it git sorts them by radix, 600,000 instructions a pack. */
static void reverse(struct pn_buf *out, const struct pn_pack_part *part)
{
	struct pn_hash_sha1 *hash = pn_hash_sha1_new();
	struct place *places = pn_calloc(part->count, sizeof(*places));
	unsigned char sum[SUM_BYTES];
	size_t i;

	for (i = 0; i < part->count; i++)
		places[i] = (struct place){pn_pack_part_offset(part, i),
					   (uint32_t)i};
	qsort(places, part->count, sizeof(*places), by_offset);
	pn_buf_add(out, "RIDX\0\0\0\1\0\0\0\1", 12);
	for (i = 0; i < part->count; i++)
		add_be32(out, places[i].row);
	free(places);
	pn_buf_add(out, part->pack.data + part->pack.len - SUM_BYTES,
		   SUM_BYTES);
	pn_hash_sha1_add(hash, out->data, out->len);
	pn_hash_sha1_end(sum, hash);
	pn_buf_add(out, sum, SUM_BYTES);
}

static bool lend_file(struct pn_buf *to, const struct pn_pack_part *part,
		      const char *end)
{
	struct pn_buf from = {0};
	size_t len = to->len;
	bool good;

	pn_buf_printf(&from, "%s%s", part->base, end);
	pn_buf_add_text(to, end);
	good = !link(pn_buf_text(&from), pn_buf_text(to));
	pn_buf_cut(to, len);
	pn_buf_release(&from);
	return good;
}

/* A part under a second name, beside which the order is. Where that cannot be
 * git reads the first one. */
static void lend(const char *folder, const struct pn_pack_part *part)
{
	struct pn_buf path = {0}, rows = {0};
	size_t len;

	if (!part->count)
		return;
	pn_buf_printf(&path, "%s/" PACKS "/%s", folder,
		      pn_file_basename(part->base));
	if (lend_file(&path, part, ".pack")) {
		len = path.len;
		reverse(&rows, part);
		pn_buf_add_text(&path, ".rev");
		pn_file_create(pn_buf_text(&path), rows.data, rows.len, false,
			       NULL);
		pn_buf_cut(&path, len);
		lend_file(&path, part, ".idx");
	}
	pn_buf_release(&path);
	pn_buf_release(&rows);
}

static void lend_all(const char *folder, const struct pn_pack_join *join)
{
	struct pn_buf path = {0};
	size_t i;

	pn_buf_printf(&path, "%s/" PACKS, folder);
	if (!mkdir(pn_buf_text(&path), 0700))
		for (i = 0; i < join->part_count; i++)
			lend(folder, &join->parts[i]);
	pn_buf_release(&path);
}

/*
 * The child's environment: what git writes goes to the folder, its temporary
 * files, too, which it leaves on a full disk; what it reads is in the
 * repository. A path may hold what parts a list, so it is quoted.
 */
static void set_folders(struct pn_buf *into, struct pn_buf *from,
			const struct pn_repo *repo, const char *folder)
{
	const char *at = repo->common_dir;

	pn_buf_printf(into, "GIT_OBJECT_DIRECTORY=%s", folder);
	pn_buf_printf(from, "GIT_ALTERNATE_OBJECT_DIRECTORIES=\"");
	for (; *at; at++) {
		if (*at == '"' || *at == '\\')
			pn_buf_add(from, "\\", 1);
		pn_buf_add(from, at, 1);
	}
	pn_buf_printf(from, "/objects\"");
}

/* Writes "<folder>/joined-<sum>.pack" and its index; `sum` gets the sum. What
 * is written is read again and not kept, so it is not synced. */
static bool pack(struct pn_buf *sum, const struct pn_repo *repo,
		 const char *folder, int ids)
{
	struct pn_process_options options = pn_child_options(repo);
	struct pn_buf name = {0}, into = {0}, from = {0};
	const char *env[PN_GIT_ENV_MAX + 2] = {NULL};
	const char *argv[] = {"git",
			      "-c",
			      "core.fsync=none",
			      "-c",
			      "pack.packSizeLimit=0",
			      "pack-objects",
			      "-q",
			      "--threads=1",
			      "--delta-base-offset",
			      NULL,
			      NULL};
	char said[1024];
	int code, status;
	size_t n = 0;

	while (repo->env[n]) {
		env[n] = repo->env[n];
		n++;
	}
	set_folders(&into, &from, repo, folder);
	env[n++] = pn_buf_text(&into);
	env[n] = pn_buf_text(&from);
	options.env_set = env;
	pn_buf_printf(&name, "%s/" NAME, folder);
	argv[sizeof(argv) / sizeof(*argv) - 2] = pn_buf_text(&name);
	options.in = ids;
	code = pn_process_capture(sum, said, &status, argv, &options,
				  PN_OID_HEX + 1, NULL);
	pn_buf_release(&name);
	pn_buf_release(&into);
	pn_buf_release(&from);
	if (code || status || sum->len != PN_OID_HEX + 1)
		return false;
	sum->data[--sum->len] = '\0'; /* the end of the line */
	return true;
}

/* Without the file that its writer has locked the folder is empty, or about to
 * go. */
static void sweep(const char *folder)
{
	struct pn_buf path = {0};
	int fd;

	pn_buf_printf(&path, "%s/" IDS, folder);
	fd = pn_pack_take_over(pn_buf_text(&path));
	if (fd >= 0 || errno == ENOENT)
		pn_folder_remove(folder, NULL);
	if (fd >= 0)
		close(fd);
	pn_buf_release(&path);
}

void pn_pack_join_sweep(const struct pn_repo *repo)
{
	struct pn_pack_names names = {0};
	struct pn_buf path = {0};
	size_t i, len;

	pn_buf_printf(&path, "%s/objects", repo->common_dir);
	pn_pack_names_read(&names, pn_buf_text(&path), FOLDER);
	len = path.len;
	for (i = 0; i < names.count; i++) {
		path.len = len;
		pn_buf_printf(&path, "/%s", names.items[i]);
		sweep(pn_buf_text(&path));
	}
	pn_pack_names_release(&names);
	pn_buf_release(&path);
}

/* The parts go when the ref has moved, as before; their objects are in the new
 * one. */
static void replace(struct pn_pack_join *join, struct pn_pack_part *by)
{
	size_t i;

	for (i = 0; i < join->part_count; i++) {
		join->parts[i].count = 0;
		pn_buf_release(&join->parts[i].pack);
		pn_buf_release(&join->parts[i].index);
	}
	join->parts = pn_grow(join->parts, &join->part_cap,
			      join->part_count + 1, sizeof(*join->parts));
	join->parts[join->part_count++] = *by;
	memset(by, 0, sizeof(*by));
}

static char *new_folder(const struct pn_repo *repo)
{
	struct pn_buf path = {0};

	pn_buf_printf(&path, "%s/objects/" FOLDER "XXXXXX", repo->common_dir);
	if (mkdtemp((char *)path.data))
		return pn_buf_detach(&path);
	pn_buf_release(&path);
	return NULL;
}

void pn_pack_join_deltas(struct pn_pack_join *join, const struct pn_repo *repo)
{
	struct pn_buf sum = {0}, base = {0};
	struct pn_pack_part all = {0};
	uint64_t limit = SLACK_BYTES;
	char *folder;
	size_t i;
	int ids;

	for (i = 0; i < join->part_count; i++)
		limit += join->parts[i].pack.len;
	folder = join->count ? new_folder(repo) : NULL;
	if (!folder)
		return;
	ids = open_ids(folder, join);
	if (ids >= 0)
		lend_all(folder, join);
	if (ids >= 0 && pack(&sum, repo, folder, ids)) {
		pn_buf_printf(&base, "%s/" NAME "-%s", folder,
			      pn_buf_text(&sum));
		if (pn_pack_part_read(&all, pn_buf_text(&base), limit) &&
		    all.count == join->count)
			replace(join, &all);
	}
	pn_folder_remove(folder, NULL);
	if (ids >= 0)
		close(ids);
	pn_pack_part_release(&all);
	pn_buf_release(&sum);
	pn_buf_release(&base);
	free(folder);
}
