/*
 * A walk over commits, read from the object database. git takes the commit of
 * the latest time next, of equal ones that which it met first (git-log(1),
 * "Commit Ordering"), and it is met when the first of its children is passed.
 * A thread walks, some hundred commits ahead of who asks for them.
 */
#include "vcs/walk/direct.h"

#include "base/ahead.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/number.h"
#include "vcs/config/config.h"
#include "vcs/git.h"
#include "vcs/objects/oidmap.h"
#include "vcs/objects/stored.h"
#include "vcs/replaced.h"
#include "vcs/walk/record.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FEW 64 /* commits are there soon, and need no thread */
#define TASK_COMMITS 32
#define WINDOW 40	 /* tasks */
#define COMMIT_MAX 65536 /* bytes; longer ones are git's */

/* Met, and not passed yet. */
struct waiting {
	struct pn_record *record;
	uint64_t number; /* of those that were met */
};

/* What was asked for. */
struct wanted {
	struct pn_oid from;
	bool first_parent, is_limited;
	uint64_t max; /* if so */
};

/* Commits passed in one task. */
struct slot {
	struct pn_record *records[TASK_COMMITS];
	size_t count;
	bool ended, gave_up; /* nothing comes behind them, but from git */
};

struct pn_direct {
	struct pn_repo *repo;	/* what is read: that below, if there is one */
	struct pn_repo *beside; /* the thread's; NULL: the caller walks */
	struct wanted wanted;
	/* As arguments of git. */
	char from[PN_OID_HEX + 1], most[32], skip[32];
	/* The walk's. */
	struct pn_oidmap met;
	struct waiting *heap;
	size_t waiting, heap_cap;
	uint64_t passed;
	bool ended, gave_up;
	/* The caller's. */
	struct pn_ahead *ahead;
	struct slot *slot; /* NULL: none was asked for */
	size_t task, at;   /* which it is; the next in it */
	uint64_t given;
	struct slot slots[WINDOW];
};

static bool is_before(const struct waiting *a, const struct waiting *b)
{
	return a->record->time_s > b->record->time_s ||
	       (a->record->time_s == b->record->time_s &&
		a->number < b->number);
}

static void push(struct pn_direct *d, struct pn_record *record)
{
	struct waiting item = {record, d->met.count};
	size_t at = d->waiting++, above;

	d->heap = pn_grow(d->heap, &d->heap_cap, d->waiting, sizeof(*d->heap));
	for (; at; at = above) {
		above = (at - 1) / 2;
		if (!is_before(&item, &d->heap[above]))
			break;
		d->heap[at] = d->heap[above];
	}
	d->heap[at] = item;
}

static struct pn_record *pop(struct pn_direct *d)
{
	struct pn_record *first = d->heap[0].record;
	struct waiting last = d->heap[--d->waiting];
	size_t at = 0, below;

	while ((below = 2 * at + 1) < d->waiting) {
		if (below + 1 < d->waiting &&
		    is_before(&d->heap[below + 1], &d->heap[below]))
			below++;
		if (!is_before(&d->heap[below], &last))
			break;
		d->heap[at] = d->heap[below];
		at = below;
	}
	d->heap[at] = last;
	return first;
}

/* False: git has to tell. */
static bool meet(struct pn_direct *d, const struct pn_oid *id)
{
	struct pn_stored object;
	struct pn_record *record;

	if (pn_oidmap_find(&d->met, id) != PN_OIDMAP_NONE)
		return true;
	if (pn_stored_read(&object, d->repo, id, GIT_OBJECT_COMMIT, COMMIT_MAX,
			   NULL))
		return false;
	record = pn_record_new(id, object.bytes, object.len);
	pn_stored_release(&object);
	if (!record)
		return false;
	pn_oidmap_add(&d->met, id);
	push(d, record);
	return true;
}

static bool meet_parents(struct pn_direct *d, const struct pn_commit *c)
{
	size_t n = c->parent_count, i;

	if (d->wanted.first_parent && n > 1)
		n = 1;
	for (i = 0; i < n; i++)
		if (!meet(d, &c->parents[i]))
			return false;
	return true;
}

/* One more; false: there is none, or git has to tell. As git does, the parents
 * are read before a commit is shown. */
static bool pass(struct pn_direct *d, struct slot *slot)
{
	struct pn_record *record;

	if (d->wanted.is_limited && d->passed == d->wanted.max)
		return false;
	d->gave_up = !d->passed && !meet(d, &d->wanted.from);
	if (d->gave_up || !d->waiting)
		return false;
	record = pop(d);
	d->gave_up = !meet_parents(d, &record->commit);
	if (d->gave_up) {
		free(record);
		return false;
	}
	slot->records[slot->count++] = record;
	d->passed++;
	return true;
}

static void clear(struct slot *slot)
{
	while (slot->count)
		free(slot->records[--slot->count]);
}

static void run(void *data, size_t task, size_t worker)
{
	struct pn_direct *d = data;
	struct slot *slot = &d->slots[task % WINDOW];

	(void)worker;
	clear(slot);
	while (!d->ended && slot->count < TASK_COMMITS)
		d->ended = !pass(d, slot);
	slot->ended = d->ended;
	slot->gave_up = d->gave_up;
}

