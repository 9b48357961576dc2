/* Patterns as of a shell's files, from a file that may be hostile. */
#ifndef PN_JUDGE_PATTERN_H
#define PN_JUDGE_PATTERN_H

#include "base/error.h"

#include <stddef.h>

/* PN_ELIMIT: matching it might take long. */
int pn_pattern_check(const char *pattern, size_t len, struct pn_error *err);

#endif
