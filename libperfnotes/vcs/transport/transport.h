/*
 * Sending and getting refs: the git executable does it, with the user's
 * credentials, proxies, prompts and settings. git runs no hook of this
 * repository for it, moves no branch and no tag, and asks the user on the
 * terminal itself.
 */
#ifndef PN_TRANSPORT_TRANSPORT_H
#define PN_TRANSPORT_TRANSPORT_H

#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct pn_transport {
	struct pn_repo *repo;
	const char *remote; /* its name in the configuration */
	FILE *progress;	    /* git's own, for a terminal; NULL: none */
	bool dry_run;
	/* What a fetch leaves out, git-rev-list(1) --filter; NULL: nothing. git
	 * keeps in the configuration that the remote has the rest. */
	const char *filter;
};

/*
 * Fetch these refspecs and nothing else, whatever the configuration says, and
 * take out what the remote does not have any more below their right sides.
 * Objects are checked as by `git fsck --strict` before a ref moves
 * (git-config(1) fetch.fsckObjects); a blob above PN_TRANSPORT_LARGE bytes is
 * not held in memory.
 *
 * PN_EIO with git's words.
 */
#define PN_TRANSPORT_LARGE (8u << 20)
int pn_transport_fetch(const struct pn_transport *transport,
		       const char *const *refspecs, size_t count,
		       struct pn_error *err);

/*
 * Fetch these objects, and not what they lead to, of a remote that promised
 * them (pn_repo_promisors). Those that it does not have stay absent. `filter`
 * and `dry_run` are not heeded. PN_EIO.
 */
int pn_transport_objects(const struct pn_transport *transport,
			 const struct pn_oid *ids, size_t count,
			 struct pn_error *err);

/* Each fetch does it, but for a dry run: remove the ".keep" that a git fetch of
 * this machine made 10 minutes ago or earlier and that is dead. */
void pn_transport_sweep(const struct pn_repo *repo);

/*
 * Append the refs of the remote that a pattern of git-ls-remote(1) names: the
 * 20 bytes of each id, its name and a NUL. PN_EIO with git's words.
 */
int pn_transport_list(struct pn_buf *out, const struct pn_transport *transport,
		      const char *pattern, struct pn_error *err);

/* A ref of the remote that becomes `id`, or goes (zero). With `was` (not zero)
 * only if it is that one, and then to whatever commit. */
struct pn_sent {
	const char *ref;
	struct pn_oid id, was;
};

enum pn_sent_state {
	PN_SENT_DONE,
	PN_SENT_NOTHING, /* the remote has it already */
	PN_SENT_LOST	 /* others were first: fetch, unite, try again */
};

/*
 * Send them in one connection, all or none where the remote can do that. Refs
 * without `was` are moved forward only. Where the remote does not let the
 * others go, the first one goes alone; `kept` (0: nothing) says why then. Its
 * message alone says why the first one was lost.
 * PN_EREFUSED: the remote does not want it, with its reason; PN_EIO: it could
 * not be reached, or the connection broke: whether it took something is not
 * known then.
 */
int pn_transport_push(enum pn_sent_state *out, struct pn_error *kept,
		      const struct pn_transport *transport,
		      const struct pn_sent *refs, size_t count,
		      struct pn_error *err);
/* Whether the remote is pushed to elsewhere than it is fetched from. */
int pn_transport_is_apart(bool *out, const struct pn_transport *transport,
			  struct pn_error *err);

/*
 * Inside of the folder: run git for the transport. `said` gets what it says
 * beside its progress, at most 8 kB, controls made harmless.
 */
int pn_transport_run(struct pn_buf *out, struct pn_buf *said, int *status,
		     const struct pn_transport *transport,
		     const char *const *argv, struct pn_error *err);
/* The same; what git writes to its standard output goes to a file, -1: none. */
int pn_transport_write(int to, struct pn_buf *said, int *status,
		       const struct pn_transport *transport,
		       const char *const *argv, struct pn_error *err);
/* The reason among what git said, in one line; false: it gave none, and that is
 * said. */
bool pn_transport_reason(struct pn_buf *out, const struct pn_buf *said);

/* Whether git failed for what this machine lacks or refuses, as a full disk:
 * that says nothing about what came. */
bool pn_transport_failed_here(const struct pn_error *err);

#endif
