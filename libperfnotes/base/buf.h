/*
 * A growing run of bytes. A zeroed struct is an empty buffer; the data is
 * always followed by a NUL that does not count, so text can be used as is.
 */
#ifndef PN_BASE_BUF_H
#define PN_BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pn_buf {
	unsigned char *data; /* NULL only while nothing was ever added */
	size_t len;
	size_t cap;
};

void pn_buf_release(struct pn_buf *buf);
/* Empty it, keep the memory. */
void pn_buf_clear(struct pn_buf *buf);
/* Room for `more` bytes after data + len; returns that place. */
unsigned char *pn_buf_reserve(struct pn_buf *buf, size_t more);
void pn_buf_add(struct pn_buf *buf, const void *bytes, size_t len);
void pn_buf_add_text(struct pn_buf *buf, const char *text);
void pn_buf_add_byte(struct pn_buf *buf, unsigned char byte);
/* The byte `count` times. */
void pn_buf_add_fill(struct pn_buf *buf, unsigned char byte, size_t count);
void pn_buf_printf(struct pn_buf *buf, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* In digits. */
void pn_buf_add_uint(struct pn_buf *buf, uint64_t value);
void pn_buf_add_int(struct pn_buf *buf, int64_t value);
/* LEB128: 7 bits a byte, least significant first; at most 10 bytes. */
void pn_buf_add_varint(struct pn_buf *buf, uint64_t value);
/* Whether one of the texts in it, a NUL behind each, is this one. */
bool pn_buf_lists(const struct pn_buf *buf, const char *text, size_t len);
/* The text, "" when nothing was added; borrowed. */
const char *pn_buf_text(const struct pn_buf *buf);
/* Leave the first `len` bytes, at most those that are there. */
static inline void pn_buf_cut(struct pn_buf *buf, size_t len)
{
	if (buf->data && len <= buf->len) {
		buf->len = len;
		buf->data[len] = '\0';
	}
}
/* Hand the memory over to the caller (free()) and empty the buffer. */
char *pn_buf_detach(struct pn_buf *buf);

/*
 * Read a LEB128 number at *at, not beyond `end`; *at moves behind it.
 * Returns 0, or PN_EINVAL (no message) when it is cut or has over 10 bytes.
 */
int pn_varint_read(uint64_t *out, const unsigned char **at,
		   const unsigned char *end);

/* Signed numbers of small size as small unsigned ones: 0 -1 1 -2 ... */
static inline uint64_t pn_zigzag(int64_t v)
{
	return ((uint64_t)v << 1) ^ (uint64_t) - (int64_t)((uint64_t)v >> 63);
}

static inline int64_t pn_unzigzag(uint64_t v)
{
	return (int64_t)((v >> 1) ^ (0 - (v & 1)));
}

#endif
