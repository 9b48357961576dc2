/*
 * What functions cost over a line of commits: a row for each function, a
 * column for each commit that has a profile of the series. Pure.
 *
 * Commits are numbered by whoever walks, 0 is the newest, and are added in
 * this order. A function is known by its name, in a call graph by its file,
 * too; whoever finds out that it had another one before says so
 * (pn_function_history_rename), and its row goes on under that.
 */
#ifndef PN_FUNCTIONS_HISTORY_H
#define PN_FUNCTIONS_HISTORY_H

#include "base/arena.h"
#include "base/oid.h"
#include "base/strtab.h"
#include "base/text/regex.h"
#include "model/profile.h"
#include "model/series.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rows that are followed: of more functions those that come first, the most
 * expensive ones of the newest commit. */
#define PN_FUNCTION_ROWS_MAX 5000
/* Of all rows and commits: 100 MB. */
#define PN_FUNCTION_VALUES_MAX (1u << 22)

/* What one function cost in one run, in the unit of the history. 0: it is not
 * there, or nothing was seen of it. */
struct pn_function_value {
	double self, total;
	double calls; /* NaN: not known */
};

/* A function of the profile of one commit, by its key. */
struct pn_function_item {
	uint32_t key; /* see pn_function_history_key */
	struct pn_function_value value;
};

/* All functions of it that cost something, each once. */
struct pn_function_list {
	struct pn_function_item *items;
	size_t count, cap;
	double total;		 /* of which functions have their shares */
	const char *type, *unit; /* of the costs; borrowed for the call */
	enum pn_better better;
	bool exact; /* counts that do not vary by themselves */
};

/* Another name that a row had: from the column `point` on, to the past. */
struct pn_function_name {
	size_t point;
	const char *name, *file;
};

struct pn_function_row {
	const char *name, *file; /* in the newest commit that has it */
	const struct pn_function_name *earlier; /* newest first */
	size_t earlier_count;
	struct pn_function_value *values; /* one for each point */
	double most; /* its largest share of a commit, of self or total */
};

struct pn_function_point {
	size_t commit; /* its number */
	double total;  /* of all functions */
};

struct pn_function_rule {
	const struct pn_regex *name; /* rows that match, at any commit; NULL:
				      * all */
	/* Names that match besides; what turns out to have been renamed from
	 * one that matches is added, and the history has to be made again.
	 * Borrowed; NULL: neither. */
	struct pn_strtab *also;
	bool by_total; /* sizes and shares are those with what is called */
	/* Rows whose share is below it at every commit, or in the newest, are
	 * left out. */
	double min_share;
	bool newest;
	size_t most; /* rows at most, the largest; 0: all */
};

/* Zeroed before, but for `series` and `rule`. */
struct pn_function_history {
	struct pn_series series;      /* set by the caller */
	struct pn_series_parts parts; /* the same */
	struct pn_function_rule rule; /* the same */
	const char *type, *unit;      /* those of the newest profile */
	enum pn_better better;
	bool exact;
	struct pn_function_point *points; /* newest first */
	size_t point_count, point_cap;
	struct pn_function_row *rows; /* the largest in the newest first */
	size_t row_count;
	size_t left_out; /* functions that match, beyond the limits */
	size_t small;	 /* that match, of no such share, or of none */
	/* Commits whose costs are of another type or unit. */
	size_t foreign;
	struct pn_function_building *building; /* internal */
	struct pn_arena arena;
};

/*
 * The key of a function, the same for all commits. `file` is "" where it is not
 * known; where functions of one name are apart (in call graphs) the last part
 * of its path counts, too, as sources may be checked out elsewhere.
 */
uint32_t pn_function_history_key(struct pn_function_history *history,
				 const char *name, size_t len, const char *file,
				 bool apart);
/* Whether a list goes on with this history: of its type, in a unit of its
 * family. */
bool pn_function_history_takes(const struct pn_function_history *history,
			       const struct pn_function_list *list);
/* Add the next commit; `list` is brought to the history's unit. Time O(items).
 */
void pn_function_history_add(struct pn_function_history *history, size_t commit,
			     struct pn_function_list *list);
/*
 * Whether a function that has a row and whose total share of the point that
 * was added last is at least `least` is not in `list`, which is to be added
 * next: it may have had another name.
 */
bool pn_function_history_misses(const struct pn_function_history *history,
				const struct pn_function_list *list,
				double least);
/* Whether a function that matches, with that share of `list`, has no row: it
 * may have got another name later. */
bool pn_function_history_meets(const struct pn_function_history *history,
			       const struct pn_function_list *list,
			       double least);
/* What has the key `now` had the key `old` in all that is added from here on.
 * Nothing where `old` has a row; where `now` has none see rule.also. */
void pn_function_history_rename(struct pn_function_history *history,
				uint32_t now, uint32_t old);
/* After the last commit: fills the rows in. */
void pn_function_history_end(struct pn_function_history *history);
void pn_function_history_release(struct pn_function_history *history);

/* The number that a rule goes by: of self, or of the total. */
static inline double pn_function_size(const struct pn_function_history *history,
				      const struct pn_function_value *value)
{
	return history->rule.by_total ? value->total : value->self;
}

#endif
