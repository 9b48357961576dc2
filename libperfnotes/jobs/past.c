/* Jobs at commits of the history. */
#include "jobs/past.h"

#include "base/alloc.h"
#include "jobs/missing.h"
#include "storage/store.h"
#include "vcs/walk/history.h"
#include "vcs/worktree/worktree.h"

#include <stdlib.h>
#include <string.h>

struct pn_past {
	struct pn_repo *repo;
	const struct pn_matrix *matrix;
	struct pn_past_options options;
	struct pn_oid *commits; /* oldest first */
	size_t count, cap, named, skipped, measured;
	size_t at; /* the next one */
	struct pn_run *run;
	struct pn_worktree *tree;
	char *ceiling; /* for what runs in it */
	struct pn_inplace *own;
	struct pn_inplace_report begun; /* of one that could not begin */
};

static void add_commit(struct pn_past *past, const struct pn_oid *commit)
{
	past->commits = pn_grow(past->commits, &past->cap, past->count + 1,
				sizeof(*past->commits));
	past->commits[past->count++] = *commit;
}

static bool is_range(const char *rev)
{
	return *rev == '^' || strstr(rev, "..");
}

/* Whether it is among the first ones; git names none twice. */
static bool is_known(const struct pn_past *past, size_t count,
		     const struct pn_oid *commit)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (pn_oid_equal(commit, &past->commits[i]))
			return true;
	return false;
}

/* git's own order, turned round. */
static int add_ranges(struct pn_past *past, struct pn_error *err)
{
	const struct pn_past_options *o = &past->options;
	const char **args = pn_calloc(o->rev_count + 3, sizeof(*args));
	size_t i, n = 0, first = past->count;
	struct pn_history *history = NULL;
	struct pn_commit commit;
	int code = 0, more = 0;

	args[n++] = "--topo-order";
	for (i = 0; i < o->rev_count; i++)
		if (is_range(o->revs[i]))
			args[n++] = o->revs[i];
	args[n] = "--";
	if (n > 1)
		code = pn_history_open(&history, past->repo, args, err);
	while (history && !code &&
	       (more = pn_history_next(&commit, history, err)) > 0) {
		if (!is_known(past, first, &commit.id))
			add_commit(past, &commit.id);
		if (past->count > PN_PAST_MAX)
			code = pn_error_set(err, PN_ELIMIT,
					    "more than %d commits",
					    PN_PAST_MAX);
	}
	pn_history_free(history);
	free(args);
	for (i = 0; i < (past->count - first) / 2; i++) {
		struct pn_oid *a = &past->commits[first + i];
		struct pn_oid *b = &past->commits[past->count - 1 - i];
		struct pn_oid other = *a;

		*a = *b;
		*b = other;
	}
	return code ? code : more;
}

static int add_singles(struct pn_past *past, struct pn_error *err)
{
	const struct pn_past_options *o = &past->options;
	struct pn_oid commit;
	size_t i;
	int code = 0;

	for (i = 0; !code && i < o->rev_count; i++) {
		if (is_range(o->revs[i]))
			continue;
		code = pn_repo_resolve(&commit, past->repo, o->revs[i], err);
		if (!code && !is_known(past, past->count, &commit))
			add_commit(past, &commit);
	}
	return code;
}

/* First and last are among them. */
static void spread(struct pn_past *past, uint64_t steps)
{
	size_t i, n = past->count;

	if (!steps || steps >= n)
		return;
	if (steps == 1) { /* the newest */
		past->commits[0] = past->commits[n - 1];
		past->count = 1;
		return;
	}
	for (i = 0; i < steps; i++)
		past->commits[i] =
			past->commits[(uint64_t)i * (n - 1) / (steps - 1)];
	past->count = (size_t)steps;
}

static int open_run(struct pn_run **out, struct pn_past *past,
		    const struct pn_oid *commit, const char *dir,
		    struct pn_error *err)
{
	struct pn_run_options options = past->options.run;
	struct pn_commit_facts facts;
	int code = pn_repo_commit_facts(&facts, past->repo, commit, err);

	options.dir = dir;
	options.commit = *commit;
	options.dirty = false;
	options.skips = true;
	options.ceiling = past->ceiling;
	options.partial = past->tree && pn_worktree_is_partial(past->tree);
	if (code)
		return code;
	options.tree = facts.tree;
	return pn_run_open(out, past->repo, past->matrix, &options, err);
}

