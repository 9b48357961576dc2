/*
 * Taking over a whole Perun store: what it lists at commits that are here, and
 * what is pending there. One that is broken does not stop the others. Goes in
 * steps:
 *
 *	open; begin; while (step == 1) say doubts; say counts; free
 */
#ifndef PN_PERUN_TAKEOVER_H
#define PN_PERUN_TAKEOVER_H

#include "base/buf.h"
#include "base/error.h"
#include "model/moved.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pn_takeover;

/* False: there is no store, `err` says what one would be. True of one that
 * cannot be read, too. */
bool pn_takeover_is_store(const char *dir, struct pn_error *err);
int pn_takeover_open(struct pn_takeover **out, const char *dir,
		     struct pn_error *err);
/* Into this repository; `dry_run` stores nothing. Of two at a time the second
 * one waits, and sees what the first one stored. */
int pn_takeover_begin(struct pn_takeover *takeover, struct pn_repo *repo,
		      uint64_t max_bytes, bool dry_run, struct pn_error *err);
/* One commit, or one pending profile. 1: go on; 0: all is done. */
int pn_takeover_step(struct pn_takeover *takeover, struct pn_error *err);
/* What is wrong there, a line each, also after a failure; NULL: no more. */
const char *pn_takeover_doubt(struct pn_takeover *takeover);
const struct pn_takeover_counts *
pn_takeover_counts(const struct pn_takeover *takeover);
/* Takes NULL. */
void pn_takeover_free(struct pn_takeover *takeover);

/* The same in one call: `doubts` gets the lines, also on failure. */
int pn_takeover(struct pn_takeover_counts *out, struct pn_buf *doubts,
		struct pn_repo *repo, const char *dir, uint64_t max_bytes,
		bool dry_run, struct pn_error *err);

#endif
