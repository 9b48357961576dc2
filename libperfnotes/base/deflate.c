/* Streams and inflation by zlib, small deflation by libdeflate. */
#include "base/deflate.h"

#include "base/ahead.h"
#include "base/alloc.h"
#include "base/bytes.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define RAW_BITS (-15)
#define ZLIB_BITS 15
#define GZIP_BITS (16 + 15)
#define MEM_LEVEL 8	     /* zlib's own default */
#define PIECE_MAX (1u << 30) /* zlib counts in 32 bits */
#define ROOM_MIN 4096
/* Blocks of a gzip member are deflated apart from each other, each knowing
 * the window before it, as pigz does: 0.1 % more bytes, and threads. */
#define BLOCK_BYTES ((size_t)1 << 18)
#define DICTIONARY_BYTES ((size_t)1 << 15)
#define BLOCKS 16 /* deflated and not yet written */
/* A member's header: its length at least, its flags. RFC 1952, 2.3. */
#define GZIP_HEAD 10
#define GZIP_FLAGS 3
#define GZIP_HAS_HEAD_CRC 2
#define GZIP_TAIL 8

/* Longer ones need not stand in memory twice. */
#define SMALL_MAX 65536
#define WHOLE_MAX ((size_t)64 << 20)

/* Each is set up when it is first needed. */
struct pn_deflater {
	z_stream z;
	int level;
	bool has_z;
	struct libdeflate_compressor *small;
	struct pn_buf joined; /* head and bytes */
};

/* The sum of a long gzip member is libdeflate's, which takes a tenth of zlib's
 * time for it: zlib checks its header and sums up what the first call gave. */
struct pn_inflater {
	z_stream z;
	bool gzip;
	bool sums; /* zlib does not any more */
	uint32_t crc;
	unsigned char tail[GZIP_TAIL]; /* what was taken last: sum and length */
};

struct pn_inflate_whole {
	struct libdeflate_decompressor *by;
};

static uInt piece(size_t len)
{
	return len < PIECE_MAX ? (uInt)len : PIECE_MAX;
}

