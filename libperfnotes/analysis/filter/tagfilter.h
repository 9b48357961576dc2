/*
 * Which sets of labels a tag filter means: "[key=]expression", where the
 * expression is a range of numbers with unit ("32kb", "4mb:", ":64kb",
 * "12kb:64mb") or regular expressions separated by commas: without a key all
 * of them must match "key:value" of some label, with a key any of them.
 */
#ifndef PN_FILTER_TAGFILTER_H
#define PN_FILTER_TAGFILTER_H

#include "base/buf.h"
#include "model/profile.h"

/*
 * One flag for each set of labels in `matches` (label_set_count of them, at
 * least one: the empty set).
 */
int pn_tagfilter_match(unsigned char *matches, const struct pn_profile *profile,
		       const char *filter, struct pn_error *err);

/*
 * The unit of each numeric label's key, for labels that have none of their
 * own: the first that a label gives it. Indexed by string, 0 where there is
 * none; free() it.
 */
uint32_t *pn_tag_units_new(const struct pn_profile *profile);
/*
 * The unit of a label, its own before that of its key; without any bytes for
 * `request` and `alignment`, else the key itself. pprof takes that of the key
 * for all, so that 2000 us beside 5 ms are 2 s there.
 */
const char *pn_tag_unit(const uint32_t *units, const struct pn_profile *profile,
			const struct pn_label *label);
/* A line for each of the first keys whose values have several units. */
void pn_tag_units_note(struct pn_buf *lines, const struct pn_profile *profile);

#endif
