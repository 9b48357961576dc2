/* Moving the ref: conflicts, locks, rights, identity, merges. */
#include "notes_scratch.h"
#include "vcs/notes/stage.h"

#include <sys/stat.h>
#include <sys/wait.h>

/* The exit status of a writer; the reason goes to the log. */
static int give_up(int status, unsigned int writer, int rounds,
		   const struct pn_error *err)
{
	print_error("writer %u, attempt %d: %s\n", writer, rounds,
		    err->message);
	return status;
}

/* As many as $PERF_ADDS says, else few: each of them is some tries of all. */
static unsigned int adds(void)
{
	const char *told = getenv("PERF_ADDS");

	return told ? (unsigned int)strtoul(told, NULL, 10) : 5;
}

static int add(struct scratch *s, unsigned int writer)
{
	struct pn_repo *repo;
	struct pn_notes *notes;
	struct pn_error err = {0};
	unsigned int count = adds(), i;
	int code, rounds = 0;

	if (pn_repo_open(&repo, s->dir, &err))
		return give_up(2, writer, 0, &err);
	for (i = 0; i < count; i += !code) {
		struct pn_oid id = nth(i % 2 ? writer * 100 + i : 9999), body;
		struct pn_buf text = {0};
		char line[64];

		rounds++;
		snprintf(line, sizeof(line), "%u %u\n", writer, i);
		if (pn_notes_open(&notes, repo, PN_NOTES_REF, &err) ||
		    pn_notes_read(&text, notes, &id, &err))
			return give_up(3, writer, rounds, &err);
		pn_buf_add_text(&text, line);
		pn_notes_stage_note(notes, &id, text.data, text.len, NULL);
		if (pn_notes_stage_body(&body, notes, line, strlen(line), &err))
			return give_up(4, writer, rounds, &err);
		code = pn_notes_commit(notes, "perf: add 1", &err);
		if (code && code != PN_ECONFLICT)
			return give_up(5, writer, rounds, &err);
		pn_notes_free(notes);
		pn_buf_release(&text);
	}
	pn_repo_free(repo);
	return 0;
}

static void is_signed(struct scratch *s, const char *want)
{
	struct pn_repo *repo = open_repo(s);
	struct pn_notes *notes = open_notes(repo);
	struct pn_oid id = nth(0);
	static char next = 'a';
	char *text;

	pn_notes_stage_note(notes, &id, &next, 1, NULL);
	next++;
	commit(notes);
	text = scratch_line(s, "git log -1 --format='%%an <%%ae> %%cn <%%ce>' "
			       "refs/notes/perf");
	assert_string_equal(text, want);
	free(text);
	text = scratch_line(s, "git reflog -1 --format='%%gn <%%ge> %%gs' "
			       "refs/notes/perf");
	assert_non_null(strstr(text, "perf: test"));
	free(text);
	close_both(notes, repo);
}

static void keeps_bodies_through_gc_push_and_fetch(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_notes *notes = open_notes(repo);
	struct pn_oid body, id = nth(0);
	struct pn_buf text = {0};
	struct pn_error err;
	char hex[PN_OID_HEX + 1], *path;
	bool has = false;

	assert_int_equal(pn_notes_stage_body(&body, notes, "body\n", 5, &err),
			 0);
	pn_notes_stage_note(notes, &id, "line\n", 5, NULL);
	commit(notes);
	pn_oid_hex(hex, &body);
	path = scratch_line(*state, "git ls-tree -r --name-only "
				    "refs/notes/perf objects/");
	assert_int_equal(strlen(path), strlen("objects/") + 41);
	assert_memory_equal(path + 8, hex, 2);
	assert_string_equal(path + 11, hex + 2);
	scratch_run(*state,
		    "git gc -q --prune=now && git init -q --bare up.git && "
		    "git push -q up.git refs/notes/perf && "
		    "rm -rf .git && git init -q && "
		    "git fetch -q up.git refs/notes/perf:refs/notes/perf");
	close_both(notes, repo);
	repo = open_repo(*state);
	notes = open_notes(repo);
	assert_int_equal(pn_notes_has_body(&has, notes, &body, &err), 0);
	assert_true(has);
	assert_int_equal(pn_repo_read_blob(&text, repo, &body, 100, &err), 0);
	assert_string_equal(pn_buf_text(&text), "body\n");
	pn_buf_release(&text);
	free(path);
	close_both(notes, repo);
}

