/* A repository by its files says what git says, wherever one stands. */
#include "scratch.h"

#include "base/oid.h"
#include "vcs/gitdir.h"

/* What git says on one line, "" when it fails. */
static char *git_says(struct scratch *s, const char *where, const char *what)
{
	return scratch_line(s, "cd %s && git %s 2>/dev/null || :", where, what);
}

static void agrees_with_git(struct scratch *s, const char *where)
{
	char *git_dir = git_says(s, where, "rev-parse --absolute-git-dir");
	char *common = git_says(s, where,
				"rev-parse --path-format=absolute "
				"--git-common-dir");
	char *branch = git_says(s, where, "symbolic-ref -q HEAD");
	char *id = git_says(s, where, "rev-parse -q --verify HEAD");
	char *back = realpath(".", NULL), hex[PN_OID_HEX + 1] = "";
	struct pn_gitdir dir;
	struct pn_error err;

	assert_int_equal(chdir(s->dir) || chdir(where), 0);
	if (pn_gitdir_find(&dir, &err))
		fail_msg("%s: %s", where, err.message);
	assert_string_equal(dir.git_dir, git_dir);
	assert_string_equal(dir.common_dir, common);
	assert_string_equal(dir.branch, branch);
	assert_int_equal(dir.unborn, !*id);
	if (*id) {
		pn_oid_hex(hex, &dir.commit);
		assert_string_equal(hex, id);
	}
	pn_gitdir_release(&dir);
	assert_int_equal(chdir(back), 0);
	free(back);
	free(git_dir);
	free(common);
	free(branch);
	free(id);
}

static void finds_a_repository_from_each_of_its_places(void **state)
{
	struct scratch *s = *state;

	scratch_run(s, "mkdir -p sub/dir && git worktree add -q linked -b x && "
		       "mkdir linked/deep && git init -q --bare bare.git && "
		       "git init -q unborn && ln -s sub link");
	agrees_with_git(s, ".");
	agrees_with_git(s, "sub/dir");
	agrees_with_git(s, "link/dir");
	agrees_with_git(s, ".git");
	agrees_with_git(s, ".git/refs");
	agrees_with_git(s, "linked");
	agrees_with_git(s, "linked/deep");
	agrees_with_git(s, ".git/worktrees/linked");
	agrees_with_git(s, "bare.git");
	agrees_with_git(s, "unborn");
}

static void knows_the_worktree_by_its_name(void **state)
{
	struct scratch *s = *state;
	char *back = realpath(".", NULL);
	struct pn_gitdir dir;

	scratch_run(s, "git worktree add -q linked -b x");
	assert_int_equal(chdir(s->dir), 0);
	assert_int_equal(pn_gitdir_find(&dir, NULL), 0);
	assert_string_equal(dir.worktree, "");
	pn_gitdir_release(&dir);
	assert_int_equal(chdir("linked"), 0);
	assert_int_equal(pn_gitdir_find(&dir, NULL), 0);
	assert_string_equal(dir.worktree, "linked");
	pn_gitdir_release(&dir);
	assert_int_equal(chdir(back), 0);
	free(back);
}

static void finds_the_commit_of_any_kind_of_head(void **state)
{
	struct scratch *s = *state;

	scratch_run(s, "git pack-refs --all");
	agrees_with_git(s, ".");
	scratch_run(s, "git switch -q -c deep/branch/name");
	agrees_with_git(s, ".");
	scratch_run(s, "git checkout -q --detach");
	agrees_with_git(s, ".");
	scratch_run(s, "git symbolic-ref refs/heads/alias refs/heads/main && "
		       "git symbolic-ref HEAD refs/heads/alias");
	agrees_with_git(s, ".");
	scratch_run(s, "git symbolic-ref HEAD refs/heads/nothing");
	agrees_with_git(s, ".");
}

