/*
 * What functions cost in bodies that are read one after the other, straight
 * from their columns: most of them share names, stacks and all with the one
 * before, and no profile has to be built.
 */
#ifndef PN_BODY_FUNCTIONS_H
#define PN_BODY_FUNCTIONS_H

#include "base/strtab.h"
#include "body/body.h"
#include "model/symbols.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pn_body_functions;

struct pn_body_functions *pn_body_functions_new(enum pn_demangling how);
/* Takes NULL. */
void pn_body_functions_free(struct pn_body_functions *functions);

/* Of one body; lives until the next is read. Ids are the same for all. */
struct pn_body_costs {
	size_t count; /* of ids; those below it that cost nothing have zeros */
	const double *self, *total;
	const char *type, *unit; /* with a NUL */
	enum pn_better better;
	double sum; /* of the absolute values of all samples */
};

/*
 * Whether the figures are those of a report by functions (analysis/report.h),
 * names demangled, of the value type `type` (NULL: the default one): samples of
 * one run without frames to drop. What is not so has to be read as a profile.
 * Time O(stacks as a tree), where that is not the one of the body before
 * O(frames).
 */
bool pn_body_functions_read(struct pn_body_costs *out,
			    struct pn_body_functions *functions,
			    const struct pn_body_state *state,
			    const char *type);
/* Name and file ("": not known) of an id. */
const char *pn_body_function_name(const struct pn_body_functions *functions,
				  size_t id, size_t *len);
const char *pn_body_function_file(const struct pn_body_functions *functions,
				  size_t id);

#endif