static void says_nothing_when_nothing_changes(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_notes *notes = open_notes(repo);
	struct pn_oid id = nth(0), tip;

	pn_notes_stage_note(notes, &id, "a\n", 2, NULL);
	commit(notes);
	tip = *pn_notes_tip(notes);
	pn_notes_stage_note(notes, &id, "a\n", 2, NULL);
	commit(notes);
	assert_true(pn_oid_equal(&tip, pn_notes_tip(notes)));
	close_both(notes, repo);
}

static void put_format(struct scratch *s, const char *text)
{
	char command[512];

	snprintf(command, sizeof(command),
		 "b=$(printf '%s' | git hash-object -w --stdin) && "
		 "t=$(printf \"100644 blob $b\\tformat\\n\" | git mktree) && "
		 "git update-ref refs/notes/perf $(git commit-tree -m x $t)",
		 text);
	scratch_run(s, "%s", command);
}

static void refuses_to_read_a_newer_format(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_notes *notes;
	struct pn_error err;

	put_format(*state, "perf-notes 2\\nepoch 0\\n");
	assert_int_equal(pn_notes_open(&notes, repo, PN_NOTES_REF, &err),
			 PN_EREFUSED);
	assert_string_equal(err.message,
			    "'refs/notes/perf' has format 2, this git-perf "
			    "knows format 1: use a newer one");
	pn_repo_free(repo);
}

static void refuses_to_write_to_too_late_an_epoch(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_notes *notes;
	struct pn_oid id = nth(0);
	struct pn_error err;
	char *before, *after;

	put_format(*state, "perf-notes 1\\nepoch 4294967297\\n");
	before = scratch_sh(*state, "git rev-parse refs/notes/perf");
	notes = open_notes(repo);
	pn_notes_stage_note(notes, &id, "a\n", 2, NULL);
	assert_int_equal(pn_notes_commit(notes, "perf: x", &err), PN_EREFUSED);
	assert_string_equal(err.message,
			    "'refs/notes/perf' has epoch 4294967297, at most "
			    "4294967296 can be");
	after = scratch_sh(*state, "git rev-parse refs/notes/perf");
	assert_string_equal(before, after);
	free(before);
	free(after);
	close_both(notes, repo);
}

/* A snapshot outlives a pull that brings a later format. */
static void refuses_a_newer_format_that_came_in_between(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_notes *notes;
	struct pn_oid id = nth(0);
	struct pn_error err;

	put_format(*state, "perf-notes 1\\nepoch 0\\n");
	notes = open_notes(repo);
	put_format(*state, "perf-notes 2\\nepoch 0\\n");
	pn_notes_stage_note(notes, &id, "a\n", 2, NULL);
	assert_int_equal(pn_notes_commit(notes, "perf: x", &err), PN_ECONFLICT);
	assert_int_equal(pn_notes_reopen(notes, &err), PN_EREFUSED);
	close_both(notes, repo);
}

/* And leaves nothing that no ref leads to. */
static void tells_that_another_writer_was_first(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_notes *one = open_notes(repo), *two = open_notes(repo);
	struct pn_oid id = nth(0), other = nth(1);
	struct pn_error err;
	char *left;

	pn_notes_stage_note(one, &id, "one\n", 4, NULL);
	pn_notes_stage_note(two, &other, "two\n", 4, NULL);
	commit(one);
	assert_int_equal(pn_notes_commit(two, "perf: x", &err), PN_ECONFLICT);
	assert_int_equal(pn_notes_reopen(two, &err), 0);
	pn_notes_stage_note(two, &other, "two\n", 4, NULL);
	commit(two);
	reads(two, &id, "one\n");
	assert_int_equal(pn_notes_reopen(one, &err), 0);
	pn_notes_stage_note(one, &id, "1\n", 2, NULL);
	pn_notes_stage_note(two, &id, "2\n", 2, NULL);
	commit(two);
	assert_int_equal(pn_notes_commit(one, "perf: x", &err), PN_ECONFLICT);
	pn_notes_free(one);
	close_both(two, repo);
	left = scratch_line(*state, "git fsck --no-reflogs --unreachable && "
				    "find .git/objects/pack -name 'tmp_*'");
	assert_string_equal(left, "");
	free(left);
}

