/* Opening repositories of every kind, and what is asked of them; git itself
 * says what is right. */
#include "scratch.h"

#include "base/alloc.h"
#include "vcs/lock.h"
#include "vcs/repo.h"

#include <poll.h>
#include <sys/wait.h>

static struct pn_repo *open_at(struct scratch *s, const char *below)
{
	struct pn_repo *repo;
	struct pn_error err;
	struct pn_buf path = {0};

	pn_buf_printf(&path, "%s/%s", s->dir, below);
	if (pn_repo_open(&repo, pn_buf_text(&path), &err))
		fail_msg("%s", err.message);
	pn_buf_release(&path);
	return repo;
}

static void refused(struct scratch *s, const char *below, int code,
		    const char *part)
{
	struct pn_repo *repo = NULL;
	struct pn_error err = {0};
	struct pn_buf path = {0};

	pn_buf_printf(&path, "%s/%s", s->dir, below);
	assert_int_equal(pn_repo_open(&repo, pn_buf_text(&path), &err), code);
	if (!strstr(err.message, part))
		fail_msg("'%s' lacks '%s'", err.message, part);
	assert_null(repo);
	pn_buf_release(&path);
}

static void resolves(struct pn_repo *repo, const char *rev, const char *hex)
{
	char have[PN_OID_HEX + 1];
	struct pn_error err;
	struct pn_oid oid;

	if (pn_repo_resolve(&oid, repo, rev, &err))
		fail_msg("%s", err.message);
	pn_oid_hex(have, &oid);
	assert_string_equal(have, hex);
}

static void finds_the_repository_from_a_folder_below(void **state)
{
	struct scratch *s = *state;
	struct pn_buf path = {0};
	struct pn_repo *repo;

	scratch_run(s, "mkdir -p a/b");
	repo = open_at(s, "a/b");
	assert_string_equal(pn_repo_work_dir(repo), s->dir);
	pn_buf_printf(&path, "%s/.git", s->dir);
	assert_string_equal(pn_repo_git_dir(repo), pn_buf_text(&path));
	assert_string_equal(pn_repo_common_dir(repo), pn_buf_text(&path));
	assert_false(pn_repo_is_shallow(repo));
	assert_false(pn_repo_is_partial(repo));
	pn_buf_release(&path);
	pn_repo_free(repo);
}

static void says_what_is_no_repository(void **state)
{
	refused(*state, "", PN_ENOTFOUND, "not a git repository");
}

static void refuses_sha256_by_name(void **state)
{
	scratch_run(*state, "git init -q --object-format=sha256 x");
	refused(*state, "x", PN_EREFUSED, "SHA-256");
}

static void refuses_reftable_by_name(void **state)
{
	scratch_run(*state, "git config core.repositoryformatversion 1 && "
			    "git config extensions.refstorage reftable");
	refused(*state, "", PN_EREFUSED, "refStorage");
}

static void refuses_an_unknown_extension_by_name(void **state)
{
	scratch_run(*state, "git config core.repositoryformatversion 1 && "
			    "git config extensions.hovercraft eels");
	refused(*state, "", PN_EREFUSED, "hovercraft");
}

static void refuses_a_foreign_owner_with_the_way_out(void **state)
{
	if (geteuid())
		skip();
	scratch_run(*state, "chown -R 54321 .");
	refused(*state, "", PN_EREFUSED, "safe.directory");
	scratch_run(*state, "chown -R 0 .");
}

static void opens_with_a_configuration_of_its_own_for_a_worktree(void **state)
{
	struct pn_repo *repo;
	struct pn_error err;
	char *value;

	scratch_run(*state, "git config core.repositoryformatversion 1 && "
			    "git config extensions.worktreeConfig true && "
			    "git config --worktree perf.machine lathe");
	repo = open_at(*state, "");
	assert_int_equal(pn_repo_config(&value, repo, "perf.machine", &err), 0);
	assert_string_equal(value, "lathe");
	free(value);
	pn_repo_free(repo);
}

