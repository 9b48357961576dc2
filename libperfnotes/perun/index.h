/*
 * The index that a Perun store keeps for each commit: which profiles are
 * registered there. Bytes only; four layouts share two version numbers.
 *
 *	"pidx", version and number of entries (32 bits, little endian), then
 *	for each entry: time (32 bits), object (20 bytes), name and NUL, and in
 *	version 2 the texts of the layout, each 32 bits of length and UTF-8
 */
#ifndef PN_PERUN_INDEX_H
#define PN_PERUN_INDEX_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A commit's note has 16 MB, of some 1 kB a line. */
#define PN_PERUN_INDEX_ENTRIES 16384
#define PN_PERUN_INDEX_BYTES (64u << 20)
#define PN_PERUN_NAME_MAX 1024 /* file systems end at 255 characters */

enum pn_perun_layout {
	PN_PERUN_V1,  /* Perun up to 0.16.5 */
	PN_PERUN_V2A, /* 0.16.6 to 0.21.8 */
	PN_PERUN_V2B, /* to 0.23.7 */
	PN_PERUN_V2C, /* since 0.23.8 */
	PN_PERUN_LAYOUTS
};

enum pn_perun_text {
	PN_PERUN_TYPE,
	PN_PERUN_CMD,
	PN_PERUN_ARGS, /* v2a only */
	PN_PERUN_WORKLOAD,
	PN_PERUN_LABEL, /* v2c only */
	PN_PERUN_COLLECTOR,
	PN_PERUN_POSTS, /* names, a blank between them */
	PN_PERUN_TEXTS
};

struct pn_perun_listing {
	uint32_t time_s; /* since 1970 UTC */
	struct pn_oid object;
	const char *name;		   /* not empty */
	const char *texts[PN_PERUN_TEXTS]; /* "" where the layout has none */
};

struct pn_perun_index {
	struct pn_arena arena; /* owns the items and their texts */
	enum pn_perun_layout layout;
	struct pn_perun_listing *items;
	size_t count;
};

/* "v1", "v2a", ... */
const char *pn_perun_layout_name(enum pn_perun_layout layout);
/* All of them, for -h, completion and messages. */
void pn_perun_layout_names(struct pn_buf *out, const char *between);
/* "Perun 0.23.8 and later": those that read it. */
const char *pn_perun_layout_readers(enum pn_perun_layout layout);
/* False for a name that is none. */
bool pn_perun_layout_find(enum pn_perun_layout *out, const char *name);

/* Whether the bytes begin as an index does. */
bool pn_perun_index_is(const void *bytes, size_t len);
/*
 * The layout is the one that takes all bytes for exactly the number of entries
 * that the head says. v2a and v2c have the same shape and are read as v2c: see
 * pn_perun_listing_settle. PN_EINVAL, PN_ELIMIT.
 */
int pn_perun_index_parse(struct pn_perun_index *out, const void *bytes,
			 size_t len, struct pn_error *err);
void pn_perun_index_release(struct pn_perun_index *index);

/* Move the texts of a v2c listing to where v2a has them, if the workload of
 * the profile says that it was one of v2a. */
void pn_perun_listing_settle(struct pn_perun_listing *listing,
			     const char *workload);

/* The order in which Perun keeps entries: by name, then time. */
void pn_perun_listings_sort(struct pn_perun_listing *items, size_t count);
/* Append the bytes of an index of at most UINT32_MAX entries. */
void pn_perun_index_write(struct pn_buf *out, enum pn_perun_layout layout,
			  const struct pn_perun_listing *items, size_t count);

#endif
