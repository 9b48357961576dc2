/* A source file beside what its lines cost: for people, for editors, JSON. */
#ifndef PN_SOURCE_SIDES_H
#define PN_SOURCE_SIDES_H

#include "analysis/source/annotated.h"
#include "render/palette.h"

#include <stdbool.h>
#include <stdio.h>

enum pn_annotate_form {
	PN_ANNOTATE_TEXT,
	PN_ANNOTATE_PORCELAIN, /* git-perf-json(5) */
	PN_ANNOTATE_JSON
};

/* The old side is 0, the new one 1; of one profile that is 1 alone. */
struct pn_annotate_view {
	const struct pn_annotated *annotated;
	const char *path[2]; /* of the file in each commit; "": not there */
	const char *profile[2], *commit[2]; /* its name, and as hex */
	enum pn_annotate_form form;
	bool cum; /* of two sides: compare totals, not own costs */
	const struct pn_palette *palette;
	size_t columns; /* of a line of text; 0: whatever it takes */
};

void pn_print_annotate(FILE *to, const struct pn_annotate_view *view);

#endif
