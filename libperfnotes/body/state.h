/*
 * Inside of the canonical body: a profile as columns of 64-bit words, drawn in
 * storage/FORMAT.md. All bodies have the same columns; a delta says how each
 * differs from the base's, a key says how it differs from nothing.
 */
#ifndef PN_BODY_STATE_H
#define PN_BODY_STATE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "body/body.h"
#include "model/profile.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Tables; the numbers are those of the column PN_BODY_COUNTS. */
enum pn_body_table {
	PN_BODY_STRINGS,
	PN_BODY_FUNCTIONS,
	PN_BODY_LOCATIONS,
	PN_BODY_LINES, /* of locations */
	PN_BODY_PATHS, /* stacks as a tree: a row is a frame and its callers */
	PN_BODY_SETS,
	PN_BODY_LABELS, /* of sets */
	PN_BODY_ROWS,	/* samples */
	PN_BODY_TYPES,
	PN_BODY_MAPPINGS,
	PN_BODY_NODES,
	PN_BODY_EDGES,
	PN_BODY_COSTS,
	PN_BODY_METRICS,
	PN_BODY_METRIC_VALUES, /* of metrics */
	/* their counts are left out where nothing of all that follows is there,
	 * so that a profile which has none of it keeps its bytes */
	PN_BODY_FIRST_TABLES,
	PN_BODY_CURVES = PN_BODY_FIRST_TABLES,
	PN_BODY_POINTS, /* of curves */
	PN_BODY_PARTS,	/* of points */
	PN_BODY_EVENTS,
	PN_BODY_THREADS,
	PN_BODY_PROCESSES,
	PN_BODY_FACTS,
	PN_BODY_TICKS,
	PN_BODY_TABLES,
	PN_BODY_FREE = PN_BODY_TABLES /* a column of its own length */
};

