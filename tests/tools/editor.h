/* Somebody who saves files while a run in place goes on. */
#ifndef TESTS_EDITOR_H
#define TESTS_EDITOR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Files of the current folder that an editor may save: those of a few names
 * that are plain files now, or absent. */
void editor_find(void);
/* Whether a path ("./...") is one of them, or a part of one on its way. */
bool editor_has(const char *path);
/* A process that saves some of them, at moments of its own choice from when
 * `*calls` has come so far, of `total`, until it is stopped. */
void editor_start(const atomic_uint *calls, unsigned int total, uint64_t seed);
/* End it. 0 when the last save of each file is there, in its place or among the
 * leftovers; else says what is lost. *saves grows. */
int editor_stop(unsigned int *saves);
/* The files as editor_find found them. */
void editor_reset(void);

#endif
