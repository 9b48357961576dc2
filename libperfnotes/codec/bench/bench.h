/*
 * Benchmark results: named measures with their values, gathered one by one
 * and put into a profile as metrics in order of first appearance.
 * A zeroed struct holds nothing.
 */
#ifndef PN_BENCH_BENCH_H
#define PN_BENCH_BENCH_H

#include "codec/bench/document.h"
#include "model/profile.h"

/* Measures of one file: a JUnit file of a large project has some 100,000. */
#define PN_BENCH_MAX (1u << 20)

struct pn_bench_measure {
	enum pn_better better;
	double *values;
	size_t count, cap;
	struct pn_summary *summary; /* instead of values, or NULL */
};

struct pn_bench {
	struct pn_strtab names; /* "name\0unit" */
	struct pn_bench_measure *measures;
	size_t count, cap;
};

void pn_bench_release(struct pn_bench *bench);
/* One value more; values that are not finite are refused: PN_EINVAL. */
int pn_bench_add(struct pn_bench *bench, const char *name, const char *unit,
		 enum pn_better better, double value, struct pn_error *err);
/* A measure whose single values are not known; unknown figures are NaN. */
int pn_bench_add_summary(struct pn_bench *bench, const char *name,
			 const char *unit, enum pn_better better,
			 const struct pn_summary *summary,
			 struct pn_error *err);
/* What a JSON object calls "min", "q1", "median", "q3", "max", "mean" and
 * "stddev", as most tools do; the others are NaN, n is 0. */
int pn_bench_read_figures(struct pn_summary *out,
			  const struct pn_document *object,
			  struct pn_error *err);
/* Into metrics of `p`. PN_EINVAL when there are none, saying that `what` is
 * missing ("a benchmark that ran"). */
int pn_bench_finish(struct pn_profile *p, struct pn_bench *bench,
		    const char *what, struct pn_error *err);

#endif
