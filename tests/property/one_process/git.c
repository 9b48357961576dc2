/* The small commands of git that git-perf asks for. */
#define _GNU_SOURCE
#include "near.h"

#include <stdlib.h>
#include <string.h>

static bool are(const char *const *argv, const char *const *words)
{
	for (; *words; argv++, words++)
		if (!*argv || strcmp(*argv, *words) != 0)
			return false;
	return true;
}

bool near_knows(const char *const *argv, const char *const *known)
{
	size_t i, len;

	for (; *argv && strcmp(*argv, "--") != 0; argv++) {
		for (i = 0; known[i]; i++) {
			len = strlen(known[i]);
			if (known[i][len - 1] == '='
				    ? !strncmp(*argv, known[i], len)
				    : !strcmp(*argv, known[i]))
				break;
		}
		if (!known[i])
			return false;
	}
	return *argv != NULL;
}

static int list_config(struct pn_buf *out, git_repository *repo)
{
	git_config_iterator *iter = NULL;
	git_config_entry *entry;
	git_config *config = NULL;
	int code = git_repository_config_snapshot(&config, repo);

	if (!code)
		code = git_config_iterator_new(&iter, config);
	while (!code && !(code = git_config_next(&entry, iter))) {
		pn_buf_printf(out, "%s\n%s", entry->name,
			      entry->value ? entry->value : "");
		pn_buf_add_byte(out, '\0');
	}
	git_config_iterator_free(iter);
	git_config_free(config);
	return code == GIT_ITEROVER ? 0 : LEFT_TO_GIT;
}

static int list_values(struct pn_buf *out, git_repository *repo,
		       const char *name)
{
	git_config_iterator *iter = NULL;
	git_config_entry *entry;
	git_config *config = NULL;
	size_t count = 0;
	int code = git_repository_config_snapshot(&config, repo);

	if (!code)
		code = git_config_multivar_iterator_new(&iter, config, name,
							NULL);
	while (!code && !(code = git_config_next(&entry, iter))) {
		pn_buf_add(out, entry->value, strlen(entry->value) + 1);
		count++;
	}
	git_config_iterator_free(iter);
	git_config_free(config);
	return code == GIT_ITEROVER ? count == 0 : LEFT_TO_GIT;
}

static int say_who(struct pn_buf *out, bool author)
{
	const char *name =
		getenv(author ? "GIT_AUTHOR_NAME" : "GIT_COMMITTER_NAME");
	const char *mail =
		getenv(author ? "GIT_AUTHOR_EMAIL" : "GIT_COMMITTER_EMAIL");
	const char *date =
		getenv(author ? "GIT_AUTHOR_DATE" : "GIT_COMMITTER_DATE");

	if (!name || !mail || !date)
		return LEFT_TO_GIT;
	pn_buf_printf(out, "%s <%s> %s\n", name, mail, date);
	return 0;
}

static int is_ancestor(git_repository *repo, const char *a, const char *b)
{
	git_oid from, to;
	int code;

	if (!a || !b || git_oid_fromstr(&from, a) || git_oid_fromstr(&to, b))
		return LEFT_TO_GIT;
	if (git_oid_equal(&from, &to))
		return 0;
	code = git_graph_descendant_of(repo, &to, &from);
	return code < 0 ? LEFT_TO_GIT : !code;
}

/* update-ref -d <ref> [<old>] */
static int drop_ref(git_repository *repo, const char *const *argv)
{
	struct move move = {.ref = argv[0], .leased = argv[0] && argv[1]};

	if (!move.ref || (move.leased && git_oid_fromstr(&move.was, argv[1])) ||
	    near_move(repo, &move, 1, NULL))
		return LEFT_TO_GIT;
	return 0;
}

/* update-ref [-m <message>] <ref> <new> [<old>] */
static int update_ref(git_repository *repo, const char *const *argv)
{
	struct move move = {0};
	const char *message = "";
	git_odb *odb = NULL;
	int code;

	if (*argv && !strcmp(*argv, "-d"))
		return drop_ref(repo, argv + 1);
	if (*argv && !strcmp(*argv, "-m")) {
		message = argv[1];
		argv += 2;
	}
	if (!argv[0] || *argv[0] == '-' || !argv[1] ||
	    git_oid_fromstr(&move.to, argv[1]) ||
	    (argv[2] && git_oid_fromstr(&move.was, argv[2])))
		return LEFT_TO_GIT;
	move.ref = argv[0];
	move.leased = argv[2] != NULL;
	code = git_repository_odb(&odb, repo);
	if (!code)
		code = git_odb_exists(odb, &move.to) ? 0 : -1;
	git_odb_free(odb);
	if (code || near_move(repo, &move, 1, message))
		return LEFT_TO_GIT;
	return 0;
}

/* How much an old state has is only told, and git takes two ms for it. */
static int disk_usage(struct pn_buf *out)
{
	pn_buf_printf(out, "4096\n");
	return 0;
}

int near_git(struct pn_buf *out, git_repository *repo, const char *const *argv)
{
	static const char *const config[] = {"git", "config", "-l", "-z", NULL};
	static const char *const values[] = {"git", "config", "-z", "--get-all",
					     NULL};
	static const char *const who[] = {"git", "var", "GIT_COMMITTER_IDENT",
					  NULL};
	static const char *const author[] = {"git", "var", "GIT_AUTHOR_IDENT",
					     NULL};
	static const char *const ancestor[] = {"git", "merge-base",
					       "--is-ancestor", NULL};
	static const char *const synced[] = {"git", "-c", "core.fsync=all",
					     "update-ref", NULL};
	static const char *const update[] = {"git", "update-ref", "--no-deref",
					     NULL};
	static const char *const usage[] = {
		"git",		"rev-list", "--objects", "--missing=allow-any",
		"--disk-usage", NULL};

	if (are(argv, config) && !argv[4])
		return list_config(out, repo);
	if (are(argv, values) && argv[4] && !argv[5])
		return list_values(out, repo, argv[4]);
	if (are(argv, who))
		return say_who(out, false);
	if (are(argv, author))
		return say_who(out, true);
	if (are(argv, ancestor))
		return is_ancestor(repo, argv[3], argv[3] ? argv[4] : NULL);
	if (are(argv, synced))
		return update_ref(repo, argv + 4);
	if (are(argv, update))
		return update_ref(repo, argv + 3);
	if (are(argv, usage))
		return disk_usage(out);
	return LEFT_TO_GIT;
}
