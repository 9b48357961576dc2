/*
 * Inside of vcs/ only: a tree whose paths are object names cut after every
 * second digit, any depth, as git keeps notes (git's notes.c) and as we keep
 * bodies. Trees are read when they are needed and then kept.
 *
 * Reading takes entries at any depth, mixed and twice. A broken tree object
 * (git-fsck's duplicateEntries) may have one name several times: of folders of
 * the fan the contents are united, as git's notes.c does, of entries that
 * belong to no name the first counts. Writing leaves each name once. It follows
 * git's rule, so that git and we do not rewrite each other's trees: a folder is
 * split into 256 when each of its sixteen first digits has two entries or a
 * folder below it. The bodies' first level is always split.
 */
#ifndef PN_NOTES_FANTREE_H
#define PN_NOTES_FANTREE_H

#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "vcs/objects/objects.h"
#include "vcs/objects/tree.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>

/* Bytes of one tree: a flat one with a million notes has 49 MB. */
#define PN_TREE_MAX (256u << 20)
#define PN_FAN_DEPTH 19 /* the last byte is always part of a name */
/*
 * Against trees that have one subtree 256 times on every level: bytes of what
 * was read of a fan and is in memory at a time (a million notes in one folder
 * have 40 MB; lookups let go of what they can from half of this on), folders
 * and entries that one walk meets, and folders that it had met before.
 */
#define PN_FAN_MEMORY_MAX (64u << 20)
#define PN_FAN_WALK_MAX (1u << 22)
#define PN_FAN_AGAIN_MAX (1u << 12)
#define PN_FAN_SAME_MAX 256 /* folders of one name in one folder */

enum pn_fan_kind {
	PN_FAN_NOTES, /* of one commit twice: the texts are joined */
	PN_FAN_BODIES /* of one name twice: the one that has its own name */
};

struct pn_fan;

/* What a name stands for. */
struct pn_fan_item {
	struct pn_oid key, blob;
};

/* `tree` zero: an empty one. */
int pn_fan_open(struct pn_fan **out, struct pn_repo *repo,
		const struct pn_oid *tree, enum pn_fan_kind kind,
		struct pn_error *err);
void pn_fan_free(struct pn_fan *fan);

/* The tree that was read or last written. */
struct pn_oid pn_fan_tree(const struct pn_fan *fan);

/* Append the 20-byte ids of every blob that `key` has, none when absent. */
int pn_fan_find(struct pn_buf *out, struct pn_fan *fan,
		const struct pn_oid *key, struct pn_error *err);

/* The one tree that all of a key lies in, or zero where the key has nothing;
 * false when that cannot be told without reading more. */
bool pn_fan_below(struct pn_oid *out, const struct pn_fan *fan,
		  const struct pn_oid *key);

/* An entry of the top level that belongs to no name ("format"); false when
 * there is none. Its text lives until the fan changes. */
bool pn_fan_other(struct pn_tree_entry *out, const struct pn_fan *fan,
		  const char *name);
/* Replace or add such an entry; `id` NULL takes all of that name out. */
void pn_fan_set_other(struct pn_fan *fan, unsigned int mode, const char *name,
		      const struct pn_oid *id);

/* Give each key its one blob; zero takes the key out. `changes` is sorted by
 * key, each key once. Iterators end here. */
int pn_fan_apply(struct pn_fan *fan, const struct pn_fan_item *changes,
		 size_t count, struct pn_error *err);

/* The id of the whole tree; what is new goes to `objects`. Zero when it is
 * empty. */
int pn_fan_write(struct pn_oid *out, struct pn_fan *fan,
		 struct pn_objects *objects, struct pn_error *err);

/*
 * Of changes that come in order, and are more than the memory should hold: the
 * folders of the first level that were changed go to `objects`, and are read
 * again when somebody asks for them; `objects` has to be written before. The
 * one that `last` lies in, where the next changes may be, stays. What
 * pn_fan_write gives at the end is the same.
 */
int pn_fan_settle(struct pn_fan *fan, const struct pn_oid *last,
		  struct pn_objects *objects, struct pn_error *err);

/*
 * Walk in order of the names. Trees are let go behind the walk unless a
 * lookup wanted them. next: 1, 0 at the end, or a negative code; PN_ELIMIT
 * after PN_FAN_WALK_MAX folders and entries, or PN_FAN_AGAIN_MAX folders again.
 */
struct pn_fan_walk;
struct pn_fan_walk *pn_fan_walk_new(struct pn_fan *fan);
int pn_fan_walk_next(struct pn_fan_item *out, struct pn_fan_walk *walk,
		     struct pn_error *err);
void pn_fan_walk_free(struct pn_fan_walk *walk);

/* What makes an item of theirs lacking in ours: its name is not there, or not
 * with that blob. */
enum pn_fan_lack { PN_FAN_LACK_NAME, PN_FAN_LACK_BLOB };

/* Append to `out` the items (struct pn_fan_item) of `theirs` that `ours`
 * lacks. Equal subtrees cost nothing. Absent trees are passed over. PN_ELIMIT
 * as for a walk. */
int pn_fan_lacks(struct pn_buf *out, struct pn_fan *ours, struct pn_fan *theirs,
		 enum pn_fan_lack lack, struct pn_error *err);

#endif
