/*
 * Bytes from a file, a stream or memory, gunzipped when they are gzip.
 *
 * A reader shows a window: peek says what is next, consume moves on. Gzip
 * (1f 8b, several members, trailing zeros) is recognised and taken off; what
 * comes out is counted against max_bytes; what can still come is bounded by
 * PN_READER_MAX_RATIO.
 * RFC 1952.
 */
#ifndef PN_READER_READER_H
#define PN_READER_READER_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_READER_WINDOW (256 * 1024) /* fits L2, few calls of inflate */
#define PN_READER_MAX_RATIO 1100      /* deflate itself ends at 1032 : 1 */
#define PN_READER_MAX_BYTES ((uint64_t)4 << 30) /* default of max_bytes */

struct pn_reader;

/*
 * `path` is opened for reading; "-" is standard input. max_bytes 0: the
 * default. PN_EIO names the path and why (a directory is refused by name),
 * PN_ELIMIT comes later from peek.
 */
int pn_reader_open(struct pn_reader **out, const char *path, uint64_t max_bytes,
		   struct pn_error *err);
/* Over borrowed bytes; `name` is used in messages. */
int pn_reader_memory(struct pn_reader **out, const void *bytes, size_t len,
		     const char *name, uint64_t max_bytes,
		     struct pn_error *err);
/* Over what a function gives: up to `room` bytes at `to`, *got of them, 0 at
 * the end. Its messages get "cannot read '<name>'" in front. */
int pn_reader_source(struct pn_reader **out,
		     int (*give)(size_t *got, void *from, unsigned char *to,
				 size_t room, struct pn_error *err),
		     void *from, const char *name, struct pn_error *err);
void pn_reader_free(struct pn_reader *reader);

/*
 * Show at least `want` bytes from here, fewer only at the end of the input:
 * *at and *have describe the window, valid until the next call. The window
 * grows to `want`; a caller checks `want` against a limit of its own first.
 * PN_EIO, PN_EINVAL (corrupt gzip), PN_ELIMIT.
 */
int pn_reader_peek(const unsigned char **at, size_t *have,
		   struct pn_reader *reader, size_t want, struct pn_error *err);
/* Move on by n bytes, at most what the last peek showed. */
void pn_reader_consume(struct pn_reader *reader, size_t n);
/* Nobody looks any more at what was consumed, which otherwise can be until the
 * next look: memory of a large file goes back to the system. */
void pn_reader_forget(struct pn_reader *reader);
/* Bytes consumed so far, after gunzip. */
uint64_t pn_reader_offset(const struct pn_reader *reader);
/* Upper bound of the bytes left, after gunzip; UINT64_MAX when unknown (a
 * pipe). For counts: n things cannot be there when not n bytes are left. */
uint64_t pn_reader_left(const struct pn_reader *reader);
bool pn_reader_was_gzip(const struct pn_reader *reader);
/*
 * For who reads all of it with threads of its own: where the rest of the input
 * is gzip of a few dozen megabytes in a file, inflate it at once instead of
 * ahead, so that peek shows all. Whether it does, and threads are welcome.
 */
bool pn_reader_show_all(struct pn_reader *reader);
/* What a caller says of the input that its bytes do not; a copy. NULL: nothing
 * was said. */
void pn_reader_set_hint(struct pn_reader *reader, const char *hint);
const char *pn_reader_hint(const struct pn_reader *reader);
/* The name given at the start, for messages. */
const char *pn_reader_name(const struct pn_reader *reader);
/* Append everything that is left to `out`, at most `limit` bytes. */
int pn_reader_rest(struct pn_buf *out, struct pn_reader *reader, uint64_t limit,
		   struct pn_error *err);

#endif
