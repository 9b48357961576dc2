/*
 * In which order the runs of a duel are made: quads of four, ABBA or BAAB by
 * one coin each. The coin makes the sign of every difference fair whatever
 * the machine does; the mirrored halves cancel what drifts. The seed is kept
 * with the record, so that a duel can be replayed.
 */
#ifndef PN_DUEL_ORDER_H
#define PN_DUEL_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_DUEL_QUAD 4 /* runs: two pairs */

/* Whether quad `quad` begins with B: BAAB, else ABBA. */
bool pn_duel_quad_begins_with_b(uint64_t seed, uint64_t quad);

/* Whether run `run` (0, 1, ...) is one of B. Pair k is the runs 2k, 2k + 1. */
bool pn_duel_run_is_b(uint64_t seed, uint64_t run);

#endif
