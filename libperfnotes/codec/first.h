/* By what the table of codecs is narrowed before sniffers are asked. */
#ifndef PN_CODEC_FIRST_H
#define PN_CODEC_FIRST_H

#include "codec/codec.h"

/* What these bytes begin with; PN_FIRST_ANY where there are only blanks. */
enum pn_first pn_first_of(const unsigned char *bytes, size_t len);
/* Whether such a file may be one of the codec's. */
bool pn_first_fits(const struct pn_codec *codec, enum pn_first first);

#endif
