/* Leaving the history of the notes behind. */
#include "storage/retain/compact.h"

#include "base/alloc.h"
#include "storage/needed_bodies.h"
#include "storage/retain/full.h"
#include "storage/retain/sift.h"
#include "vcs/commit.h"
#include "vcs/disk.h"
#include "vcs/lock.h"
#include "vcs/notes/epoch.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ROUNDS 1000
#define MESSAGE "perf: compact\n"

struct compact {
	struct pn_repo *repo;
	struct pn_notes *notes;
	struct pn_compacted *out;
	struct pn_buf gone; /* ids of bodies that go */
	struct pn_oid from;
	bool weighed; /* what goes, by git, once: about that */
	uint64_t freed;
};

/* The lines that stay; false where all do. */
static bool sift(struct pn_buf *out, struct compact *c,
		 const struct pn_buf *text)
{
	const char *at = pn_buf_text(text), *end = at + text->len, *line;
	struct pn_sift sift = {0};
	size_t len, went = 0;

	pn_sift_learn(&sift, text);
	while (sift.count && pn_note_line(&line, &len, &at, end)) {
		if (!pn_sift_keeps(&sift, line, len)) {
			went++;
			continue;
		}
		pn_buf_add(out, line, len);
		pn_buf_add_byte(out, '\n');
	}
	pn_sift_release(&sift);
	c->out->dead += went;
	return went > 0;
}

static int sift_note(void *arg, const struct pn_oid *commit,
		     const struct pn_buf *text, struct pn_error *err)
{
	struct compact *c = arg;
	struct pn_buf kept = {0};
	int code = 0;

	if (sift(&kept, c, text))
		code = pn_notes_stage_note(c->notes, commit, kept.data,
					   kept.len, err);
	pn_buf_release(&kept);
	return code;
}

static int find_gone(struct compact *c, const struct pn_needed_bodies *needed,
		     struct pn_error *err)
{
	struct pn_notes_iter *iter = NULL;
	struct pn_oid name, blob;
	int code = pn_notes_bodies_open(&iter, c->notes, err);

	while (!code &&
	       (code = pn_notes_iter_next(&name, &blob, iter, err)) > 0) {
		code = 0;
		if (!pn_needed_bodies_has(needed, &name))
			pn_buf_add(&c->gone, name.bytes, PN_OID_BYTES);
	}
	pn_notes_iter_free(iter);
	return code;
}

/* What is needed is anchored by its id, wherever it is: behind the history that
 * goes nobody finds it any more. */
static int settle_bodies(struct compact *c, struct pn_error *err)
{
	struct pn_needed_bodies *needed = NULL;
	struct pn_oid id;
	bool lacks = false;
	size_t at;
	int code = pn_needed_bodies_read(&needed, c->repo, c->notes, err);

	if (!code)
		code = pn_needed_bodies_anchor(&lacks, true, c->repo, c->notes,
					       needed, err);
	if (!code && lacks)
		code = pn_error_set(err, PN_EREFUSED,
				    "not all bodies can be read, and what is "
				    "needed cannot be told: 'git perf fsck' "
				    "says which");
	if (!code)
		code = find_gone(c, needed, err);
	for (at = 0; !code && at < c->gone.len; at += PN_OID_BYTES) {
		memcpy(id.bytes, c->gone.data + at, PN_OID_BYTES);
		pn_notes_stage_drop(c->notes, &id);
		c->out->bodies++;
	}
	pn_needed_bodies_free(needed);
	return code;
}

static int begin_epoch(struct compact *c, struct pn_error *err)
{
	struct pn_notes_epoch epoch;
	int code = pn_notes_epoch(&epoch, c->notes, err);

	if (!code && epoch.number >= PN_EPOCH_MAX)
		code = pn_error_set(err, PN_ELIMIT,
				    "the notes were compacted too often");
	if (code)
		return code;
	epoch.number++;
	epoch.from = c->from;
	c->out->epoch = epoch.number;
	pn_notes_set_epoch(c->notes, &epoch);
	pn_notes_set_orphan(c->notes);
	return 0;
}

/* What only the history has, and the bodies that go. Others who move the ref
 * all the time leave no room for it in each round. */
static int guess_freed(struct compact *c, struct pn_error *err)
{
	size_t i, n = c->gone.len / PN_OID_BYTES;
	struct pn_disk *disk = pn_calloc(n + 1, sizeof(*disk));
	uint64_t all = 0, newest = 0;
	int code = pn_disk_of_history(&all, c->repo, &c->from, err);

	c->weighed = !code;
	if (!code)
		code = pn_disk_of_newest(&newest, c->repo, &c->from, err);
	if (!code && n)
		code = pn_disk_of_each(disk, c->repo, &c->gone, err);
	c->freed = all > newest ? all - newest : 0;
	for (i = 0; !code && i < n; i++)
		c->freed += disk[i].disk;
	free(disk);
	return code;
}

/* Lines, bodies and parents: whether any of them would go. */
static int find_nothing(struct compact *c, struct pn_error *err)
{
	struct pn_commit_facts facts;
	int code = pn_repo_commit_facts(&facts, c->repo, &c->from, err);

	c->out->nothing = !code && !facts.parent_count && !c->out->dead &&
			  !c->out->bodies;
	return code;
}

static int compact_once(struct compact *c, bool dry_run, struct pn_error *err)
{
	int code = pn_notes_open(&c->notes, c->repo, PN_NOTES_REF, err);

	memset(c->out, 0, sizeof(*c->out));
	pn_buf_clear(&c->gone);
	if (code)
		return code;
	c->from = *pn_notes_tip(c->notes);
	if (pn_oid_is_zero(&c->from)) {
		c->out->nothing = true;
		return 0;
	}
	code = pn_notes_check_format(c->notes, err);
	if (!code)
		code = pn_retain_check_full(c->repo, c->notes, err);
	if (!code)
		code = pn_needed_bodies_reanchor(c->repo, c->notes, err);
	if (!code)
		code = pn_notes_each_text(c->notes, sift_note, c, err);
	if (!code)
		code = settle_bodies(c, err);
	if (!code)
		code = find_nothing(c, err);
	if (!code && !c->out->nothing)
		code = begin_epoch(c, err);
	if (!code && !c->out->nothing && !c->weighed)
		code = guess_freed(c, err);
	c->out->freed = c->freed;
	if (code || dry_run || c->out->nothing)
		return code;
	pn_notes_set_cut(c->notes, false);
	return pn_notes_commit(c->notes, MESSAGE, err);
}

int pn_compact(struct pn_compacted *out, struct pn_repo *repo, bool dry_run,
	       struct pn_error *err)
{
	struct compact c = {.repo = repo, .out = out};
	struct pn_lock lock = {.fd = -1};
	int rounds = 0, code = pn_lock_acquire(&lock, repo, err);

	memset(out, 0, sizeof(*out));
	if (code)
		return code;
	do {
		pn_notes_free(c.notes);
		c.notes = NULL;
		code = compact_once(&c, dry_run, err);
	} while (code == PN_ECONFLICT && ++rounds < MAX_ROUNDS);
	pn_lock_release(&lock);
	pn_notes_free(c.notes);
	pn_buf_release(&c.gone);
	return code;
}

bool pn_compact_would_free(uint64_t *out, struct pn_repo *repo)
{
	struct pn_compacted compacted;

	if (pn_compact(&compacted, repo, true, NULL) || compacted.nothing)
		return false;
	*out = compacted.freed;
	return true;
}
