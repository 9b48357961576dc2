/* What objects take on the disk, as git has packed them: asks git. Nothing is
 * fetched. */
#ifndef PN_VCS_DISK_H
#define PN_VCS_DISK_H

#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stdint.h>

struct pn_disk {
	bool absent; /* the rest is 0 then */
	bool loose;  /* a file of its own, and in no pack: git reads it there */
	uint64_t bytes; /* of the content */
	uint64_t disk;
};

/* Of each of these objects, their 20-byte ids; `out` has room for all. */
int pn_disk_of_each(struct pn_disk *out, struct pn_repo *repo,
		    const struct pn_buf *ids, struct pn_error *err);

/* All that a commit leads to and that is here. */
int pn_disk_of_history(uint64_t *out, struct pn_repo *repo,
		       const struct pn_oid *commit, struct pn_error *err);

/* The same of that commit alone, without those before it. */
int pn_disk_of_newest(uint64_t *out, struct pn_repo *repo,
		      const struct pn_oid *commit, struct pn_error *err);

#endif