static void opens_a_bare_repository(void **state)
{
	struct pn_repo *repo;
	struct pn_error err;
	bool dirty = true;
	char *head;

	scratch_run(*state, "git clone -q --bare . bare.git");
	repo = open_at(*state, "bare.git");
	assert_null(pn_repo_work_dir(repo));
	assert_int_equal(pn_repo_is_dirty(&dirty, repo, &err), 0);
	assert_false(dirty);
	head = scratch_line(*state, "git rev-parse HEAD");
	resolves(repo, "HEAD", head);
	resolves(repo, "@{0}", head);
	free(head);
	pn_repo_free(repo);
}

static void opens_a_linked_worktree(void **state)
{
	struct scratch *s = *state;
	struct pn_buf path = {0};
	struct pn_head head;
	struct pn_error err;
	struct pn_repo *repo;
	bool dirty;

	scratch_run(s, "git worktree add -q -b side side");
	repo = open_at(s, "side");
	pn_buf_printf(&path, "%s/.git", s->dir);
	assert_string_equal(pn_repo_common_dir(repo), pn_buf_text(&path));
	assert_string_not_equal(pn_repo_git_dir(repo), pn_buf_text(&path));
	assert_int_equal(pn_repo_head(&head, repo, &err), 0);
	assert_string_equal(head.branch, "side");
	scratch_run(s, "echo two >side/file");
	assert_int_equal(pn_repo_is_dirty(&dirty, repo, &err), 0);
	assert_true(dirty);
	pn_buf_release(&path);
	pn_repo_free(repo);
	repo = open_at(s, "");
	assert_int_equal(pn_repo_is_dirty(&dirty, repo, &err), 0);
	assert_false(dirty);
	pn_repo_free(repo);
}

static void obeys_git_dir_and_git_work_tree(void **state)
{
	struct scratch *s = *state;
	struct pn_buf git = {0}, tree = {0};
	struct pn_repo *repo;
	struct pn_error err;

	scratch_run(s, "mkdir there && git init -q other");
	pn_buf_printf(&git, "%s/.git", s->dir);
	pn_buf_printf(&tree, "%s/there", s->dir);
	setenv("GIT_DIR", pn_buf_text(&git), 1);
	setenv("GIT_WORK_TREE", pn_buf_text(&tree), 1);
	assert_int_equal(pn_repo_open(&repo, NULL, &err), 0);
	assert_string_equal(pn_repo_git_dir(repo), pn_buf_text(&git));
	assert_string_equal(pn_repo_work_dir(repo), pn_buf_text(&tree));
	pn_repo_free(repo);
	unsetenv("GIT_WORK_TREE");
	setenv("GIT_DIR", "/nonexistent", 1);
	assert_int_equal(pn_repo_open(&repo, NULL, &err), PN_ENOTFOUND);
	unsetenv("GIT_DIR");
	pn_buf_release(&git);
	pn_buf_release(&tree);
}

static void obeys_git_common_dir(void **state)
{
	struct scratch *s = *state;
	struct pn_buf git = {0}, common = {0};
	struct pn_repo *repo;
	struct pn_head head;
	struct pn_error err;
	struct pn_oid oid;

	scratch_run(s, "git worktree add -q -b side wt && "
		       "cp -R .git other.git && git -C other.git update-ref "
		       "refs/notes/perf HEAD");
	pn_buf_printf(&git, "%s/.git/worktrees/wt", s->dir);
	pn_buf_printf(&common, "%s/other.git", s->dir);
	setenv("GIT_DIR", pn_buf_text(&git), 1);
	setenv("GIT_COMMON_DIR", pn_buf_text(&common), 1);
	if (pn_repo_open(&repo, NULL, &err))
		fail_msg("%s", err.message);
	assert_string_equal(pn_repo_common_dir(repo), pn_buf_text(&common));
	assert_int_equal(pn_repo_head(&head, repo, &err), 0);
	assert_string_equal(head.branch, "side");
	assert_false(head.unborn);
	assert_int_equal(pn_repo_ref(&oid, repo, "refs/notes/perf", &err), 0);
	assert_true(pn_oid_equal(&oid, &head.commit));
	unsetenv("GIT_DIR");
	unsetenv("GIT_COMMON_DIR");
	pn_buf_release(&git);
	pn_buf_release(&common);
	pn_repo_free(repo);
}

