/* What git's hooks call. */
#include "run.h"

#include "command.h"
#include "jobs/background.h"
#include "jobs/hooks/called.h"
#include "jobs/hooks/queue.h"
#include "jobs/hooks/slower.h"
#include "jobs/queue/queue.h"
#include "run/work.h"

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

/* Nothing is said of it unless it fails. */
static void push_profiles(const char *remote)
{
	struct pn_error err = {0}, unsure = {0};
	int code = pn_hook_push(&unsure, remote, stdin, &err);

	if (unsure.code)
		warn("%s", unsure.message);
	if (code)
		warn("profiles were not pushed: %s ('git perf push' tries "
		     "again)",
		     err.message);
}

int run_hook(int argc, char **argv)
{
	struct pn_error err = {0};

	switch (pn_hook_called((const char *const *)argv, (size_t)argc)) {
	case PN_HOOK_WISH_UNKNOWN:
		warn("'%s' is no hook of git perf, need post-commit, "
		     "post-merge, post-rewrite or pre-push",
		     argc ? argv[0] : "");
		break;
	case PN_HOOK_WISH_NOTHING:
		break;
	case PN_HOOK_WISH_PUSH:
		push_profiles(argv[1]);
		break;
	case PN_HOOK_WISH_QUEUE:
		if (run(argv[0], argc > 1 ? argv[1] : "", &err))
			warn("git perf did not queue this commit: %s",
			     err.message);
		break;
	}
	return EXIT_DONE;
}
