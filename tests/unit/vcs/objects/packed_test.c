/* Objects in packs, read by us; git made them and says what they hold. */
#include "notes_scratch.h"

#include "vcs/git.h"
#include "vcs/objects/objects.h"
#include "vcs/objects/pack_delta.h"
#include "vcs/objects/packed_bases.h"
#include "vcs/objects/stored.h"

#define LIMIT 100000

static git_object_t type_of(struct scratch *s, const char *name)
{
	char *type = scratch_line(s, "git cat-file -t %s", name);
	git_object_t found = git_object_string2type(type);

	free(type);
	return found;
}

static struct pn_oid id_of(struct scratch *s, const char *name)
{
	char *hex = scratch_line(s, "git rev-parse %s", name);
	struct pn_oid id;

	assert_int_equal(pn_oid_parse(&id, hex), 0);
	free(hex);
	return id;
}

static bool is_read(struct pn_stored *out, struct pn_repo *repo,
		    struct scratch *s, const char *name)
{
	struct pn_oid id = id_of(s, name);

	return pn_packed_read(out, repo, &id, type_of(s, name), LIMIT);
}

/* Text objects only. */
static void has_git_s_bytes(const struct pn_stored *object, struct scratch *s,
			    const char *name)
{
	char *type = scratch_line(s, "git cat-file -t %s", name);
	char *text = scratch_sh(s, "git cat-file %s %s", type, name);

	assert_int_equal(object->len, strlen(text));
	assert_memory_equal(object->bytes, text, object->len);
	free(type);
	free(text);
}

static void is_as_git_says(struct pn_repo *repo, struct scratch *s,
			   const char *name)
{
	struct pn_stored object = {0};

	assert_true(is_read(&object, repo, s, name));
	has_git_s_bytes(&object, s, name);
	pn_stored_release(&object);
}

/* Versions of a blob, refs v0 to v<depth>, each nearest to the next one, which
 * git tells it by. The longest one is whole. */
static void make_versions_of(struct scratch *s, int depth, int lines)
{
	scratch_run(s,
		    "for i in $(seq 0 %d); do "
		    "{ seq 1 $((60 * i)) | sed 's/^/changed /'; "
		    "seq $((60 * i + 1)) %d; } >v; "
		    "git update-ref refs/v$i $(git hash-object -w v); done; "
		    "git repack -q -a -d -f --window=10 --depth=%d",
		    depth, lines, depth);
}

static void make_versions(struct scratch *s, int depth)
{
	make_versions_of(s, depth, 400);
}

/* Of git's own list: how many deltas there are of a depth. */
static int deltas(struct scratch *s, int depth)
{
	char *count =
		scratch_line(s,
			     "git verify-pack -v .git/objects/pack/*.idx | "
			     "awk '$2 == \"blob\" && $6 == %d' | wc -l",
			     depth);
	int n = (int)strtol(count, NULL, 10);

	free(count);
	return n;
}

static void reads_commits_trees_and_blobs(void **state)
{
	struct pn_stored object = {0};
	struct pn_repo *repo;

	scratch_run(*state, "git repack -q -a -d");
	repo = open_repo(*state);
	is_as_git_says(repo, *state, "HEAD");
	is_as_git_says(repo, *state, "HEAD:file");
	assert_true(is_read(&object, repo, *state, "HEAD^{tree}"));
	/* mode, name, NUL, id of the blob */
	assert_int_equal(object.len, strlen("100644 file") + 1 + PN_OID_BYTES);
	assert_memory_equal(object.bytes, "100644 file", 12);
	pn_stored_release(&object);
	pn_repo_free(repo);
}

/* 1,288,895 bytes, as wc(1) says. */
static void reads_a_large_blob_and_what_is_beside_it(void **state)
{
	struct pn_stored object = {0};
	struct pn_repo *repo;
	struct pn_oid id;

	scratch_run(*state, "git update-ref refs/big "
			    "$(seq 200000 | git hash-object -w --stdin) && "
			    "git repack -q -a -d");
	repo = open_repo(*state);
	id = id_of(*state, "refs/big");
	assert_false(
		pn_packed_read(&object, repo, &id, GIT_OBJECT_BLOB, 1288894));
	assert_true(
		pn_packed_read(&object, repo, &id, GIT_OBJECT_BLOB, 1288895));
	has_git_s_bytes(&object, *state, "refs/big");
	pn_stored_release(&object);
	is_as_git_says(repo, *state, "HEAD:file");
	pn_repo_free(repo);
}

