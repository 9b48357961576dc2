/* Notes that do not fit into memory: written in parts, then one commit. */
#include "notes_scratch.h"

static int count_packs(struct scratch *s, const char *end)
{
	char *count = scratch_line(
		s, "find .git/objects/pack -name '*.%s' | wc -l", end);
	int n = (int)strtol(count, NULL, 10);

	free(count);
	return n;
}

/* What does not fit into memory is written before the commit, and by it. */
static void keeps_what_was_settled_when_another_writer_was_first(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_notes *one = open_notes(repo), *two = open_notes(repo);
	struct pn_oid id = nth(0), other = nth(1), later = nth(2), body;
	struct pn_error err;
	bool has;

	pn_notes_stage_note(one, &id, "one\n", 4, NULL);
	assert_int_equal(pn_notes_stage_body(&body, one, "body", 4, &err), 0);
	assert_int_equal(pn_notes_staged_bytes(one), 4);
	assert_int_equal(pn_notes_settle(one, &err), 0);
	assert_int_equal(pn_notes_staged_bytes(one), 0);
	reads(one, &id, "one\n");
	pn_notes_stage_note(one, &later, "later\n", 6, NULL);
	pn_notes_stage_note(two, &other, "two\n", 4, NULL);
	commit(two);
	assert_int_equal(pn_notes_commit(one, "perf: x", &err), PN_ECONFLICT);
	assert_int_equal(pn_notes_reopen(one, &err), 0);
	reads(one, &id, "");
	pn_notes_stage_note(one, &id, "one\n", 4, NULL);
	assert_int_equal(pn_notes_settle(one, &err), 0);
	commit(one);
	assert_int_equal(count_packs(*state, "keep"), 0);
	pn_notes_free(one);
	assert_int_equal(pn_notes_reopen(two, &err), 0);
	reads(two, &id, "one\n");
	reads(two, &other, "two\n");
	reads(two, &later, "");
	assert_int_equal(pn_notes_has_body(&has, two, &body, &err), 0);
	assert_true(has);
	scratch_run(*state, "git repack -adq && git fsck --strict");
	close_both(two, repo);
}

static void leaves_nothing_of_what_was_settled_without_a_commit(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_notes *notes = open_notes(repo);
	struct pn_oid id = nth(0), body;
	struct pn_error err;

	assert_int_equal(pn_notes_stage_body(&body, notes, "body", 4, &err), 0);
	assert_int_equal(pn_notes_settle(notes, &err), 0);
	pn_notes_stage_note(notes, &id, "one\n", 4, NULL);
	assert_int_equal(pn_notes_settle(notes, &err), 0);
	assert_int_equal(count_packs(*state, "pack"), 2);
	assert_int_equal(count_packs(*state, "keep"), 2);
	pn_notes_free(notes);
	scratch_run(*state, "test -z \"$(ls .git/objects/pack)\"");
	/* a settled note alone is a commit */
	notes = open_notes(repo);
	pn_notes_stage_note(notes, &id, "one\n", 4, NULL);
	assert_int_equal(pn_notes_settle(notes, &err), 0);
	commit(notes);
	reads(notes, &id, "one\n");
	scratch_run(*state, "git fsck --strict");
	close_both(notes, repo);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_repo, scratch_close)
	const struct CMUnitTest tests[] = {
		TEST(keeps_what_was_settled_when_another_writer_was_first),
		TEST(leaves_nothing_of_what_was_settled_without_a_commit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
