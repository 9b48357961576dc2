/* Who changed functions, from what is stored. */
#ifndef PN_FUNCTIONS_BLAMED_H
#define PN_FUNCTIONS_BLAMED_H

#include "base/buf.h"
#include "base/text/regex.h"
#include "jobs/functions/gather.h"

/* Zeroed before, released in any case. */
struct pn_blamed {
	struct pn_functions_gathered gathered;
	struct pn_blame blame; /* of it */
	struct pn_regex *regex;
};

/* `pattern` (NULL: all) is the rule's; see pn_function_changes_of for
 * `min_effect`. */
int pn_blamed_read(struct pn_blamed *out, const char *pattern,
		   double min_effect,
		   const struct pn_functions_request *request,
		   struct pn_error *err);
/* Append what there is to say where there are no rows, or not all: a line
 * without LF, not escaped. */
void pn_blamed_why(struct pn_buf *out, const struct pn_blamed *blamed);
void pn_blamed_release(struct pn_blamed *blamed);

#endif
