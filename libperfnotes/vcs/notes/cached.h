/*
 * Commits and notes by way of the cache (vcs/cache/cache.h): one that another
 * process has read is not read from the database again, unless it changed. For
 * whoever goes through a history; a lookup or two are cheaper without.
 */
#ifndef PN_NOTES_CACHED_H
#define PN_NOTES_CACHED_H

#include "vcs/notes/notes.h"

/* From now on. Does nothing where there are no notes. */
void pn_notes_use_cache(struct pn_notes *notes);

/* pn_repo_commit_facts. */
int pn_notes_commit_facts(struct pn_commit_facts *out, struct pn_notes *notes,
			  const struct pn_oid *commit, struct pn_error *err);

/* A note as it was read before. */
struct pn_note_cached {
	const char *text; /* borrowed until the notes are freed */
	size_t len;
	bool checked; /* whoever kept it found each line good */
};

/* Whether the cache has the note that the commit has now, or that it has none:
 * then it is empty. */
bool pn_notes_cached(struct pn_note_cached *out, struct pn_notes *notes,
		     const struct pn_oid *commit);
/* Whether each line of what pn_notes_read gave last, of this commit, is good:
 * this clone wrote it, of lines that it had made or verified. */
bool pn_notes_read_good(struct pn_notes *notes, const struct pn_oid *commit);
/* Keep what pn_notes_read gave. */
void pn_notes_keep(struct pn_notes *notes, const struct pn_oid *commit,
		   const struct pn_note_cached *note);

/* Whether it is asked for the first time: by who met something that a partial
 * clone lacks, and gets all of that kind then. */
bool pn_notes_first_lack(struct pn_notes *notes);

/* A value that the caller made, by the hash of all that it was made of; kept
 * only where it was asked for before. */
const void *pn_notes_made(size_t *len, struct pn_notes *notes,
			  const struct pn_oid *key);
void pn_notes_keep_made(struct pn_notes *notes, const struct pn_oid *key,
			const void *value, size_t len);

#endif
