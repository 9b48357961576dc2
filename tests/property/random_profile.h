/* Profiles with every feature of the model, and histories of them. */
#ifndef PN_TESTS_RANDOM_PROFILE_H
#define PN_TESTS_RANDOM_PROFILE_H

#include "model/profile.h"

#include <stdint.h>

/* Numbers of one seed: SplitMix64. */
struct dice {
	uint64_t state;
};

uint64_t dice_roll(struct dice *dice);
/* Below `end`, 0 when `end` is 0. */
size_t dice_below(struct dice *dice, size_t end);

/* A profile of about so many samples, from the dice alone. */
void random_profile(struct pn_profile *out, struct dice *dice, size_t samples);
/* What a commit may change: values, rows, names, tables, facts. */
void random_change(struct pn_profile *p, struct dice *dice);

#endif
