/*
 * Call graphs of tools that print tables of names: a node for each key, an
 * edge for each pair of them. A zeroed struct but for `p` is empty.
 */
#ifndef PN_TABLES_NAMED_H
#define PN_TABLES_NAMED_H

#include "base/error.h"
#include "base/reader/reader.h"
#include "model/profile.h"

struct pn_named {
	struct pn_profile *p;
	struct pn_strtab keys, pairs; /* as bytes; ids from 1 on */
};

void pn_named_release(struct pn_named *named);
/* The node of this key, added when new, of a function of that name. */
uint32_t pn_named_node(struct pn_named *named, const void *key, size_t len,
		       const char *name, size_t name_len);
size_t pn_named_edge(struct pn_named *named, uint32_t caller, uint32_t callee);
/* Adds to a whole number; PN_ERANGE. */
int pn_named_add(int64_t *to, int64_t value, struct pn_error *err);

/*
 * Read a table of functions in nanoseconds, less is better, that is never all
 * there is to it: `take` gets each line. PN_EINVAL says what was `expected`
 * when there was no function. Releases `named`, also on failure.
 */
int pn_named_read(struct pn_named *named, struct pn_reader *in, void *to,
		  int (*take)(void *to, const char *text, size_t len,
			      struct pn_error *err),
		  const char *expected, struct pn_error *err);

#endif
