/* The notes at one tip, with what is staged on top. */
#include "vcs/notes/epoch.h"

#include "base/alloc.h"
#include "base/text/line_set.h"
#include "base/trace2.h"
#include "vcs/commit.h"
#include "vcs/git.h"
#include "vcs/notes/snapshot.h"
#include "vcs/objects/gone.h"
#include "vcs/objects/lent.h"
#include "vcs/objects/stored.h"
#include "vcs/ref/ref.h"

#include <stdlib.h>
#include <string.h>

#define NOTES "refs/notes/"
#define SYMREFS_MAX 5 /* git's own limit, refs.c */
#define LOOKS_MAX 100 /* while the ref moves */

struct pn_notes_iter {
	struct pn_notes *notes;
	struct pn_fan_walk *walk;
	struct pn_fan_item ahead; /* read by iter_text, of the next commit */
	bool has_ahead;
};

/* The ref that a symbolic one leads to, whether that exists or not. */
static int follow(char **out, struct pn_oid *tip, struct pn_repo *repo,
		  const char *ref, struct pn_error *err)
{
	char *name = pn_strdup(ref);
	git_reference *found = NULL;
	int steps, result = 0;

	memset(tip, 0, sizeof(*tip));
	for (steps = 0; steps <= SYMREFS_MAX; steps++) {
		result = git_reference_lookup(&found, repo->git, name);
		if (result < 0 ||
		    git_reference_type(found) == GIT_REFERENCE_DIRECT)
			break;
		free(name);
		name = pn_strdup(git_reference_symbolic_target(found));
		git_reference_free(found);
		found = NULL;
	}
	if (result && result != GIT_ENOTFOUND) {
		result = pn_ref_unreadable(repo, name, err);
		free(name);
		return result;
	}
	if (steps > SYMREFS_MAX) {
		free(name);
		return pn_error_set(err, PN_EINVAL,
				    "'%s' is a symbolic ref that leads nowhere",
				    ref);
	}
	if (!result)
		pn_git_from(tip, git_reference_target(found));
	git_reference_free(found);
	*out = name;
	return 0;
}

/* What is missing below the ref was pruned or never came: the way out is a
 * state of before, or another clone's. A fetch that is told nothing else takes
 * all below our tip for being here. False: no more is to be said. */
static bool advise_missing(const struct pn_notes *notes, const char *ref,
			   int code, struct pn_error *err)
{
	struct pn_error why = *err;

	if (code != PN_ENOTFOUND || strcmp(ref, PN_NOTES_REF) != 0 ||
	    pn_repo_is_partial(notes->repo))
		return false;
	pn_error_set(err, code,
		     "%s: 'git fetch --refetch <remote> %s' gets it from a "
		     "clone that has it, or take a state of before from 'git "
		     "reflog %s'",
		     why.message, ref, ref);
	return true;
}

/* Why the notes cannot be read. */
static int cannot_read(const struct pn_notes *notes, const char *ref, int code,
		       struct pn_error *err)
{
	bool advised;

	if (!err)
		return code;
	advised = code == PN_ENOTFOUND && pn_lent_advise(err, notes->repo);
	pn_error_context(err, "cannot read '%s'", ref);
	if (!advised && !advise_missing(notes, ref, code, err))
		pn_gone_advise(err);
	return code;
}

