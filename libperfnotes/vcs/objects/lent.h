/* Inside of vcs/ only: objects that other repositories lend,
 * gitrepository-layout(5), objects/info/alternates. */
#ifndef PN_OBJECTS_LENT_H
#define PN_OBJECTS_LENT_H

#include "base/buf.h"
#include "base/error.h"
#include "vcs/repo.h"

#include <stdbool.h>

/* The text of such a file of a folder of objects, "" where there is none; and
 * the next folder that it names, "" at the end. */
void pn_lent_read(struct pn_buf *out, const char *objects);
void pn_lent_next(struct pn_buf *out, const char **at, const char *objects);
/* The folders of objects that the environment names, a NUL behind each: of a
 * quarantine (a server's hook), and borrowed ones. */
void pn_lent_given(struct pn_buf *out);

/* Where a folder that lends some is not there, an object that is missing may be
 * in it: `err` says so, too, and true is returned. */
bool pn_lent_advise(struct pn_error *err, struct pn_repo *repo);

#endif
