/* What is asked to be duelled, made ready. */
#include "jobs/duel/request.h"

#include "jobs/settings.h"
#include "jobs/trust.h"

#include <stdlib.h>
#include <string.h>

static int find_ends(struct pn_duel_request *r, struct pn_error *err)
{
	const char *first = r->name_count ? r->names[0] : NULL;
	bool is_range = r->name_count == 1 && strstr(first, "..");
	const char *names[] = {first ? first : "HEAD^", "HEAD"};
	int code;

	if (r->same)
		names[0] = names[1] = first ? first : "HEAD";
	else if (r->name_count > 1)
		names[1] = r->names[1];
	code = pn_judge_ends_find(&r->ends, r->repo, names, is_range ? 1 : 2,
				  NULL, err);
	if (code == PN_ENOTFOUND && !first && !r->same)
		return pn_error_set(err, PN_ENOTFOUND,
				    "HEAD has no commit before it here: name "
				    "the one to compare it with");
	if (!code && !is_range && !strcmp(names[1], "HEAD"))
		code = pn_repo_is_dirty(&r->left_changes, r->repo, err);
	r->options.sides.commits[PN_DUEL_BASE] = r->ends.base;
	r->options.sides.commits[PN_DUEL_HEAD] = r->ends.target;
	return code;
}

/* Not where somebody says what is to be asked. */
static bool may_suspect(const struct pn_duel_request *r)
{
	const struct pn_duels_options *o = &r->options;

	return !r->same && !o->whole && !o->layouts && !o->max_pairs &&
	       o->tolerance < 0 && o->margin < 0;
}

int pn_duel_request_open(struct pn_duel_request *r, struct pn_error *err)
{
	int code =
		pn_setting_find(&r->options.sides.machine, &r->machine, r->repo,
				"GIT_PERF_MACHINE", "perf.machine", err);

	if (!code)
		code = pn_trust_load(&r->matrix, r->repo, r->config, true, err);
	if (!code)
		code = find_ends(r, err);
	if (!code && may_suspect(r)) {
		pn_duel_suspect(&r->suspicions, r->repo, &r->ends.target,
				&r->ends.base, r->options.sides.machine);
		r->options.suspicions = r->suspicions.items;
		r->options.suspicion_count = r->suspicions.count;
	}
	if (!code)
		code = pn_matrix_expand(&r->matrix, pn_repo_work_dir(r->repo),
					true, r->options.sides.stop, err);
	if (!code)
		code = pn_duels_open(&r->duels, r->repo, &r->matrix,
				     &r->options, err);
	return code;
}

int pn_duel_request_close(struct pn_duel_request *r, struct pn_error *err)
{
	int code = pn_duels_close(r->duels, err);

	pn_matrix_release(&r->matrix);
	pn_arena_release(&r->ends.arena);
	pn_duel_suspicions_release(&r->suspicions);
	free(r->machine);
	r->duels = NULL;
	r->machine = NULL;
	return code;
}
