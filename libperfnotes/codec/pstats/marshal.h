/*
 * Python's marshal, the part that profile dumps of 2.7 to 3.13 use: numbers,
 * strings, tuples, lists and dicts, with back references (CPython,
 * Python/marshal.c). What is read stays in the reader's own pool.
 */
#ifndef PN_PSTATS_MARSHAL_H
#define PN_PSTATS_MARSHAL_H

#include "base/reader/reader.h"
#include "base/strtab.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pn_marshal_kind {
	PN_MARSHAL_END, /* of a dict */
	PN_MARSHAL_INT,
	PN_MARSHAL_FLOAT,
	PN_MARSHAL_STRING, /* id in `strings` */
	PN_MARSHAL_TUPLE,
	PN_MARSHAL_LIST,
	PN_MARSHAL_DICT /* `count` pairs: key, value, key, value ... */
};

struct pn_marshal_value {
	uint8_t kind; /* enum pn_marshal_kind */
	uint32_t count;
	union {
		int64_t i;
		double d;
		uint32_t string;
		size_t at; /* of the items in the pool */
	} v;
};

struct pn_marshal {
	struct pn_reader *in;		       /* borrowed */
	struct pn_strtab *strings;	       /* borrowed */
	const unsigned char *begin, *at, *end; /* what the reader shows */
	int unread; /* why it could not show more, or 0 */
	struct pn_marshal_value *pool, *refs, *pairs;
	size_t pool_count, pool_cap, ref_count, ref_cap, pair_count, pair_cap;
	uint32_t *interned; /* strings, Python 2 */
	size_t interned_count, interned_cap;
};

void pn_marshal_release(struct pn_marshal *m);

/* Bytes read so far. */
uint64_t pn_marshal_offset(const struct pn_marshal *m);
/* Whether something comes. PN_EIO and what else a reader says. */
int pn_marshal_has_more(bool *more, struct pn_marshal *m, struct pn_error *err);

/* The '{' that a dump begins with; PN_EINVAL when it is none. */
int pn_marshal_open_dict(struct pn_marshal *m, struct pn_error *err);
/* The next value. PN_EINVAL names the byte and what is wrong there, or it is
 * what the reader says, and in `unread`. `depth` counts the containers around
 * it. */
int pn_marshal_next(struct pn_marshal_value *out, struct pn_marshal *m,
		    int depth, struct pn_error *err);
/*
 * Where a tuple of so many items, or a dict, comes next, pass over its
 * beginning: its items, a dict's END as well, are the next values then, and
 * nothing is kept of it. False where what comes is something else, or may be
 * referred to later.
 */
bool pn_marshal_enter_tuple(struct pn_marshal *m, size_t count);
bool pn_marshal_enter_dict(struct pn_marshal *m);
/* The number of what comes next in the list of references: the one that it
 * refers to, or else the one that it takes. SIZE_MAX for none. */
size_t pn_marshal_number(struct pn_marshal *m);
/* Pass over what comes next, where its number is that of something before. */
void pn_marshal_skip_reference(struct pn_marshal *m);
/* Items of a tuple, list or dict, NULL of anything else; borrowed until the
 * next call of next. */
const struct pn_marshal_value *
pn_marshal_items(const struct pn_marshal *m, const struct pn_marshal_value *v);
/* "byte 17: <text>" with PN_EINVAL. */
int pn_marshal_fail(const struct pn_marshal *m, struct pn_error *err,
		    const char *text);

#endif
