/* The state of a repository's hooks: plain data that the program fills and a
 * renderer prints. */
#ifndef PN_HISTORY_HOOKED_H
#define PN_HISTORY_HOOKED_H

#include <stdbool.h>
#include <stddef.h>

struct pn_hooked_row {
	const char *name, *path, *state;
};

/* Everything is borrowed. */
struct pn_hooked {
	const char *folder, *mode;
	const struct pn_hooked_row *rows;
	size_t count;
	size_t queued;	    /* commits to be measured */
	bool worker;	    /* one is at work on them */
	const char *doubts; /* why nothing is measured: lines; "": none */
};

#endif
