/* The order of a duel's runs. */
#include "detect/duel/order.h"

#include "base/numbers/random.h"

bool pn_duel_quad_begins_with_b(uint64_t seed, uint64_t quad)
{
	uint64_t state = seed + quad;

	return pn_random_next(&state) >> 63;
}

bool pn_duel_run_is_b(uint64_t seed, uint64_t run)
{
	bool middle = run % PN_DUEL_QUAD == 1 || run % PN_DUEL_QUAD == 2;

	return middle != pn_duel_quad_begins_with_b(seed, run / PN_DUEL_QUAD);
}
