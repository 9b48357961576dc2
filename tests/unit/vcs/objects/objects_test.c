/* Objects on their way to the disk; git says whether they arrived whole. */
#include "notes_scratch.h"

#include "base/alloc.h"
#include "vcs/objects/objects.h"
#include "vcs/objects/oidmap.h"

#include <fcntl.h>
#include <stdarg.h>

static void add_blobs(struct pn_objects *objects, unsigned int count)
{
	struct pn_oid id;
	unsigned int i;
	char text[64];

	for (i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "blob %u of %u\n", i, count);
		pn_objects_add(&id, objects, PN_OBJECT_BLOB, text,
			       strlen(text));
	}
}

static void write_all(struct pn_repo *repo, struct pn_objects *objects)
{
	struct pn_error err;

	if (pn_objects_write(repo, objects, &err))
		fail_msg("%s", err.message);
	assert_true(pn_objects_exist(repo, objects));
}

static void holds(struct scratch *s, const struct pn_object *object)
{
	char hex[PN_OID_HEX + 1], *text;

	pn_oid_hex(hex, &object->id);
	text = scratch_sh(s, "git cat-file blob %s", hex);
	assert_int_equal(strlen(text), object->len);
	assert_memory_equal(text, object->bytes, object->len);
	free(text);
}

/* The .keep stands until release: the ref is not moved before that. */
static void keeps_a_few_as_one_pack(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_objects objects = {0};
	size_t i;
	char *packs;

	add_blobs(&objects, 16);
	write_all(repo, &objects);
	for (i = 0; i < objects.count; i++)
		holds(*state, &objects.items[i]);
	packs = scratch_sh(*state, "cd .git/objects && "
				   "ls pack | sed 's/.*\\.//' && "
				   "find . -name 'tmp_*'");
	assert_string_equal(packs, "idx\nkeep\npack\n");
	free(packs);
	pn_objects_release(&objects);
	packs = scratch_sh(*state, "ls .git/objects/pack | sed 's/.*\\.//'");
	assert_string_equal(packs, "idx\npack\n");
	free(packs);
	pn_repo_free(repo);
}

static void writes_many_as_one_pack(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_objects objects = {0};
	char *said;

	add_blobs(&objects, 5000);
	write_all(repo, &objects);
	holds(*state, &objects.items[0]);
	holds(*state, &objects.items[4999]);
	said = scratch_sh(*state, "git index-pack --strict -o x.idx "
				  ".git/objects/pack/*.pack >/dev/null && "
				  "cmp x.idx .git/objects/pack/*.idx && "
				  "ls .git/objects/pack | wc -l | tr -d ' '");
	assert_string_equal(said, "3\n");
	free(said);
	pn_objects_release(&objects);
	pn_repo_free(repo);
}

/* index-pack resolves the deltas and names what comes out; the same index says
 * that all of it is what went in. */
static void tells_texts_by_each_other(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_objects objects = {0};
	uint32_t seed = 1;
	char text[4096], *said;
	struct pn_oid id;
	size_t i, k, len;

	for (i = 0; i < 2000; i++) {
		/* from 1,000 to 3,850 bytes, of one long text but for some */
		len = 1000 + i * 7 % 20 * 150;
		for (k = 0; k < len; k++)
			text[k] = (char)('a' + k * k % 23);
		for (k = 0; k < 1 + i % 7; k++) {
			size_t at = (seed = seed * 1103515245 + 12345) >> 8;
			size_t n = (seed = seed * 1103515245 + 12345) >> 8;

			at %= len;
			n %= i % 3 ? 20 : 300;
			memset(text + at, 'A' + (int)(seed >> 16) % 26,
			       n < len - at ? n : len - at);
		}
		/* what is behind this has another distance from the start */
		if (i % 5 == 0) {
			memmove(text + 51, text + 47, len - 51);
			memset(text + 47, '-', 4);
		}
		pn_objects_add(&id, &objects, PN_OBJECT_BLOB, text, len);
	}
	write_all(repo, &objects);
	said = scratch_sh(*state,
			  "git index-pack --strict -o x.idx "
			  ".git/objects/pack/*.pack >/dev/null && "
			  "cmp x.idx .git/objects/pack/*.idx && "
			  "git verify-pack -v .git/objects/pack/*.idx | "
			  "awk '$2 == \"blob\" { n++; deltas += NF > 5; "
			  "if ($6 > depth) depth = $6 } "
			  "END { print n, (deltas > n / 2), depth }'");
	k = objects.count;
	pn_objects_release(&objects);
	pn_repo_free(repo);
	snprintf(text, sizeof(text), "%zu 1 1\n", k);
	assert_string_equal(said, text);
	free(said);
}

