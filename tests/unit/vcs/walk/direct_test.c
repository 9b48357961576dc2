/* Walks that need no git, beside git log. */
#include "walked.h"

#include <stdlib.h>

static const char *const all[] = {NULL};

/* What git log prints of these commits, with no git to be found by the walk. */
static void same_without_git(struct scratch *s, const char *const *args,
			     const char *quoted)
{
	char *git = scratch_sh(s,
			       "git log -s --format='%%H %%T %%at "
			       "%%P|%%aN|%%aE|%%s' %s",
			       quoted);
	char *path = pn_strdup(getenv("PATH")), *own;

	setenv("PATH", "/nonexistent", 1);
	own = walk(s, args, false);
	setenv("PATH", path, 1);
	assert_string_equal(own, git);
	free(path);
	free(own);
	free(git);
}

static void all_without_git(struct scratch *s)
{
	same_without_git(s, all, "");
}

/* A file for git fast-import: `count` commits with up to three parents, of
 * times that are equal, or not in the order of children and parents. */
static void write_random(struct scratch *s, unsigned int seed, int count)
{
	struct pn_buf path = {0};
	FILE *f;
	int i, k;

	srand(seed);
	pn_buf_printf(&path, "%s/stream", s->dir);
	f = fopen(pn_buf_text(&path), "w");
	assert_non_null(f);
	for (i = 1; i <= count; i++) {
		int parents = i == 1 || rand() % 30 == 0 ? 0 : 1 + rand() % 3;

		if (i == count)
			parents = 3;
		fprintf(f, "commit refs/heads/r%d\nmark :%d\n", i, i);
		fprintf(f, "author A%d <a@b> %d +0000\n", rand() % 3, i);
		fprintf(f, "committer C <c@d> %d -0130\n", 100 + rand() % 40);
		fprintf(f, "data 5\n%05d\n", i);
		for (k = 0; k < parents; k++)
			fprintf(f, "%s :%d\n", k ? "merge" : "from",
				i - 1 - rand() % (i - 1 < 6 ? i - 1 : 6));
	}
	fclose(f);
	pn_buf_release(&path);
	scratch_run(s,
		    "git fast-import --quiet --force <stream && "
		    "git symbolic-ref HEAD refs/heads/r%d",
		    count);
}

/* Of merges that name a parent twice, too. */
static void comes_in_the_order_of_git(void **state)
{
	static const char *const first[] = {"--first-parent", NULL};
	unsigned int seed;

	for (seed = 1; seed <= 12; seed++) {
		write_random(*state, seed, 400);
		all_without_git(*state);
		same_without_git(*state, first, "--first-parent");
	}
}

static void takes_a_commit_and_a_number(void **state)
{
	static const char *const none[] = {"-n0", NULL};
	static const char *const one[] = {"-1", "HEAD", NULL};
	static const char *const last[] = {"-n5", "-n300", NULL};
	static const char *const many[] = {"--max-count=336", "--", NULL};
	const char *named[] = {"-n17", NULL, "--", NULL};
	char *hex, *quoted;

	write_random(*state, 99, 400);
	same_without_git(*state, none, "-n0");
	same_without_git(*state, one, "-1 HEAD");
	same_without_git(*state, last, "-n5 -n300");
	same_without_git(*state, many, "--max-count=336 --");
	hex = scratch_line(*state, "git rev-parse r350");
	quoted = scratch_line(*state, "echo -n17 %s --", hex);
	named[1] = hex;
	same_without_git(*state, named, quoted);
	free(hex);
	free(quoted);
}

/* A commit object of any bytes behind HEAD, on a branch of its own: `lines` is
 * for printf(1), %T in it is a tree and %P the line of the parent. */
static void add_object(struct scratch *s, const char *lines)
{
	scratch_run(s,
		    "t=$(git rev-parse HEAD^{tree}) && "
		    "p=\"parent $(git rev-parse HEAD)\" && "
		    "printf '%s' | sed \"s/@T/$t/; s/@P/$p/\" >object && "
		    "git update-ref HEAD "
		    "$(git hash-object -w --literally -t commit object)",
		    lines);
}

#define BEGIN "tree @T\\n@P\\nauthor A U <a@b> 1700000000 +0100\\n"
#define COMMITTER "committer C <c@d> 1700000000 +0000\\n"

