/*
 * A record on its way into the store: what its index line will say and the
 * bytes to keep.
 */
#ifndef PN_STORAGE_RECORD_H
#define PN_STORAGE_RECORD_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "codec/codec.h"
#include "model/entry.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stdint.h>

/* Of a stored body, and the default of perf.maxBodySize. */
#define PN_BODY_MAX_BYTES ((uint64_t)256 << 20)

/*
 * Of decoded columns (pn_body_estimate): an input that would have more is kept
 * as it is. To encode and to verify takes four times the memory of reading,
 * and what is so large and does not repeat is no smaller as columns.
 */
#define PN_RECORD_MAX_COLUMNS ((uint64_t)512 << 20)

/* Bytes of command, arguments and workload each that a line keeps whole; a
 * third of what three of them may take when all has to be escaped. */
#define PN_RECORD_TEXT_MAX 1024

/* The label by which an import knows again what it brought: the name of it in
 * the store that it came from, Perun's. Of the line only, no label of the
 * profile. */
#define PN_RECORD_IMPORT_LABEL PN_ENTRY_STORE_LABEL

struct pn_record {
	struct pn_oid commit, tree; /* where it goes; set by the caller */
	const char *kind;	    /* of the line; NULL: "profile" */
	struct pn_arena arena;	    /* owns what the fields point to */
	struct pn_field *fields;    /* but for n, body and base */
	size_t field_count, field_cap;
	struct pn_entry_metric *metrics;
	size_t metric_count;
	struct pn_profile profile; /* the body is encoded from it ... */
	bool has_profile;
	struct pn_buf verbatim; /* ... or is these bytes */
	bool has_verbatim;
	uint64_t max_bytes; /* of a body, 0: the default */
	/* set by pn_batch_prepare: the profile as a body, and the body's id
	 * and length; by pn_batch_pack: either body, deflated */
	struct pn_buf encoded;
	struct pn_oid body_id;
	size_t body_len;
	bool is_deflated, is_prepared;
	/* set by pn_batch_add */
	char id[PN_ENTRY_ID_HEX + 1];
	int64_t time_ns;
};

struct pn_text_pair {
	const char *key, *value;
};

struct pn_record_options {
	const struct pn_codec *codec; /* NULL: sniff */
	const char *hint; /* for it, see pn_reader_set_hint; or NULL */
	bool verbatim;	  /* keep the input's bytes in any case */
	const char *name; /* registered name; NULL: the file's */
	const struct pn_text_pair *labels;
	size_t label_count;
	const struct pn_text_pair *environment; /* for a file without its own */
	size_t environment_count;
	uint64_t max_bytes; /* of the input, gunzipped; 0: the default */
};

void pn_record_release(struct pn_record *record);

/*
 * Read a profile from a file ("-": standard input) into a record: the codec's
 * model when it is complete, not too large and `verbatim` is not asked for,
 * else the input's own bytes, gunzipped. *origin is the commit that the profile
 * says it was measured at, zero when it does not say.
 */
int pn_record_read(struct pn_record *out, struct pn_oid *origin,
		   const char *path, const struct pn_record_options *options,
		   struct pn_error *err);
/* The same of bytes in memory; `path` is for the name and for messages. */
int pn_record_read_memory(struct pn_record *out, struct pn_oid *origin,
			  const void *bytes, size_t len, const char *path,
			  const struct pn_record_options *options,
			  struct pn_error *err);

/* A record from a model in memory (a collector's result). Takes over what
 * `profile` owns and leaves it empty. options->codec is not used. */
int pn_record_from_profile(struct pn_record *out, struct pn_profile *profile,
			   const struct pn_record_options *options,
			   struct pn_error *err);

/* Append a text that makes a job (command, arguments, workload) as it stands
 * in a line: one above PN_RECORD_TEXT_MAX bytes is cut there. */
void pn_record_text(struct pn_buf *out, const char *text);

/* First value of a field, "" when there is none. */
const char *pn_record_field(const struct pn_record *record, const char *key);
void pn_record_add_field(struct pn_record *record, const char *key,
			 const char *value);
/* Replace or add. */
void pn_record_set_field(struct pn_record *record, const char *key,
			 const char *value);
/* Set the label `key` (field l.<key>). */
void pn_record_set_label(struct pn_record *record, const char *key,
			 const char *value);
/* Whether the model holds more than the index line does: stacks, a graph,
 * more raw values than a line keeps, ... */
bool pn_record_needs_body(const struct pn_record *record);
/* PN_ELIMIT when a body of `len` bytes is larger than the record allows, or
 * than can be read again. */
int pn_record_check_size(const struct pn_record *record, size_t len,
			 struct pn_error *err);
/* Copy fields (but for n, body, base) and metrics of a parsed line. */
void pn_record_describe(struct pn_record *record, const struct pn_entry *entry);

#endif