/* The snapshot is of this commit from now on, and takes over the name. */
static int load(struct pn_notes *notes, const char *ref, char *name,
		const struct pn_oid *tip, struct pn_error *err)
{
	struct pn_commit_facts facts = {0};
	struct pn_fan *texts = NULL;
	bool ours = false;
	int code = 0;

	if (!pn_oid_is_zero(tip))
		code = pn_commit_facts(&facts, &ours, PN_NOTES_SUBJECT,
				       notes->repo, tip, err);
	if (!code)
		code = pn_fan_open(&texts, notes->repo, &facts.tree,
				   PN_FAN_NOTES, err);
	if (code) {
		free(name);
		return cannot_read(notes, ref, code, err);
	}
	code = pn_notes_format_readable(notes->repo, name, texts, err);
	if (code) {
		if (err)
			advise_missing(notes, name, code, err);
		free(name);
		pn_fan_free(texts);
		return code;
	}
	free(notes->ref);
	pn_fan_free(notes->texts);
	pn_fan_free(notes->bodies);
	notes->ref = name;
	notes->tip = *tip;
	notes->ours = ours;
	notes->stale = notes->settled = false;
	notes->texts = texts;
	notes->bodies = NULL;
	return 0;
}

int pn_notes_open_at(struct pn_notes **out, struct pn_repo *repo,
		     const char *ref, const struct pn_oid *commit,
		     struct pn_error *err)
{
	struct pn_notes *notes = pn_calloc(1, sizeof(*notes));
	int code;

	notes->repo = repo;
	code = load(notes, ref, pn_strdup(ref), commit, err);
	if (code)
		free(notes);
	else
		*out = notes;
	return code;
}

/* What was read of the tip stays as long as the ref does. */
static int look_at_tip(struct pn_oid *seen, struct pn_notes *notes,
		       const char *ref, struct pn_error *err)
{
	struct pn_oid tip = {{0}};
	char *name = NULL;
	int code = follow(&name, &tip, notes->repo, ref, err);

	*seen = tip;
	if (!name)
		return code;
	/* a write would move somebody's branch */
	if (!strncmp(ref, NOTES, strlen(NOTES)) &&
	    strncmp(name, NOTES, strlen(NOTES)) != 0) {
		pn_error_set(err, PN_EREFUSED,
			     "'%s' is a symbolic ref to '%s', which is not "
			     "below " NOTES,
			     ref, name);
		free(name);
		return PN_EREFUSED;
	}
	if (notes->texts && !notes->stale && !strcmp(name, notes->ref) &&
	    pn_oid_equal(&tip, &notes->tip)) {
		free(name);
		return 0;
	}
	return load(notes, ref, name, &tip, err);
}

/* Where the ref was moved away, a prune may have taken what it led to. */
static int read_tip(struct pn_notes *notes, const char *ref,
		    struct pn_error *err)
{
	struct pn_oid tip, last;
	int looks, code = look_at_tip(&tip, notes, ref, err);

	for (looks = 1; code == PN_ENOTFOUND && looks < LOOKS_MAX; looks++) {
		last = tip;
		code = look_at_tip(&tip, notes, ref, err);
		if (pn_oid_equal(&tip, &last))
			break;
	}
	return code;
}

int pn_notes_open(struct pn_notes **out, struct pn_repo *repo, const char *ref,
		  struct pn_error *err)
{
	struct pn_notes *notes = pn_calloc(1, sizeof(*notes));
	struct pn_trace2_region region;
	int code;

	notes->repo = repo;
	region = pn_trace2_enter(PN_TRACE2_HERE, "notes", "read");
	code = read_tip(notes, ref, err);
	pn_trace2_leave(PN_TRACE2_HERE, &region);
	if (code)
		free(notes);
	else
		*out = notes;
	return code;
}

int pn_notes_reopen(struct pn_notes *notes, struct pn_error *err)
{
	char *ref = pn_strdup(notes->ref);
	int code = read_tip(notes, ref, err);

	free(ref);
	if (!code) {
		pn_stage_clear(&notes->staged_texts);
		pn_buf_clear(&notes->before);
		pn_buf_clear(&notes->behind);
		pn_buf_clear(&notes->format);
		notes->apart = notes->orphan = false;
	}
	return code;
}

