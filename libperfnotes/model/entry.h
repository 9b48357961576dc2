/*
 * An index line: what a commit's note says of one record, without its body.
 * The grammar of the line is drawn in storage/FORMAT.md.
 */
#ifndef PN_MODEL_ENTRY_H
#define PN_MODEL_ENTRY_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_LINE_MAX 16384      /* bytes of one line, with its LF */
#define PN_LINE_FIELDS_MAX 512 /* fields and metrics of one line */
#define PN_ENTRY_ID_HEX 16     /* digits of an id: first of a SHA-256 */
#define PN_LINE_VALUES_MAX 32  /* raw samples a metric keeps in the line */
/* The label of what came from a store of Perun: the name of its object. */
#define PN_ENTRY_STORE_LABEL "perun"

/* The field of what is of one thread alone: "<process>:<thread>". */
#define PN_THREAD_FIELD "thread"

enum pn_entry_kind {
	PN_ENTRY_PROFILE,
	PN_ENTRY_DEL,  /* tombstone: target names the id that is taken out */
	PN_ENTRY_OTHER /* a kind of a later version: kept, not understood */
};

/* One key=value of a line, decoded; keys may repeat. */
struct pn_field {
	const char *key, *value;
};

/* A metric of a line. `values` is NULL when only the summary stands there. */
struct pn_entry_metric {
	const char *name, *unit;
	enum pn_better better;
	const double *values;
	size_t value_count;
	struct pn_summary summary; /* filled in both cases */
};

struct pn_entry {
	int64_t time_ns; /* of registration, since 1970 UTC */
	char id[PN_ENTRY_ID_HEX + 1];
	enum pn_entry_kind kind;
	const char *kind_text;
	bool has_body;
	struct pn_oid body;
	char target[PN_ENTRY_ID_HEX + 1]; /* PN_ENTRY_DEL */
	uint64_t size; /* bytes of the body as stored, 0 without one */
	struct pn_oid commit, tree;
	const struct pn_field *fields; /* in the order of the line */
	size_t field_count;
	const struct pn_entry_metric *metrics;
	size_t metric_count;
	const char *line; /* the line itself, without LF */
	size_t line_len;
};

/* First value of a key, "" when the line has none. */
const char *pn_entry_field(const struct pn_entry *entry, const char *key);

/* The record of which a line of kind `figures` says that its body went on
 * purpose and its figures stay; NULL for any other line. */
#define PN_ENTRY_KIND_FIGURES "figures"
const char *pn_entry_bared(const struct pn_entry *entry);
/* Whether a profile's line says something without its body. */
bool pn_entry_has_figures(const struct pn_entry *entry);

/* A metric of a profile as one of a line; texts and values go to `arena`. */
void pn_entry_metric_copy(struct pn_entry_metric *out, struct pn_arena *arena,
			  const struct pn_profile *profile,
			  const struct pn_metric *metric);

/*
 * Parse one line (without LF). Everything `out` points to lives in `arena`.
 * The id is recomputed and must agree. PN_EINVAL says what is wrong; an
 * unknown kind is PN_ENTRY_OTHER, unknown keys are fields like any other.
 */
int pn_entry_parse(struct pn_entry *out, struct pn_arena *arena,
		   const char *line, size_t len, struct pn_error *err);

/* What a line says of its body. */
struct pn_entry_link {
	struct pn_oid body;
	bool verbatim; /* it stands alone; false when that is not sure */
};

/*
 * The body that a line has, without the cost of all else in it: the id is
 * verified, numbers and texts are not looked at. False for a line that is
 * damaged, has no body, or is a tombstone.
 */
bool pn_entry_link_parse(struct pn_entry_link *out, const char *line,
			 size_t len);

/*
 * Write a line with LF. time_ns, kind, body/target, size, commit, tree,
 * fields (in their order) and metrics are taken from `entry`; the id is
 * computed and set. Metrics beyond 32 values are written as a summary.
 * PN_ELIMIT when the line would exceed PN_LINE_MAX.
 */
int pn_entry_write(struct pn_buf *out, struct pn_entry *entry,
		   struct pn_error *err);

/*
 * The next line of a note's text that is not blank, without its LF; *at moves
 * behind it. False at the end.
 */
bool pn_note_line(const char **line, size_t *len, const char **at,
		  const char *end);

/*
 * The live entries of a note's text: parsed, without those that a tombstone
 * names, each id once, in order of time, newest first; without a body where a
 * line of kind `figures` says so. Lines that are no
 * entries are counted in *ignored (may be NULL); blank ones are not.
 * *out is an array in `arena`.
 */
void pn_entries_parse(const struct pn_entry **out, size_t *count,
		      size_t *ignored, struct pn_arena *arena, const char *text,
		      size_t len);

/* Every well-formed line, tombstones and dead ones too, in the text's order. */
void pn_entries_parse_all(const struct pn_entry **out, size_t *count,
			  struct pn_arena *arena, const char *text, size_t len);

#endif
