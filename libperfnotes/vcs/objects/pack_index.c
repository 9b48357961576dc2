/*
 * Indexes of packs, version 2 (gitformat-pack(5)): "\377tOc", the version, 256
 * counts of the names up to each first byte, the names in order, a CRC and an
 * offset of each, offsets that need 64 bits, and two sums.
 */
#include "vcs/objects/pack_index.h"

#include "base/bytes.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNTS 8		 /* where they begin, ... */
#define NAMES (COUNTS + 256 * 4) /* ... and the names */
#define CRC 4			 /* of each name, ... */
#define OFFSET 4		 /* ... and where it is */
#define ROW (PN_OID_BYTES + CRC + OFFSET)
#define SUMS (2 * PN_OID_BYTES)
#define IS_LONG 0x80000000u /* the rest is a row of the 64-bit offsets */

/* How many names are up to the first byte. */
static uint32_t up_to(const struct pn_pack_index *index, unsigned int first)
{
	return pn_bytes_big_four(index->bytes + COUNTS + first * 4);
}

static bool is_index(const struct pn_pack_index *index)
{
	static const unsigned char head[] = {0xff, 't', 'O', 'c', 0, 0, 0, 2};

	return !memcmp(index->bytes, head, sizeof(head)) &&
	       up_to(index, 255) <= (index->size - NAMES - SUMS) / ROW;
}

const unsigned char *pn_pack_map(size_t *size, const char *path, size_t least)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *bytes = MAP_FAILED;
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) &&
	    (uint64_t)st.st_size >= least && (uint64_t)st.st_size <= SIZE_MAX) {
		*size = (size_t)st.st_size;
		bytes = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
	}
	if (fd >= 0)
		close(fd);
	return bytes == MAP_FAILED ? NULL : bytes;
}

bool pn_pack_index_open(struct pn_pack_index *out, const char *path)
{
	struct pn_pack_index index = {0};

	index.bytes = pn_pack_map(&index.size, path, NAMES + SUMS);
	if (!index.bytes)
		return false;
	if (!is_index(&index)) {
		pn_pack_index_close(&index);
		return false;
	}
	*out = index;
	return true;
}

void pn_pack_index_close(struct pn_pack_index *index)
{
	if (index->bytes)
		munmap((void *)index->bytes, index->size);
	memset(index, 0, sizeof(*index));
}

/* Names are hashes: about where one lies among those of its first byte. */
static uint32_t guess(uint32_t from, uint32_t to, const struct pn_oid *id)
{
	return from + (uint32_t)((uint64_t)(to - from) *
					 pn_bytes_big_four(id->bytes + 1) >>
				 32);
}

/* From the guess on in steps that double, then by halves. */
int pn_pack_index_find(uint32_t *row, const struct pn_pack_index *index,
		       const struct pn_oid *id)
{
	unsigned int first = id->bytes[0];
	uint32_t from = first ? up_to(index, first - 1) : 0;
	uint32_t to = up_to(index, first), at;
	uint64_t step = 4;
	int order;

	/* counts that do not grow */
	if (from > to || to > up_to(index, 255))
		return -1;
	for (at = guess(from, to, id); from < to; step *= 2) {
		order = memcmp(index->bytes + NAMES + (size_t)at * PN_OID_BYTES,
			       id->bytes, PN_OID_BYTES);
		if (!order) {
			*row = at;
			return 1;
		}
		if (order < 0)
			from = at + 1;
		else
			to = at;
		if (to - from <= step)
			at = from + (to - from) / 2;
		else
			at = order < 0 ? from + (uint32_t)step
				       : to - (uint32_t)step;
	}
	return 0;
}

uint32_t pn_pack_index_rows(const struct pn_pack_index *index)
{
	return up_to(index, 255);
}

uint64_t pn_pack_index_offset(const struct pn_pack_index *index, uint32_t row)
{
	size_t count = up_to(index, 255);
	const unsigned char *offsets =
		index->bytes + NAMES + count * (PN_OID_BYTES + CRC);
	const unsigned char *longs = offsets + count * OFFSET;
	size_t long_count =
		(index->size - NAMES - SUMS - count * ROW) / (2 * OFFSET);
	uint32_t offset = pn_bytes_big_four(offsets + (size_t)row * OFFSET);

	if (!(offset & IS_LONG))
		return offset;
	offset &= ~IS_LONG;
	if (offset >= long_count)
		return 0;
	longs += (size_t)offset * 2 * OFFSET;
	return (uint64_t)pn_bytes_big_four(longs) << 32 |
	       pn_bytes_big_four(longs + OFFSET);
}

const unsigned char *pn_pack_index_sum(const struct pn_pack_index *index)
{
	return index->bytes + index->size - SUMS;
}
