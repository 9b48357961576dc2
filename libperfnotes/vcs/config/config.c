/*
 * Configuration as git sees it. libgit2 does not know the variables of
 * git-config(1), ENVIRONMENT. Those that name files choose what libgit2 reads
 * here; where others are in play (`git -c` is one), or config.worktree, git is
 * asked, once.
 */
#include "vcs/config/config.h"

#include "base/alloc.h"
#include "vcs/child.h"
#include "vcs/git.h"
#include "vcs/unseen.h"

#include <stdlib.h>
#include <string.h>

bool pn_config_any_set(const char *const *names)
{
	for (; *names; names++)
		if (getenv(*names))
			return true;
	return false;
}

/* Its conditions are not all that git has, and some it takes otherwise. */
static bool has_condition(const git_config *config)
{
	git_config_iterator *iter = NULL;
	git_config_entry *entry;
	bool has = git_config_iterator_new(&iter, config) < 0;

	while (!has && !git_config_next(&entry, iter))
		has = !strncmp(entry->name, "includeif.", 10);
	git_config_iterator_free(iter);
	return has;
}

/* What git takes from another folder than we would. */
static bool is_elsewhere(void)
{
	const char *global = getenv("GIT_CONFIG_GLOBAL");
	const char *system = getenv("GIT_CONFIG_SYSTEM");
	const char *xdg = getenv("XDG_CONFIG_HOME");

	return (global && *global && *global != '/') ||
	       (system && *system && *system != '/') || (xdg && !*xdg);
}

static const char *const given[] = {"GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT",
				    NULL};
static const char *const files[] = {"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM",
				    "GIT_CONFIG_NOSYSTEM", NULL};

static bool libgit2_sees_all(struct pn_repo *repo)
{
	int on = 0;

	if (repo->head_by_git || pn_config_any_set(given) || is_elsewhere() ||
	    has_condition(repo->config))
		return false;
	return git_config_get_bool(&on, repo->config,
				   "extensions.worktreeconfig") < 0 ||
	       !on;
}

/* One that git takes for the system's or the user's; what is not there says
 * nothing. */
static int add_file(git_config *config, const char *path,
		    git_config_level_t level, const struct pn_repo *repo)
{
	if (!*path || !strcmp(path, "/dev/null"))
		return 0;
	return git_config_add_file_ondisk(config, path, level, repo->git, 0);
}

static int add_found(git_config *config, int (*find)(git_buf *),
		     git_config_level_t level, const struct pn_repo *repo)
{
	git_buf path = {0};
	int result = find(&path);

	result = result < 0 ? 0 : add_file(config, path.ptr, level, repo);
	git_buf_dispose(&path);
	return result;
}

static int add_all(git_config *config, bool system, const struct pn_repo *repo)
{
	const char *file = getenv("GIT_CONFIG_SYSTEM");
	const char *global = getenv("GIT_CONFIG_GLOBAL");
	struct pn_buf own = {0};
	int result = 0;

	if (system && file)
		result = add_file(config, file, GIT_CONFIG_LEVEL_SYSTEM, repo);
	else if (system)
		result = add_found(config, git_config_find_system,
				   GIT_CONFIG_LEVEL_SYSTEM, repo);
	if (result >= 0 && global)
		result =
			add_file(config, global, GIT_CONFIG_LEVEL_GLOBAL, repo);
	else if (result >= 0)
		result = add_found(config, git_config_find_xdg,
				   GIT_CONFIG_LEVEL_XDG, repo);
	if (result >= 0 && !global)
		result = add_found(config, git_config_find_global,
				   GIT_CONFIG_LEVEL_GLOBAL, repo);
	pn_buf_printf(&own, "%sconfig", git_repository_commondir(repo->git));
	if (result >= 0)
		result = add_file(config, pn_buf_text(&own),
				  GIT_CONFIG_LEVEL_LOCAL, repo);
	pn_buf_release(&own);
	return result;
}

/* Of the files that the environment chooses. */
static int snapshot_chosen(git_config **out, const struct pn_repo *repo)
{
	const char *without = getenv("GIT_CONFIG_NOSYSTEM");
	git_config *config = NULL;
	int no_system = 0, result = 0;

	if (without)
		result = git_config_parse_bool(&no_system, without);
	if (result >= 0)
		result = git_config_new(&config);
	if (result >= 0)
		result = add_all(config, !no_system, repo);
	if (result >= 0)
		result = git_config_snapshot(out, config);
	git_config_free(config);
	return result;
}

static int load_own(struct pn_repo *repo, struct pn_error *err)
{
	int result;

	if (repo->config)
		return 0;
	result = pn_config_any_set(files) ? snapshot_chosen(&repo->config, repo)
					  : git_repository_config_snapshot(
						    &repo->config, repo->git);
	if (result < 0 && pn_unread(repo->common_dir, err))
		return PN_EIO;
	return result < 0 ? pn_git_fail(err, PN_EINVAL,
					"cannot read the configuration")
			  : 0;
}

static int load(struct pn_repo *repo, struct pn_error *err)
{
	static const char *const argv[] = {"git", "config", "-l", "-z", NULL};
	char said[1024] = "";
	int status, code;

	if (repo->asked_config)
		return 0;
	code = load_own(repo, err);
	if (code)
		return code;
	repo->asked_config = libgit2_sees_all(repo);
	if (repo->asked_config)
		return 0;
	code = pn_child_ask(&repo->configured, said, &status, repo, argv, err);
	if (!code && status)
		code = pn_error_set(err, PN_EINVAL,
				    "cannot read the configuration: %s",
				    pn_child_said(said));
	repo->asked_config = repo->ask_config = !code;
	return code;
}

