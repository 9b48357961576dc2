/* Texts of notes that are kept as they were written. */
#include "notes_scratch.h"

#include "base/alloc.h"
#include "vcs/cache/recent.h"

#include <sys/stat.h>
#include <unistd.h>

#define FILE_NAME ".git/perf/cache/recent"
#define VERSION 8 /* bytes at the beginning, ... */
#define HEAD 32	  /* ... and before each text */

static struct pn_oid name_of(unsigned int number)
{
	struct pn_oid oid = {{0}};

	oid.bytes[0] = (unsigned char)(number * 37);
	memcpy(oid.bytes + 1, &number, sizeof(number));
	return oid;
}

static void add(struct pn_repo *repo, unsigned int number, const char *text)
{
	struct pn_recent_text one = {name_of(number), text, strlen(text)};

	pn_recent_add(repo, &one, 1);
}

/* Of a short file: it is read at the first question. */
static void assert_text(struct pn_repo *repo, unsigned int number,
			const char *text)
{
	struct pn_recent *recent = pn_recent_open(repo);
	struct pn_oid oid = name_of(number);
	size_t len;
	const char *found = pn_recent_find(&len, recent, &oid);

	if (!text) {
		assert_null(found);
	} else {
		assert_non_null(found);
		assert_int_equal(len, strlen(text));
		assert_memory_equal(found, text, len);
	}
	pn_recent_close(recent);
}

static void keeps_texts_for_the_next_process(void **state)
{
	struct pn_repo *repo = open_repo(*state);

	assert_text(repo, 1, NULL);
	add(repo, 1, "one\n");
	add(repo, 2, "twotwotwo\n");
	add(repo, 3, "");
	add(repo, 4, "12345678");
	assert_text(repo, 1, "one\n");
	assert_text(repo, 2, "twotwotwo\n");
	assert_text(repo, 3, NULL);
	assert_text(repo, 4, "12345678");
	assert_text(repo, 5, NULL);
	pn_repo_free(repo);
}

/* 8, 40, 48 and 40 bytes: what is cut within the second hides nothing else. */
static void goes_on_behind_a_cut(void **state)
{
	struct pn_repo *repo = open_repo(*state);

	add(repo, 1, "one\n");
	add(repo, 2, "twotwotwo\n");
	scratch_run(*state, "test $(wc -c <" FILE_NAME ") = 96");
	scratch_run(*state, "truncate -s 69 " FILE_NAME);
	add(repo, 3, "three\n");
	scratch_run(*state, "test $(wc -c <" FILE_NAME ") = 112");
	assert_text(repo, 1, "one\n");
	assert_text(repo, 2, NULL);
	assert_text(repo, 3, "three\n");
	pn_repo_free(repo);
}

/* Each bit of a file of two: the other one is as it was, and what is found of
 * the damaged one is what was written. */
static void finds_nothing_damaged(void **state)
{
	struct scratch *s = *state;
	struct pn_repo *repo = open_repo(s);
	const struct pn_oid second = name_of(2);
	struct pn_recent *recent;
	const char *found;
	char path[4096];
	size_t bit, len;
	FILE *file;
	int byte;

	add(repo, 1, "one\n");
	add(repo, 2, "two\n");
	snprintf(path, sizeof(path), "%s/" FILE_NAME, s->dir);
	file = fopen(path, "r+b");
	assert_non_null(file);
	setvbuf(file, NULL, _IONBF, 0);
	/* up to the zeros behind the second text, which nobody reads */
	for (bit = 0; bit < (VERSION + 40 + HEAD + 4) * 8; bit++) {
		if (bit == VERSION * 8)
			bit = (VERSION + 40) * 8;
		fseek(file, (long)(bit / 8), SEEK_SET);
		byte = fgetc(file);
		fseek(file, (long)(bit / 8), SEEK_SET);
		fputc(byte ^ 1 << bit % 8, file);
		assert_text(repo, 1, bit < VERSION * 8 ? NULL : "one\n");
		recent = pn_recent_open(repo);
		found = pn_recent_find(&len, recent, &second);
		if (found)
			fail_msg("bit %zu", bit);
		pn_recent_close(recent);
		fseek(file, (long)(bit / 8), SEEK_SET);
		fputc(byte, file);
	}
	fclose(file);
	assert_text(repo, 2, "two\n");
	pn_repo_free(repo);
}

/* `count` texts of `len` bytes at once. */
static void add_many(struct pn_repo *repo, unsigned int from,
		     unsigned int count, size_t len)
{
	struct pn_recent_text *texts = pn_calloc(count, sizeof(*texts));
	char *text = pn_malloc(len);
	unsigned int i;

	memset(text, 'x', len);
	for (i = 0; i < count; i++)
		texts[i] =
			(struct pn_recent_text){name_of(from + i), text, len};
	pn_recent_add(repo, texts, count);
	free(texts);
	free(text);
}

static bool has(struct pn_recent *recent, unsigned int number)
{
	struct pn_oid oid = name_of(number);
	size_t len;

	return pn_recent_find(&len, recent, &oid) != NULL;
}

/* A text of 4,064 takes 4,096 bytes: 256 of them are 1 MB, 16 times that is
 * two blocks of 8 bytes more than there is room for. Who has the file open
 * keeps what was in it. */
