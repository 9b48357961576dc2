/*
 * Reading profiles from texts and from tests/data, for the tests of formats.
 */
#ifndef TESTS_UNIT_CODEC_TEXT_H
#define TESTS_UNIT_CODEC_TEXT_H

#include "codec/codec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNUSED_IN_SOME_TEST __attribute__((unused))

/* `codec` NULL: it is recognised. Messages call the input 'x'. */
UNUSED_IN_SOME_TEST static int read_bytes(struct pn_profile *out,
					  const struct pn_codec *codec,
					  const void *bytes, size_t len,
					  struct pn_error *err)
{
	pn_profile_init(out);
	return pn_codec_read_memory(out, codec, bytes, len, "x", err);
}

UNUSED_IN_SOME_TEST static int read_text(struct pn_profile *out,
					 const struct pn_codec *codec,
					 const char *text, struct pn_error *err)
{
	return read_bytes(out, codec, text, strlen(text), err);
}

/* The test fails when reading does. */
UNUSED_IN_SOME_TEST static void read_good(struct pn_profile *out,
					  const struct pn_codec *codec,
					  const char *text)
{
	struct pn_error err;

	if (read_text(out, codec, text, &err))
		fail_msg("%s", err.message);
}

UNUSED_IN_SOME_TEST static struct pn_reader *open_data(const char *name)
{
	const char *dir = getenv("PERF_SOURCE_DIR");
	struct pn_reader *in = NULL;
	struct pn_error err;
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/data/%s", dir ? dir : ".", name);
	if (pn_reader_open(&in, path, 0, &err))
		fail_msg("%s", err.message);
	return in;
}

/* A file in tests/data: its bytes. */
UNUSED_IN_SOME_TEST static void data_bytes(struct pn_buf *out, const char *name)
{
	struct pn_reader *in = open_data(name);
	struct pn_error err;

	if (pn_reader_rest(out, in, UINT64_MAX, &err))
		fail_msg("%s", err.message);
	pn_reader_free(in);
}

/* A file in tests/data: the profile, and by which codec. */
UNUSED_IN_SOME_TEST static const struct pn_codec *
read_data(struct pn_profile *out, const char *name)
{
	struct pn_reader *in = open_data(name);
	const struct pn_codec *used = NULL;
	struct pn_error err;

	pn_profile_init(out);
	if (pn_codec_read(out, NULL, &used, in, &err))
		fail_msg("%s", err.message);
	pn_reader_free(in);
	return used;
}

/* The sum of a type's values over all samples. */
UNUSED_IN_SOME_TEST static int64_t sum_of(const struct pn_profile *p,
					  size_t type)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < p->sample_count; i++)
		sum += p->values[i * p->type_count + type].i;
	return sum;
}

/* "leaf;caller" of a stack: the names of its functions. */
UNUSED_IN_SOME_TEST static void add_names(struct pn_buf *out,
					  const struct pn_profile *p,
					  uint32_t stack, const char *between)
{
	uint32_t at, i;

	for (at = p->stack_start[stack]; at < p->stack_start[stack + 1]; at++) {
		const struct pn_location *l = &p->locations[p->frames[at]];

		for (i = 0; i < l->line_count; i++) {
			const struct pn_line *line =
				&p->lines[l->line_first + i];

			if (i || at > p->stack_start[stack])
				pn_buf_add_text(out, between);
			pn_buf_add_text(
				out,
				pn_profile_text(
					p, p->functions[line->function].name));
		}
	}
}

#endif
