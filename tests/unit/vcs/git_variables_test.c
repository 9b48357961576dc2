/* What variables of the environment change: the files that configuration is
 * read from, and who writes a commit. git itself says what is right. */
#include "scratch.h"

#include "base/buf.h"
#include "vcs/identity.h"
#include "vcs/repo.h"

static void set_or_not(const char *name, const char *value)
{
	if (value)
		setenv(name, value, 1);
	else
		unsetenv(name);
}

static struct pn_repo *open_here(struct scratch *s)
{
	struct pn_repo *repo;
	struct pn_error err;

	if (pn_repo_open(&repo, s->dir, &err))
		fail_msg("%s", err.message);
	return repo;
}

/* No program can be found between the two. */
static char *hide_programs(void)
{
	char *path = strdup(getenv("PATH"));

	setenv("PATH", "/nowhere", 1);
	return path;
}

static void show_programs(char *path)
{
	setenv("PATH", path, 1);
	free(path);
}

static const char *const keys[] = {"perf.machine", "perf.runs", "perf.colour",
				   "perf.own", NULL};

/* The values of the keys, a line each, "-" for what is not set. */
static char *git_has(struct scratch *s, const char *without)
{
	struct pn_buf command = {0};
	size_t i;
	char *text;

	if (without)
		pn_buf_printf(&command, "GIT_CONFIG_NOSYSTEM=%s; ", without);
	else
		pn_buf_add_text(&command, "unset GIT_CONFIG_NOSYSTEM; ");
	for (i = 0; keys[i]; i++)
		pn_buf_printf(&command, "git config --get %s || echo -; ",
			      keys[i]);
	text = scratch_sh(s, "%s", pn_buf_text(&command));
	pn_buf_release(&command);
	return text;
}

static char *we_have(struct scratch *s)
{
	char *value, *path = hide_programs();
	struct pn_repo *repo = open_here(s);
	struct pn_buf text = {0};
	struct pn_error err;
	size_t i;

	for (i = 0; keys[i]; i++) {
		if (pn_repo_config(&value, repo, keys[i], &err))
			fail_msg("%s: %s", keys[i], err.message);
		pn_buf_printf(&text, "%s\n", value ? value : "-");
		free(value);
	}
	pn_repo_free(repo);
	show_programs(path);
	return pn_buf_detach(&text);
}

static void same_values(struct scratch *s, const char *user, const char *system,
			const char *without)
{
	char *want, *have;

	set_or_not("GIT_CONFIG_GLOBAL", user);
	set_or_not("GIT_CONFIG_SYSTEM", system);
	set_or_not("GIT_CONFIG_NOSYSTEM", without);
	want = git_has(s, without);
	have = we_have(s);
	if (strcmp(want, have))
		fail_msg("user '%s', system '%s', without it '%s': '%s', git "
			 "has '%s'",
			 user ? user : "-", system ? system : "-",
			 without ? without : "-", have, want);
	free(want);
	free(have);
}

/* Without a look at git: a test of ours sets these for each of its calls. */
static void reads_the_files_that_are_chosen(void **state)
{
	static const char *const without[] = {NULL, "0", "1", "no", "true"};
	struct scratch *s = *state;
	char user[4096], absent[4096], system[4096];
	const char *const users[] = {NULL, "", "/dev/null", user, absent};
	size_t i, j;

	snprintf(user, sizeof(user), "%s/user", s->dir);
	snprintf(absent, sizeof(absent), "%s/absent", s->dir);
	snprintf(system, sizeof(system), "%s/system", s->dir);
	scratch_run(s, "for key in machine runs own; do\n"
		       "git config --file .gitconfig perf.$key home; done\n"
		       "mkdir -p .config/git\n"
		       "for key in machine colour; do\n"
		       "git config --file .config/git/config perf.$key xdg\n"
		       "done\n"
		       "git config --file user perf.runs user\n"
		       "git config --file user include.path also\n"
		       "git config --file also perf.colour also\n"
		       "for key in machine runs; do\n"
		       "git config --file system perf.$key system; done\n"
		       "git config perf.own own");
	for (i = 0; i < sizeof(users) / sizeof(*users); i++) {
		for (j = 0; j < sizeof(without) / sizeof(*without); j++) {
			same_values(s, users[i], NULL, without[j]);
			same_values(s, users[i], system, without[j]);
		}
	}
	set_or_not("GIT_CONFIG_GLOBAL", NULL);
	set_or_not("GIT_CONFIG_SYSTEM", NULL);
	set_or_not("GIT_CONFIG_NOSYSTEM", NULL);
}

/* Conditions that libgit2 does not know or takes otherwise, and a file that git
 * looks for from the top: git is asked. */
