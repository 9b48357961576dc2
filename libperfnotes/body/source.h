/* A run of words that is read one by one, without room for all of them. */
#ifndef PN_BODY_SOURCE_H
#define PN_BODY_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pn_body_source {
	const unsigned char *bytes, *behind, *end;
	unsigned int head;
	size_t n, at; /* coded words, the next one */
	uint64_t same, last;
	bool led; /* the word that leads its steps is given */
};

/* `len` bytes are a run of `count` words, one at least; borrowed. */
bool pn_body_source_begin(struct pn_body_source *s, size_t count,
			  const unsigned char *bytes, size_t len);
/* To be called `count` times at most; false: a word is cut. */
bool pn_body_source_next(uint64_t *out, struct pn_body_source *s);
/* Behind the last word: no byte is left. */
bool pn_body_source_ends(const struct pn_body_source *s);

#endif