static int add_first(struct scratch *s, unsigned int writer)
{
	struct pn_repo *repo;
	struct pn_notes *notes;
	struct pn_error err = {0};
	struct pn_oid id = nth(writer);
	int code, rounds;

	if (pn_repo_open(&repo, s->dir, &err))
		return give_up(2, writer, 0, &err);
	for (rounds = 1, code = PN_ECONFLICT; code == PN_ECONFLICT; rounds++) {
		if (pn_notes_open(&notes, repo, PN_NOTES_REF, &err))
			return give_up(3, writer, rounds, &err);
		pn_notes_stage_note(notes, &id, "1\n", 2, NULL);
		code = pn_notes_commit(notes, "perf: add 1", &err);
		if (code && code != PN_ECONFLICT)
			return give_up(5, writer, rounds, &err);
		pn_notes_free(notes);
	}
	pn_repo_free(repo);
	return 0;
}

/* For the ref's lock file, whoever holds it and is not let on. */
static void wait_for_ever(struct scratch *s)
{
	scratch_run(s, "git config core.filesRefLockTimeout -1");
}

/* Who creates the ref second must see the first one's; without the lock. */
static void loses_nothing_when_many_create_the_ref(void **state)
{
	pid_t writers[6];
	unsigned int round, w;
	int status;
	char *text;

	wait_for_ever(*state);
	for (round = 0; round < 3; round++) {
		for (w = 0; w < 6; w++) {
			writers[w] = fork();
			if (!writers[w])
				_exit(add_first(*state, w));
		}
		for (w = 0; w < 6; w++) {
			waitpid(writers[w], &status, 0);
			assert_int_equal(status, 0);
		}
		text = scratch_line(*state, "git notes --ref=perf list | "
					    "wc -l | tr -d ' '");
		assert_string_equal(text, "6");
		free(text);
		scratch_run(*state, "git update-ref -d refs/notes/perf");
	}
}

/* Without the lock, so that compare and swap is on its own. */
static void loses_nothing_among_eight_writers(void **state)
{
	pid_t writers[8];
	unsigned int w;
	int status;
	char *text, all[16];

	snprintf(all, sizeof(all), "%u", 8 * adds());
	wait_for_ever(*state);
	for (w = 0; w < 8; w++) {
		writers[w] = fork();
		if (!writers[w])
			_exit(add(*state, w));
	}
	for (w = 0; w < 8; w++) {
		assert_int_equal(waitpid(writers[w], &status, 0), writers[w]);
		assert_int_equal(status, 0);
	}
	text = scratch_line(*state,
			    "git notes --ref=perf list | cut -c1-40 | "
			    "git cat-file --batch | grep -c '^[0-9]* [0-9]*$'");
	assert_string_equal(text, all);
	free(text);
	text = scratch_line(*state, "git ls-tree -r refs/notes/perf objects/ | "
				    "wc -l | tr -d ' '");
	assert_string_equal(text, all);
	free(text);
	text = scratch_line(*state, "git rev-list --count refs/notes/perf");
	assert_string_equal(text, all);
	free(text);
	scratch_run(*state, "git fsck --strict 2>&1");
}

static void says_which_lock_file_stays_in_the_way(void **state)
{
	struct pn_repo *repo;
	struct pn_notes *notes;
	struct pn_oid id = nth(0);
	struct pn_error err;
	const char *since;
	char *refs;

	scratch_run(*state, "git config core.filesRefLockTimeout 20 && "
			    "mkdir -p .git/refs/notes && "
			    "touch -d '1 hour ago' .git/refs/notes/perf.lock");
	repo = open_repo(*state);
	notes = open_notes(repo);
	pn_notes_stage_note(notes, &id, "a\n", 2, NULL);
	assert_int_equal(pn_notes_commit(notes, "perf: x", &err), PN_ELOCKED);
	assert_non_null(strstr(err.message, ".git/refs/notes/perf.lock"));
	since = strstr(err.message, "since ");
	assert_non_null(since);
	/* an hour, and what a busy machine needs to say so */
	assert_in_range(strtol(since + strlen("since "), NULL, 10), 3600, 3900);
	refs = scratch_sh(*state, "git for-each-ref refs/notes");
	assert_string_equal(refs, "");
	free(refs);
	scratch_run(*state, "rm .git/refs/notes/perf.lock");
	assert_int_equal(pn_notes_reopen(notes, &err), 0);
	pn_notes_stage_note(notes, &id, "a\n", 2, NULL);
	commit(notes);
	close_both(notes, repo);
}

