/*
 * Notes in the cache: struct head, the ids of the note's blobs as the tree had
 * them, the text. It holds as long as the tree of the first level that the note
 * lies in is the same, which costs no read, or the blobs are.
 */
#include "vcs/notes/cached.h"

#include "vcs/cache/cache.h"
#include "vcs/notes/snapshot.h"
#include "vcs/replaced.h"

#include <string.h>

#define CHECKED 1u

struct head {
	struct pn_oid below; /* zero: the commit had no note */
	uint32_t blob_bytes, flags;
	uint32_t is_below; /* whether `below` is known */
};

void pn_notes_use_cache(struct pn_notes *notes)
{
	if (notes->cache || pn_oid_is_zero(&notes->tip))
		return;
	notes->cache = pn_cache_open(notes->repo, PN_CACHE_HISTORY);
	notes->recent = pn_recent_open(notes->repo);
	notes->shallow = pn_repo_is_shallow(notes->repo);
}

bool pn_notes_first_lack(struct pn_notes *notes)
{
	bool first = !notes->lacked;

	notes->lacked = true;
	return first;
}

/* A commit says the same for ever, but is not there for ever: behind the end
 * of a shallow clone. Another one may stand for it for a while. */
int pn_notes_commit_facts(struct pn_commit_facts *out, struct pn_notes *notes,
			  const struct pn_oid *commit, struct pn_error *err)
{
	struct pn_commit_facts facts = {0};
	struct pn_oid with;
	const void *had = NULL;
	size_t len = 0;
	int code;

	if (pn_replaced(&with, notes->repo, commit))
		return pn_repo_commit_facts(out, notes->repo, commit, err);
	if (notes->cache && !notes->shallow)
		had = pn_cache_find(&len, notes->cache, PN_CACHE_COMMIT,
				    commit);
	if (had && len == sizeof(*out)) {
		memcpy(out, had, sizeof(*out));
		return 0;
	}
	code = pn_repo_commit_facts(&facts, notes->repo, commit, err);
	if (code)
		return code;
	if (notes->cache)
		pn_cache_put(notes->cache, PN_CACHE_COMMIT, commit, &facts,
			     sizeof(facts));
	*out = facts;
	return 0;
}

static bool is_staged(const struct pn_notes *notes, const struct pn_oid *commit)
{
	return notes->stale || pn_stage_find(&notes->staged_texts, commit);
}

static void put(struct pn_notes *notes, const struct pn_oid *commit,
		const struct pn_buf *ids, const struct pn_note_cached *note)
{
	struct head head = {.blob_bytes = (uint32_t)ids->len,
			    .flags = note->checked ? CHECKED : 0};
	char *at = pn_cache_place(notes->cache, PN_CACHE_NOTE, commit,
				  sizeof(head) + ids->len + note->len);

	if (!at)
		return;
	head.is_below = pn_fan_below(&head.below, notes->texts, commit);
	memcpy(at, &head, sizeof(head));
	at += sizeof(head);
	if (ids->len)
		memcpy(at, ids->data, ids->len);
	if (note->len)
		memcpy(at + ids->len, note->text, note->len);
}

/* The tree that it lies in is another one, but maybe not the note. */
static bool is_same(struct pn_notes *notes, const struct pn_oid *commit,
		    const unsigned char *ids, size_t len,
		    const struct pn_note_cached *note)
{
	struct pn_buf now = {0};
	struct pn_oid below;
	bool same = !pn_fan_find(&now, notes->texts, commit, NULL) &&
		    now.len == len && (!len || !memcmp(now.data, ids, len));

	/* the tree is worth another write, or nothing is */
	if (same && pn_fan_below(&below, notes->texts, commit))
		put(notes, commit, &now, note);
	pn_buf_release(&now);
	return same;
}

static bool find_history(struct pn_note_cached *out, struct pn_notes *notes,
			 const struct pn_oid *commit)
{
	const unsigned char *had;
	struct pn_note_cached note;
	struct pn_oid below;
	struct head head;
	size_t len;

	had = pn_cache_find(&len, notes->cache, PN_CACHE_NOTE, commit);
	if (!had || len < sizeof(head))
		return false;
	memcpy(&head, had, sizeof(head));
	had += sizeof(head);
	len -= sizeof(head);
	if (head.blob_bytes > len)
		return false;
	note = (struct pn_note_cached){(const char *)had + head.blob_bytes,
				       len - head.blob_bytes,
				       head.flags & CHECKED};
	if (!(head.is_below && pn_fan_below(&below, notes->texts, commit) &&
	      pn_oid_equal(&below, &head.below)) &&
	    !is_same(notes, commit, had, head.blob_bytes, &note))
		return false;
	*out = note;
	return true;
}

/* As this clone wrote it, which is worth a place in the history. */
static bool find_recent(struct pn_note_cached *out, struct pn_notes *notes,
			const struct pn_oid *commit)
{
	struct pn_buf ids = {0};
	struct pn_oid blob;
	const char *text = NULL;
	size_t len = 0;

	if (pn_recent_has_any(notes->recent) &&
	    !pn_fan_find(&ids, notes->texts, commit, NULL) &&
	    ids.len == PN_OID_BYTES) {
		memcpy(blob.bytes, ids.data, PN_OID_BYTES);
		text = pn_recent_find(&len, notes->recent, &blob);
	}
	if (text) {
		*out = (struct pn_note_cached){text, len, true};
		put(notes, commit, &ids, out);
	}
	pn_buf_release(&ids);
	return text != NULL;
}

bool pn_notes_cached(struct pn_note_cached *out, struct pn_notes *notes,
		     const struct pn_oid *commit)
{
	return notes->cache && !is_staged(notes, commit) &&
	       (find_history(out, notes, commit) ||
		find_recent(out, notes, commit));
}

bool pn_notes_read_good(struct pn_notes *notes, const struct pn_oid *commit)
{
	struct pn_oid blob;

	if (is_staged(notes, commit) || notes->last_ids.len != PN_OID_BYTES)
		return false;
	if (!notes->good)
		notes->good = pn_good_open(notes->repo);
	memcpy(blob.bytes, notes->last_ids.data, PN_OID_BYTES);
	return pn_good_has(notes->good, &blob);
}

void pn_notes_keep(struct pn_notes *notes, const struct pn_oid *commit,
		   const struct pn_note_cached *note)
{
	struct pn_buf ids = {0};

	if (!notes->cache || is_staged(notes, commit))
		return;
	if (note->len) /* of the blobs that were read last */
		put(notes, commit, &notes->last_ids, note);
	else if (!pn_fan_find(&ids, notes->texts, commit, NULL))
		put(notes, commit, &ids, note);
	pn_buf_release(&ids);
}

const void *pn_notes_made(size_t *len, struct pn_notes *notes,
			  const struct pn_oid *key)
{
	*len = 0;
	if (pn_oid_is_zero(&notes->tip))
		return NULL;
	if (!notes->judged)
		notes->judged = pn_cache_open(notes->repo, PN_CACHE_JUDGED);
	return pn_cache_find(len, notes->judged, PN_CACHE_MARKS, key);
}

void pn_notes_keep_made(struct pn_notes *notes, const struct pn_oid *key,
			const void *value, size_t len)
{
	if (notes->judged)
		pn_cache_put(notes->judged, PN_CACHE_MARKS, key, value, len);
}
