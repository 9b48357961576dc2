/*
 * Names, files, lines and inlining for addresses, from symbol tables and DWARF.
 */
#ifndef PN_NAMES_SYMBOLIZE_H
#define PN_NAMES_SYMBOLIZE_H

#include "base/buf.h"
#include "base/error.h"
#include "model/profile.h"

#include <stddef.h>

/*
 * Give functions and lines to the locations that have an address in a mapping
 * but no line. The mapping's file is used when its build id is the mapping's
 * (without one in the profile: when the file has none either); separate debug
 * information is found by build id below /usr/lib/debug and by .gnu_debuglink,
 * never over a network. What is not found stays an address, so that it can be
 * tried again where the files are. Names are those of the linker where there
 * is one (C++ stays mangled), in name and system_name.
 * Fails only when elfutils cannot start.
 */
int pn_symbolize(struct pn_profile *profile, struct pn_error *err);

/* Locations that have an address in a mapping but no line. */
struct pn_unnamed_addresses {
	size_t count;
	size_t without_id; /* of these: in a mapping without a build id */
};
struct pn_unnamed_addresses pn_symbolize_left(const struct pn_profile *profile);

/* These, in a sentence; nothing where there are none: nothing else in what is
 * written would tell. */
void pn_symbolize_text(struct pn_buf *out, const struct pn_profile *profile);

#endif