void pn_notes_free(struct pn_notes *notes)
{
	if (!notes)
		return;
	pn_cache_close(notes->cache);
	pn_cache_close(notes->judged);
	pn_good_close(notes->good);
	pn_recent_close(notes->recent);
	pn_parts_discard(&notes->parts);
	pn_fan_free(notes->texts);
	pn_fan_free(notes->bodies);
	pn_stage_clear(&notes->staged_texts);
	pn_stage_clear(&notes->staged_bodies);
	pn_buf_release(&notes->before);
	pn_buf_release(&notes->behind);
	pn_buf_release(&notes->format);
	pn_buf_release(&notes->last_ids);
	pn_buf_release(&notes->last_text);
	pn_oidmap_release(&notes->expected.commits);
	free(notes->ref);
	free(notes);
}

const struct pn_oid *pn_notes_tip(const struct pn_notes *notes)
{
	return &notes->tip;
}

int pn_notes_bodies(struct pn_fan **out, struct pn_notes *notes,
		    struct pn_error *err)
{
	static const struct pn_oid none;
	struct pn_tree_entry entry = {0};
	const struct pn_oid *tree = &none;
	int code = 0;

	if (!notes->bodies) {
		if (pn_fan_other(&entry, notes->texts, PN_NOTES_OBJECTS) &&
		    pn_mode_is_tree(entry.mode))
			tree = &entry.id;
		code = pn_fan_open(&notes->bodies, notes->repo, tree,
				   PN_FAN_BODIES, err);
	}
	if (code)
		return cannot_read(notes, notes->ref, code, err);
	*out = notes->bodies;
	return 0;
}

int pn_notes_add_text(struct pn_line_set *set, uint64_t *raw,
		      struct pn_repo *repo, const struct pn_oid *blob,
		      uint64_t max, struct pn_error *err)
{
	struct pn_stored object;
	int code = pn_stored_read(&object, repo, blob, GIT_OBJECT_BLOB,
				  *raw < max ? max - *raw : 0, err);

	if (code == PN_ELIMIT)
		*raw = max + 1;
	if (code)
		return code;
	*raw += object.len;
	code = pn_line_set_add(set, object.bytes, object.len, PN_NOTE_MAX,
			       PN_NOTE_LINES_MAX);
	pn_stored_release(&object);
	if (!code)
		return 0;
	*raw = 0;
	return pn_error_set(err, code,
			    "its lines, each once, have more than %u bytes or "
			    "are more than %u",
			    PN_NOTE_MAX, PN_NOTE_LINES_MAX);
}

/* Blob by blob: no more than one is in memory, and each line once. */
static int unite_blobs(struct pn_buf *out, uint64_t *raw,
		       struct pn_notes *notes, const struct pn_buf *ids,
		       uint64_t max, struct pn_error *err)
{
	struct pn_line_set set = {0};
	struct pn_oid blob;
	size_t at;
	int code = 0;

	for (at = 0; !code && at < ids->len; at += PN_OID_BYTES) {
		/* in order: equal ones are neighbours */
		if (at && !memcmp(blob.bytes, ids->data + at, PN_OID_BYTES))
			continue;
		memcpy(blob.bytes, ids->data + at, PN_OID_BYTES);
		code = pn_notes_add_text(&set, raw, notes->repo, &blob, max,
					 err);
	}
	if (!code && set.text.len)
		pn_buf_add(out, set.text.data, set.text.len);
	pn_line_set_release(&set);
	return code;
}

static int read_blobs(struct pn_buf *out, uint64_t *raw, struct pn_notes *notes,
		      const struct pn_buf *ids, uint64_t max,
		      struct pn_error *err)
{
	size_t start = out->len;
	struct pn_oid blob;
	int code;

	if (ids->len == PN_OID_BYTES) {
		memcpy(blob.bytes, ids->data, PN_OID_BYTES);
		code = pn_repo_read_blob(out, notes->repo, &blob, PN_NOTE_MAX,
					 err);
		*raw = out->len - start;
		if (code != PN_ELIMIT)
			return code;
	}
	return unite_blobs(out, raw, notes, ids, max, err);
}

