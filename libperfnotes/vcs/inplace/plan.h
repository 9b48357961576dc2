/*
 * Inside of vcs/ only: what a run in place has to move away and to put back,
 * found by comparing a work tree with what a commit has there. Bytes, types
 * and modes count, not git's index: its flags, staged changes, conflicts and
 * conversions cannot hide anything.
 */
#ifndef PN_INPLACE_PLAN_H
#define PN_INPLACE_PLAN_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "vcs/inplace/listing.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* The letters are those in the file. */
enum pn_plan_kind {
	PN_PLAN_EXTRA = 'R',   /* not the commit's: moved aside whole */
	PN_PLAN_CHANGED = 'T', /* the commit's, but different (bytes, type,
				* owner, extended attributes): moved aside */
	PN_PLAN_GONE = 'D',    /* the commit has it, the work tree does not */
	PN_PLAN_NO_DIR = 'A',  /* a folder of the commit that is not there */
	PN_PLAN_DIR = 'M',     /* a folder that is there, and its mode */
	PN_PLAN_MODE = 'P',    /* a file with a mode that git does not make */
	PN_PLAN_NESTED = 'N',  /* a repository below or kept: stays in place */
	PN_PLAN_KEEP = 'K',    /* a path that the user wants to stay in place */
	PN_PLAN_OWNED = 'O'    /* a folder with an owner, group, ACL or other
				* attributes that a new one would not get */
};

struct pn_plan_item {
	enum pn_plan_kind kind;
	unsigned int mode; /* of DIR and MODE */
	const char *path;
};

/* In the order in which a walk comes by: folders before what they hold. A
 * zeroed struct is an empty plan. */
struct pn_plan {
	struct pn_plan_item *items;
	size_t count, cap;
	struct pn_arena arena;
};

void pn_plan_release(struct pn_plan *plan);
void pn_plan_add(struct pn_plan *plan, enum pn_plan_kind kind,
		 unsigned int mode, const char *path);
bool pn_plan_has(const struct pn_plan *plan, enum pn_plan_kind kind,
		 const char *path);

/* As records that end with a NUL each, and back. */
void pn_plan_write(struct pn_buf *out, const struct pn_plan *plan);
int pn_plan_parse(struct pn_plan *plan, const char *at, const char *end,
		  struct pn_error *err);

/* How our own folders at the top of a work tree are called: <what>-<id>, where
 * the git directory is on another file system. */
#define PN_PLAN_OWN ".git-perf-"
/* Whether the first part of a path from the top is called so. */
bool pn_plan_is_own(const char *path);

/* The files of a commit as they were when they were found to be the commit's:
 * one that is still so needs no second look. Zeroed, it is filled by a walk. */
struct pn_seen {
	struct stat *files; /* in the order of the listing; st_nlink 0: none */
};
void pn_seen_release(struct pn_seen *seen);

/*
 * Walk the work tree at `root` and add to `out` how it differs from `tree`.
 * Without `seen` only what is not in `tree` at all is added (EXTRA, NESTED).
 * What `keep` (may be NULL) has as KEEP is NESTED. Symbolic links are never
 * followed. What cannot be listed or read is an error, never absent.
 */
int pn_plan_walk(struct pn_plan *out, const char *root,
		 const struct pn_listing *tree, const struct pn_plan *keep,
		 struct pn_seen *seen, struct pn_error *err);

/* The name that a file's or a symbolic link's own bytes have as a blob; zeros,
 * which is no file's, where something else has taken its place since. */
int pn_plan_hash(struct pn_oid *out, const char *path, const struct stat *st,
		 struct pn_error *err);

/* 1 when a file that is made anew at this place would have the same owner,
 * group, ACL and extended attributes, 0 when not. */
int pn_plan_is_plain(const char *path, const struct stat *st,
		     struct pn_error *err);

#endif
