/*
 * Deflate of small inputs, RFC 1951: one block of the shortest of its three
 * kinds. Repetitions are the last place with the same four bytes, taken
 * greedily.
 */
#include "base/squeeze.h"

#include "base/alloc.h"
#include "base/prefix_code.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define HASH_BITS 12
#define MATCH_MIN 4 /* shorter ones cost as much as their bytes do */
#define MATCH_MAX 258
#define LITERALS                                                               \
	PN_PREFIX_SYMBOLS /* bytes, the end, and lengths of repetitions */
#define END 256
#define DISTANCES 30
#define LENGTH_CODES 19 /* of code lengths */
#define LENGTH_BITS_MAX 7

/* A byte, or a repetition: `distance` is not 0. */
struct token {
	uint16_t value, distance;
};

/* How the lengths of both alphabets are written: RFC 1951, 3.2.7. */
struct header {
	uint8_t symbols[LITERALS + DISTANCES], extra[LITERALS + DISTANCES];
	size_t count;
	unsigned int literals, distances, lengths; /* that are written */
	struct pn_prefix_code codes;
};

struct pn_squeezer {
	uint32_t last[1u << HASH_BITS]; /* place of such four bytes */
	uint32_t start;			/* place of the input's first byte */
	struct token tokens[PN_SQUEEZE_MAX];
	size_t token_count;
	struct pn_prefix_code literals, distances;
	struct pn_prefix_code fixed_literals, fixed_distances;
	uint64_t fixed_bits; /* of the tokens in the fixed codes */
	uint64_t extra_bits; /* of those, what all codes have */
	struct header header;
};

struct bits {
	unsigned char *to;
	uint64_t held;
	unsigned int count;
};