/* Columns; the numbers are the tags of the sections, halved: never reuse. */
enum pn_body_column {
	PN_BODY_COUNTS = 1, /* rows of each table */
	PN_BODY_STRING_LEN,
	PN_BODY_META_STRINGS, /* enum pn_body_meta_string */
	PN_BODY_META_NUMBERS, /* enum pn_body_meta_number */
	PN_BODY_POSTS,	      /* name, params, name, params ... */
	PN_BODY_ENVIRONMENT,  /* key, value ... */
	PN_BODY_PROFILE_LABELS,
	PN_BODY_EXTRAS,
	PN_BODY_MODELS,
	PN_BODY_COMMENTS,
	PN_BODY_TYPE_NAME,
	PN_BODY_TYPE_UNIT,
	PN_BODY_TYPE_BETTER,
	PN_BODY_TYPE_NUMBER,
	PN_BODY_MAPPING_START,
	PN_BODY_MAPPING_SIZE,
	PN_BODY_MAPPING_OFFSET,
	PN_BODY_MAPPING_FILE,
	PN_BODY_MAPPING_BUILD_ID,
	PN_BODY_MAPPING_HAS,
	PN_BODY_FUNCTION_NAME,
	PN_BODY_FUNCTION_SYSTEM, /* 0: the name, else string + 1 */
	PN_BODY_FUNCTION_FILE,
	PN_BODY_FUNCTION_LINE,
	PN_BODY_FUNCTION_KEPT,	  /* 1: stays though no location names it */
	PN_BODY_LOCATION_ADDRESS, /* from the start of the mapping */
	PN_BODY_LOCATION_MAPPING, /* 0: none, else mapping + 1 */
	PN_BODY_LOCATION_FOLDED,
	PN_BODY_LOCATION_LINES, /* how many */
	PN_BODY_LOCATION_KEPT,	/* 1: stays though no sample or node needs it */
	PN_BODY_LINE_FUNCTION,
	PN_BODY_LINE_LINE,
	PN_BODY_LINE_COLUMN,
	PN_BODY_PATH_UP, /* 0: a root, else rows up to that of the caller */
	PN_BODY_PATH_LOCATION,
	PN_BODY_SET_LABELS, /* how many */
	PN_BODY_LABEL_KEY,
	PN_BODY_LABEL_UNIT,
	PN_BODY_LABEL_KIND,
	PN_BODY_LABEL_TEXT,    /* string, of kinds string and JSON */
	PN_BODY_LABEL_NUMBER,  /* of kinds int and double */
	PN_BODY_ROW_STACK,     /* 0: empty, else the path of its leaf + 1 */
	PN_BODY_ROW_SET,       /* 0: no labels, else set + 1 */
	PN_BODY_ROW_GONE,      /* 1: not in this profile */
	PN_BODY_NODE_LOCATION, /* 0: none, else location + 1 */
	PN_BODY_NODE_CALLS,
	PN_BODY_NODE_PRIMITIVE,
	PN_BODY_NODE_GONE,
	PN_BODY_EDGE_CALLER,
	PN_BODY_EDGE_CALLEE,
	PN_BODY_EDGE_LINE,
	PN_BODY_EDGE_CALLS,
	PN_BODY_EDGE_PRIMITIVE,
	PN_BODY_EDGE_GONE,
	PN_BODY_COST_NODE,
	PN_BODY_COST_FILE,
	PN_BODY_COST_LINE,
	PN_BODY_COST_ADDRESS,
	PN_BODY_COST_GONE,
	PN_BODY_METRIC_NAME,
	PN_BODY_METRIC_UNIT,
	PN_BODY_METRIC_BETTER,
	PN_BODY_METRIC_N,
	PN_BODY_METRIC_COUNT, /* values at hand */
	PN_BODY_METRIC_MIN,   /* bits of doubles, as all that follow */
	PN_BODY_METRIC_Q1,
	PN_BODY_METRIC_MEDIAN,
	PN_BODY_METRIC_Q3,
	PN_BODY_METRIC_MAX,
	PN_BODY_METRIC_MEAN,
	PN_BODY_METRIC_SD,
	PN_BODY_METRIC_VALUE,
	/* how values are written: [matrix * PN_MAX_VALUE_TYPES + type] */
	PN_BODY_VALUE_SCALE,  /* 0: as is, s: a decimal of s - 1 places */
	PN_BODY_VALUE_FACTOR, /* what a stored number is multiplied by, - 1 */
	PN_BODY_VALUE_FIRST,  /* 1: the factor is of the first type's values */
	PN_BODY_SELF_BY_RUN,  /* values: [(node * runs + run) * types + type] */
	/* Columns of edges that the first version of the format did not have.
	 * Most profiles have nothing in them: they are written, and counted by
	 * pn_body_state_raw, only where they say something. */
	PN_BODY_EDGE_FILE,
	PN_BODY_EDGE_ADDRESS,
	PN_BODY_EDGE_LATER_END,
	PN_BODY_CURVE_NAME = PN_BODY_EDGE_LATER_END,
	PN_BODY_CURVE_UNIT,
	PN_BODY_CURVE_ALONG,
	PN_BODY_CURVE_POINTS,	      /* how many */
	PN_BODY_CURVE_POSITION_SCALE, /* as PN_BODY_VALUE_SCALE */
	PN_BODY_CURVE_VALUE_SCALE,
	PN_BODY_POINT_POSITION,
	PN_BODY_POINT_VALUE,
	PN_BODY_POINT_PARTS, /* how many */
	PN_BODY_PART_STACK,  /* 0: empty, else the path of its leaf + 1 */
	PN_BODY_PART_VALUE,
	PN_BODY_PART_SCALE, /* one word, of all parts */
	PN_BODY_EVENT_TIME,
	PN_BODY_EVENT_DURATION,
	PN_BODY_EVENT_STACK,  /* 0: empty, else the path of its leaf + 1 */
	PN_BODY_EVENT_THREAD, /* 0: unknown, else thread + 1 */
	PN_BODY_EVENT_TYPE,
	PN_BODY_THREAD_PROCESS, /* 0: unknown, else process + 1 */
	PN_BODY_THREAD_ID,
	PN_BODY_THREAD_NAME,
	PN_BODY_THREAD_COST, /* bits of a double */
	PN_BODY_PROCESS_ID,
	PN_BODY_PROCESS_NAME,
	PN_BODY_FACT_NAME,
	PN_BODY_FACT_UNIT,
	PN_BODY_FACT_SCALE, /* as PN_BODY_VALUE_SCALE */
	PN_BODY_FACT_VALUE,
	PN_BODY_TICK_STACK, /* 0: empty, else the path of its leaf + 1 */
	PN_BODY_TICK_LINE,
	PN_BODY_TICK_COUNT,
	PN_BODY_FIXED_END,
	/* one column per matrix and value type */
	PN_BODY_VALUES = 128,
	PN_BODY_ABSENT = PN_BODY_VALUES + 6 * PN_MAX_VALUE_TYPES,
	PN_BODY_COLUMNS = PN_BODY_ABSENT + PN_MAX_VALUE_TYPES
};

