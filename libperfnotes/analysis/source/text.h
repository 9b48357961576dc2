/* A source file as lines. */
#ifndef PN_SOURCE_TEXT_H
#define PN_SOURCE_TEXT_H

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>

struct pn_source_text {
	struct pn_buf bytes; /* whoever fills it calls pn_source_text_split */
	size_t *start;	     /* of line i + 1; count + 1 of them */
	size_t count;
	char *missing; /* why there are no lines; NULL: they are there */
};

/* Texts by the id of their file in pn_nodes.files. */
struct pn_source_texts {
	struct pn_source_text *items;
	size_t count;
};

/* Find the lines of `bytes`. */
void pn_source_text_split(struct pn_source_text *text);
/* Line `number`, from 1, without LF or CR LF; NULL: there is none. */
const char *pn_source_text_line(size_t *len, const struct pn_source_text *text,
				int64_t number);
void pn_source_text_release(struct pn_source_text *text);
void pn_source_texts_release(struct pn_source_texts *texts);

#endif
