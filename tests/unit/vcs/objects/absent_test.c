/* Objects that are certainly not there; git made those that are. */
#include "scratch.h"

#include "vcs/objects/absent.h"
#include "vcs/objects/stored.h"

/* Blobs "1\n" to "40\n" in a pack, "41\n" in a file. */
static struct pn_repo *make_repo(struct scratch *s)
{
	struct pn_repo *repo;
	struct pn_error err;

	free(scratch_sh(s, "for i in $(seq 40); do echo $i | "
			   "git hash-object -w --stdin; done | "
			   "git pack-objects -q .git/objects/pack/pack && "
			   "git prune-packed && "
			   "echo 41 | git hash-object -w --stdin"));
	if (pn_repo_open(&repo, s->dir, &err))
		fail_msg("%s", err.message);
	return repo;
}

static struct pn_oid name_of(struct scratch *s, int number)
{
	char *hex = scratch_sh(s, "echo %d | git hash-object --stdin", number);
	struct pn_oid id;

	assert_int_equal(pn_oid_parse(&id, hex), 0);
	free(hex);
	return id;
}

static bool is_absent(struct pn_repo *repo, struct scratch *s, int number)
{
	struct pn_oid id = name_of(s, number);

	return pn_absent_is(repo, &id);
}

static void knows_what_packs_and_files_have(void **state)
{
	struct pn_repo *repo = make_repo(*state);
	int i;

	for (i = 1; i <= 41; i++)
		assert_false(is_absent(repo, *state, i));
	for (; i <= 80; i++)
		assert_true(is_absent(repo, *state, i));
	pn_repo_free(repo);
}

/* Twice: of many in a folder its list is asked. */
static void knows_it_however_often_it_is_asked(void **state)
{
	struct pn_repo *repo = make_repo(*state);

	assert_true(is_absent(repo, *state, 80));
	assert_true(is_absent(repo, *state, 80));
	assert_false(is_absent(repo, *state, 41));
	assert_false(is_absent(repo, *state, 41));
	pn_repo_free(repo);
}

static void knows_of_new_packs_when_it_looks_anew(void **state)
{
	struct pn_repo *repo = make_repo(*state);

	assert_true(is_absent(repo, *state, 80));
	scratch_run(*state, "echo 80 | git hash-object -w --stdin | "
			    "git pack-objects -q .git/objects/pack/pack && "
			    "git prune-packed");
	pn_stored_refresh(repo);
	assert_false(is_absent(repo, *state, 80));
	assert_false(is_absent(repo, *state, 1));
	pn_repo_free(repo);
}

static void is_certain_of_nothing_with_alternates(void **state)
{
	struct pn_repo *repo;

	free(scratch_sh(*state, "git init -q --bare other.git && "
				"echo $PWD/other.git/objects "
				">.git/objects/info/alternates"));
	repo = make_repo(*state);
	assert_false(is_absent(repo, *state, 80));
	pn_repo_free(repo);
}

/* `how` gets the index as $f. */
static void is_certain_of_nothing_after(struct scratch *s, const char *how)
{
	struct pn_repo *repo = make_repo(s);

	free(scratch_sh(
		s, "f=$(echo .git/objects/pack/*.idx); chmod u+w $f; %s", how));
	assert_false(is_absent(repo, s, 80));
	pn_repo_free(repo);
}

static void is_certain_of_nothing_behind_an_index_that_was_cut(void **state)
{
	is_certain_of_nothing_after(*state, "head -c 1500 $f >x; cat x >$f");
}

static void is_certain_of_nothing_behind_an_empty_index(void **state)
{
	is_certain_of_nothing_after(*state, ": >$f");
}

static void is_certain_of_nothing_behind_an_index_of_version_1(void **state)
{
	is_certain_of_nothing_after(
		*state, "git index-pack --index-version=1 -o x "
			"${f%%.idx}.pack && chmod u+w $f && cat x >$f");
}

/* Of 2^32 - 1 names in each of the counts. */
static void is_certain_of_nothing_behind_counts_beyond_the_end(void **state)
{
	is_certain_of_nothing_after(*state,
				    "{ head -c 8 $f; head -c 1024 /dev/zero | "
				    "tr '\\0' '\\377'; tail -c +1033 $f; } >x; "
				    "cat x >$f");
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_repo, scratch_close)
	const struct CMUnitTest tests[] = {
		TEST(knows_what_packs_and_files_have),
		TEST(knows_it_however_often_it_is_asked),
		TEST(knows_of_new_packs_when_it_looks_anew),
		TEST(is_certain_of_nothing_with_alternates),
		TEST(is_certain_of_nothing_behind_an_index_that_was_cut),
		TEST(is_certain_of_nothing_behind_an_empty_index),
		TEST(is_certain_of_nothing_behind_an_index_of_version_1),
		TEST(is_certain_of_nothing_behind_counts_beyond_the_end)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
