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

#endif
