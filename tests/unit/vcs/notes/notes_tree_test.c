/* The trees that are written, beside those that git writes. */
#include "notes_scratch.h"

#include "vcs/notes/stage.h"
#include "vcs/objects/tree.h"

/* The tree that git's own writer makes of the same notes: one is added, the
 * others are copies of it, made by one process. */
static void makes_the_trees_that_git_makes(void **state)
{
	static const unsigned int counts[] = {31,  60,	90,   120,
					      200, 800, 5000, 26000};
	struct pn_buf pairs = {0}, path = {0};
	char first[PN_OID_HEX + 1], hex[PN_OID_HEX + 1];
	struct pn_error err;
	struct pn_oid id = nth(0);
	unsigned int i;
	size_t c;

	pn_oid_hex(first, &id);
	pn_buf_printf(&path, "%s/.git/pairs", ((struct scratch *)*state)->dir);
	for (c = 0; c < sizeof(counts) / sizeof(*counts); c++) {
		struct pn_repo *repo = open_repo(*state);
		struct pn_notes *notes;
		char *own, *git;

		scratch_run(*state, "git update-ref -d refs/notes/perf; "
				    "git update-ref -d refs/notes/git");
		pn_buf_clear(&pairs);
		notes = open_notes(repo);
		for (i = 0; i < counts[c]; i++) {
			id = nth(i);
			pn_notes_stage_note(notes, &id, "same\n", 5, NULL);
			pn_oid_hex(hex, &id);
			if (i)
				pn_buf_printf(&pairs, "%s %s\n", first, hex);
		}
		commit(notes);
		assert_int_equal(pn_file_write(pn_buf_text(&path), pairs.data,
					       pairs.len, false, &err),
				 0);
		scratch_run(*state,
			    "b=$(echo same | git hash-object -w --stdin) && "
			    "printf '100644 blob %%s\\t%s\\n' $b | git mktree "
			    ">t && git update-ref refs/notes/git "
			    "$(git commit-tree -m x $(cat t)) && "
			    "git notes --ref=git copy --stdin <.git/pairs",
			    first);
		own = scratch_sh(*state, "git ls-tree -rt refs/notes/perf | "
					 "grep -v format");
		git = scratch_sh(*state, "git ls-tree -rt refs/notes/git");
		assert_string_equal(own, git);
		free(own);
		free(git);
		close_both(notes, repo);
	}
	pn_buf_release(&pairs);
	pn_buf_release(&path);
}

/* One by one, added and taken away again: git's trees stay ours. */
static void keeps_gits_trees_through_single_changes(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_notes *notes;
	char hex[PN_OID_HEX + 1], *own, *git;
	unsigned int i, step;
	struct pn_oid id;

	import(*state, 100, 0);
	for (step = 0; step < 40; step++) {
		i = step < 25 ? 100 + step : 139 - step;
		id = nth(i);
		pn_oid_hex(hex, &id);
		scratch_run(*state,
			    step < 25
				    ? "git update-ref refs/notes/git "
				      "refs/notes/perf && echo note | git "
				      "notes --ref=git add -F - %s"
				    : "git update-ref refs/notes/git "
				      "refs/notes/perf && git notes --ref=git "
				      "remove %s 2>/dev/null",
			    hex);
		notes = open_notes(repo);
		pn_notes_stage_note(notes, &id, "note\n", step < 25 ? 5 : 0,
				    NULL);
		commit(notes);
		pn_notes_free(notes);
		own = scratch_sh(*state, "git ls-tree -rt refs/notes/perf | "
					 "grep -v format");
		git = scratch_sh(*state, "git ls-tree -rt refs/notes/git | "
					 "grep -v format || true");
		assert_string_equal(own, git);
		free(own);
		free(git);
	}
	pn_repo_free(repo);
}

