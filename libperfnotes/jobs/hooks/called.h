/* What one of git's hooks, which call us, wants: githooks(5) says when, and
 * what git hands over. */
#ifndef PN_HOOKS_CALLED_H
#define PN_HOOKS_CALLED_H

#include "base/error.h"

#include <stdio.h>

enum pn_hook_wish {
	PN_HOOK_WISH_UNKNOWN, /* no hook of ours */
	PN_HOOK_WISH_NOTHING,
	PN_HOOK_WISH_QUEUE, /* of commits */
	PN_HOOK_WISH_PUSH   /* of profiles, to the remote that has a name */
};

/* `words` are the hook's name and git's arguments. Within a measurement, and in
 * CI, nothing is wanted. */
enum pn_hook_wish pn_hook_called(const char *const *words, size_t count);

/*
 * Before git pushes what `from` says, lines as githooks(5) has them: our
 * profiles go to that remote, too, unless git is about to send them itself. The
 * user's push does not wait for one that stands. `unsure` has a message where
 * what was taken in by the way is doubtful.
 */
int pn_hook_push(struct pn_error *unsure, const char *remote, FILE *from,
		 struct pn_error *err);

#endif
