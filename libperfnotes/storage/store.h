/*
 * Profiles in notes: what entries and bodies mean. The bytes are drawn in
 * FORMAT.md.
 */
#ifndef PN_STORAGE_STORE_H
#define PN_STORAGE_STORE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "codec/codec.h"
#include "model/entry.h"
#include "model/profile.h"
#include "vcs/notes.h"
#include "vcs/repo.h"

#define PN_BODY_MAX_BYTES ((uint64_t)256 << 20) /* default perf.maxBodySize */

/*
 * A record on its way into the store: an entry whose fields are filled but
 * for time, id, nonce, body and size, and the bytes to keep.
 */
struct pn_record {
	struct pn_oid commit, tree;
	struct pn_arena arena; /* owns what `entry` points to */
	struct pn_entry entry;
	struct pn_profile profile; /* body is encoded from it ... */
	bool has_profile;
	struct pn_buf verbatim; /* ... or is these bytes */
	bool has_verbatim;
};

void pn_record_release(struct pn_record *record);

/*
 * Read a profile from a file or stream into a record: the codec's model when
 * it is complete (and verbatim is not asked for), else the input's own bytes.
 * Metrics, job, format and environment go into the entry. max_bytes is
 * perf.maxBodySize.
 */
struct pn_record_options {
	const struct pn_codec *codec; /* NULL: sniff */
	bool verbatim;
	const char *name; /* registered name, NULL: the path's last part */
	const struct pn_pair_text *labels;
	size_t label_count;
	uint64_t max_bytes;
};
struct pn_pair_text {
	const char *key, *value;
};
int pn_record_read(struct pn_record *out, const char *path,
		   const struct pn_record_options *options,
		   struct pn_error *err);

/* A record from a model in memory (a collector's result). Takes what
 * `profile` owns. */
int pn_record_from_profile(struct pn_record *out, struct pn_profile *profile,
			   const struct pn_record_options *options,
			   struct pn_error *err);

/*
 * Store all records as one commit of the notes ref, whatever other writers
 * do. On return each record's entry has its id. Bodies are deltas on the
 * previous profile of the same job where that pays.
 */
int pn_store_append(struct pn_repo *repo, struct pn_record *records,
		    size_t count, struct pn_error *err);

/* Take entries (by id) out of a commit's list: one tombstone each; a body that
 * no live line needs leaves objects/. PN_ENOTFOUND names an id not there. */
int pn_store_remove(struct pn_repo *repo, const struct pn_oid *commit,
		    const char *const *ids, size_t count, struct pn_error *err);

/*
 * The live entries of a commit, newest first, in `arena`. No body is read.
 */
int pn_store_entries(const struct pn_entry **out, size_t *count,
		     struct pn_arena *arena, struct pn_notes *notes,
		     const struct pn_oid *commit, struct pn_error *err);

/* The stored bytes of an entry's body: canonical ones as they lie in git. */
int pn_store_body(struct pn_buf *out, struct pn_repo *repo,
		  const struct pn_entry *entry, struct pn_error *err);

/*
 * The profile of an entry: canonical bodies resolved along their chain and
 * verified, verbatim ones read by the codec that the entry names.
 * PN_ENOTFOUND when a body is absent (pruned or never fetched).
 */
int pn_store_load(struct pn_profile *out, struct pn_repo *repo,
		  const struct pn_entry *entry, struct pn_error *err);

#endif
