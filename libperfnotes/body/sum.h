/* The sums of columns, by which a decoder sees that nothing was changed. */
#ifndef PN_BODY_SUM_H
#define PN_BODY_SUM_H

#include <stddef.h>
#include <stdint.h>

/*
 * One step of the sum. For a fixed other side it is a bijection of `h` and of
 * `word`, so that no change of a single word goes unseen; the multiplier is
 * that of Knuth's multiplicative hashing, 2^64 / phi.
 */
static inline uint64_t pn_body_mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 32;
}

/* The sum of a column whose words come block by block; each block but the last
 * has a multiple of four. */
struct pn_body_sum {
	uint64_t lane[4];
	size_t count;
};

void pn_body_sum_begin(struct pn_body_sum *sum);
void pn_body_sum_add(struct pn_body_sum *sum, const uint64_t *words,
		     size_t count);
uint64_t pn_body_sum_end(const struct pn_body_sum *sum);

#endif
