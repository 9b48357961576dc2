/*
 * What is loaded into a profiled program: finding the object, and the folder
 * in which the program leaves its records (runtime/record.h).
 */
#ifndef PN_COLLECT_RUNTIME_H
#define PN_COLLECT_RUNTIME_H

#include "base/buf.h"
#include "base/error.h"

#include <stddef.h>

struct pn_runtime {
	char *file;   /* the object, without links; */
	char *object; /* what LD_PRELOAD gets, ... */
	char *folder; /* private; records appear here */
	int owner;    /* of the folder */
	char *env[3]; /* ... as "NAME=value", NULL-terminated, for
			 pn_process_options.env_set */
};

/*
 * Find "<name>.so" in the folder that $GIT_PERF_RUNTIME_DIR names, else where
 * it lies as seen from the running program, in a build tree and in an
 * installation, which may have been moved; and make a private folder below
 * $TMPDIR. PN_ENOTFOUND says where the object would have been looked for.
 */
int pn_runtime_open(struct pn_runtime *out, const char *name,
		    struct pn_error *err);
/* Takes zeroed. Removes the folder and what is in it. */
void pn_runtime_release(struct pn_runtime *runtime);

/* Paths of the files in the folder whose names begin with `prefix`, in order
 * of names; the caller frees each and the array. */
int pn_runtime_list(char ***out, size_t *count,
		    const struct pn_runtime *runtime, const char *prefix,
		    struct pn_error *err);
/* Remove what the list would have. */
void pn_runtime_clear(const struct pn_runtime *runtime, const char *prefix);

#endif
