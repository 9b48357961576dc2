/*
 * The bytes of a chunk of JFR: what is left of an event. A number that is cut
 * sets `bad`, moves to the end and is 0; whoever reads asks once, at last.
 */
#ifndef PN_JFR_BYTES_H
#define PN_JFR_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pn_jfr_bytes {
	const unsigned char *at, *end;
	bool bad;
};

/* How a text is written. */
enum pn_jfr_coding {
	PN_JFR_NULL,
	PN_JFR_EMPTY,
	PN_JFR_POOLED, /* a key of the pool of strings */
	PN_JFR_UTF8,
	PN_JFR_CHARS, /* of UTF-16 each, as numbers */
	PN_JFR_LATIN1
};

static inline size_t pn_jfr_left(const struct pn_jfr_bytes *b)
{
	return (size_t)(b->end - b->at);
}

/* Seven bits a byte, lowest first; a ninth byte has eight. */
uint64_t pn_jfr_number(struct pn_jfr_bytes *b);
uint8_t pn_jfr_byte(struct pn_jfr_bytes *b);
void pn_jfr_skip(struct pn_jfr_bytes *b, size_t n);
/* A number of things of at least one byte each. */
size_t pn_jfr_count(struct pn_jfr_bytes *b);
/* Takes a text as it is written: *body is what comes behind its coding, and
 * its length where it has one. */
enum pn_jfr_coding pn_jfr_text(struct pn_jfr_bytes *body,
			       struct pn_jfr_bytes *b);
/* The header's, big-endian. */
uint64_t pn_jfr_fixed(const unsigned char *at, size_t n);

#endif
