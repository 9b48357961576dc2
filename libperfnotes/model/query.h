/*
 * A profile as a data frame: resources (rows) by keys (columns), flattened.
 * A resource is a sample; of a profile without samples a node of its call
 * graph; without both a measured value. What Perun's Profile and
 * perun.profile.query answer is asked here: all resources, all keys, which
 * keys are numeric, the unique values of a key, and the same of models.
 *
 * Keys of samples: a value type as "cpu/nanoseconds" (without a unit "cpu");
 * function, file, line, address, binary of the leaf; stack, the functions from
 * the root to the leaf separated by ';'; then each label by its key, or as
 * label:<key> where that is taken. Several values of one label are separated
 * by ','. Keys of nodes: self:<type> and total:<type>, calls, primitive, and
 * the place as above. Keys of measured values: metric, unit, better, index,
 * value; or, of a metric with a summary only, n, min, q1, median, q3, max,
 * mean, sd.
 */
#ifndef PN_MODEL_QUERY_H
#define PN_MODEL_QUERY_H

#include "base/buf.h"
#include "model/profile.h"

enum pn_datum_kind {
	PN_DATUM_NONE, /* the resource has no such key */
	PN_DATUM_TEXT,
	PN_DATUM_INT,
	PN_DATUM_NUMBER
};

struct pn_datum {
	enum pn_datum_kind kind;
	struct {
		const char *data; /* until the next call with this buffer */
		size_t len;
	} text;
	int64_t i;
	double d;
	bool json; /* the text is a JSON value: model/json_label.h */
};

struct pn_query_key {
	char *name;
	int source;	/* what it is taken from; internal */
	uint32_t which; /* value type or string of the label's key */
	bool numeric;	/* no resource has a text there */
};

struct pn_query {
	const struct pn_profile *profile;
	struct pn_query_key *keys;
	size_t key_count, key_cap;
	size_t resource_count;
	uint32_t *metric_of; /* of measured values: by resource */
	size_t *value_of;    /* SIZE_MAX: the summary */
};

/* The profile is borrowed. Time O(labels + metrics). */
void pn_query_init(struct pn_query *out, const struct pn_profile *profile);
void pn_query_release(struct pn_query *query);

/* The key of this name, SIZE_MAX without. */
size_t pn_query_find(const struct pn_query *query, const char *name);
/* One value; `scratch` holds texts that had to be made. */
struct pn_datum pn_query_get(const struct pn_query *query, size_t resource,
			     size_t key, struct pn_buf *scratch);
/* Its text: a number in its shortest form. */
void pn_datum_text(struct pn_buf *out, const struct pn_datum *datum);

/* The unique values of a key, as texts in the order in which they first
 * occur: ids from 1 on; resources without it do not count. */
void pn_query_unique(struct pn_strtab *out, const struct pn_query *query,
		     size_t key);
/*
 * The unique values of a member of the profile's models (texts, or JSON where
 * they are no texts), in the order in which they first occur, and all names of
 * such members when `member` is NULL: ids from 1 on. PN_EINVAL when a model is
 * no object.
 */
int pn_query_models(struct pn_strtab *out, const struct pn_profile *profile,
		    const char *member, struct pn_error *err);

#endif
