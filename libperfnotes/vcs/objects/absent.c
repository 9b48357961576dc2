/* Indexes of packs, version 2 (gitformat-pack(5)): "\377tOc", the version, 256
 * counts of the names up to each first byte, the names in order, and more. */
#include "vcs/objects/absent.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "vcs/git.h"
#include "vcs/objects/pack.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define WORTH_A_LOOK 32 /* objects */
#define OWN_BACKENDS 2	/* of libgit2: loose objects and packs of one folder */
#define COUNTS 8	/* where they begin, ... */
#define NAMES (COUNTS + 256 * 4) /* ... and the names */
#define MORE (4 + 4)		 /* of each name: a sum and an offset */
#define SUMS (2 * PN_OID_BYTES)

static uint32_t number_at(const unsigned char *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
	       (uint32_t)at[2] << 8 | at[3];
}

/* How many names are up to the first byte. */
static uint32_t up_to(const struct pn_absent_pack *pack, unsigned int first)
{
	return number_at(pack->bytes + COUNTS + first * 4);
}

static bool is_index(const struct pn_absent_pack *pack)
{
	static const unsigned char head[] = {0xff, 't', 'O', 'c', 0, 0, 0, 2};

	return !memcmp(pack->bytes, head, sizeof(head)) &&
	       up_to(pack, 255) <=
		       (pack->size - NAMES - SUMS) / (PN_OID_BYTES + MORE);
}

static bool map_index(struct pn_absent_pack *out, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct pn_absent_pack pack = {0};
	struct stat st;
	void *bytes = MAP_FAILED;

	if (fd >= 0 && !fstat(fd, &st) && st.st_size >= NAMES + SUMS &&
	    (uint64_t)st.st_size <= SIZE_MAX) {
		pack.size = (size_t)st.st_size;
		bytes = mmap(NULL, pack.size, PROT_READ, MAP_PRIVATE, fd, 0);
	}
	if (fd >= 0)
		close(fd);
	if (bytes == MAP_FAILED)
		return false;
	pack.bytes = bytes;
	if (!is_index(&pack)) {
		munmap(bytes, pack.size);
		return false;
	}
	*out = pack;
	return true;
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

static bool map_all(struct pn_absent *absent, const char *dir)
{
	struct pn_pack_names names = {0};
	struct pn_buf path = {0};
	bool known = can_be_listed(dir);
	size_t i;

	if (known)
		pn_pack_names_read(&names, dir, "");
	for (i = 0; known && i < names.count; i++) {
		if (!pn_file_ends_with(names.items[i], ".idx"))
			continue;
		absent->packs =
			pn_grow(absent->packs, &absent->cap, absent->count + 1,
				sizeof(*absent->packs));
		pn_buf_clear(&path);
		pn_buf_printf(&path, "%s/%s", dir, names.items[i]);
		known = map_index(&absent->packs[absent->count],
				  pn_buf_text(&path));
		absent->count += known;
	}
	pn_pack_names_release(&names);
	pn_buf_release(&path);
	return known;
}

void pn_absent_open(struct pn_absent *out, struct pn_repo *repo, size_t asked)
{
	struct pn_absent absent = {0};
	struct pn_buf dir = {0};

	if (asked >= WORTH_A_LOOK && repo->common_dir &&
	    git_odb_num_backends(repo->odb) == OWN_BACKENDS) {
		pn_buf_printf(&dir, "%s/objects/pack", repo->common_dir);
		absent.known = map_all(&absent, pn_buf_text(&dir));
	}
	pn_buf_release(&dir);
	*out = absent;
}

void pn_absent_release(struct pn_absent *absent)
{
	size_t i;

	for (i = 0; i < absent->count; i++)
		munmap((void *)absent->packs[i].bytes, absent->packs[i].size);
	free(absent->packs);
	memset(absent, 0, sizeof(*absent));
}

static bool has(const struct pn_absent_pack *pack, const struct pn_oid *id)
{
	unsigned int first = id->bytes[0];
	uint32_t from = first ? up_to(pack, first - 1) : 0;
	uint32_t to = up_to(pack, first), middle;
	int order;

	/* counts that do not grow are of a damaged file: let others look */
	if (from > to || to > up_to(pack, 255))
		return true;
	while (from < to) {
		middle = from + (to - from) / 2;
		order = memcmp(pack->bytes + NAMES +
				       (size_t)middle * PN_OID_BYTES,
			       id->bytes, PN_OID_BYTES);
		if (!order)
			return true;
		if (order < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return false;
}

bool pn_absent_is(const struct pn_absent *absent, struct pn_repo *repo,
		  const struct pn_oid *id)
{
	size_t i;

	if (!absent->known)
		return false;
	for (i = 0; i < absent->count; i++)
		if (has(&absent->packs[i], id))
			return false;
	return !pn_loose_may_be(repo, id);
}
