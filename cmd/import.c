/* git perf import: a whole Perun store. */
#include "storage/perun/import.h"
#include "base/alloc.h"
#include "command.h"
#include "context.h"
#include "storage/pending.h"
#include "storage/store.h"
#include "vcs/lock.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
	bool dry_run;
};

static const struct opt opts[] = {
	{OPT_FLAG(dry_run), 'n', "dry-run", NULL,
	 "read and check everything, store nothing"},
	{0},
};

/* A commit that has an index. */
struct listed {
	struct pn_oid commit, tree;
	int64_t time_s;
	struct pn_perun_index index;
};

struct job {
	struct context context;
	struct pn_perun_store store;
	struct pn_perun_known known;
	struct pn_strtab broken; /* objects that were reported */
	struct pn_batch *batch;
	struct listed *list;
	size_t list_count;
	int lock; /* -1: not held */
	uint64_t max_bytes;
	bool dry_run;
	size_t stored, commits, pending, already;
	size_t broken_count, skipped; /* listings and files, not objects */
};

static void report_object(struct job *job, const struct pn_oid *commit,
			  const struct pn_perun_listing *listing,
			  const struct pn_error *err)
{
	char object[PN_OID_HEX + 1], hex[PN_OID_HEX + 1];
	size_t had = job->broken.count;

	job->broken_count++;
	pn_oid_hex(object, &listing->object);
	pn_oid_hex(hex, commit);
	pn_strtab_add(&job->broken, object, PN_OID_HEX);
	if (job->broken.count > had)
		warn("object %s ('%s' of %.10s): %s", object, listing->name,
		     hex, err->message);
}

static bool is_broken(const struct job *job, const struct pn_oid *object)
{
	char hex[PN_OID_HEX + 1];
	uint32_t id;

	pn_oid_hex(hex, object);
	return pn_strtab_find(&id, &job->broken, hex, PN_OID_HEX);
}

