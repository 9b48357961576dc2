/*
 * Changes that are known and wanted: `accept` lines of notes. What was measured
 * before one says nothing against what comes behind it. Pure.
 */
#ifndef PN_JUDGE_ACCEPTED_H
#define PN_JUDGE_ACCEPTED_H

#include "base/arena.h"
#include "model/series.h"

#include <stdbool.h>
#include <stddef.h>

/* Texts are borrowed from the line; "" where it does not say. */
struct pn_accepted {
	const struct pn_entry *entry;
	const char *by, *reason;
	const char *series; /* as pn_series_fits takes it; "": all */
	const char *metric; /* the whole name; "": all */
	/* Changes of commits behind this one are meant, up to that of the
	 * note, as it was recorded; "": that of the note alone. */
	const char *since;
};

/* Whether a live line of the note of a commit with this tree is one. */
bool pn_accepted_of(struct pn_accepted *out, const struct pn_entry *line,
		    const struct pn_oid *tree);
bool pn_accepted_fits(const struct pn_accepted *accepted,
		      const struct pn_series *series, const char *metric);
/* Those of a note, in `arena`, in the order of the lines. */
size_t pn_accepted_list(struct pn_accepted **out, struct pn_arena *arena,
			const struct pn_entry *lines, size_t count,
			const struct pn_oid *tree);

#endif
