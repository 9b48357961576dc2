/* Inside of vcs/ only: configuration that needs no child. */
#ifndef PN_CONFIG_CONFIG_H
#define PN_CONFIG_CONFIG_H

#include "base/error.h"
#include "vcs/repo.h"

#include <stdbool.h>

/* As pn_repo_config, of the files that libgit2 sees: enough for what only a
 * repository's own file can say, and never runs git. */
int pn_config_own(char **out, struct pn_repo *repo, const char *key,
		  struct pn_error *err);

/*
 * What the files of the system and the user say, for where there is no
 * repository; *out is NULL when they say nothing. False when only git can tell.
 */
bool pn_config_user(char **out, const char *key);

/* Whether one of these variables of the environment is set; NULL ends them. */
bool pn_config_any_set(const char *const *names);

#endif