static void says_where_head_is(void **state)
{
	char hex[PN_OID_HEX + 1];
	struct pn_repo *repo;
	struct pn_head head;
	struct pn_error err;
	char *want = scratch_line(*state, "git rev-parse HEAD");

	repo = open_at(*state, "");
	assert_int_equal(pn_repo_head(&head, repo, &err), 0);
	assert_string_equal(head.branch, "main");
	pn_oid_hex(hex, &head.commit);
	assert_string_equal(hex, want);
	scratch_run(*state, "git checkout -q --detach");
	assert_int_equal(pn_repo_head(&head, repo, &err), 0);
	assert_string_equal(head.branch, "");
	scratch_run(*state, "git checkout -q --orphan new/born");
	assert_int_equal(pn_repo_head(&head, repo, &err), 0);
	assert_string_equal(head.branch, "new/born");
	assert_true(head.unborn);
	assert_true(pn_oid_is_zero(&head.commit));
	free(want);
	pn_repo_free(repo);
}

static void resolves_what_git_resolves(void **state)
{
	static const char *const revs[] = {"HEAD",	 "main",
					   "v1",	 "v1^{commit}",
					   "HEAD~1",	 "HEAD^",
					   "@",		 "v1^0",
					   "heads/main", ":/second",
					   "HEAD@{0}",	 "main~",
					   "v1-1-g$",	 "refs/heads/main",
					   "HEAD~0",	 "main^^0",
					   "main~1^0",	 "HEAD^1",
					   "v1~0",	 "loop",
					   "head",	 "side^1^2",
					   "side~1^2~0"};
	struct pn_repo *repo;
	char *want, *tail;
	size_t i;

	scratch_run(*state, "git tag -am one v1 && echo 2 >>file && "
			    "git commit -qam second && "
			    "git symbolic-ref refs/heads/loop refs/heads/main "
			    "&& git branch head HEAD~ && "
			    "git update-ref refs/heads/side $(git commit-tree "
			    "-p HEAD -p HEAD~ -m m HEAD^{tree}) && "
			    "git update-ref refs/heads/side $(git commit-tree "
			    "-p side -m n HEAD^{tree})");
	repo = open_at(*state, "");
	tail = scratch_line(*state, "git rev-parse --short HEAD");
	for (i = 0; i < sizeof(revs) / sizeof(*revs); i++) {
		struct pn_buf rev = {0};

		pn_buf_add(&rev, revs[i], strcspn(revs[i], "$"));
		if (strchr(revs[i], '$'))
			pn_buf_add_text(&rev, tail);
		want = scratch_line(*state, "git rev-list -1 '%s'",
				    pn_buf_text(&rev));
		resolves(repo, pn_buf_text(&rev), want);
		free(want);
		pn_buf_release(&rev);
	}
	want = scratch_line(*state, "git rev-parse HEAD");
	resolves(repo, want, want);
	resolves(repo, tail, want);
	free(want);
	free(tail);
	pn_repo_free(repo);
}

static void refuses_names_that_are_no_commit(void **state)
{
	struct pn_repo *repo = open_at(*state, "");
	struct pn_oid oid;
	struct pn_error err;

	assert_int_equal(pn_repo_resolve(&oid, repo, "nope", &err),
			 PN_ENOTFOUND);
	assert_string_equal(err.message, "no such commit 'nope'");
	assert_int_equal(pn_repo_resolve(&oid, repo, "--all", &err),
			 PN_ENOTFOUND);
	assert_int_equal(pn_repo_resolve(&oid, repo, "", &err), PN_EINVAL);
	assert_int_equal(pn_repo_resolve(&oid, repo, "HEAD:file", &err),
			 PN_EINVAL);
	assert_string_equal(err.message, "'HEAD:file' is a blob, not a commit");
	scratch_run(*state, "git tag -am - word HEAD:file");
	assert_int_equal(pn_repo_resolve(&oid, repo, "word", &err), PN_EINVAL);
	assert_string_equal(err.message, "'word' is a tag, not a commit");
	assert_int_equal(pn_repo_resolve(&oid, repo, "HEAD~1", &err),
			 PN_ENOTFOUND);
	pn_repo_free(repo);
}

