/* Inside of base/ only: the prefix codes of deflate, RFC 1951, 3.2.2. */
#ifndef PN_BASE_PREFIX_CODE_H
#define PN_BASE_PREFIX_CODE_H

#include <stdint.h>

#define PN_PREFIX_SYMBOLS 286 /* of an alphabet, at most */
#define PN_PREFIX_BITS 15     /* of a code, at most */

struct pn_prefix_code {
	unsigned int count; /* symbols */
	unsigned int bits_max;
	uint32_t freq[PN_PREFIX_SYMBOLS]; /* below 2^23 each */
	uint8_t bits[PN_PREFIX_SYMBOLS];  /* 0: does not occur */
	uint16_t code[PN_PREFIX_SYMBOLS]; /* its first bit is the lowest one */
};

/*
 * Give the symbols that occur the lengths that make the text shortest, and
 * codes of these. Where fewer than two occur, others are taken to occur once
 * (freq says so then): some readers want two codes. Returns the bits of such a
 * text.
 */
uint64_t pn_prefix_code_make(struct pn_prefix_code *code);
/* Codes of the lengths in `bits`, counts[n] of which are n; those of symbols
 * that are not in the alphabet count, too. */
void pn_prefix_code_number(struct pn_prefix_code *code,
			   const unsigned int counts[PN_PREFIX_BITS + 1]);

#endif