/* As long as before, and with another sum at its end. */
static void reads_no_large_blob_of_a_pack_that_was_replaced(void **state)
{
	struct pn_stored object = {0};
	struct pn_repo *repo;
	struct pn_oid id;

	scratch_run(*state, "git update-ref refs/big "
			    "$(seq 200000 | git hash-object -w --stdin) && "
			    "git repack -q -a -d");
	repo = open_repo(*state);
	id = id_of(*state, "refs/big");
	is_as_git_says(repo, *state, "HEAD:file"); /* has it mapped */
	scratch_run(*state, "f=$(echo .git/objects/pack/*.pack) && "
			    "{ head -c -20 $f && printf %%020d 0; } >x && "
			    "mv -f x $f");
	assert_false(
		pn_packed_read(&object, repo, &id, GIT_OBJECT_BLOB, 1288895));
	pn_repo_free(repo);
}

static void reads_from_each_of_several_packs(void **state)
{
	struct pn_repo *repo;
	char name[8];
	int i;

	scratch_run(*state, "for i in 1 2 3 4; do git update-ref refs/v$i "
			    "$(echo blob $i | git hash-object -w --stdin); "
			    "git repack -q -d; done; "
			    "test 4 = $(ls .git/objects/pack/*.idx | wc -l)");
	repo = open_repo(*state);
	for (i = 0; i < 8; i++) {
		snprintf(name, sizeof(name), "refs/v%d", i * 3 % 4 + 1);
		is_as_git_says(repo, *state, name);
	}
	pn_repo_free(repo);
}

static void reads_what_is_told_by_another_one(void **state)
{
	struct pn_repo *repo;
	char name[16];
	int i;

	make_versions(*state, 1);
	assert_int_equal(deltas(*state, 1), 1);
	repo = open_repo(*state);
	for (i = 0; i < 4; i++) {
		snprintf(name, sizeof(name), "refs/v%d", i % 2);
		is_as_git_says(repo, *state, name);
	}
	pn_repo_free(repo);
}

/* In any order, and again: what is on the way is kept. */
static void reads_chains_of_short_ones(void **state)
{
	static const int order[] = {2, 0, 4, 1, 3, 0, 2, 4};
	struct pn_repo *repo;
	char name[16];
	size_t i;

	make_versions(*state, 4);
	assert_true(deltas(*state, 2) > 0);
	repo = open_repo(*state);
	for (i = 0; i < sizeof(order) / sizeof(*order); i++) {
		snprintf(name, sizeof(name), "refs/v%d", order[i]);
		is_as_git_says(repo, *state, name);
	}
	pn_repo_free(repo);
}

/* One that is kept is of its type for others, too. */
static void a_chain_is_of_one_type(void **state)
{
	struct pn_stored object = {0};
	struct pn_repo *repo;
	struct pn_oid id;

	make_versions(*state, 4);
	repo = open_repo(*state);
	is_as_git_says(repo, *state, "refs/v1");
	id = id_of(*state, "refs/v0");
	assert_false(
		pn_packed_read(&object, repo, &id, GIT_OBJECT_TREE, LIMIT));
	is_as_git_says(repo, *state, "refs/v0");
	pn_repo_free(repo);
}

/* Of a pack of `size` bytes and its sum, what begins at `offset`. */
static struct pn_packed_entry entry_at(const unsigned char *pack, size_t size,
				       size_t offset)
{
	return (struct pn_packed_entry){
		.pack = pack, .end = pack + size, .offset = offset};
}