static void takes_each_object_once(void **state)
{
	struct pn_objects objects = {0};
	struct pn_oid one, two;

	(void)state;
	pn_objects_add(&one, &objects, PN_OBJECT_BLOB, "x", 1);
	pn_objects_add(&two, &objects, PN_OBJECT_BLOB, "x", 1);
	assert_true(pn_oid_equal(&one, &two));
	assert_int_equal(objects.count, 1);
	pn_objects_release(&objects);
}

static void loses_nothing_to_a_gc_until_the_ref_moves(void **state)
{
	static const char *const takers[] = {
		"git gc -q --prune=now", "git prune --expire=now",
		"git repack -adq", "git -c gc.pruneExpire=now gc -q"};
	static const unsigned int counts[] = {5, 50};
	size_t c, i;

	for (c = 0; c < 2; c++) {
		struct pn_repo *repo = open_repo(*state);
		struct pn_objects objects = {0};

		add_blobs(&objects, counts[c]);
		write_all(repo, &objects);
		for (i = 0; i < sizeof(takers) / sizeof(*takers); i++) {
			scratch_run(*state, "%s", takers[i]);
			assert_true(pn_objects_exist(repo, &objects));
		}
		scratch_run(*state, "rm -f .git/objects/pack/pack-70657266*");
		assert_false(pn_objects_exist(repo, &objects));
		pn_repo_free(repo);
		repo = open_repo(*state);
		write_all(repo, &objects);
		holds(*state, &objects.items[3]);
		pn_objects_release(&objects);
		pn_repo_free(repo);
	}
}

/* What an add writes, with a ref that leads to it. */
static void write_one(struct scratch *s, struct pn_repo *repo, unsigned int n)
{
	struct pn_objects objects = {.ref_follows = true};
	char hex[PN_OID_HEX + 1], text[64];
	struct pn_oid id;

	snprintf(text, sizeof(text), "text %u\n", n);
	pn_objects_add(&id, &objects, PN_OBJECT_BLOB, text, strlen(text));
	write_all(repo, &objects);
	pn_oid_hex(hex, &id);
	scratch_run(s, "git update-ref refs/kept/%u %s", n, hex);
	pn_objects_published(&objects);
	pn_objects_release(&objects);
}

static void takes_small_packs_in(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	unsigned int n;
	char *said;

	for (n = 0; n < 60; n++)
		write_one(*state, repo, n);
	said = scratch_sh(*state, "ls .git/objects/pack/*.idx | wc -l");
	assert_in_range(strtoul(said, NULL, 10), 1, 12);
	free(said);
	said = scratch_sh(
		*state,
		"for p in .git/objects/pack/*.pack; do rm -f x.idx; "
		"git index-pack --strict -o x.idx $p >x && "
		"cmp x.idx ${p%%.pack}.idx; done; "
		"git for-each-ref --format='%%(objectname)' refs/kept | "
		"git cat-file --batch-check | grep -c blob; "
		"git fsck --strict 2>&1");
	assert_string_equal(said, "60\n");
	free(said);
	pn_repo_free(repo);
}

/* Who writes the same again takes in the pack that has all of it already. The
 * others share but one object with it and are passed over. */
static void keeps_the_pack_that_it_writes_again(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_oid shared, own;
	unsigned int n;
	char text[64];

	for (n = 0; n < 24; n++) {
		struct pn_objects objects = {.ref_follows = true};

		pn_objects_add(&shared, &objects, PN_OBJECT_BLOB, "shared\n",
			       7);
		snprintf(text, sizeof(text), "own %u\n", n % 12);
		pn_objects_add(&own, &objects, PN_OBJECT_BLOB, text,
			       strlen(text));
		write_all(repo, &objects);
		pn_objects_published(&objects);
		assert_true(pn_objects_exist(repo, &objects));
		holds(*state, &objects.items[1]);
		pn_objects_release(&objects);
	}
	pn_repo_free(repo);
}

