/*
 * JSON: a pull reader for documents of any size and a writer.
 *
 * The reader works on a pn_reader and keeps one token in memory, however
 * large the document is. Numbers keep their text until they are asked for as
 * a type. RFC 8259; NaN, Infinity and -Infinity are read as numbers too,
 * because Python writes them.
 */
#ifndef PN_JSON_JSON_H
#define PN_JSON_JSON_H

#include "base/buf.h"
#include "base/error.h"
#include "base/reader/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_JSON_MAX_DEPTH 512	      /* nesting; cJSON allows 1000 */
#define PN_JSON_MAX_TOKEN (64u << 20) /* bytes of one string or number */

enum pn_json_event {
	PN_JSON_END, /* of the document; only blanks may follow */
	PN_JSON_OBJECT,
	PN_JSON_OBJECT_END,
	PN_JSON_ARRAY,
	PN_JSON_ARRAY_END,
	PN_JSON_KEY,	/* text: the member's name, unescaped */
	PN_JSON_STRING, /* text: unescaped UTF-8 */
	PN_JSON_NUMBER, /* text: as written */
	PN_JSON_TRUE,
	PN_JSON_FALSE,
	PN_JSON_NULL
};

struct pn_json;

/* `in` is borrowed until pn_json_free. */
struct pn_json *pn_json_new(struct pn_reader *in);
void pn_json_free(struct pn_json *json);
/* Nesting up to `depth` in place of PN_JSON_MAX_DEPTH, for who does not call
 * itself for what is nested. */
void pn_json_allow_depth(struct pn_json *json, int depth);

/* The next event. PN_EINVAL: "line 3, column 14, in header.units: expected ','
 * or '}'"; columns count bytes. PN_ELIMIT; what the reader says. */
int pn_json_next(enum pn_json_event *out, struct pn_json *json,
		 struct pn_error *err);
/* As next, but the event must be `want`; the message has the path:
 * "header.units: expected an object, have a string". */
int pn_json_expect(struct pn_json *json, enum pn_json_event want,
		   struct pn_error *err);
/* Text of the last KEY, STRING or NUMBER; borrowed until the next event. */
const char *pn_json_text(const struct pn_json *json);
size_t pn_json_len(const struct pn_json *json);
/* The last NUMBER as a double, NaN and infinities too; false when it is beyond
 * the largest double. */
bool pn_json_number(double *out, const struct pn_json *json);
/* Skip the value whose first event was just returned (`first`). */
int pn_json_skip(struct pn_json *json, enum pn_json_event first,
		 struct pn_error *err);
/* Append the value whose first event was just returned as compact JSON:
 * numbers as written, order kept. */
int pn_json_copy(struct pn_buf *out, struct pn_json *json,
		 enum pn_json_event first, struct pn_error *err);
/* The path of the value last returned: "snapshots[0].resources[12].uid". */
void pn_json_path(struct pn_buf *out, const struct pn_json *json);
/* One step of such a path: ".uid", or "uid" where it begins; a name that is
 * no plain word in brackets and quotes. */
void pn_json_path_key(struct pn_buf *out, const char *key, size_t len);
/* Name of an event for messages: "a string", "an object". */
const char *pn_json_event_name(enum pn_json_event event);

/*
 * Writing. Members and elements get their commas by themselves; a number that
 * JSON cannot say (NaN, infinity) is left out with its key ("absent is
 * absent"), in an array it is null. Bytes that are no UTF-8 become U+FFFD.
 * `indent` 0: compact; with `python` (set after init) Python's separators
 * (", " and ": ") and 5.0 where else 5 stands. Nesting beyond
 * PN_JSON_MAX_DEPTH is the caller's to avoid.
 */
struct pn_json_writer {
	struct pn_buf *out;
	int depth;
	int indent;
	bool python;
	bool after_key, key_was_first;
	size_t key_at; /* where the last key began */
	bool first[PN_JSON_MAX_DEPTH + 1];
};

void pn_json_writer_init(struct pn_json_writer *w, struct pn_buf *out,
			 int indent);
void pn_json_open(struct pn_json_writer *w, char bracket);  /* '{' or '[' */
void pn_json_close(struct pn_json_writer *w, char bracket); /* '}' or ']' */
void pn_json_key(struct pn_json_writer *w, const char *key);
void pn_json_key_n(struct pn_json_writer *w, const char *key, size_t len);
void pn_json_string(struct pn_json_writer *w, const char *text);
void pn_json_string_n(struct pn_json_writer *w, const char *text, size_t len);
void pn_json_int(struct pn_json_writer *w, int64_t value);
void pn_json_uint(struct pn_json_writer *w, uint64_t value);
void pn_json_double(struct pn_json_writer *w, double value);
void pn_json_bool(struct pn_json_writer *w, bool value);
/* The event that the reader returned last: texts of strings and keys, numbers
 * as they were written. */
void pn_json_put(struct pn_json_writer *w, const struct pn_json *json,
		 enum pn_json_event event);
/* A text that is JSON already. */
void pn_json_raw(struct pn_json_writer *w, const char *json, size_t len);
/* Key and value in one call; absent values (NULL, "", NaN) write nothing. */
void pn_json_member(struct pn_json_writer *w, const char *key,
		    const char *text);
void pn_json_member_int(struct pn_json_writer *w, const char *key,
			int64_t value);
void pn_json_member_double(struct pn_json_writer *w, const char *key,
			   double value);
/* An RFC 3339 UTC time ("2026-11-20T10:00:00Z", with a fraction when there is
 * one) from nanoseconds since 1970. */
void pn_json_member_time(struct pn_json_writer *w, const char *key,
			 int64_t time_ns);
/* The same from seconds, as commits have them. */
void pn_json_member_time_s(struct pn_json_writer *w, const char *key,
			   int64_t time_s);

#endif