/* Matrices of values: entity times value type. */
enum pn_body_matrix {
	PN_BODY_OF_ROWS,
	PN_BODY_OF_NODES_SELF,
	PN_BODY_OF_NODES_TOTAL,
	PN_BODY_OF_EDGES_SELF,
	PN_BODY_OF_EDGES_TOTAL,
	PN_BODY_OF_COSTS,
	PN_BODY_MATRICES
};

#define PN_BODY_TAG_TEXT (PN_BODY_COLUMNS * 2) /* bytes of the strings */

/* Places in PN_BODY_META_STRINGS; a reader takes what is missing as "". Those
 * behind the first PN_BODY_META_FIRST_STRINGS are written as numbers are. */
enum pn_body_meta_string {
	PN_BODY_META_KIND,
	PN_BODY_META_CMD,
	PN_BODY_META_ARGS,
	PN_BODY_META_WORKLOAD,
	PN_BODY_META_NAME,
	PN_BODY_META_ORIGIN,
	PN_BODY_META_COLLECTOR,
	PN_BODY_META_PARAMS,
	PN_BODY_META_DEFAULT_TYPE,
	PN_BODY_META_PERIOD_TYPE,
	PN_BODY_META_PERIOD_UNIT,
	PN_BODY_META_DROP,
	PN_BODY_META_KEEP,
	PN_BODY_META_DOC,
	PN_BODY_META_SOURCE_ROOT, /* left out when it is "", see below */
	PN_BODY_META_STRINGS_END
};

/* Places in PN_BODY_META_NUMBERS; what is missing is 0. Those behind the first
 * PN_BODY_META_FIRST_NUMBERS are written up to the last that is not 0, so that
 * a profile which has none of them keeps its bytes. */
enum pn_body_meta_number {
	PN_BODY_META_EXIT,
	PN_BODY_META_DIRTY,
	PN_BODY_META_PERIOD_BETTER,
	PN_BODY_META_PERIOD_NUMBER,
	PN_BODY_META_PERIOD,
	PN_BODY_META_TIME,
	PN_BODY_META_DURATION,
	PN_BODY_META_RUNS,	 /* 0: one. Left out when it is, see below */
	PN_BODY_META_ROLES,	 /* of value types 0..31, two bits each */
	PN_BODY_META_MORE_ROLES, /* 32..63 */
	PN_BODY_META_NUMBERS_END
};

#define PN_BODY_META_FIRST_NUMBERS PN_BODY_META_RUNS
#define PN_BODY_META_FIRST_STRINGS PN_BODY_META_SOURCE_ROOT

/* Decimal places that a stored double may have; 10^22 is the last power that
 * a double holds exactly, and this many are seen in text. */
#define PN_BODY_MAX_PLACES 9

/* Refers to no table. */
#define PN_BODY_NONE PN_BODY_TABLES

