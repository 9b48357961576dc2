/*
 * From a name on the command line to profiles: tags, ids, names, paths,
 * pending files, in the order of git-perf(1), "NAMING A PROFILE".
 */
#ifndef PN_LOOKUP_LOOKUP_H
#define PN_LOOKUP_LOOKUP_H

#include "base/arena.h"
#include "base/error.h"
#include "model/profile.h"
#include "model/series.h"
#include "storage/pending.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

enum pn_found_kind {
	PN_FOUND_STORED,
	PN_FOUND_PENDING,
	PN_FOUND_FILE,
	PN_FOUND_SERIES /* what a commit has of one, pooled */
};

struct pn_found {
	enum pn_found_kind kind;
	const char *name;     /* registered, a path, or that of a series */
	const char *path;     /* pending and files; "-": standard input */
	struct pn_oid commit; /* stored, series: whose list it is in */
	const struct pn_entry *entry; /* stored; of a series the newest */
	const struct pn_series_records *records; /* series */
};

struct pn_lookup {
	struct pn_repo *repo;	/* NULL: files only */
	struct pn_notes *notes; /* of repo; NULL with it */
	struct pn_oid commit;	/* the default commit; zero: unborn */
	bool skip_stored;	/* add: tags @p, paths and pending names only */
	bool whole_names;	/* rm: none by a part of its name */
	bool several;		/* merge: all series that a name fits */
	bool busy;		/* load: all processors are at work */
	/* Where the records of a commit without any are, of one that need not
	 * be here: may change it (NULL: nothing is). */
	void (*find_records)(struct pn_oid *commit, void *data);
	void *data; /* of that */
};

/* What was found; memory of all items. */
struct pn_found_list {
	struct pn_arena arena;
	struct pn_found *items;
	size_t count, cap;
	/* the list of the commit that was looked in last, read once */
	struct pn_oid listed;
	const struct pn_entry *entries; /* NULL: none was read */
	size_t entry_count;
};

/*
 * Look `text` up and append what it names (a range of tags names several).
 * 1. tags: N@i, N@i-M@i (stored, 0 is the newest), N@p, N@p-M@p (pending);
 * 2. the commit's list: an id or a name, else an id prefix of 4 or more
 * digits; 3. a commit, whose only series is meant; 4. a path; 5. a pending
 * file by its name; 6. pending files and the commit's list by a part of the
 * name, unless whole names are asked for.
 * "<rev>:<name>" takes the list of another commit; behind its ids and names
 * come its series (model/series.h), before parts of names.
 *
 * PN_ENOTFOUND says what was looked for and where; PN_EAMBIGUOUS lists what
 * fits, as one may type it; PN_ERANGE for a tag beyond the end.
 */
int pn_lookup_find(struct pn_found_list *out, const struct pn_lookup *lookup,
		   const char *text, struct pn_error *err);
/*
 * Whether `text` names a commit and nothing that comes before it: 1 with *out,
 * 0, or a negative code. A file of that name is none where it has neither '.'
 * nor '/': "./main" is the file, "main" the branch.
 */
int pn_lookup_commit(struct pn_oid *out, const struct pn_lookup *lookup,
		     const char *text, struct pn_error *err);
/* Whether it is worth while to open a repository for that: no tag, no path, no
 * file of such a name. */
bool pn_lookup_may_be_commit(const char *text);
/* Whether it is <rev>:<series>, as far as one can tell without looking for the
 * series: 1 with the commit and what stands behind the colon, 0 or negative. */
int pn_lookup_of_commit(struct pn_oid *out, const char **series,
			const struct pn_lookup *lookup, const char *text,
			struct pn_error *err);
/* "/x", "./x", "../x": it can be nothing but a file. */
bool pn_lookup_is_path(const char *text);
void pn_found_list_release(struct pn_found_list *list);

/* The profile of a found item; *format (may be NULL) is its codec's name. Of a
 * stored one with the labels that its line says. A series of several records
 * is PN_EAMBIGUOUS: each of them can be loaded, to be merged. */
int pn_lookup_load(struct pn_profile *out, const char **format,
		   const struct pn_lookup *lookup, const struct pn_found *found,
		   const struct pn_codec *codec, struct pn_error *err);
/* The bytes of a found item as they are, at most PN_BODY_MAX_BYTES. */
int pn_lookup_bytes(struct pn_buf *out, const struct pn_lookup *lookup,
		    const struct pn_found *found, struct pn_error *err);

#endif
