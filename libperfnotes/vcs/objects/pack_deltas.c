/*
 * Deltas between the objects of small packs that become one. git-repack(1)
 * looks for deltas between objects of different packs, and takes those of one
 * pack as they stand: without this all that was taken in would stay whole in
 * every later pack and in every clone. git-pack-objects(1) makes them.
 */
#include "vcs/objects/pack_join.h"

#include "base/alloc.h"
#include "base/file.h"
#include "vcs/child.h"
#include "vcs/git.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* git-prune(1) removes what is called so and was left behind. */
#define FOLDER "tmp_objdir-perf-XXXXXX"
#define NAME "joined"

/* All ids, a line each, in a file that is read from its beginning. */
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
	pn_buf_printf(&path, "%s/ids", folder);
	fd = open(pn_buf_text(&path), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
		  0600);
	if (fd >= 0 && (pn_file_write_all(fd, text.data, text.len) ||
			lseek(fd, 0, SEEK_SET))) {
		close(fd);
		fd = -1;
	}
	pn_buf_release(&path);
	pn_buf_release(&text);
	return fd;
}

/* Writes "<folder>/joined-<sum>.pack" and its index; `sum` gets the sum. What
 * is written is read again and not kept, so it is not synced. */
static bool pack(struct pn_buf *sum, const struct pn_repo *repo,
		 const char *folder, int ids)
{
	struct pn_process_options options = pn_child_options(repo);
	struct pn_buf name = {0};
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

	pn_buf_printf(&name, "%s/" NAME, folder);
	argv[sizeof(argv) / sizeof(*argv) - 2] = pn_buf_text(&name);
	options.in = ids;
	code = pn_process_capture(sum, said, &status, argv, &options,
				  PN_OID_HEX + 1, NULL);
	pn_buf_release(&name);
	if (code || status || sum->len != PN_OID_HEX + 1)
		return false;
	sum->data[--sum->len] = '\0'; /* the end of the line */
	return true;
}

static void remove_folder(const char *folder)
{
	struct pn_pack_names names = {0};
	struct pn_buf path = {0};
	size_t i;

	pn_pack_names_read(&names, folder, "");
	for (i = 0; i < names.count; i++) {
		pn_buf_clear(&path);
		pn_buf_printf(&path, "%s/%s", folder, names.items[i]);
		unlink(pn_buf_text(&path));
	}
	pn_pack_names_release(&names);
	pn_buf_release(&path);
	rmdir(folder);
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

	pn_buf_printf(&path, "%s/objects/" FOLDER, repo->common_dir);
	if (mkdtemp((char *)path.data))
		return pn_buf_detach(&path);
	pn_buf_release(&path);
	return NULL;
}

void pn_pack_join_deltas(struct pn_pack_join *join, const struct pn_repo *repo)
{
	struct pn_buf sum = {0}, base = {0};
	struct pn_pack_part all = {0};
	char *folder;
	int ids;

	folder = join->count ? new_folder(repo) : NULL;
	if (!folder)
		return;
	ids = open_ids(folder, join);
	if (ids >= 0 && pack(&sum, repo, folder, ids)) {
		pn_buf_printf(&base, "%s/" NAME "-%s", folder,
			      pn_buf_text(&sum));
		if (pn_pack_part_read(&all, pn_buf_text(&base)) &&
		    all.count == join->count)
			replace(join, &all);
	}
	if (ids >= 0)
		close(ids);
	remove_folder(folder);
	pn_pack_part_release(&all);
	pn_buf_release(&sum);
	pn_buf_release(&base);
	free(folder);
}
