/*
 * Keeping what a measurement gave: each job's profile, with what only the
 * repository knows of it, becomes a record that is listed at HEAD or left
 * pending.
 */
#ifndef PN_COLLECTION_KEEP_H
#define PN_COLLECTION_KEEP_H

#include "base/error.h"
#include "jobs/measure.h"
#include "storage/record.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where and how; `repo` to `max_bytes` are the caller's to fill in. */
struct pn_keep {
	struct pn_repo *repo;
	const char *name; /* to register; NULL: one that is made */
	const struct pn_text_pair *labels;
	size_t label_count;
	uint64_t max_bytes; /* of a body */
	/* Filled by pn_keep_init: */
	struct pn_head head;
	struct pn_oid tree; /* of HEAD */
	bool dirty;	    /* the work tree differs from HEAD */
};

/* What HEAD is now; unborn where there is no repository (NULL). */
int pn_keep_init(struct pn_keep *keep, struct pn_error *err);

/* A job's profile as a record, released by the caller in any case. */
int pn_keep_take(struct pn_record *out, const struct pn_keep *keep,
		 struct pn_measure *measure, size_t job, struct pn_error *err);
/* A profile of a run that goes on, where there is a repository and samples, as
 * a pending one with the label snapshot=true; what became of it is appended, a
 * line. */
int pn_keep_snapshot(struct pn_buf *said, const struct pn_keep *keep,
		     struct pn_profile *snapshot, struct pn_error *err);

/* All records as pending files; paths[0..count) are freed by the caller, also
 * on failure, where NULL stands for what was not written. */
int pn_keep_pending(char **paths, const struct pn_keep *keep,
		    struct pn_record *records, size_t count,
		    struct pn_error *err);

#endif
