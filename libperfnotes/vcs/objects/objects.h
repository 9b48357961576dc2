/*
 * Inside of vcs/ only: objects on their way into the object database, each
 * once. They stay in memory until the ref has moved and all of them are known
 * to exist, because a concurrent `git gc --prune=now` may take them away.
 */
#ifndef PN_OBJECTS_OBJECTS_H
#define PN_OBJECTS_OBJECTS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/oid.h"
#include "vcs/objects/oidmap.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>

#define PN_LOOSE_MAX 16 /* more objects than this are one pack */

enum pn_object_type { /* the numbers that packs use, gitformat-pack(5) */
		      PN_OBJECT_COMMIT = 1,
		      PN_OBJECT_TREE = 2,
		      PN_OBJECT_BLOB = 3
};

struct pn_object {
	enum pn_object_type type;
	struct pn_oid id;
	const unsigned char *bytes;
	size_t len;
	size_t raw_len; /* not 0: bytes is a zlib stream of so many */
};

struct pn_objects {
	struct pn_arena arena;
	struct pn_object *items;
	size_t count, cap;
	struct pn_oidmap known;
	char *pack;	     /* path of the pack they were written to */
	unsigned int writes; /* so far; from the second on all are written */
	/* A ref is moved next (pn_ref_move), which syncs its lock file before
	 * the ref has its name: that commits what came before it, too. */
	bool ref_follows;
};

const char *pn_object_type_name(enum pn_object_type type);
/* The name these bytes have as an object. */
void pn_object_hash(struct pn_oid *out, enum pn_object_type type,
		    const void *bytes, size_t len);

void pn_objects_release(struct pn_objects *objects);
/* Copies the bytes. */
void pn_objects_add(struct pn_oid *id, struct pn_objects *objects,
		    enum pn_object_type type, const void *bytes, size_t len);
/* The object of that name among them, NULL when it is not. */
const struct pn_object *pn_objects_find(const struct pn_objects *objects,
					const struct pn_oid *id);
/* Borrows the bytes, whose name is known, until release. `raw_len` is 0, or of
 * what they inflate to. */
void pn_objects_borrow(struct pn_objects *objects, enum pn_object_type type,
		       const struct pn_oid *id, const void *bytes, size_t len,
		       size_t raw_len);

/*
 * Write all of them and put them on the disk. Loose files or one pack; those
 * that exist and can be read are not written again as loose files, a damaged
 * one is replaced. Nothing but whole objects is left behind on failure.
 */
int pn_objects_write(struct pn_repo *repo, struct pn_objects *objects,
		     struct pn_error *err);
/* Whether every one of them is on the disk now. Does not ask the repository's
 * own object database: libgit2 keeps packs open that are deleted. */
bool pn_objects_exist(struct pn_repo *repo, const struct pn_objects *objects);

/* The two ways of pn_objects_write. Without `sync` the files' data is on the
 * disk, their names are when a file below refs/notes/ is synced. */
int pn_loose_write(struct pn_repo *repo, const struct pn_object *objects,
		   size_t count, bool sync, struct pn_error *err);
/* *path is the pack's, the caller's to free. */
int pn_pack_write(char **path, struct pn_repo *repo,
		  const struct pn_object *objects, size_t count,
		  struct pn_error *err);

#endif
