/* Inside of vcs/ only: what pn_notes is made of. */
#ifndef PN_NOTES_SNAPSHOT_H
#define PN_NOTES_SNAPSHOT_H

#include "base/arena.h"
#include "vcs/cache/cache.h"
#include "vcs/cache/good.h"
#include "vcs/cache/recent.h"
#include "vcs/notes/expected.h"
#include "vcs/notes/fantree.h"
#include "vcs/notes/parts.h"
#include "vcs/notes/stage.h"
#include "vcs/objects/oidmap.h"

#define PN_NOTES_OBJECTS "objects"
#define PN_NOTES_FORMAT "format"
#define PN_NOTES_FORMAT_TEXT "perf-notes 1\nepoch 0\n"
/* How the message of a commit of ours begins; others' objects/ may lack what
 * their parents' had. */
#define PN_NOTES_SUBJECT "perf: "
/* The same of a commit whose writer could not bring back all that a merge took
 * out of objects/: who comes next looks behind it again, as behind others'. */
#define PN_NOTES_CUT_SUBJECT "perf (cut history): "

/* What becomes of a name: these bytes, this blob, or nothing. */
struct pn_staged {
	struct pn_oid key, blob;
	const char *bytes; /* NULL: the blob exists, or the name goes */
	size_t len;
	size_t raw_len; /* not 0: bytes is a zlib stream of so many */
	bool present;
	bool good;	/* a note: each of its lines is */
	bool reachable; /* without bytes: from the tip's history */
};

struct pn_stage {
	struct pn_arena arena;
	size_t bytes; /* that were copied and are in memory */
	struct pn_staged *items;
	size_t count, cap;
	struct pn_oidmap map;
};

/* Commits whose notes will be read soon, and the blob of each. */
struct pn_expected {
	struct pn_oid tip; /* of the notes */
	struct pn_oidmap commits;
	struct pn_oid blobs[PN_NOTES_EXPECT_MAX];
};

struct pn_notes {
	struct pn_repo *repo;
	char *ref; /* symbolic refs followed */
	struct pn_oid tip;
	bool ours;  /* the tip is a commit of ours, nothing lacks in objects/ */
	bool cut;   /* what will be written lacks something there */
	bool stale; /* a commit failed: the fans are not the tip's any more */
	bool apart; /* the ref is at `at`, not at the tip */
	bool orphan;	      /* the next commit has no parent of ours */
	struct pn_oid at;     /* with `apart` */
	struct pn_buf format; /* the file of the next commit; empty: as it is */
	struct pn_fan *texts;
	struct pn_fan *bodies; /* NULL until asked for */
	struct pn_stage staged_texts, staged_bodies;
	struct pn_parts parts;	      /* what was settled */
	bool settled;		      /* of `texts` some is not the tip's */
	struct pn_buf before, behind; /* parents of the next commit, beside
				       * the tip: their 20-byte ids */
	/* The last note that was read, by the ids of its blobs: who adds to
	 * one looks for a base in it first. */
	struct pn_buf last_ids, last_text;
	uint64_t last_raw;	  /* bytes of those blobs */
	struct pn_cache *cache;	  /* NULL: none is asked for */
	struct pn_cache *judged;  /* the same */
	struct pn_good *good;	  /* once it was asked */
	struct pn_recent *recent; /* where there is a cache */
	bool shallow;		  /* known where there is a cache */
	bool lacked;		  /* pn_notes_first_lack was asked */
	struct pn_expected expected;
};

/* Whether this git-perf may read a tree: PN_EREFUSED when its file 'format' is
 * of a later version. Costs no read of an object when it is as we write it. */
int pn_notes_format_readable(struct pn_repo *repo, const char *ref,
			     const struct pn_fan *texts, struct pn_error *err);

/* Unite the lines of a blob with those of a set, while *raw, to which its bytes
 * are added, is up to `max`. 0 there says that the set was too large. */
struct pn_line_set;
int pn_notes_add_text(struct pn_line_set *set, uint64_t *raw,
		      struct pn_repo *repo, const struct pn_oid *blob,
		      uint64_t max, struct pn_error *err);

/* Stage: the note of `commit` becomes this blob, which another ref leads to. */
void pn_notes_stage_blob(struct pn_notes *notes, const struct pn_oid *commit,
			 const struct pn_oid *blob);

/* The only blob of a note that is expected; NULL: of no other. */
const struct pn_oid *pn_notes_expected(const struct pn_notes *notes,
				       const struct pn_oid *commit);

/* The fan below objects/. */
int pn_notes_bodies(struct pn_fan **out, struct pn_notes *notes,
		    struct pn_error *err);
void pn_stage_clear(struct pn_stage *stage);
/* The item of a key, NULL when nothing is staged for it. */
struct pn_staged *pn_stage_find(const struct pn_stage *stage,
				const struct pn_oid *key);

#endif
