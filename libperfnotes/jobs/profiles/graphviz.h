/* Pictures of what Graphviz draws, by its program `dot`. */
#ifndef PN_PROFILES_GRAPHVIZ_H
#define PN_PROFILES_GRAPHVIZ_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

/* Whether a file of this name is to be a picture: .svg, .png, .pdf, .ps, .gif
 * or .jpg. NULL is none. */
bool pn_graphviz_draws(const char *path);

/*
 * Write the picture of `graph`, a file that was just written, to the file
 * `path`, in the format of its suffix. PN_ENOTFOUND says what to install,
 * PN_EIO what Graphviz said; nothing is written then.
 */
int pn_graphviz(FILE *graph, const char *path, struct pn_error *err);

#endif
