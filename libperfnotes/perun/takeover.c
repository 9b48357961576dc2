/* Taking over a Perun store. */
#include "perun/takeover.h"

#include "base/alloc.h"
#include "perun/doubts.h"
#include "perun/import.h"
#include "storage/pending.h"
#include "storage/store.h"
#include "vcs/lock.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A commit that has an index. */
struct listed {
	struct pn_oid commit, tree;
	int64_t time_s;
	struct pn_perun_index index;
};

enum phase { LOOK_UP, COMMITS, PENDING, REST, DONE };

struct pn_takeover {
	struct pn_repo *repo;
	struct pn_notes *notes;
	struct pn_perun_store store;
	struct pn_perun_known known;
	struct pn_strtab broken; /* objects that were reported */
	struct pn_batch *batch;
	struct listed *list;
	size_t list_count;
	int lock; /* -1: not held */
	uint64_t max_bytes;
	bool dry_run;
	enum phase phase;
	size_t at; /* next commit or pending one */
	struct pn_takeover_counts counts;
	struct pn_doubts doubts;
};

static void report_object(struct pn_takeover *t, const struct pn_oid *commit,
			  const struct pn_perun_listing *listing,
			  const struct pn_error *err)
{
	char object[PN_OID_HEX + 1], hex[PN_OID_HEX + 1];
	size_t had = t->broken.count;

	t->counts.broken++;
	pn_oid_hex(object, &listing->object);
	pn_oid_hex(hex, commit);
	pn_strtab_add(&t->broken, object, PN_OID_HEX);
	if (t->broken.count > had)
		pn_doubts_add(&t->doubts, "object %s ('%s' of %.10s): %s",
			      object, listing->name, hex, err->message);
}

static bool is_broken(const struct pn_takeover *t, const struct pn_oid *object)
{
	char hex[PN_OID_HEX + 1];
	uint32_t id;

	pn_oid_hex(hex, object);
	return pn_strtab_find(&id, &t->broken, hex, PN_OID_HEX);
}

/* Whether the commit is to be gone through; its index is read then. */
static bool look_up(struct pn_takeover *t, struct listed *out,
		    const struct pn_oid *commit)
{
	struct pn_commit_facts facts;
	char hex[PN_OID_HEX + 1];
	struct pn_error err;

	pn_oid_hex(hex, commit);
	if (pn_perun_store_index(&out->index, &t->store, commit, &err)) {
		pn_doubts_add(&t->doubts, "index of commit %.40s: %s", hex,
			      err.message);
		t->counts.broken++;
		return false;
	}
	if (pn_repo_commit_facts(&facts, t->repo, commit, &err)) {
		if (out->index.count)
			pn_doubts_add(&t->doubts,
				      "no commit %.40s in this repository: %zu "
				      "profile%s left out",
				      hex, out->index.count,
				      out->index.count == 1 ? " is" : "s are");
		t->counts.skipped += out->index.count;
		pn_perun_index_release(&out->index);
		return false;
	}
	out->commit = *commit;
	out->tree = facts.tree;
	out->time_s = facts.time_s;
	return true;
}

static int oldest_first(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;

	if (x->time_s != y->time_s)
		return x->time_s < y->time_s ? -1 : 1;
	return pn_oid_cmp(&x->commit, &y->commit);
}

/* Oldest first, so that a body can build on the one before it. */
static void look_up_all(struct pn_takeover *t)
{
	const struct pn_perun_ids *ids = &t->store.indexes;
	size_t i;

	for (i = 0; i < t->store.odd.count; i++)
		pn_doubts_add(&t->doubts, "%s", t->store.odd.items[i]);
	t->counts.broken = t->store.odd.count;
	t->list = pn_calloc(ids->count, sizeof(*t->list));
	for (i = 0; i < ids->count; i++)
		if (look_up(t, &t->list[t->list_count], &ids->items[i]))
			t->list_count++;
	if (t->list_count)
		qsort(t->list, t->list_count, sizeof(*t->list), oldest_first);
}

/* A profile that no list can hold is left out like a broken one; any other
 * failure to store ends the import. */