/* A repack that has listed the first one's removes it by its name. */
static void gives_each_writer_of_the_same_a_pack(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_objects one = {0}, two = {0};
	char *ends;

	add_blobs(&one, 3);
	add_blobs(&two, 3);
	write_all(repo, &one);
	write_all(repo, &two);
	pn_objects_release(&one);
	ends = scratch_sh(*state,
			  "ls .git/objects/pack | sed 's/.*\\.//' | sort");
	assert_string_equal(ends, "idx\nidx\nkeep\npack\npack\n");
	free(ends);
	pn_objects_release(&two);
	ends = scratch_sh(*state,
			  "ls .git/objects/pack | sed 's/.*\\.//' | sort");
	assert_string_equal(ends, "idx\nidx\npack\npack\n");
	free(ends);
	pn_repo_free(repo);
}

/* What has objects twice, is damaged, kept or named by a multi-pack-index. */
static void leaves_packs_that_it_cannot_take_in(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	unsigned int n;
	char *before, *after;

	for (n = 0; n < 8; n++)
		write_one(*state, repo, n);
	scratch_run(*state, "git multi-pack-index write");
	before = scratch_sh(*state, "ls .git/objects/pack/*.idx | wc -l");
	write_one(*state, repo, 8);
	after = scratch_sh(*state, "git multi-pack-index verify 2>&1; "
				   "ls .git/objects/pack/*.idx | wc -l");
	assert_string_equal(before, "8\n");
	assert_string_equal(after, "9\n");
	free(before);
	free(after);
	scratch_run(*state,
		    "rm .git/objects/pack/multi-pack-index && "
		    "cd .git/objects/pack && set -- *.pack && "
		    ": >${1%%.pack}.keep && "
		    "cp -p $2 ../../whole && chmod u+w $2 && "
		    "printf x | dd of=$2 bs=1 seek=14 conv=notrunc 2>/dev/null "
		    "&& echo $2 >../../name");
	write_one(*state, repo, 9);
	/* what is kept stays for this time: it, a damaged one and a new one */
	after = scratch_sh(*state,
			   "cd .git/objects/pack && ls *.idx | wc -l && "
			   "test -e $(cat ../../name) && find . -name "
			   "'*.keep'; cp -f ../../whole "
			   "$(cat ../../name); git fsck --strict 2>&1");
	assert_string_equal(after, "3\n");
	free(after);
	pn_repo_free(repo);
}

static void sweeps_what_a_killed_writer_left(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_objects alive = {0};
	char *left;

	scratch_run(*state,
		    "cd .git/objects/pack && n=00000000000000000000000000000000"
		    " && : >pack-70657266$n.keep && : >pack-70657266$n.pack && "
		    ": >pack-99999999$n.keep && : >pack-99999999$n.pack");
	add_blobs(&alive, 3);
	write_all(repo, &alive);
	write_one(*state, repo, 1); /* the .keep goes */
	write_one(*state, repo, 2); /* the pack, where it came first */
	left = scratch_sh(*state,
			  "cd .git/objects/pack && ls | grep -c 000000; "
			  "ls pack-70657266*.keep | wc -l");
	assert_string_equal(left, "2\n1\n");
	free(left);
	pn_objects_release(&alive);
	pn_repo_free(repo);
}

static void refuses_other_bytes_of_one_name(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_objects objects = {0};
	struct pn_error err;
	struct pn_oid id;
	char *hex;

	hex = scratch_line(*state, "echo one | git hash-object -w --stdin");
	assert_int_equal(pn_oid_parse(&id, hex), 0);
	pn_objects_borrow(&objects, PN_OBJECT_BLOB, &id, "two\n", 4, 0);
	assert_int_equal(pn_objects_write(repo, &objects, &err), PN_EREFUSED);
	assert_non_null(strstr(err.message, hex));
	pn_objects_release(&objects);
	/* two that come together, too */
	id.bytes[0] ^= 1;
	pn_objects_borrow(&objects, PN_OBJECT_BLOB, &id, "one\n", 4, 0);
	assert_null(pn_objects_borrow(&objects, PN_OBJECT_BLOB, &id, "two\n", 4,
				      0));
	assert_int_equal(pn_objects_write(repo, &objects, &err), PN_EREFUSED);
	pn_objects_release(&objects);
	id.bytes[0] ^= 1;
	/* the same bytes may be written again */
	pn_objects_borrow(&objects, PN_OBJECT_BLOB, &id, "one\n", 4, 0);
	write_all(repo, &objects);
	pn_objects_release(&objects);
	free(hex);
	pn_repo_free(repo);
}

