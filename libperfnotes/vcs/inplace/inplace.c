/*
 * The order of a run in place, forwards and after a crash. What is on the disk
 * decides, never what this process remembers:
 *
 *   found                     killed while          so
 *   state.tmp                 planning              delete it
 *   state, no phase           moving aside          move back, no checkout
 *   state, phase "aside"      measuring, restoring  restore
 *   state, phase "putback"    putting back          go on with that
 *   state.done                cleaning up           delete it
 */
#include "vcs/inplace/inplace.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/hash.h"
#include "vcs/git.h"
#include "vcs/inplace/state.h"
#include "vcs/setup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KEEP_KEY "perf.inPlaceKeep"

void pn_inplace_report_release(struct pn_inplace_report *report)
{
	free(report->leftovers);
	pn_buf_release(&report->notes);
	memset(report, 0, sizeof(*report));
}

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

static bool has_state(const struct pn_repo *repo, const char *name)
{
	struct pn_buf path = {0};
	bool found;

	pn_buf_printf(&path, "%s/perf/%s", repo->git_dir, name);
	found = !access(pn_buf_text(&path), F_OK);
	pn_buf_release(&path);
	return found;
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
	return code;
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
	struct pn_seen seen = {0};
	size_t i;
	int code = read_keep(run, err);

	if (!code)
		code = pn_listing_add(&run->tree, run->repo, &run->home, err);
	if (!code)
		code = pn_plan_walk(&run->plan, run->root, &run->tree,
				    &run->plan, &seen, err);
	pn_seen_release(&seen);
	if (!code)
		code = pn_inplace_sparse(run, err);
	if (!code && has_nested(&run->plan))
		code = mark_collisions(run, &run->home, err);
	for (i = 0; !code && i < count && has_nested(&run->plan); i++)
		code = mark_collisions(run, &targets[i], err);
	return code;
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
		code = pn_inplace_save_copy(run, err);
	return code;
}

/* Take back what begin did so far; the first error is the one that counts. */
static int undo(struct pn_inplace *run, bool moved, int code)
{
	struct pn_error ignored;

	if (moved && (pn_inplace_take_back(run, &ignored) ||
		      pn_inplace_rename(run, "state.done", &ignored)))
		return code;
	if (!pn_inplace_drop_copy(run, &ignored))
		pn_git_remove_tree(run->state, &ignored);
	return code;
}

static int refuse_open(struct pn_repo *repo, struct pn_error *err)
{
	if (!has_state(repo, "state") && !has_state(repo, "state.tmp") &&
	    !has_state(repo, "state.done"))
		return 0;
	return pn_error_set(err, PN_EREFUSED,
			    "a run in place was interrupted; run 'git perf "
			    "recover' first");
}

int pn_inplace_begin(struct pn_inplace **out, struct pn_repo *repo,
		     const struct pn_oid *targets, size_t count,
		     struct pn_error *err)
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
		code = pn_inplace_rename(run, "state", err);
	if (!code) {
		moved = true;
		code = pn_inplace_set_aside(run, err);
	}
	if (!code)
		code = pn_inplace_put(run, PN_INPLACE_PHASE, "aside", err);
	if (code) {
		undo(run, moved, code);
		pn_inplace_free(run);
		return code;
	}
	*out = run;
	return 0;
}

/* Somebody moved HEAD while the run had it: that is kept by name. */
static void note_head(struct pn_inplace *run)
{
	char *detached = pn_inplace_path(run, "detached");
	char *own = pn_inplace_path(run, PN_INPLACE_HEAD);
	struct pn_buf now = {0}, ours = {0}, users = {0}, path = {0};

	pn_buf_printf(&path, "%s/HEAD", run->repo->git_dir);
	if (!pn_file_read(&now, pn_buf_text(&path), 4096, NULL) &&
	    !pn_file_read(&ours, detached, 4096, NULL) &&
	    !pn_file_read(&users, own, 4096, NULL) &&
	    strcmp(pn_buf_text(&now), pn_buf_text(&ours)) &&
	    strcmp(pn_buf_text(&now), pn_buf_text(&users)))
		pn_inplace_note(run,
				"HEAD was moved to '%.*s' during the run; it "
				"is back where it was",
				(int)strcspn(pn_buf_text(&now), "\n"),
				pn_buf_text(&now));
	pn_buf_release(&now);
	pn_buf_release(&ours);
	pn_buf_release(&users);
	pn_buf_release(&path);
	free(detached);
	free(own);
}