static int store_record(struct pn_takeover *t, struct pn_record *record,
			const struct listed *listed,
			const struct pn_perun_listing *listing,
			struct pn_error *err)
{
	int code = 0;

	record->commit = listed->commit;
	record->tree = listed->tree;
	if (!t->dry_run)
		code = pn_batch_add(t->batch, record, err);
	if (!code)
		t->counts.stored++;
	if (code != PN_EINVAL && code != PN_ELIMIT)
		return code;
	report_object(t, &listed->commit, listing, err);
	return 0;
}

static int import_listing(struct pn_takeover *t, const struct listed *listed,
			  struct pn_perun_listing *listing,
			  struct pn_error *err)
{
	struct pn_record record = {0};
	int code = 0;

	if (is_broken(t, &listing->object))
		t->counts.broken++;
	else if (!pn_perun_known_add(&t->known, &listed->commit, listing))
		t->counts.already++;
	else if (pn_perun_import_listed(&record, &t->store, listing,
					t->max_bytes, err))
		report_object(t, &listed->commit, listing, err);
	else
		code = store_record(t, &record, listed, listing, err);
	pn_record_release(&record);
	return code;
}

static int import_commit(struct pn_takeover *t, struct listed *listed,
			 struct pn_error *err)
{
	size_t i, stored = t->counts.stored;
	int code = pn_perun_known_stored(&t->known, t->notes, &listed->commit,
					 err);

	for (i = 0; !code && i < listed->index.count; i++)
		code = import_listing(t, listed, &listed->index.items[i], err);
	t->counts.commits += t->counts.stored > stored;
	pn_perun_index_release(&listed->index);
	return code;
}

/* Its list may have the profile by now, and its tree goes into the line. */
static int find_origin(struct pn_takeover *t, struct pn_record *record,
		       struct pn_error *err)
{
	struct pn_commit_facts facts;

	if (pn_oid_is_zero(&record->commit) ||
	    pn_repo_commit_facts(&facts, t->repo, &record->commit, NULL))
		return 0;
	record->tree = facts.tree;
	return pn_perun_known_stored(&t->known, t->notes, &record->commit, err);
}

static int import_pending(struct pn_takeover *t, const char *name,
			  struct pn_error *err)
{
	struct pn_record record = {0};
	int code = pn_perun_import_pending(&record, &t->store, name,
					   t->max_bytes, err);

	if (code) {
		pn_doubts_add(&t->doubts, "pending '%s': %s", name,
			      err->message);
		t->counts.broken++;
		return 0;
	}
	code = find_origin(t, &record, err);
	if (!code && !pn_perun_known_add_pending(&t->known, &record)) {
		t->counts.already++;
	} else if (!code) {
		if (!t->dry_run)
			code = pn_pending_save(NULL, t->repo, &record, err);
		t->counts.pending++;
	}
	pn_record_release(&record);
	return code;
}

/* Files of objects that no listing named, or that were to be indexes. */
static void report_unread(struct pn_takeover *t)
{
	const struct pn_perun_ids *ids = &t->store.unread;
	struct pn_buf json = {0};
	char hex[PN_OID_HEX + 1];
	struct pn_error err;
	size_t i;

	for (i = 0; i < ids->count; i++) {
		if (is_broken(t, &ids->items[i]) ||
		    !pn_perun_store_object(&json, &t->store, &ids->items[i],
					   t->max_bytes, &err))
			continue;
		pn_oid_hex(hex, &ids->items[i]);
		pn_doubts_add(&t->doubts, "object or index %s: %s", hex,
			      err.message);
		t->counts.broken++;
	}
	pn_buf_release(&json);
}

/* There is no place for verdicts of another tool: how many there were. */
static void count_changes(struct pn_takeover *t)
{
	const struct pn_perun_ids *ids = &t->store.changes;
	size_t i, count;
	char hex[PN_OID_HEX + 1];
	struct pn_error err;

	for (i = 0; i < ids->count; i++) {
		pn_oid_hex(hex, &ids->items[i]);
		if (pn_perun_store_changes(&count, &t->store, &ids->items[i],
					   &err)) {
			pn_doubts_add(&t->doubts, "changes of commit %.40s: %s",
				      hex, err.message);
			t->counts.broken++;
			continue;
		}
		t->counts.changes += count;
		t->counts.changed_commits += count > 0;
	}
}