static void writes_a_large_body(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_objects objects = {0};
	struct pn_buf bytes = {0};
	struct pn_oid id;
	unsigned int i;

	for (i = 0; i < 1000000; i++)
		pn_buf_add(&bytes, &(unsigned int){i * 2654435761u}, 4);
	pn_objects_add(&id, &objects, PN_OBJECT_BLOB, bytes.data, bytes.len);
	write_all(repo, &objects);
	add_blobs(&objects, 40);
	write_all(repo, &objects);
	scratch_run(*state, "git fsck --strict 2>&1");
	pn_buf_release(&bytes);
	pn_objects_release(&objects);
	pn_repo_free(repo);
}

/* libgit2 1.5.1 never comes back from one that was cut amid its data. */
/* Before the reader opens an index, so many times the packs become others. */
static struct {
	const char *dir;
	int left;
} repacks;

static void repack_before(const char *path)
{
	size_t len = strlen(path);
	struct scratch s = {.dir = (char *)repacks.dir};

	if (!repacks.left || len < 4 || strcmp(path + len - 4, ".idx") != 0)
		return;
	repacks.left--;
	scratch_run(&s,
		    "git update-ref refs/kept/%d $(echo %d | "
		    "git hash-object -w --stdin) && git repack -adq",
		    repacks.left, repacks.left);
}

/* In front of the C library's, for libgit2. */
int open_for_libgit2(const char *path, int flags, ...) __asm__("open");

int open_for_libgit2(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = (mode_t)va_arg(args, unsigned int);
	va_end(args);
	repack_before(path);
	return openat(AT_FDCWD, path, flags, mode);
}

static void reads_while_packs_come_and_go(void **state)
{
	struct pn_repo *repo;
	struct pn_buf bytes = {0};
	struct pn_error err;
	struct pn_oid id;
	int code, left;
	char *hex;

	hex = scratch_line(*state, "git repack -adq; git rev-parse HEAD:file");
	assert_int_equal(pn_oid_parse(&id, hex), 0);
	free(hex);
	repo = open_repo(*state);
	/* what comes into a pack behind the first look is libgit2's to find */
	assert_int_equal(pn_repo_read_blob(&bytes, repo, &id, 100, &err), 0);
	hex = scratch_line(*state, "id=$(echo new | git hash-object -w --stdin)"
				   " && git update-ref refs/new $id && "
				   "git repack -adq && echo $id");
	assert_int_equal(pn_oid_parse(&id, hex), 0);
	free(hex);
	repacks.dir = ((struct scratch *)*state)->dir;
	repacks.left = 7;
	code = pn_repo_read_blob(&bytes, repo, &id, 100, &err);
	left = repacks.left;
	repacks.left = 0;
	if (code)
		fail_msg("%s", err.message);
	assert_int_equal(left, 0);
	pn_buf_release(&bytes);
	pn_repo_free(repo);
}

/* The old one names a pack that the reader has not opened when it goes. */
static void reads_behind_a_new_multi_pack_index(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_buf bytes = {0};
	struct pn_error err;
	struct pn_oid one, two;

	write_one(*state, repo, 1);
	write_one(*state, repo, 2);
	pn_repo_free(repo);
	pn_object_hash(&one, PN_OBJECT_BLOB, "text 1\n", 7);
	pn_object_hash(&two, PN_OBJECT_BLOB, "text 2\n", 7);
	scratch_run(*state, "git multi-pack-index write");
	repo = open_repo(*state);
	assert_int_equal(pn_repo_read_blob(&bytes, repo, &one, 100, &err), 0);
	scratch_run(*state, "git repack -adq --write-midx");
	if (pn_repo_read_blob(&bytes, repo, &two, 100, &err))
		fail_msg("%s", err.message);
	assert_string_equal(pn_buf_text(&bytes), "text 1\ntext 2\n");
	pn_buf_release(&bytes);
	pn_repo_free(repo);
}

