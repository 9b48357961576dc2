/* Inside of jobs/: the keys of a section and their values. */
#ifndef PN_MATRIX_KEYS_H
#define PN_MATRIX_KEYS_H

#include "base/arena.h"
#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum pn_key_kind {
	PN_KEY_LIST,	/* struct pn_matrix_list: may be repeated */
	PN_KEY_TEXT,	/* const char * */
	PN_KEY_COUNT,	/* uint64_t */
	PN_KEY_INT,	/* int64_t */
	PN_KEY_SECONDS, /* int64_t, ns: 90, 1.5s, 250ms, 5m, 2h */
	PN_KEY_SHARE,	/* double, 0 and above */
	PN_KEY_FLAG,	/* bool, as git has it */
	PN_KEY_TYPE,	/* enum pn_matrix_type */
	PN_KEY_POST	/* struct pn_matrix_posts: may be repeated */
};

struct pn_key {
	const char *name; /* as documented; compared without case */
	enum pn_key_kind kind;
	size_t offset;	/* in the section's struct */
	uint64_t least; /* PN_KEY_COUNT */
};

extern const struct pn_key pn_keys_of_job[];	  /* end with a zeroed one */
extern const struct pn_key pn_keys_of_workload[]; /* likewise */

/*
 * Put a value (NULL: the key stood alone) into the struct at `to`. PN_EINVAL
 * says what is wrong without naming the key; for an unknown key it lists those
 * that there are.
 */
int pn_key_set(void *to, struct pn_arena *arena, const struct pn_key *keys,
	       const char *name, const char *value, struct pn_error *err);

/* The line, from 1 on, of the key of this index (from 0 on) in a text that git
 * config reads; 0 when there is none. */
size_t pn_matrix_line(const char *text, size_t len, size_t index);

#endif