static void reads_messages_as_git_does(void **state)
{
	static const char *const messages[] = {
		"one\\n",
		"no line end",
		"",
		"\\n",
		"\\n \\t\\r\\n\\n  late \\t\\r\\n and more\\v\\n\\nbody",
		"two \\nlines\\t\\n\\nbody\\n",
		"tab\\tand %%%% \\033[31m and \\001 \\037\\n",
		"\\342\\202\\254 and a byte \\351\\n",
		" \\n",
		"a\\r\\n\\r\\nbody\\r\\n",
	};
	struct pn_buf lines = {0};
	size_t i;

	for (i = 0; i < sizeof(messages) / sizeof(*messages); i++) {
		pn_buf_clear(&lines);
		pn_buf_printf(&lines, BEGIN COMMITTER "\\n%s", messages[i]);
		add_object(*state, pn_buf_text(&lines));
	}
	add_object(*state, BEGIN COMMITTER
		   "gpgsig -----BEGIN\\n  author x\\n \\n  -----END\\n"
		   "mergetag object 0\\n type commit\\n"
		   "encodings none\\n\\nsigned\\n");
	pn_buf_release(&lines);
	all_without_git(*state);
}

/* Whatever is odd, the walk gives what git says of it. */
static void leaves_to_git_what_is_odd(void **state)
{
	static const char *const objects[] = {
		"author  Blank <a@b> 1 +0000\\n" COMMITTER,
		"author <a@b> 1 +0000\\n" COMMITTER,
		"author  <a@b> 1 +0000\\n" COMMITTER,
		"author A <a<b>c> 1 +0000\\n" COMMITTER,
		"author A <a>b> 1 +0000\\n" COMMITTER,
		"author A<a@b> 1 +0000\\n" COMMITTER,
		"author A\\t <a@b> 1 +0000\\n" COMMITTER,
		"author A <a@b>  1 +0000\\n" COMMITTER,
		"author A <a@b> 12345678901 +0000\\n" COMMITTER,
		"author A <a@b> 1 +0000\\ncommitter C <c@d> 99999999999 +0\\n",
		"author A <a@b> 1 +0000\\ncommitter C <c@d>\\n",
		"author A <a@b> 1 +0000\\n" COMMITTER "encoding ISO-8859-1\\n",
		"author A <a@b> 1 +0000\\n" COMMITTER "encoding UTF-8\\n",
	};
	struct pn_buf lines = {0};
	size_t i, k;

	for (i = 0; i < sizeof(objects) / sizeof(*objects); i++) {
		pn_buf_clear(&lines);
		pn_buf_printf(&lines, "tree @T\\n@P\\n%s\\ncaf\\351 %zu\\n",
			      objects[i], i);
		add_object(*state, pn_buf_text(&lines));
		for (k = 0; k < 40; k++)
			add_object(*state, BEGIN COMMITTER "\\nplain\\n");
		same_as_git(*state, all, false, "");
	}
	add_object(*state, BEGIN COMMITTER "\\n%05000d\\n");
	same_as_git(*state, all, false, "");
	pn_buf_release(&lines);
}

/* It prints none of those that were given: the last one before what is odd is
 * not, its parents are read first. */
static void git_goes_on_behind_what_was_given(void **state)
{
	static const char *const some[] = {"-n52", "--first-parent", NULL};
	struct scratch *s = *state;
	struct pn_buf trace = {0};
	size_t i;

	for (i = 0; i < 3; i++)
		add_object(s, BEGIN COMMITTER "\\nplain\\n");
	add_object(s, BEGIN COMMITTER "encoding ISO-8859-1\\n\\ncaf\\351\\n");
	for (i = 0; i < 50; i++)
		add_object(s, BEGIN COMMITTER "\\nplain\\n");
	pn_buf_printf(&trace, "%s/trace", s->dir);
	setenv("GIT_TRACE", pn_buf_text(&trace), 1);
	same_as_git(s, some, false, "");
	same_as_git(s, all, false, "");
	unsetenv("GIT_TRACE");
	scratch_run(s, "grep -e ' --skip=49 -n3 --first-parent ' trace && "
		       "grep -e ' --skip=49 [0-9a-f]* --$' trace");
	pn_buf_release(&trace);
}

/* What git takes for no time is 0. */
static void a_time_has_a_zone(void **state)
{
	static const char *const times[] = {
		"1700000000 ",	  "1700000000 UTC",  "1700000000 0100",
		"1700000000 +",	  "1700000000 -x",   "1700000000",
		"1700000000  +1", "1700000000 +junk"};
	struct pn_buf lines = {0};
	char *own, *git;
	size_t i;

	for (i = 0; i < sizeof(times) / sizeof(*times); i++) {
		pn_buf_clear(&lines);
		pn_buf_printf(&lines,
			      "tree @T\\n@P\\nauthor A <a@b> %s\\n" COMMITTER
			      "\\n%zu\\n",
			      times[i], i);
		add_object(*state, pn_buf_text(&lines));
		own = walk(*state, all, false);
		git = scratch_sh(*state,
				 "git log -s --format='%%H %%T %%at "
				 "%%P|%%aN|%%aE|%%s' | "
				 "sed 's/^\\([^ ]* [^ ]*\\)  /\\1 0 /'");
		assert_string_equal(own, git);
		free(own);
		free(git);
	}
	pn_buf_release(&lines);
}

