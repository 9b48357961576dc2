/*
 * What a hook of git puts into the queue, and who is to work on it then. Quick
 * and without libgit2: whoever commits waits for it.
 */
#ifndef PN_HOOKS_QUEUE_H
#define PN_HOOKS_QUEUE_H

#include "base/buf.h"
#include "base/error.h"
#include "vcs/gitdir.h"

#include <stdbool.h>
#include <stddef.h>

/* GIT_PERF_HOOK_MODE, else perf.hookMode. */
enum pn_hook_mode {
	PN_HOOK_BACKGROUND, /* a worker that nobody waits for (default) */
	PN_HOOK_FOREGROUND, /* the hook itself measures */
	PN_HOOK_QUEUE,	    /* nobody: a worker is started by hand */
	PN_HOOK_OWN	    /* background, but nothing that a pull brings */
};

/* PN_EINVAL, where *out is the default, names what is set and what there is. */
int pn_hook_mode_read(enum pn_hook_mode *out, const struct pn_gitdir *dir,
		      struct pn_error *err);

/*
 * Queue what `hook` ("post-commit", "post-merge", "post-rewrite") was called
 * for; `how` is git's first argument or "". A rewrite's pairs of commits are
 * read from standard input. *count is how many lines were queued. In the
 * middle of a rebase all is queued, too: the worker waits.
 */
int pn_hook_queue(size_t *count, const struct pn_gitdir *dir, const char *hook,
		  const char *how, enum pn_hook_mode mode,
		  struct pn_error *err);

#endif