struct pn_body_trait {
	uint8_t table;	/* that it has a word per row of, or PN_BODY_FREE */
	uint8_t refers; /* table that its words are rows of, or PN_BODY_NONE */
	uint8_t offset; /* 1: 0 is "none" and n + 1 is row n */
};
extern const struct pn_body_trait pn_body_fixed_info[PN_BODY_FIXED_END];
/* Of a column that is not fixed. */
struct pn_body_trait pn_body_values_info(unsigned int column);

/* Asked for each column several times a body: of small ones that counts. */
static inline struct pn_body_trait pn_body_column_info(unsigned int column)
{
	return column > 0 && column < PN_BODY_FIXED_END
		       ? pn_body_fixed_info[column]
		       : pn_body_values_info(column);
}

/* Whether a table's column came after the table. */
static inline bool pn_body_is_later(unsigned int column)
{
	return column >= PN_BODY_EDGE_FILE && column < PN_BODY_EDGE_LATER_END;
}

/* The columns of a table below PN_BODY_FIXED_END but for later ones, which
 * stand side by side:
 * [*first, *end). */
void pn_body_fixed_columns(unsigned int *first, unsigned int *end,
			   unsigned int table);

/* The column that counts a table's children, 0: it has none. */
unsigned int pn_body_count_column(unsigned int table);
/* The table of the children, PN_BODY_NONE: none. */
unsigned int pn_body_child_table(unsigned int table);
unsigned int pn_body_matrix_table(unsigned int matrix);

/* Room for the words of several columns, which are small mostly. */
struct pn_body_block;
void pn_body_block_drop(struct pn_body_block *block);

/* Words that never change once they are shared. */
struct pn_body_words {
	atomic_uint refs;
	struct pn_body_block *block; /* that they lie in, NULL: alone */
	uint64_t sum;
	size_t count;
	uint64_t at[];
};

/* *block (may be NULL at first) is where small ones go, a new one when it is
 * full; the caller drops it. */
struct pn_body_words *pn_body_words_new(struct pn_body_block **block,
					size_t count);
struct pn_body_words *pn_body_words_share(struct pn_body_words *words);
void pn_body_words_drop(struct pn_body_words *words);
/* Fills in the sum, once the words are written. */
void pn_body_words_seal(struct pn_body_words *words);

/* The strings' bytes, one after the other. */
struct pn_body_text {
	atomic_uint refs;
	uint64_t sum;
	size_t len;
	unsigned char bytes[];
};

struct pn_body_text *pn_body_text_new(size_t len);
struct pn_body_text *pn_body_text_share(struct pn_body_text *text);
void pn_body_text_drop(struct pn_body_text *text);
void pn_body_text_seal(struct pn_body_text *text);

struct pn_body_state {
	atomic_uint *refs; /* apart, because holders have it const */
	/* NULL: empty, or 0 for each row of the table */
	struct pn_body_words *columns[PN_BODY_COLUMNS];
	unsigned int types; /* in the matrices; columns behind are NULL */
	struct pn_body_block *block; /* of its own words */
	struct pn_body_text *text;
	struct pn_body_paths *paths; /* for both columns of paths, or NULL */
	struct pn_body_state *base;  /* NULL: a key */
	struct pn_oid base_oid;
	unsigned int depth;
	uint64_t serial; /* bodies since the key, as the encoder counted */
	uint64_t raw_bytes;
	size_t key_len; /* bytes of the chain's key body */
};

struct pn_body_state *pn_body_state_new(void);

static inline uint64_t pn_body_at(const struct pn_body_state *s,
				  unsigned int column, size_t i)
{
	const struct pn_body_words *w = s->columns[column];

	return w && i < w->count ? w->at[i] : 0;
}

static inline size_t pn_body_len(const struct pn_body_state *s,
				 unsigned int column)
{
	return s->columns[column] ? s->columns[column]->count : 0;
}