static void refuses_an_abbreviation_of_two_commits(void **state)
{
	struct pn_repo *repo;
	struct pn_oid oid;
	struct pn_error err;
	char *twice;

	/* 17^2 names of four digits: 300 commits have two alike (the chance
	 * that none has is exp(-300^2 / 2 / 65536) = .50; 2000: e^-30). */
	scratch_run(*state, "i=0; while [ $i -lt 2000 ]; do i=$((i+1)); "
			    "echo \"commit refs/heads/x$((i %% 7))\"; "
			    "echo \"committer A <a@b> $i +0000\"; "
			    "echo 'data 0'; done | git fast-import --quiet");
	twice = scratch_line(*state, "git rev-list --all | cut -c1-4 | sort | "
				     "uniq -d | head -1");
	repo = open_at(*state, "");
	assert_int_equal(pn_repo_resolve(&oid, repo, twice, &err),
			 PN_EAMBIGUOUS);
	assert_non_null(strstr(err.message, twice));
	free(twice);
	pn_repo_free(repo);
}

static void knows_the_facts_of_a_commit(void **state)
{
	struct pn_repo *repo;
	struct pn_commit_facts facts;
	struct pn_oid oid, tree, parent;
	struct pn_error err;
	char *text;

	scratch_run(*state,
		    "git checkout -qb b && git commit -q --allow-empty -m b && "
		    "git checkout -q main && "
		    "git commit -q --allow-empty -m c && "
		    "GIT_COMMITTER_DATE='1234567890 +0330' git merge -q b");
	repo = open_at(*state, "");
	text = scratch_line(*state, "git rev-parse HEAD HEAD^{tree} HEAD^1 | "
				    "tr -d '\\n'");
	assert_int_equal(pn_oid_parse(&oid, text), 0);
	assert_int_equal(pn_oid_parse(&tree, text + 40), 0);
	assert_int_equal(pn_oid_parse(&parent, text + 80), 0);
	assert_int_equal(pn_repo_commit_facts(&facts, repo, &oid, &err), 0);
	assert_true(pn_oid_equal(&facts.tree, &tree));
	assert_true(pn_oid_equal(&facts.first_parent, &parent));
	assert_int_equal(facts.parent_count, 2);
	assert_int_equal(facts.time_s, 1234567890);
	assert_int_equal(pn_repo_commit_facts(&facts, repo, &tree, &err),
			 PN_EINVAL);
	free(text);
	pn_repo_free(repo);
}

static void reads_blobs_within_a_limit(void **state)
{
	struct pn_repo *repo = open_at(*state, "");
	struct pn_buf out = {0};
	struct pn_error err;
	struct pn_oid oid = {{0}};
	char *hex = scratch_line(*state, "git rev-parse HEAD:file");

	assert_int_equal(pn_repo_read_blob(&out, repo, &oid, 10, &err),
			 PN_ENOTFOUND);
	assert_int_equal(pn_oid_parse(&oid, hex), 0);
	assert_int_equal(pn_repo_read_blob(&out, repo, &oid, 3, &err),
			 PN_ELIMIT);
	assert_int_equal(out.len, 0);
	assert_int_equal(pn_repo_read_blob(&out, repo, &oid, 4, &err), 0);
	assert_string_equal(pn_buf_text(&out), "one\n");
	assert_true(pn_repo_has_object(repo, &oid));
	oid.bytes[0] ^= 1;
	assert_false(pn_repo_has_object(repo, &oid));
	free(hex);
	pn_buf_release(&out);
	pn_repo_free(repo);
}