static int import_commits(struct pn_takeover *t, struct pn_error *err)
{
	if (t->at < t->list_count)
		return import_commit(t, &t->list[t->at++], err);
	t->phase = PENDING;
	t->at = 0;
	if (pn_batch_commit(t->batch, err))
		return err->code;
	return pn_perun_known_pending(&t->known, t->repo, err);
}

int pn_takeover_step(struct pn_takeover *t, struct pn_error *err)
{
	int code = 0;

	switch (t->phase) {
	case LOOK_UP:
		look_up_all(t);
		t->phase = COMMITS;
		code = pn_batch_open(&t->batch, t->repo, NULL, err);
		break;
	case COMMITS:
		code = import_commits(t, err);
		break;
	case PENDING:
		if (t->at < t->store.pending.count)
			code = import_pending(
				t, t->store.pending.items[t->at++], err);
		else
			t->phase = REST;
		break;
	case REST:
		report_unread(t);
		count_changes(t);
		t->phase = DONE;
		break;
	case DONE:
		return 0;
	}
	return code ? code : 1;
}

int pn_takeover_open(struct pn_takeover **out, const char *dir,
		     struct pn_error *err)
{
	struct pn_takeover *t = pn_calloc(1, sizeof(*t));
	int code;

	t->lock = t->store.objects = t->store.jobs = -1;
	code = pn_perun_store_open(&t->store, dir, err);
	if (code)
		pn_takeover_free(t);
	else
		*out = t;
	return code;
}

bool pn_takeover_is_store(const char *dir, struct pn_error *err)
{
	struct pn_takeover *t = NULL;
	int code = pn_takeover_open(&t, dir, err);

	pn_takeover_free(t);
	return code != PN_ENOTFOUND;
}

int pn_takeover_begin(struct pn_takeover *t, struct pn_repo *repo,
		      uint64_t max_bytes, bool dry_run, struct pn_error *err)
{
	int code = 0;

	t->repo = repo;
	t->max_bytes = max_bytes;
	t->dry_run = dry_run;
	if (!dry_run)
		code = pn_lock_named(&t->lock, repo, "import.lock", err);
	if (!code)
		code = pn_notes_open(&t->notes, repo, PN_NOTES_REF, err);
	return code;
}

const char *pn_takeover_doubt(struct pn_takeover *t)
{
	return pn_doubts_take(&t->doubts);
}

const struct pn_takeover_counts *pn_takeover_counts(const struct pn_takeover *t)
{
	return &t->counts;
}

void pn_takeover_free(struct pn_takeover *t)
{
	size_t i;

	if (!t)
		return;
	for (i = 0; i < t->list_count; i++)
		pn_perun_index_release(&t->list[i].index);
	free(t->list);
	pn_batch_free(t->batch);
	pn_strtab_release(&t->broken);
	pn_perun_known_release(&t->known);
	pn_perun_store_release(&t->store);
	pn_notes_free(t->notes);
	pn_doubts_release(&t->doubts);
	if (t->lock >= 0)
		close(t->lock);
	free(t);
}

/* All that can be taken over is; what is wrong with the rest is said. */
static int step_all(struct pn_takeover *t, struct pn_buf *doubts,
		    struct pn_error *err)
{
	const char *doubt;
	int code;

	do {
		code = pn_takeover_step(t, err);
		while ((doubt = pn_takeover_doubt(t))) {
			pn_buf_add_text(doubts, doubt);
			pn_buf_add_byte(doubts, '\n');
		}
	} while (code > 0);
	return code;
}

int pn_takeover(struct pn_takeover_counts *out, struct pn_buf *doubts,
		struct pn_repo *repo, const char *dir, uint64_t max_bytes,
		bool dry_run, struct pn_error *err)
{
	struct pn_takeover *t = NULL;
	int code = pn_takeover_open(&t, dir, err);

	if (!code)
		code = pn_takeover_begin(t, repo, max_bytes, dry_run, err);
	if (!code)
		code = step_all(t, doubts, err);
	if (!code)
		*out = *pn_takeover_counts(t);
	pn_takeover_free(t);
	return code;
}
