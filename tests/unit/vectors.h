/*
 * Numeric vectors of other implementations: tests/data/vectors, whose
 * README.md tells where each came from. Values are items of a pn_json_tree.
 */
#ifndef TESTS_UNIT_VECTORS_H
#define TESTS_UNIT_VECTORS_H

#include "base/buf.h"
#include "base/file.h"
#include "base/json/tree.h"
#include "base/number.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VECTORS_UNUSED __attribute__((unused))

/* Read tests/data/vectors/<name>; the test fails when that does. */
VECTORS_UNUSED static void vectors_read(struct pn_json_tree *out,
					const char *name)
{
	const char *source = getenv("PERF_SOURCE_DIR");
	struct pn_buf bytes = {0};
	struct pn_error err;
	char path[4200];

	snprintf(path, sizeof(path), "%s/tests/data/vectors/%s",
		 source ? source : ".", name);
	if (pn_file_read(&bytes, path, 1u << 22, &err) ||
	    pn_json_tree_parse(out, pn_buf_text(&bytes), bytes.len, &err))
		fail_msg("%s", err.message);
	pn_buf_release(&bytes);
}

/* The value of a member of the object at `object`; 0 without. */
VECTORS_UNUSED static size_t vectors_find(const struct pn_json_tree *v,
					  size_t object, const char *name)
{
	size_t at;

	for (at = object + 1; pn_json_tree_event(v, at) == PN_JSON_KEY;
	     at = pn_json_tree_end(v, at + 1))
		if (pn_json_tree_is(v, at, name))
			return at + 1;
	return 0;
}

/* The same; the test fails without. */
VECTORS_UNUSED static size_t vectors_member(const struct pn_json_tree *v,
					    size_t object, const char *name)
{
	size_t item = vectors_find(v, object, name);

	if (!item)
		fail_msg("there is no member '%s'", name);
	return item;
}

/* The number at `item`; NaN for null. */
VECTORS_UNUSED static double vectors_number(const struct pn_json_tree *v,
					    size_t item)
{
	size_t len;
	const char *text = pn_json_tree_text(v, item, &len);
	double value = 0;

	if (pn_json_tree_event(v, item) == PN_JSON_NULL)
		return (double)NAN;
	assert_true(pn_number_double(&value, text, len));
	return value;
}

VECTORS_UNUSED static double vectors_value(const struct pn_json_tree *v,
					   size_t object, const char *name)
{
	return vectors_number(v, vectors_member(v, object, name));
}

/* The numbers of a list, `max` at most; how many there are. */
VECTORS_UNUSED static size_t vectors_numbers(double *out, size_t max,
					     const struct pn_json_tree *v,
					     size_t list)
{
	size_t n = 0, at;

	for (at = list + 1; pn_json_tree_event(v, at) != PN_JSON_ARRAY_END;
	     at++) {
		assert_true(n < max);
		out[n++] = vectors_number(v, at);
	}
	return n;
}

/* Whether two numbers are the same but for `relative`; two NaN are. */
VECTORS_UNUSED static bool vectors_near(double a, double b, double relative)
{
	if (isnan(a) || isnan(b))
		return isnan(a) && isnan(b);
	return a == b || fabs(a - b) <= relative * fmax(fabs(a), fabs(b));
}

#endif
