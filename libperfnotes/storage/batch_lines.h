/*
 * Inside of storage/ only: the lines of a batch until it is committed. More
 * than a few megabytes of them wait in files without a name, sixteen of them,
 * by the first digit of their commits, and come back a file at a time.
 */
#ifndef PN_STORAGE_BATCH_LINES_H
#define PN_STORAGE_BATCH_LINES_H

#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>

#define PN_BATCH_LINES_FILES 16

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
	int files[PN_BATCH_LINES_FILES]; /* where is_spilled */
	bool is_spilled;
};

void pn_batch_lines_release(struct pn_batch_lines *lines);
/* The text that was appended to `lines->text` since `line->at` is a line. */
void pn_batch_lines_add(struct pn_batch_lines *lines,
			const struct pn_batch_line *line);
/* What is in memory to the files. PN_EIO. */
int pn_batch_lines_spill(struct pn_batch_lines *lines, struct pn_repo *repo,
			 struct pn_error *err);
/* Add the lines of one file to those of `out`. */
int pn_batch_lines_read(struct pn_batch_lines *out,
			const struct pn_batch_lines *lines, size_t file,
			struct pn_error *err);
/* Those in memory by their commits, else as they came. */
void pn_batch_lines_sort(struct pn_batch_lines *lines);

#endif