static void fetches_an_absent_blob_of_a_partial_clone(void **state)
{
	struct pn_repo *repo;
	struct pn_buf out = {0};
	struct pn_error err;
	struct pn_oid oid;
	char *hex = scratch_line(*state, "git rev-parse HEAD:file");

	scratch_run(*state, "git config uploadpack.allowFilter true && "
			    "git config uploadpack.allowAnySHA1InWant true && "
			    "git clone -q --no-checkout --filter=blob:none "
			    "\"file://$PWD\" part");
	repo = open_at(*state, "part");
	assert_true(pn_repo_is_partial(repo));
	assert_int_equal(pn_oid_parse(&oid, hex), 0);
	assert_false(pn_repo_has_object(repo, &oid));
	assert_int_equal(pn_repo_read_blob(&out, repo, &oid, 100, &err), 0);
	assert_string_equal(pn_buf_text(&out), "one\n");
	free(hex);
	pn_buf_release(&out);
	pn_repo_free(repo);
}

static void sees_a_shallow_clone(void **state)
{
	struct pn_repo *repo;

	scratch_run(*state, "git commit -q --allow-empty -m 2 && "
			    "git clone -q --depth=1 \"file://$PWD\" low");
	repo = open_at(*state, "low");
	assert_true(pn_repo_is_shallow(repo));
	pn_repo_free(repo);
}

static void configured(struct scratch *s, const char *key, const char *want)
{
	struct pn_repo *repo = open_at(s, "");
	struct pn_error err;
	char *value = NULL;

	assert_int_equal(pn_repo_config(&value, repo, key, &err), 0);
	if (want)
		assert_string_equal(value, want);
	else
		assert_null(value);
	free(value);
	pn_repo_free(repo);
}

static void reads_the_configuration_as_git_does(void **state)
{
	scratch_run(*state, "git config perf.machine lathe && "
			    "git config metric.Some.Name.better less && "
			    "git config --add metric.Some.Name.better more && "
			    "git config --file .gitconfig perf.runs 7");
	configured(*state, "perf.machine", "lathe");
	configured(*state, "perf.runs", "7");
	configured(*state, "Metric.Some.Name.Better", "more");
	configured(*state, "metric.some.name.better", NULL);
	configured(*state, "perf.absent", NULL);
	setenv("GIT_CONFIG_PARAMETERS", "'perf.machine=mill'", 1);
	configured(*state, "perf.machine", "mill");
	configured(*state, "Metric.Some.Name.Better", "more");
	configured(*state, "metric.some.name.better", NULL);
	configured(*state, "perf.absent", NULL);
	unsetenv("GIT_CONFIG_PARAMETERS");
	setenv("GIT_CONFIG_COUNT", "1", 1);
	setenv("GIT_CONFIG_KEY_0", "perf.runs", 1);
	setenv("GIT_CONFIG_VALUE_0", "9\nlines", 1);
	configured(*state, "perf.runs", "9\nlines");
	unsetenv("GIT_CONFIG_COUNT");
}

static void reads_refs_and_absent_ones(void **state)
{
	struct pn_repo *repo = open_at(*state, "");
	struct pn_oid oid, head;
	struct pn_error err;

	assert_int_equal(pn_repo_ref(&oid, repo, "refs/notes/perf", &err), 0);
	assert_true(pn_oid_is_zero(&oid));
	scratch_run(*state, "git update-ref refs/notes/perf HEAD && "
			    "git pack-refs --all");
	assert_int_equal(pn_repo_resolve(&head, repo, "HEAD", &err), 0);
	assert_int_equal(pn_repo_ref(&oid, repo, "refs/notes/perf", &err), 0);
	assert_true(pn_oid_equal(&oid, &head));
	pn_repo_free(repo);
}

