/*
 * Small JSON documents that are trees by nature, read whole by cJSON: what
 * benchmarks and CI services write. Profiles are read by the pull reader
 * (base/json/json.h) instead, because they may be of any size and their counts
 * need all 64 bits. Nothing else includes cJSON.h.
 *
 * Before cJSON sees a document, the pull reader has gone over it: UTF-8,
 * grammar, size, depth and how much is in it are known to be good, and messages
 * name line and column. NaN and infinities, which Python writes, are read and
 * refused only where they are asked for. cJSON keeps numbers as doubles: whole
 * numbers are therefore taken up to 2^53 and refused beyond.
 *
 * A value knows what it is in, so that messages have its path
 * ("results[0].times: expected an array, have a string"): what it is in must
 * outlive it, and stay where it is. A member that is absent and one that is
 * null are the same, and leave what `out` had; of members with one name the
 * last counts.
 */
#ifndef PN_BENCH_DOCUMENT_H
#define PN_BENCH_DOCUMENT_H

#include "base/error.h"
#include "base/reader/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_DOCUMENT_MAX (UINT64_C(16) << 20) /* bytes */
/* Values, names and ends of objects and arrays. cJSON takes 80 bytes for each
 * value; numbers as benchmarks write them have 8 bytes and more. */
#define PN_DOCUMENT_MAX_EVENTS (1u << 21)

struct cJSON;

/* Zeroed: absent. */
struct pn_document {
	struct cJSON *json;
	const struct pn_document *in; /* the object or array around it */
	size_t at;		      /* which item of an array it is */
};

/* The whole of `in`, which must be an object, or the other one: an array.
 * PN_EINVAL, PN_ELIMIT. */
int pn_document_read(struct pn_document *out, struct pn_reader *in,
		     struct pn_error *err);
int pn_document_read_list(struct pn_document *out, struct pn_reader *in,
			  struct pn_error *err);
/* What pn_document_read gave. */
void pn_document_release(struct pn_document *root);

/* Members of an object, by name and type: PN_EINVAL when it is no object, or
 * the member has another type. */
int pn_document_object(struct pn_document *out,
		       const struct pn_document *object, const char *name,
		       struct pn_error *err);
int pn_document_array(struct pn_document *out, const struct pn_document *object,
		      const char *name, struct pn_error *err);
/* Finite. */
int pn_document_number(double *out, const struct pn_document *object,
		       const char *name, struct pn_error *err);
/* 12 and 12.0, not 12.5. */
int pn_document_int(int64_t *out, const struct pn_document *object,
		    const char *name, struct pn_error *err);
/* Borrowed until the document is released; false is "" as null is. */
int pn_document_text(const char **out, const struct pn_document *object,
		     const char *name, struct pn_error *err);
/* An array of finite numbers, for free(); NULL and 0 when it is empty. */
int pn_document_numbers(double **out, size_t *count,
			const struct pn_document *object, const char *name,
			struct pn_error *err);

/* Of any type; absent where there is none, or null. */
int pn_document_member(struct pn_document *out,
		       const struct pn_document *object, const char *name,
		       struct pn_error *err);

/* The value itself, which is to be a finite number. */
int pn_document_value(double *out, const struct pn_document *value,
		      struct pn_error *err);

/*
 * The values of an array, or of an object with their names:
 *
 *	struct pn_document item = {0};
 *	while (pn_document_next(&item, &list))
 */
bool pn_document_next(struct pn_document *item, const struct pn_document *list);
const char *pn_document_name(const struct pn_document *member);
/* False when it is no number; it may be infinite. */
bool pn_document_is_number(double *out, const struct pn_document *value);
/* NULL when it is no string. */
const char *pn_document_string(const struct pn_document *value);
bool pn_document_is_array(const struct pn_document *value);
bool pn_document_is_true(const struct pn_document *value);

/* "<path>: <text>" with PN_EINVAL. */
int pn_document_fail(const struct pn_document *value, struct pn_error *err,
		     const char *text);

#endif
