/* A profile named on the command line: what show and export share. */
#ifndef CMD_PROFILE_ARG_H
#define CMD_PROFILE_ARG_H

#include "base/error.h"
#include "codec/codec.h"
#include "collect/perf_file.h"
#include "context.h"
#include "model/profile.h"

struct profile_arg {
	const char *name;   /* git-perf(1), NAMING A PROFILE; "-": stdin */
	const char *commit; /* whose list is looked in; NULL: HEAD's */
	const char *format; /* of a file; NULL: recognised by content */
	struct pn_oid
		*measured; /* set to the commit of a stored one; or NULL */
	bool raw;	   /* its bytes alone are wanted */
};

/* Where a profile comes from, with a repository of its own. */
struct profile_source {
	struct context context; /* without a repository: of a file */
	struct pn_found_list found;
	struct pn_perf_file data;
	const struct pn_codec *codec;
};

/*
 * Find one profile, which may ask on the terminal. Paths that begin with '/',
 * './' or '../', and '-', are files and nothing else; other names are looked
 * up in the repository first, and are files outside of one. To be closed in
 * any case.
 */
int open_profile(struct profile_source *out, const struct profile_arg *arg,
		 struct pn_error *err);
void close_profile(struct profile_source *source);

/* Say once what a file of this format does not hold of the profile's value
 * types and runs. */
void warn_of_loss(const struct pn_codec *codec,
		  const struct pn_profile *profile);

/* Names for addresses, from the files of this machine. What stays an address is
 * said: nothing else in the output would tell. */
int symbolize_profile(struct pn_profile *profile, struct pn_error *err);

/* Find one, read it, close it. */
int load_profile(struct pn_profile *out, const struct profile_arg *arg,
		 struct pn_error *err);

#endif
