/* Result files of airspeed velocity, for whoever reads more of them. */
#ifndef PN_BENCH_ASV_H
#define PN_BENCH_ASV_H

#include "codec/bench/bench.h"

/* The figures of a file of version 2. */
int pn_asv_results(struct pn_bench *bench, const struct pn_document *root,
		   struct pn_error *err);

#endif
