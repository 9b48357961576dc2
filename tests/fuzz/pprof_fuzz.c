/* pprof: what is read is valid, and comes back from what is written. */
#include "codec/pprof/pprof.h"
#include "codec/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT (1 << 24)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_bytes(struct pn_profile *out, const void *data, size_t size)
{
	struct pn_reader *in = NULL;
	struct pn_error err = {0};
	int code;

	pn_profile_init(out);
	code = pn_reader_memory(&in, data, size, "fuzz", LIMIT, &err);
	if (!code)
		code = pn_codec_read(out, &pn_codec_pprof, NULL, in, &err);
	pn_reader_free(in);
	if (code && (code != err.code || !*err.message))
		abort();
	return code;
}

/* Two threads read what one does, and say the same where they cannot. */
static void check_two(const void *data, size_t size)
{
	struct pn_reader *in[2] = {NULL, NULL};
	struct pn_error err[2] = {{0}, {0}};
	struct pn_profile p[2];
	char why[256] = "";
	int code[2], i;

	for (i = 0; i < 2; i++) {
		pn_profile_init(&p[i]);
		if (pn_reader_memory(&in[i], data, size, "fuzz", LIMIT, NULL))
			return;
		code[i] = pn_pprof_read_two(&p[i], in[i], i ? 1 : SIZE_MAX,
					    &err[i]);
		pn_reader_free(in[i]);
	}
	if (code[0] != code[1] || strcmp(err[0].message, err[1].message) ||
	    (!code[0] && (p[0].complete != p[1].complete ||
			  !pn_profile_equal(&p[0], &p[1], why, sizeof(why))))) {
		fprintf(stderr, "%s / %s %s\n", err[0].message, err[1].message,
			why);
		abort();
	}
	for (i = 0; i < 2 && !code[0]; i++)
		pn_profile_release(&p[i]);
}

/* A profile that lost nothing is a fixed point of writing and reading. */
static void check_way_back(const struct pn_profile *p)
{
	struct pn_buf once = {0}, twice = {0};
	struct pn_profile q;
	char why[256] = "";

	if (pn_pprof_encode(&once, p, NULL))
		abort();
	if (read_bytes(&q, once.data, once.len))
		abort();
	if (p->complete && !pn_profile_equal(p, &q, why, sizeof(why))) {
		fprintf(stderr, "%s\n", why);
		abort();
	}
	if (pn_pprof_encode(&twice, &q, NULL))
		abort();
	if (p->complete &&
	    (once.len != twice.len || memcmp(once.data, twice.data, once.len)))
		abort();
	pn_profile_release(&q);
	pn_buf_release(&once);
	pn_buf_release(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pn_profile p;

	pn_codec_pprof.sniff(data,
			     size < PN_SNIFF_BYTES ? size : PN_SNIFF_BYTES);
	check_two(data, size);
	if (read_bytes(&p, data, size))
		return 0;
	if (pn_profile_check(&p, NULL))
		abort();
	check_way_back(&p);
	pn_profile_release(&p);
	return 0;
}
