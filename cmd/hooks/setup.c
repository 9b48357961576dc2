/* What is said of putting our block into hooks and taking it out. */
#include "setup.h"

#include "base/alloc.h"
#include "command.h"
#include "jobs/hooks/set.h"
#include "jobs/queue.h"
#include "render/run/hooked.h"

#include <stdlib.h>
#include <string.h>

static void say_lines(void)
{
	struct pn_buf line = {0};
	size_t i;

	say("nothing was changed; put a line into each of these hooks "
	    "yourself:");
	for (i = 0; i < PN_HOOKS_SET; i++) {
		pn_buf_clear(&line);
		pn_hook_file_line(&line, pn_hook_names[i]);
		say("  %s: %s", pn_hook_names[i], pn_buf_text(&line));
	}
	pn_buf_release(&line);
}

/* What was done, and what to do where it could not be; how many changed. */
static size_t say_changes(const struct pn_hook_set *set)
{
	static const char *const words[] = {
		[PN_HOOK_CREATED] = "created",
		[PN_HOOK_ADDED] = "block added",
		[PN_HOOK_RENEWED] = "block renewed",
		[PN_HOOK_REMOVED] = "removed",
		[PN_HOOK_TAKEN_OUT] = "block taken out",
	};
	size_t i, changes = 0;

	if (set->foreign)
		say_lines();
	for (i = 0; i < PN_HOOKS_SET; i++) {
		const struct pn_hook *hook = &set->hooks[i];

		if (hook->refused)
			say("have it run 'git-perf hooks run %s' with its own "
			    "arguments and standard input",
			    hook->name);
		if (hook->change == PN_HOOK_KEPT)
			continue;
		changes++;
		say("%s: %s", hook->path, words[hook->change]);
	}
	return changes;
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
	struct pn_hook_set set = {0};
	int code = pn_hook_set_install(&set, repo, scope, err);

	if (!say_changes(&set) && !code)
		say("the hooks in '%s' are installed already", set.place.dir);
	if (!code)
		say_what_follows();
	pn_hook_set_release(&set);
	return code;
}

int hooks_uninstall(struct pn_repo *repo, enum pn_hooks_scope scope,
		    struct pn_error *err)
{
	struct pn_hook_set set = {0};
	int code = pn_hook_set_uninstall(&set, repo, scope, err);

	if (!say_changes(&set) && !code)
		say("no hook in '%s' has a block of git perf", set.place.dir);
	pn_hook_set_release(&set);
	return code;
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

int hooks_status(struct pn_buf *out, bool *complete, struct pn_repo *repo,
		 enum pn_hooks_scope scope, bool json, struct pn_error *err)
{
	struct pn_hooked_row rows[PN_HOOKS_SET];
	struct pn_hooked hooked = {.rows = rows, .count = PN_HOOKS_SET};
	struct pn_hook_set set = {0};
	struct facts facts = {0};
	size_t i;
	int code = pn_hook_set_load(&set, repo, scope, err);

	if (!code)
		code = read_facts(&facts, repo, err);
	*complete = true;
	for (i = 0; !code && i < PN_HOOKS_SET; i++) {
		const struct pn_hook *hook = &set.hooks[i];

		rows[i] = (struct pn_hooked_row){hook->name, hook->path,
						 pn_hook_state_name(hook)};
		*complete &= !strcmp(rows[i].state, "installed");
	}
	hooked.folder = set.place.dir;
	hooked.mode = facts.mode;
	hooked.queued = facts.queued;
	hooked.worker = facts.worker;
	if (!code && json)
		pn_hooked_json(out, &hooked);
	else if (!code)
		pn_hooked_text(out, &hooked);
	free(facts.mode);
	pn_hook_set_release(&set);
	return code;
}
