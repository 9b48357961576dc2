/* Putting our block into hooks and taking it out, and what is said of it. */
#include "setup.h"

#include "command.h"
#include "jobs/hooks/told.h"
#include "render/run/hooked.h"
#include "render/terminal.h"

static int install(struct pn_hook_set *set, struct pn_repo *repo,
		   enum pn_hooks_scope scope,
		   void (*text)(struct pn_buf *,
				const struct pn_hooks_changed *),
		   struct pn_error *err)
{
	int code = pn_hook_set_install(set, repo, scope, err);
	struct pn_arena arena = {0};
	struct pn_buf lines = {0};
	struct pn_hooks_changed changed =
		pn_hooks_changed_of(&arena, set, code);

	text(&lines, &changed);
	say_lines(&lines);
	pn_arena_release(&arena);
	pn_hook_set_release(set);
	return code;
}

int hooks_install(struct pn_repo *repo, enum pn_hooks_scope scope,
		  struct pn_error *err)
{
	struct pn_hook_set set = {0};

	return install(&set, repo, scope, pn_hooks_installed_text, err);
}

int hooks_install_push(struct pn_repo *repo, struct pn_error *err)
{
	struct pn_hook_set set = {.names = pn_hook_push_names};

	return install(&set, repo, PN_HOOKS_HERE, pn_hooks_pushing_text, err);
}

int hooks_uninstall(struct pn_repo *repo, enum pn_hooks_scope scope,
		    struct pn_error *err)
{
	struct pn_hook_set set = {0}, push = {.names = pn_hook_push_names};
	struct pn_hooks_changed changed, pushing;
	struct pn_arena arena = {0};
	struct pn_buf lines = {0};
	int code = pn_hook_set_uninstall(&set, repo, scope, err);

	changed = pn_hooks_changed_of(&arena, &set, code);
	if (!code)
		code = pn_hook_set_uninstall(&push, repo, scope, err);
	pushing = pn_hooks_changed_of(&arena, &push, code);
	pn_hooks_removed_text(&lines, &changed, &pushing);
	say_lines(&lines);
	pn_arena_release(&arena);
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
		pn_hooked_text(out, &told.hooked, pn_terminal_columns(stdout));
	pn_hooks_told_release(&told);
	return code;
}
