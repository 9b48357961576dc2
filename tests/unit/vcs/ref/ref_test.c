/* Moving the notes' ref in the states that git leaves it in: what git reads
 * of the ref and of its reflog afterwards. */
#include "notes_scratch.h"

#include "vcs/notes/stage.h"
#include "vcs/ref/ref.h"

#include <sys/stat.h>

/* One more commit on the notes. */
static void move(struct scratch *s)
{
	struct pn_repo *repo = open_repo(s);
	struct pn_notes *notes = open_notes(repo);
	struct pn_oid id = nth(0);
	struct pn_buf text = {0};
	struct pn_error err;

	assert_int_equal(pn_notes_read(&text, notes, &id, &err), 0);
	pn_buf_add_byte(&text, 'x');
	pn_notes_stage_note(notes, &id, text.data, text.len, NULL);
	commit(notes);
	pn_buf_release(&text);
	close_both(notes, repo);
}

/* What the command prints, without the last line feed. */
static void prints(struct scratch *s, const char *want, const char *command)
{
	char *text = scratch_line(s, "%s", command);

	assert_string_equal(text, want);
	free(text);
}

#define COUNT_LOG "git reflog show refs/notes/perf | wc -l | tr -d ' '"
#define SAME_LAST                                                              \
	"test \"$(tail -n 1 .git/logs/refs/notes/perf | cut -c 1-81)\" = "     \
	"\"$(git rev-parse refs/notes/perf^ refs/notes/perf | tr '\\n' ' ' | " \
	"cut -c 1-81)\" && git fsck --strict >&2 && echo same"

static void writes_the_reflog_that_git_reads(void **state)
{
	int i;

	for (i = 0; i < 3; i++)
		move(*state);
	prints(*state, "3", COUNT_LOG);
	prints(*state, "same", SAME_LAST);
	prints(*state, "same",
	       "test $(git rev-parse refs/notes/perf@{2}) = "
	       "$(git rev-parse refs/notes/perf~2) && echo same");
	prints(*state, "perf: test",
	       "git reflog -1 --format=%gs refs/notes/perf");
}

static void moves_a_packed_ref(void **state)
{
	int i;

	for (i = 0; i < 2; i++) {
		move(*state);
		move(*state);
		scratch_run(*state, "git pack-refs --all --prune");
	}
	move(*state);
	prints(*state, "5", COUNT_LOG);
	prints(*state, "same", SAME_LAST);
}

static void follows_a_symbolic_ref(void **state)
{
	scratch_run(*state, "git symbolic-ref refs/notes/perf refs/notes/own");
	move(*state);
	move(*state);
	prints(*state, "refs/notes/own", "git symbolic-ref refs/notes/perf");
	prints(*state, "2", "git rev-list --count refs/notes/own");
	prints(*state, "2", "git reflog show refs/notes/own | wc -l");
}

static void keeps_no_reflog_that_is_not_wanted(void **state)
{
	scratch_run(*state, "git config core.logAllRefUpdates false");
	move(*state);
	move(*state);
	prints(*state, "none", "test -e .git/logs/refs/notes || echo none");
	scratch_run(*state, "git config core.logAllRefUpdates always");
	move(*state);
	prints(*state, "1", COUNT_LOG);
	/* one that is there goes on, git-config(1) or not */
	scratch_run(*state, "git config core.logAllRefUpdates false");
	move(*state);
	prints(*state, "2", COUNT_LOG);
	prints(*state, "same", SAME_LAST);
}

static void keeps_no_reflog_in_a_bare_repository(void **state)
{
	scratch_run(*state, "git config core.bare true && "
			    "git config --unset core.logAllRefUpdates");
	move(*state);
	move(*state);
	prints(*state, "none", "test -e .git/logs/refs/notes || echo none");
	prints(*state, "2",
	       "git --git-dir=.git rev-list --count "
	       "refs/notes/perf");
}

static void tells_the_log_of_a_head_that_stands_there(void **state)
{
	move(*state);
	scratch_run(*state, "git symbolic-ref HEAD refs/notes/perf && "
			    "rm -f .git/logs/HEAD && : >.git/logs/HEAD");
	move(*state);
	move(*state);
	prints(*state, "2", "wc -l <.git/logs/HEAD | tr -d ' '");
	prints(*state, "3", COUNT_LOG);
}

static void shares_the_ref_as_configured(void **state)
{
	move(*state);
	prints(*state, "644", "stat -c %a .git/refs/notes/perf");
	scratch_run(*state, "git config core.sharedRepository group");
	move(*state);
	prints(*state, "664", "stat -c %a .git/refs/notes/perf");
	scratch_run(*state, "git config core.sharedRepository 0640");
	move(*state);
	prints(*state, "640", "stat -c %a .git/refs/notes/perf");
}

static void leaves_nothing_beside_the_ref(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_notes *notes = open_notes(repo), *other = open_notes(repo);
	struct pn_oid id = nth(1);
	struct pn_error err;
	int i;

	for (i = 0; i < 2; i++) { /* the ref is made first, then moved */
		pn_notes_stage_note(notes, &id, "one\n", 3u + i, NULL);
		commit(notes);
		pn_notes_stage_note(other, &id, "two\n", 4, NULL);
		assert_int_equal(pn_notes_commit(other, "perf: x", &err),
				 PN_ECONFLICT);
		assert_int_equal(pn_notes_reopen(other, &err), 0);
	}
	prints(*state, "perf", "ls .git/refs/notes");
	prints(*state, "2", COUNT_LOG);
	pn_notes_free(other);
	close_both(notes, repo);
}

/* Who waited for the lock file before it wrote objects waits no second time,
 * and what an attempt itself takes counts: git has a wait of its own. */
static void waits_for_a_lock_file_once(void **state)
{
	struct pn_oid to = nth(0);
	struct pn_notes *notes;
	struct pn_repo *repo;
	int64_t waited_us = 0;
	struct pn_error err;

	move(*state);
	scratch_run(*state, "git config core.filesRefLockTimeout 20 && "
			    "touch .git/refs/notes/perf.lock");
	repo = open_repo(*state);
	assert_int_equal(pn_ref_wait(&waited_us, repo, PN_NOTES_REF, &err),
			 PN_ELOCKED);
	assert_true(waited_us >= 20000);
	pn_repo_free(repo);

	/* an hour */
	scratch_run(*state, "git config core.filesRefLockTimeout 3600000");
	repo = open_repo(*state);
	notes = open_notes(repo);
	waited_us = 3600000000;
	assert_int_equal(pn_ref_wait(&waited_us, repo, PN_NOTES_REF, &err),
			 PN_ELOCKED);
	assert_int_equal(pn_ref_move(&waited_us, repo, PN_NOTES_REF,
				     pn_notes_tip(notes), &to,
				     "A <a@b> 1 +0000", "x", &err),
			 PN_ELOCKED);
	close_both(notes, repo);
	scratch_run(*state, "rm .git/refs/notes/perf.lock");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_repo(writes_the_reflog_that_git_reads),
		with_repo(moves_a_packed_ref),
		with_repo(follows_a_symbolic_ref),
		with_repo(keeps_no_reflog_that_is_not_wanted),
		with_repo(keeps_no_reflog_in_a_bare_repository),
		with_repo(tells_the_log_of_a_head_that_stands_there),
		with_repo(shares_the_ref_as_configured),
		with_repo(leaves_nothing_beside_the_ref),
		with_repo(waits_for_a_lock_file_once),
	};

	umask(022);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
