/* Changing a repository's own configuration. */
#include "vcs/setup.h"

#include "base/alloc.h"
#include "vcs/child.h"
#include "vcs/child_lock.h"

#include <string.h>

/* `what`: to read it, or to change it. */
static int run(struct pn_buf *out, int *status, struct pn_repo *repo,
	       const char *what, const char *const *argv, struct pn_error *err)
{
	char said[1024] = "";
	int code = pn_child_run(out, said, status, repo, argv, err);

	/* git config: 1 is "no such key", all above are failures */
	if (!code && *status > 1)
		return pn_error_set(err, PN_EIO,
				    "cannot %s the configuration: %s", what,
				    pn_child_said(said));
	return code;
}

static int run_change(struct pn_buf *out, int *status, struct pn_repo *repo,
		      const char *const *argv, struct pn_error *err)
{
	struct pn_child_lock lock;
	int code = pn_child_lock_begin(&lock, repo, PN_CHILD_CONFIG, err);

	*status = 0;
	if (!code)
		code = run(out, status, repo, "change", argv, err);
	pn_child_lock_end(&lock, *status);
	return code;
}

int pn_setup_values(struct pn_buf *out, struct pn_repo *repo, const char *key,
		    struct pn_error *err)
{
	const char *argv[] = {"git", "config", "-z", "--get-all", key, NULL};
	int status;

	return run(out, &status, repo, "read", argv, err);
}

int pn_setup_matching(struct pn_buf *out, struct pn_repo *repo,
		      const char *regex, struct pn_error *err)
{
	const char *argv[] = {"git",	      "config", "-z",
			      "--get-regexp", regex,	NULL};
	int status;

	return run(out, &status, repo, "read", argv, err);
}

int pn_setup_flag(bool *on, struct pn_repo *repo, const char *key,
		  struct pn_error *err)
{
	const char *argv[] = {"git",   "config", "--type=bool",
			      "--get", key,	 NULL};
	struct pn_buf value = {0};
	int status = 0, code = run(&value, &status, repo, "read", argv, err);

	*on = !code && !status && !strcmp(pn_buf_text(&value), "true\n");
	if (!code && status)
		code = pn_error_set(err, PN_ENOTFOUND, "'%s' is not set", key);
	pn_buf_release(&value);
	return code;
}

int pn_setup_has_remote(bool *out, struct pn_repo *repo, const char *name,
			struct pn_error *err)
{
	struct pn_buf key = {0}, urls = {0};
	int code;

	pn_buf_printf(&key, "remote.%s.url", name);
	code = pn_setup_values(&urls, repo, pn_buf_text(&key), err);
	*out = !code && urls.len;
	pn_buf_release(&key);
	pn_buf_release(&urls);
	return code;
}

/* "perf-x" beside x. */
static bool is_aside(const char *name, const struct pn_buf *all)
{
	return !strncmp(name, "perf-", 5) &&
	       pn_buf_lists(all, name + 5, strlen(name + 5));
}

char *pn_setup_only_remote(struct pn_repo *repo)
{
	struct pn_buf all = {0};
	const char *at, *end, *only = NULL;
	size_t count = 0;
	char *name;

	/* not git_remote_list, which leaks (libgit2 1.5) */
	pn_repo_remotes(&all, repo);
	at = pn_buf_text(&all);
	for (end = at + all.len; at < end; at += strlen(at) + 1)
		if (!is_aside(at, &all)) {
			only = at;
			count++;
		}
	name = count == 1 ? pn_strdup(only) : NULL;
	pn_buf_release(&all);
	return name;
}

static int change(bool *changed, struct pn_repo *repo, const char *how,
		  const char *key, const char *value, struct pn_error *err)
{
	const char *argv[] = {"git", "config", "--local", how,
			      key,   value,    NULL};
	struct pn_buf values = {0};
	int status = 0, code;

	*changed = false;
	code = pn_setup_values(&values, repo, key, err);
	if (!code && !pn_buf_lists(&values, value, strlen(value))) {
		pn_buf_clear(&values);
		code = run_change(&values, &status, repo, argv, err);
		if (!code && status)
			code = pn_error_set(err, PN_EIO,
					    "cannot set '%s' in the "
					    "configuration",
					    key);
		*changed = !code;
	}
	pn_buf_release(&values);
	return code;
}

int pn_setup_add(bool *added, struct pn_repo *repo, const char *key,
		 const char *value, struct pn_error *err)
{
	return change(added, repo, "--add", key, value, err);
}

int pn_setup_remove(bool *removed, struct pn_repo *repo, const char *key,
		    const char *value, struct pn_error *err)
{
	const char *list[] = {"git",	   "config", "--local", "-z",
			      "--get-all", key,	     NULL};
	const char *argv[] = {"git",	       "config",      "--local",
			      "--fixed-value", "--unset-all", key,
			      value,	       NULL};
	struct pn_buf values = {0};
	int status, code = run(&values, &status, repo, "read", list, err);

	*removed = false;
	if (!code && pn_buf_lists(&values, value, strlen(value))) {
		pn_buf_clear(&values);
		code = run_change(&values, &status, repo, argv, err);
		*removed = !code && !status;
	}
	pn_buf_release(&values);
	return code;
}

int pn_setup_set(bool *changed, struct pn_repo *repo, const char *key,
		 const char *value, struct pn_error *err)
{
	return change(changed, repo, "--replace-all", key, value, err);
}
