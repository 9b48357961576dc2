/* How a flame graph is drawn: the words of --flame. */
#ifndef PN_FLAME_STYLE_H
#define PN_FLAME_STYLE_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>

enum pn_flame_color {
	PN_FLAME_BY_DEFAULT, /* of two profiles by change, else by module */
	PN_FLAME_BY_NAME,
	PN_FLAME_BY_MODULE,
	PN_FLAME_BY_CHANGE
};

struct pn_flame_style {
	bool icicle; /* the root is on top */
	bool reversed, by_time;
	bool old_width; /* of two profiles: as wide as it was */
	enum pn_flame_color color;
};

/* Words with commas between them. PN_ENOTFOUND lists what there is. */
int pn_flame_style_parse(struct pn_flame_style *out, const char *words,
			 struct pn_error *err);
/* Append the words, with `between` between two. */
void pn_flame_style_names(struct pn_buf *out, const char *between);

#endif
