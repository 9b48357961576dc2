/* Reading notes: what git writes, and what nobody should. */
#include "base/deflate.h"
#include "notes_scratch.h"
#include "vcs/notes/stage.h"

#define hash_of(...) take_hash(scratch_line(__VA_ARGS__))

static struct pn_oid take_hash(char *hex)
{
	struct pn_oid oid = parse(hex);

	free(hex);
	return oid;
}

static void add_entry(struct pn_buf *tree, const char *mode_and_name,
		      const struct pn_oid *id)
{
	pn_buf_add(tree, mode_and_name, strlen(mode_and_name) + 1);
	pn_buf_add(tree, id->bytes, sizeof(id->bytes));
}

static void add_named(struct pn_buf *tree, const char *mode,
		      const struct pn_oid *name, const struct pn_oid *id)
{
	struct pn_buf text = {0};
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, name);
	pn_buf_printf(&text, "%s %s", mode, hex);
	add_entry(tree, pn_buf_text(&text), id);
	pn_buf_release(&text);
}

/* A commit of these bytes as tree, which git would not make. */
static void put_tree(struct scratch *s, const struct pn_buf *raw)
{
	struct pn_buf path = {0};
	struct pn_error err;

	pn_buf_printf(&path, "%s/tree", s->dir);
	assert_int_equal(pn_file_write(pn_buf_text(&path), raw->data, raw->len,
				       false, &err),
			 0);
	scratch_run(s, "t=$(git hash-object -t tree --literally -w tree) && "
		       "{ echo tree $t; echo 'author A <a> 1 +0000'; "
		       "echo 'committer A <a> 1 +0000'; echo; echo x; } >c && "
		       "git update-ref refs/notes/perf "
		       "$(git hash-object -t commit --literally -w c)");
	pn_buf_release(&path);
}

static void reads_nothing_where_there_is_no_ref(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_notes *notes = open_notes(repo);
	struct pn_oid id = nth(1);
	struct pn_error err;
	char *all = list(notes);

	assert_true(pn_oid_is_zero(pn_notes_tip(notes)));
	reads(notes, &id, "");
	assert_string_equal(all, "");
	assert_int_equal(pn_notes_commit(notes, "perf: nothing", &err), 0);
	assert_true(pn_oid_is_zero(pn_notes_tip(notes)));
	free(all);
	close_both(notes, repo);
}

static void reads_what_git_writes_at_every_fan_out(void **state)
{
	static const unsigned int counts[] = {1, 50, 300, 3000, 20000};
	static const unsigned int depths[] = {0, 1, 0, 3, 2};
	char want[32];
	size_t c, i;

	for (c = 0; c < sizeof(counts) / sizeof(*counts); c++) {
		struct pn_repo *repo = open_repo(*state);
		struct pn_notes *notes;
		struct pn_oid id;
		char *git, *own;

		import(*state, counts[c], depths[c]);
		notes = open_notes(repo);
		for (i = 0; i < counts[c]; i += 1 + counts[c] / 500) {
			id = nth((unsigned int)i);
			snprintf(want, sizeof(want), "note %zu\n", i);
			reads(notes, &id, want);
		}
		id = nth(counts[c]);
		reads(notes, &id, "");
		git = scratch_sh(*state, "git notes --ref=perf list | "
					 "sort -k 2");
		own = list(notes);
		assert_string_equal(own, git);
		free(git);
		free(own);
		close_both(notes, repo);
	}
}

/* What is no regular file with the exact name is not read as a note and not
 * taken away by a write; a path out of the tree is only a name. */
static void passes_over_what_is_no_note(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_notes *notes;
	struct pn_oid link = nth(1), gitlink = nth(3);
	struct pn_oid good = nth(4), added = nth(5);
	struct pn_oid blob, tree;
	struct pn_buf raw = {0};
	char l[PN_OID_HEX + 1], n[PN_OID_HEX + 1], b[PN_OID_HEX + 1];
	char *own, *before, *after;

	pn_oid_hex(n, &good);
	blob = hash_of(*state, "echo text | git hash-object -w --stdin");
	pn_oid_hex(b, &blob);
	tree = hash_of(*state,
		       "printf '100644 blob %s\\tshort\\n' | git mktree", b);
	add_entry(&raw, "100644 ..", &blob);
	add_entry(&raw, "100644 ../../evil", &blob);
	add_named(&raw, "120000", &link, &blob);
	add_named(&raw, "160000", &gitlink, &blob);
	add_named(&raw, "100644", &good, &blob);
	add_entry(&raw, "100644 ABCDEF7890123456789012345678901234567890",
		  &blob);
	add_entry(&raw, "100644 README", &blob);
	add_entry(&raw, "40000 ab", &tree);
	put_tree(*state, &raw);
	notes = open_notes(repo);
	own = list(notes);
	assert_int_equal(strlen(own), 82);
	assert_non_null(strstr(own, n));
	reads(notes, &link, "");
	reads(notes, &gitlink, "");
	reads(notes, &good, "text\n");
	before = scratch_sh(*state, "git ls-tree -r refs/notes/perf | sort");
	pn_notes_stage_note(notes, &added, "text\n", 5, NULL);
	commit(notes);
	pn_oid_hex(l, &added);
	after = scratch_sh(*state,
			   "git ls-tree -r refs/notes/perf | grep -v -e %s "
			   "-e format | sort",
			   l);
	assert_string_equal(before, after);
	free(before);
	free(after);
	free(own);
	pn_buf_release(&raw);
	close_both(notes, repo);
}

