/*
 * The tables of Firefox's processed profiles: stacks are made of frames,
 * frames of functions, functions of strings. Each thread has its own, or all
 * share them (since version 56 some, since 60 all).
 * github.com/firefox-devtools/profiler: src/types/profile.ts,
 * docs-developer/CHANGELOG-formats.md.
 */
#ifndef PN_FIREFOX_FIREFOX_H
#define PN_FIREFOX_FIREFOX_H

#include "codec/frames.h"
#include "codec/json/walk.h"

/* Null is -1. */
enum pn_firefox_column {
	PN_FIREFOX_STACK_FRAME,
	PN_FIREFOX_STACK_PREFIX,
	PN_FIREFOX_STACK_OFFSET, /* since 66: how far before it the prefix is,
				    0 for none */
	PN_FIREFOX_FRAME_FLAGS,	 /* since 71: which of the others say something,
				    which have no null from then on */
	PN_FIREFOX_FRAME_FUNC,
	PN_FIREFOX_FRAME_ADDRESS,
	PN_FIREFOX_FRAME_LIB, /* since 71 */
	PN_FIREFOX_FRAME_LINE,
	PN_FIREFOX_FRAME_COLUMN,
	PN_FIREFOX_FUNC_FLAGS, /* since 73 */
	PN_FIREFOX_FUNC_NAME,
	PN_FIREFOX_FUNC_FILE,
	PN_FIREFOX_FUNC_SOURCE, /* since 58: of the table of sources */
	PN_FIREFOX_FUNC_RESOURCE,
	PN_FIREFOX_FUNC_LINE,
	PN_FIREFOX_RESOURCE_LIB,
	/* may be shared where the others are not */
	PN_FIREFOX_SOURCE_FILE,
	PN_FIREFOX_LIBS,    /* mappings of the profile */
	PN_FIREFOX_STRINGS, /* ids of the profile */
	PN_FIREFOX_COLUMNS
};

struct pn_firefox_tables {
	struct pn_json_ints columns[PN_FIREFOX_COLUMNS];
	struct pn_profile *p; /* borrowed: libraries become its mappings */
};

struct pn_firefox {
	struct pn_profile *p;
	struct pn_frames frames;
	struct pn_firefox_tables shared;
};

void pn_firefox_tables_release(struct pn_firefox_tables *t);
/* The shared tables and the frames. */
void pn_firefox_release(struct pn_firefox *ff);

/* What a thread refers to, borrowed: its own tables, or the shared ones. */
void pn_firefox_share(struct pn_firefox_tables *out,
		      const struct pn_firefox_tables *own,
		      const struct pn_firefox_tables *shared);

/* Members of a thread or of `shared`, into a struct pn_firefox_tables whose
 * `p` is set; and one library, for those that stand apart. */
extern const struct pn_json_field pn_firefox_fields[];
int pn_firefox_take_lib(void *to, struct pn_json *json,
			enum pn_json_event first, struct pn_error *err);

/* An item of a column, -1 where the column is absent or shorter. */
int64_t pn_firefox_item(const struct pn_firefox_tables *t,
			enum pn_firefox_column column, int64_t at);
/* The location of a frame. */
uint32_t pn_firefox_location(struct pn_firefox *ff,
			     const struct pn_firefox_tables *t, int64_t frame);

#endif
