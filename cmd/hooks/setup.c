/* Our block in the hooks of a repository. */
#include "setup.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/json/json.h"
#include "command.h"
#include "jobs/hook_file.h"
#include "jobs/queue.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HOOKS 3
#define HOOK_MAX (1u << 20) /* bytes of somebody's hook */

/* One hook: what is there, and what will be. */
struct hook {
	const char *name;
	char *path;
	bool exists, is_link, executable;
	enum pn_hook_state state;
	struct pn_buf text, next;
	bool alone; /* nothing but ours */
};

struct hook_set {
	struct pn_hooks place;
	struct hook hooks[HOOKS];
};

static int load_one(struct hook *hook, const char *dir, const char *name,
		    struct pn_error *err)
{
	struct pn_buf path = {0};
	struct stat st;
	int code;

	pn_buf_printf(&path, "%s/%s", dir, name);
	hook->name = name;
	hook->path = pn_buf_detach(&path);
	if (lstat(hook->path, &st))
		return 0;
	hook->is_link = S_ISLNK(st.st_mode);
	if (stat(hook->path, &st) || !S_ISREG(st.st_mode))
		return pn_error_set(err, PN_EREFUSED,
				    "'%s' is not a regular file", hook->path);
	hook->exists = true;
	hook->executable = (st.st_mode & 0111) != 0;
	code = pn_file_read(&hook->text, hook->path, HOOK_MAX, err);
	if (!code)
		code = pn_hook_file_state(&hook->state, name,
					  pn_buf_text(&hook->text),
					  hook->text.len, err);
	return code ? pn_error_context(err, "'%s'", hook->path) : 0;
}

static int load(struct hook_set *set, struct pn_repo *repo,
		enum pn_hooks_scope scope, struct pn_error *err)
{
	size_t i;
	int code = pn_hooks_find(&set->place, repo, scope, err);

	for (i = 0; !code && i < HOOKS; i++)
		code = load_one(&set->hooks[i], set->place.dir,
				pn_hook_names[i], err);
	return code;
}

static void release(struct hook_set *set)
{
	size_t i;

	for (i = 0; i < HOOKS; i++) {
		free(set->hooks[i].path);
		pn_buf_release(&set->hooks[i].text);
		pn_buf_release(&set->hooks[i].next);
	}
	pn_hooks_release(&set->place);
}

static void say_lines(void)
{
	struct pn_buf line = {0};
	size_t i;

	say("nothing was changed; put a line into each of these hooks "
	    "yourself:");
	for (i = 0; i < HOOKS; i++) {
		pn_buf_clear(&line);
		pn_hook_file_line(&line, pn_hook_names[i]);
		say("  %s: %s", pn_hook_names[i], pn_buf_text(&line));
	}
	pn_buf_release(&line);
}

/* Somebody's sources, or hooks of all repositories: theirs to change. */
static int check_place(const struct hook_set *set, struct pn_error *err)
{
	const struct hook *hook = NULL;
	bool tracked = false;
	size_t i;
	int code = pn_hooks_is_tracked(&tracked, set->hooks[0].path, err);

	for (i = 0; !code && !tracked && i < HOOKS; i++) {
		hook = &set->hooks[i];
		if (hook->is_link)
			code = pn_hooks_is_tracked(&tracked, hook->path, err);
	}
	if (code || (!tracked && !set->place.shared))
		return code;
	say_lines();
	if (set->place.shared)
		return pn_error_set(err, PN_EREFUSED,
				    "core.hooksPath is '%s' for other "
				    "repositories, too",
				    set->place.dir);
	return pn_error_set(err, PN_EREFUSED,
			    "the hooks in '%s' are part of a work tree",
			    set->place.dir);
}

/* Whether linked worktrees are registered; the folder stays when the last one
 * has gone. */
static bool has_linked(struct pn_repo *repo)
{
	struct pn_buf path = {0};
	struct dirent *entry;
	bool has = false;
	DIR *dir;

	pn_buf_printf(&path, "%s/worktrees", pn_repo_common_dir(repo));
	dir = opendir(pn_buf_text(&path));
	while (dir && !has && (entry = readdir(dir)))
		has = entry->d_name[0] != '.';
	if (dir)
		closedir(dir);
	pn_buf_release(&path);
	return has;
}