static int read_text(struct pn_buf *out, uint64_t *raw, struct pn_notes *notes,
		     const struct pn_buf *ids, uint64_t max,
		     struct pn_error *err)
{
	struct pn_buf *last = &notes->last_ids;
	size_t start = out->len;
	int code;

	*raw = 0;
	if (ids->len && ids->len == last->len &&
	    !memcmp(ids->data, last->data, ids->len)) {
		pn_buf_add(out, notes->last_text.data, notes->last_text.len);
		*raw = notes->last_raw;
		return 0;
	}
	code = read_blobs(out, raw, notes, ids, max, err);
	if (code || !ids->len)
		return code;
	pn_buf_clear(last);
	pn_buf_add(last, ids->data, ids->len);
	pn_buf_clear(&notes->last_text);
	pn_buf_add(&notes->last_text, out->data + start, out->len - start);
	notes->last_raw = *raw;
	return 0;
}

static void unreadable(const struct pn_oid *commit, struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, commit);
	pn_error_context(err, "cannot read the note of '%s'", hex);
	pn_gone_advise(err);
}

/* The note of a commit whose blobs are known; what is staged comes first. */
static int read_note(struct pn_buf *out, uint64_t *raw, struct pn_notes *notes,
		     const struct pn_oid *commit, const struct pn_buf *ids,
		     uint64_t max, struct pn_error *err)
{
	struct pn_staged *item = pn_stage_find(&notes->staged_texts, commit);
	struct pn_buf staged = {0};
	size_t start = out->len;
	int code;

	if (item && (item->bytes || !item->present)) {
		if (item->len)
			pn_buf_add(out, item->bytes, item->len);
		*raw = item->len;
		return 0;
	}
	if (item)
		pn_buf_add(&staged, item->blob.bytes, PN_OID_BYTES);
	code = read_text(out, raw, notes, item ? &staged : ids, max, err);
	pn_buf_release(&staged);
	if (code) {
		out->len = start;
		unreadable(commit, err);
	}
	return code;
}

static int find_ids(struct pn_buf *out, struct pn_notes *notes,
		    const struct pn_oid *commit, struct pn_error *err)
{
	const struct pn_oid *blob = pn_notes_expected(notes, commit);

	if (!blob)
		return pn_fan_find(out, notes->texts, commit, err);
	pn_buf_add(out, blob->bytes, PN_OID_BYTES);
	return 0;
}

int pn_notes_read_long(struct pn_buf *out, uint64_t *raw,
		       struct pn_notes *notes, const struct pn_oid *commit,
		       uint64_t max, struct pn_error *err)
{
	struct pn_buf ids = {0};
	int code = 0;

	*raw = 0;
	if (!pn_stage_find(&notes->staged_texts, commit))
		code = find_ids(&ids, notes, commit, err);
	if (code)
		unreadable(commit, err);
	else
		code = read_note(out, raw, notes, commit, &ids, max, err);
	pn_buf_release(&ids);
	return code;
}

int pn_notes_read(struct pn_buf *out, struct pn_notes *notes,
		  const struct pn_oid *commit, struct pn_error *err)
{
	uint64_t raw;

	return pn_notes_read_long(out, &raw, notes, commit, PN_NOTE_RAW_MAX,
				  err);
}

int pn_notes_has_body(bool *out, struct pn_notes *notes,
		      const struct pn_oid *body, struct pn_error *err)
{
	struct pn_staged *item = pn_stage_find(&notes->staged_bodies, body);
	struct pn_buf ids = {0};
	struct pn_fan *fan;
	int code;

	if (item) {
		*out = item->present;
		return 0;
	}
	code = pn_notes_bodies(&fan, notes, err);
	if (!code)
		code = pn_fan_find(&ids, fan, body, err);
	if (!code)
		*out = ids.len > 0;
	pn_buf_release(&ids);
	return code;
}

static int iter_open(struct pn_notes_iter **out, struct pn_notes *notes,
		     struct pn_fan *fan)
{
	struct pn_notes_iter *iter = pn_calloc(1, sizeof(*iter));

