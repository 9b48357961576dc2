/* Reading a dump that stands in a test. */
#ifndef TESTS_UNIT_PSTATS_BYTES_H
#define TESTS_UNIT_PSTATS_BYTES_H

#include "codec/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static int read_bytes(struct pn_profile *out, const void *bytes, size_t len,
		      struct pn_error *err)
{
	struct pn_reader *in = NULL;
	int code;

	pn_profile_init(out);
	code = pn_reader_memory(&in, bytes, len, "x", 0, err);
	if (!code)
		code = pn_codec_read(out, NULL, NULL, in, err);
	pn_reader_free(in);
	return code;
}

static void read_good(struct pn_profile *out, const void *bytes, size_t len)
{
	struct pn_error err;

	if (read_bytes(out, bytes, len, &err))
		fail_msg("%s", err.message);
}

static void refuses(const char *bytes, size_t len, const char *message)
{
	struct pn_profile p;
	struct pn_error err;

	assert_int_equal(read_bytes(&p, bytes, len, &err), PN_EINVAL);
	assert_string_equal(err.message, message);
	pn_profile_release(&p);
}

#endif