/* What builds left moves out, then the first commit's files come. */
static int restore_tree(struct pn_inplace *run, struct pn_error *err)
{
	struct pn_listing all = {0};
	int code = pn_listing_add(&all, run->repo, &run->home, err);

	if (!code && !pn_oid_is_zero(&run->current))
		code = pn_listing_add(&all, run->repo, &run->current, err);
	if (!code && !pn_oid_is_zero(&run->next) &&
	    !pn_oid_equal(&run->next, &run->current))
		code = pn_listing_add(&all, run->repo, &run->next, err);
	if (!code)
		code = pn_inplace_sweep(run, &all, NULL, err);
	if (!code)
		code = pn_inplace_checkout(run, &run->home, err);
	if (!code)
		code = pn_inplace_put(run, PN_INPLACE_PHASE, "putback", err);
	pn_listing_release(&all);
	return code;
}

static int restore_own(struct pn_inplace *run, struct pn_error *err)
{
	int code;

	note_head(run);
	if (run->has_index)
		code = pn_inplace_install(run, PN_INPLACE_INDEX,
					  run->repo->git_dir, PN_INPLACE_INDEX,
					  err);
	else
		code = pn_inplace_uninstall(run, PN_INPLACE_INDEX, err);
	if (!code)
		code = pn_inplace_install(run, PN_INPLACE_HEAD,
					  run->repo->git_dir, PN_INPLACE_HEAD,
					  err);
	return code;
}

/* Before the folder goes: nothing of the user's is in it. */
static int check_empty(const struct pn_inplace *run, struct pn_error *err)
{
	size_t i;
	int code = 0;

	for (i = 0; !code && i < run->plan.count; i++) {
		char *path = pn_inplace_aside(run, run->plan.items[i].path);
		struct stat st;

		if (strchr("RT", (int)run->plan.items[i].kind) &&
		    !lstat(path, &st))
			code = pn_error_set(err, PN_ECONFLICT,
					    "'%s' could not be put back", path);
		free(path);
	}
	return code;
}

static int clean_up(struct pn_inplace *run, struct pn_error *err)
{
	struct pn_buf dir = {0};
	int code = pn_inplace_drop_copy(run, err);

	if (run->elsewhere)
		pn_buf_printf(&dir, "%s/" PN_PLAN_OWN "aside-%s", run->root,
			      run->id);
	if (!code && dir.len)
		code = pn_git_remove_tree(pn_buf_text(&dir), err);
	if (!code)
		code = pn_git_remove_tree(run->state, err);
	pn_buf_release(&dir);
	return code;
}

/* From whatever phase the state is in to its end. */
static int bring_home(struct pn_inplace *run, struct pn_error *err)
{
	enum pn_inplace_phase phase = pn_inplace_phase(run);
	int code = 0;

	if (phase == PN_PHASE_MOVING)
		code = pn_inplace_take_back(run, err);
	if (phase == PN_PHASE_ASIDE)
		code = restore_tree(run, err);
	if (!code && phase != PN_PHASE_MOVING) {
		code = pn_inplace_put_back(run, err);
		if (!code)
			code = restore_own(run, err);
	}
	if (!code)
		code = check_empty(run, err);
	if (!code)
		code = pn_inplace_rename(run, "state.done", err);
	return code ? code : clean_up(run, err);
}

static void fill_report(struct pn_inplace_report *report,
			struct pn_inplace *run, enum pn_inplace_outcome outcome)
{
	report->outcome = outcome;
	report->leftovers = run->leftovers;
	report->notes = run->notes;
	run->leftovers = NULL;
	memset(&run->notes, 0, sizeof(run->notes));
}

int pn_inplace_finish(struct pn_inplace_report *report, struct pn_inplace *run,
		      struct pn_error *err)
{
	int code = bring_home(run, err);

	if (code)
		pn_error_context(err, "the work tree is not restored yet, run "
				      "'git perf recover'");
	else
		fill_report(report, run, PN_INPLACE_RESTORED);
	pn_inplace_free(run);
	return code;
}

/* A plan that was not written to its end names no safety copy. */
static int drop_begun(struct pn_inplace *run, struct pn_error *err)
{
	struct pn_error unread;
	int code = 0;

	if (!pn_inplace_load(run, &unread))
		code = pn_inplace_drop_copy(run, err);
	return code ? code : pn_git_remove_tree(run->state, err);
}

static int recover_one(struct pn_inplace_report *report, struct pn_repo *repo,
		       int lock, const char *name,
		       enum pn_inplace_outcome outcome, struct pn_error *err)
{
	struct pn_inplace *run = new_run(repo, name);
	bool whole = !strcmp(name, "state");
	int code;

	run->lock = lock;
	code = whole ? pn_inplace_load(run, err) : drop_begun(run, err);
	if (!code && whole) {
		if (pn_inplace_phase(run) == PN_PHASE_MOVING)
			outcome = PN_INPLACE_UNDONE;
		code = bring_home(run, err);
	}
	if (!code)
		fill_report(report, run, outcome);
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
		if (has_state(repo, found[i].name))
			code = recover_one(report, repo, lock->lock,
					   found[i].name, found[i].outcome,
					   err);
	pn_inplace_free(lock);
	return code;
}