/* Where more is kept than there is room for, it goes, and comes again. */
static void what_is_kept_is_bounded(void **state)
{
	struct pn_packed_bases bases = {0};
	const size_t count = 2 * PN_PACKED_BASES_BYTES / PN_PACKED_BASE_MAX;
	static const unsigned char pack[4096 + PN_OID_BYTES];
	struct pn_packed_entry entry;
	struct pn_buf bytes = {0};
	size_t i;

	(void)state;
	for (i = 0; i < count; i++) {
		const struct pn_buf *found;

		pn_buf_reserve(&bytes, PN_PACKED_BASE_MAX);
		memset(bytes.data, (int)(i & 0xff), PN_PACKED_BASE_MAX);
		bytes.len = PN_PACKED_BASE_MAX;
		entry = entry_at(pack, 4096, i);
		pn_packed_bases_keep(&bases, &entry, 3, &bytes);
		bytes.len = 0;
		found = pn_packed_bases_find(&bases, &entry, 3);
		assert_non_null(found);
		assert_int_equal(found->data[0], i & 0xff);
		assert_null(pn_packed_bases_find(&bases, &entry, 2));
		assert_true(bases.bytes <= PN_PACKED_BASES_BYTES);
	}
	pn_buf_reserve(&bytes, PN_PACKED_BASE_MAX + 1);
	bytes.len = PN_PACKED_BASE_MAX + 1;
	entry = entry_at(pack, 4096, count);
	pn_packed_bases_keep(&bases, &entry, 3, &bytes);
	assert_null(pn_packed_bases_find(&bases, &entry, 3));
	pn_packed_bases_release(&bases);
	pn_buf_release(&bytes);
}

/* Who reads one object over and over does not make others go for it. */
static void what_is_kept_again_takes_no_room(void **state)
{
	struct pn_packed_bases bases = {0};
	static const unsigned char pack[PN_OID_BYTES];
	struct pn_packed_entry first = entry_at(pack, 0, 12);
	struct pn_packed_entry second = entry_at(pack, 0, 13);
	struct pn_buf bytes = {0};
	size_t i;

	(void)state;
	pn_buf_reserve(&bytes, PN_PACKED_BASE_MAX);
	memset(bytes.data, 'x', PN_PACKED_BASE_MAX);
	bytes.len = PN_PACKED_BASE_MAX;
	pn_packed_bases_keep(&bases, &first, 3, &bytes);
	for (i = 0; i < PN_PACKED_BASES_BYTES / PN_PACKED_BASE_MAX; i++)
		pn_packed_bases_keep(&bases, &second, 3, &bytes);
	assert_non_null(pn_packed_bases_find(&bases, &first, 3));
	assert_non_null(pn_packed_bases_find(&bases, &second, 3));
	pn_packed_bases_release(&bases);
	pn_buf_release(&bytes);
}

/* Threads map a pack each; two packs may have objects at the same places. */
static void what_is_kept_is_of_one_pack(void **state)
{
	static const unsigned char pack[32], again[32];
	static const unsigned char other[32] = {[31] = 1};
	struct pn_packed_entry entry = entry_at(pack, 12, 4);
	struct pn_packed_bases bases = {0};
	struct pn_buf bytes = {0};

	(void)state;
	pn_buf_add(&bytes, "abc", 3);
	pn_packed_bases_keep(&bases, &entry, 3, &bytes);
	entry = entry_at(again, 12, 4);
	assert_non_null(pn_packed_bases_find(&bases, &entry, 3));
	entry = entry_at(other, 12, 4);
	assert_null(pn_packed_bases_find(&bases, &entry, 3));
	entry = entry_at(pack, 12, 5);
	assert_null(pn_packed_bases_find(&bases, &entry, 3));
	pn_packed_bases_release(&bases);
	pn_buf_release(&bytes);
}

/* libgit2 keeps what it meets on the way. */
static void leaves_chains_of_long_ones_to_libgit2(void **state)
{
	struct pn_stored object = {0};
	struct pn_repo *repo;
	struct pn_error err;
	int i, read = 0;

	make_versions_of(*state, 4, 4000); /* 19 kB */
	assert_true(deltas(*state, 2) > 0);
	repo = open_repo(*state);
	for (i = 0; i <= 4; i++) {
		struct pn_oid id;
		char name[16];

		snprintf(name, sizeof(name), "refs/v%d", i);
		read += is_read(&object, repo, *state, name);
		pn_stored_release(&object);
		id = id_of(*state, name);
		assert_int_equal(pn_stored_read(&object, repo, &id,
						GIT_OBJECT_BLOB, LIMIT, &err),
				 0);
		has_git_s_bytes(&object, *state, name);
		pn_stored_release(&object);
	}
	for (i = 2; i <= 4; i++)
		read += deltas(*state, i);
	assert_int_equal(read, 5);
	pn_repo_free(repo);
}