/* Without a worktree nobody commits or merges. */
static int check_repo(struct pn_repo *repo, struct pn_error *err)
{
	if (pn_repo_work_dir(repo) || has_linked(repo))
		return 0;
	return pn_error_set(err, PN_EREFUSED,
			    "nobody commits in a bare repository, so that "
			    "hooks would never run: install them where people "
			    "commit, or make a worktree first");
}

static int add_block(struct hook *hook, struct pn_error *err)
{
	int code;

	if (!hook->exists) {
		pn_hook_file_new(&hook->next, hook->name);
		return 0;
	}
	if (!hook->executable)
		return pn_error_set(err, PN_EREFUSED,
				    "'%s' is not executable, so git passes "
				    "over it: 'chmod +x' it or move it away",
				    hook->path);
	code = pn_hook_file_add(&hook->next, hook->name,
				pn_buf_text(&hook->text), hook->text.len, err);
	if (code == PN_EREFUSED) {
		pn_error_context(err, "cannot change '%s'", hook->path);
		say("have it run 'git-perf hooks run %s' with its own "
		    "arguments and standard input",
		    hook->name);
	}
	return code;
}

/* A new file gets an x for each r that the umask leaves. */
static int create(const struct hook *hook, struct pn_error *err)
{
	struct stat st;
	int code = pn_file_create(hook->path, hook->next.data, hook->next.len,
				  false, err);

	if (code == PN_ECONFLICT)
		return pn_error_set(err, code, "'%s' has just been created",
				    hook->path);
	if (!code && (stat(hook->path, &st) ||
		      chmod(hook->path,
			    (st.st_mode & 07777) | ((st.st_mode & 0444) >> 2))))
		code = pn_error_system(err, "cannot make '%s' executable",
				       hook->path);
	return code;
}

static int write_all(struct hook_set *set, size_t *changes,
		     struct pn_error *err)
{
	int code = pn_file_make_dirs(set->place.dir, err);
	size_t i;

	for (i = 0; !code && i < HOOKS; i++) {
		struct hook *hook = &set->hooks[i];

		if (hook->state == PN_HOOK_PRESENT)
			continue;
		code = hook->exists ? pn_file_write(hook->path, hook->next.data,
						    hook->next.len, false, err)
				    : create(hook, err);
		if (!code) {
			(*changes)++;
			say("%s: %s", hook->path,
			    !hook->exists		    ? "created"
			    : hook->state == PN_HOOK_ABSENT ? "block added"
							    : "block renewed");
		}
	}
	return code;
}

/* Who installs has to know it: nobody looks when a build runs. */
static void say_what_follows(void)
{
	say("from now on what is committed here is built and measured "
	    "unattended, and what a pull brings, too");
	say("'git config perf.hookMode own' leaves out what pulls, merges and "
	    "rebases bring");
}

int hooks_install(struct pn_repo *repo, enum pn_hooks_scope scope,
		  struct pn_error *err)
{
	struct hook_set set = {0};
	size_t i, changes = 0;
	int code = check_repo(repo, err);

	if (!code)
		code = load(&set, repo, scope, err);
	if (!code)
		code = check_place(&set, err);
	for (i = 0; !code && i < HOOKS; i++)
		code = add_block(&set.hooks[i], err);
	if (!code)
		code = write_all(&set, &changes, err);
	if (!code && !changes)
		say("the hooks in '%s' are installed already", set.place.dir);
	if (!code)
		say_what_follows();
	release(&set);
	return code;
}

static int take_out(struct hook *hook, struct pn_error *err)
{
	int code;

	if (hook->alone && unlink(hook->path))
		code = pn_error_system(err, "cannot remove '%s'", hook->path);
	else if (hook->alone)
		code = 0;
	else
		code = pn_file_write(hook->path, hook->next.data,
				     hook->next.len, false, err);
	if (!code)
		say("%s: %s", hook->path,
		    hook->alone ? "removed" : "block taken out");
	return code;
}

int hooks_uninstall(struct pn_repo *repo, enum pn_hooks_scope scope,
		    struct pn_error *err)
{
	struct hook_set set = {0};
	size_t i, changes = 0;
	int code = load(&set, repo, scope, err);

	for (i = 0; !code && i < HOOKS; i++) {
		struct hook *hook = &set.hooks[i];

		if (!hook->exists || hook->state == PN_HOOK_ABSENT)
			continue;
		changes++;
		code = pn_hook_file_remove(&hook->next, &hook->alone,
					   pn_buf_text(&hook->text),
					   hook->text.len, err);
		if (!code)
			code = take_out(hook, err);
	}
	if (!code && !changes)
		say("no hook in '%s' has a block of git perf", set.place.dir);
	release(&set);
	return code;
}

