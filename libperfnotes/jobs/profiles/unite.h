/* One profile out of many that were found, read in threads. */
#ifndef PN_PROFILES_UNITE_H
#define PN_PROFILES_UNITE_H

#include "codec/codec.h"
#include "storage/lookup/lookup.h"

/*
 * Merge all of `found` (analysis/merge/merge.h). `input` is the format of the
 * files, NULL: recognised. *format is the one that all had, NULL: several.
 * `said` gets a line for what came of dirty trees among others of clean ones.
 * On failure `out` is to be released, too.
 */
int pn_unite_found(struct pn_profile *out, const struct pn_codec **format,
		   struct pn_buf *said, const struct pn_lookup *lookup,
		   const struct pn_found_list *found,
		   const struct pn_codec *input, struct pn_error *err);
/* What it is written as, unless somebody says it; `format` as above. */
const struct pn_codec *pn_unite_codec(const struct pn_codec *format,
				      const struct pn_profile *merged);

#endif
