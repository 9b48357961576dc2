/* NYTProf: bytes, numbers and strings. */
#include "codec/perl/nytprof.h"

#include <inttypes.h>
#include <string.h>

void pn_nytprof_stream_release(struct pn_nytprof_stream *s)
{
	pn_reader_free(s->inner);
	pn_inflater_free(s->inflater);
}

static struct pn_reader *reader_of(const struct pn_nytprof_stream *s)
{
	return s->inner ? s->inner : s->in;
}

int pn_nytprof_fail(const struct pn_nytprof_stream *s, struct pn_error *err,
		    const char *text)
{
	return pn_error_set(err, PN_EINVAL, "byte %" PRIu64 "%s: %s",
			    pn_reader_offset(reader_of(s)),
			    s->inner ? " (unpacked)" : "", text);
}

static int give(size_t *got, void *from, unsigned char *to, size_t room,
		struct pn_error *err)
{
	struct pn_nytprof_stream *s = from;
	unsigned char *at = to;
	const unsigned char *in, *begin;
	size_t have;
	int code = 0;

	while (!code && !s->ended && at == to) {
		code = pn_reader_peek(&in, &have, s->in, 1, err);
		if (!code && !have)
			return pn_error_set(err, PN_EINVAL,
					    "its zlib stream is cut short");
		begin = in;
		if (!code)
			code = pn_inflater_run(&s->ended, s->inflater, &in,
					       in + have, &at, to + room, err);
		if (!code)
			pn_reader_consume(s->in, (size_t)(in - begin));
	}
	*got = (size_t)(at - to);
	return code;
}

int pn_nytprof_inflate(struct pn_nytprof_stream *s, struct pn_error *err)
{
	if (s->inner)
		return pn_nytprof_fail(s, err, "a stream in a stream");
	s->inflater = pn_inflater_new_zlib();
	return pn_reader_source(&s->inner, give, s, pn_reader_name(s->in), err);
}

/* `n` bytes, which are taken. */
static int take(unsigned char *out, struct pn_nytprof_stream *s, size_t n,
		struct pn_error *err)
{
	const unsigned char *at;
	size_t have;
	int code = pn_reader_peek(&at, &have, reader_of(s), n, err);

	if (code)
		return code;
	if (have < n)
		return pn_nytprof_fail(s, err, "a record is cut");
	memcpy(out, at, n);
	pn_reader_consume(reader_of(s), n);
	return 0;
}

int pn_nytprof_tag(int *out, struct pn_nytprof_stream *s, struct pn_error *err)
{
	const unsigned char *at;
	size_t have;
	int code = pn_reader_peek(&at, &have, reader_of(s), 1, err);

	if (code)
		return code;
	*out = have ? *at : -1;
	if (have)
		pn_reader_consume(reader_of(s), 1);
	return 0;
}

int pn_nytprof_number(uint32_t *out, struct pn_nytprof_stream *s,
		      struct pn_error *err)
{
	unsigned char first, more[4];
	uint32_t value;
	size_t n, i;
	int code = take(&first, s, 1, err);

	if (code)
		return code;
	n = first < 0x80   ? 0
	    : first < 0xc0 ? 1
	    : first < 0xe0 ? 2
	    : first < 0xff ? 3
			   : 4;
	value = n == 0	 ? first
		: n == 1 ? first & 0x7fu
		: n == 2 ? first & 0x1fu
		: n == 3 ? first & 0xfu
			 : 0;
	code = n ? take(more, s, n, err) : 0;
	for (i = 0; !code && i < n; i++)
		value = value << 8 | more[i];
	if (!code)
		*out = value;
	return code;
}

int pn_nytprof_double(double *out, struct pn_nytprof_stream *s,
		      struct pn_error *err)
{
	unsigned char bytes[8];
	uint64_t bits = 0;
	size_t i;
	int code = take(bytes, s, sizeof(bytes), err);

	if (code)
		return code;
	for (i = sizeof(bytes); i--;)
		bits = bits << 8 | bytes[i];
	memcpy(out, &bits, sizeof(bits));
	return 0;
}

int pn_nytprof_string(struct pn_buf *out, struct pn_nytprof_stream *s,
		      struct pn_error *err)
{
	const unsigned char *at;
	uint32_t len = 0;
	size_t have;
	int tag = 0, code = pn_nytprof_tag(&tag, s, err);

	if (!code && tag != '\'' && tag != '"')
		code = pn_nytprof_fail(s, err, "expected a string");
	if (!code)
		code = pn_nytprof_number(&len, s, err);
	if (!code && len > PN_NYTPROF_STRING_MAX)
		code = pn_nytprof_fail(s, err, "a string of more than 16 MB");
	if (!code)
		code = pn_reader_peek(&at, &have, reader_of(s), len, err);
	if (code)
		return code;
	if (have < len)
		return pn_nytprof_fail(s, err, "a string is cut");
	pn_buf_clear(out);
	pn_buf_add(out, at, len);
	pn_reader_consume(reader_of(s), len);
	return 0;
}

int pn_nytprof_line(struct pn_buf *out, struct pn_nytprof_stream *s,
		    struct pn_error *err)
{
	unsigned char c = 0;
	int code = 0;

	pn_buf_clear(out);
	while (!code) {
		code = take(&c, s, 1, err);
		if (code || c == '\n')
			break;
		if (out->len > PN_NYTPROF_STRING_MAX)
			return pn_nytprof_fail(s, err,
					       "a line of more than 16 MB");
		pn_buf_add_byte(out, c);
	}
	return code;
}