/* "-n5", "-5", "--max-count=5" */
static bool take_max(struct wanted *out, const char *arg)
{
	static const char *const before[] = {"--max-count=", "-n", "-"};
	size_t i;

	for (i = 0; i < sizeof(before) / sizeof(*before); i++) {
		size_t len = strlen(before[i]);

		if (strncmp(arg, before[i], len) != 0 ||
		    strspn(arg + len, "0123456789") != strlen(arg + len) ||
		    !pn_number_uint(&out->max, arg + len, strlen(arg + len)))
			continue;
		out->is_limited = out->max <= INT_MAX;
		return out->is_limited;
	}
	return false;
}

/* A commit: HEAD, or one by its whole name. */
static bool take_from(struct wanted *out, struct pn_repo *repo, const char *arg)
{
	struct pn_head head;

	if (strlen(arg) == PN_OID_HEX)
		return !pn_oid_parse(&out->from, arg);
	if (strcmp(arg, "HEAD") != 0 || pn_repo_head(&head, repo, NULL) ||
	    head.unborn)
		return false;
	out->from = head.commit;
	return true;
}

/* False: there is more to it. */
static bool take_args(struct wanted *out, struct pn_repo *repo,
		      const char *const *args)
{
	bool named = false;

	for (; *args && strcmp(*args, "--") != 0; args++) {
		if (!strcmp(*args, "--first-parent")) {
			out->first_parent = true;
		} else if (**args == '-') {
			if (!take_max(out, *args))
				return false;
		} else {
			if (named || !take_from(out, repo, *args))
				return false;
			named = true;
		}
	}
	if (*args && args[1]) /* paths */
		return false;
	return named || take_from(out, repo, "HEAD");
}

static bool is_configured(struct pn_repo *repo, const char *key)
{
	char *value = NULL;
	bool is = pn_repo_config(&value, repo, key, NULL) || value;

	free(value);
	return is;
}

/* Whether commits are what their objects say: names, too, and parents. */
static bool is_plain(struct pn_repo *repo)
{
	static const char *const others[] = {"GIT_GRAFT_FILE",
					     "GIT_REPLACE_REF_BASE",
					     "GIT_SHALLOW_FILE", NULL};

	return repo->common_dir && repo->work_dir &&
	       !pn_config_any_set(others) && !pn_repo_is_shallow(repo) &&
	       !pn_file_is_in(repo->common_dir, "info/grafts") &&
	       !pn_file_is_in(repo->work_dir, ".mailmap") &&
	       /* git's, where it is called outside of the work tree */
	       !pn_file_is_in(repo->dir ? repo->dir : ".", ".mailmap") &&
	       !pn_replaced_any(repo) && !is_configured(repo, "mailmap.file") &&
	       !is_configured(repo, "mailmap.blob");
}

struct pn_direct *pn_direct_open(struct pn_repo *repo, const char *const *args)
{
	struct pn_ahead_work work = {
		.run = run, .count = SIZE_MAX - WINDOW, .window = WINDOW};
	struct wanted wanted = {.first_parent = false};
	struct pn_direct *d;
	bool few;

	if (!is_plain(repo) || !take_args(&wanted, repo, args))
		return NULL;
	few = wanted.is_limited && wanted.max <= FEW;
	d = pn_calloc(1, sizeof(*d));
	d->beside = few ? NULL : pn_repo_beside(repo);
	d->repo = few ? repo : d->beside;
	d->wanted = wanted;
	pn_oid_hex(d->from, &wanted.from);
	work.data = d;
	work.threads = few ? 0 : 1;
	d->ahead = pn_ahead_new(&work);
	return d;
}

int pn_direct_next(struct pn_commit *out, struct pn_direct *d)
{
	size_t task;

	while (!d->slot || d->at == d->slot->count) {
		if (d->slot && d->slot->ended)
			return d->slot->gave_up ? -1 : 0;
		if (!pn_ahead_next(&task, d->ahead))
			return 0;
		d->slot = &d->slots[task % WINDOW];
		d->task = task;
		d->at = 0;
	}
	*out = d->slot->records[d->at++]->commit;
	d->given++;
	return 1;
}

size_t pn_direct_coming(struct pn_oid *out, size_t max,
			const struct pn_direct *d)
{
	const struct slot *slot = d->slot;
	size_t n = 0, at = d->at, task = d->task;

	while (slot && n < max) {
		if (at < slot->count) {
			out[n++] = slot->records[at++]->commit.id;
			continue;
		}
		if (!pn_ahead_has_done(d->ahead, ++task))
			break;
		slot = &d->slots[task % WINDOW];
		at = 0;
	}
	return n;
}

void pn_direct_args(const char *out[PN_DIRECT_ARGS], struct pn_direct *d)
{
	size_t n = 0;

	snprintf(d->skip, sizeof(d->skip), "--skip=%llu",
		 (unsigned long long)d->given);
	snprintf(d->most, sizeof(d->most), "-n%llu",
		 (unsigned long long)(d->wanted.max - d->given));
	out[n++] = d->skip;
	if (d->wanted.is_limited)
		out[n++] = d->most;
	if (d->wanted.first_parent)
		out[n++] = "--first-parent";
	out[n++] = d->from;
	out[n++] = "--";
	out[n] = NULL;
}

void pn_direct_free(struct pn_direct *d)
{
	size_t i;

	if (!d)
		return;
	pn_ahead_free(d->ahead);
	pn_repo_beside_free(d->beside);
	for (i = 0; i < WINDOW; i++)
		clear(&d->slots[i]);
	for (i = 0; i < d->waiting; i++)
		free(d->heap[i].record);
	free(d->heap);
	pn_oidmap_release(&d->met);
	free(d);
}
