/*
 * Which body the next one of a job builds on: the last one of this batch,
 * else that of the nearest ancestor which has a profile of the job.
 */
#ifndef PN_STORAGE_CHAIN_H
#define PN_STORAGE_CHAIN_H

#include "base/buf.h"
#include "base/error.h"
#include "storage/record.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

#include <stdbool.h>

/* Ancestors looked at for a base: measured, a commit and its note take about
 * 0.1 ms, and a job that was not run for so long gains little. */
#define PN_CHAIN_ANCESTORS 32

struct pn_chain;

struct pn_chain *pn_chain_new(struct pn_repo *repo);
void pn_chain_free(struct pn_chain *chain);

/* Whether the record's profile is too small for a base to be worth it. */
bool pn_chain_is_alone(const struct pn_record *record);
/* Encode such a profile. As below, but it depends on nothing else. */
int pn_chain_encode_alone(struct pn_buf *out, const struct pn_record *record,
			  struct pn_error *err);

/*
 * Encode the profile of a record. Decodes the result and compares it with the
 * profile before it says yes: a body that would lose something is an error
 * here, not later. *base is filled when *is_delta.
 */
int pn_chain_encode(struct pn_buf *out, bool *is_delta, struct pn_oid *base,
		    struct pn_chain *chain, struct pn_notes *notes,
		    const struct pn_record *record, struct pn_error *err);
/* What was encoded last is stored under this blob id: only then does the next
 * body of the job build on it. */
void pn_chain_stored(struct pn_chain *chain, const struct pn_oid *body);

#endif