/* Offsets from 64 on have eight bytes in an index, as in packs of 2 GB. */
static void reads_offsets_of_64_bits(void **state)
{
	struct pn_repo *repo;

	make_versions(*state, 1);
	scratch_run(*state, "p=$(echo .git/objects/pack/*.pack); "
			    "i=${p%%.pack}.idx; before=$(wc -c <$i); "
			    "rm -f $i; git index-pack "
			    "--index-version=2,0x40 -o $i $p >/dev/null; "
			    "test $(wc -c <$i) -gt $before");
	repo = open_repo(*state);
	is_as_git_says(repo, *state, "refs/v0");
	is_as_git_says(repo, *state, "refs/v1");
	pn_repo_free(repo);
}

static void reads_nothing_of_another_type_or_too_long(void **state)
{
	struct pn_stored object = {0};
	struct pn_repo *repo;
	struct pn_oid id;

	scratch_run(*state, "git repack -q -a -d");
	repo = open_repo(*state);
	id = id_of(*state, "HEAD:file"); /* "one\n" */
	assert_false(
		pn_packed_read(&object, repo, &id, GIT_OBJECT_TREE, LIMIT));
	assert_false(pn_packed_read(&object, repo, &id, GIT_OBJECT_BLOB, 3));
	assert_true(pn_packed_is(repo, &id, GIT_OBJECT_BLOB, 4));
	assert_true(pn_packed_read(&object, repo, &id, GIT_OBJECT_BLOB, 4));
	pn_stored_release(&object);
	memset(&id, 7, sizeof(id));
	assert_false(
		pn_packed_read(&object, repo, &id, GIT_OBJECT_BLOB, LIMIT));
	pn_repo_free(repo);
}

/* Bytes of a pack in turn, each of its head and its sum and every fifth of the
 * rest: what is read is what was there. */
static size_t next_byte(size_t at, size_t len)
{
	return at < 32 || at + 25 > len ? at + 1 : at + 5;
}

static void reads_nothing_wrong_from_a_damaged_pack(void **state)
{
	struct pn_buf path = {0}, pack = {0};
	char *name, *text[2];
	struct pn_oid ids[2];
	size_t at, k, tried = 0, refused = 0;

	make_versions(*state, 3);
	assert_true(deltas(*state, 2) > 0);
	for (k = 0; k < 2; k++) {
		ids[k] = id_of(*state, k ? "refs/v3" : "refs/v0");
		text[k] = scratch_sh(*state, "git cat-file blob refs/v%zu",
				     3 * k);
	}
	name = scratch_line(*state, "chmod u+w .git/objects/pack/*; "
				    "echo $PWD/.git/objects/pack/*.pack");
	pn_buf_add_text(&path, name);
	assert_int_equal(pn_file_read(&pack, name, LIMIT, NULL), 0);
	for (at = 0; at < pack.len; at = next_byte(at, pack.len)) {
		struct pn_repo *repo;

		tried++;
		pack.data[at] ^= 0x55;
		assert_int_equal(
			pn_file_write(name, pack.data, pack.len, false, NULL),
			0);
		repo = open_repo(*state);
		for (k = 0; k < 2; k++) {
			struct pn_stored object = {0};

			if (pn_packed_read(&object, repo, &ids[k],
					   GIT_OBJECT_BLOB, LIMIT)) {
				assert_int_equal(object.len, strlen(text[k]));
				assert_memory_equal(object.bytes, text[k],
						    object.len);
			} else {
				refused++;
			}
			pn_stored_release(&object);
		}
		pn_repo_free(repo);
		pack.data[at] ^= 0x55;
	}
	/* the head, the sum, and most of what tells the longer blob */
	assert_true(refused > tried / 2);
	free(name);
	free(text[0]);
	free(text[1]);
	pn_buf_release(&path);
	pn_buf_release(&pack);
}

static void reads_nothing_beyond_a_pack_that_was_cut(void **state)
{
	struct pn_stored object = {0};
	struct pn_repo *repo;
	struct pn_oid id;

	scratch_run(*state, "git repack -q -a -d; cd .git/objects/pack; "
			    "chmod u+w *; for p in *.pack; do "
			    "{ head -c 40 $p; tail -c 20 $p; } >x; "
			    "cat x >$p; done");
	repo = open_repo(*state);
	id = id_of(*state, "refs/heads/main");
	assert_false(
		pn_packed_read(&object, repo, &id, GIT_OBJECT_COMMIT, LIMIT));
	pn_repo_free(repo);
}

static struct pn_buf borrowed(const void *bytes, size_t len)
{
	struct pn_buf buf = {0};

