/* Build lines of sections: each line runs once, and what comes of it is known
 * for every section that has it. */
#ifndef PN_JOBS_BUILD_H
#define PN_JOBS_BUILD_H

#include "base/error.h"
#include "jobs/matrix/matrix.h"

#include <signal.h>
#include <stdbool.h>

struct pn_build;

/* Where and how lines run. All is borrowed. */
struct pn_build_options {
	const char *dir;
	const char *set,
		*also; /* a variable of their environment; NULL: none */
	const char *const *unset; /* names that it has not */
	bool polite;		  /* they give way to other programs */
	const volatile sig_atomic_t *stop;
};

struct pn_build *pn_build_new(const struct pn_build_options *options);
void pn_build_free(struct pn_build *build);

/* The lines of a section, those that are there already once. */
void pn_build_add(struct pn_build *build,
		  const struct pn_matrix_section *section);
/* The line that comes next; NULL: there is none left. After a line that failed
 * the others of its sections are passed over. */
const char *pn_build_next(struct pn_build *build);
/* Run it. PN_ESTOPPED, or PN_EIO where nothing can run; a line that fails is
 * no error here. */
int pn_build_run(struct pn_build *build, struct pn_error *err);
/* Why a section is not built; NULL: it is, as far as lines ran. */
const struct pn_error *
pn_build_failure(const struct pn_build *build,
		 const struct pn_matrix_section *section);
/* The last lines that the first failing one wrote, or "". */
const char *pn_build_output(const struct pn_build *build);

#endif
