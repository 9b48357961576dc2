/* The costs of functions as a filter gets them. */
#ifndef PN_FUNCTIONS_TABLE_H
#define PN_FUNCTIONS_TABLE_H

#include "base/arena.h"
#include "base/strtab.h"
#include "detect/functions/functions.h"

/* What a table may hold. */
#define PN_FUNCTION_TABLE_MAX 1000000
#define PN_FUNCTION_TABLE_MAX_VALUES 20000000

/* A zeroed struct is empty. */
struct pn_function_table {
	/* What is not borrowed elsewhere is in the arena. */
	struct pn_function_costs *functions;
	size_t count, cap;
	struct pn_strtab uids; /* of function i under the id i + 1 */
	struct pn_arena arena;
	size_t runs[2];
	size_t values; /* of all functions */
};

void pn_function_table_release(struct pn_function_table *table);
const char *pn_function_table_uid(const struct pn_function_table *table,
				  size_t function, size_t *len);

/*
 * A line for each function:
 *
 *	uid TAB baseline values TAB target values
 *
 * and where known TAB calls in the baseline TAB calls in the target; values
 * are parted by blanks, one a run, "-" or "nan" where it is not known; nothing
 * where the function is not there. As JSON a list of objects with "uid",
 * "baseline", "target", "baseline_calls" and "target_calls", or an object with
 * that list as "functions". PN_EINVAL when a function is named twice or has
 * another number of runs than the ones before; PN_ELIMIT.
 */
int pn_function_table_parse(struct pn_function_table *out, const char *text,
			    size_t len, struct pn_error *err);

#endif
