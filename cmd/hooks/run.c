/* What git's hooks call: githooks(5) says when, and what git hands over. */
#include "run.h"

#include "command.h"
#include "jobs/background.h"
#include "jobs/hooks/queue.h"
#include "jobs/hooks/slower.h"
#include "jobs/queue.h"
#include "run/work.h"
#include "storage/exchange/exchange.h"
#include "vcs/lock.h"
#include "vcs/notes/notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Some CI systems set it to what means no. */
static bool is_on(const char *name)
{
	const char *value = getenv(name);

	return value && *value && strcmp(value, "0") != 0 &&
	       strcmp(value, "false") != 0;
}

static int run(const char *hook, const char *how, struct pn_error *err)
{
	struct pn_gitdir dir = {0};
	struct pn_buf slower = {0};
	size_t count = 0;
	enum pn_hook_mode mode;
	int code;

	code = pn_gitdir_find(&dir, err);
	if (code)
		return code;
	if (pn_hook_mode_read(&mode, &dir, err))
		warn("%s", err->message);
	code = pn_hook_queue(&count, &dir, hook, how, mode, err);
	if (code || !count)
		mode = PN_HOOK_QUEUE;
	if (mode == PN_HOOK_FOREGROUND && !work_once(dir.common_dir))
		mode = PN_HOOK_QUEUE;
	if (mode != PN_HOOK_QUEUE && !pn_queue_has_worker(dir.common_dir))
		code = pn_background_start(dir.common_dir, err);
	pn_slower_take(&slower, dir.common_dir);
	quote(pn_buf_text(&slower));
	pn_buf_release(&slower);
	pn_gitdir_release(&dir);
	return code;
}

/* Whether git itself is about to send the notes: they would meet. */
static bool sends_notes(void)
{
	char line[4096];
	bool sends = false;

	while (fgets(line, sizeof(line), stdin))
		sends |= strstr(line, " " PN_NOTES_REF " ") != NULL;
	return sends;
}

/* Before git pushes to a remote that has a name: our profiles go there, too.
 * Nothing is said of it unless it fails, and the user's push does not wait for
 * one that stands. */
static void push_profiles(const char *remote)
{
	static const struct pn_patience little = {.most = .4};
	struct pn_exchange x = {.remote = remote};
	struct pn_pushed pushed = {0};
	struct pn_error err = {0};
	struct pn_oid tip;
	int code;

	if (sends_notes() || open_repo(&x.repo, &err))
		return;
	pn_lock_set_patience(x.repo, &little);
	code = pn_repo_ref(&tip, x.repo, PN_NOTES_REF, &err);
	if (!code && !pn_oid_is_zero(&tip) && !pn_exchange_open(&x, NULL))
		code = pn_exchange_push(&pushed, &x, &err);
	if (!code && pushed.united.why.code)
		warn("%s", pushed.united.why.message);
	if (code)
		warn("profiles were not pushed: %s ('git perf push' tries "
		     "again)",
		     err.message);
	pn_exchange_release(&x);
	pn_repo_free(x.repo);
}

int run_hook(int argc, char **argv)
{
	static const char *const known[] = {"post-commit", "post-merge",
					    "post-rewrite", "pre-push", NULL};
	struct pn_error err = {0};
	size_t i = 0;

	while (argc && known[i] && strcmp(known[i], argv[0]))
		i++;
	if (!argc || !known[i]) {
		warn("'%s' is no hook of git perf, need post-commit, "
		     "post-merge, post-rewrite or pre-push",
		     argc ? argv[0] : "");
		return EXIT_DONE;
	}
	if (is_on("GIT_PERF_RUNNING") || is_on("CI"))
		return EXIT_DONE;
	if (!strcmp(argv[0], "pre-push")) {
		if (argc > 1)
			push_profiles(argv[1]);
		return EXIT_DONE;
	}
	/* "post-merge 1": a squash, which makes no commit */
	if (!strcmp(argv[0], "post-merge") && argc > 1 && !strcmp(argv[1], "1"))
		return EXIT_DONE;
	if (run(argv[0], argc > 1 ? argv[1] : "", &err))
		warn("git perf did not queue this commit: %s", err.message);
	return EXIT_DONE;
}
