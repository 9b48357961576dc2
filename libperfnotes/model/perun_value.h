/*
 * One JSON value as a run of items in document order: what a resource of
 * Perun's may hold under any key. Numbers stand in the form that Python
 * prints them in, so that equal numbers are equal texts.
 */
#ifndef PN_MODEL_PERUN_VALUE_H
#define PN_MODEL_PERUN_VALUE_H

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/strtab.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_PERUN_MAX_TEXT (1u << 30) /* bytes of all strings of one value */

struct pn_perun_item {
	uint32_t at;	    /* of the text in `text` */
	uint32_t len : 27;  /* PN_JSON_MAX_TOKEN fits */
	uint32_t event : 5; /* enum pn_json_event */
};

/* A zeroed struct is an empty value. */
struct pn_perun_value {
	struct pn_perun_item *items;
	size_t count, cap;
	struct pn_buf text;
};

/*
 * The chunks region: what a string stands for that names one. `budget` is
 * how many bytes and items may still be put in place of names; it bounds what
 * a small document can expand to.
 */
struct pn_perun_chunks {
	struct pn_strtab names;
	struct pn_perun_value value; /* all of them, one behind the other */
	size_t *first;		     /* item where the chunk of id n begins */
	size_t cap;
	uint64_t budget;
};

enum pn_perun_style {
	PN_PERUN_COMPACT, /* no blanks, UTF-8 */
	PN_PERUN_PYTHON	  /* as json.dumps: ", ", ": ", ASCII */
};

/* Whether a number of JSON is written without fraction and exponent. */
bool pn_perun_is_whole(const char *text, size_t len);

void pn_perun_value_release(struct pn_perun_value *value);
void pn_perun_value_clear(struct pn_perun_value *value);

/*
 * Append the value whose first event was just returned. Strings that name a
 * chunk (NULL: there are none) are replaced; what is put in their place is
 * not searched again. PN_ELIMIT when the budget is used up.
 */
int pn_perun_value_add(struct pn_perun_value *out, struct pn_json *json,
		       enum pn_json_event first, struct pn_perun_chunks *chunks,
		       struct pn_error *err);
/* Read a JSON text that holds one value. */
int pn_perun_value_parse(struct pn_perun_value *out, const char *text,
			 size_t len, struct pn_error *err);

enum pn_json_event pn_perun_value_event(const struct pn_perun_value *value,
					size_t item);
const char *pn_perun_value_text(const struct pn_perun_value *value, size_t item,
				size_t *len);
bool pn_perun_value_is(const struct pn_perun_value *value, size_t item,
		       const char *text);
/* The item behind the value that begins at `item`. */
size_t pn_perun_value_end(const struct pn_perun_value *value, size_t item);

/* Append the value that begins at `item` as JSON. */
void pn_perun_value_write(struct pn_buf *out,
			  const struct pn_perun_value *value, size_t item,
			  enum pn_perun_style style);
/* A string of JSON, with its quotes; bytes that are not UTF-8 become U+FFFD. */
void pn_perun_write_string(struct pn_buf *out, const char *text, size_t len,
			   enum pn_perun_style style);
void pn_perun_write_double(struct pn_buf *out, double value);
void pn_perun_write_int(struct pn_buf *out, int64_t value);

/* Read the chunks region, an object whose first event was just returned. */
int pn_perun_chunks_read(struct pn_perun_chunks *out, struct pn_json *json,
			 struct pn_error *err);
void pn_perun_chunks_release(struct pn_perun_chunks *chunks);

#endif
