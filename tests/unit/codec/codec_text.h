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
#include <time.h>

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

/* Reading fails, and says this of 'x'. */
UNUSED_IN_SOME_TEST static void refuses_text(const struct pn_codec *codec,
					     const char *text,
					     const char *message)
{
	char want[256];
	struct pn_profile p;
	struct pn_error err = {0};

	snprintf(want, sizeof(want), "cannot read 'x': %s", message);
	assert_int_equal(read_text(&p, codec, text, &err), PN_EINVAL);
	assert_string_equal(err.message, want);
	pn_profile_release(&p);
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

/* The function of a node of the graph, and the node of a function. */
UNUSED_IN_SOME_TEST static const struct pn_function *
function_of(const struct pn_profile *p, size_t node)
{
	const struct pn_location *l =
		&p->locations[p->graph.nodes[node].location];

	return &p->functions[p->lines[l->line_first].function];
}

UNUSED_IN_SOME_TEST static size_t node(const struct pn_profile *p,
				       const char *name)
{
	size_t i;

	for (i = 0; i < p->graph.node_count; i++)
		if (!strcmp(pn_profile_text(p, function_of(p, i)->name), name))
			return i;
	fail_msg("no function '%s'", name);
	return 0;
}

/* "root;caller;leaf": the names of a stack's functions, of what is inlined
 * the innermost. */
UNUSED_IN_SOME_TEST static void
add_names(struct pn_buf *out, const struct pn_profile *p, uint32_t stack)
{
	uint32_t at = p->stack_start[stack + 1];
	size_t begin = out->len;

	while (at-- > p->stack_start[stack]) {
		const struct pn_location *l = &p->locations[p->frames[at]];
		uint32_t f = l->line_count ? p->lines[l->line_first].function
					   : PN_NONE;

		if (out->len > begin)
			pn_buf_add_byte(out, ';');
		if (f != PN_NONE)
			pn_buf_add_text(
				out, pn_profile_text(p, p->functions[f].name));
	}
}

/* The sum of a type's values over the samples with this stack. */
UNUSED_IN_SOME_TEST static double sum_of_stack(const struct pn_profile *p,
					       size_t type, const char *names)
{
	struct pn_buf text = {0};
	double sum = 0;
	size_t i;

	for (i = 0; i < p->sample_count; i++) {
		union pn_value v = p->values[i * p->type_count + type];

		pn_buf_clear(&text);
		add_names(&text, p, p->samples[i].stack);
		if (!strcmp(pn_buf_text(&text), names))
			sum += p->types[type].number == PN_NUMBER_INT
				       ? (double)v.i
				       : v.d;
	}
	pn_buf_release(&text);
	return sum;
}

/* The processor time that reading takes. */
UNUSED_IN_SOME_TEST static double time_good(struct pn_profile *out,
					    const struct pn_codec *codec,
					    const char *text)
{
	clock_t begin = clock();

	read_good(out, codec, text);
	return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

/* That it is what `other` took for as much text of another kind, up to what a
 * busy machine makes of the same work, and a pause of it. */
UNUSED_IN_SOME_TEST static void assert_no_slower(double seconds, double other)
{
	if (seconds > 10 * other + 5)
		fail_msg("%.2f s instead of %.2f s", seconds, other);
}

#endif
