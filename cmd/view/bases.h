/* Profiles that are added up, and those that are subtracted: what show, export
 * and merge share. */
#ifndef CMD_VIEW_BASES_H
#define CMD_VIEW_BASES_H

#include "analysis/merge/reshape.h"
#include "command.h"
#include "profile_arg.h"

/* All of them as one profile, in their order, or the first and then the last
 * ones first, as pstats adds; `from` says how they are looked up. To be
 * released. */
int load_sum(struct pn_profile *out, const char *const *names, size_t count,
	     bool last_first, const struct profile_arg *from,
	     struct pn_error *err);
/* 0, or the exit code of a usage error. */
int check_bases(const struct pn_bases *bases, const struct command *command);
/* The profile without its bases, in place of itself. */
int subtract_bases(struct pn_profile *profile, const struct pn_bases *bases,
		   const struct profile_arg *from, struct pn_error *err);

#endif