/* The column behind `column` (0: the first) that exists with so many value
 * types, PN_BODY_COLUMNS at the end. Most profiles have a fifth of all. */
unsigned int pn_body_next_column(unsigned int column, unsigned int types);

/* Rows of a table. */
static inline size_t pn_body_rows(const struct pn_body_state *s,
				  unsigned int table)
{
	return (size_t)pn_body_at(s, PN_BODY_COUNTS, table);
}

/* Where the children of each row begin: rows + 1 places, in the arena. */
size_t *pn_body_starts(struct pn_arena *arena, const struct pn_body_state *s,
		       unsigned int table);

/* The sum that ends a body, over all columns and the header's numbers. */
uint64_t pn_body_state_sum(const struct pn_body_state *s);

/* What the columns take when none is left out, in bytes. */
uint64_t pn_body_state_raw(const struct pn_body_state *s);

/* Whether the columns fit together; `base` spares what it has checked. */
int pn_body_state_check(const struct pn_body_state *s,
			const struct pn_body_state *base, struct pn_error *err);

/*
 * The stacks that samples, parts and events have, written out:
 * depths[i] is 0 when none of them ends at path i, else how many frames it has;
 * in the arena. PN_ELIMIT when one is deeper than PN_MAX_STACK_DEPTH or all
 * together have more than `limit` frames.
 */
int pn_body_stacks(uint32_t **depths, uint64_t *frames, struct pn_arena *arena,
		   const struct pn_body_state *s, uint64_t limit,
		   struct pn_error *err);

/* Sets raw_bytes: columns, and stacks written out. PN_ELIMIT. */
int pn_body_measure(struct pn_body_state *s, struct pn_error *err);

/* pn_body_decode without its last step, the comparison of the sum; apart so
 * that a fuzzer gets behind it. `err` is not NULL. */
int pn_body_decode_columns(struct pn_body_state **state, const void *bytes,
			   size_t len, const struct pn_body_state *base,
			   struct pn_error *err);

/* Per table: which rows the profile needs. To be released. */
struct pn_body_live {
	uint8_t *of[PN_BODY_TABLES]; /* NULL: all rows, or a child table */
	struct pn_arena arena;	     /* that they are in */
};
void pn_body_live(struct pn_body_live *out, const struct pn_body_state *s);
void pn_body_live_release(struct pn_body_live *live);

/* A new state without the rows that no one needs, in the same order. */
struct pn_body_state *pn_body_compact(const struct pn_body_state *s);

/* The profile as a state; rows that `base` has keep their place there. */
struct pn_body_state *pn_body_gather(const struct pn_profile *profile,
				     const struct pn_body_state *base);
/* The same with `paths` instead of their columns, as long as the profile is
 * there; the base (NULL: none) has them, too. NULL: they are too many that the
 * base does not have. */
struct pn_body_state *pn_body_gather_lean(const struct pn_profile *profile,
					  const struct pn_body_state *base);
/* Measures the state, too. */
int pn_body_write_key(struct pn_buf *out, struct pn_body_state *s,
		      struct pn_error *err);
/* The base to build on, among `base` and its own; the key at the end of a
 * period, whose order the next key inherits. */
const struct pn_body_state *
pn_body_choose_base(struct pn_oid *oid, const struct pn_body_state *base,
		    const struct pn_oid *base_oid);
/* A delta is worth a step in the chain up to this share of the key. */
static inline size_t pn_body_delta_max(const struct pn_body_state *base)
{
	return base->key_len / 2;
}
/* Whether the section of a column is written: it is not the base's. */
static inline bool pn_body_differs(const struct pn_body_state *s,
				   unsigned int column)
{
	return s->columns[column] !=
	       (s->base ? s->base->columns[column] : NULL);
}
/* Whether the bytes of *s as a delta are in `out`. */
bool pn_body_write_delta(struct pn_buf *out, struct pn_body_state *s,
			 const struct pn_body_state *base,
			 const struct pn_oid *oid, uint64_t serial);

#endif
