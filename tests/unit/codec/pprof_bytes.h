/* Messages of profile.proto made by hand, for tests of the pprof codec. */
#ifndef TESTS_UNIT_PPROF_BYTES_H
#define TESTS_UNIT_PPROF_BYTES_H

#include "codec/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#define UNUSED_IN_SOME __attribute__((unused))

/* Fields of messages, as profile.proto numbers them. */
UNUSED_IN_SOME static void num(struct pn_buf *to, unsigned int field,
			       uint64_t value)
{
	pn_buf_add_varint(to, field << 3);
	pn_buf_add_varint(to, value);
}

UNUSED_IN_SOME static void bytes(struct pn_buf *to, unsigned int field,
				 const void *data, size_t len)
{
	pn_buf_add_varint(to, field << 3 | 2);
	pn_buf_add_varint(to, len);
	pn_buf_add(to, data, len);
}

/* A message of numbers: pairs of field and value, ended by field 0. */
UNUSED_IN_SOME static void message(struct pn_buf *to, unsigned int field, ...)
{
	struct pn_buf inner = {0};
	unsigned int number;
	va_list args;

	va_start(args, field);
	while ((number = va_arg(args, unsigned int)))
		num(&inner, number, va_arg(args, uint64_t));
	va_end(args);
	bytes(to, field, inner.data, inner.len);
	pn_buf_release(&inner);
}

#define N(number, value) (unsigned int)(number), (uint64_t)(value)
#define END 0u

UNUSED_IN_SOME static void strings(struct pn_buf *to, ...)
{
	const char *text;
	va_list args;

	va_start(args, to);
	while ((text = va_arg(args, const char *)))
		bytes(to, 6, text, strlen(text));
	va_end(args);
}

UNUSED_IN_SOME static int read_bytes(struct pn_profile *out,
				     const struct pn_buf *raw,
				     struct pn_error *err)
{
	struct pn_reader *in = NULL;
	int code;

	pn_profile_init(out);
	code = pn_reader_memory(&in, raw->data, raw->len, "x", 0, err);
	if (!code)
		code = pn_codec_read(out, &pn_codec_pprof, NULL, in, err);
	pn_reader_free(in);
	return code;
}

UNUSED_IN_SOME static void read_good(struct pn_profile *out,
				     const struct pn_buf *raw)
{
	struct pn_error err;

	if (read_bytes(out, raw, &err))
		fail_msg("%s", err.message);
}

enum { S_SAMPLES = 1, S_COUNT, S_CPU, S_NS, S_MAIN, S_LEAF, S_FILE, S_KEY };

UNUSED_IN_SOME static void add_strings(struct pn_buf *raw)
{
	strings(raw, "", "samples", "count", "cpu", "nanoseconds", "main",
		"leaf", "a.c", "key", NULL);
}

UNUSED_IN_SOME static void add_types(struct pn_buf *raw)
{
	message(raw, 1, N(1, S_SAMPLES), N(2, S_COUNT), END);
	message(raw, 1, N(1, S_CPU), N(2, S_NS), END);
}

/* Functions and locations 1 (main) and 2 (leaf) in mapping 1. */
UNUSED_IN_SOME static void add_tables(struct pn_buf *raw)
{
	struct pn_buf location = {0};
	unsigned int i;

	message(raw, 3, N(1, 1), N(2, 0x1000), N(3, 0x2000), N(4, 16),
		N(5, S_FILE), N(6, S_KEY), N(7, 1), N(9, 1), END);
	for (i = 1; i <= 2; i++) {
		pn_buf_clear(&location);
		num(&location, 1, i);
		num(&location, 2, 1);
		num(&location, 3, 0x1000 + i);
		message(&location, 4, N(1, i), N(2, 10 * i), N(3, i), END);
		bytes(raw, 4, location.data, location.len);
		message(raw, 5, N(1, i), N(2, S_MAIN + i - 1),
			N(3, S_MAIN + i - 1), N(4, S_FILE), N(5, i), END);
	}
	pn_buf_release(&location);
}

UNUSED_IN_SOME static void add_sample(struct pn_buf *raw)
{
	message(raw, 2, N(1, 2), N(1, 1), N(2, 3), N(2, 30), END);
}

UNUSED_IN_SOME static struct pn_buf good(void)
{
	struct pn_buf raw = {0};

	add_types(&raw);
	add_sample(&raw);
	add_tables(&raw);
	add_strings(&raw);
	return raw;
}

#endif
