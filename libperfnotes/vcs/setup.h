/* Changing a repository's own configuration: adds what is missing, takes away
 * only what it is told exactly, says what it did. Runs `git config`, which
 * knows all its files. */
#ifndef PN_VCS_SETUP_H
#define PN_VCS_SETUP_H

#include "base/buf.h"
#include "base/error.h"
#include "vcs/repo.h"

#include <stdbool.h>

/* Whether git knows a remote of that name. */
int pn_setup_has_remote(bool *out, struct pn_repo *repo, const char *name,
			struct pn_error *err);
/* The only remote that there is, as git-fetch(1) takes it; NULL where there are
 * several or none. `perf-x` beside x (git perf pull --filter) does not count.
 * The caller frees. */
char *pn_setup_only_remote(struct pn_repo *repo);
/* All values of a key, each followed by a NUL; nothing when it is not set. */
int pn_setup_values(struct pn_buf *out, struct pn_repo *repo, const char *key,
		    struct pn_error *err);
/* All that is set of keys which a regular expression (git-config(1)) matches:
 * "key LF value NUL", or "key NUL" for one without a value. */
int pn_setup_matching(struct pn_buf *out, struct pn_repo *repo,
		      const char *regex, struct pn_error *err);
/* What git takes a key for, of whatever file: a boolean. PN_ENOTFOUND, and *on
 * false: it is not set. PN_EIO: it is none, too. */
int pn_setup_flag(bool *on, struct pn_repo *repo, const char *key,
		  struct pn_error *err);
/* Add the value to a key of several values unless it is there; *added says
 * which. */
int pn_setup_add(bool *added, struct pn_repo *repo, const char *key,
		 const char *value, struct pn_error *err);
/* Take the value out of a key of the repository's own file; *removed says
 * whether it was there. */
int pn_setup_remove(bool *removed, struct pn_repo *repo, const char *key,
		    const char *value, struct pn_error *err);
/* Set a key of one value unless it has that value. */
int pn_setup_set(bool *changed, struct pn_repo *repo, const char *key,
		 const char *value, struct pn_error *err);

#endif
