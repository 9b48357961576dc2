/* Putting our block into the hooks of a repository and taking it out, by the
 * rule that whatever is not ours stays as it is. */
#ifndef PN_HOOKS_SET_H
#define PN_HOOKS_SET_H

#include "analysis/history/hooked.h"
#include "base/buf.h"
#include "base/error.h"
#include "jobs/hooks/file.h"
#include "vcs/hooks.h"
#include "vcs/repo.h"

#include <stdbool.h>

#define PN_HOOKS_SET 3 /* that we have a block in */

/* One hook: what is there, and what will be. */
struct pn_hook {
	const char *name;
	char *path;
	bool exists, is_link, executable;
	enum pn_hook_state state;
	struct pn_buf text, next;
	bool alone;   /* nothing but ours */
	bool refused; /* it has no place for a block */
	enum pn_hook_change change;
};

/* Zeroed before; to be released in any case. */
struct pn_hook_set {
	struct pn_hooks place;
	struct pn_hook hooks[PN_HOOKS_SET];
	const char *const *names; /* of which hooks; NULL: pn_hook_names */
	size_t count;		  /* of these; set by load */
	bool foreign;		  /* the files are not ours to change */
};

/* What is there. */
int pn_hook_set_load(struct pn_hook_set *set, struct pn_repo *repo,
		     enum pn_hooks_scope scope, struct pn_error *err);
void pn_hook_set_release(struct pn_hook_set *set);

/*
 * All hooks or none: nothing is written unless each of them can have the
 * block. PN_EREFUSED where the files are not ours to change. Changes are noted
 * in the set, on failure too.
 */
int pn_hook_set_install(struct pn_hook_set *set, struct pn_repo *repo,
			enum pn_hooks_scope scope, struct pn_error *err);
/* Exactly the block goes; a file that was ours alone, too. */
int pn_hook_set_uninstall(struct pn_hook_set *set, struct pn_repo *repo,
			  enum pn_hooks_scope scope, struct pn_error *err);

/* "installed", "absent", ...: for programs. */
const char *pn_hook_state_name(const struct pn_hook *hook);

#endif
