/*
 * Real profiles and what their own tools say of them: tests/data/measured,
 * whose MANIFEST.md tells where each came from.
 */
#ifndef TESTS_UNIT_SHARED_H
#define TESTS_UNIT_SHARED_H

#include "base/buf.h"
#include "codec/codec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define UNUSED_IN_SOME __attribute__((unused))
#define SHARED_SKIPPED 77 /* as ctest is told */

/* The path of a file of the data, until the next call but 3. */
UNUSED_IN_SOME static const char *shared(const char *name)
{
	static char paths[4][4096];
	static unsigned int next;
	const char *source = getenv("PERF_SOURCE_DIR");
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/tests/data/measured/%s",
		 source ? source : ".", name);
	return path;
}

/* Read a profile by path; the test fails when that does. */
UNUSED_IN_SOME static void read_profile(struct pn_profile *out,
					const struct pn_codec **used,
					const char *path)
{
	struct pn_reader *in = NULL;
	struct pn_error err;

	pn_profile_init(out);
	if (pn_reader_open(&in, path, 0, &err) ||
	    pn_codec_read(out, NULL, used, in, &err))
		fail_msg("%s", err.message);
	pn_reader_free(in);
}

#endif