	buf.data = (unsigned char *)bytes;
	buf.len = len;
	return buf;
}

/* gitformat-pack(5), "Deltified representation". */
static void deltas_tell_copies_and_own_bytes(void **state)
{
	static const char told[] = "\x0a\x08"	  /* of 10 bytes, tells 8 */
				   "\x91\x02\x03" /* from 2: "cde" */
				   "\x02xy"
				   "\x90\x03"; /* from 0: "abc" */
	struct pn_buf base = borrowed("abcdefghij", 10), out = {0};
	struct pn_buf delta = borrowed(told, sizeof(told) - 1);

	(void)state;
	assert_true(pn_pack_delta_apply(&out, &base, &delta, 8));
	assert_int_equal(out.len, 8);
	assert_memory_equal(out.data, "cdexyabc", 8);
	pn_buf_clear(&out);
	assert_false(pn_pack_delta_apply(&out, &base, &delta, 7));
	pn_buf_release(&out);
}

/* A size of 0 stands for 0x10000. */
static void deltas_tell_copies_of_64_kb(void **state)
{
	static const char told[] = "\x81\x80\x04\x80\x80\x04\x81\x01";
	struct pn_buf base = {0}, out = {0};
	struct pn_buf delta = borrowed(told, sizeof(told) - 1);
	int i;

	(void)state;
	for (i = 0; i < 0x10001; i++)
		pn_buf_add_byte(&base, (unsigned char)(i * 7919 >> 4));
	assert_true(pn_pack_delta_apply(&out, &base, &delta, LIMIT));
	assert_int_equal(out.len, 0x10000);
	assert_memory_equal(out.data, base.data + 1, 0x10000);
	pn_buf_release(&base);
	pn_buf_release(&out);
}

static void damaged_deltas_are_refused(void **state)
{
#define DELTA(text)                                                            \
	{                                                                      \
		text, sizeof(text) - 1                                         \
	}
	static const struct {
		const char *bytes;
		size_t len;
	} damaged[] = {
		DELTA(""),		       /* nothing */
		DELTA("\x0a"),		       /* no size */
		DELTA("\x0b\x01\x01x"),	       /* of a base of 11 bytes */
		DELTA("\x0a\x02\x01x"),	       /* tells less than it says */
		DELTA("\x0a\x01\x02xy"),       /* tells more */
		DELTA("\x0a\x03\x03xy"),       /* own bytes are cut */
		DELTA("\x0a\x01\x00"),	       /* instruction 0 */
		DELTA("\x0a\x03\x91\x08\x03"), /* a copy beyond the base */
		DELTA("\x0a\x01\x91\x0b\x01"), /* from behind it */
		DELTA("\x0a\x03\x91\x02"),     /* a copy is cut */
		DELTA("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
	};
	struct pn_buf base = borrowed("abcdefghij", 10), out = {0};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(damaged) / sizeof(*damaged); i++) {
		struct pn_buf delta =
			borrowed(damaged[i].bytes, damaged[i].len);

		pn_buf_clear(&out);
		if (pn_pack_delta_apply(&out, &base, &delta, LIMIT))
			fail_msg("damaged delta %zu was taken", i);
	}
	pn_buf_release(&out);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_repo, scratch_close)
	const struct CMUnitTest tests[] = {
		TEST(reads_commits_trees_and_blobs),
		TEST(reads_a_large_blob_and_what_is_beside_it),
		TEST(reads_no_large_blob_of_a_pack_that_was_replaced),
		TEST(reads_from_each_of_several_packs),
		TEST(reads_what_is_told_by_another_one),
		TEST(reads_chains_of_short_ones),
		TEST(a_chain_is_of_one_type),
		TEST(what_is_kept_is_bounded),
		cmocka_unit_test(what_is_kept_again_takes_no_room),
		cmocka_unit_test(what_is_kept_is_of_one_pack),
		TEST(leaves_chains_of_long_ones_to_libgit2),
		TEST(reads_offsets_of_64_bits),
		TEST(reads_nothing_of_another_type_or_too_long),
		TEST(reads_nothing_wrong_from_a_damaged_pack),
		TEST(reads_nothing_beyond_a_pack_that_was_cut),
		cmocka_unit_test(deltas_tell_copies_and_own_bytes),
		cmocka_unit_test(deltas_tell_copies_of_64_kb),
		cmocka_unit_test(damaged_deltas_are_refused)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
