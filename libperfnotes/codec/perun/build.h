/*
 * Building a profile out of Perun's resources: rows of numbers, each with a
 * stack and a set of labels, kept apart until it is known which columns there
 * are.
 */
#ifndef PN_PERUN_BUILD_H
#define PN_PERUN_BUILD_H

#include "base/json/tree.h"
#include "model/profile.h"

struct pn_perun_build {
	struct pn_profile *profile;
	/* content -> id; the id of content that is not empty is 1 or more */
	struct pn_strtab locations; /* name, file, line: index + 1 */
	struct pn_strtab functions; /* name, file: index + 1 */
	struct pn_strtab stacks;    /* locations: index + 1 */
	struct pn_strtab sets;	    /* labels; only used ones get an index */
	uint32_t *flat_uids; /* by string id of a uid's JSON text: a string */
	size_t flat_cap;
	uint64_t flat_budget; /* of pn_json_label_flatten */
	struct pn_buf scratch;

	/* stack: index; labels: id in `sets` */
	struct pn_sample *rows;
	size_t row_count, row_cap;
	struct pn_buf cells; /* a row: count, then column and 8 bytes each */
	size_t row_at;	     /* of the row that is being added */
	uint64_t row_mask;

	uint32_t columns[PN_MAX_VALUE_TYPES]; /* names, in first-seen order */
	bool is_double[PN_MAX_VALUE_TYPES];
	size_t column_count;
};

/* What stays the same over the values of a resource, while it is read. */
struct pn_perun_trait {
	const char *key;
	size_t key_len;
	struct pn_label label;
	size_t seq;
};

struct pn_perun_frame {
	uint32_t function, file; /* strings */
	int64_t line;
};

struct pn_perun_traits {
	struct pn_perun_trait *items;
	size_t count, cap;
	struct pn_perun_frame *frames;
	size_t frame_count, frame_cap;
	uint32_t layout; /* string: keys of a frame; "" without trace */
	uint32_t uid;	 /* string: flat */
	bool has_uid;
	struct pn_json_tree value; /* scratch */
};

void pn_perun_build_init(struct pn_perun_build *build,
			 struct pn_profile *profile, size_t input_bytes);
void pn_perun_build_release(struct pn_perun_build *build);

/* Whether Perun keeps the values of this key in columns. */
bool pn_perun_is_collectable(const char *key, size_t len);

/* Whether a text names the keys of a frame ("source,function,line", "func"). */
bool pn_perun_is_layout(const char *text, size_t len);

void pn_perun_traits_clear(struct pn_perun_traits *traits);
void pn_perun_traits_release(struct pn_perun_traits *traits);
/* A label of the value at item 0 of `value`; the key is not touched. */
void pn_perun_label_set(struct pn_label *out, struct pn_perun_build *build,
			const struct pn_json_tree *value);
/* Add the value at item 0 of traits->value under a key (a string). */
int pn_perun_traits_add(struct pn_perun_build *build,
			struct pn_perun_traits *traits, uint32_t key,
			struct pn_error *err);
void pn_perun_traits_add_label(struct pn_perun_build *build,
			       struct pn_perun_traits *traits,
			       const struct pn_label *label);
/* The stack and the label set (id in `sets`) that they come to. */
int pn_perun_traits_finish(struct pn_sample *out, struct pn_perun_build *build,
			   struct pn_perun_traits *traits,
			   struct pn_error *err);
/* Append a label to what becomes the content of a set in `sets`. */
void pn_perun_set_add(struct pn_buf *content, const struct pn_label *label);
/* The label `key` of a set of `sets` replaced by another value. */
uint32_t pn_perun_build_relabel(struct pn_perun_build *build, uint32_t set,
				const struct pn_label *label);

/* A number in a column, as it waits. */
#define PN_PERUN_CELL 9 /* column and kind, value */
struct pn_perun_cell {
	unsigned char bytes[PN_PERUN_CELL];
};
/* A number of JSON for the column of this name (a string). */
int pn_perun_cell_read(struct pn_perun_cell *out, struct pn_perun_build *build,
		       uint32_t column, const char *text, size_t len,
		       struct pn_error *err);

/* A row: begin, then its cells, then end. */
void pn_perun_row_begin(struct pn_perun_build *build);
int pn_perun_row_add(struct pn_perun_build *build,
		     const struct pn_perun_cell *cell, struct pn_error *err);
int pn_perun_row_end(struct pn_perun_build *build,
		     const struct pn_sample *sample, struct pn_error *err);

/* Label n of a set of `sets`; false when it has fewer. */
bool pn_perun_build_label(struct pn_label *out,
			  const struct pn_perun_build *build, uint32_t set,
			  size_t n);
/* Whether the row at `at` of `cells` has a value of that column (a string);
 * *next is where the next row is. */
bool pn_perun_build_has(const struct pn_perun_build *build, size_t *next,
			size_t at, uint32_t column);

struct pn_perun_amounts;

/* Move columns and rows into the profile; amounts are those that the rows
 * have. PN_ELIMIT when there are more columns than a profile has. */
int pn_perun_build_finish(struct pn_perun_build *build,
			  const struct pn_perun_amounts *amounts,
			  struct pn_error *err);

#endif
