/*
 * Ruby's Marshal, version 4.8, the part that stackprof's dumps use: nil,
 * booleans, numbers, symbols, strings, arrays and hashes, with links to what
 * was there before. Ruby: doc/marshal.rdoc.
 */
#ifndef PN_RUBY_RUBY_MARSHAL_H
#define PN_RUBY_RUBY_MARSHAL_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

bool pn_ruby_is(const unsigned char *bytes, size_t len);
/* Append what a dump holds as JSON: symbols become strings, keys that are
 * numbers as well. PN_EINVAL names the byte; PN_ELIMIT where links make more
 * of it than 8 times its size and 16 MB. */
int pn_ruby_to_json(struct pn_buf *out, const unsigned char *bytes, size_t len,
		    struct pn_error *err);

#endif
