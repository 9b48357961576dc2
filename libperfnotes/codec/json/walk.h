/*
 * Walking a JSON document by tables: where each member of an object goes. As
 * with pn_json_skip, the first event of a value was read before it is taken.
 * Messages have the path: "profiles[0].unit: expected a string, have null".
 */
#ifndef PN_JSON_WALK_H
#define PN_JSON_WALK_H

#include "base/error.h"
#include "base/json/json.h"
#include "base/strtab.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lists that grow as they are read; `items` is for free(). */
struct pn_json_doubles {
	double *items;
	size_t count, cap;
};
struct pn_json_ints {
	int64_t *items;
	size_t count, cap;
};

/* What a member becomes, and where it is put. */
enum pn_json_type {
	PN_JSON_NO_TYPE,
	PN_JSON_TO_DOUBLE,  /* double, finite */
	PN_JSON_TO_INT,	    /* int64_t */
	PN_JSON_TO_AMOUNT,  /* int64_t, 0 or more */
	PN_JSON_TO_STRING,  /* uint32_t: an id; null and false are "" */
	PN_JSON_TO_TEXT,    /* struct pn_buf: the value as compact JSON */
	PN_JSON_TO_DOUBLES, /* struct pn_json_doubles: finite ones */
	PN_JSON_TO_INTS,    /* struct pn_json_ints */
	PN_JSON_TO_STRINGS  /* struct pn_json_ints: ids */
};

/*
 * A row has one of: a function for the value; a function for each value of an
 * array; the table of an object inside; a type. All of them work on `offset`
 * bytes behind `to`. Rows with a type are made by the macros below.
 * A table ends with a zeroed row, or with one that has no name and the table
 * where it goes on.
 */
struct pn_json_field {
	const char *name;
	int (*take)(void *to, struct pn_json *json, enum pn_json_event first,
		    struct pn_error *err);
	int (*each)(void *to, struct pn_json *json, enum pn_json_event first,
		    struct pn_error *err);
	const struct pn_json_field *fields;
	enum pn_json_type type;
	/* A null leaves what is there; in a list of whole numbers it is -1. */
	bool or_null;
	size_t offset;
};

/* "line" into the member `line` of a struct; what it becomes follows from the
 * member's type. */
#define PN_JSON_FIELD(name, object, member)                                    \
	PN_JSON_ROW(name, object, member, PN_JSON_TYPE(object, member), false)
#define PN_JSON_FIELD_OR_NULL(name, object, member)                            \
	PN_JSON_ROW(name, object, member, PN_JSON_TYPE(object, member), true)
#define PN_JSON_AMOUNT(name, object, member)                                   \
	PN_JSON_ROW(name, object, member,                                      \
		    _Generic(((struct object *)0)->member, int64_t             \
			     : PN_JSON_TO_AMOUNT),                             \
		    false)
#define PN_JSON_AMOUNT_OR_NULL(name, object, member)                           \
	PN_JSON_ROW(name, object, member,                                      \
		    _Generic(((struct object *)0)->member, int64_t             \
			     : PN_JSON_TO_AMOUNT),                             \
		    true)
#define PN_JSON_STRINGS(name, object, member)                                  \
	PN_JSON_ROW(name, object, member,                                      \
		    _Generic(((struct object *)0)->member, struct pn_json_ints \
			     : PN_JSON_TO_STRINGS),                            \
		    false)
#define PN_JSON_TYPE(object, member)                                           \
	_Generic(((struct object *)0)->member, double                          \
		 : PN_JSON_TO_DOUBLE, int64_t                                  \
		 : PN_JSON_TO_INT, uint32_t                                    \
		 : PN_JSON_TO_STRING, struct pn_buf                            \
		 : PN_JSON_TO_TEXT, struct pn_json_doubles                     \
		 : PN_JSON_TO_DOUBLES, struct pn_json_ints                     \
		 : PN_JSON_TO_INTS)
#define PN_JSON_ROW(name, object, member, type, or_null)                       \
	{                                                                      \
		name, NULL, NULL, NULL, type, or_null,                         \
			offsetof(struct object, member)                        \
	}

/* An object: each member of the table goes to its place, any other is skipped;
 * strings go to `strings`, which may be NULL for a table without any. */
int pn_json_walk_object(void *to, struct pn_strtab *strings,
			struct pn_json *json, enum pn_json_event first,
			const struct pn_json_field *table,
			struct pn_error *err);
/* An array: each item goes to the function. */
int pn_json_walk_array(void *to, struct pn_json *json, enum pn_json_event first,
		       int (*each)(void *to, struct pn_json *json,
				   enum pn_json_event first,
				   struct pn_error *err),
		       struct pn_error *err);
/*
 * An object that holds a list of such objects below `children`, and these their
 * own, as deep as PN_JSON_TREE_DEPTH. `add` makes room for one, which may move
 * the others; `at` tells where its members go by `fields` while it is open.
 */
#define PN_JSON_TREE_DEPTH 4000
struct pn_json_tree {
	const char *children;
	const struct pn_json_field *fields;
	/* The number of a new one below `parent`, or below none: PN_NONE. */
	uint32_t (*add)(void *to, uint32_t parent);
	void *(*at)(void *to, uint32_t number);
};
int pn_json_walk_tree(void *to, struct pn_strtab *strings, struct pn_json *json,
		      enum pn_json_event first, const struct pn_json_tree *tree,
		      struct pn_error *err);

/* The whole document, which is an object. */
int pn_json_walk_document(void *to, struct pn_strtab *strings,
			  struct pn_reader *in,
			  const struct pn_json_field *table,
			  struct pn_error *err);

/* A value as one type. `int` takes 12 and 12.0, not 12.5; no double is NaN or
 * infinite. */
int pn_json_take_double(double *out, struct pn_json *json,
			enum pn_json_event first, struct pn_error *err);
int pn_json_take_int(int64_t *out, struct pn_json *json,
		     enum pn_json_event first, struct pn_error *err);
/* For what is left out rather than refused: NAN for all that is no number. */
int pn_json_take_double_or_nan(double *out, struct pn_json *json,
			       enum pn_json_event first, struct pn_error *err);
/* As pn_json_take_int, 0 or more. */
int pn_json_take_amount(int64_t *out, struct pn_json *json,
			enum pn_json_event first, struct pn_error *err);
/* The id of a string; null and false are "". */
int pn_json_take_string(uint32_t *out, struct pn_strtab *strings,
			struct pn_json *json, enum pn_json_event first,
			struct pn_error *err);

/* "<path>: <text>" with PN_EINVAL. */
int pn_json_fail(struct pn_json *json, struct pn_error *err, const char *text);

#endif
