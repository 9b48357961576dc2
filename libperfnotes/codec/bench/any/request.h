/* What a command line says of results that have no format of their own. */
#ifndef PN_ANY_REQUEST_H
#define PN_ANY_REQUEST_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Options of `git perf add`; NULL: not given. */
struct pn_hint_request {
	const char *format; /* of the input */
	const char *pattern, *unit, *better;
	const char *const *columns; /* "<what>=<head>" each */
	size_t column_count;
	bool verbatim; /* the input's own bytes are to be kept */
};

/*
 * Append the lines of the hint (codec/bench/any/hint.h). PN_EINVAL for what
 * makes no sense, or goes with no such format: what is read by what is said
 * here is not read again, as its own bytes would say too little, and other
 * formats know their columns.
 */
int pn_hint_of_request(struct pn_buf *out,
		       const struct pn_hint_request *request,
		       struct pn_error *err);

#endif