static void refuses_to_write_where_it_cannot(void **state)
{
	unsigned int counts[] = {1, 40}, c, i;

	for (c = 0; c < 2; c++) {
		struct pn_repo *repo = open_repo(*state);
		struct pn_notes *notes = open_notes(repo);
		struct pn_error err;
		char *left;

		/* Even root cannot make folders below a file. */
		scratch_run(*state, "mv .git/objects/pack .git/objects/p; "
				    "touch .git/objects/pack");
		for (i = 0; i < counts[c]; i++) {
			struct pn_oid id = nth(i);

			pn_notes_stage_note(notes, &id, &i, sizeof(i), NULL);
		}
		assert_int_equal(pn_notes_commit(notes, "perf: x", &err),
				 PN_EIO);
		assert_non_null(strstr(err.message, ".git/objects/"));
		left = scratch_sh(*state, "find .git -name 'tmp_*'; "
					  "git for-each-ref refs/notes; "
					  "find .git/objects -size 0 -delete; "
					  "mv .git/objects/p "
					  ".git/objects/pack");
		assert_string_equal(left, "");
		free(left);
		close_both(notes, repo);
	}
}

static void refuses_to_write_without_rights(void **state)
{
	struct pn_repo *repo;
	struct pn_notes *notes;
	struct pn_oid id = nth(0);
	struct pn_error err;

	if (!geteuid())
		skip();
	scratch_run(*state, "chmod -R a-w .git");
	repo = open_repo(*state);
	notes = open_notes(repo);
	pn_notes_stage_note(notes, &id, "a\n", 2, NULL);
	assert_int_equal(pn_notes_commit(notes, "perf: x", &err), PN_EIO);
	close_both(notes, repo);
}

static void follows_a_symbolic_ref(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_notes *notes;
	struct pn_oid id = nth(0);
	char *text;
	int i;

	scratch_run(*state, "git symbolic-ref refs/notes/perf "
			    "refs/notes/real");
	for (i = 0; i < 2; i++) {
		notes = open_notes(repo);
		pn_notes_stage_note(notes, &id, i ? "b\n" : "a\n", 2, NULL);
		commit(notes);
		pn_notes_free(notes);
	}
	text = scratch_sh(*state, "git symbolic-ref refs/notes/perf && "
				  "git rev-list --count refs/notes/real");
	assert_string_equal(text, "refs/notes/real\n2\n");
	free(text);
	pn_repo_free(repo);
}

static void signs_as_git_would(void **state)
{
	is_signed(*state, "git-perf <git-perf@localhost> "
			  "git-perf <git-perf@localhost>");
	scratch_run(*state, "git config user.name U && "
			    "git config user.email u@x");
	is_signed(*state, "U <u@x> U <u@x>");
	scratch_run(*state, "git config committer.name C");
	is_signed(*state, "U <u@x> C <u@x>");
	setenv("GIT_CONFIG_PARAMETERS", "'user.name=P'", 1);
	is_signed(*state, "P <u@x> C <u@x>");
	unsetenv("GIT_CONFIG_PARAMETERS");
	setenv("GIT_AUTHOR_NAME", "A", 1);
	setenv("GIT_COMMITTER_EMAIL", "c@y", 1);
	is_signed(*state, "A <u@x> C <c@y>");
	unsetenv("GIT_AUTHOR_NAME");
	unsetenv("GIT_COMMITTER_EMAIL");
}

static void writes_for_a_shared_repository(void **state)
{
	struct pn_repo *repo;
	struct pn_notes *notes;
	struct pn_oid id = nth(0);
	char *modes;

	/* no folder of packs is there that was made without it */
	scratch_run(*state, "rm -r .git/objects/pack && "
			    "git config core.sharedRepository group && "
			    "rm -rf .git/logs");
	umask(077);
	repo = open_repo(*state);
	notes = open_notes(repo);
	pn_notes_stage_note(notes, &id, "shared\n", 7, NULL);
	commit(notes);
	umask(022);
	modes = scratch_sh(*state, "cd .git/objects && stat -c %%a pack "
				   "pack/pack-70657266*");
	assert_string_equal(modes, "2770\n440\n440\n");
	free(modes);
	close_both(notes, repo);
}