static void sees_what_is_dirty(void **state)
{
	struct pn_repo *repo = open_at(*state, "");
	struct pn_error err;
	bool dirty = true;

	scratch_run(*state, "echo new >untracked && touch file");
	assert_int_equal(pn_repo_is_dirty(&dirty, repo, &err), 0);
	assert_false(dirty);
	scratch_run(*state, "echo new >file");
	assert_int_equal(pn_repo_is_dirty(&dirty, repo, &err), 0);
	assert_true(dirty);
	scratch_run(*state, "git add file");
	assert_int_equal(pn_repo_is_dirty(&dirty, repo, &err), 0);
	assert_true(dirty);
	pn_repo_free(repo);
}

/* With gc.auto 1 two loose objects in the folder that git samples are enough.
 */
static void packs_in_the_background(void **state)
{
	struct pn_repo *repo;
	struct pn_error err;
	int status, tries;

	scratch_run(*state, "git config gc.auto 1 && "
			    "git config gc.autoDetach false && "
			    "i=0; while [ $i -lt 600 ]; do i=$((i+1)); "
			    "echo $i; done | split -l 1 -a 3 - blob- && "
			    "git add . && git commit -qm many");
	repo = open_at(*state, "");
	assert_int_equal(pn_repo_maintain(repo, &err), 0);
	for (tries = 0; tries < 6000; tries++) {
		free(scratch_sh_status(*state, &status,
				       "ls .git/objects/pack/*.idx"));
		if (!status)
			break;
		poll(NULL, 0, 10);
	}
	assert_int_equal(status, 0);
	while (waitpid(-1, &status, 0) > 0)
		;
	pn_repo_free(repo);
}

static void locks_out_other_writers(void **state)
{
	struct pn_repo *repo = open_at(*state, "");
	struct pn_lock lock = {-1};
	struct pn_error err;
	char *said;
	int status;

	assert_int_equal(pn_lock_acquire(&lock, repo, &err), 0);
	said = scratch_sh_status(*state, &status,
				 "flock -n .git/perf/lock true");
	assert_int_equal(status, 1);
	free(said);
	pn_lock_release(&lock);
	assert_int_equal(lock.fd, -1);
	scratch_run(*state, "flock -n .git/perf/lock true");
	pn_repo_free(repo);
}

static void says_why_it_cannot_lock(void **state)
{
	struct pn_repo *repo = open_at(*state, "");
	struct pn_lock lock = {-1};
	struct pn_error err;

	scratch_run(*state, "echo in the way >.git/perf");
	assert_int_equal(pn_lock_acquire(&lock, repo, &err), PN_EIO);
	assert_non_null(strstr(err.message, ".git/perf/lock"));
	assert_int_equal(lock.fd, -1);
	pn_repo_free(repo);
}

#define with_repo(f)                                                           \
	cmocka_unit_test_setup_teardown(f, scratch_repo, scratch_close)
#define with_folder(f)                                                         \
	cmocka_unit_test_setup_teardown(f, scratch_open, scratch_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_repo(finds_the_repository_from_a_folder_below),
		with_folder(says_what_is_no_repository),
		with_folder(refuses_sha256_by_name),
		with_repo(refuses_reftable_by_name),
		with_repo(refuses_an_unknown_extension_by_name),
		with_repo(refuses_a_foreign_owner_with_the_way_out),
		with_repo(opens_with_a_configuration_of_its_own_for_a_worktree),
		with_repo(opens_a_bare_repository),
		with_repo(opens_a_linked_worktree),
		with_repo(obeys_git_dir_and_git_work_tree),
		with_repo(obeys_git_common_dir),
		with_repo(says_where_head_is),
		with_repo(resolves_what_git_resolves),
		with_repo(refuses_names_that_are_no_commit),
		with_repo(refuses_an_abbreviation_of_two_commits),
		with_repo(knows_the_facts_of_a_commit),
		with_repo(reads_blobs_within_a_limit),
		with_repo(fetches_an_absent_blob_of_a_partial_clone),
		with_repo(sees_a_shallow_clone),
		with_repo(reads_the_configuration_as_git_does),
		with_repo(reads_refs_and_absent_ones),
		with_repo(sees_what_is_dirty),
		with_repo(packs_in_the_background),
		with_repo(locks_out_other_writers),
		with_repo(says_why_it_cannot_lock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
