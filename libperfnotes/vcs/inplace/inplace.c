/*
 * The order of a run in place, forwards and after a crash. What is on the disk
 * decides, never what this process remembers:
 *
 *   found                     killed while          so
 *   state.tmp                 planning              delete it
 *   state, no phase           moving aside          move back, no checkout
 *   state, phase "aside"      measuring, restoring  restore
 *   state, phase "putback"    putting back          go on with that
 *   state, phase "left"       (all but something    bring that only
 *                             that cannot be yet)
 *   state.done                cleaning up           delete it
 */
#include "vcs/inplace/inplace.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/folder/folder.h"
#include "base/hash.h"
#include "vcs/git.h"
#include "vcs/inplace/meanwhile.h"
#include "vcs/inplace/restore.h"
#include "vcs/setup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KEEP_KEY "perf.inPlaceKeep"
#define UNRESTORED "the work tree is not restored yet, run 'git perf recover'"

static struct pn_inplace *new_run(struct pn_repo *repo, const char *name)
{
	struct pn_inplace *run = pn_calloc(1, sizeof(*run));
	struct pn_buf path = {0};

	pn_buf_printf(&path, "%s/perf/%s", repo->git_dir, name);
	run->repo = repo;
	run->root = repo->work_dir;
	run->lock = -1;
	run->state = pn_buf_detach(&path);
	return run;
}

/* The user's HEAD and index, byte by byte. */
static int copy_own(struct pn_inplace *run, struct pn_error *err)
{
	static const char *const names[] = {PN_INPLACE_HEAD, PN_INPLACE_INDEX};
	size_t i;
	int code = 0;

	for (i = 0; !code && i < 2; i++) {
		struct pn_buf from = {0};
		char *to = pn_inplace_path(run, names[i]);

		pn_buf_printf(&from, "%s/%s", run->repo->git_dir, names[i]);
		code = pn_inplace_copy(pn_buf_text(&from), to, err);
		if (i == 1) {
			run->has_index = code != PN_ENOTFOUND;
			code = code == PN_ENOTFOUND ? 0 : code;
		}
		pn_buf_release(&from);
		free(to);
	}
	return code ? code : pn_inplace_put_replaced(run, err);
}

static int read_keep(struct pn_inplace *run, struct pn_error *err)
{
	struct pn_buf values = {0};
	const char *at, *end;
	int code = pn_setup_values(&values, run->repo, KEEP_KEY, err);

	at = pn_buf_text(&values);
	for (end = at + values.len; !code && at < end; at += strlen(at) + 1) {
		char *path = pn_strdup(at);
		size_t len = strlen(path);

		while (len && path[len - 1] == '/')
			path[--len] = '\0';
		if (!len || *path == '/' || strstr(path, ".."))
			code = pn_error_set(err, PN_EINVAL,
					    "'%s' in " KEEP_KEY
					    " is no path from the top of the "
					    "work tree",
					    at);
		else
			pn_plan_add(&run->plan, PN_PLAN_KEEP, 0, path);
		free(path);
	}
	pn_buf_release(&values);
	return code;
}

/* Whether a commit has something in the place of what would stay there. A
 * submodule does not mind a commit of its own. */
static bool collides(const struct pn_listing *list, const char *path)
{
	struct pn_buf name = {0};
	const struct pn_listed *item = pn_listing_find(list, path);
	size_t from = 0, to = list->count;
	bool found = item && item->mode != PN_MODE_GITLINK;
	char *at;

	pn_buf_printf(&name, "%s/", path);
	pn_listing_below(&from, &to, list, pn_buf_text(&name));
	found = found || from < to;
	name.data[--name.len] = '\0';
	while (!found && (at = strrchr((char *)name.data, '/'))) {
		*at = '\0';
		found = pn_listing_find(list, (char *)name.data) != NULL;
	}
	pn_buf_release(&name);
	return found;
}

