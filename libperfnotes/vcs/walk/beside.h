/*
 * Inside of vcs/walk only: what git log --graph writes of a commit. A format of
 * PN_BESIDE_LINES lines, each of which begins with a byte that git never draws,
 * gets what is drawn to the left of each; lines without that byte, which git
 * draws between commits, stand above the next one. Where a large merge's lines
 * have further to go, they do so in such lines right below it.
 */
#ifndef PN_WALK_BESIDE_H
#define PN_WALK_BESIDE_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

#define PN_BESIDE_MARK '\1'
#define PN_BESIDE_LINES                                                        \
	16		 /* the drawing has come to rest before, most often    \
			  */
#define PN_BESIDE_TEXT 4 /* of them the first ones say something */

/* Of one commit: whole lines. */
struct pn_beside {
	struct pn_buf above;
	struct pn_buf beside; /* the last of them is at rest */
	struct pn_buf text;   /* what the lines say */
};

void pn_beside_release(struct pn_beside *drawn);
/* How long the record is that begins there, with the lines below it by which
 * its drawing comes to rest; 0: its end is not among `have` bytes. `ended`: no
 * others come. */
size_t pn_beside_length(const char *from, size_t have, bool ended);
/* Whether a record begins there, or else nothing but drawn lines. */
bool pn_beside_begins(const char *from, size_t have);
/* Take a whole record apart. */
void pn_beside_take(struct pn_beside *out, const char *from, size_t len);

#endif
