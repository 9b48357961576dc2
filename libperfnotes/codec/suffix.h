/* Formats by the names of files that are written. */
#ifndef PN_CODEC_SUFFIX_H
#define PN_CODEC_SUFFIX_H

#include "codec/codec.h"

/* The format that is written to a file of this name ("x.pb.gz"); NULL: the
 * name does not say. */
const struct pn_codec *pn_codec_of_output(const char *output);
/* The format to write: the one that is asked for, else by the suffix of the
 * output's name, else `own` (that of what is written), else pprof; the first
 * two may be NULL. PN_EINVAL for names of pictures and pages, which no format
 * writes: they are not to hold what their names do not say. */
int pn_codec_choose(const struct pn_codec **out, const char *asked,
		    const char *output, const char *own, struct pn_error *err);

#endif
