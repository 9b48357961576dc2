/*
 * The folder of a Perun store ("<project>/.perun"): what is in it, read
 * without following symbolic links. Nothing is written here.
 *
 *	objects/<2>/<38>		objects, and the index of a commit
 *	objects/<2>/<38>.changes	changes that Perun found at a commit
 *	jobs/<name>			pending profiles
 */
#ifndef PN_PERUN_STORE_H
#define PN_PERUN_STORE_H

#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "perun/index.h"

#include <stddef.h>
#include <stdint.h>

struct pn_perun_ids {
	struct pn_oid *items; /* sorted */
	size_t count, cap;
};

struct pn_perun_names {
	char **items; /* sorted */
	size_t count, cap;
};

struct pn_perun_store {
	int objects, jobs;	       /* folders; jobs -1: there is none */
	struct pn_perun_ids indexes;   /* commits that have one */
	struct pn_perun_ids changes;   /* commits with found changes */
	struct pn_perun_names pending; /* "*.perf" in jobs */
	struct pn_perun_ids unread;    /* files of objects that do not open */
	struct pn_perun_names odd;     /* a line each: folders that do not */
};

/* `dir` has the store as ".perun", or is one itself, with objects and jobs.
 * PN_ENOTFOUND when it is none. */
int pn_perun_store_open(struct pn_perun_store *out, const char *dir,
			struct pn_error *err);
void pn_perun_store_release(struct pn_perun_store *store);

/* The index of a commit. PN_EINVAL, PN_ELIMIT, PN_EIO. */
int pn_perun_store_index(struct pn_perun_index *out,
			 const struct pn_perun_store *store,
			 const struct pn_oid *commit, struct pn_error *err);
/* Append the JSON of an object, verified. */
int pn_perun_store_object(struct pn_buf *out,
			  const struct pn_perun_store *store,
			  const struct pn_oid *id, uint64_t limit,
			  struct pn_error *err);
/* How many lines the changes of a commit have that are not blank. */
int pn_perun_store_changes(size_t *out, const struct pn_perun_store *store,
			   const struct pn_oid *commit, struct pn_error *err);
/* Append the bytes of a pending profile; *time_ns is the file's. */
int pn_perun_store_pending(struct pn_buf *out, int64_t *time_ns,
			   const struct pn_perun_store *store, const char *name,
			   uint64_t limit, struct pn_error *err);

#endif
