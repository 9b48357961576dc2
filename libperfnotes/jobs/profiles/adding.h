/* Profiles that a command line names, on their way into the list of a commit.
 */
#ifndef PN_PROFILES_ADDING_H
#define PN_PROFILES_ADDING_H

#include "base/opts/opts.h"
#include "jobs/profiles/stage.h"
#include "jobs/settings.h"
#include "storage/lookup/lookup.h"
#include "storage/pending.h"

/* As the options of `git perf add` say it. Everything is borrowed. */
struct pn_add_ask {
	const char *commit, *format, *name, *machine;
	const char *pattern, *unit, *better;
	struct pn_opt_list labels, columns;
	bool keep, force, verbatim, from_stdin, environment;
};

extern const struct pn_opt pn_add_opts[];

/* Zeroed before; to be released in any case. */
struct pn_adding {
	struct pn_stage stage; /* with a batch, which the caller commits */
	struct pn_text_pair *labels;
	struct pn_machine machine;
	struct pn_buf hint; /* what csv and regex have to be told */
};

/* What the options say, before anything is opened: an error is the caller's. */
int pn_adding_read(struct pn_adding *adding, const struct pn_add_ask *ask,
		   struct pn_error *err);
/* Once that is read: into the notes of `lookup`, at its commit unless lines
 * name others. */
int pn_adding_open(struct pn_adding *adding, const struct pn_add_ask *ask,
		   const struct pn_lookup *lookup, struct pn_error *err);
/* How what is pending is added, a line each. */
void pn_adding_hint(struct pn_buf *lines,
		    const struct pn_pending_list *pending);
/* When the profiles are stored, pending files go. One that stays is a nuisance,
 * no failure: a line of `faults` each. */
void pn_adding_tidy(struct pn_buf *faults, const struct pn_adding *adding);
void pn_adding_release(struct pn_adding *adding);

#endif
