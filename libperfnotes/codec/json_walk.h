/*
 * Walking a JSON document by tables: which function takes which member. As
 * with pn_json_skip, the first event of a value was read before it is taken.
 * Messages have the path: "profiles[0].unit: expected a string, have null".
 */
#ifndef PN_CODEC_JSON_WALK_H
#define PN_CODEC_JSON_WALK_H

#include "base/error.h"
#include "base/json.h"
#include "base/strtab.h"

#include <stdint.h>

struct pn_json_field {
	const char *name;
	int (*take)(void *to, struct pn_json *json, enum pn_json_event first,
		    struct pn_error *err);
};

/* An object: each member of the table (which ends with a zeroed one) goes to
 * its function, any other is skipped. */
int pn_json_walk_object(void *to, struct pn_json *json,
			enum pn_json_event first,
			const struct pn_json_field *table,
			struct pn_error *err);
/* An array: each item goes to the function. */
int pn_json_walk_array(void *to, struct pn_json *json, enum pn_json_event first,
		       int (*take)(void *to, struct pn_json *json,
				   enum pn_json_event first,
				   struct pn_error *err),
		       struct pn_error *err);
/* The whole document, which is an object. */
int pn_json_walk_document(void *to, struct pn_reader *in,
			  const struct pn_json_field *table,
			  struct pn_error *err);

/* A value as one type. `int` takes 12 and 12.0, not 12.5; no double is NaN or
 * infinite. */
int pn_json_take_double(double *out, struct pn_json *json,
			enum pn_json_event first, struct pn_error *err);
int pn_json_take_int(int64_t *out, struct pn_json *json,
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
