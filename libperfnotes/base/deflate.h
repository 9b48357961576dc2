/*
 * Deflate and inflate: the only zlib and libdeflate. RFC 1950 (zlib), 1951
 * (deflate), 1952 (gzip). Levels are zlib's, 0 to 9; -1 is its default.
 * PN_ERANGE for others.
 */
#ifndef PN_BASE_DEFLATE_H
#define PN_BASE_DEFLATE_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_DEFLATE_FAST 1
#define PN_DEFLATE_QUICK 4 /* a tenth longer, in a third of the time */
#define PN_DEFLATE_USUAL 7 /* no longer than what git packs */

/*
 * Append one gzip member. Its header is the one that Go writes, whatever the
 * level: no name, no time, system 255, so that equal bytes give equal files.
 * Long input is deflated by several threads; they do not show in the file.
 */
int pn_deflate_gzip(struct pn_buf *out, const void *bytes, size_t len,
		    int level);

/* Append a zlib stream of `head` followed by `bytes` (a git loose object). */
int pn_deflate_zlib(struct pn_buf *out, const void *head, size_t head_len,
		    const void *bytes, size_t len, int level);

/* Append a zlib stream that holds the bytes, 65,535 at most, as they are: for
 * what does not get shorter. */
void pn_deflate_stored(struct pn_buf *out, const void *bytes, size_t len);

/*
 * The same for many streams: the 268 kB that zlib works in are set up once.
 * Small inputs at PN_DEFLATE_FAST and all but huge ones at PN_DEFLATE_USUAL are
 * libdeflate's, which takes two thirds of zlib's time or less. Returns NULL for
 * a level that does not exist.
 */
struct pn_deflater;

struct pn_deflater *pn_deflater_new(int level);
void pn_deflater_free(struct pn_deflater *deflater);
/* Append one zlib stream of `head` followed by `bytes`. */
void pn_deflater_run(struct pn_buf *out, struct pn_deflater *deflater,
		     const void *head, size_t head_len, const void *bytes,
		     size_t len);

/*
 * Append what a zlib stream holds, at most `limit` bytes (PN_ELIMIT). *used
 * is the length of the stream itself; with used NULL all `len` bytes must
 * belong to it. PN_EINVAL when it is corrupt or cut.
 */
int pn_inflate_zlib(struct pn_buf *out, size_t *used, const void *bytes,
		    size_t len, uint64_t limit, struct pn_error *err);

/*
 * Inflate a gzip member of exactly `room` bytes that fills `len` bytes to the
 * last, at once, in less than half of zlib's time. False, with anything in
 * `to`, for whatever is not just that or is corrupt: pn_inflater_run says why.
 */
bool pn_inflate_gzip_whole(unsigned char *to, size_t room, const void *bytes,
			   size_t len);

/* The same of zlib streams, which may end before `len`: many of them, because
 * to set it up takes longer than to inflate a short one. */
struct pn_inflate_whole;

struct pn_inflate_whole *pn_inflate_whole_new(void);
void pn_inflate_whole_free(struct pn_inflate_whole *whole);
bool pn_inflate_whole_run(unsigned char *to, size_t room,
			  struct pn_inflate_whole *whole, const void *bytes,
			  size_t len);

/* One gzip member, or zlib stream, after the other, in pieces of any size. */
struct pn_inflater;

struct pn_inflater *pn_inflater_new(void);
struct pn_inflater *pn_inflater_new_zlib(void);
void pn_inflater_free(struct pn_inflater *inflater);
/* Be ready for the next member. */
void pn_inflater_reset(struct pn_inflater *inflater);
/*
 * Take bytes from *in (up to in_end) and put bytes to *to (up to to_end);
 * both move on. *done: the member has ended and its checksum was right.
 * PN_EINVAL "corrupt compressed data: <why>".
 */
int pn_inflater_run(bool *done, struct pn_inflater *inflater,
		    const unsigned char **in, const unsigned char *in_end,
		    unsigned char **to, unsigned char *to_end,
		    struct pn_error *err);

/* CRC-32 of RFC 1952; start with 0. */
uint32_t pn_deflate_crc32(uint32_t crc, const void *bytes, size_t len);

#endif
