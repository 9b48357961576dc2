/* Inside of inplace*.c only: a run in place, as in memory and on the disk. */
#ifndef PN_INPLACE_STATE_H
#define PN_INPLACE_STATE_H

#include "vcs/inplace/inplace.h"
#include "vcs/inplace/listing.h"
#include "vcs/inplace/plan.h"

#include <sys/types.h>

#define PN_INPLACE_FILE_MAX (1u << 30) /* plan, index */

/* Files of the state. */
#define PN_INPLACE_PLAN "plan"
#define PN_INPLACE_INDEX "index"
#define PN_INPLACE_HEAD "HEAD"
#define PN_INPLACE_PHASE "phase"
#define PN_INPLACE_SAFETY "safety"
#define PN_INPLACE_CURRENT "current"
#define PN_INPLACE_NEXT "next"
#define PN_INPLACE_RUN_INDEX "run"
#define PN_INPLACE_BEFORE "before"     /* the run's index before a checkout */
#define PN_INPLACE_REPLACED "replaced" /* its own of index and HEAD */

#define PN_INPLACE_TAKES_MAX 16 /* folders of what gave way to a checkout */

enum pn_inplace_phase {
	PN_PHASE_MOVING,   /* no file "phase": things are being set aside */
	PN_PHASE_ASIDE,	   /* the work tree belongs to the run */
	PN_PHASE_PUT_BACK, /* it is the first commit's; putting back */
	PN_PHASE_LEFT /* all is back but what could not be, HEAD and index, too
		       */
};

/* What could not be moved or made. */
struct pn_stuck {
	char *full, *why;
	dev_t dev; /* and st_ino, of what was there; 0: nothing */
	ino_t ino;
};

struct pn_inplace {
	struct pn_repo *repo; /* borrowed */
	int lock;
	char *state; /* the folder; its name changes at the ends of a run */
	const char *root;
	bool elsewhere;	       /* aside lies in the work tree: the git
				* directory is on another file system */
	char id[17];	       /* random, names the ref and the folders */
	struct pn_oid home;    /* HEAD's commit when it began */
	struct pn_oid current; /* zero: not moved yet */
	struct pn_oid next;    /* zero: no step is under way */
	struct pn_oid safety;  /* the stash-shaped commit; zero: none */
	struct pn_plan plan;
	struct pn_listing tree; /* of `current`, else of `home` */
	struct pn_seen seen;	/* while it begins */
	unsigned int takes;	/* number of the folder of taken files */
	unsigned int told;	/* lines about files that somebody changed, */
	unsigned int kept;	/* and about index and HEAD */
	bool has_index;
	/* the run's own is in the place of the user's */
	bool index_replaced, head_replaced;
	bool lost;	     /* something that was set aside is gone */
	char *leftovers;     /* where the last ones went */
	struct pn_buf notes; /* for the report */
	struct pn_stuck *stuck;
	size_t stuck_count, stuck_cap;
};

