/*
 * The resources of a profile as a data frame (model/query.h), as Perun's views
 * ask for them: those that the filters leave, keys by the names that people
 * type, values that are objects in their flat form.
 *
 * A key may be named without its unit ("amount" for "amount/B"), and Perun's
 * "snapshots" is "snapshot". "uid", where no label has it, is what a resource
 * is of: the function, of measured values the metric.
 */
#ifndef PN_RESOURCES_FRAME_H
#define PN_RESOURCES_FRAME_H

#include "base/strtab.h"
#include "model/query.h"
#include "model/unnamed.h"

struct pn_frame {
	struct pn_query query;
	size_t *rows; /* resources that the filters left */
	size_t count;
	struct pn_strtab texts; /* flat forms */
	uint32_t *flat;		/* of JSON texts, by string; PN_NONE */
	uint64_t budget;
	struct pn_buf scratch;
	uint32_t runs;	  /* of the profile */
	uint32_t *run_of; /* by label set; NULL: runs are not told apart */
	bool of_one;	/* each resource is of one of several runs: those with a
			 * position are not added up, see merge.h */
	size_t run_key; /* that says the run; SIZE_MAX */
	bool run_is_asked;	 /* a filter is of it */
	struct pn_unnamed named; /* places of a binary have its name */
};

/*
 * `filters` are <key>=<value>: of one key any of the values will do, of
 * several keys each has to. The profile is borrowed. PN_ENOTFOUND: a key that
 * is not there, with those that are. To be released in any case.
 */
int pn_frame_init(struct pn_frame *out, const struct pn_profile *profile,
		  const char *const *filters, size_t filter_count,
		  struct pn_error *err);
void pn_frame_release(struct pn_frame *frame);

/* SIZE_MAX: there is none. */
size_t pn_frame_find(const struct pn_frame *frame, const char *name);
/* The same; PN_ENOTFOUND lists the keys, `numbers`: those that are numbers. */
int pn_frame_need(size_t *out, const struct pn_frame *frame, const char *name,
		  bool numbers, struct pn_error *err);
/* The key that a view is about unless told otherwise: "amount", else the
 * default value type, else the measured value. */
int pn_frame_default_of(size_t *out, const struct pn_frame *frame,
			struct pn_error *err);
/* The unit of a key's values, "" without; of measured values the one of the
 * first resource. */
const char *pn_frame_unit(const struct pn_frame *frame, size_t key);
/* Drop the resources whose values of a key are in another unit than the first
 * one's: how many. */
size_t pn_frame_settle_unit(struct pn_frame *frame, size_t key);

/* How many runs the values of a key are sums over: where resources of several
 * runs were added up those of all, unless it is a peak or a level; else 1. */
uint32_t pn_frame_pooled(const struct pn_frame *frame, size_t key);
/*
 * What sums over resources are to be divided by, so that they are of one run,
 * where each resource is of one; else 1. Of peaks only the resources of the run
 * with the largest one stay, where they say which.
 */
uint32_t pn_frame_settle_runs(struct pn_frame *frame, size_t key);

/* A value as the views show it: of one run where runs are pooled. */
struct pn_datum pn_frame_get(struct pn_frame *frame, size_t resource,
			     size_t key);
/* A text until the next call, "" where the resource has none; false then. */
bool pn_frame_text(const char **out, size_t *len, struct pn_frame *frame,
		   size_t resource, size_t key);
/* The same of a value that was got. */
bool pn_frame_text_of(const char **out, size_t *len, struct pn_frame *frame,
		      const struct pn_datum *datum);
/* A number, also one that is written as a text; NaN: it has none. */
double pn_frame_number(struct pn_frame *frame, size_t resource, size_t key);

#endif
