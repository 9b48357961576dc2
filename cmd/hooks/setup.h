/* Putting our block into hooks and taking it out; `init` does it, too. */
#ifndef CMD_HOOK_SETUP_H
#define CMD_HOOK_SETUP_H

#include "base/buf.h"
#include "base/error.h"
#include "vcs/hooks.h"
#include "vcs/repo.h"

#include <stdbool.h>

/*
 * All hooks or none: nothing is written unless each of them can have the
 * block. Says what it did; PN_EREFUSED, with the lines to paste said before,
 * where the files are not ours to change.
 */
int hooks_install(struct pn_repo *repo, enum pn_hooks_scope scope,
		  struct pn_error *err);
/* The one that sends profiles with what git pushes. */
int hooks_install_push(struct pn_repo *repo, struct pn_error *err);
/* Exactly the block goes; a file that was ours alone, too. */
int hooks_uninstall(struct pn_repo *repo, enum pn_hooks_scope scope,
		    struct pn_error *err);
/* As text or JSON; *complete: each hook has the block. */
int hooks_status(struct pn_buf *out, bool *complete, struct pn_repo *repo,
		 enum pn_hooks_scope scope, bool json, struct pn_error *err);

#endif