static void asks_git_for_conditions(void **state)
{
	struct scratch *s = *state;
	char user[4096], *want, *value;
	struct pn_repo *repo;
	struct pn_error err;

	snprintf(user, sizeof(user), "%s/user", s->dir);
	scratch_run(s,
		    "git config --file user perf.runs user\n"
		    "git config --file user includeIf.onbranch:no.path also\n"
		    "git config --file also perf.runs also\n"
		    "git remote add origin https://example.com/x\n"
		    "git config --file user "
		    "'includeIf.hasconfig:remote.*.url:https://*/**.path' it\n"
		    "git config --file it perf.colour it\n"
		    "git commit -q --allow-empty -m 1\n"
		    "git checkout -q --detach");
	setenv("GIT_CONFIG_GLOBAL", user, 1);
	want = git_has(s, "1");
	repo = open_here(s);
	assert_int_equal(pn_repo_config(&value, repo, "perf.runs", &err), 0);
	assert_string_equal(value, "user");
	free(value);
	assert_int_equal(pn_repo_config(&value, repo, "perf.colour", &err), 0);
	assert_non_null(strstr(want, value ? value : "-"));
	free(value);
	pn_repo_free(repo);
	free(want);
	unsetenv("GIT_CONFIG_GLOBAL");
}

static void refuses_what_says_neither_yes_nor_no(void **state)
{
	struct pn_repo *repo = NULL;
	struct pn_error err;

	setenv("GIT_CONFIG_NOSYSTEM", "perhaps", 1);
	assert_int_not_equal(
		pn_repo_open(&repo, ((struct scratch *)*state)->dir, &err), 0);
	assert_non_null(strstr(err.message, "perhaps"));
	unsetenv("GIT_CONFIG_NOSYSTEM");
}

static char *ident_of(struct scratch *s, bool committer)
{
	struct pn_repo *repo = open_here(s);
	struct pn_buf text = {0};
	struct pn_error err;

	if (pn_identity(&text, repo, committer, &err))
		fail_msg("%s", err.message);
	pn_repo_free(repo);
	return pn_buf_detach(&text);
}

/* Whose commits; `alone` where git is not to be asked. */
static void same_ident(struct scratch *s, const char *name, const char *mail,
		       const char *date, bool alone)
{
	char *want, *have, *path = NULL;

	setenv("GIT_COMMITTER_NAME", name, 1);
	setenv("GIT_COMMITTER_EMAIL", mail, 1);
	setenv("GIT_COMMITTER_DATE", date, 1);
	/* what scratch_sh runs has another name and address */
	setenv("WHO", name, 1);
	setenv("WHERE", mail, 1);
	want = scratch_sh(s, "GIT_COMMITTER_NAME=$WHO GIT_COMMITTER_EMAIL="
			     "$WHERE git var GIT_COMMITTER_IDENT");
	want[strcspn(want, "\n")] = '\0';
	if (alone)
		path = hide_programs();
	have = ident_of(s, true);
	if (path)
		show_programs(path);
	assert_string_equal(have, want);
	free(want);
	free(have);
}

static void says_who_writes_as_git_does(void **state)
{
	static const char *const plain[] = {
		"1700000000 +0000", "@999999999 -0330", "3999999999 +1245"};
	static const char *const odd[] = {"1700000000 -0000",
					  "1700000000 -0001",
					  "2005-04-07T22:13:13Z",
					  "1700000000",
					  "Thu, 07 Apr 2005 22:13:13 +0200",
					  "@0 +0100",
					  "1700000000 +02",
					  "@01700000000 +0000",
					  "1112911993 +0230 (CEST)"};
	struct scratch *s = *state;
	size_t i;

	for (i = 0; i < sizeof(plain) / sizeof(*plain); i++) {
		same_ident(s, "A U Thor", "a@example.com", plain[i], true);
		same_ident(s, "J\xc3\xb6rg \xc3\x89", "j", plain[i], true);
		same_ident(s, "a.b, c", "x y", plain[i], true);
		same_ident(s, " J. Random.", "<j@example.com>", plain[i],
			   false);
		same_ident(s, "a<b>c\nd", "'e'", plain[i], false);
	}
	for (i = 0; i < sizeof(odd) / sizeof(*odd); i++)
		same_ident(s, "A U Thor", "a@example.com", odd[i], false);
	unsetenv("GIT_COMMITTER_NAME");
	unsetenv("GIT_COMMITTER_EMAIL");
	unsetenv("GIT_COMMITTER_DATE");
}

#define with_repo(f)                                                           \
	cmocka_unit_test_setup_teardown(f, scratch_repo, scratch_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_repo(reads_the_files_that_are_chosen),
		with_repo(asks_git_for_conditions),
		with_repo(refuses_what_says_neither_yes_nor_no),
		with_repo(says_who_writes_as_git_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
