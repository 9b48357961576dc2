/* Inside of vcs/ only: which of git log's options a walk can take. */
#ifndef PN_WALK_LOG_OPTIONS_H
#define PN_WALK_LOG_OPTIONS_H

#include "base/error.h"

/* PN_EINVAL names the first argument (before "--") that would change what git
 * log prints or where it prints it. */
int pn_log_options_check(const char *const *args, struct pn_error *err);

#endif
