/*
 * The environment of a command whose instructions are counted: the same
 * variables in the same order and the same number of bytes each time. The
 * loader and getenv(3) walk over all of it, and its size decides where the
 * stack begins and so which way string functions take.
 */
#ifndef PN_COLLECT_STEADY_H
#define PN_COLLECT_STEADY_H

#include "base/arena.h"

/* Its bytes, those of the arguments and all pointers together are a multiple
 * of this: few environments need more than one. */
#define PN_STEADY_BYTES 8192

struct pn_steady {
	const char *const *have;  /* "NAME=value" to choose from: ours */
	const char *const *given; /* all of them pass, before those; or NULL */
	const char *const *argv;  /* of the command; NULL: not known */
	const char *names;	  /* "A,B": that pass, too; or NULL */
	const char *dir;	  /* the working folder, for PWD */
};

/*
 * Of what we have only variables pass that say how programs run (PATH, HOME,
 * locale, those of language runtimes). The most common have a place of their
 * own, that an empty variable of a name as long takes when they are not there.
 * The rest follows by name; GIT_PERF_PADDING is before and
 * GIT_PERF_PADDING_END behind all of them. In `arena`;
 * texts of `have` and `given` are borrowed.
 */
const char *const *pn_steady_environment(struct pn_arena *arena,
					 const struct pn_steady *steady);

#endif