static int lower(int c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/*
 * Section and variable in any case, the subsection between them as it is;
 * git prints the first two in lower case. `len` is of the printed key.
 */
static bool same_key(const char *key, const char *printed, size_t len)
{
	const char *first = strchr(key, '.');
	const char *last = strrchr(key, '.');
	size_t i;

	if (strlen(key) != len || !first)
		return false;
	for (i = 0; i < len; i++) {
		bool exact = key + i > first && key + i < last;

		if (exact ? key[i] != printed[i]
			  : lower((unsigned char)key[i]) != printed[i])
			return false;
	}
	return true;
}

/* Records are "key LF value NUL", or "key NUL" for a bare one; the last
 * counts. */
static char *find_configured(const struct pn_buf *text, const char *key)
{
	const char *at = pn_buf_text(text);
	const char *end = at + text->len;
	const char *found = NULL;

	while (at < end) {
		size_t len = strlen(at);
		const char *lf = memchr(at, '\n', len);

		if (same_key(key, at, lf ? (size_t)(lf - at) : len))
			found = lf ? lf + 1 : "true";
		at += len + 1;
	}
	return found ? pn_strdup(found) : NULL;
}

int pn_config_own(char **out, struct pn_repo *repo, const char *key,
		  struct pn_error *err)
{
	const char *value;
	int code = load_own(repo, err);
	int result;

	if (code)
		return code;
	result = git_config_get_string(&value, repo->config, key);
	if (result < 0 && result != GIT_ENOTFOUND)
		return pn_git_fail(err, PN_EINVAL, "cannot read '%s'", key);
	*out = result < 0 ? NULL : pn_strdup(value);
	return 0;
}

bool pn_config_user(char **out, const char *key)
{
	git_config *config = NULL, *all = NULL;
	const char *value;
	int result = -1;

	*out = NULL;
	if (pn_config_any_set(given) || pn_config_any_set(files) ||
	    is_elsewhere())
		return false;
	git_libgit2_init();
	if (!git_config_open_default(&config) &&
	    !git_config_snapshot(&all, config) && !has_condition(all))
		result = git_config_get_string(&value, all, key);
	if (!result)
		*out = pn_strdup(value);
	git_config_free(all);
	git_config_free(config);
	git_libgit2_shutdown();
	return !result || result == GIT_ENOTFOUND;
}

int pn_repo_config(char **out, struct pn_repo *repo, const char *key,
		   struct pn_error *err)
{
	int code = load(repo, err);

	if (code)
		return code;
	if (!repo->ask_config)
		return pn_config_own(out, repo, key, err);
	*out = find_configured(&repo->configured, key);
	return 0;
}

/* Of remote.<name>.<key>: its bytes; 0: it is another entry. */
static size_t remote_of(const char **name, const git_config_entry *entry,
			const char *key)
{
	size_t len = strlen(entry->name), behind = strlen(key) + 1;

	if (strncmp(entry->name, "remote.", 7) != 0 || len < 8 + behind ||
	    entry->name[len - behind] != '.' ||
	    strcmp(entry->name + len - behind + 1, key) != 0)
		return 0;
	*name = entry->name + 7;
	return len - 7 - behind;
}

static size_t url_of(const char **name, const git_config_entry *entry)
{
	size_t len = remote_of(name, entry, "url");

	return len ? len : remote_of(name, entry, "pushurl");
}

/* The name of the remote that the entry makes one; 0 bytes: none. */
static size_t promisor_of(const char **name, const git_config_entry *entry)
{
	int on = 0;

	if (!strcmp(entry->name, "extensions.partialclone")) {
		*name = entry->value;
		return entry->value ? strlen(entry->value) : 0;
	}
	if (git_config_parse_bool(&on, entry->value) || !on)
		return 0;
	return remote_of(name, entry, "promisor");
}

/* The names that entries say, each once. */
static void list_names(struct pn_buf *out, const struct pn_repo *repo,
		       size_t (*of)(const char **, const git_config_entry *))
{
	git_config_iterator *iter = NULL;
	git_config_entry *entry;
	git_config *config = NULL;
	const char *name = "";

	if (git_repository_config_snapshot(&config, repo->git) < 0)
		return;
	if (!git_config_iterator_new(&iter, config))
		while (!git_config_next(&entry, iter)) {
			size_t len = of(&name, entry);

			if (!len || pn_buf_lists(out, name, len))
				continue;
			pn_buf_add(out, name, len);
			pn_buf_add_byte(out, '\0');
		}
	git_config_iterator_free(iter);
	git_config_free(config);
}

void pn_repo_promisors(struct pn_buf *out, const struct pn_repo *repo)
{
	list_names(out, repo, promisor_of);
}

void pn_repo_remotes(struct pn_buf *out, const struct pn_repo *repo)
{
	list_names(out, repo, url_of);
}

bool pn_repo_is_partial(const struct pn_repo *repo)
{
	struct pn_buf names = {0};
	bool partial;

	pn_repo_promisors(&names, repo);
	partial = names.len > 0;
	pn_buf_release(&names);
	return partial;
}
