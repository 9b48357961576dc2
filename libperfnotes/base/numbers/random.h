/*
 * Random numbers that follow from a seed, the same everywhere: splitmix64 of
 * Steele, Lea & Flood (OOPSLA 2014). For simulations, shuffles and made-up
 * inputs; never for what nobody may guess.
 */
#ifndef PN_NUMBERS_RANDOM_H
#define PN_NUMBERS_RANDOM_H

#include <stdint.h>

/* The next number; any seed may be the first state. */
uint64_t pn_random_next(uint64_t *state);

#endif
