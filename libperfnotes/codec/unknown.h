/* Inputs that no codec reads, but that can be told and turned into one. */
#ifndef PN_CODEC_UNKNOWN_H
#define PN_CODEC_UNKNOWN_H

#include <stddef.h>

/* What these first bytes of an input are and what to do with it, as an end of
 * a sentence; NULL when that is unknown, too. */
const char *pn_unknown_hint(const unsigned char *bytes, size_t len);

#endif
