/* Gathering what is told of hooks. */
#include "jobs/hooks/told.h"

#include "base/alloc.h"
#include "jobs/hooks/doubts.h"
#include "jobs/queue.h"

#include <stdlib.h>
#include <string.h>

static int read_queue(struct pn_hooks_told *out, struct pn_repo *repo,
		      struct pn_error *err)
{
	struct pn_queue queue;
	int code = pn_queue_read(&queue, pn_repo_common_dir(repo), err);

	if (code)
		return code;
	out->hooked.queued = pn_queue_commits(&queue);
	pn_queue_release(&queue);
	out->hooked.worker = pn_queue_has_worker(pn_repo_common_dir(repo));
	return 0;
}

static int read_mode(struct pn_hooks_told *out, struct pn_repo *repo,
		     struct pn_error *err)
{
	const char *given = getenv("GIT_PERF_HOOK_MODE");
	int code = 0;

	if (given)
		out->mode = pn_strdup(given);
	else
		code = pn_repo_config(&out->mode, repo, "perf.hookMode", err);
	if (!code && !out->mode)
		out->mode = pn_strdup("background");
	return code;
}

int pn_hooks_tell(struct pn_hooks_told *out, struct pn_repo *repo,
		  enum pn_hooks_scope scope, struct pn_error *err)
{
	size_t i;
	int code = pn_hook_set_load(&out->set, repo, scope, err);

	if (!code)
		code = read_queue(out, repo, err);
	if (!code)
		code = read_mode(out, repo, err);
	if (!code)
		code = pn_hook_doubts(&out->doubts, repo, err);
	if (code)
		return code;
	out->complete = true;
	for (i = 0; i < PN_HOOKS_SET; i++) {
		const struct pn_hook *hook = &out->set.hooks[i];

		out->rows[i] = (struct pn_hooked_row){hook->name, hook->path,
						      pn_hook_state_name(hook)};
		out->complete &= !strcmp(out->rows[i].state, "installed");
	}
	out->hooked.rows = out->rows;
	out->hooked.count = PN_HOOKS_SET;
	out->hooked.folder = out->set.place.dir;
	out->hooked.mode = out->mode;
	out->hooked.doubts = pn_buf_text(&out->doubts);
	return 0;
}

void pn_hooks_told_release(struct pn_hooks_told *told)
{
	free(told->mode);
	pn_buf_release(&told->doubts);
	pn_hook_set_release(&told->set);
}