static int mark_collisions(struct pn_inplace *run, const struct pn_oid *commit,
			   struct pn_error *err)
{
	struct pn_listing list = {0};
	int code = pn_listing_add(&list, run->repo, commit, err);
	size_t i;

	for (i = 0; !code && i < run->plan.count; i++)
		if (run->plan.items[i].kind == PN_PLAN_NESTED &&
		    collides(&list, run->plan.items[i].path))
			run->plan.items[i].kind = PN_PLAN_EXTRA;
	pn_listing_release(&list);
	return code;
}

static bool has_nested(const struct pn_plan *plan)
{
	size_t i;

	for (i = 0; i < plan->count; i++)
		if (plan->items[i].kind == PN_PLAN_NESTED)
			return true;
	return false;
}

static int make_plan(struct pn_inplace *run, const struct pn_oid *targets,
		     size_t count, struct pn_error *err)
{
	size_t i;
	int code = read_keep(run, err);

	if (!code)
		code = pn_listing_add(&run->tree, run->repo, &run->home, err);
	if (!code)
		code = pn_plan_walk(&run->plan, run->root, &run->tree,
				    &run->plan, &run->seen, err);
	if (!code)
		code = pn_inplace_sparse(run, err);
	if (!code && has_nested(&run->plan))
		code = mark_collisions(run, &run->home, err);
	for (i = 0; !code && i < count && has_nested(&run->plan); i++)
		code = mark_collisions(run, &targets[i], err);
	return code ? code : pn_inplace_check_mounts(run, err);
}

static int prepare(struct pn_inplace *run, const struct pn_oid *targets,
		   size_t count, struct pn_error *err)
{
	struct stat tree, git;
	struct pn_head head;
	int code;

	if (mkdir(run->state, 0777))
		return pn_error_system(err, "cannot create folder '%s'",
				       run->state);
	if (stat(run->root, &tree) || stat(run->repo->git_dir, &git))
		return pn_error_system(err, "cannot read '%s'", run->root);
	run->elsewhere = tree.st_dev != git.st_dev;
	snprintf(run->id, sizeof(run->id), "%016llx",
		 (unsigned long long)pn_hash_random());
	code = pn_repo_head(&head, run->repo, err);
	if (code)
		return code;
	run->home = head.commit;
	code = copy_own(run, err);
	if (!code)
		code = make_plan(run, targets, count, err);
	if (!code)
		code = pn_inplace_save(run, err);
	if (!code)
		code = pn_meanwhile_remember(run, err);
	if (!code)
		code = pn_inplace_save_copy(run, err);
	return code;
}

/* Take back what begin did so far; the first error is the one that counts. */
static int undo(struct pn_inplace *run, bool moved, int code,
		struct pn_error *err)
{
	struct pn_error ignored;

	if (moved && pn_restore_tree(run, &ignored))
		return pn_error_context(err, UNRESTORED);
	pn_restore_clean(run, &ignored);
	return code;
}

static void fill_report(struct pn_inplace_report *report,
			struct pn_inplace *run, enum pn_inplace_outcome outcome)
{
	pn_inplace_tell_stuck(run);
	pn_inplace_report_release(report);
	report->outcome = outcome == PN_INPLACE_RESTORED && run->lost
				  ? PN_INPLACE_LOST
				  : outcome;
	report->leftovers = run->leftovers;
	report->notes = run->notes;
	run->leftovers = NULL;
	memset(&run->notes, 0, sizeof(run->notes));
}

static int refuse_open(struct pn_repo *repo, struct pn_error *err)
{
	if (!pn_inplace_has(repo, "state") &&
	    !pn_inplace_has(repo, "state.tmp") &&
	    !pn_inplace_has(repo, "state.done"))
		return 0;
	return pn_error_set(err, PN_EREFUSED,
			    "a run in place was interrupted; run 'git perf "
			    "recover' first");
}

