/* Patterns of a hostile file. */
#include "jobs/judge/pattern.h"

#include "jobs/matrix/matrix.h"

#define STARS_MAX 3

/* Matching takes a step more for each place that each star may end at. */
int pn_pattern_check(const char *pattern, size_t len, struct pn_error *err)
{
	size_t i, stars = 0;

	for (i = 0; i < len; i++)
		stars += pattern[i] == '*';
	if (len > PN_MATRIX_MAX_NAME || stars > STARS_MAX)
		return pn_error_set(err, PN_ELIMIT,
				    "a pattern has %d bytes and %d stars at "
				    "most",
				    PN_MATRIX_MAX_NAME, STARS_MAX);
	return 0;
}