static void writes_from_a_linked_worktree(void **state)
{
	struct scratch side = {0};
	struct pn_repo *repo;
	struct pn_notes *notes;
	struct pn_buf path = {0};
	struct pn_oid id = nth(0);

	scratch_run(*state, "git worktree add -q side");
	pn_buf_printf(&path, "%s/side", ((struct scratch *)*state)->dir);
	side.dir = (char *)path.data;
	repo = open_repo(&side);
	notes = open_notes(repo);
	pn_notes_stage_note(notes, &id, "side\n", 5, NULL);
	commit(notes);
	close_both(notes, repo);
	repo = open_repo(*state);
	notes = open_notes(repo);
	reads(notes, &id, "side\n");
	close_both(notes, repo);
	pn_buf_release(&path);
}

/* A body and a line on each of two clones, united by plain git. */
static void brings_back_what_a_plain_merge_dropped(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_notes *notes = open_notes(repo);
	struct pn_oid first, left, right, id = nth(0);
	struct pn_error err;
	struct pn_buf ids = {0};
	bool has, cut;

	pn_notes_stage_body(&first, notes, "first\n", 6, &err);
	commit(notes);
	scratch_run(*state, "git update-ref refs/notes/other refs/notes/perf");
	pn_notes_stage_body(&left, notes, "left\n", 5, &err);
	pn_notes_stage_note(notes, &id, "left\n", 5, NULL);
	commit(notes);
	assert_int_equal(pn_notes_reanchor(&ids, &cut, notes, &err), 0);
	assert_false(cut);
	assert_int_equal(ids.len, 0);
	scratch_run(*state, "git update-ref refs/notes/left refs/notes/perf && "
			    "git update-ref refs/notes/perf refs/notes/other");
	assert_int_equal(pn_notes_reopen(notes, &err), 0);
	pn_notes_stage_body(&right, notes, "right\n", 6, &err);
	pn_notes_stage_note(notes, &id, "right\n", 6, NULL);
	commit(notes);
	scratch_run(*state, "git notes --ref=perf merge -q -s cat_sort_uniq "
			    "refs/notes/left");
	assert_int_equal(pn_notes_reopen(notes, &err), 0);
	reads(notes, &id, "left\nright\n");
	assert_int_equal(pn_notes_has_body(&has, notes, &left, &err), 0);
	assert_false(has);
	assert_int_equal(pn_notes_reanchor(&ids, &cut, notes, &err), 0);
	assert_false(cut);
	assert_int_equal(ids.len, PN_OID_BYTES);
	assert_memory_equal(ids.data, left.bytes, PN_OID_BYTES);
	pn_buf_clear(&ids);
	commit(notes);
	assert_int_equal(pn_notes_reopen(notes, &err), 0);
	assert_int_equal(pn_notes_has_body(&has, notes, &left, &err), 0);
	assert_true(has);
	assert_int_equal(pn_notes_has_body(&has, notes, &right, &err), 0);
	assert_true(has);
	assert_int_equal(pn_notes_has_body(&has, notes, &first, &err), 0);
	assert_true(has);
	assert_int_equal(pn_notes_reanchor(&ids, &cut, notes, &err), 0);
	assert_false(cut);
	assert_int_equal(ids.len, 0);
	pn_buf_release(&ids);
	close_both(notes, repo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_repo(keeps_bodies_through_gc_push_and_fetch),
		with_repo(says_nothing_when_nothing_changes),
		with_repo(refuses_to_read_a_newer_format),
		with_repo(refuses_to_write_to_too_late_an_epoch),
		with_repo(refuses_a_newer_format_that_came_in_between),
		with_repo(tells_that_another_writer_was_first),
		with_repo(loses_nothing_when_many_create_the_ref),
		with_repo(loses_nothing_among_eight_writers),
		with_repo(says_which_lock_file_stays_in_the_way),
		with_repo(refuses_to_write_where_it_cannot),
		with_repo(refuses_to_write_without_rights),
		with_repo(follows_a_symbolic_ref),
		with_repo(signs_as_git_would),
		with_repo(writes_for_a_shared_repository),
		with_repo(writes_from_a_linked_worktree),
		with_repo(brings_back_what_a_plain_merge_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
