/*
 * Benchmark results: named measures with their values, gathered one by one
 * and put into a profile as metrics in order of first appearance.
 * A zeroed struct holds nothing.
 */
#ifndef PN_BENCH_BENCH_H
#define PN_BENCH_BENCH_H

#include "codec/bench/document.h"
#include "codec/scan.h"
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
	struct pn_profile *profile; /* that is read: for labels, the command */
	struct pn_strtab names;	    /* "name\0unit" */
	struct pn_bench_measure *measures;
	size_t count, cap;
	size_t odd; /* values that are left out, being no finite numbers */
};

void pn_bench_release(struct pn_bench *bench);
/* One value more; values that are not finite are refused: PN_EINVAL. */
int pn_bench_add(struct pn_bench *bench, const char *name, const char *unit,
		 enum pn_better better, double value, struct pn_error *err);
/* The same with a name that is part of a line. */
int pn_bench_add_scan(struct pn_bench *bench, const struct pn_scan *name,
		      const char *unit, enum pn_better better, double value,
		      struct pn_error *err);
/* A measure whose single values are not known; unknown figures are NaN. */
int pn_bench_add_summary(struct pn_bench *bench, const char *name,
			 const char *unit, enum pn_better better,
			 const struct pn_summary *summary,
			 struct pn_error *err);
/* A measure of which a file says only some figures: NaN is unknown, n 0 is 1.
 * Refused without mean and median: PN_EINVAL. */
int pn_bench_add_figures(struct pn_bench *bench, const char *name,
			 const char *unit, enum pn_better better,
			 struct pn_summary figures, struct pn_error *err);
/* Whether less or more is better of what has such a unit: of times and bytes
 * less, of rates ("ops/s") more; anything else is not known. */
enum pn_better pn_bench_better(const char *unit);

/* What a JSON object calls its figures; NULL: it does not have them. */
struct pn_bench_figures {
	const char *n, *min, *q1, *median, *q3, *max, *mean, *sd;
};
/* "min", "q1", "median", "q3", "max", "mean" and "stddev", as most tools do. */
extern const struct pn_bench_figures pn_bench_usual;
/* What is not there is NaN, n is 0. */
int pn_bench_read_figures(struct pn_summary *out,
			  const struct pn_document *object,
			  const struct pn_bench_figures *names,
			  struct pn_error *err);
/* A value of the measure for each number of an array, and of arrays in it.
 * Gives how many. */
int pn_bench_add_numbers(size_t *count, struct pn_bench *bench,
			 const char *name, const char *unit,
			 enum pn_better better, const struct pn_document *list,
			 struct pn_error *err);

/* Into metrics of `p`. PN_EINVAL when there are none, saying that `what` is
 * missing ("a benchmark that ran"). */
int pn_bench_finish(struct pn_profile *p, struct pn_bench *bench,
		    const char *what, struct pn_error *err);

/*
 * All that a codec's `read` does: the document (an object; of the second one an
 * array) goes to `take`, what that added becomes metrics.
 */
int pn_bench_read_object(struct pn_profile *out, struct pn_reader *in,
			 int (*take)(struct pn_bench *bench,
				     const struct pn_document *root,
				     struct pn_error *err),
			 const char *what, struct pn_error *err);
int pn_bench_read_list(struct pn_profile *out, struct pn_reader *in,
		       int (*take)(struct pn_bench *bench,
				   const struct pn_document *root,
				   struct pn_error *err),
		       const char *what, struct pn_error *err);
/* The same of a text: each line goes to `take`, with `state`. Messages begin
 * with the number of the line. */
int pn_bench_read_lines(struct pn_profile *out, struct pn_reader *in,
			void *state,
			int (*take)(struct pn_bench *bench, void *state,
				    struct pn_scan *line, struct pn_error *err),
			const char *what, struct pn_error *err);

#endif
