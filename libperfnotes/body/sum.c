/* The sum of a column. */
#include "body/sum.h"

void pn_body_sum_begin(struct pn_body_sum *sum)
{
	/* four lanes, because a multiplication takes several cycles */
	*sum = (struct pn_body_sum){{1, 2, 3, 4}, 0};
}

void pn_body_sum_add(struct pn_body_sum *sum, const uint64_t *words,
		     size_t count)
{
	uint64_t *lane = sum->lane;
	size_t i = 0;

	for (; i + 4 <= count; i += 4) {
		lane[0] = pn_body_mix(lane[0], words[i]);
		lane[1] = pn_body_mix(lane[1], words[i + 1]);
		lane[2] = pn_body_mix(lane[2], words[i + 2]);
		lane[3] = pn_body_mix(lane[3], words[i + 3]);
	}
	for (; i < count; i++)
		lane[i % 4] = pn_body_mix(lane[i % 4], words[i]);
	sum->count += count;
}

uint64_t pn_body_sum_end(const struct pn_body_sum *sum)
{
	uint64_t all = sum->count;
	size_t i;

	for (i = 0; i < 4; i++)
		all = pn_body_mix(all, sum->lane[i]);
	return all;
}
