/* Which lines a change touches: git's own diff, without context. */
#ifndef PN_FILES_HUNKS_H
#define PN_FILES_HUNKS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_HUNKS_MAX 100000

/* Lines of a file as it was, count of them from `line` on; 0: what is new
 * stands behind `line`. */
struct pn_hunk {
	const char *path; /* of the file as it was */
	uint32_t line, count;
	/* The line that git takes for the begin of the function around it; ""
	 * where it knows none. */
	const char *context;
	/* What changed begins at the first column, as functions do: then it is
	 * not inside of that one. */
	bool at_top;
};

struct pn_hunks {
	struct pn_arena arena;
	struct pn_hunk *items;
	size_t count, cap;
	const char **files; /* all that differ, new ones, too */
	size_t file_count, file_cap;
	const char **binaries; /* without lines, by their new names */
	size_t binary_count, binary_cap;
};

/*
 * From a commit to another one, or where `to` is NULL to the work tree, or with
 * `cached` to the index. Renames are followed. PN_ELIMIT.
 */
int pn_hunks_read(struct pn_hunks *out, struct pn_repo *repo,
		  const struct pn_oid *from, const struct pn_oid *to,
		  bool cached, struct pn_error *err);
/* The same of what git printed; for tests. */
int pn_hunks_parse(struct pn_hunks *out, const struct pn_buf *text,
		   struct pn_error *err);
void pn_hunks_release(struct pn_hunks *hunks);

/*
 * Append the path of each file that differs between two commits in any way,
 * each with a byte 0: a file that is renamed under both names, submodules, too.
 */
int pn_hunks_paths(struct pn_buf *out, struct pn_repo *repo,
		   const struct pn_oid *from, const struct pn_oid *to,
		   struct pn_error *err);

#endif