static void unites_a_note_found_at_two_depths(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_notes *notes;
	struct pn_oid id = nth(7), other = nth(8);
	char hex[PN_OID_HEX + 1], *own, *want;

	pn_oid_hex(hex, &id);
	scratch_run(*state,
		    "b=$(echo flat | git hash-object -w --stdin) && "
		    "c=$(echo deep | git hash-object -w --stdin) && "
		    "s=$(printf \"100644 blob $c\\t%s\\n\" | git mktree) && "
		    "t=$(printf \"100644 blob $b\\t%s\\n040000 tree "
		    "$s\\t%.2s\\n\" | git mktree) && "
		    "git update-ref refs/notes/perf $(git commit-tree -m x $t)",
		    hex + 2, hex, hex);
	notes = open_notes(repo);
	own = list(notes);
	assert_int_equal(strlen(own), 2 * 82);
	free(own);
	want = scratch_sh(*state, "git notes --ref=perf list >/dev/null; "
				  "printf 'flat\\ndeep\\n' | sort");
	{
		struct pn_buf text = {0};
		struct pn_error err;

		assert_int_equal(pn_notes_read(&text, notes, &id, &err), 0);
		assert_int_equal(text.len, strlen(want));
		assert_non_null(strstr(pn_buf_text(&text), "flat\n"));
		assert_non_null(strstr(pn_buf_text(&text), "deep\n"));
		pn_buf_release(&text);
	}
	free(want);
	pn_notes_stage_note(notes, &other, "other\n", 6, NULL);
	commit(notes);
	own = scratch_sh(*state,
			 "git notes --ref=perf list | wc -l | tr -d ' ' && "
			 "git cat-file blob refs/notes/perf:%s | sort && "
			 "git fsck --strict >&2",
			 hex);
	assert_string_equal(own, "2\ndeep\nflat\n");
	free(own);
	close_both(notes, repo);
}

/* A tree object of these bytes, whatever git thinks of them. */
static struct pn_oid put_tree(struct scratch *s, const struct pn_buf *raw)
{
	struct pn_buf path = {0};
	struct pn_error err;
	struct pn_oid id;
	char *hex;

	pn_buf_printf(&path, "%s/raw", s->dir);
	assert_int_equal(pn_file_write(pn_buf_text(&path), raw->data, raw->len,
				       false, &err),
			 0);
	hex = scratch_line(s, "git hash-object -t tree -w --literally raw");
	id = parse(hex);
	free(hex);
	pn_buf_release(&path);
	return id;
}

static struct pn_oid put_blob(struct scratch *s, const char *text)
{
	char *hex =
		scratch_line(s, "echo %s | git hash-object -w --stdin", text);
	struct pn_oid id = parse(hex);

	free(hex);
	return id;
}

/* A root with one folder of notes twice, once for each text, and another
 * entry twice; `git fsck` calls that duplicateEntries. */
static void put_doubled(struct scratch *s, const struct pn_oid *commit,
			const char *const texts[2])
{
	struct pn_buf root = {0}, sub = {0};
	char hex[PN_OID_HEX + 1];
	struct pn_oid id;
	int i;

	for (i = 0; i < 2; i++) {
		pn_oid_hex(hex, commit);
		id = put_blob(s, texts[i]);
		pn_buf_clear(&sub);
		pn_tree_add(&sub, PN_MODE_BLOB, hex + 2, 38, &id);
		id = put_tree(s, &sub);
		pn_tree_add(&root, PN_MODE_TREE, hex, 2, &id);
	}
	for (i = 0; i < 2; i++) {
		id = put_blob(s, texts[i]);
		pn_tree_add(&root, PN_MODE_BLOB, "other", 5, &id);
	}
	id = put_tree(s, &root);
	pn_oid_hex(hex, &id);
	scratch_run(s,
		    "git update-ref refs/notes/perf "
		    "$(git commit-tree -m x %s)",
		    hex);
	pn_buf_release(&root);
	pn_buf_release(&sub);
}

static void unites_folders_of_one_name(void **state)
{
	static const char *const texts[2] = {"one", "two"};
	struct pn_repo *repo = open_repo(*state);
	struct pn_oid id = nth(7), other = nth(8);
	struct pn_notes *notes;
	char *names;

	put_doubled(*state, &id, texts);
	notes = open_notes(repo);
	reads(notes, &id, "one\ntwo\n");
	pn_notes_stage_note(notes, &other, "more\n", 5, NULL);
	commit(notes);
	pn_notes_free(notes);
	notes = open_notes(repo);
	reads(notes, &id, "one\ntwo\n");
	reads(notes, &other, "more\n");
	names = scratch_sh(*state, "git ls-tree -rt --name-only "
				   "refs/notes/perf | sort | uniq -d; "
				   "git cat-file blob refs/notes/perf:other");
	assert_string_equal(names, "one\n");
	free(names);
	close_both(notes, repo);
}

