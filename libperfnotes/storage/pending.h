/*
 * Pending profiles: files in <common dir>/perf/jobs that belong to no commit
 * yet. A file is an index line (its commit is the origin) and the body behind
 * it; a file of any known format that was put there by hand counts as well.
 */
#ifndef PN_STORAGE_PENDING_H
#define PN_STORAGE_PENDING_H

#include "storage/store.h"

struct pn_pending {
	char *path; /* absolute */
	char *name; /* file name */
	bool has_origin;
	struct pn_oid origin;
	int64_t time_ns;
	struct pn_entry entry; /* fields and metrics; no id */
};

struct pn_pending_list {
	struct pn_arena arena;
	struct pn_pending *items; /* newest first */
	size_t count;
};

/* Writes a record as a new pending file; *path (may be NULL) is where. */
int pn_pending_save(char **path, struct pn_repo *repo,
		    const struct pn_record *record, struct pn_error *err);
int pn_pending_list(struct pn_pending_list *out, struct pn_repo *repo,
		    struct pn_error *err);
void pn_pending_list_release(struct pn_pending_list *list);
/* Read a pending file (or any file that is one) into a record; `origin` is
 * zero when it has none. PN_EFORMAT: not a pending file. */
int pn_pending_read(struct pn_record *out, struct pn_oid *origin,
		    const char *path, struct pn_error *err);

#endif