static void follows_the_variables_of_a_hook(void **state)
{
	struct scratch *s = *state;
	struct pn_buf git_dir = {0};

	scratch_run(s, "git init -q -b other other && mkdir sub && cd other && "
		       "git commit -q --allow-empty -m o");
	pn_buf_printf(&git_dir, "%s/other/.git", s->dir);
	setenv("GIT_DIR", pn_buf_text(&git_dir), 1);
	agrees_with_git(s, "sub");
	setenv("GIT_DIR", ".git", 1);
	agrees_with_git(s, "other");
	unsetenv("GIT_DIR");
	scratch_run(s, "git worktree add -q linked -b x");
	pn_buf_clear(&git_dir);
	pn_buf_printf(&git_dir, "%s/.git/worktrees/linked", s->dir);
	setenv("GIT_DIR", pn_buf_text(&git_dir), 1);
	agrees_with_git(s, "sub");
	pn_buf_clear(&git_dir);
	pn_buf_printf(&git_dir, "%s/.git", s->dir);
	setenv("GIT_COMMON_DIR", pn_buf_text(&git_dir), 1);
	agrees_with_git(s, "sub");
	unsetenv("GIT_DIR");
	unsetenv("GIT_COMMON_DIR");
	pn_buf_release(&git_dir);
}

static void refuses_what_is_no_repository(void **state)
{
	struct scratch *s = *state;
	char *back = realpath(".", NULL);
	struct pn_gitdir dir;
	struct pn_error err;

	scratch_run(s,
		    "mkdir none && mkdir none/.git && echo x >none/.git/HEAD");
	assert_int_equal(chdir(s->dir) || chdir("none"), 0);
	assert_int_equal(pn_gitdir_find(&dir, &err), PN_ENOTFOUND);
	assert_int_equal(chdir(back), 0);
	free(back);
}

static void configured(struct scratch *s, const char *expected)
{
	char *back = realpath(".", NULL), *value;
	struct pn_gitdir dir;

	assert_int_equal(chdir(s->dir), 0);
	assert_int_equal(pn_gitdir_find(&dir, NULL), 0);
	assert_int_equal(pn_gitdir_config(&value, &dir, "perf.hookMode", NULL),
			 0);
	if (expected)
		assert_string_equal(value, expected);
	else
		assert_null(value);
	free(value);
	pn_gitdir_release(&dir);
	assert_int_equal(chdir(back), 0);
	free(back);
}

static void reads_a_setting_wherever_git_does(void **state)
{
	struct scratch *s = *state;

	configured(s, NULL);
	scratch_run(s, "git config --file included PERF.HookMode included && "
		       "git config include.path ../included");
	configured(s, "included");
	scratch_run(s, "git config --unset include.path && "
		       "git config --global perf.hookmode global");
	configured(s, "global");
	scratch_run(s, "git config perf.hookMode local");
	configured(s, "local");
	scratch_run(s, "git config extensions.worktreeConfig true && "
		       "git config --worktree perf.hookMode worktree");
	configured(s, "worktree");
	setenv("GIT_CONFIG_PARAMETERS", "'perf.hookmode'='command'", 1);
	configured(s, "command");
	unsetenv("GIT_CONFIG_PARAMETERS");
	setenv("GIT_CONFIG_COUNT", "1", 1);
	setenv("GIT_CONFIG_KEY_0", "perf.hookMode", 1);
	setenv("GIT_CONFIG_VALUE_0", "counted", 1);
	configured(s, "counted");
	unsetenv("GIT_CONFIG_COUNT");
}

#define TEST(name)                                                             \
	cmocka_unit_test_setup_teardown(name, scratch_repo, scratch_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(finds_a_repository_from_each_of_its_places),
		TEST(knows_the_worktree_by_its_name),
		TEST(finds_the_commit_of_any_kind_of_head),
		TEST(follows_the_variables_of_a_hook),
		cmocka_unit_test_setup_teardown(refuses_what_is_no_repository,
						scratch_open, scratch_close),
		TEST(reads_a_setting_wherever_git_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
