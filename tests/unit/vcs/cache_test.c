/* What is kept of a history in a file, and what becomes of too much of it. */
#include "notes_scratch.h"

#include "base/alloc.h"
#include "vcs/cache/cache.h"
#include "vcs/cache/good.h"
#include "vcs/cache/table.h"

static struct pn_oid name_of(unsigned int number)
{
	struct pn_oid oid = {{0}};

	oid.bytes[0] = (unsigned char)(number * 37);
	memcpy(oid.bytes + 1, &number, sizeof(number));
	return oid;
}

static void put(struct pn_cache *cache, unsigned int number, const char *text)
{
	struct pn_oid oid = name_of(number);

	pn_cache_put(cache, PN_CACHE_NOTE, &oid, text, strlen(text));
}

static void assert_has(struct pn_cache *cache, unsigned int number,
		       const char *text)
{
	struct pn_oid oid = name_of(number);
	size_t len;
	const void *value = pn_cache_find(&len, cache, PN_CACHE_NOTE, &oid);

	assert_int_equal(len, strlen(text));
	if (*text)
		assert_memory_equal(value, text, len);
	else
		assert_null(value);
}

static void keeps_values_for_the_next_process(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_cache *cache = pn_cache_open(repo, PN_CACHE_HISTORY);
	struct pn_oid oid = name_of(1);
	size_t len;

	assert_has(cache, 1, "");
	put(cache, 1, "one");
	put(cache, 2, "twotwotwo");
	assert_has(cache, 1, "one");
	pn_cache_close(cache);
	cache = pn_cache_open(repo, PN_CACHE_HISTORY);
	assert_has(cache, 1, "one");
	assert_has(cache, 2, "twotwotwo");
	assert_has(cache, 3, "");
	assert_null(pn_cache_find(&len, cache, PN_CACHE_COMMIT, &oid));
	put(cache, 2, "other");
	assert_has(cache, 2, "other");
	put(cache, 3, "three");
	pn_cache_close(cache);
	cache = pn_cache_open(repo, PN_CACHE_HISTORY);
	assert_has(cache, 1, "one");
	assert_has(cache, 2, "other");
	assert_has(cache, 3, "three");
	pn_cache_close(cache);
	pn_repo_free(repo);
}

/* "0123..." of each length up to 2,000: a file of 2 MB, and each value in it.
 */
static void keeps_values_of_all_lengths(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_cache *cache = pn_cache_open(repo, PN_CACHE_HISTORY);
	const unsigned int longest = 2000;
	char text[2001];
	unsigned int i, round;

	for (i = 0; i < longest; i++)
		text[i] = (char)('0' + i % 10);
	for (round = 0; round < 2; round++) {
		for (i = 1; i <= longest; i++) {
			text[i] = '\0';
			if (!round)
				put(cache, i, text);
			assert_has(cache, i, text);
			text[i] = (char)('0' + i % 10);
		}
		pn_cache_close(cache);
		cache = pn_cache_open(repo, PN_CACHE_HISTORY);
	}
	assert_has(cache, longest + 1, "");
	pn_cache_close(cache);
	pn_repo_free(repo);
}

#define LARGE (256u << 10)
#define FIT (PN_CACHE_MAX / LARGE)

static void put_large(struct pn_cache *cache, unsigned int from,
		      unsigned int to)
{
	char *value = malloc(LARGE);
	unsigned int i;

	memset(value, 'x', LARGE - 1);
	value[LARGE - 1] = '\0';
	for (i = from; i < to; i++)
		put(cache, i, value);
	free(value);
}

static unsigned int count(struct pn_cache *cache, unsigned int from,
			  unsigned int to)
{
	unsigned int i, n = 0;
	size_t len;

	for (i = from; i < to; i++) {
		struct pn_oid oid = name_of(i);

		n += pn_cache_find(&len, cache, PN_CACHE_NOTE, &oid) != NULL;
	}
	return n;
}

/* Values of a 64th of the file each: what one process puts fits but for the
 * last, and what another one does not use goes first. */
