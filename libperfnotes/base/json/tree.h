/*
 * One JSON value as a run of items in document order, kept in whole: labels of
 * a profile that are JSON, models, parameters of steps. Numbers stand in the
 * form that Python prints them in, so that equal numbers are equal texts.
 */
#ifndef PN_JSON_TREE_H
#define PN_JSON_TREE_H

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_JSON_MAX_TREE (1u << 30) /* bytes of all strings of one value */

struct pn_json_item {
	uint32_t at;	    /* of the text in `text` */
	uint32_t len : 27;  /* PN_JSON_MAX_TOKEN fits */
	uint32_t event : 5; /* enum pn_json_event */
};

/* A zeroed struct is an empty value. */
struct pn_json_tree {
	struct pn_json_item *items;
	size_t count, cap;
	struct pn_buf text;
};

enum pn_json_style {
	PN_JSON_COMPACT, /* no blanks, UTF-8 */
	PN_JSON_PYTHON	 /* as json.dumps: ", ", ": ", ASCII */
};

/* Whether a number of JSON is written without fraction and exponent. */
bool pn_json_is_whole(const char *text, size_t len);

void pn_json_tree_release(struct pn_json_tree *value);
void pn_json_tree_clear(struct pn_json_tree *value);

/* Append an item; of numbers and strings their text. PN_ELIMIT. */
int pn_json_tree_add_item(struct pn_json_tree *out, enum pn_json_event event,
			  const char *text, size_t len, struct pn_error *err);
/* Append what the reader has just returned, as an item. */
int pn_json_tree_add_event(struct pn_json_tree *out, struct pn_json *json,
			   enum pn_json_event event, struct pn_error *err);
/* Count brackets, from *depth 0 on: whether the value that begins with the
 * first event goes on behind this one. */
bool pn_json_is_open(size_t *depth, enum pn_json_event event);
/* Read on within a value, behind *event: 1 and the next one, 0 at its end. */
int pn_json_read_on(enum pn_json_event *event, size_t *depth,
		    struct pn_json *json, struct pn_error *err);
/* Append the value whose first event was just returned. */
int pn_json_tree_add(struct pn_json_tree *out, struct pn_json *json,
		     enum pn_json_event first, struct pn_error *err);
/* Read a JSON text that holds one value. */
int pn_json_tree_parse(struct pn_json_tree *out, const char *text, size_t len,
		       struct pn_error *err);

enum pn_json_event pn_json_tree_event(const struct pn_json_tree *value,
				      size_t item);
const char *pn_json_tree_text(const struct pn_json_tree *value, size_t item,
			      size_t *len);
bool pn_json_tree_is(const struct pn_json_tree *value, size_t item,
		     const char *text);
/* The item behind the value that begins at `item`. */
size_t pn_json_tree_end(const struct pn_json_tree *value, size_t item);

/* Append the value that begins at `item` as JSON. */
void pn_json_tree_write(struct pn_buf *out, const struct pn_json_tree *value,
			size_t item, enum pn_json_style style);
/* A string of JSON, with its quotes; bytes that are not UTF-8 become U+FFFD. */
void pn_json_write_string(struct pn_buf *out, const char *text, size_t len,
			  enum pn_json_style style);
void pn_json_write_double(struct pn_buf *out, double value);
void pn_json_write_int(struct pn_buf *out, int64_t value);

#endif