	iter->notes = notes;
	iter->walk = pn_fan_walk_new(fan);
	*out = iter;
	return 0;
}

int pn_notes_iter_open(struct pn_notes_iter **out, struct pn_notes *notes,
		       struct pn_error *err)
{
	(void)err;
	return iter_open(out, notes, notes->texts);
}

int pn_notes_bodies_open(struct pn_notes_iter **out, struct pn_notes *notes,
			 struct pn_error *err)
{
	struct pn_fan *fan;
	int code = pn_notes_bodies(&fan, notes, err);

	return code ? code : iter_open(out, notes, fan);
}

int pn_notes_iter_next(struct pn_oid *commit, struct pn_oid *blob,
		       struct pn_notes_iter *iter, struct pn_error *err)
{
	struct pn_fan_item item;
	int more = pn_fan_walk_next(&item, iter->walk, err);

	if (more < 0)
		return cannot_read(iter->notes, iter->notes->ref, more, err);
	if (more > 0) {
		*commit = item.key;
		*blob = item.blob;
	}
	return more;
}

int pn_notes_iter_text(struct pn_oid *commit, struct pn_buf *text,
		       struct pn_notes_iter *iter, struct pn_error *err)
{
	struct pn_fan_item item = iter->ahead;
	struct pn_buf ids = {0};
	uint64_t raw;
	int more = iter->has_ahead;

	pn_buf_clear(text);
	if (!more)
		more = pn_fan_walk_next(&item, iter->walk, err);
	if (more < 0)
		return cannot_read(iter->notes, iter->notes->ref, more, err);
	if (!more)
		return 0;
	*commit = item.key;
	do {
		pn_buf_add(&ids, item.blob.bytes, PN_OID_BYTES);
		more = pn_fan_walk_next(&item, iter->walk, err);
	} while (more > 0 && pn_oid_equal(&item.key, commit));
	iter->has_ahead = more > 0;
	iter->ahead = item;
	if (more < 0) {
		cannot_read(iter->notes, iter->notes->ref, more, err);
	} else {
		more = read_note(text, &raw, iter->notes, commit, &ids,
				 PN_NOTE_RAW_MAX, err);
		more = more ? more : 1;
	}
	pn_buf_release(&ids);
	return more;
}

int pn_notes_each_text(struct pn_notes *notes,
		       int (*take)(void *arg, const struct pn_oid *commit,
				   const struct pn_buf *text,
				   struct pn_error *err),
		       void *arg, struct pn_error *err)
{
	struct pn_notes_iter *iter = NULL;
	struct pn_buf text = {0};
	struct pn_oid commit;
	int code = pn_notes_iter_open(&iter, notes, err);

	while (!code &&
	       (code = pn_notes_iter_text(&commit, &text, iter, err)) > 0)
		code = take(arg, &commit, &text, err);
	pn_notes_iter_free(iter);
	pn_buf_release(&text);
	return code;
}

void pn_notes_iter_free(struct pn_notes_iter *iter)
{
	if (!iter)
		return;
	pn_fan_walk_free(iter->walk);
	free(iter);
}

int pn_notes_differing(struct pn_buf *out, struct pn_notes *ours,
		       struct pn_notes *theirs, struct pn_error *err)
{
	struct pn_buf items = {0};
	struct pn_fan_item item;
	struct pn_oid last = {{0}};
	size_t at;
	int code = pn_fan_lacks(&items, theirs->texts, ours->texts,
				PN_FAN_LACK_BLOB, err);

	for (at = 0; !code && at < items.len; at += sizeof(item)) {
		memcpy(&item, items.data + at, sizeof(item));
		if (!pn_oid_equal(&item.key, &last))
			pn_buf_add(out, item.key.bytes, PN_OID_BYTES);
		last = item.key;
	}
	pn_buf_release(&items);
	return code;
}
