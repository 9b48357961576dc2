/*
 * Inside of vcs/ only: objects that lie in packs. What is read of a repository
 * is small, and zlib, by which libgit2 inflates it, takes three times as long
 * as libdeflate, which knows how long it will be.
 */
#ifndef PN_OBJECTS_PACKED_H
#define PN_OBJECTS_PACKED_H

#include "base/oid.h"
#include "vcs/objects/pack_index.h"
#include "vcs/repo.h"

#include <git2.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pn_stored;

struct pn_packed_reader;
struct pn_packed_ahead;

struct pn_packed_file {
	char *base; /* path without ".pack" and ".idx" */
	bool opened;
	struct pn_pack_index index; /* none: it is of no use */
	const unsigned char *bytes;
	size_t size;
};

/* The packs that were there at the first look; those of later ones libgit2
 * reads. Each is opened when it is first looked into, and stays so. A zeroed
 * struct was not asked yet. */
struct pn_packed_files {
	bool listed;
	bool is_all; /* all were listed, and no other folder has more */
	struct pn_packed_file *files;
	size_t count;
	size_t last; /* in which the object before was */
};

struct pn_packed {
	pthread_mutex_t lock;
	struct pn_packed_files all;
	struct pn_packed_reader *spare; /* NULL: a thread has it, or none */
	struct pn_packed_ahead *ahead;	/* NULL: nothing was expected */
};

void pn_packed_init(struct pn_packed *packed);
void pn_packed_release(struct pn_packed *packed);
/* Look anew when something is asked for next; no thread is reading. */
void pn_packed_refresh(struct pn_packed *packed);
/* 1: there was such an object at the first look. 0: there was none, neither in
 * folders that are borrowed from. -1: that cannot be told. */
int pn_packed_has(struct pn_repo *repo, const struct pn_oid *oid);

/*
 * pn_stored_read from a pack of the repository's own: what is in it whole, or
 * told by one that is; of short ones by way of others, too. True: read. False,
 * with nothing said, for all else and for whatever is wrong: libgit2 reads it,
 * or says why not.
 */
bool pn_packed_read(struct pn_stored *out, struct pn_repo *repo,
		    const struct pn_oid *oid, git_object_t type,
		    uint64_t limit);
/* Whether there is such an object of that type, of at most `limit` bytes, that
 * could be read so. */
bool pn_packed_is(struct pn_repo *repo, const struct pn_oid *oid,
		  git_object_t type, uint64_t limit);

#endif
