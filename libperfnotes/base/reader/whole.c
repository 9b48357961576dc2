/* Gzip that is inflated at once. */
#include "base/reader/whole.h"

#include "base/bytes.h"
#include "base/deflate.h"
#include "base/large.h"
#include "base/reader/inside.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define TAIL 4 /* the last bytes of a member: how many it holds */

unsigned char *pn_gunzip_member(size_t *len, const unsigned char *bytes,
				size_t count, uint64_t most)
{
	unsigned char *all;

	if (count < TAIL)
		return NULL;
	*len = pn_bytes_four(bytes + count - TAIL);
	if (!*len || *len > most ||
	    *len > (uint64_t)count * PN_READER_MAX_RATIO)
		return NULL;
	all = pn_large(*len);
	if (pn_inflate_gzip_whole(all, *len, bytes, count))
		return all;
	free(all);
	return NULL;
}

/* As many bytes of a file as there are, up to `count`. */
static size_t read_from_start(unsigned char *to, int fd, size_t count)
{
	size_t have = 0;
	ssize_t got;

	while (have < count) {
		got = pread(fd, to + have, count - have, (off_t)have);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		have += (size_t)got;
	}
	return have;
}

unsigned char *pn_gunzip_file(size_t *len, int fd, uint64_t most)
{
	unsigned char *bytes, *all;
	struct stat st;
	size_t size;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) ||
	    (uint64_t)st.st_size > most)
		return NULL;
	size = (size_t)st.st_size;
	bytes = pn_large(size);
	all = pn_gunzip_member(len, bytes, read_from_start(bytes, fd, size),
			       most);
	free(bytes);
	return all;
}
