/* Inside of vcs/ only: objects that other repositories lend,
 * gitrepository-layout(5), objects/info/alternates. */
#ifndef PN_OBJECTS_LENT_H
#define PN_OBJECTS_LENT_H

#include "base/error.h"
#include "vcs/repo.h"

#include <stdbool.h>

/* Where a folder that lends some is not there, an object that is missing may be
 * in it: `err` says so, too, and true is returned. */
bool pn_lent_advise(struct pn_error *err, struct pn_repo *repo);

#endif