/* Whether the commit is to be gone through; its index is read then. */
static bool look_up(struct job *job, struct listed *out,
		    const struct pn_oid *commit)
{
	struct pn_commit_facts facts;
	char hex[PN_OID_HEX + 1];
	struct pn_error err;

	pn_oid_hex(hex, commit);
	if (pn_perun_store_index(&out->index, &job->store, commit, &err)) {
		warn("index of commit %.40s: %s", hex, err.message);
		job->broken_count++;
		return false;
	}
	if (pn_repo_commit_facts(&facts, job->context.repo, commit, &err)) {
		if (out->index.count)
			warn("no commit %.40s in this repository: %zu "
			     "profile%s left out",
			     hex, out->index.count,
			     out->index.count == 1 ? " is" : "s are");
		job->skipped += out->index.count;
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
static void look_up_all(struct job *job)
{
	const struct pn_perun_ids *ids = &job->store.indexes;
	size_t i;

	for (i = 0; i < job->store.odd.count; i++)
		warn("%s", job->store.odd.items[i]);
	job->broken_count = job->store.odd.count;
	job->list = pn_calloc(ids->count, sizeof(*job->list));
	for (i = 0; i < ids->count; i++)
		if (look_up(job, &job->list[job->list_count], &ids->items[i]))
			job->list_count++;
	if (job->list_count)
		qsort(job->list, job->list_count, sizeof(*job->list),
		      oldest_first);
}

/* A profile that no list can hold is left out like a broken one; any other
 * failure to store ends the import. */
static int store_record(struct job *job, struct pn_record *record,
			const struct listed *listed,
			const struct pn_perun_listing *listing,
			struct pn_error *err)
{
	int code = 0;

	record->commit = listed->commit;
	record->tree = listed->tree;
	if (!job->dry_run)
		code = pn_batch_add(job->batch, record, err);
	if (!code)
		job->stored++;
	if (code != PN_EINVAL && code != PN_ELIMIT)
		return code;
	report_object(job, &listed->commit, listing, err);
	return 0;
}

static int import_listing(struct job *job, const struct listed *listed,
			  struct pn_perun_listing *listing,
			  struct pn_error *err)
{
	struct pn_record record = {0};
	int code = 0;

	if (is_broken(job, &listing->object))
		job->broken_count++;
	else if (!pn_perun_known_add(&job->known, &listed->commit, listing))
		job->already++;
	else if (pn_perun_import_listed(&record, &job->store, listing,
					job->max_bytes, err))
		report_object(job, &listed->commit, listing, err);
	else
		code = store_record(job, &record, listed, listing, err);
	pn_record_release(&record);
	return code;
}

static int import_commit(struct job *job, struct listed *listed,
			 struct pn_error *err)
{
	size_t i, stored = job->stored;
	int code = pn_perun_known_stored(&job->known, job->context.notes,
					 &listed->commit, err);

	for (i = 0; !code && i < listed->index.count; i++)
		code = import_listing(job, listed, &listed->index.items[i],
				      err);
	job->commits += job->stored > stored;
	pn_perun_index_release(&listed->index);
	return code;
}

/* Its list may have the profile by now, and its tree goes into the line. */
static int find_origin(struct job *job, struct pn_record *record,
		       struct pn_error *err)
{
	struct pn_commit_facts facts;

	if (pn_oid_is_zero(&record->commit) ||
	    pn_repo_commit_facts(&facts, job->context.repo, &record->commit,
				 NULL))
		return 0;
	record->tree = facts.tree;
	return pn_perun_known_stored(&job->known, job->context.notes,
				     &record->commit, err);
}

static int import_pending(struct job *job, const char *name,
			  struct pn_error *err)
{
	struct pn_record record = {0};
	int code = pn_perun_import_pending(&record, &job->store, name,
					   job->max_bytes, err);

	if (code) {
		warn("pending '%s': %s", name, err->message);
		job->broken_count++;
		return 0;
	}
	code = find_origin(job, &record, err);
	if (!code && !pn_perun_known_add_pending(&job->known, &record)) {
		job->already++;
	} else if (!code) {
		if (!job->dry_run)
			code = pn_pending_save(NULL, job->context.repo, &record,
					       err);
		job->pending++;
	}
	pn_record_release(&record);
	return code;
}

/* Files of objects that no listing named, or that were to be indexes. */
static void report_unread(struct job *job)
{
	const struct pn_perun_ids *ids = &job->store.unread;
	struct pn_buf json = {0};
	char hex[PN_OID_HEX + 1];
	struct pn_error err;
	size_t i;

	for (i = 0; i < ids->count; i++) {
		if (is_broken(job, &ids->items[i]) ||
		    !pn_perun_store_object(&json, &job->store, &ids->items[i],
					   job->max_bytes, &err))
			continue;
		pn_oid_hex(hex, &ids->items[i]);
		warn("object or index %s: %s", hex, err.message);
		job->broken_count++;
	}
	pn_buf_release(&json);
}

static int import_all(struct job *job, struct pn_error *err)
{
	size_t i;
	int code;

	look_up_all(job);
	code = pn_batch_open(&job->batch, job->context.repo, NULL, err);
	for (i = 0; !code && i < job->list_count; i++)
		code = import_commit(job, &job->list[i], err);
	if (!code)
		code = pn_batch_commit(job->batch, err);
	if (!code)
		code = pn_perun_known_pending(&job->known, job->context.repo,
					      err);
	for (i = 0; !code && i < job->store.pending.count; i++)
		code = import_pending(job, job->store.pending.items[i], err);
	return code;
}

/* There is no place for verdicts of another tool: say how many there were. */
static void report_changes(struct job *job)
{
	const struct pn_perun_ids *ids = &job->store.changes;
	size_t i, count, total = 0, commits = 0;
	char hex[PN_OID_HEX + 1];
	struct pn_error err;

	for (i = 0; i < ids->count; i++) {
		pn_oid_hex(hex, &ids->items[i]);
		if (pn_perun_store_changes(&count, &job->store, &ids->items[i],
					   &err)) {
			warn("changes of commit %.40s: %s", hex, err.message);
			job->broken_count++;
			continue;
		}
		total += count;
		commits += count > 0;
	}
	if (total)
		say("%zu change%s that Perun found at %zu commit%s are not "
		    "kept: verdicts are computed anew",
		    total, total == 1 ? "" : "s", commits,
		    commits == 1 ? "" : "s");
}

static void report(const struct job *job)
{
	say("%s %zu profile%s at %zu commit%s and %zu pending one%s",
	    job->dry_run ? "would import" : "imported", job->stored,
	    job->stored == 1 ? "" : "s", job->commits,
	    job->commits == 1 ? "" : "s", job->pending,
	    job->pending == 1 ? "" : "s");
	if (job->already)
		say("%zu %s here already", job->already,
		    job->already == 1 ? "was" : "were");
	if (job->broken_count || job->skipped)
		say("left out: %zu broken, %zu of unknown commits",
		    job->broken_count, job->skipped);
}

/* Of two imports at once the second has to see what the first stored. */
static int open_job(struct job *job, const char *dir, struct pn_error *err)
{
	int code = pn_perun_store_open(&job->store, dir, err);

	if (!code)
		code = open_repo(&job->context.repo, err);
	if (!code && !job->dry_run)
		code = pn_lock_named(&job->lock, job->context.repo,
				     "import.lock", err);
	if (!code)
		code = pn_notes_open(&job->context.notes, job->context.repo,
				     PN_NOTES_REF, err);
	if (!code)
		code = max_body_bytes(&job->max_bytes, job->context.repo, err);
	return code;
}

static void close_job(struct job *job)
{
	size_t i;

	for (i = 0; i < job->list_count; i++)
		pn_perun_index_release(&job->list[i].index);
	free(job->list);
	pn_batch_free(job->batch);
	pn_strtab_release(&job->broken);
	pn_perun_known_release(&job->known);
	pn_perun_store_release(&job->store);
	close_context(&job->context);
	if (job->lock >= 0)
		close(job->lock);
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {0};
	struct job job = {.lock = -1, .store = {.objects = -1, .jobs = -1}};
	struct pn_error err = {0};
	int code;

	(void)global;
	argc = opts_parse(&cmd_import, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc != 1)
		return usage(&cmd_import, "need one folder, have %d", argc);
	job.dry_run = o.dry_run;
	code = open_job(&job, argv[0], &err);
	if (!code)
		code = import_all(&job, &err);
	if (!code) {
		report_unread(&job);
		report_changes(&job);
		report(&job);
	}
	close_job(&job);
	if (code)
		return fail(&err);
	return job.broken_count || job.skipped ? EXIT_NO : EXIT_DONE;
}

const struct command cmd_import = {
	.name = "import",
	.summary = "take over a whole Perun store",
	.synopsis = "import [-n] <dir>",
	.opts = opts,
	.run = run,
};
