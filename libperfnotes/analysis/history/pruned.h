/* What prune and gc did, or would do, as data. */
#ifndef PN_HISTORY_PRUNED_H
#define PN_HISTORY_PRUNED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pn_pruned_row {
	size_t vanished, left_out; /* commits of which all records go */
	size_t rewritten;	   /* that vanished and stay for their tree */
	size_t unsure;		   /* that stay as they are not here */
	size_t records, figures;   /* out; without their body */
	size_t bodies;		   /* that nobody needs then */
	uint64_t bytes;		   /* of those on the disk */
	bool dry_run;
};

struct pn_compacted_row {
	size_t dead, bodies; /* records that were out; bodies nobody needs */
	uint64_t epoch, freed;
	bool nothing, dry_run;
};

#endif