/* As git does, for which a note is any regular file. */
static void reads_files_of_any_mode_and_writes_100644(void **state)
{
	static const char *const modes[] = {"100755", "100664", "100600",
					    "0100644"};
	struct pn_repo *repo = open_repo(*state);
	struct pn_oid blob, added = nth(9);
	struct pn_buf raw = {0};
	struct pn_notes *notes;
	char *after;
	size_t i;

	blob = hash_of(*state, "echo text | git hash-object -w --stdin");
	for (i = 0; i < 4; i++) {
		struct pn_oid id = nth(i);

		add_named(&raw, modes[i], &id, &blob);
	}
	put_tree(*state, &raw);
	notes = open_notes(repo);
	for (i = 0; i < 4; i++) {
		struct pn_oid id = nth(i);

		reads(notes, &id, "text\n");
	}
	pn_notes_stage_note(notes, &added, "more\n", 5, NULL);
	commit(notes);
	after = scratch_sh(*state, "git ls-tree refs/notes/perf | "
				   "grep -c '^100644 blob '");
	assert_string_equal(after, "6\n"); /* and the file 'format' */
	free(after);
	pn_buf_release(&raw);
	close_both(notes, repo);
}

static void refuses_a_malformed_tree(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_notes *notes = NULL;
	struct pn_buf raw = {0};
	struct pn_error err;

	pn_buf_add(&raw, "100644 cut\0abc", 14);
	put_tree(*state, &raw);
	pn_buf_release(&raw);
	assert_int_equal(pn_notes_open(&notes, repo, PN_NOTES_REF, &err),
			 PN_EINVAL);
	assert_non_null(strstr(err.message, "malformed tree"));
	assert_null(notes);
	pn_repo_free(repo);
}

static void refuses_a_ref_that_is_no_commit(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_notes *notes = NULL;
	struct pn_error err;

	scratch_run(*state, "git update-ref refs/notes/perf HEAD:file");
	assert_int_equal(pn_notes_open(&notes, repo, PN_NOTES_REF, &err),
			 PN_EINVAL);
	assert_non_null(strstr(err.message, "refs/notes/perf"));
	pn_repo_free(repo);
}

static void shows_in_git_log(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_notes *notes = open_notes(repo);
	char *head = scratch_line(*state, "git rev-parse HEAD");
	struct pn_oid id = parse(head);
	char *text;

	pn_notes_stage_note(notes, &id, "perf1 x\n", 8, NULL);
	commit(notes);
	text = scratch_sh(*state, "git log --notes=perf -1 --format=%%N");
	assert_string_equal(text, "perf1 x\n\n");
	free(text);
	free(head);
	close_both(notes, repo);
}

/* Nobody has published two blobs of one name yet: this takes one's for the
 * other's. The same bytes may come deflated. */
static void refuses_two_bodies_of_one_name(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_notes *notes = open_notes(repo);
	struct pn_oid body;
	struct pn_error err;
	struct pn_buf packed = {0};
	char hex[PN_OID_HEX + 1];

	assert_int_equal(pn_deflate_zlib(&packed, "", 0, "body", 4, -1), 0);
	assert_int_equal(pn_notes_stage_body(&body, notes, "body", 4, &err), 0);
	assert_int_equal(pn_notes_stage_named(notes, &body, "body", 4, 0, &err),
			 0);
	assert_int_equal(pn_notes_stage_named(notes, &body, packed.data,
					      packed.len, 4, &err),
			 0);
	assert_int_equal(pn_notes_stage_named(notes, &body, "Body", 4, 0, &err),
			 PN_EREFUSED);
	pn_oid_hex(hex, &body);
	assert_non_null(strstr(err.message, hex));
	pn_buf_release(&packed);
	commit(notes);
	pn_notes_stage_note(notes, &body, "line\n", 5, NULL);
	commit(notes);
	close_both(notes, repo);
}

static void sees_what_is_staged(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_notes *notes;
	struct pn_oid id = nth(0), new = nth(100), body;
	struct pn_error err;
	bool has;

	import(*state, 3, 1);
	notes = open_notes(repo);
	pn_notes_stage_note(notes, &new, "new\n", 4, NULL);
	reads(notes, &new, "new\n");
	pn_notes_stage_note(notes, &id, NULL, 0, NULL);
	reads(notes, &id, "");
	assert_int_equal(pn_notes_stage_body(&body, notes, "body", 4, &err), 0);
	assert_int_equal(pn_notes_has_body(&has, notes, &body, &err), 0);
	assert_true(has);
	pn_notes_stage_drop(notes, &body);
	assert_int_equal(pn_notes_has_body(&has, notes, &body, &err), 0);
	assert_false(has);
	assert_int_equal(pn_notes_reopen(notes, &err), 0);
	reads(notes, &new, "");
	reads(notes, &id, "note 0\n");
	close_both(notes, repo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_repo(reads_nothing_where_there_is_no_ref),
		with_repo(reads_what_git_writes_at_every_fan_out),
		with_repo(passes_over_what_is_no_note),
		with_repo(reads_files_of_any_mode_and_writes_100644),
		with_repo(refuses_a_malformed_tree),
		with_repo(refuses_a_ref_that_is_no_commit),
		with_repo(shows_in_git_log),
		with_repo(refuses_two_bodies_of_one_name),
		with_repo(sees_what_is_staged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
