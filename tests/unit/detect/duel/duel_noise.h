/*
 * Noise as machines have it, for simulated duels: logarithms of times of
 * successive runs of one program.
 */
#ifndef TESTS_UNIT_DUEL_NOISE_H
#define TESTS_UNIT_DUEL_NOISE_H

#include <stddef.h>
#include <stdint.h>

#define NOISE_RUNS 200

enum noise_kind {
	NOISE_NORMAL,
	NOISE_LOGNORMAL,
	NOISE_BIMODAL,	  /* a mode is drawn by every start */
	NOISE_DRIFT,	  /* AR(1) */
	NOISE_BURSTS,	  /* 5 to 60 % for 2 to 20 runs */
	NOISE_OUTLIERS,	  /* 1 to 6 % of runs, 10 to 150 % */
	NOISE_HEAVY,	  /* t with 2.5 degrees of freedom */
	NOISE_THROTTLE,	  /* 5 to 20 % after 5 to 60 runs */
	NOISE_STICKY,	  /* slow for 20 to 100 runs */
	NOISE_CONTENTION, /* another process half of the time, 0 to 100 % */
	NOISE_QUANTISED,  /* in steps of 1 to 6 % */
	NOISE_MIXED,
	NOISE_WALL, /* parts of a real trace: wall time */
	NOISE_CPU,  /* and processor time */
	NOISE_KINDS
};

extern const char *const noise_names[NOISE_KINDS];

/* The noise of one session. */
struct noise {
	double logs[NOISE_RUNS];
	double sd;   /* of one run without what is rare */
	double step; /* in which the noise comes, 0: any */
	double phase;
};

void noise_make(struct noise *out, enum noise_kind kind, uint64_t *state);

/* How long a run takes that is slower by `shift`, a logarithm. */
double noise_time(const struct noise *noise, size_t run, double shift);

#endif