/* state.c */
char *pn_inplace_path(const struct pn_inplace *run, const char *name);
char *pn_inplace_aside(const struct pn_inplace *run, const char *path);
void pn_inplace_free_stuck(struct pn_inplace *run);
void pn_inplace_free(struct pn_inplace *run);
void pn_inplace_note(struct pn_inplace *run, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* flock. Waits for git processes whose parent died; PN_EREFUSED while another
 * run goes on. */
int pn_inplace_lock(struct pn_inplace *run, struct pn_error *err);
/* A small file of the state, on the disk. */
int pn_inplace_put(const struct pn_inplace *run, const char *name,
		   const char *text, struct pn_error *err);
int pn_inplace_save(const struct pn_inplace *run, struct pn_error *err);
/* Which of index and HEAD are the run's own: "none", or their names. */
int pn_inplace_put_replaced(const struct pn_inplace *run, struct pn_error *err);
int pn_inplace_load(struct pn_inplace *run, struct pn_error *err);
int pn_inplace_phase(enum pn_inplace_phase *out, const struct pn_inplace *run,
		     struct pn_error *err);
/* Whether there is a folder of that name, "state" or one of its ends; true,
 * too, when that cannot be told. */
bool pn_inplace_has(const struct pn_repo *repo, const char *name);
/* Rename the state's folder, on the disk. */
int pn_inplace_rename(struct pn_inplace *run, const char *name,
		      struct pn_error *err);

/* git.c: git on this work tree, without hooks, with its own index
 * (NULL: none is used). `args` without "git", NULL at the end. The exit status
 * counts as failure unless `status` is given; a signal always does. */
int pn_inplace_git(struct pn_buf *out, int *status,
		   const struct pn_inplace *run, const char *index,
		   const char *const *args, struct pn_error *err);
/* The same with an open file as standard input; *status and what git said (1024
 * bytes) are for the caller to judge. */
int pn_inplace_git_in(int in, char *said, int *status,
		      const struct pn_inplace *run, const char *index,
		      const char *const *args, struct pn_error *err);
/* A copy with mode and time, on the disk. PN_ENOTFOUND when it is absent. */
int pn_inplace_copy(const char *from, const char *to, struct pn_error *err);

/* own.c: replace <git dir>/<name>, index or HEAD, by <state>/<from> through its
 * lock file. The user's own, as it is then, is what comes back. */
int pn_inplace_install(struct pn_inplace *run, const char *from,
		       const char *name, struct pn_error *err);
/* Those that were replaced come back. */
int pn_inplace_restore_own(struct pn_inplace *run, struct pn_error *err);

/* check.c: what must not be touched; and, by the plan, mount points that would
 * have to be renamed. */
int pn_inplace_check(const struct pn_inplace *run, struct pn_error *err);
int pn_inplace_check_mounts(const struct pn_inplace *run, struct pn_error *err);

/* sparse.c: add to the plan what a sparse checkout would take away. */
int pn_inplace_sparse(struct pn_inplace *run, struct pn_error *err);
int pn_inplace_is_sparse(bool *out, const struct pn_inplace *run,
			 struct pn_error *err);
/* Make `index` that of a commit, what is outside of the patterns marked. */
int pn_inplace_sparse_index(const struct pn_inplace *run, const char *index,
			    const char *hex, struct pn_error *err);

/* save.c: the safety copy. */
int pn_inplace_save_copy(struct pn_inplace *run, struct pn_error *err);
int pn_inplace_drop_copy(struct pn_inplace *run, struct pn_error *err);

/* move.c */
char *pn_inplace_in_tree(const struct pn_inplace *run, const char *path);
/* The folder of a full path in the work tree, or below the run's own folder in
 * the git directory: see pn_beneath_open. */
int pn_inplace_open(int *fd, const struct pn_inplace *run, const char *full,
		    bool make, struct pn_error *err);
/* rename(2), with the folders above `to`. PN_ENOTFOUND: `from` is gone;
 * PN_ECONFLICT: something is at `to`, which is never replaced. PN_EREFUSED: a
 * symbolic link is in the way, which is never followed. */
int pn_inplace_move(const struct pn_inplace *run, const char *from,
		    const char *to, struct pn_error *err);
/* unlinkat(2) of a full path; no link above it is followed. -1 and errno. */
int pn_inplace_remove(const struct pn_inplace *run, const char *full,
		      int flags);
int pn_inplace_set_aside(struct pn_inplace *run, struct pn_error *err);
/* What was renamed is on the disk: where no journal keeps it in order. */
int pn_inplace_sync_tree(const struct pn_inplace *run, struct pn_error *err);
/* 1 when everything above a path of the work tree is a real folder: nothing is
 * ever done through a symbolic link. */
int pn_inplace_reach(const struct pn_inplace *run, const char *path,
		     struct pn_error *err);
/* again.c: before the first checkout, what was saved since the plan was made is
 * added to it and set aside. */
int pn_inplace_look_again(struct pn_inplace *run, struct pn_error *err);
/* lost.c: what was deleted while the run began leaves the plan. */
int pn_inplace_drop_deleted(struct pn_inplace *run, struct pn_error *err);
/* Before anything is put back: what is not aside any more is noted, leaves the
 * plan in memory, and keeps the safety copy from being dropped. */
int pn_inplace_find_lost(struct pn_inplace *run, struct pn_error *err);
/* 1 when something was, 0 or an error. */
int pn_inplace_has_lost(const struct pn_inplace *run, struct pn_error *err);
/* Move what is not of `tree` to leftovers; with `next` only what is in the way
 * of its files. Files of `tree` that differ from the run's index go, too. */
int pn_inplace_sweep(struct pn_inplace *run, const struct pn_listing *tree,
		     const struct pn_listing *next, struct pn_error *err);
/* A path of the work tree into the folder of leftovers. */
int pn_inplace_leave(struct pn_inplace *run, const char *path, const char *full,
		     struct pn_error *err);

/* hold.c: lock a linked worktree as `git worktree lock` does, unless it is
 * locked; unlock what was locked so. */
int pn_inplace_hold(const struct pn_inplace *run, struct pn_error *err);
int pn_inplace_release_hold(const struct pn_inplace *run, struct pn_error *err);

/* stuck.c: after EACCES, open the folder that holds `full`, and `full` itself
 * when that is one, as far as they are the user's. True when that changed
 * something. */
bool pn_inplace_open_folders(const struct pn_inplace *run, const char *full);
/* What could not be done at `full`. */
void pn_inplace_stuck(struct pn_inplace *run, const char *full,
		      const struct pn_error *why);
/* At the end: what of that is still so becomes notes, each with the command
 * that helps. */
void pn_inplace_tell_stuck(struct pn_inplace *run);

/* taken.c: what git wrote moves out of the way of a checkout; what is
 * not there is fine. */
int pn_inplace_take(struct pn_inplace *run, const char *path,
		    struct pn_error *err);
/* Delete what was taken and has the bytes that `known` has at its path, or that
 * git wrote; the rest goes to the leftovers, and is told. */
int pn_inplace_settle(struct pn_inplace *run, const struct pn_listing *known,
		      struct pn_error *err);

/* checkout.c: an index of the run's own, of `home`. */
int pn_inplace_make_index(const struct pn_inplace *run, struct pn_error *err);
/* The index as it is now is what settle asks, until the next call: git replaces
 * it by rename. */
int pn_inplace_keep_index(const struct pn_inplace *run, struct pn_error *err);
/* The work tree becomes that of a commit; `known` is what git may have written
 * there before. */
int pn_inplace_checkout(struct pn_inplace *run, const struct pn_oid *commit,
			const struct pn_listing *known, struct pn_error *err);

#endif
