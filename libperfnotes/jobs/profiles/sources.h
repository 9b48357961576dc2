/* Where profiles that are added up are from, as reports say it. */
#ifndef PN_PROFILES_SOURCES_H
#define PN_PROFILES_SOURCES_H

#include "base/buf.h"
#include "model/profile.h"

/*
 * A line of each name without LF, in the order in which pstats adds: the first
 * one, then from the last one back. Before the name, as ctime has it, when a
 * file of that name was written, else when the profile was measured, in local
 * time. The caller releases it.
 */
struct pn_buf *pn_sources_new(const char *const *names, size_t count,
			      const struct pn_profile *profile);
void pn_sources_free(struct pn_buf *sources, size_t count);

#endif
