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
	assert_int_equal(pn_notes_staged_bytes(one), 4 + 4);
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

static int by_id(const void *a, const void *b)
{
	return pn_oid_cmp(a, b);
}

/* In order, as a large batch does; with `slice` they are settled each time that
 * so many are staged. The tree that they become is the caller's. */
static char *write_ids(struct scratch *s, const char *ref, const char *text,
		       const struct pn_oid *ids, size_t count, size_t slice)
{
	struct pn_repo *repo = open_repo(s);
	struct pn_notes *notes;
	struct pn_error err;
	size_t i;

	assert_int_equal(pn_notes_open(&notes, repo, ref, &err), 0);
	for (i = 0; i < count; i++) {
		assert_int_equal(pn_notes_stage_note(notes, &ids[i], text,
						     strlen(text), &err),
				 0);
		if (slice && i % slice == slice - 1)
			assert_int_equal(pn_notes_settle(notes, &err), 0);
	}
	commit(notes);
	close_both(notes, repo);
	return scratch_line(s, "git rev-parse '%s^{tree}'", ref);
}

#define MANY 12000

static void settles_to_the_same_tree(struct scratch *s, const char *text,
				     const struct pn_oid *ids, size_t count)
{
	char *whole = write_ids(s, "refs/notes/whole", text, ids, count, 0);
	char *parts = write_ids(s, "refs/notes/parts", text, ids, count, 5000);

	assert_string_equal(parts, whole);
	free(whole);
	free(parts);
	scratch_run(s,
		    "git fsck --strict && "
		    "test $(git notes --ref=parts list | wc -l) = %d",
		    MANY);
}

static void settles_many_notes_to_the_same_tree(void **state)
{
	struct pn_oid *ids = pn_calloc(MANY, sizeof(*ids));
	unsigned int i;

	for (i = 0; i < MANY; i++)
		ids[i] = nth(i);
	qsort(ids, MANY, sizeof(*ids), by_id);
	settles_to_the_same_tree(*state, "one\n", ids, MANY);
	/* upon those that are there */
	settles_to_the_same_tree(*state, "two\n", ids, MANY / 2);
	free(ids);
}

/* There is one first digit, so that nothing is split in the end. */
static void settles_many_notes_of_one_digit_to_the_same_tree(void **state)
{
	struct pn_oid *ids = pn_calloc(MANY, sizeof(*ids));
	unsigned int i;

	for (i = 0; i < MANY; i++) {
		ids[i] = nth(i);
		ids[i].bytes[0] = 0xa0 | (ids[i].bytes[0] & 15);
	}
	qsort(ids, MANY, sizeof(*ids), by_id);
	settles_to_the_same_tree(*state, "one\n", ids, MANY);
	scratch_run(*state, "test $(git ls-tree refs/notes/parts | wc -l) = %d",
		    MANY + 1); /* and the file "format" */
	free(ids);
}

/* The folders that are complete do not stay in memory: they are in the pack. */
static void writes_folders_before_the_commit(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_notes *notes = open_notes(repo);
	struct pn_oid *ids = pn_calloc(MANY, sizeof(*ids));
	struct pn_error err;
	unsigned int i;

	for (i = 0; i < MANY; i++)
		ids[i] = nth(i);
	qsort(ids, MANY, sizeof(*ids), by_id);
	for (i = 0; i < MANY; i++)
		pn_notes_stage_note(notes, &ids[i], "one\n", 4, NULL);
	assert_int_equal(pn_notes_settle(notes, &err), 0);
	/* one for each first byte but the last */
	scratch_run(*state, "test $(git cat-file --batch-all-objects "
			    "--batch-check='%%(objecttype)' | grep -c tree) "
			    "-ge 255");
	for (i = 0; i < MANY; i += 1000)
		reads(notes, &ids[i], "one\n");
	commit(notes);
	free(ids);
	close_both(notes, repo);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_repo, scratch_close)
	const struct CMUnitTest tests[] = {
		TEST(keeps_what_was_settled_when_another_writer_was_first),
		TEST(leaves_nothing_of_what_was_settled_without_a_commit),
		TEST(settles_many_notes_to_the_same_tree),
		TEST(settles_many_notes_of_one_digit_to_the_same_tree),
		TEST(writes_folders_before_the_commit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
