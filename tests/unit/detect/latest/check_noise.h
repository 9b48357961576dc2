/* Simulated histories of a metric in thirteen kinds of noise, for tests of what
 * is said of their last commit. */
#ifndef TEST_CHECK_NOISE_H
#define TEST_CHECK_NOISE_H

#include "detect/latest/latest.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAST 41
#define CHECK_RUNS 7
#define FAMILIES 13

/* Noise of logarithms; `run` is drawn for each history. */
struct family {
	const char *name;
	double session; /* standard deviation, in those of a run */
	double correlation;
	enum { NORMAL, LOGNORMAL, BIMODAL, OUTLIERS } runs;
	bool heavy;   /* sessions of Student's t with three degrees */
	bool slow;    /* 3 to 5 of 100 sessions are 10 to 40 % slower */
	double drift; /* over the past, at most */
	double step;  /* in the past, up or down, at most */
	int quantum; /* values are multiples of 1 in so many; 0: they are not */
};

extern const struct family check_families[FAMILIES];

struct history {
	double runs[PAST + 1][CHECK_RUNS];
	struct pn_latest_commit commits[PAST];
	double sd; /* of a run */
};

double check_uniform(uint64_t *state);
/* One run beside its session's level, and a value from its logarithm. */
double check_run_noise(const struct family *f, double sd, uint64_t *state);
double check_value(const struct family *f, double log_value);
/* The last commit is slower by `effect`, a logarithm. */
void check_make(struct history *h, const struct family *f, double effect,
		uint64_t *state);

#endif