/* Commits that lack nothing need not be checked out. */
static int leave_out_complete(struct pn_past *past, struct pn_error *err)
{
	struct pn_run_options options = past->options.run;
	size_t i, kept = 0;
	struct pn_missing_counts counts;
	struct pn_missing *missing = NULL;
	struct pn_commit_facts facts;
	int code = 0;

	options.dirty = false;
	options.skips = true;
	if (past->count)
		code = pn_missing_open(&missing, past->repo, past->matrix,
				       &options, err);
	for (i = 0; !code && i < past->count; i++) {
		code = pn_repo_commit_facts(&facts, past->repo,
					    &past->commits[i], err);
		if (!code)
			code = pn_missing_look(&counts, missing,
					       &past->commits[i], &facts.tree,
					       err);
		if (code)
			break;
		past->skipped += counts.skipped;
		past->measured += counts.measured;
		if (counts.missing)
			past->commits[kept++] = past->commits[i];
	}
	pn_missing_free(missing);
	past->count = kept;
	return code;
}

static void free_past(struct pn_past *past)
{
	pn_run_free(past->run);
	free(past->commits);
	free(past->ceiling);
	pn_inplace_report_release(&past->begun);
	free(past);
}

int pn_past_open(struct pn_past **out, struct pn_repo *repo,
		 const struct pn_matrix *matrix,
		 const struct pn_past_options *options, struct pn_error *err)
{
	struct pn_past *past = pn_calloc(1, sizeof(*past));
	int code;

	past->repo = repo;
	past->matrix = matrix;
	past->options = *options;
	code = add_singles(past, err);
	if (!code)
		code = add_ranges(past, err);
	past->named = past->count;
	if (!code) {
		spread(past, options->steps);
		code = leave_out_complete(past, err);
	}
	if (code)
		free_past(past);
	else
		*out = past;
	return code;
}

size_t pn_past_named(const struct pn_past *past)
{
	return past->named;
}

size_t pn_past_count(const struct pn_past *past)
{
	return past->count;
}

size_t pn_past_skipped(const struct pn_past *past)
{
	return past->skipped;
}

size_t pn_past_measured(const struct pn_past *past)
{
	return past->measured;
}

static int check_out(const char **dir, struct pn_past *past,
		     struct pn_error *err)
{
	const struct pn_oid *commit = &past->commits[past->at];
	int code = 0;

	if (past->options.in_place) {
		*dir = pn_repo_work_dir(past->repo);
		if (!past->own)
			code = pn_inplace_begin(&past->own, &past->begun,
						past->repo, past->commits,
						past->count, err);
		return code ? code : pn_inplace_step(past->own, commit, err);
	}
	if (!past->tree)
		code = pn_worktree_open(&past->tree, past->repo, commit, err);
	if (!code && !past->ceiling)
		past->ceiling = pn_worktree_ceiling(past->tree);
	if (!code)
		code = pn_worktree_step(past->tree, commit, err);
	*dir = past->tree ? pn_worktree_path(past->tree) : NULL;
	return code;
}

int pn_past_next(struct pn_run **run, struct pn_oid *commit,
		 struct pn_past *past, struct pn_error *err)
{
	const char *dir;
	int code;

	pn_run_free(past->run);
	past->run = NULL;
	if (past->at == past->count)
		return 0;
	code = check_out(&dir, past, err);
	if (!code)
		code = open_run(&past->run, past, &past->commits[past->at], dir,
				err);
	if (code)
		return code;
	*run = past->run;
	*commit = past->commits[past->at++];
	return 1;
}

const char *pn_past_lost(const struct pn_past *past)
{
	return past->tree ? pn_worktree_lost(past->tree) : NULL;
}

int pn_past_store(struct pn_past *past, struct pn_error *err)
{
	return pn_run_store(past->run, err);
}

int pn_past_close(struct pn_inplace_report *report, struct pn_past *past,
		  struct pn_error *err)
{
	int code = 0;

	if (!past)
		return 0;
	/* what runs has to end before its folder goes */
	pn_run_free(past->run);
	past->run = NULL;
	if (past->own) {
		code = pn_inplace_finish(report, past->own, err);
	} else if (report) {
		*report = past->begun;
		memset(&past->begun, 0, sizeof(past->begun));
	}
	if (past->tree)
		code = pn_worktree_close(past->tree, err);
	free_past(past);
	return code;
}
