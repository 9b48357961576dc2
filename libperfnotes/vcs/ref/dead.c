/* Lock files of refs whose makers are dead: git says nowhere whose one is, so
 * that only time tells. */
#include "vcs/ref/list.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/folder/find.h"
#include "vcs/child_lock.h"
#include "vcs/git.h"
#include "vcs/hooks.h"
#include "vcs/lock.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define END ".lock" /* no ref's name ends so, git-check-ref-format(1) */
#define WATCHED_S 2
#define STEP_NS 50000000

static bool is_lock(const char *path)
{
	size_t len = strlen(path), end = strlen(END);

	return len > end && !strcmp(path + len - end, END);
}

/* Keep the paths that are still what they were; their number. */
static size_t keep_same(char **paths, struct stat *was, size_t count)
{
	size_t i, kept = 0;

	for (i = 0; i < count; i++) {
		if (!pn_file_is_still(paths[i], &was[i]))
			continue;
		paths[kept] = paths[i];
		was[kept++] = was[i];
	}
	return kept;
}

/* The lock files below `folder` as they are now; their number. */
static size_t find(char ***paths, struct stat **were, struct pn_arena *arena,
		   const char *folder)
{
	size_t i, count, kept = 0;
	char **found = pn_find_files(&count, arena, folder, END);

	*were = pn_calloc(count + 1, sizeof(**were));
	for (i = 0; i < count; i++)
		if (is_lock(found[i]) && !lstat(found[i], &(*were)[kept]))
			found[kept++] = found[i];
	*paths = found;
	return kept;
}

/* Who has no ref to take out would leave it to the user's gits. */
static int clear_packed(struct pn_repo *repo, struct pn_error *err)
{
	struct pn_child_lock deleting;
	struct pn_buf path = {0};
	struct stat st;
	int code = 0;

	pn_buf_printf(&path, "%s/packed-refs.lock", repo->common_dir);
	if (!lstat(pn_buf_text(&path), &st)) {
		code = pn_child_lock_begin(&deleting, repo, PN_CHILD_REFS, err);
		pn_child_lock_end(&deleting, 0);
	}
	pn_buf_release(&path);
	return code;
}

/* For how long they have to stay what they are: a hook takes as long as it
 * likes, githooks(5). A clock that was set back must not keep us here. */
static double least_s(struct pn_repo *repo, const struct stat *were,
		      size_t count)
{
	int64_t now_s = pn_time_now_ns() / 1000000000, age_s, least = WATCHED_S;
	size_t i;

	if (!pn_hooks_has(repo, PN_CHILD_HOOK))
		return WATCHED_S;
	for (i = 0; i < count; i++) {
		age_s = now_s - were[i].st_mtime;
		age_s = age_s > 0 ? age_s : 0;
		if (PN_CHILD_HOOKED_S - age_s > least)
			least = PN_CHILD_HOOKED_S - age_s;
	}
	return (double)least;
}

static bool is_over(const struct pn_lock_wait *wait, struct pn_repo *repo,
		    double least, double most)
{
	double s = (double)(pn_time_monotonic_ns() - wait->begin_ns) / 1e9;

	return s >= most ||
	       (s >= least && !pn_child_lock_is_held(repo, PN_CHILD_REFS));
}

/* *count becomes the number of those that are of dead ones: none where a git of
 * ours that is alive may have them, or nobody has the time to find out. */
static int watch(size_t *count, char **paths, struct stat *were,
		 struct pn_repo *repo, struct pn_error *err)
{
	const struct timespec step = {.tv_nsec = STEP_NS};
	struct pn_lock_wait wait = pn_lock_wait_begin(repo);
	double least = least_s(repo, were, *count), most = WATCHED_S;
	int code = 0;

	if (least > WATCHED_S || pn_child_lock_is_held(repo, PN_CHILD_REFS)) {
		code = pn_lock_limit(&most, repo, err);
		if (most > PN_CHILD_HOOKED_S)
			most = PN_CHILD_HOOKED_S;
	}
	while (!code && most >= least && *count &&
	       !is_over(&wait, repo, least, most)) {
		code = pn_lock_wait_on(&wait, repo, paths[0], most, err);
		if (!code)
			nanosleep(&step, NULL);
		*count = keep_same(paths, were, *count);
	}
	if (most < least || pn_child_lock_is_held(repo, PN_CHILD_REFS))
		*count = 0;
	return code;
}

int pn_refs_clear_dead(struct pn_repo *repo, const char *place,
		       struct pn_error *err)
{
	struct pn_arena arena = {0};
	struct pn_buf folder = {0};
	struct stat *were;
	char **paths;
	size_t i, count;
	int code = 0;

	pn_buf_printf(&folder, "%s/%s", repo->common_dir, place);
	count = find(&paths, &were, &arena, pn_buf_text(&folder));
	if (count)
		code = watch(&count, paths, were, repo, err);
	/* what cannot be removed is named by who is stopped by it */
	for (i = 0; !code && i < count; i++)
		unlink(paths[i]);
	if (!code)
		code = clear_packed(repo, err);
	free(were);
	pn_arena_release(&arena);
	pn_buf_release(&folder);
	return code;
}
