/* A command line in words, without a shell. */
#ifndef PN_COLLECT_WORDS_H
#define PN_COLLECT_WORDS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>

/*
 * Split at blanks; '...', "..." and \ quote as in POSIX, Shell Command
 * Language, 2.2, and nothing is expanded. *out is NULL-terminated and lives in
 * `arena`. PN_EINVAL when there is no word or a quote has no end.
 */
int pn_words_split(const char *const **out, struct pn_arena *arena,
		   const char *line, struct pn_error *err);

/*
 * The first word without quotes that a shell would take for an operator: "&&",
 * "|", ">out", the end of "a;". Nothing but *out is set, and true returned:
 * without a shell it is an argument like any other, which nobody wants.
 */
bool pn_words_operator(struct pn_buf *out, const char *line);

#endif
