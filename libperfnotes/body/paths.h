/*
 * The paths of a key body's stacks without a table of them: the stacks
 * themselves say what stands in its two columns, row by row. A profile of many
 * different stacks has about as many paths as frames, and 16 bytes for each are
 * more than all the rest of it.
 */
#ifndef PN_BODY_PATHS_H
#define PN_BODY_PATHS_H

#include "base/buf.h"
#include "base/error.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pn_body_paths;

/*
 * The paths of these of the profile's stacks, in the order in which they are
 * met; `rows` gets by stack the row of its last path + 1, 0 for one without
 * frames. Rows of locations are their numbers in the profile, which has to
 * outlive what comes back. Time O(frames), memory O(stacks).
 */
struct pn_body_paths *pn_body_paths_new(uint32_t *rows,
					const struct pn_profile *profile,
					const uint32_t *stacks, size_t count);
/* The same behind the paths of a base, that keep their rows; `locations` has
 * the row of each of the profile's. Time O(frames + forks of the base). */
struct pn_body_paths *pn_body_paths_behind(uint32_t *rows,
					   const struct pn_profile *profile,
					   const uint32_t *stacks, size_t count,
					   const struct pn_body_paths *base,
					   const uint32_t *locations);
/* Those of a body that is read: none yet but its base's (NULL: a key). */
struct pn_body_paths *pn_body_paths_inherit(const struct pn_body_paths *base);
/* Of a section, see body/tree.h. */
int pn_body_paths_read(struct pn_body_paths *paths, unsigned int column,
		       const unsigned char *bytes, size_t len, uint64_t *budget,
		       struct pn_error *err);
int pn_body_paths_end(struct pn_body_paths *paths, size_t rows,
		      size_t locations, struct pn_error *err);
void pn_body_paths_free(struct pn_body_paths *paths);
size_t pn_body_paths_count(const struct pn_body_paths *paths);
/* Those of them that the base has. */
size_t pn_body_paths_inherited(const struct pn_body_paths *paths);

/* Frames of each path that a stack ends at. True: they are more than `limit`,
 * or than PN_MAX_STACK_DEPTH in one. */
bool pn_body_paths_frames(uint64_t *frames, const struct pn_body_paths *paths,
			  uint64_t limit);
/* `live` becomes 1 for each location of a path. */
void pn_body_paths_mark(uint8_t *live, const struct pn_body_paths *paths);
/* Where a location of the profile is, when rows of locations are not their
 * numbers there: numbers[row] becomes that. */
void pn_body_paths_number(uint32_t *numbers, const struct pn_body_paths *paths);
/* The stack of a word that is a path + 1, or 0. */
uint32_t pn_body_paths_stack(const struct pn_body_paths *paths, uint64_t word);
/* The profile's stacks, for another profile; to be taken back before that is
 * released. */
void pn_body_paths_lend(struct pn_profile *out,
			const struct pn_body_paths *paths);
void pn_body_paths_take_back(struct pn_profile *profile);

/* False: this is not a column of paths, `paths` is NULL, or all words are 0. */
bool pn_body_paths_sum(uint64_t *sum, const struct pn_body_paths *paths,
		       unsigned int column);
/* Whether the column has a section: false as above, or it is the base's. */
bool pn_body_paths_is_written(const struct pn_body_paths *paths,
			      unsigned int column);
/* Bytes of both sections. */
size_t pn_body_paths_bytes(const struct pn_body_paths *paths);
/* Append the column's section, its tag before it; false: it has none. */
bool pn_body_paths_write(struct pn_buf *out, const struct pn_body_paths *paths,
			 unsigned int column);
/* Whether a section's bytes say what the column has. */
bool pn_body_paths_reads(const struct pn_body_paths *paths, unsigned int column,
			 const unsigned char *bytes, size_t len);
/* Whether each stack is found again from its last path to its first. */
bool pn_body_paths_lead_back(const struct pn_body_paths *paths);

/* Words of a column from the first on. */
struct pn_body_paths_cursor {
	const struct pn_body_paths *paths;
	unsigned int column;
	size_t row, fork; /* of the base */
	size_t limb;
	uint32_t depth;
};

void pn_body_paths_begin(struct pn_body_paths_cursor *cursor,
			 const struct pn_body_paths *paths,
			 unsigned int column);
/* From the first that the base does not have. */
void pn_body_paths_begin_new(struct pn_body_paths_cursor *cursor,
			     const struct pn_body_paths *paths,
			     unsigned int column);
/* At most `max` more, 0 at the end. */
size_t pn_body_paths_next(uint64_t *words, size_t max,
			  struct pn_body_paths_cursor *cursor);

#endif