/* For people and for programs. */
static const char *state_of(const struct hook *hook)
{
	if (!hook->exists)
		return "absent";
	if (hook->state == PN_HOOK_ABSENT)
		return "foreign";
	if (!hook->executable)
		return "inactive";
	return hook->state == PN_HOOK_PRESENT ? "installed" : "outdated";
}

static const char *explain(const char *state)
{
	static const char *const texts[][2] = {
		{"absent", "not installed"},
		{"foreign", "not installed; another hook is there"},
		{"inactive", "installed, but the file is not executable"},
		{"installed", "installed"},
		{"outdated", "a block of another version; install renews it"}};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (!strcmp(texts[i][0], state))
			return texts[i][1];
	return state;
}

struct facts {
	char *mode;
	size_t queued;
	bool worker;
};

static int read_facts(struct facts *out, struct pn_repo *repo,
		      struct pn_error *err)
{
	const char *given = getenv("GIT_PERF_HOOK_MODE");
	struct pn_queue queue;
	int code = pn_queue_read(&queue, pn_repo_common_dir(repo), err);

	if (code)
		return code;
	out->queued = pn_queue_commits(&queue);
	pn_queue_release(&queue);
	out->worker = pn_queue_has_worker(pn_repo_common_dir(repo));
	if (given)
		out->mode = pn_strdup(given);
	else
		code = pn_repo_config(&out->mode, repo, "perf.hookMode", err);
	if (!code && !out->mode)
		out->mode = pn_strdup("background");
	return code;
}

static void print_json(struct pn_buf *out, const struct hook_set *set,
		       const struct facts *facts)
{
	struct pn_json_writer w;
	size_t i;

	pn_json_writer_init(&w, out, 2);
	pn_json_open(&w, '{');
	pn_json_member_int(&w, "version", 1);
	pn_json_member(&w, "command", "hooks");
	pn_json_member(&w, "folder", set->place.dir);
	pn_json_member(&w, "mode", facts->mode);
	pn_json_key(&w, "hooks");
	pn_json_open(&w, '[');
	for (i = 0; i < HOOKS; i++) {
		pn_json_open(&w, '{');
		pn_json_member(&w, "name", set->hooks[i].name);
		pn_json_member(&w, "path", set->hooks[i].path);
		pn_json_member(&w, "state", state_of(&set->hooks[i]));
		pn_json_close(&w, '}');
	}
	pn_json_close(&w, ']');
	pn_json_member_int(&w, "queued", (int64_t)facts->queued);
	pn_json_key(&w, "worker");
	pn_json_bool(&w, facts->worker);
	pn_json_close(&w, '}');
	pn_buf_add_byte(out, '\n');
}

static void print_text(struct pn_buf *out, const struct hook_set *set,
		       const struct facts *facts)
{
	const char *dir = set->place.dir;
	size_t i;

	pn_buf_add_text(out, "hooks in '");
	pn_escape_terminal(out, dir, strlen(dir));
	pn_buf_add_text(out, "':\n");
	for (i = 0; i < HOOKS; i++)
		pn_buf_printf(out, "  %-14s%s\n", set->hooks[i].name,
			      explain(state_of(&set->hooks[i])));
	pn_buf_add_text(out, "mode ");
	pn_escape_terminal(out, facts->mode, strlen(facts->mode));
	pn_buf_printf(out, ", %zu commit%s queued, %s\n", facts->queued,
		      facts->queued == 1 ? "" : "s",
		      facts->worker ? "a worker runs" : "no worker runs");
}

int hooks_status(struct pn_buf *out, bool *complete, struct pn_repo *repo,
		 enum pn_hooks_scope scope, bool json, struct pn_error *err)
{
	struct hook_set set = {0};
	struct facts facts = {0};
	size_t i;
	int code = load(&set, repo, scope, err);

	if (!code)
		code = read_facts(&facts, repo, err);
	if (!code) {
		*complete = true;
		for (i = 0; i < HOOKS; i++)
			if (strcmp(state_of(&set.hooks[i]), "installed") != 0)
				*complete = false;
		if (json)
			print_json(out, &set, &facts);
		else
			print_text(out, &set, &facts);
	}
	free(facts.mode);
	release(&set);
	return code;
}
