/*
 * Profiles of files on their way into the lists of commits: staged one by one
 * in a batch, which the caller commits.
 */
#ifndef PN_PROFILES_STAGE_H
#define PN_PROFILES_STAGE_H

#include "storage/record.h"
#include "storage/store.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* `repo` to `keep` are the caller's to fill in; the rest is zeroed. */
struct pn_stage {
	struct pn_repo *repo;
	struct pn_batch *batch;
	struct pn_record_options record;
	bool force;  /* list what was measured at another commit, too */
	bool keep;   /* pending files stay */
	char **done; /* pending files that are staged and may go */
	size_t done_count, done_cap;
	size_t count;	    /* of all that are staged ... */
	size_t dirty_count; /* ... and of those of a dirty tree */
	char last_id[PN_ENTRY_ID_HEX + 1];
	char *folder; /* of the last path of a line */
	bool folder_is_jobs;
};

void pn_stage_release(struct pn_stage *stage);

/* A file; `name` is for messages, `pending` says whether it is a pending one.
 * PN_EREFUSED when it was measured at another commit. */
int pn_stage_file(struct pn_stage *stage, const struct pn_oid *commit,
		  const char *path, const char *name, bool pending,
		  struct pn_error *err);

/* Stage the files of all lines "<rev> TAB <path>" of a stream, standard input,
 * read in threads; messages name the line. */
int pn_stage_stream(struct pn_stage *stage, FILE *from, struct pn_error *err);

#endif
