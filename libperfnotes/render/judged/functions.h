/* Verdicts on functions, as lines of text or as JSON. */
#ifndef PN_JUDGED_FUNCTIONS_H
#define PN_JUDGED_FUNCTIONS_H

#include "base/buf.h"
#include "base/json/json.h"
#include "detect/functions/table.h"

/* Name, verdict, ratio and q of each function, in the order given, parted by
 * tabs; "-" for what is not known. */
void pn_functions_text(struct pn_buf *out, const struct pn_functions *found,
		       const struct pn_function_table *table);
void pn_functions_json(struct pn_buf *out, const struct pn_functions *found,
		       const struct pn_function_table *table);
/* What is said of one, as members: verdict, ratio, low, high, p, q, mde, delta,
 * share, cause, calls_ratio, each_ratio. */
void pn_functions_members(struct pn_json_writer *w,
			  const struct pn_function_verdict *verdict);

#endif
