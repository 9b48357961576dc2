/* What begins and ends a colour: escape sequences, or nothing at all. */
#ifndef PN_RENDER_PALETTE_H
#define PN_RENDER_PALETTE_H

struct pn_palette {
	const char *commit; /* ids, as git log has them */
	const char *head;   /* of a list, a table */
	const char *better, *worse;
	const char *dim; /* what is of less interest */
	const char *end; /* of each of them */
};

/* No colours. */
#define PN_PALETTE_PLAIN                                                       \
	(struct pn_palette)                                                    \
	{                                                                      \
		"", "", "", "", "", ""                                         \
	}

#endif