static void a_full_file_begins_anew(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_recent *before, *after;
	unsigned int i;

	for (i = 0; i < 15; i++)
		add_many(repo, 256 * i, 256, 4064);
	scratch_run(*state, "test $(wc -c <" FILE_NAME ") = %zu",
		    VERSION + ((size_t)15 << 20));
	before = pn_recent_open(repo);
	add_many(repo, 256 * 15, 256, 4064);
	scratch_run(*state, "test $(wc -c <" FILE_NAME ") = %zu",
		    VERSION + ((size_t)1 << 20));
	after = pn_recent_open(repo);
	/* 16 MB are worth 120 questions of 1/8 of the longest text, 64 times */
	for (i = 0; i < 1024; i++) {
		has(before, UINT32_MAX);
		has(after, UINT32_MAX);
	}
	assert_true(has(before, 0));
	assert_true(has(before, 256 * 15 - 1));
	assert_false(has(before, 256 * 15));
	assert_false(has(after, 0));
	assert_true(has(after, 256 * 15));
	assert_true(has(after, 256 * 16 - 1));
	pn_recent_close(before);
	pn_recent_close(after);
	pn_repo_free(repo);
}

/* The group that shares the repository adds to the file that began anew, too.
 */
static void a_file_that_began_anew_is_shared(void **state)
{
	struct pn_repo *repo;
	mode_t before = umask(077);

	scratch_run(*state, "git config core.sharedRepository group");
	repo = open_repo(*state);
	add(repo, 1, "one\n");
	scratch_run(*state, "test $(stat -c %%a " FILE_NAME ") = 660");
	scratch_run(*state, "truncate -s 16M " FILE_NAME);
	add(repo, 2, "two\n");
	umask(before);
	scratch_run(*state, "test $(wc -c <" FILE_NAME ") = 48");
	scratch_run(*state, "test $(stat -c %%a " FILE_NAME ") = 660");
	pn_repo_free(repo);
}

/* Who may write to the file but not to its folder cannot take it away. */
static void a_full_file_that_stays_does_not_grow(void **state)
{
	struct pn_repo *repo;

	if (!geteuid())
		skip();
	repo = open_repo(*state);
	add(repo, 1, "one\n");
	scratch_run(*state, "truncate -s 16M " FILE_NAME);
	scratch_run(*state, "chmod a-w .git/perf/cache");
	add(repo, 2, "two\n");
	scratch_run(*state, "chmod u+w .git/perf/cache");
	scratch_run(*state, "test $(wc -c <" FILE_NAME ") = %zu",
		    PN_RECENT_MAX);
	pn_repo_free(repo);
}

/* As it was without a version, and others: no text of it is found, and the
 * next one takes its place, so that "has any" tells no lie. */
static void a_file_of_another_version_begins_anew(void **state)
{
	static const char *const others[] = {
		"printf 'gpnotes1%04000d' 0", "head -c 4000 /dev/zero",
		"printf gpnot", "printf 'gpnotes3%032d' 0"};
	struct pn_repo *repo = open_repo(*state);
	struct pn_recent *recent;
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(*others); i++) {
		add(repo, 1, "one\n");
		scratch_run(*state, "%s >" FILE_NAME, others[i]);
		recent = pn_recent_open(repo);
		assert_false(pn_recent_has_any(recent));
		assert_false(has(recent, 1));
		pn_recent_close(recent);
		add(repo, 2, "two\n");
		scratch_run(*state, "test $(wc -c <" FILE_NAME ") = 48");
		assert_text(repo, 1, NULL);
		assert_text(repo, 2, "two\n");
	}
	pn_repo_free(repo);
}

/* Each question pays for 64 texts of 512 bytes. */
static void reads_a_long_file_when_it_pays(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_recent *recent;
	int i;

	add_many(repo, 0, 1023, 512 - HEAD); /* 16 questions' worth */
	recent = pn_recent_open(repo);
	for (i = 0; i < 15; i++)
		assert_false(has(recent, 7));
	assert_true(has(recent, 7));
	assert_true(has(recent, 1022));
	assert_false(has(recent, 1023));
	pn_recent_close(recent);
	pn_repo_free(repo);
}

static void keeps_neither_long_ones_nor_very_many(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_recent *recent;

	add_many(repo, 0, 1, PN_RECENT_TEXT_MAX);
	add_many(repo, 1, 1, PN_RECENT_TEXT_MAX + 1);
	add_many(repo, 10, 257, 4064);
	recent = pn_recent_open(repo);
	assert_true(has(recent, 0));
	assert_false(has(recent, 1));
	assert_false(has(recent, 10));
	pn_recent_close(recent);
	pn_repo_free(repo);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_repo, scratch_close)
	const struct CMUnitTest tests[] = {
		TEST(keeps_texts_for_the_next_process),
		TEST(goes_on_behind_a_cut),
		TEST(finds_nothing_damaged),
		TEST(a_full_file_begins_anew),
		TEST(a_file_that_began_anew_is_shared),
		TEST(a_full_file_that_stays_does_not_grow),
		TEST(a_file_of_another_version_begins_anew),
		TEST(reads_a_long_file_when_it_pays),
		TEST(keeps_neither_long_ones_nor_very_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
