/* Walks over commits, beside git log. */
#include "walked.h"

#define MAX_ARGS 8

/* Three branches, a merge of all, hostile subjects, a mailmap. */
static void fill(struct scratch *s)
{
	scratch_run(s,
		    "for b in x y z; do git checkout -q -b $b main && "
		    "echo $b >$b.c && git add $b.c && GIT_AUTHOR_DATE='@100000 "
		    "+0100' git commit -qm \"on $b\"; done && "
		    "git checkout -q main && git merge -q -m octopus x y z && "
		    "printf 'a\\037b\\001c  %%%%H\\ttab' | "
		    "git commit -q --allow-empty -F - && "
		    "printf 'two\\nlines\\n\\nbody %%s\\n' | "
		    "git commit -q --allow-empty -F - && "
		    "git commit -q --allow-empty --allow-empty-message -m '' "
		    "&& git -c i18n.commitEncoding=ISO-8859-1 commit -q "
		    "--allow-empty -m \"$(printf 'caf\\351')\" && "
		    "echo 'Proper <p@x> <a@example.com>' >.mailmap && "
		    "git tag -am tag v1");
}

/* A byte that marks lines is in a subject, too. */
static void draws_what_git_log_draws(void **state)
{
	static const char *const lists[][MAX_ARGS] = {
		{NULL}, {"-n2", NULL}, {"--all", NULL}, {"x", "y", NULL}};
	size_t i;

	fill(*state);
	for (i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		same_as_git(*state, lists[i], true, "--topo-order");
}

static void walks_as_git_log_does(void **state)
{
	static const char *const lists[][MAX_ARGS] = {
		{NULL},
		{"-n2", NULL},
		{"-3", NULL},
		{"--max-count=1", "v1", NULL},
		{"--all", NULL},
		{"--reverse", NULL},
		{"--first-parent", NULL},
		{"--no-merges", NULL},
		{"--merges", NULL},
		{"--author=Proper", NULL},
		{"--author", "nobody", NULL},
		{"--since=2001-01-01", NULL},
		{"--until=2001-01-01", NULL},
		{"x..main", NULL},
		{"main", "^y", NULL},
		{"--not", "x", "--not", "main", NULL},
		{"--topo-order", "--skip=1", NULL},
		{"--grep=octopus", "-i", NULL},
		{"-Sone", NULL},
		{"--", "x.c", NULL},
		{"main", "--", "file", "y.c", NULL},
		{"--follow", "file", NULL},
		{"--simplify-by-decoration", NULL},
		{"--date-order", "--decorate", "--source", "--all", NULL},
		{"--boundary", "x..main", NULL},
		{"--left-right", "x...y", NULL},
		{"--parents", "--", "z.c", NULL},
		{"--no-walk", "x", "y", NULL},
		{"--no-color", "-1", NULL},
		{"-g", "-2", NULL},
		{":/octopus", NULL},
	};
	size_t i;

	fill(*state);
	for (i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		same_as_git(*state, lists[i], false, "");
}

static void is_not_moved_by_configuration(void **state)
{
	static const char *const none[] = {NULL};

	fill(*state);
	scratch_run(*state, "git config log.showSignature true && "
			    "git config format.pretty oneline && "
			    "git config color.ui always && "
			    "git config log.decorate full && "
			    "git config log.diffMerges on && "
			    "git config log.showRoot true && "
			    "git config notes.displayRef 'refs/notes/*' && "
			    "git notes add -m note HEAD");
	same_as_git(*state, none, false, "");
}

static void refuses_options_that_change_the_output(void **state)
{
	static const char *const options[] = {"-p",
					      "-u",
					      "-U3",
					      "--patch",
					      "--stat",
					      "--stat=80",
					      "--numstat",
					      "--format=%H",
					      "--pretty",
					      "--oneline",
					      "--graph",
					      "-z",
					      "--name-only",
					      "--name-st",
					      "--raw",
					      "-L1,2:file",
					      "--cc",
					      "-c",
					      "--output=x",
					      "--log-size",
					      "--line-prefix=x",
					      "--show-signature",
					      "--dirstat",
					      "-X",
					      "--summary",
					      "--check",
					      "--diff-merges=on",
					      "--encoding=latin1",
					      "-h",
					      "--help"};
	struct pn_repo *repo = open_repo(*state);
	struct pn_history *history;
	struct pn_error err;
	size_t i;

	for (i = 0; i < sizeof(options) / sizeof(*options); i++) {
		const char *const args[] = {"-n1", options[i], NULL};

		assert_int_equal(pn_history_open(&history, repo, args, &err),
				 PN_EINVAL);
		assert_non_null(strstr(err.message, options[i]));
	}
	pn_repo_free(repo);
}

static void takes_refused_words_as_paths(void **state)
{
	static const char *const args[] = {"--", "-p", "--stat", NULL};

	scratch_run(*state, "echo x >./-p && git add ./-p && "
			    "git commit -qm 'a path'");
	same_as_git(*state, args, false, "");
}

static void is_empty_before_the_first_commit(void **state)
{
	static const char *const lists[][2] = {{NULL}, {"-n5", NULL}};
	size_t i;

	scratch_run(*state, "git init -q");
	for (i = 0; i < 2; i++) {
		char *text = walk(*state, lists[i], false);

		assert_string_equal(text, "");
		free(text);
	}
}

static void names_what_git_does_not_know(void **state)
{
	static const char *const args[] = {"nope..main", NULL};
	struct pn_repo *repo = open_repo(*state);
	struct pn_history *history;
	struct pn_commit commit;
	struct pn_error err;

	assert_int_equal(pn_history_open(&history, repo, args, &err), 0);
	assert_int_equal(pn_history_next(&commit, history, &err), PN_ENOTFOUND);
	assert_string_equal(err.message, "no such commit or path 'nope..main'");
	pn_history_free(history);
	pn_repo_free(repo);
}

/* Commit i of them, of second i, has i as five digits for its subject. */
static void make_line(struct scratch *s, int count)
{
	scratch_run(s,
		    "i=0; while [ $i -lt %d ]; do i=$((i+1)); "
		    "echo 'commit refs/heads/main'; "
		    "echo \"committer A <a@b> $i +0000\"; "
		    "printf 'data 5\\n%%05d\\n' $i; "
		    "[ $i -gt 1 ] || echo 'from refs/heads/main^0'; "
		    "done | git fast-import --quiet",
		    count);
}

/* All that git prints of it is two ids. */
static void takes_a_root_without_a_time(void **state)
{
	char *own;

	scratch_run(*state,
		    "printf 'tree %%s\\nauthor A <a@b>\\ncommitter A <a@b> "
		    "1 +0000\\n\\nroot\\n' $(git rev-parse HEAD^{tree}) >root "
		    "&& git update-ref HEAD "
		    "$(git hash-object -w --literally -t commit root)");
	own = walk(*state, (const char *[]){NULL}, false);
	assert_non_null(strstr(own, " 0 |A|a@b|root\n"));
	free(own);
}

static void can_stop_in_the_middle(void **state)
{
	static const char *const none[] = {NULL};
	struct pn_repo *repo;
	struct pn_history *history;
	struct pn_commit commit;
	struct pn_error err;

	make_line(*state, 5000);
	repo = open_repo(*state);
	assert_int_equal(pn_history_open(&history, repo, none, &err), 0);
	assert_int_equal(pn_history_next(&commit, history, &err), 1);
	assert_string_equal(commit.subject, "05000");
	assert_int_equal(commit.author_time_s, 5000);
	pn_history_free(history);
	pn_repo_free(repo);
}

/* What lies in the buffer: those that come, in their order. */
static void says_what_comes(void **state)
{
	static const char *const none[] = {NULL};
	struct pn_oid coming[300];
	struct pn_history *history;
	struct pn_commit commit;
	struct pn_error err;
	struct pn_repo *repo;
	size_t n, i = 0;

	make_line(*state, 200);
	repo = open_repo(*state);
	assert_int_equal(pn_history_open(&history, repo, none, &err), 0);
	assert_int_equal(pn_history_next(&commit, history, &err), 1);
	n = pn_history_coming(coming, 300, history);
	assert_true(n > 1 && n <= 200); /* and the commit it began with */
	assert_int_equal(pn_history_coming(coming, 2, history), 2);
	pn_history_coming(coming, n, history);
	while (i < n && pn_history_next(&commit, history, &err) > 0)
		assert_true(pn_oid_equal(&commit.id, &coming[i++]));
	assert_int_equal(i, n);
	pn_history_free(history);
	assert_int_equal(pn_history_open_drawn(&history, repo, none, &err), 0);
	assert_int_equal(pn_history_next(&commit, history, &err), 1);
	assert_int_equal(pn_history_coming(coming, 300, history), 0);
	pn_history_free(history);
	pn_repo_free(repo);
}

static void walks_a_linked_worktree_from_elsewhere(void **state)
{
	struct scratch side = {0};
	struct pn_buf path = {0};
	static const char *const args[] = {"-1", NULL};
	char *text;

	scratch_run(*state, "git worktree add -q -b side side && cd side && "
			    "git commit -q --allow-empty -m there");
	pn_buf_printf(&path, "%s/side", ((struct scratch *)*state)->dir);
	side.dir = (char *)path.data;
	text = walk(&side, args, false);
	assert_non_null(strstr(text, "|there\n"));
	free(text);
	pn_buf_release(&path);
}

#define with_repo(f)                                                           \
	cmocka_unit_test_setup_teardown(f, scratch_repo, scratch_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_repo(walks_as_git_log_does),
		with_repo(draws_what_git_log_draws),
		with_repo(is_not_moved_by_configuration),
		with_repo(refuses_options_that_change_the_output),
		with_repo(takes_refused_words_as_paths),
		cmocka_unit_test_setup_teardown(
			is_empty_before_the_first_commit, scratch_open,
			scratch_close),
		with_repo(names_what_git_does_not_know),
		with_repo(takes_a_root_without_a_time),
		with_repo(can_stop_in_the_middle),
		with_repo(says_what_comes),
		with_repo(walks_a_linked_worktree_from_elsewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
