/* A file of a commit, and what its lines cost in profiles of it. */
#ifndef PN_SOURCE_ANNOTATE_H
#define PN_SOURCE_ANNOTATE_H

#include "analysis/source/annotated.h"
#include "storage/lookup.h"

struct pn_annotate_call {
	const char *file;    /* from the current folder, or absolute */
	const char *rev;     /* NULL: HEAD or its nearest measured ancestor */
	const char *profile; /* or series; NULL: the only one */
	const char *against; /* revision of the old side; NULL: none */
	/* A file whose lines are shown instead, as one that an editor has, "-"
	 * for standard input; NULL: none. */
	const char *contents;
	const char *sample_index, *unit; /* or NULL */
	const struct pn_filter *filter;
};

struct pn_annotate_side {
	struct pn_buf name; /* of the profile, as one may type it */
	struct pn_oid commit;
	char hex[PN_OID_HEX + 1];
	struct pn_profile profile;
	struct pn_report report;
	struct pn_buf path; /* of the file in the commit; "": not there */
	struct pn_source_text text;
	bool has_costs; /* the profile knows the file */
};

/* The old side is 0, the new one 1; of one profile that is 1 alone. */
struct pn_annotate {
	struct pn_annotate_side side[2];
	struct pn_annotated annotated;
};

/* PN_ENOTFOUND: there is no such profile, or the commit of side 1 has no such
 * file. PN_EINVAL: `file` lies outside of the repository, or the values are of
 * other units. `out` is released in any case. */
int pn_annotate(struct pn_annotate *out, const struct pn_lookup *lookup,
		const struct pn_annotate_call *call, struct pn_error *err);
void pn_annotate_release(struct pn_annotate *annotate);

#endif
