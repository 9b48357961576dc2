/*
 * Whose turn it is to measure: two runs at once would disturb each other, so
 * one waits. flock(2) on <common dir>/perf/measuring, freed by the kernel when
 * the holder dies. Children do not inherit it: what is measured ends with the
 * run that measures it (base/process/process.h), and a server that a build has
 * started must not keep others waiting.
 */
#ifndef PN_JOBS_MEASURE_LOCK_H
#define PN_JOBS_MEASURE_LOCK_H

#include "base/error.h"
#include "vcs/repo.h"

struct pn_measure_lock {
	int fd; /* -1: not ours */
};

/* 1: it is ours; 0: another has it, after a fifth of a second of waiting;
 * negative: failed. Zero bytes are no lock: begin with {-1}. */
int pn_measure_lock_try(struct pn_measure_lock *lock, struct pn_repo *repo,
			struct pn_error *err);
void pn_measure_lock_release(struct pn_measure_lock *lock);

#endif
