/* Matrices of values in a body: whole numbers where the values allow it. */
#ifndef PN_BODY_VALUES_H
#define PN_BODY_VALUES_H

#include "body/draft.h"
#include "body/state.h"
#include "model/profile.h"

#include <stddef.h>
#include <stdint.h>

/* Write `count` rows of values, one per value type of the profile, into the
 * rows `slots` of the matrix. Types are taken in order, matrices too. */
void pn_body_values_put(struct pn_body_draft *d, const struct pn_profile *p,
			enum pn_body_matrix matrix,
			const union pn_value *values, const uint32_t *slots,
			size_t count);

/* The values of the rows that `live` marks, `count` of them, row-major; to be
 * freed. NULL when there are none. */
union pn_value *pn_body_values_get(const struct pn_body_state *s,
				   enum pn_body_matrix matrix,
				   const uint8_t *live, size_t count);

/* Doubles as whole numbers that are divided by 10^(s - 1), and s; 0: as their
 * bits. `base` (0: none) is tried first. Every `stride`-th is taken. */
uint64_t pn_body_values_scale(int64_t *out, const union pn_value *values,
			      size_t n, size_t stride, uint64_t base);
/* And back. */
double pn_body_values_double(uint64_t word, uint64_t scale);

#endif
