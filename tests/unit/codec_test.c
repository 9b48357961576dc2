/* The table of formats, and reading by it. */
#include "codec/codec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static int read_text(const struct pn_codec *codec, const char *text, size_t len,
		     struct pn_error *err)
{
	struct pn_profile p;
	struct pn_reader *in = NULL;
	int code;

	pn_profile_init(&p);
	code = pn_reader_memory(&in, text, len, "x", 0, err);
	if (!code)
		code = pn_codec_read(&p, codec, NULL, in, err);
	pn_profile_release(&p);
	pn_reader_free(in);
	return code;
}

static void finds_each_format_by_its_name(void **state)
{
	size_t i, j;

	(void)state;
	for (i = 0; pn_codecs[i]; i++) {
		struct pn_error err;

		assert_ptr_equal(pn_codec_find(pn_codecs[i]->name, &err),
				 pn_codecs[i]);
		assert_non_null(pn_codecs[i]->summary);
		assert_non_null(pn_codecs[i]->sniffed_by);
		assert_non_null(pn_codecs[i]->sniff);
		assert_int_equal(pn_codecs[i]->suffix[0], '.');
		assert_true(pn_codecs[i]->read || pn_codecs[i]->write);
		for (j = 0; j < i; j++)
			assert_string_not_equal(pn_codecs[i]->name,
						pn_codecs[j]->name);
	}
	assert_true(i >= 2);
}

static void lists_the_names_when_there_is_no_such_format(void **state)
{
	struct pn_error err;

	(void)state;
	assert_null(pn_codec_find("xml", &err));
	assert_int_equal(err.code, PN_ENOTFOUND);
	assert_memory_equal(err.message, "no such format 'xml', known are ",
			    32);
	assert_non_null(strstr(err.message, "pprof"));
	assert_non_null(strstr(err.message, "collapsed"));
}

static void refuses_an_empty_input_whatever_the_format(void **state)
{
	struct pn_error err;
	size_t i;

	(void)state;
	assert_int_equal(read_text(NULL, "", 0, &err), PN_EINVAL);
	assert_string_equal(err.message, "cannot read 'x': the input is empty");
	for (i = 0; pn_codecs[i]; i++) {
		if (!pn_codecs[i]->read)
			continue;
		assert_int_equal(read_text(pn_codecs[i], "", 0, &err),
				 PN_EINVAL);
		assert_string_equal(err.message,
				    "cannot read 'x': the input is empty");
	}
}

static void refuses_what_no_format_recognises(void **state)
{
	struct pn_error err;

	(void)state;
	assert_int_equal(read_text(NULL, "hello, world\n", 13, &err),
			 PN_EFORMAT);
	assert_memory_equal(err.message,
			    "cannot read 'x': its format is not recognised, "
			    "known are ",
			    57);
}

static void recognises_and_reads(void **state)
{
	const struct pn_codec *used = NULL;
	struct pn_profile p;
	struct pn_reader *in = NULL;
	struct pn_error err;

	(void)state;
	pn_profile_init(&p);
	assert_int_equal(pn_reader_memory(&in, "a;b 1\n", 6, "x", 0, &err), 0);
	assert_int_equal(pn_codec_sniff(&used, in, &err), 0);
	assert_ptr_equal(used, &pn_codec_collapsed);
	used = NULL;
	assert_int_equal(pn_codec_read(&p, NULL, &used, in, &err), 0);
	assert_ptr_equal(used, &pn_codec_collapsed);
	assert_int_equal(p.sample_count, 1);
	pn_profile_release(&p);
	pn_reader_free(in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_each_format_by_its_name),
		cmocka_unit_test(lists_the_names_when_there_is_no_such_format),
		cmocka_unit_test(refuses_an_empty_input_whatever_the_format),
		cmocka_unit_test(refuses_what_no_format_recognises),
		cmocka_unit_test(recognises_and_reads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
