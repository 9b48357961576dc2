/* Names of functions without what a picture has no room for. */
#ifndef PN_RENDER_SHORT_NAME_H
#define PN_RENDER_SHORT_NAME_H

#include <stddef.h>

/*
 * The part of a name that tells it apart, as pprof draws it: Go without the
 * folders of its package and the version among them, Java without its package
 * and arguments, C++ with one class before the method. Appends to `out`.
 */
struct pn_buf;
void pn_short_name(struct pn_buf *out, const char *name, size_t len);

#endif
