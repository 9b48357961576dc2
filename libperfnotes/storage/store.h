/*
 * Profiles in notes: what entries and bodies mean together. The bytes are
 * drawn in FORMAT.md.
 */
#ifndef PN_STORAGE_STORE_H
#define PN_STORAGE_STORE_H

#include "base/arena.h"
#include "base/error.h"
#include "model/series.h"
#include "storage/record.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

/*
 * Records that are stored as one commit of the notes ref. Adding encodes the
 * body at once and needs the record no longer; nothing is visible before the
 * commit, which waits for other writers and unites with what they did.
 */
struct pn_batch;

/* `notes` is a snapshot of PN_NOTES_REF to work on, borrowed, with nothing
 * staged, or NULL for one of its own. */
int pn_batch_open(struct pn_batch **out, struct pn_repo *repo,
		  struct pn_notes *notes, struct pn_error *err);
void pn_batch_free(struct pn_batch *batch);

/* The body is a delta on the previous profile of the same job where that
 * pays. Sets the record's id and time. */
int pn_batch_add(struct pn_batch *batch, struct pn_record *record,
		 struct pn_error *err);

/* Either all is stored or nothing. */
int pn_batch_commit(struct pn_batch *batch, struct pn_error *err);

/* A batch of these records in one call. */
int pn_store_append(struct pn_repo *repo, struct pn_record *records,
		    size_t count, struct pn_error *err);

/*
 * Take entries (by id) out of a commit's list: one tombstone each. A body
 * leaves objects/ when no live line names it and no other body builds on it;
 * that needs one walk over all notes. PN_ENOTFOUND names an id that is not
 * there.
 */
int pn_store_remove(struct pn_repo *repo, const struct pn_oid *commit,
		    const char *const *ids, size_t count, struct pn_error *err);

/* The live profiles of a commit, newest first, in `arena`. No body is read.
 * *ignored (may be NULL) counts lines that are no entries. */
int pn_store_entries(const struct pn_entry **out, size_t *count,
		     size_t *ignored, struct pn_arena *arena,
		     struct pn_notes *notes, const struct pn_oid *commit,
		     struct pn_error *err);

/* The series of a commit (model/series.h): what its live profiles are of. */
int pn_store_series(const struct pn_series_records **out, size_t *count,
		    struct pn_arena *arena, struct pn_repo *repo,
		    struct pn_notes *notes, const struct pn_oid *commit,
		    struct pn_error *err);

/* The live lines of every kind, newest first: profiles, `skip`, ... */
int pn_store_lines(const struct pn_entry **out, size_t *count,
		   struct pn_arena *arena, struct pn_notes *notes,
		   const struct pn_oid *commit, struct pn_error *err);

/*
 * As pn_store_entries, with the metrics of those lines whose own are too many
 * for 16 kB and stand in the body. A body that is absent leaves its line
 * without metrics.
 */
int pn_store_figures(const struct pn_entry **out, size_t *count,
		     struct pn_arena *arena, struct pn_repo *repo,
		     struct pn_notes *notes, const struct pn_oid *commit,
		     struct pn_error *err);
/* The same of pn_store_lines. */
int pn_store_line_figures(const struct pn_entry **out, size_t *count,
			  struct pn_arena *arena, struct pn_repo *repo,
			  struct pn_notes *notes, const struct pn_oid *commit,
			  struct pn_error *err);

#endif