static const uint8_t length_order[LENGTH_CODES] = {
	16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

/* The codes that RFC 1951, 3.2.6 fixes. */
static unsigned int fixed_length(unsigned int symbol)
{
	return symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
}

static void make_fixed(struct pn_squeezer *s)
{
	static const unsigned int counts[PN_PREFIX_BITS + 1] = {
		[7] = 24, [8] = 152, [9] = 112};
	static const unsigned int fives[PN_PREFIX_BITS + 1] = {[5] = 32};
	unsigned int i;

	for (i = 0; i < LITERALS; i++)
		s->fixed_literals.bits[i] = (uint8_t)fixed_length(i);
	pn_prefix_code_number(&s->fixed_literals, counts);
	memset(s->fixed_distances.bits, 5, DISTANCES);
	pn_prefix_code_number(&s->fixed_distances, fives);
}

static void set_up(struct pn_prefix_code *code, unsigned int count)
{
	code->count = count;
	code->bits_max = PN_PREFIX_BITS;
}

struct pn_squeezer *pn_squeezer_new(void)
{
	struct pn_squeezer *squeezer = pn_calloc(1, sizeof(*squeezer));

	squeezer->start = 1; /* 0 is no place */
	set_up(&squeezer->literals, LITERALS);
	set_up(&squeezer->distances, DISTANCES);
	set_up(&squeezer->fixed_literals, LITERALS);
	set_up(&squeezer->fixed_distances, DISTANCES);
	make_fixed(squeezer);
	return squeezer;
}

void pn_squeezer_free(struct pn_squeezer *squeezer)
{
	free(squeezer);
}

static unsigned int log2_of(uint32_t value)
{
	return 31 - (unsigned int)__builtin_clz(value);
}

/* Codes of distances come in pairs, of which each pair has twice the reach of
 * the one before. */
static unsigned int distance_symbol(unsigned int distance)
{
	unsigned int n = distance - 1, top;

	if (n < 4)
		return n;
	top = log2_of(n);
	return 2 * top + (n >> (top - 1) & 1);
}

static unsigned int distance_extra_bits(unsigned int symbol)
{
	return symbol < 4 ? 0 : symbol / 2 - 1;
}

/* As distances, but in fours; 258 has a code of its own. */
static unsigned int length_symbol(unsigned int length)
{
	unsigned int n = length - 3, top;

	if (n < 8)
		return 257 + n;
	if (length == MATCH_MAX)
		return 285;
	top = log2_of(n);
	return 257 + 4 * (top - 1) + (n >> (top - 2) & 3);
}

static unsigned int length_extra_bits(unsigned int symbol)
{
	return symbol < 265 || symbol == 285 ? 0 : (symbol - 261) / 4;
}

static void add_literal(struct pn_squeezer *s, unsigned char byte)
{
	s->tokens[s->token_count++] = (struct token){.value = byte};
	s->literals.freq[byte]++;
	s->fixed_bits += fixed_length(byte);
}

static void add_match(struct pn_squeezer *s, size_t length, size_t distance)
{
	unsigned int symbol = length_symbol((unsigned int)length);
	unsigned int place = distance_symbol((unsigned int)distance);

	s->tokens[s->token_count++] =
		(struct token){(uint16_t)length, (uint16_t)distance};
	s->literals.freq[symbol]++;
	s->distances.freq[place]++;
	s->fixed_bits += fixed_length(symbol) + 5u;
	s->extra_bits += length_extra_bits(symbol) + distance_extra_bits(place);
}

static uint32_t load32(const unsigned char *at)
{
	uint32_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

static uint32_t hash(uint32_t word)
{
	/* Knuth's multiplier: 2^32 by the golden ratio */
	return word * 2654435761u >> (32 - HASH_BITS);
}

static size_t match_length(const unsigned char *a, const unsigned char *b,
			   const unsigned char *end)
{
	const unsigned char *at = b + MATCH_MIN;

	if ((size_t)(end - b) > MATCH_MAX)
		end = b + MATCH_MAX;
	for (a += MATCH_MIN; at < end && *a == *at; a++)
		at++;
	return (size_t)(at - b);
}

/* Bytes to tokens. What `last` knows of former inputs lies before `start`. */
static void find_tokens(struct pn_squeezer *s, const unsigned char *bytes,
			size_t len)
{
	size_t at = 0, length, k;

	while (at + MATCH_MIN <= len) {
		uint32_t word = load32(bytes + at);
		uint32_t *slot = &s->last[hash(word)];
		uint32_t place = *slot;

		*slot = s->start + (uint32_t)at;
		if (place < s->start ||
		    load32(bytes + (place - s->start)) != word) {
			add_literal(s, bytes[at++]);
			continue;
		}
		place -= s->start;
		length = match_length(bytes + place, bytes + at, bytes + len);
		add_match(s, length, at - place);
		for (k = 1; k < length && at + k + MATCH_MIN <= len; k++)
			s->last[hash(load32(bytes + at + k))] =
				s->start + (uint32_t)(at + k);
		at += length;
	}
	while (at < len)
		add_literal(s, bytes[at++]);
}

static void tokenize(struct pn_squeezer *s, const unsigned char *bytes,
		     size_t len)
{
	s->token_count = 0;
	memset(s->literals.freq, 0, sizeof(s->literals.freq));
	memset(s->distances.freq, 0, DISTANCES * sizeof(*s->distances.freq));
	s->fixed_bits = fixed_length(END);
	s->extra_bits = 0;
	find_tokens(s, bytes, len);
	s->literals.freq[END] = 1;
	s->start += (uint32_t)len;
	if (s->start > UINT32_MAX - 2 * PN_SQUEEZE_MAX) {
		memset(s->last, 0, sizeof(s->last));
		s->start = 1;
	}
}

static unsigned int count_written(const struct pn_prefix_code *a,
				  unsigned int min)
{
	unsigned int n = a->count;

	while (n > min && !a->bits[n - 1])
		n--;
	return n;
}

static void add_length(struct header *h, unsigned int symbol,
		       unsigned int extra)
{
	h->symbols[h->count] = (uint8_t)symbol;
	h->extra[h->count++] = (uint8_t)extra;
	h->codes.freq[symbol]++;
}

/* A run of one length: 16 repeats the last 3 to 6 times, 17 and 18 are 3 to 10
 * and 11 to 138 zeros. */
static void add_run(struct header *h, unsigned int value, unsigned int run)
{
	if (value && run) {
		add_length(h, value, 0);
		run--;
	}
	while (run >= 3) {
		unsigned int max = value ? 6 : 138;
		unsigned int n = run < max ? run : max;

		if (value)
			add_length(h, 16, n - 3);
		else if (n < 11)
			add_length(h, 17, n - 3);
		else
			add_length(h, 18, n - 11);
		run -= n;
	}
	for (; run; run--)
		add_length(h, value, 0);
}

static void make_header(struct pn_squeezer *s)
{
	struct header *h = &s->header;
	uint8_t all[LITERALS + DISTANCES];
	unsigned int n, i, k;

	h->literals = count_written(&s->literals, 257);
	h->distances = count_written(&s->distances, 1);
	memcpy(all, s->literals.bits, h->literals);
	memcpy(all + h->literals, s->distances.bits, h->distances);
	n = h->literals + h->distances;
	h->count = 0;
	memset(h->codes.freq, 0, LENGTH_CODES * sizeof(*h->codes.freq));
	for (i = 0; i < n; i = k) {
		for (k = i + 1; k < n && all[k] == all[i]; k++)
			;
		add_run(h, all[i], k - i);
	}
	h->codes.count = LENGTH_CODES;
	h->codes.bits_max = LENGTH_BITS_MAX;
	pn_prefix_code_make(&h->codes);
	h->lengths = LENGTH_CODES;
	while (h->lengths > 4 && !h->codes.bits[length_order[h->lengths - 1]])
		h->lengths--;
}

static unsigned int header_extra_bits(unsigned int symbol)
{
	return symbol < 16 ? 0 : symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
}

static uint64_t header_bits(const struct header *h)
{
	uint64_t bits = 5 + 5 + 4 + 3 * h->lengths;
	unsigned int i;

	for (i = 0; i < LENGTH_CODES; i++)
		bits += (uint64_t)h->codes.freq[i] *
			(h->codes.bits[i] + header_extra_bits(i));
	return bits;
}

/* The first of the bits is the lowest one; 32 at most. */
static void put(struct bits *out, uint32_t bits, unsigned int count)
{
	unsigned int i;

	out->held |= (uint64_t)bits << out->count;
	out->count += count;
	if (out->count < 32)
		return;
	for (i = 0; i < 4; i++)
		out->to[i] = (unsigned char)(out->held >> 8 * i);
	out->to += 4;
	out->held >>= 32;
	out->count -= 32;
}

/* What is held, up to the end of a byte. */
static void put_rest(struct bits *out)
{
	for (; out->count; out->count -= out->count < 8 ? out->count : 8) {
		*out->to++ = (unsigned char)out->held;
		out->held >>= 8;
	}
}

static void put_header(struct bits *out, const struct header *h)
{
	size_t i;

	put(out, h->literals - 257, 5);
	put(out, h->distances - 1, 5);
	put(out, h->lengths - 4, 4);
	for (i = 0; i < h->lengths; i++)
		put(out, h->codes.bits[length_order[i]], 3);
	for (i = 0; i < h->count; i++) {
		unsigned int symbol = h->symbols[i];

		put(out, h->codes.code[symbol], h->codes.bits[symbol]);
		put(out, h->extra[i], header_extra_bits(symbol));
	}
}

static void put_match(struct bits *out, const struct token *token,
		      const struct pn_prefix_code *literals,
		      const struct pn_prefix_code *distances)
{
	unsigned int symbol = length_symbol(token->value);
	unsigned int extra = length_extra_bits(symbol);

	put(out, literals->code[symbol], literals->bits[symbol]);
	put(out, (token->value - 3u) & ((1u << extra) - 1), extra);
	symbol = distance_symbol(token->distance);
	extra = distance_extra_bits(symbol);
	put(out, distances->code[symbol], distances->bits[symbol]);
	put(out, (token->distance - 1u) & ((1u << extra) - 1), extra);
}

static void put_tokens(struct bits *out, const struct pn_squeezer *s,
		       const struct pn_prefix_code *literals,
		       const struct pn_prefix_code *distances)
{
	const struct token *token = s->tokens, *end = token + s->token_count;

	for (; token < end; token++)
		if (token->distance)
			put_match(out, token, literals, distances);
		else
			put(out, literals->code[token->value],
			    literals->bits[token->value]);
	put(out, literals->code[END], literals->bits[END]);
}

static void put_stored(struct bits *out, const unsigned char *bytes, size_t len)
{
	put_rest(out);
	put(out, (uint32_t)len | (~(uint32_t)len & 0xffff) << 16, 32);
	if (len)
		memcpy(out->to, bytes, len);
	out->to += len;
}

/* Behind a bit that says it is the last block, its kind: 0 the bytes as they
 * are, 1 the fixed codes, 2 codes of its own. */
static void put_block(struct bits *out, struct pn_squeezer *s,
		      const unsigned char *bytes, size_t len)
{
	uint64_t own, best;

	tokenize(s, bytes, len);
	own = pn_prefix_code_make(&s->literals) +
	      pn_prefix_code_make(&s->distances);
	make_header(s);
	own += header_bits(&s->header);
	best = own < s->fixed_bits ? own : s->fixed_bits;
	put(out, 1, 1);
	if (8 * (uint64_t)(len + 4) < best + s->extra_bits) {
		put(out, 0, 2);
		put_stored(out, bytes, len);
	} else if (s->fixed_bits <= own) {
		put(out, 1, 2);
		put_tokens(out, s, &s->fixed_literals, &s->fixed_distances);
	} else {
		put(out, 2, 2);
		put_header(out, &s->header);
		put_tokens(out, s, &s->literals, &s->distances);
	}
	put_rest(out);
}

/* 2 bytes before the block, 4 behind it, and 5 that one of bytes as they are
 * has beside them. */
#define AROUND (2 + 4 + 5)

void pn_squeeze(struct pn_buf *out, struct pn_squeezer *squeezer,
		const unsigned char *bytes, size_t len, uint32_t adler)
{
	struct bits to = {.to = pn_buf_reserve(out, len + AROUND)};
	int shift;

	/* method 8, a window of 32 kB; the quickest level, and the check */
	put(&to, 0x0178, 16);
	put_block(&to, squeezer, bytes, len);
	for (shift = 24; shift >= 0; shift -= 8)
		*to.to++ = (unsigned char)(adler >> shift);
	out->len = (size_t)(to.to - out->data);
	out->data[out->len] = '\0';
}
