/* A profile of a text. */
#ifndef PN_TEST_READ_TEXT_H
#define PN_TEST_READ_TEXT_H

#include "codec/codec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Releases the text; the caller releases the profile. */
static inline void read_text(struct pn_profile *out, struct pn_buf *text)
{
	struct pn_reader *in = NULL;
	struct pn_error err;

	pn_profile_init(out);
	assert_int_equal(
		pn_reader_memory(&in, text->data, text->len, "x", 0, &err), 0);
	assert_int_equal(pn_codec_read(out, NULL, NULL, in, &err), 0);
	pn_reader_free(in);
	pn_buf_release(text);
}

#endif
