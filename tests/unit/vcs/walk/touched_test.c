/* Files that commits of a line touched, and where lines part. */
#include "notes_scratch.h"

#include "vcs/walk/touched.h"

static struct pn_oid id_of(struct scratch *s, const char *rev)
{
	char *hex = scratch_line(s, "git rev-parse %s", rev);
	struct pn_oid id;

	assert_int_equal(pn_oid_parse(&id, hex), 0);
	free(hex);
	return id;
}

/* What is told of from..to: "<subject>: <file> <file>" a commit. */
static void touches(struct scratch *s, const char *from, const char *to,
		    const char *wanted)
{
	struct pn_oid a = id_of(s, from), b = id_of(s, to);
	struct pn_repo *repo = open_repo(s);
	struct pn_buf text = {0}, told = {0};
	struct pn_error err;
	char *line, *rest, *subject;

	if (pn_touched_read(&text, repo, &a, &b, &err))
		fail_msg("%s", err.message);
	for (line = (char *)text.data; line && *line; line = rest) {
		rest = line + strcspn(line, "\n");
		if (*rest)
			*rest++ = '\0';
		if (!*line)
			continue;
		if (*line != 1) {
			pn_buf_printf(&told, " %s", line);
			continue;
		}
		subject =
			scratch_line(s, "git log -1 --format=%%s %s", line + 1);
		pn_buf_printf(&told, "%s%s:", told.len ? "\n" : "", subject);
		free(subject);
	}
	assert_string_equal(pn_buf_text(&told), wanted);
	pn_buf_release(&told);
	pn_buf_release(&text);
	pn_repo_free(repo);
}

static void tells_the_newest_first(void **state)
{
	scratch_run(*state, "mkdir d && echo >d/a && echo >b && git add . && "
			    "git commit -qm two && echo 2 >b && "
			    "git commit -qam three && git rm -q d/a && "
			    "git commit -qm four");
	touches(*state, "HEAD~3", "HEAD", "four: d/a\nthree: b\ntwo: b d/a");
	touches(*state, "HEAD~1", "HEAD", "four: d/a");
	touches(*state, "HEAD", "HEAD", "");
}

/* Of a merge all that differs from its first parent; the commits of the other
 * line are not told. */
static void follows_first_parents(void **state)
{
	scratch_run(*state, "git checkout -qb side && echo >s1 && git add . && "
			    "git commit -qm side1 && echo >s2 && git add . && "
			    "git commit -qm side2 && git checkout -q main && "
			    "echo >m && git add . && git commit -qm main && "
			    "git merge -q --no-ff -m merge side");
	touches(*state, "HEAD~2", "HEAD", "merge: s1 s2\nmain: m");
}

static void names_both_ends_of_a_rename(void **state)
{
	scratch_run(*state, "git mv file other && git commit -qm move");
	touches(*state, "HEAD~1", "HEAD", "move: file other");
}

/* Whatever a user has set. */
static void prints_paths_as_they_are(void **state)
{
	scratch_run(*state,
		    "git config diff.renames true && "
		    "git config log.showSignature true && "
		    "git config color.ui always && "
		    "git config core.quotePath true && "
		    "echo >'sp ace' && echo >\"$(printf '\\303\\251')\" && "
		    "git add . && git commit -qm odd");
	touches(*state, "HEAD~1", "HEAD", "odd: sp ace \xc3\xa9");
}

static void reports_what_git_says(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_oid none = {{1}}, head = id_of(*state, "HEAD");
	struct pn_buf text = {0};
	struct pn_error err;

	assert_int_equal(pn_touched_read(&text, repo, &none, &head, &err),
			 PN_EIO);
	assert_non_null(strstr(err.message, "0100000000"));
	pn_buf_release(&text);
	pn_repo_free(repo);
}

static void finds_where_lines_part(void **state)
{
	struct pn_oid root, side, head, base, alone;
	struct pn_repo *repo;
	struct pn_error err;

	scratch_run(*state, "git checkout -qb side && "
			    "git commit -q --allow-empty -m side && "
			    "git checkout -q main && "
			    "git commit -q --allow-empty -m main && "
			    "git checkout -q --orphan alone && "
			    "git commit -q --allow-empty -m alone");
	root = id_of(*state, "main~1");
	side = id_of(*state, "side");
	head = id_of(*state, "main");
	alone = id_of(*state, "alone");
	repo = open_repo(*state);
	assert_int_equal(pn_touched_base(&base, repo, &side, &head, &err), 0);
	assert_true(pn_oid_equal(&base, &root));
	assert_int_equal(pn_touched_base(&base, repo, &root, &head, &err), 0);
	assert_true(pn_oid_equal(&base, &root));
	assert_int_equal(pn_touched_base(&base, repo, &alone, &head, &err), 0);
	assert_true(pn_oid_is_zero(&base));
	pn_repo_free(repo);
}

#define IN_A_REPO(test)                                                        \
	cmocka_unit_test_setup_teardown(test, scratch_repo, scratch_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_A_REPO(tells_the_newest_first),
		IN_A_REPO(follows_first_parents),
		IN_A_REPO(names_both_ends_of_a_rename),
		IN_A_REPO(prints_paths_as_they_are),
		IN_A_REPO(reports_what_git_says),
		IN_A_REPO(finds_where_lines_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
