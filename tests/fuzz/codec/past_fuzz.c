/* What another tool keeps of many commits (FUZZ_PAST says which): each result
 * can be kept, each failure has one line, and a second reading gives the same.
 */
#include "codec/past/past.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES (1u << 24)

struct taken {
	size_t results, figures;
	int left; /* that are taken before one is refused; negative: all */
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int take(void *to, const struct pn_past_result *result,
		struct pn_error *err)
{
	struct taken *t = to;

	if (!t->left--)
		return pn_error_set(err, PN_EIO, "refused");
	if (pn_profile_check(result->profile, err) || !result->commit ||
	    !*result->source || !result->profile->metric_count)
		abort();
	t->results++;
	t->figures += result->profile->metric_count;
	return 0;
}

#if FUZZ_PAST == 1
static int read_past(const struct pn_past_taker *taker, const void *bytes,
		     size_t size, struct pn_error *err)
{
	size_t odd;

	return pn_past_data_js(&odd, taker, bytes, size, "fuzz", err);
}
#elif FUZZ_PAST == 2
/* The same bytes as units and as results. */
static int read_past(const struct pn_past_taker *taker, const void *bytes,
		     size_t size, struct pn_error *err)
{
	struct pn_past_units units = {0};
	struct pn_reader *in = NULL;
	size_t odd = 0;
	int code = pn_reader_memory(&in, bytes, size, "fuzz", MAX_BYTES, err);

	if (code)
		return code;
	pn_past_asv_units(&units, in, err);
	pn_reader_free(in);
	code = pn_reader_memory(&in, bytes, size, "fuzz", MAX_BYTES, err);
	if (!code)
		code = pn_past_asv(&odd, taker, in, &units, err);
	pn_reader_free(in);
	pn_past_units_release(&units);
	return code;
}
#else
static int read_past(const struct pn_past_taker *taker, const void *bytes,
		     size_t size, struct pn_error *err)
{
	size_t odd;

	return pn_past_perf_v3(&odd, taker, "0", bytes, size, err);
}
#endif

static int read_all(struct taken *out, int left, const uint8_t *data,
		    size_t size)
{
	const struct pn_past_taker taker = {out, take};
	struct pn_error err = {0};
	int code;

	*out = (struct taken){.left = left};
	code = read_past(&taker, data, size, &err);
	if (code && (err.code != code || !*err.message))
		abort();
	return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct taken first, second, third;

	if (read_all(&first, -1, data, size) !=
		    read_all(&second, -1, data, size) ||
	    first.results != second.results || first.figures != second.figures)
		abort();
	if (first.results && read_all(&third, 0, data, size) != PN_EIO)
		abort();
	return 0;
}
