/*
 * Pending profiles: files in <common dir>/perf/jobs that belong to no commit
 * yet. A file is an index line, whose commit is the origin, and the body's
 * bytes behind it. A file of any known format that was put there by hand
 * counts as well.
 */
#ifndef PN_STORAGE_PENDING_H
#define PN_STORAGE_PENDING_H

#include "base/arena.h"
#include "base/error.h"
#include "model/entry.h"
#include "storage/record.h"
#include "vcs/repo.h"

struct pn_pending {
	char *path;	       /* absolute */
	char *name;	       /* file name */
	struct pn_oid origin;  /* zero: unknown */
	int64_t time_ns;       /* of collection, else of the file */
	struct pn_entry entry; /* fields and metrics; none for foreign files */
};

/* Sorted by time, newest first, then by name. */
struct pn_pending_list {
	struct pn_arena arena;
	struct pn_pending *items;
	size_t count;
};

/* Make the folder of pending profiles where there is none yet, and see that
 * files can be made in it: to be asked before something takes long. */
int pn_pending_prepare(struct pn_repo *repo, struct pn_error *err);

/* Write a record as a new pending file; record->commit is its origin (zero:
 * none). *path (may be NULL, else freed by the caller) is where it is. It is
 * whole at any time; who cannot measure again adds it soon: only then a power
 * cut cannot take it away. */
int pn_pending_save(char **path, struct pn_repo *repo,
		    const struct pn_record *record, struct pn_error *err);

/* No folder is an empty list. Files that cannot be read are left out. */
int pn_pending_list(struct pn_pending_list *out, struct pn_repo *repo,
		    struct pn_error *err);
void pn_pending_list_release(struct pn_pending_list *list);

/*
 * Read a pending file, or any other profile (pn_record_read), into a record.
 * Labels, name and environment of `options` are added.
 */
int pn_pending_read(struct pn_record *out, struct pn_oid *origin,
		    const char *path, const struct pn_record_options *options,
		    struct pn_error *err);

/* Whether the file begins as a pending one does. */
bool pn_pending_is(const char *path);
/* The profile of a pending file. *format (may be NULL) is a codec's name. */
int pn_pending_load(struct pn_profile *out, const char **format,
		    const char *path, struct pn_error *err);

/* Whether `path` is inside the folder of pending files of `repo`. */
bool pn_pending_owns(struct pn_repo *repo, const char *path);

#endif
