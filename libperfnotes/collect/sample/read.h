/* What a sampler left (runtime/record.h), as weights of a profile. */
#ifndef PN_SAMPLE_READ_H
#define PN_SAMPLE_READ_H

#include "base/error.h"
#include "collect/runtime_record.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stdint.h>

/* What was seen on the way. */
struct pn_sampler_facts {
	uint64_t samples, ticks; /* ticks: with those that were missed */
	int64_t weight_ns;	 /* time that all of them stand for */
	int64_t unseen_ns;	 /* of that: where it went is not known */
	int64_t interval_ns;	 /* between ticks; of the last sample */
	uint64_t processes;	 /* that left a record */
	uint64_t threads;	 /* that samples were taken of */
	uint64_t cut;		 /* stacks whose outer end is missing */
	uint64_t lost;		 /* samples without room */
};

struct pn_sampler_reader;

/*
 * `profile` (borrowed) gets the types samples/count and cpu or real in
 * nanoseconds. Frames of `object`, the sampler itself, are left out; it may be
 * NULL. `by_thread` gives each sample a label `thread`: the thread's name, or
 * the number of its start when it has that of the program.
 */
struct pn_sampler_reader *pn_sampler_reader_new(struct pn_profile *profile,
						bool wall, bool by_thread,
						const char *object);
/* One record: add what it has. `record` is read from its beginning; `run`, from
 * 1 on, is told of each sample (model/runs.h), 0: there is only one. */
void pn_sampler_reader_add(struct pn_sampler_reader *reader,
			   struct pn_runtime_record *record, uint32_t run);
const struct pn_sampler_facts *
pn_sampler_reader_facts(const struct pn_sampler_reader *reader);
void pn_sampler_reader_free(struct pn_sampler_reader *reader);

#endif
