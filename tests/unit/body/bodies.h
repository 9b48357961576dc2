/* Encoding a profile and comparing it with what its body says; behind
 * cmocka.h. */
#ifndef TESTS_UNIT_BODY_BODIES_H
#define TESTS_UNIT_BODY_BODIES_H

#include "body/body.h"

static void encode(struct pn_buf *out, struct pn_body_state **state,
		   const struct pn_profile *p, const struct pn_body_state *base,
		   const struct pn_oid *oid)
{
	struct pn_error err;

	if (pn_body_encode(out, state, p, base, oid, &err))
		fail_msg("%s", err.message);
}

static void reads_back(const struct pn_buf *body,
		       const struct pn_body_state *base,
		       const struct pn_profile *p)
{
	struct pn_body_state *state = NULL;
	struct pn_profile again;
	struct pn_error err;
	char why[200];

	pn_profile_init(&again);
	if (pn_body_decode(&state, body->data, body->len, base, &err) ||
	    pn_body_profile(&again, state, &err))
		fail_msg("%s", err.message);
	if (!pn_profile_equal(&again, p, why, sizeof(why)))
		fail_msg("%s", why);
	pn_profile_release(&again);
	pn_body_state_free(state);
}

#endif