static void leaves_to_git_what_is_configured(void **state)
{
	static const char *const changes[] = {
		"echo 'Proper <p@x> <a@b>' >.mailmap",
		"mv .mailmap names && git config mailmap.file names",
		"git config --unset mailmap.file && "
		"git config mailmap.blob "
		"$(git hash-object -w names)",
		"git config --unset mailmap.blob && "
		"echo $(git rev-parse HEAD~2 HEAD~9) >.git/info/grafts",
		"rm .git/info/grafts && "
		"git replace --graft HEAD~3 HEAD~8",
		"git replace -d $(git replace) && "
		"git update-ref refs/replace/in/$(git rev-parse HEAD~3) HEAD~8",
		"git update-ref -d refs/replace/in/$(git rev-parse HEAD~3) && "
		"git rev-parse HEAD~5 >.git/shallow",
		"rm .git/shallow && mkdir tree && "
		"git config core.worktree ../tree && cp names .mailmap",
	};
	size_t i;

	write_random(*state, 7, 60);
	all_without_git(*state);
	for (i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		scratch_run(*state, "%s", changes[i]);
		same_as_git(*state, all, false, "");
	}
	scratch_run(*state, "rm .mailmap");
	all_without_git(*state);
	scratch_run(*state,
		    "git update-ref refs/other/$(git rev-parse HEAD~3) HEAD~8");
	setenv("GIT_REPLACE_REF_BASE", "refs/oth", 1);
	same_as_git(*state, all, false, "");
	unsetenv("GIT_REPLACE_REF_BASE");
}

/* What is before it is given, and then git's own word. */
static void says_what_is_missing(void **state)
{
	struct pn_repo *repo;
	struct pn_history *history;
	struct pn_commit commit;
	struct pn_error err;
	char *hex;
	int more;

	scratch_run(*state, "for i in 1 2 3 4; do git commit -q --allow-empty "
			    "-m $i; done");
	hex = scratch_line(*state, "h=$(git rev-parse HEAD~2) && "
				   "rm -f .git/objects/$(echo $h | "
				   "sed 's,^..,&/,') && echo $h");
	repo = open_repo(*state);
	assert_int_equal(pn_history_open(&history, repo, all, &err), 0);
	while ((more = pn_history_next(&commit, history, &err)) > 0)
		;
	assert_true(more < 0);
	assert_non_null(strstr(err.message, hex));
	pn_history_free(history);
	pn_repo_free(repo);
	free(hex);
}

/* Who looks ahead while it goes on with git gets the same ones. */
static void looks_ahead_beyond_what_is_plain(void **state)
{
	struct pn_oid coming[600];
	struct pn_history *history;
	struct pn_commit commit;
	struct pn_error err;
	struct pn_repo *repo;
	size_t n = 0, i = 0, given = 0;
	char text[32], *count;

	add_object(*state, BEGIN COMMITTER "encoding ISO-8859-1\\n\\nodd\\n");
	scratch_run(*state,
		    "i=0; while [ $i -lt 500 ]; do i=$((i+1)); "
		    "echo 'commit refs/heads/main'; "
		    "echo \"committer A <a@b> 180000$((1000+i)) +0000\"; "
		    "echo 'data 0'; "
		    "[ $i -gt 1 ] || echo 'from refs/heads/main^0'; "
		    "done | git fast-import --quiet");
	repo = open_repo(*state);
	assert_int_equal(pn_history_open(&history, repo, all, &err), 0);
	while (pn_history_next(&commit, history, &err) > 0) {
		if (i < n)
			assert_true(pn_oid_equal(&commit.id, &coming[i++]));
		if (i == n) {
			n = pn_history_coming(coming, 600, history);
			i = 0;
		}
		given++;
	}
	count = scratch_line(*state, "git rev-list --count HEAD");
	snprintf(text, sizeof(text), "%zu", given);
	assert_string_equal(text, count);
	free(count);
	pn_history_free(history);
	pn_repo_free(repo);
}

#define with_repo(f)                                                           \
	cmocka_unit_test_setup_teardown(f, scratch_repo, scratch_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_repo(comes_in_the_order_of_git),
		with_repo(takes_a_commit_and_a_number),
		with_repo(reads_messages_as_git_does),
		with_repo(leaves_to_git_what_is_odd),
		with_repo(git_goes_on_behind_what_was_given),
		with_repo(a_time_has_a_zone),
		with_repo(leaves_to_git_what_is_configured),
		with_repo(says_what_is_missing),
		with_repo(looks_ahead_beyond_what_is_plain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
