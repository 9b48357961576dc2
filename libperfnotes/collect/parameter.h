/*
 * Parameters of a command: {NAME} in its text stands for one value after the
 * other. As hyperfine's -P and -L have them.
 */
#ifndef PN_COLLECT_PARAMETER_H
#define PN_COLLECT_PARAMETER_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

#define PN_PARAMETER_MAX_VALUES 1000

struct pn_parameter {
	char *name;
	char **values;
	size_t count, cap;
};

void pn_parameter_release(struct pn_parameter *parameter);

/* "NAME,a,b,c"; "\," is a comma of a value. */
int pn_parameter_parse_list(struct pn_parameter *out, const char *text,
			    struct pn_error *err);
/*
 * "NAME,MIN,MAX[,STEP]", decimal numbers, MAX included when a step meets it.
 * Exact: 0.1,0.3,0.1 is 0.1, 0.2 and 0.3, all written with as many digits as
 * the finest of the three numbers has. The step is 1, -1 when MAX is below
 * MIN.
 */
int pn_parameter_parse_scan(struct pn_parameter *out, const char *text,
			    struct pn_error *err);

/* How many combinations there are; 0 when over `limit`. */
size_t pn_parameter_combinations(const struct pn_parameter *parameters,
				 size_t count, size_t limit);
/* The value of parameter `which` in a combination; the last one turns over
 * fastest. */
const char *pn_parameter_value(const struct pn_parameter *parameters,
			       size_t count, size_t combination, size_t which);
/*
 * Append `text` with each {NAME} replaced. What is replaced is not looked at
 * again. used[i] is set for each parameter found (may be NULL).
 */
void pn_parameter_replace(struct pn_buf *out, bool *used, const char *text,
			  const struct pn_parameter *parameters, size_t count,
			  size_t combination);

#endif
