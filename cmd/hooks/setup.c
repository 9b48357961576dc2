/* What is said of putting our block into hooks and taking it out. */
#include "setup.h"

#include "command.h"
#include "jobs/hooks/told.h"
#include "render/run/hooked.h"

static void say_lines(const struct pn_hook_set *set)
{
	struct pn_buf line = {0};
	size_t i;

	say("nothing was changed; put a line into each of these hooks "
	    "yourself:");
	for (i = 0; i < set->count; i++) {
		pn_buf_clear(&line);
		pn_hook_file_line(&line, set->names[i]);
		say("  %s: %s", set->names[i], pn_buf_text(&line));
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
		say_lines(set);
	for (i = 0; i < set->count; i++) {
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

int hooks_install_push(struct pn_repo *repo, struct pn_error *err)
{
	struct pn_hook_set set = {.names = pn_hook_push_names};
	int code = pn_hook_set_install(&set, repo, PN_HOOKS_HERE, err);

	if (!say_changes(&set) && !code)
		say("'%s/pre-push' sends profiles already", set.place.dir);
	else if (!code)
		say("from now on 'git push' sends profiles, too; 'git perf "
		    "hooks uninstall' ends that");
	pn_hook_set_release(&set);
	return code;
}

int hooks_uninstall(struct pn_repo *repo, enum pn_hooks_scope scope,
		    struct pn_error *err)
{
	struct pn_hook_set set = {0}, push = {.names = pn_hook_push_names};
	int code = pn_hook_set_uninstall(&set, repo, scope, err);
	size_t changes = say_changes(&set);

	if (!code)
		code = pn_hook_set_uninstall(&push, repo, scope, err);
	if (!(changes + say_changes(&push)) && !code)
		say("no hook in '%s' has a block of git perf", set.place.dir);
	pn_hook_set_release(&set);
	pn_hook_set_release(&push);
	return code;
}

int hooks_status(struct pn_buf *out, bool *complete, struct pn_repo *repo,
		 enum pn_hooks_scope scope, bool json, struct pn_error *err)
{
	struct pn_hooks_told told = {0};
	int code = pn_hooks_tell(&told, repo, scope, err);

	*complete = told.complete;
	if (!code && json)
		pn_hooked_json(out, &told.hooked);
	else if (!code)
		pn_hooked_text(out, &told.hooked);
	pn_hooks_told_release(&told);
	return code;
}
