/*
 * Prefix codes from frequencies. Lengths after Moffat and Katajainen, "In-place
 * calculation of minimum-redundancy codes", WADS 1995.
 */
#include "base/prefix_code.h"

#include <stddef.h>
#include <string.h>

/* A symbol's number is below, its frequency above. */
#define SYMBOL_BITS 9
#define SYMBOL_MASK ((1u << SYMBOL_BITS) - 1)
/* Of small texts nearly all symbols are rarer. */
#define RARE 32

/* Symbols that occur, the rarest first: places by counting, then the few that
 * are not rare put in order. */
static size_t sort_symbols(uint32_t *out, const struct pn_prefix_code *a)
{
	unsigned int ends[RARE + 1] = {0}, i;
	size_t n, k;

	for (i = 0; i < a->count; i++)
		if (a->freq[i])
			ends[a->freq[i] < RARE ? a->freq[i] : RARE]++;
	for (i = 1; i <= RARE; i++)
		ends[i] += ends[i - 1];
	n = ends[RARE];
	for (i = a->count; i-- > 0;)
		if (a->freq[i])
			out[--ends[a->freq[i] < RARE ? a->freq[i] : RARE]] =
				a->freq[i] << SYMBOL_BITS | i;
	for (k = ends[RARE] + 1; k < n; k++) {
		uint32_t symbol = out[k];
		size_t to = k;

		for (; to > ends[RARE] && out[to - 1] > symbol; to--)
			out[to] = out[to - 1];
		out[to] = symbol;
	}
	return n;
}

/* Weights, ascending, to places of parents; the last inner node is the root. */
static void find_parents(uint32_t *w, size_t n)
{
	size_t leaf = 2, root = 0, next;
	unsigned int k;

	w[0] += w[1];
	for (next = 1; next < n - 1; next++) {
		uint32_t sum = 0;

		for (k = 0; k < 2; k++) {
			if (leaf < n && (root == next || w[root] >= w[leaf])) {
				sum += w[leaf++];
			} else {
				sum += w[root];
				w[root++] = (uint32_t)next;
			}
		}
		w[next] = sum;
	}
}

/* Weights, ascending, two at least, to the depths of their leaves, descending,
 * all in one place. */
static void find_depths(uint32_t *w, size_t n)
{
	size_t root = n - 1, next, places = 1, inner;
	uint32_t depth;

	find_parents(w, n);
	w[n - 2] = 0;
	for (next = n - 2; next-- > 0;)
		w[next] = w[w[next]] + 1;
	next = n;
	for (depth = 0; places; depth++) {
		for (inner = 0; root > 0 && w[root - 1] == depth; root--)
			inner++;
		for (; places > inner; places--)
			w[--next] = depth;
		places = 2 * inner;
	}
}

/* Codes that were too long are as long as may be now; others grow for it until
 * the code is one again. */
static void mend_lengths(unsigned int counts[PN_PREFIX_BITS + 1],
			 unsigned int max)
{
	uint32_t sum = 0;
	unsigned int i;

	for (i = 1; i <= max; i++)
		sum += counts[i] << (max - i);
	for (; sum > 1u << max; sum--) {
		counts[max]--;
		for (i = max - 1; !counts[i]; i--)
			;
		counts[i]--;
		counts[i + 1] += 2;
	}
}

static uint16_t reversed(uint32_t code, unsigned int bits)
{
	code = (code & 0x5555) << 1 | (code >> 1 & 0x5555);
	code = (code & 0x3333) << 2 | (code >> 2 & 0x3333);
	code = (code & 0x0f0f) << 4 | (code >> 4 & 0x0f0f);
	code = (code & 0x00ff) << 8 | (code >> 8 & 0x00ff);
	return (uint16_t)(code >> (16 - bits));
}

void pn_prefix_code_number(struct pn_prefix_code *code,
			   const unsigned int counts[PN_PREFIX_BITS + 1])
{
	uint32_t next[PN_PREFIX_BITS + 2] = {0};
	unsigned int i;

	for (i = 1; i <= PN_PREFIX_BITS; i++)
		next[i + 1] = (next[i] + counts[i]) << 1;
	for (i = 0; i < code->count; i++)
		if (code->bits[i])
			code->code[i] =
				reversed(next[code->bits[i]]++, code->bits[i]);
}

/* Two symbols at least. */
static size_t list_symbols(uint32_t *out, struct pn_prefix_code *code)
{
	size_t n = sort_symbols(out, code);
	unsigned int i;

	for (i = 0; n < 2; i++)
		if (!code->freq[i]) {
			code->freq[i] = 1;
			n = sort_symbols(out, code);
		}
	return n;
}

uint64_t pn_prefix_code_make(struct pn_prefix_code *code)
{
	uint32_t symbols[PN_PREFIX_SYMBOLS], w[PN_PREFIX_SYMBOLS];
	unsigned int counts[PN_PREFIX_BITS + 1] = {0}, length, k;
	size_t n = list_symbols(symbols, code), i;
	uint64_t bits = 0;

	for (i = 0; i < n; i++)
		w[i] = symbols[i] >> SYMBOL_BITS;
	find_depths(w, n);
	for (i = 0; i < n; i++)
		counts[w[i] < code->bits_max ? w[i] : code->bits_max]++;
	mend_lengths(counts, code->bits_max);
	memset(code->bits, 0, code->count);
	for (length = 1; length <= code->bits_max; length++)
		for (k = 0; k < counts[length]; k++) {
			uint32_t symbol = symbols[--n];

			code->bits[symbol & SYMBOL_MASK] = (uint8_t)length;
			bits += (uint64_t)(symbol >> SYMBOL_BITS) * length;
		}
	pn_prefix_code_number(code, counts);
	return bits;
}