static void drops_a_note_from_folders_of_one_name(void **state)
{
	static const char *const texts[2] = {"one", "two"};
	struct pn_repo *repo = open_repo(*state);
	struct pn_oid id = nth(7);
	struct pn_notes *notes;
	char *names;

	put_doubled(*state, &id, texts);
	notes = open_notes(repo);
	pn_notes_stage_note(notes, &id, "", 0, NULL);
	commit(notes);
	pn_notes_free(notes);
	notes = open_notes(repo);
	reads(notes, &id, "");
	names = scratch_sh(*state, "git ls-tree -rt --name-only "
				   "refs/notes/perf");
	assert_string_equal(names, "format\nother\n");
	free(names);
	close_both(notes, repo);
}

static void splits_many_bodies_by_the_same_rule(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_notes *notes = open_notes(repo);
	struct pn_notes_iter *iter;
	struct pn_oid body, name, blob, last = {{0}};
	struct pn_error err;
	unsigned int i, seen = 0;
	char *depths;

	for (i = 0; i < 30000; i++)
		assert_int_equal(
			pn_notes_stage_body(&body, notes, &i, sizeof(i), &err),
			0);
	commit(notes);
	depths = scratch_line(*state,
			      "git ls-tree -r --name-only refs/notes/perf "
			      "objects/ | awk '{print length}' | sort -u | "
			      "tr '\\n' ' '");
	/* objects/ and 2/2/36: 8 + 42 characters, 8 + 41 in 2/38; 117 bodies
	 * a folder fill all sixteen first digits twice but for a share of
	 * 16 (1 + 7.3) exp(-7.3) = 9 %. */
	assert_string_equal(depths, "49 50 ");
	assert_int_equal(pn_notes_bodies_open(&iter, notes, &err), 0);
	while (pn_notes_iter_next(&name, &blob, iter, &err) > 0) {
		assert_true(pn_oid_equal(&name, &blob));
		assert_true(pn_oid_cmp(&last, &name) < 0);
		last = name;
		seen++;
	}
	assert_int_equal(seen, 30000);
	pn_notes_iter_free(iter);
	free(depths);
	scratch_run(*state, "git fsck --strict 2>&1 && "
			    "git verify-pack .git/objects/pack/*.idx");
	close_both(notes, repo);
}

static void drops_a_body_and_its_empty_folder(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_notes *notes = open_notes(repo);
	struct pn_oid body;
	struct pn_error err;
	char *names;

	assert_int_equal(pn_notes_stage_body(&body, notes, "body\n", 5, &err),
			 0);
	commit(notes);
	pn_notes_stage_drop(notes, &body);
	commit(notes);
	names = scratch_sh(*state, "git ls-tree --name-only refs/notes/perf");
	assert_string_equal(names, "format\n");
	free(names);
	close_both(notes, repo);
}

static void writes_what_git_reads(void **state)
{
	static const unsigned int counts[] = {1, 11, 300, 3000};
	size_t c;

	for (c = 0; c < sizeof(counts) / sizeof(*counts); c++) {
		struct pn_repo *repo = open_repo(*state);
		struct pn_notes *notes = open_notes(repo);
		char *git, *own, *show, hex[PN_OID_HEX + 1], text[32];
		unsigned int i;
		struct pn_oid id;

		for (i = 0; i < counts[c]; i++) {
			id = nth(i);
			snprintf(text, sizeof(text), "line %u\n", i);
			pn_notes_stage_note(notes, &id, text, strlen(text),
					    NULL);
		}
		commit(notes);
		own = list(notes);
		git = scratch_sh(*state, "git notes --ref=perf list | "
					 "sort -k 2");
		assert_string_equal(own, git);
		pn_oid_hex(hex, &id);
		show = scratch_sh(*state,
				  "git cat-file blob $(git notes --ref=perf "
				  "list | grep %s | cut -c1-40)",
				  hex);
		assert_string_equal(show, text);
		scratch_run(*state, "git fsck --strict 2>&1");
		free(show);
		free(git);
		free(own);
		close_both(notes, repo);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_repo(makes_the_trees_that_git_makes),
		with_repo(keeps_gits_trees_through_single_changes),
		with_repo(unites_a_note_found_at_two_depths),
		with_repo(unites_folders_of_one_name),
		with_repo(drops_a_note_from_folders_of_one_name),
		with_repo(splits_many_bodies_by_the_same_rule),
		with_repo(drops_a_body_and_its_empty_folder),
		with_repo(writes_what_git_reads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
