/*
 * What other tools keep of many commits: bytes to results, one a commit and
 * place. One file a tool; who calls them knows where a tool keeps its bytes.
 * As of every decoder (codec.h) the bytes are hostile.
 */
#ifndef PN_PAST_PAST_H
#define PN_PAST_PAST_H

#include "base/buf.h"
#include "base/error.h"
#include "base/reader/reader.h"
#include "model/profile.h"

#include <stddef.h>

/* At one commit. What it points to is borrowed for the call. */
struct pn_past_result {
	const char *commit; /* as it is written there: maybe no id at all */
	/* What tells it from all others of its commit, in the same words each
	 * time that it is read. */
	const char *source;
	struct pn_profile *profile; /* figures alone; the taker's to empty */
};

/* What is given one by one: another code than 0 ends the reading. */
struct pn_past_taker {
	void *to;
	int (*take)(void *to, const struct pn_past_result *result,
		    struct pn_error *err);
};

#define PN_PAST_MAX ((uint64_t)256 << 20) /* bytes of one file */
/* Since 1970, the year 2261: nanoseconds of more are no int64_t. */
#define PN_PAST_TIME_MAX_S 9.2e9

/*
 * The file data.js of github-action-benchmark: "window.BENCHMARK_DATA = " and
 * JSON. PN_EINVAL names the place; what was given before stays given. What has
 * no name or no finite number is no figure: counted in *odd.
 */
int pn_past_data_js(size_t *odd, const struct pn_past_taker *taker,
		    const void *bytes, size_t len, const char *name,
		    struct pn_error *err);

/* Units of benchmarks, as asv's benchmarks.json tells them. Zeroed: none. */
struct pn_past_units {
	struct pn_strtab names, units; /* of the name with the same number */
};
int pn_past_asv_units(struct pn_past_units *out, struct pn_reader *in,
		      struct pn_error *err);
void pn_past_units_release(struct pn_past_units *units);
/* A result file of airspeed velocity, of version 2. Samples that are no finite
 * numbers are counted in *odd. */
int pn_past_asv(size_t *odd, const struct pn_past_taker *taker,
		struct pn_reader *in, const struct pn_past_units *units,
		struct pn_error *err);

/*
 * The note of a commit by kaihowl/git-perf (refs/notes/perf-v3): one line a
 * value. Lines that are none are counted in *odd, as that tool passes them
 * over, too.
 */
int pn_past_perf_v3(size_t *odd, const struct pn_past_taker *taker,
		    const char *commit, const char *text, size_t len,
		    struct pn_error *err);

#endif
