/* One side of a file with its costs: a profile of a commit, and the file. */
#ifndef PN_SOURCE_SIDE_H
#define PN_SOURCE_SIDE_H

#include "analysis/source/annotated.h"
#include "storage/lookup/lookup.h"

struct pn_annotate_call {
	const char *file;    /* from the current folder, or absolute */
	const char *rev;     /* NULL: HEAD or its nearest measured ancestor */
	const char *profile; /* or series; NULL: the one that has the file */
	const char *against; /* revision of the old side; NULL: none */
	/* A file whose lines are shown instead, as one that an editor has, "-"
	 * for standard input; NULL: none. */
	const char *contents;
	const char *sample_index, *unit; /* or NULL */
	const struct pn_filter *filter;
};

struct pn_annotate_side {
	struct pn_buf name;   /* of the profile, as one may type it */
	struct pn_buf series; /* behind a revision; "": it has none */
	struct pn_oid commit;
	char hex[PN_OID_HEX + 1];
	struct pn_profile profile;
	struct pn_report report;
	struct pn_buf path; /* of the file in the commit; "": not there */
	struct pn_source_text text;
	bool has_costs; /* the profile knows the file */
};

/* PN_ENOTFOUND: there is no such commit. */
int pn_source_check_rev(const struct pn_lookup *lookup, const char *rev,
			struct pn_error *err);
/* Load `series` (or a profile's name) of `rev`; without it what `rev` alone
 * names. */
int pn_source_side_load(struct pn_annotate_side *side,
			const struct pn_lookup *lookup, const char *rev,
			const char *series, const struct pn_annotate_call *call,
			struct pn_error *err);
/*
 * Load what the call means: its profile, else the only series of its revision
 * that has costs of lines of side->path. PN_ENOTFOUND: none has, or the commit
 * has no such file, which is said first. PN_EAMBIGUOUS lists several.
 */
int pn_source_side_choose(struct pn_annotate_side *side,
			  const struct pn_lookup *lookup,
			  const struct pn_annotate_call *call,
			  struct pn_error *err);
/* Read the file of a loaded side, and what its lines cost; without a path there
 * are none. */
int pn_source_side_costs(struct pn_annotated_side *out,
			 struct pn_annotate_side *side, struct pn_repo *repo,
			 struct pn_error *err);
/* What to add to the word that it has no costs there, "": nothing. */
const char *pn_source_side_doubt(const struct pn_annotate_side *side);
void pn_source_side_release(struct pn_annotate_side *side);

#endif
