/*
 * Inside of storage/ only: the lines of a batch until it is committed. More
 * than a few megabytes of them wait in a file without a name, in order of their
 * commits from place to place where memory was full, and come back in one
 * order, a few megabytes at a time.
 */
#ifndef PN_STORAGE_BATCH_LINES_H
#define PN_STORAGE_BATCH_LINES_H

#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pn_batch_line {
	struct pn_oid commit;
	struct pn_oid base; /* of a delta body, else zero */
	size_t at, len;	    /* in the text */
};

/* Lines in memory. A zeroed struct is empty. */
struct pn_batch_lines {
	struct pn_buf text;
	struct pn_batch_line *items;
	size_t count, cap;
	/* Lines that were in memory together are a run of the file, which is
	 * open where there is one. */
	int file;
	uint64_t *run_ends;
	size_t run_count, run_cap;
};

void pn_batch_lines_release(struct pn_batch_lines *lines);
/* The text that was appended to `lines->text` since `line->at` is a line. */
void pn_batch_lines_add(struct pn_batch_lines *lines,
			const struct pn_batch_line *line);
/* What is in memory to the file. PN_EIO. */
int pn_batch_lines_spill(struct pn_batch_lines *lines, struct pn_repo *repo,
			 struct pn_error *err);
/* Those in memory by their commits, else as they came. */
void pn_batch_lines_sort(struct pn_batch_lines *lines);

/* Reads the file: by their commits, else as they came. */
struct pn_batch_merge;

struct pn_batch_merge *pn_batch_merge_new(const struct pn_batch_lines *lines);
void pn_batch_merge_free(struct pn_batch_merge *merge);
/* The lines of the next commits, until their text has `least` bytes, in place
 * of what is in `out`; nothing is left when there are none. PN_EIO. */
int pn_batch_merge_next(struct pn_batch_lines *out,
			struct pn_batch_merge *merge, size_t least,
			struct pn_error *err);

#endif