/* zlib can only fail for want of memory once its parameters are right. */
static int start_deflate(z_stream *z, int level, int bits)
{
	if (level < -1 || level > 9)
		return PN_ERANGE;
	memset(z, 0, sizeof(*z));
	if (deflateInit2(z, level, Z_DEFLATED, bits, MEM_LEVEL,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		pn_alloc_failed(sizeof(*z));
	return 0;
}

/* `end` is what follows the bytes: nothing, a flush, or the end. */
static void put(struct pn_buf *out, z_stream *z, const void *bytes, size_t len,
		int end)
{
	int code, flush;

	z->next_in = (z_const Bytef *)bytes;
	do {
		uInt n = piece(len);

		z->avail_in = n;
		len -= n;
		flush = len ? Z_NO_FLUSH : end;
		do {
			pn_buf_reserve(out, ROOM_MIN);
			z->next_out = out->data + out->len;
			z->avail_out = piece(out->cap - out->len - 1);
			code = deflate(z, flush);
			out->len = (size_t)(z->next_out - out->data);
		} while (!z->avail_out ||
			 (flush == Z_FINISH && code != Z_STREAM_END));
	} while (len);
	out->data[out->len] = '\0';
}

static void add_le32(struct pn_buf *out, uint32_t value)
{
	const unsigned char bytes[] = {
		(unsigned char)value, (unsigned char)(value >> 8),
		(unsigned char)(value >> 16), (unsigned char)(value >> 24)};

	pn_buf_add(out, bytes, sizeof(bytes));
}

struct blocks {
	const unsigned char *bytes;
	size_t len, count;
	struct {
		struct pn_buf bytes;
		uint32_t crc;
	} done[BLOCKS];
	z_stream z[PN_AHEAD_THREADS_MAX];
	bool has_z[PN_AHEAD_THREADS_MAX];
	int level;
};

static size_t block_len(const struct blocks *all, size_t number)
{
	size_t start = number * BLOCK_BYTES, left = all->len - start;

	return left < BLOCK_BYTES ? left : BLOCK_BYTES;
}

static void deflate_block(void *data, size_t number, size_t worker)
{
	struct blocks *all = data;
	const unsigned char *from = all->bytes + number * BLOCK_BYTES;
	size_t len = block_len(all, number);
	struct pn_buf *to = &all->done[number % BLOCKS].bytes;
	z_stream *z = &all->z[worker];

	if (all->has_z[worker])
		deflateReset(z);
	else
		start_deflate(z, all->level, RAW_BITS);
	all->has_z[worker] = true;
	if (number)
		deflateSetDictionary(z, from - DICTIONARY_BYTES,
				     DICTIONARY_BYTES);
	pn_buf_clear(to);
	put(to, z, from, len,
	    number + 1 == all->count ? Z_FINISH : Z_SYNC_FLUSH);
	all->done[number % BLOCKS].crc = pn_deflate_crc32(0, from, len);
}

/* Append the blocks; returns the sum of all. */
static uint32_t put_blocks(struct pn_buf *out, struct blocks *all)
{
	struct pn_ahead_work work = {deflate_block, all, all->count, BLOCKS,
				     PN_AHEAD_THREADS_MAX};
	struct pn_ahead *ahead = pn_ahead_new(&work);
	uint32_t crc = 0;
	size_t i;

	while (pn_ahead_next(&i, ahead)) {
		const struct pn_buf *bytes = &all->done[i % BLOCKS].bytes;

		pn_buf_add(out, bytes->data, bytes->len);
		crc = (uint32_t)crc32_combine(crc, all->done[i % BLOCKS].crc,
					      (z_off_t)block_len(all, i));
	}
	pn_ahead_free(ahead);
	return crc;
}

int pn_deflate_gzip(struct pn_buf *out, const void *bytes, size_t len,
		    int level)
{
	static const unsigned char header[] = {0x1f, 0x8b, 8, 0, 0,
					       0,    0,	   0, 0, 0xff};
	struct blocks all = {.bytes = len ? bytes : (const void *)"",
			     .len = len,
			     .count = len ? (len - 1) / BLOCK_BYTES + 1 : 1,
			     .level = level};
	size_t i;
	uint32_t crc;

	if (level < -1 || level > 9)
		return PN_ERANGE;
	pn_buf_add(out, header, sizeof(header));
	crc = put_blocks(out, &all);
	add_le32(out, crc);
	add_le32(out, (uint32_t)len);
	for (i = 0; i < BLOCKS; i++)
		pn_buf_release(&all.done[i].bytes);
	for (i = 0; i < PN_AHEAD_THREADS_MAX; i++)
		if (all.has_z[i])
			deflateEnd(&all.z[i]);
	return 0;
}

int pn_deflate_zlib(struct pn_buf *out, const void *head, size_t head_len,
		    const void *bytes, size_t len, int level)
{
	struct pn_deflater *deflater = pn_deflater_new(level);

	if (!deflater)
		return PN_ERANGE;
	pn_deflater_run(out, deflater, head, head_len, bytes, len);
	pn_deflater_free(deflater);
	return 0;
}

void pn_deflate_stored(struct pn_buf *out, const void *bytes, size_t len)
{
	uint32_t sum = libdeflate_adler32(1, bytes, len);
	const unsigned char head[] = {0x78, /* a window of 32 kB */
				      0x01, /* makes 0x7801 divisible by 31 */
				      1,    /* the last block, stored */
				      (unsigned char)len,
				      (unsigned char)(len >> 8),
				      (unsigned char)~len,
				      (unsigned char)(~len >> 8)};
	const unsigned char end[] = {
		(unsigned char)(sum >> 24), (unsigned char)(sum >> 16),
		(unsigned char)(sum >> 8), (unsigned char)sum};

	pn_buf_add(out, head, sizeof(head));
	pn_buf_add(out, bytes, len);
	pn_buf_add(out, end, sizeof(end));
}

struct pn_deflater *pn_deflater_new(int level)
{
	struct pn_deflater *deflater;

	if (level < -1 || level > 9)
		return NULL;
	deflater = pn_calloc(1, sizeof(*deflater));
	deflater->level = level;
	return deflater;
}

void pn_deflater_free(struct pn_deflater *deflater)
{
	if (!deflater)
		return;
	if (deflater->has_z)
		deflateEnd(&deflater->z);
	libdeflate_free_compressor(deflater->small);
	pn_buf_release(&deflater->joined);
	free(deflater);
}

/* Up to how many bytes libdeflate takes at once; the other levels give the
 * bytes that zlib gives. */
static size_t whole_max(int level)
{
	if (level == PN_DEFLATE_QUICK || level == PN_DEFLATE_USUAL)
		return WHOLE_MAX;
	return level == PN_DEFLATE_FAST ? SMALL_MAX : 0;
}

static void deflate_small(struct pn_buf *out, struct pn_deflater *deflater,
			  const void *head, size_t head_len, const void *bytes,
			  size_t len)
{
	size_t bound;

	if (!deflater->small) {
		deflater->small = libdeflate_alloc_compressor(deflater->level);
		if (!deflater->small)
			pn_alloc_failed(0);
	}
	if (head_len) {
		pn_buf_clear(&deflater->joined);
		pn_buf_add(&deflater->joined, head, head_len);
		pn_buf_add(&deflater->joined, bytes, len);
		bytes = deflater->joined.data;
		len += head_len;
	}
	bound = libdeflate_zlib_compress_bound(deflater->small, len);
	pn_buf_reserve(out, bound);
	out->len += libdeflate_zlib_compress(deflater->small, bytes, len,
					     out->data + out->len, bound);
	out->data[out->len] = '\0';
}

void pn_deflater_run(struct pn_buf *out, struct pn_deflater *deflater,
		     const void *head, size_t head_len, const void *bytes,
		     size_t len)
{
	size_t max = whole_max(deflater->level);

	if (head_len <= max && len <= max - head_len) {
		deflate_small(out, deflater, head, head_len, bytes, len);
		return;
	}
	if (deflater->has_z)
		deflateReset(&deflater->z);
	else
		start_deflate(&deflater->z, deflater->level, ZLIB_BITS);
	deflater->has_z = true;
	if (head_len)
		put(out, &deflater->z, head, head_len, Z_NO_FLUSH);
	put(out, &deflater->z, bytes, len, Z_FINISH);
}

static int refuse(struct pn_error *err, const z_stream *z, int code)
{
	if (code == Z_MEM_ERROR)
		pn_alloc_failed(sizeof(*z));
	return pn_error_set(err, PN_EINVAL, "corrupt compressed data: %s",
			    z->msg		  ? z->msg
			    : code == Z_NEED_DICT ? "needs a dictionary"
						  : "cut short");
}

/* Inflate into `out` until the end of the stream or one byte over `limit`. */
static int take(struct pn_buf *out, z_stream *z, size_t *left, uint64_t limit,
		struct pn_error *err)
{
	size_t start = out->len;
	int code;

	do {
		uInt n = piece(*left);
		size_t room;

		if (out->len - start > limit)
			return pn_error_set(err, PN_ELIMIT,
					    "compressed data holds more than "
					    "%llu bytes",
					    (unsigned long long)limit);
		pn_buf_reserve(out, ROOM_MIN);
		room = out->cap - out->len - 1;
		if (room > limit - (out->len - start) + 1)
			room = (size_t)(limit - (out->len - start)) + 1;
		z->avail_in = n;
		z->next_out = out->data + out->len;
		z->avail_out = piece(room);
		code = inflate(z, Z_NO_FLUSH);
		*left -= n - z->avail_in;
		out->len = (size_t)(z->next_out - out->data);
	} while (code == Z_OK);
	if (code != Z_STREAM_END)
		return refuse(err, z, code);
	if (out->len - start > limit)
		return pn_error_set(
			err, PN_ELIMIT,
			"compressed data holds more than %llu bytes",
			(unsigned long long)limit);
	return 0;
}

int pn_inflate_zlib(struct pn_buf *out, size_t *used, const void *bytes,
		    size_t len, uint64_t limit, struct pn_error *err)
{
	size_t start = out->len, left = len;
	z_stream z;
	int code;

	memset(&z, 0, sizeof(z));
	if (inflateInit2(&z, ZLIB_BITS) != Z_OK)
		pn_alloc_failed(sizeof(z));
	z.next_in = (z_const Bytef *)bytes;
	code = take(out, &z, &left, limit, err);
	if (!code && !used && left)
		code = pn_error_set(err, PN_EINVAL,
				    "corrupt compressed data: %zu bytes behind "
				    "its end",
				    left);
	inflateEnd(&z);
	if (code)
		out->len = start;
	else if (used)
		*used = len - left;
	if (out->data)
		out->data[out->len] = '\0';
	return code;
}

bool pn_inflate_gzip_whole(unsigned char *to, size_t room, const void *bytes,
			   size_t len)
{
	struct libdeflate_decompressor *whole;
	const unsigned char *head = bytes;
	size_t used, got;
	bool is_whole;

	/* libdeflate does not look at a header's own checksum */
	if (len < GZIP_HEAD || head[GZIP_FLAGS] & GZIP_HAS_HEAD_CRC)
		return false;
	whole = libdeflate_alloc_decompressor();
	if (!whole)
		pn_alloc_failed(0);
	is_whole = libdeflate_gzip_decompress_ex(whole, bytes, len, to, room,
						 &used,
						 &got) == LIBDEFLATE_SUCCESS &&
		   used == len && got == room;
	libdeflate_free_decompressor(whole);
	return is_whole;
}

struct pn_inflate_whole *pn_inflate_whole_new(void)
{
	struct pn_inflate_whole *whole = pn_calloc(1, sizeof(*whole));

	whole->by = libdeflate_alloc_decompressor();
	if (!whole->by)
		pn_alloc_failed(0);
	return whole;
}

void pn_inflate_whole_free(struct pn_inflate_whole *whole)
{
	if (!whole)
		return;
	libdeflate_free_decompressor(whole->by);
	free(whole);
}

bool pn_inflate_whole_run(unsigned char *to, size_t room,
			  struct pn_inflate_whole *whole, const void *bytes,
			  size_t len)
{
	/* without a place for its length it has to be as long as the room */
	return libdeflate_zlib_decompress(whole->by, bytes, len, to, room,
					  NULL) == LIBDEFLATE_SUCCESS;
}

static struct pn_inflater *new_inflater(int bits)
{
	struct pn_inflater *inflater = pn_calloc(1, sizeof(*inflater));

	if (inflateInit2(&inflater->z, bits) != Z_OK)
		pn_alloc_failed(sizeof(*inflater));
	return inflater;
}

struct pn_inflater *pn_inflater_new(void)
{
	struct pn_inflater *inflater = new_inflater(GZIP_BITS);

	inflater->gzip = true;
	return inflater;
}

struct pn_inflater *pn_inflater_new_zlib(void)
{
	return new_inflater(MAX_WBITS);
}

void pn_inflater_free(struct pn_inflater *inflater)
{
	if (!inflater)
		return;
	inflateEnd(&inflater->z);
	free(inflater);
}

void pn_inflater_reset(struct pn_inflater *inflater)
{
	inflateReset(&inflater->z);
	inflateValidate(&inflater->z, 1);
	inflater->sums = false;
}

static void keep_tail(unsigned char tail[GZIP_TAIL], const unsigned char *from,
		      size_t len)
{
	size_t kept = len < GZIP_TAIL ? GZIP_TAIL - len : 0;

	memmove(tail, tail + GZIP_TAIL - kept, kept);
	memcpy(tail + kept, from + len - (GZIP_TAIL - kept), GZIP_TAIL - kept);
}

/* What a call has taken from `in` and put to `to`; why the member is corrupt,
 * in zlib's words, or NULL. */
static const char *sum_up(struct pn_inflater *inflater, const unsigned char *in,
			  const unsigned char *to, bool ended)
{
	z_stream *z = &inflater->z;

	keep_tail(inflater->tail, in, (size_t)(z->next_in - in));
	if (!inflater->sums) {
		inflater->sums = !ended && z->total_out;
		inflater->crc = (uint32_t)z->adler;
		if (inflater->sums)
			inflateValidate(z, 0);
		return NULL;
	}
	inflater->crc =
		pn_deflate_crc32(inflater->crc, to, (size_t)(z->next_out - to));
	if (!ended)
		return NULL;
	return pn_bytes_four(inflater->tail) != inflater->crc
		       ? "incorrect data check"
	       : pn_bytes_four(inflater->tail + 4) != (uint32_t)z->total_out
		       ? "incorrect length check"
		       : NULL;
}

int pn_inflater_run(bool *done, struct pn_inflater *inflater,
		    const unsigned char **in, const unsigned char *in_end,
		    unsigned char **to, unsigned char *to_end,
		    struct pn_error *err)
{
	z_stream *z = &inflater->z;
	const char *why;
	int code;

	z->next_in = (z_const Bytef *)*in;
	z->avail_in = piece((size_t)(in_end - *in));
	z->next_out = *to;
	z->avail_out = piece((size_t)(to_end - *to));
	code = inflate(z, Z_NO_FLUSH);
	/* Z_BUF_ERROR: nothing could move, which is the caller's to see. */
	if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
		return refuse(err, z, code);
	if (inflater->gzip &&
	    (why = sum_up(inflater, *in, *to, code == Z_STREAM_END)))
		return pn_error_set(err, PN_EINVAL,
				    "corrupt compressed data: %s", why);
	*in = z->next_in;
	*to = z->next_out;
	*done = code == Z_STREAM_END;
	return 0;
}

uint32_t pn_deflate_crc32(uint32_t crc, const void *bytes, size_t len)
{
	/* of no bytes at NULL it would be 0 */
	return len ? libdeflate_crc32(crc, bytes, len) : crc;
}