static void is_bounded(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_cache *cache = pn_cache_open(repo, PN_CACHE_HISTORY);

	put_large(cache, 0, 2 * FIT);
	assert_int_equal(count(cache, 0, 2 * FIT), FIT - 1);
	pn_cache_close(cache);
	cache = pn_cache_open(repo, PN_CACHE_HISTORY);
	assert_int_equal(count(cache, 0, 4), 4);
	put_large(cache, 1000, 1000 + FIT / 2);
	pn_cache_close(cache);
	cache = pn_cache_open(repo, PN_CACHE_HISTORY);
	assert_int_equal(count(cache, 0, 4), 4);
	assert_int_equal(count(cache, 1000, 1000 + FIT / 2), FIT / 2);
	assert_int_equal(count(cache, 0, 2 * FIT), FIT / 2 - 1);
	pn_cache_close(cache);
	pn_repo_free(repo);
}

static bool has(struct pn_repo *repo, unsigned int number)
{
	struct pn_good *good = pn_good_open(repo);
	struct pn_oid oid = name_of(number);
	bool found = pn_good_has(good, &oid);

	pn_good_close(good);
	return found;
}

static void add_good(struct pn_repo *repo, unsigned int from, unsigned int to)
{
	struct pn_oid *blobs = pn_calloc(to - from, sizeof(*blobs));
	unsigned int i;

	for (i = from; i < to; i++)
		blobs[i - from] = name_of(i);
	pn_good_add(repo, blobs, to - from);
	free(blobs);
}

static void lists_good_blobs(void **state)
{
	struct pn_repo *repo = open_repo(*state);

	assert_false(has(repo, 1));
	add_good(repo, 1, 3);
	add_good(repo, 3, 4);
	assert_true(has(repo, 1));
	assert_true(has(repo, 2));
	assert_true(has(repo, 3));
	assert_false(has(repo, 4));
	/* cut in the third id: it is lost, and what comes is not */
	scratch_run(*state, "truncate -s 53 .git/perf/cache/good");
	add_good(repo, 5, 6);
	assert_true(has(repo, 2));
	assert_false(has(repo, 3));
	assert_true(has(repo, 5));
	pn_repo_free(repo);
}

/* 1000 ids are worth 7.8 questions. */
static void reads_a_long_list_when_it_pays(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_oid oid = name_of(77);
	struct pn_good *good;
	int i;

	add_good(repo, 0, 1000);
	good = pn_good_open(repo);
	for (i = 0; i < 7; i++)
		assert_false(pn_good_has(good, &oid));
	assert_true(pn_good_has(good, &oid));
	oid = name_of(1000);
	assert_false(pn_good_has(good, &oid));
	pn_good_close(good);
	pn_repo_free(repo);
}

static void knows_the_newest_at_once(void **state)
{
	struct pn_repo *repo = open_repo(*state);

	add_good(repo, 0, 1000);
	assert_true(has(repo, 999));
	assert_true(has(repo, 990));
	assert_false(has(repo, 1000));
	assert_false(has(repo, 900));
	pn_repo_free(repo);
}

static void a_full_list_begins_anew(void **state)
{
	struct pn_repo *repo = open_repo(*state);

	add_good(repo, 1, 2);
	scratch_run(*state, "truncate -s %zu .git/perf/cache/good",
		    (size_t)PN_GOOD_MAX * PN_OID_BYTES);
	add_good(repo, 2, 3);
	assert_false(has(repo, 1));
	assert_true(has(repo, 2));
	scratch_run(*state, "test $(wc -c <.git/perf/cache/good) = 20");
	pn_repo_free(repo);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_repo, scratch_close)
	const struct CMUnitTest tests[] = {
		TEST(keeps_values_for_the_next_process),
		TEST(keeps_values_of_all_lengths),
		TEST(is_bounded),
		TEST(lists_good_blobs),
		TEST(reads_a_long_list_when_it_pays),
		TEST(knows_the_newest_at_once),
		TEST(a_full_list_begins_anew),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
