/*
 * Inside of vcs/ only: objects on their way into the object database, each
 * once. They stay in memory until the ref has moved and all of them are known
 * to exist.
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
	/* The ref's tip leads to it and goes on to do so: what is there and
	 * has these bytes is not written again. */
	bool reachable;
};

/* Where they were written to, see pack.h. */
struct pn_pack {
	char *path; /* of the ".pack"; NULL: none */
	char *keep; /* of the ".keep" while it stands, else NULL */
	int keep_fd;
	struct pn_buf joined; /* packs that it took in: paths without ends, a
			       * NUL behind each */
	struct pn_pack_nameless *nameless; /* written, and seen by nobody; else
					    * NULL */
};

struct pn_objects {
	struct pn_arena arena;
	struct pn_object *items;
	size_t count, cap;
	struct pn_oidmap known;
	struct pn_pack pack;
	unsigned int writes;   /* so far; from the second on all are written */
	struct pn_buf damaged; /* ids: loose ones that go with the naming */
	bool collides;	       /* two that came have one name, this one */
	struct pn_oid twice;
	/* A ref is moved next (pn_ref_move), which syncs its lock file before
	 * the ref has its name: that commits what came before it, too. Then
	 * small packs of ours are taken in. */
	bool ref_follows;
};

const char *pn_object_type_name(enum pn_object_type type);
/* The name these bytes have as an object. */
void pn_object_hash(struct pn_oid *out, enum pn_object_type type,
		    const void *bytes, size_t len);

/* Whether two of one name have the same bytes. One that cannot be inflated has
 * those of no other. */
bool pn_object_same(const struct pn_object *a, const struct pn_object *b);
/* PN_EREFUSED: two that have not. */
int pn_object_refuse(enum pn_object_type type, const struct pn_oid *id,
		     struct pn_error *err);

void pn_objects_release(struct pn_objects *objects);
/* Copies the bytes. The object, or NULL where it is among them already. */
struct pn_object *pn_objects_add(struct pn_oid *id, struct pn_objects *objects,
				 enum pn_object_type type, const void *bytes,
				 size_t len);
/* The object of that name among them, NULL when it is not. */
const struct pn_object *pn_objects_find(const struct pn_objects *objects,
					const struct pn_oid *id);
/* Borrows the bytes, whose name is known, until release. `raw_len` is 0, or of
 * what they inflate to. The object, or NULL where it is among them already. */
struct pn_object *pn_objects_borrow(struct pn_objects *objects,
				    enum pn_object_type type,
				    const struct pn_oid *id, const void *bytes,
				    size_t len, size_t raw_len);

/*
 * Write them as one pack and put it on the disk. No prune and no repack takes
 * it before release, nor behind that, when a ref has moved to them before. Each
 * is written, also where one of its name exists, which may be about to be
 * pruned; but for what is reachable. A damaged one that is in the way goes.
 * Nothing is left behind on failure.
 *
 * PN_EREFUSED: an object of that name, in the database or among them, has other
 * bytes, which were made to have the same SHA-1. PN_ENOTFOUND: a prune took the
 * files that were being written.
 */
int pn_objects_write(struct pn_repo *repo, struct pn_objects *objects,
		     struct pn_error *err);
/* The same in two steps: all is on the disk behind the first one, and can be
 * seen behind the second one, here behind pn_stored_refresh. Between them
 * nothing can have been built on it: released then, it is as if it had never
 * been written. */
int pn_objects_prepare(struct pn_repo *repo, struct pn_objects *objects,
		       struct pn_error *err);
int pn_objects_name(struct pn_repo *repo, struct pn_objects *objects,
		    struct pn_error *err);
/* The same of some of many, before the others are known: as a pack that takes
 * in no other one, whose names are on the disk when a later one's are. */
int pn_objects_write_part(struct pn_pack *out, struct pn_repo *repo,
			  const struct pn_objects *objects,
			  struct pn_error *err);
/* Whether every one of them is on the disk now. Does not ask the repository's
 * own object database: libgit2 keeps packs open that are deleted. */
bool pn_objects_exist(struct pn_repo *repo, const struct pn_objects *objects);
/* The ref has moved to them, and they exist. */
void pn_objects_published(struct pn_objects *objects);

#endif
