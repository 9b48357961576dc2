/* Names of the command line to profiles, with the user's help. */
#ifndef CMD_FIND_PROFILE_H
#define CMD_FIND_PROFILE_H

#include "storage/lookup/lookup.h"

/*
 * As pn_lookup_find. Where that finds nothing and a user sits at the terminal,
 * files below the current folder whose name holds `text` are offered one by
 * one. No is the answer of an empty line and of the end of input.
 */
int find_profile(struct pn_found_list *out, const struct pn_lookup *lookup,
		 const char *text, struct pn_error *err);

/* The same of what is stored: says where profiles are when a clone has none. */
int find_stored_profile(struct pn_found_list *out,
			const struct pn_lookup *lookup, const char *text,
			struct pn_error *err);

/* The same where one profile is wanted: PN_EAMBIGUOUS when a range names
 * several. */
int find_one_profile(struct pn_found_list *out, const struct pn_lookup *lookup,
		     const char *text, struct pn_error *err);

#endif
