/* Objects of packs, read ahead; git made them and says what they hold. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "notes_scratch.h"

#include "vcs/git.h"
#include "vcs/objects/packed_ahead.h"
#include "vcs/objects/stored.h"

#include <dlfcn.h>

#define COUNT 150
#define LIMIT 100000

/* Blobs that differ in a line: "line 1" to "line 40" and their number, most of
 * them deltas; refs/v1 to refs/vCOUNT. */
static void make_blobs(struct scratch *s)
{
	scratch_run(s,
		    "for i in $(seq %d); do "
		    "echo blob; echo \"mark :$i\"; "
		    "{ seq 40 | sed 's/^/line /'; echo $i; } >t; "
		    "echo \"data $(wc -c <t)\"; cat t; done >in; "
		    "git fast-import --quiet --export-marks=m <in; "
		    "sed 's/^:\\([0-9]*\\) \\(.*\\)/"
		    "create refs\\/v\\1 \\2/' m | git update-ref --stdin; "
		    "git repack -q -a -d -f --depth=4",
		    COUNT);
}

static void find_ids(struct pn_oid ids[COUNT], struct scratch *s)
{
	char *text = scratch_sh(s,
				"for i in $(seq %d); do echo refs/v$i; done | "
				"git cat-file --batch-check='%%(objectname)'",
				COUNT);
	size_t i;

	assert_int_equal(strlen(text), COUNT * (PN_OID_HEX + 1));
	for (i = 0; i < COUNT; i++)
		assert_int_equal(
			pn_oid_parse(&ids[i], text + i * (PN_OID_HEX + 1)), 0);
	free(text);
}

/* ids[i] is the blob of number i + 1. */
static void is_read(struct pn_repo *repo, const struct pn_oid *ids, size_t i)
{
	struct pn_buf want = {0};
	struct pn_stored object = {0};
	size_t line;

	for (line = 1; line <= 40; line++)
		pn_buf_printf(&want, "line %zu\n", line);
	pn_buf_printf(&want, "%zu\n", i + 1);
	assert_true(
		pn_packed_read(&object, repo, &ids[i], GIT_OBJECT_BLOB, LIMIT));
	assert_int_equal(object.len, want.len);
	assert_memory_equal(object.bytes, want.data, want.len);
	pn_stored_release(&object);
	pn_buf_release(&want);
}

static void reads_what_was_expected_and_what_was_not(void **state)
{
	struct pn_repo *repo;
	struct pn_oid ids[COUNT];
	size_t i;

	make_blobs(*state);
	find_ids(ids, *state);
	repo = open_repo(*state);
	is_read(repo, ids, 0); /* a pack is looked into that is open */
	pn_packed_expect(repo, ids, COUNT / 2);
	for (i = 0; i < COUNT; i++)
		is_read(repo, ids, i);
	/* others, twice, in another order, and before they are asked for */
	pn_packed_expect(repo, ids + COUNT / 2, COUNT / 2);
	pn_packed_expect(repo, ids + 1, COUNT / 2);
	for (i = COUNT; i--;)
		is_read(repo, ids, i);
	pn_packed_expect(repo, ids, COUNT);
	pn_packed_refresh(&repo->packed);
	is_read(repo, ids, 7);
	pn_packed_expect(repo, ids, COUNT);
	pn_repo_free(repo);
}

/* So often it is tried, a thousandth of a second each. */
#define TRIES 20000

/* Where there is a second processor some are there before their turn. */
static void inflates_before_it_is_asked(void **state)
{
	static const struct timespec short_while = {0, 1000000};
	struct pn_packed_entry entry;
	struct pn_repo *repo;
	struct pn_oid ids[COUNT];
	size_t found = 0, i, tries;

	make_blobs(*state);
	find_ids(ids, *state);
	repo = open_repo(*state);
	is_read(repo, ids, 0);
	for (tries = 0; !found && tries < TRIES; tries++) {
		pn_packed_expect(repo, ids, COUNT);
		nanosleep(&short_while, NULL);
		for (i = 0; i < COUNT; i++) {
			if (!pn_packed_ahead_find(&entry, repo->packed.ahead,
						  &ids[i]))
				continue;
			assert_non_null(entry.inflated);
			assert_int_equal(entry.inflated->len, entry.size);
			found++;
		}
	}
	assert_true(found || sysconf(_SC_NPROCESSORS_ONLN) < 2);
	pn_repo_free(repo);
}

/* What the test below frees. */
static struct pn_repo *going;

/* libgit2's, by which pn_repo_free begins with what a thread may look at. */
void git_repository_free(git_repository *git)
{
	void (*real)(git_repository * git) = NULL;

	*(void **)&real = dlsym(RTLD_NEXT, "git_repository_free");
	assert_true(!going || !going->packed.ahead);
	real(git);
}

/* It looks for packs by the paths of the repository. */
static void ends_before_the_repository(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_oid ids[COUNT] = {{{0}}};
	size_t i;

	for (i = 0; i < COUNT; i++)
		ids[i].bytes[0] = (unsigned char)i;
	pn_packed_expect(repo, ids, COUNT);
	assert_non_null(repo->packed.ahead);
	going = repo;
	pn_repo_free(repo);
	going = NULL;
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_repo, scratch_close)
	const struct CMUnitTest tests[] = {
		TEST(reads_what_was_expected_and_what_was_not),
		TEST(inflates_before_it_is_asked),
		TEST(ends_before_the_repository)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