int pn_inplace_begin(struct pn_inplace **out, struct pn_inplace_report *report,
		     struct pn_repo *repo, const struct pn_oid *targets,
		     size_t count, struct pn_error *err)
{
	struct pn_inplace *run = new_run(repo, "state.tmp");
	bool moved = false;
	int code = pn_inplace_check(run, err);

	if (!code)
		code = pn_inplace_lock(run, err);
	if (!code)
		code = refuse_open(repo, err);
	if (code) {
		pn_inplace_free(run);
		return code;
	}
	code = prepare(run, targets, count, err);
	if (!code)
		code = pn_inplace_hold(run, err);
	if (!code)
		code = pn_inplace_rename(run, "state", err);
	if (!code) {
		moved = true;
		code = pn_inplace_set_aside(run, err);
	}
	if (!code)
		code = pn_inplace_make_index(run, err);
	if (!code)
		code = pn_inplace_look_again(run, err);
	if (!code)
		code = pn_inplace_drop_deleted(run, err);
	if (!code)
		code = pn_inplace_sync_tree(run, err);
	pn_seen_release(&run->seen);
	if (!code)
		code = pn_inplace_put(run, PN_INPLACE_PHASE, "aside", err);
	if (code) {
		undo(run, moved, code, err);
		fill_report(report, run, PN_INPLACE_NOTHING);
		pn_inplace_free(run);
		return code;
	}
	*out = run;
	return 0;
}

int pn_inplace_finish(struct pn_inplace_report *report, struct pn_inplace *run,
		      struct pn_error *err)
{
	int code = pn_restore_all(run, err);

	if (code)
		pn_error_context(err, UNRESTORED);
	fill_report(report, run,
		    code ? PN_INPLACE_NOTHING : PN_INPLACE_RESTORED);
	pn_inplace_free(run);
	return code;
}

/* A plan that was not written to its end names no safety copy. */
static int drop_begun(struct pn_inplace *run, struct pn_error *err)
{
	int code = pn_inplace_load(run, err);

	if (code && code != PN_EINVAL && code != PN_ENOTFOUND)
		return code;
	return pn_restore_clean(run, err);
}

static int recover_one(struct pn_inplace_report *report, struct pn_repo *repo,
		       int lock, const char *name,
		       enum pn_inplace_outcome outcome, struct pn_error *err)
{
	struct pn_inplace *run = new_run(repo, name);
	bool whole = !strcmp(name, "state");
	enum pn_inplace_phase phase = PN_PHASE_MOVING;
	int code;

	run->lock = lock;
	code = pn_meanwhile_load(run, err);
	if (!code)
		code = whole ? pn_inplace_load(run, err) : drop_begun(run, err);
	if (!code && whole)
		code = pn_inplace_phase(&phase, run, err);
	if (!code && whole) {
		if (phase == PN_PHASE_MOVING)
			outcome = PN_INPLACE_UNDONE;
		code = pn_restore_all(run, err);
	}
	fill_report(report, run, code ? PN_INPLACE_NOTHING : outcome);
	run->lock = -1;
	pn_inplace_free(run);
	return code;
}

int pn_inplace_recover(struct pn_inplace_report *report, struct pn_repo *repo,
		       struct pn_error *err)
{
	static const struct {
		const char *name;
		enum pn_inplace_outcome outcome;
	} found[] = {{"state.done", PN_INPLACE_CLEANED},
		     {"state", PN_INPLACE_RESTORED},
		     {"state.tmp", PN_INPLACE_UNDONE}};
	struct pn_inplace *lock;
	size_t i;
	int code = 0;

	memset(report, 0, sizeof(*report));
	if (!refuse_open(repo, NULL))
		return 0;
	lock = new_run(repo, "state");
	code = pn_inplace_lock(lock, err);
	for (i = 0; !code && i < 3; i++)
		if (pn_inplace_has(repo, found[i].name))
			code = recover_one(report, repo, lock->lock,
					   found[i].name, found[i].outcome,
					   err);
	pn_inplace_free(lock);
	return code;
}
