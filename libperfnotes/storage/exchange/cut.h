/*
 * Notes whose history ends where a shallow fetch did: nobody who lacks what is
 * behind that takes it, neither a server, whose gc may have let it go, nor a
 * clone by a file. The lines and bodies are all here.
 */
#ifndef PN_EXCHANGE_CUT_H
#define PN_EXCHANGE_CUT_H

#include "base/error.h"
#include "vcs/repo.h"

#include <stdbool.h>

/* Whether a remote refused for that. */
bool pn_cut_refused(const struct pn_error *why);

/* PN_NOTES_REF becomes a commit that has all of it and no parent, of the same
 * epoch: others take it in like any other notes. */
int pn_cut_leave(struct pn_repo *repo, struct pn_error *err);

#endif
