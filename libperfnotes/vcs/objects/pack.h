/*
 * Inside of vcs/ only: one pack of ours, from its writing until the ref has
 * moved to it.
 *
 * git-prune(1) takes loose objects that no ref led to when it began, and
 * git-repack(1) -a -d takes packs that it saw when it began, however long ago
 * that was, and neither can be seen by others. What is written here is safe
 * from both: it is a pack, and from before its name is there until the ref has
 * moved it has a ".keep" beside it (gitformat-pack(5)), so that no repack ever
 * counts it among those that it replaces without having seen the ref.
 *
 * Packs of ours are told by their names, which begin with PN_PACK_MARK. When
 * there are many small ones the next one takes them in (pack_join.h), so that
 * their number grows with the logarithm of the number of writes.
 */
#ifndef PN_OBJECTS_PACK_H
#define PN_OBJECTS_PACK_H

#include "base/buf.h"
#include "vcs/objects/objects.h"

#include <stdbool.h>
#include <stddef.h>

#define PN_PACK_MARK "pack-70657266" /* "perf" in ASCII */

/*
 * Write the objects as one pack with its index, and a ".keep" that is held by
 * flock(2). `out` is released by the caller.
 *
 *   sync  all of it is on the disk at the end. Otherwise the bytes are, and
 *         the names when a file below refs/notes/ is synced.
 *   join  take in small packs of ours
 *
 * PN_ENOTFOUND: a `git prune` took the files that were being written.
 */
int pn_pack_write(struct pn_pack *out, struct pn_repo *repo,
		  const struct pn_object *objects, size_t count, bool sync,
		  bool join, struct pn_error *err);
/* The same in two steps: written under names that no git looks at, which go
 * with pn_pack_release; then named, which pn_stored_refresh lets this process
 * see. */
int pn_pack_prepare(struct pn_pack *out, struct pn_repo *repo,
		    const struct pn_object *objects, size_t count, bool sync,
		    bool join, struct pn_error *err);
int pn_pack_name(struct pn_pack *pack, struct pn_error *err);
/* The ref has moved: the packs that were taken in go. */
void pn_pack_published(struct pn_pack *pack);
/* The ".keep" goes. */
void pn_pack_release(struct pn_pack *pack);
/* No ref will lead to it: all of it goes. */
void pn_pack_discard(struct pn_pack *pack);

/* Create "<base>.keep". *fd holds the lock that says that its owner lives. */
int pn_pack_keep(char **path, int *fd, const char *base, const char *dir,
		 int shared, struct pn_error *err);

/* Lock a file that its owner has locked as long as it lives: an fd when the
 * owner is dead, else -1 and errno. */
int pn_pack_take_over(const char *path);

/* Files in a folder of packs: their names, sorted. */
struct pn_pack_names {
	char **items;
	size_t count, cap;
};

/* Those that begin with `prefix`; PN_PACK_MARK: of packs of ours. */
void pn_pack_names_read(struct pn_pack_names *out, const char *dir,
			const char *prefix);
bool pn_pack_names_equal(const struct pn_pack_names *a,
			 const struct pn_pack_names *b);
/* Whether there is a file of the same name but for its end. */
bool pn_pack_names_have(const struct pn_pack_names *names, const char *name,
			const char *end);
void pn_pack_names_release(struct pn_pack_names *names);
/* Remove the ".keep" of an owner that is dead, and packs that it left without
 * an index; nothing is said of what cannot be removed. */
void pn_pack_sweep(const struct pn_pack_names *names, const char *dir);

#endif
