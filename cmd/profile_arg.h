/* A profile named on the command line: what show and export share. */
#ifndef CMD_PROFILE_ARG_H
#define CMD_PROFILE_ARG_H

#include "base/error.h"
#include "model/profile.h"

struct profile_arg {
	const char *name;   /* see CLI.md, "Naming a profile"; "-": stdin */
	const char *commit; /* whose list is looked in; NULL: HEAD's */
	const char *format; /* of a file; NULL: recognised by content */
};

/*
 * Find one profile and read it. Paths that begin with '/', './' or '../', and
 * '-', are files and nothing else; other names are looked up in the
 * repository first, and are files outside of one.
 */
int load_profile(struct pn_profile *out, const struct profile_arg *arg,
		 struct pn_error *err);

#endif