static void says_what_is_wrong_with_a_loose_object(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_objects objects = {0};
	struct pn_buf bytes = {0};
	struct pn_error err;
	struct pn_oid id;
	char hex[PN_OID_HEX + 1];

	pn_objects_add(&id, &objects, PN_OBJECT_BLOB, "some text", 9);
	write_all(repo, &objects);
	pn_oid_hex(hex, &id);
	pn_objects_release(&objects);
	scratch_run(*state, "mv .git/objects/pack/*.pack x.pack && "
			    "rm -f .git/objects/pack/* && "
			    "git unpack-objects -q <x.pack");
	pn_repo_free(repo);
	repo = open_repo(*state);
	assert_int_equal(pn_repo_read_blob(&bytes, repo, &id, 9, &err), 0);
	assert_string_equal(pn_buf_text(&bytes), "some text");
	assert_int_equal(pn_repo_read_blob(&bytes, repo, &id, 8, &err),
			 PN_ELIMIT);
	scratch_run(*state,
		    "cd .git/objects/%.2s && f=%s && chmod u+w $f && "
		    "head -c 15 $f >cut && mv -f cut $f",
		    hex, hex + 2);
	assert_int_equal(pn_repo_read_blob(&bytes, repo, &id, 9, &err), PN_EIO);
	scratch_run(*state, "cd .git/objects/%.2s && : >%s", hex, hex + 2);
	assert_int_equal(pn_repo_read_blob(&bytes, repo, &id, 9, &err), PN_EIO);
	assert_int_equal(bytes.len, 9);
	pn_buf_release(&bytes);
	pn_objects_release(&objects);
	pn_repo_free(repo);
}

static void resolves_names_of_a_commit_that_was_cut(void **state)
{
	static const char *const revs[] = {"HEAD", "main", "HEAD~1", "HEAD^",
					   "HEAD^{commit}"};
	struct pn_repo *repo;
	struct pn_oid oid;
	struct pn_error err;
	char *hex;
	size_t i;

	scratch_run(*state, "echo 2 >>file && git commit -qam second");
	hex = scratch_line(*state, "git rev-parse HEAD");
	scratch_run(*state,
		    "cd .git/objects/%.2s && f=%s && chmod u+w $f && "
		    "head -c $(($(stat -c %%s $f) / 2)) $f >cut && "
		    "mv -f cut $f",
		    hex, hex + 2);
	repo = open_repo(*state);
	for (i = 0; i < sizeof(revs) / sizeof(*revs); i++)
		if (pn_repo_resolve(&oid, repo, revs[i], &err))
			assert_non_null(strstr(err.message, revs[i]));
	assert_int_equal(pn_repo_resolve(&oid, repo, "HEAD~1", &err), PN_EIO);
	assert_non_null(strstr(err.message, "corrupt"));
	free(hex);
	pn_repo_free(repo);
}

static int by_hash(const void *a, const void *b)
{
	uint32_t x = ((const struct pn_slot *)a)->hash;
	uint32_t y = ((const struct pn_slot *)b)->hash;

	return x < y ? -1 : x > y;
}

/* Of 1,000 hashes of 32 bits some 1,000 differ. */
static void tells_names_by_all_of_their_bytes(void **state)
{
	struct pn_oidmap map = {0};
	struct pn_oid id = {{0}};
	size_t i, differ = 0;

	(void)state;
	for (i = 0; i < 1000; i++) {
		id.bytes[PN_OID_BYTES - 1] = (unsigned char)i;
		id.bytes[PN_OID_BYTES - 2] = (unsigned char)(i >> 8);
		pn_oidmap_add(&map, &id);
		assert_int_equal(pn_oidmap_find(&map, &id), i);
	}
	qsort(map.slots.items, map.slots.size, sizeof(*map.slots.items),
	      by_hash);
	for (i = 1; i < map.slots.size; i++)
		differ +=
			map.slots.items[i].hash != map.slots.items[i - 1].hash;
	assert_true(differ > 900);
	pn_oidmap_release(&map);
}

#define with_repo(f)                                                           \
	cmocka_unit_test_setup_teardown(f, scratch_repo, scratch_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_repo(keeps_a_few_as_one_pack),
		with_repo(writes_many_as_one_pack),
		with_repo(tells_texts_by_each_other),
		cmocka_unit_test(takes_each_object_once),
		with_repo(loses_nothing_to_a_gc_until_the_ref_moves),
		with_repo(takes_small_packs_in),
		with_repo(keeps_the_pack_that_it_writes_again),
		with_repo(gives_each_writer_of_the_same_a_pack),
		with_repo(leaves_packs_that_it_cannot_take_in),
		with_repo(sweeps_what_a_killed_writer_left),
		with_repo(refuses_other_bytes_of_one_name),
		with_repo(writes_a_large_body),
		with_repo(reads_while_packs_come_and_go),
		with_repo(reads_behind_a_new_multi_pack_index),
		with_repo(says_what_is_wrong_with_a_loose_object),
		with_repo(resolves_names_of_a_commit_that_was_cut),
		cmocka_unit_test(tells_names_by_all_of_their_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
