/* A growing run of bytes. */
#include "base/buf.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRINTF_ROOM 64 /* most texts fit and are made once */
#define ROOM_MIN 32
#define SMALL 4096

void pn_buf_release(struct pn_buf *buf)
{
	if (!buf)
		return;
	free(buf->data);
	memset(buf, 0, sizeof(*buf));
}

void pn_buf_clear(struct pn_buf *buf)
{
	buf->len = 0;
	if (buf->data)
		buf->data[0] = '\0';
}

unsigned char *pn_buf_reserve(struct pn_buf *buf, size_t more)
{
	size_t need = buf->len + more + 1;

	if (more < buf->cap - buf->len)
		return buf->data + buf->len;
	if (more >= SIZE_MAX - buf->len)
		pn_alloc_failed(SIZE_MAX);
	/* small ones double */
	if (need > buf->cap && need < SMALL)
		need += need + ROOM_MIN;
	buf->data = pn_grow(buf->data, &buf->cap, need, 1);
	return buf->data + buf->len;
}

void pn_buf_add(struct pn_buf *buf, const void *bytes, size_t len)
{
	unsigned char *to = pn_buf_reserve(buf, len);

	if (len)
		memcpy(to, bytes, len);
	to[len] = '\0';
	buf->len += len;
}

void pn_buf_add_text(struct pn_buf *buf, const char *text)
{
	pn_buf_add(buf, text, strlen(text));
}

void pn_buf_add_byte(struct pn_buf *buf, unsigned char byte)
{
	unsigned char *to = pn_buf_reserve(buf, 1);

	to[0] = byte;
	to[1] = '\0';
	buf->len++;
}

void pn_buf_add_fill(struct pn_buf *buf, unsigned char byte, size_t count)
{
	unsigned char *to = pn_buf_reserve(buf, count);

	memset(to, byte, count);
	to[count] = '\0';
	buf->len += count;
}

void pn_buf_printf(struct pn_buf *buf, const char *format, ...)
{
	char *to = (char *)pn_buf_reserve(buf, PRINTF_ROOM);
	size_t room = buf->cap - buf->len;
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(to, room, format, args);
	va_end(args);
	if (len < 0) {
		*to = '\0';
		return;
	}
	if ((size_t)len >= room) {
		to = (char *)pn_buf_reserve(buf, (size_t)len);
		va_start(args, format);
		vsnprintf(to, (size_t)len + 1, format, args);
		va_end(args);
	}
	buf->len += (size_t)len;
}

void pn_buf_add_uint(struct pn_buf *buf, uint64_t value)
{
	char *to = (char *)pn_buf_reserve(buf, PN_NUMBER_UINT_TEXT);

	buf->len += pn_number_write_uint(to, value);
}

void pn_buf_add_int(struct pn_buf *buf, int64_t value)
{
	char *to = (char *)pn_buf_reserve(buf, PN_NUMBER_INT_TEXT);

	buf->len += pn_number_write_int(to, value);
}

void pn_buf_add_varint(struct pn_buf *buf, uint64_t value)
{
	unsigned char bytes[10];
	size_t n = 0;

	while (value > 127) {
		bytes[n++] = (unsigned char)(value | 128);
		value >>= 7;
	}
	bytes[n++] = (unsigned char)value;
	pn_buf_add(buf, bytes, n);
}

const char *pn_buf_text(const struct pn_buf *buf)
{
	return buf->data ? (const char *)buf->data : "";
}

char *pn_buf_detach(struct pn_buf *buf)
{
	char *text = buf->data ? (char *)buf->data : pn_strdup("");

	memset(buf, 0, sizeof(*buf));
	return text;
}

int pn_varint_read(uint64_t *out, const unsigned char **at,
		   const unsigned char *end)
{
	const unsigned char *p = *at;
	uint64_t value = 0;
	unsigned int shift;

	for (shift = 0; shift < 70 && p < end; shift += 7) {
		value |= (uint64_t)(*p & 127) << shift;
		if (!(*p++ & 128)) {
			*out = value;
			*at = p;
			return 0;
		}
	}
	return PN_EINVAL;
}

bool pn_buf_lists(const struct pn_buf *buf, const char *text, size_t len)
{
	const char *at = pn_buf_text(buf), *end = at + buf->len;

	for (; at < end; at += strlen(at) + 1)
		if (strlen(at) == len && !memcmp(at, text, len))
			return true;
	return false;
}
