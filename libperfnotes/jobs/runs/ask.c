/* From options to the jobs that are meant. */
#define PN_OPTION_STRUCT struct pn_run_ask
#include "jobs/runs/ask.h"

#include "base/opts/table.h"
#include "jobs/settings.h"
#include "jobs/trust.h"

#include <stdlib.h>
#include <string.h>

#define PATIENCE_MAX_S 86400

const struct pn_opt pn_run_opts[] = {
	{PN_OPTION_LIST(jobs), 0, "job", "<name>",
	 "only this one, by name or id"},
	{PN_OPTION_TEXT(config), 0, "config", "<file>",
	 "job file, trusted by being named"},
	{PN_OPTION_TEXT(affected), 0, "affected", "<range>",
	 "only jobs whose profiles see a touched file"},
	{PN_OPTION_FLAG(missing), 0, "missing", NULL,
	 "only what is not measured at the commit (default)"},
	{PN_OPTION_FLAG(again), 0, "again", NULL,
	 "what is measured already, too"},
	{PN_OPTION_FLAG(in_place), 0, "in-place", NULL,
	 "commits are checked out in this work tree"},
	{PN_OPTION_INT(steps), 0, "steps", "<n>",
	 "at most so many commits, evenly spread", .min = 1},
	{PN_OPTION_FLAG(nice), 0, "nice", NULL,
	 "builds give way to other programs"},
	{PN_OPTION_DOUBLE(when_quiet), 0, "when-quiet", "<s>",
	 "wait at most so long for a quiet machine (0)"},
	{PN_OPTION_TEXT(shard), 0, "shard", "<k>/<n>",
	 "only the k-th of n parts"},
	{PN_OPTION_FLAG(list), 0, "list", NULL, "list the jobs, run nothing"},
	{PN_OPTION_TEXT(machine), 0, "machine", "<name>",
	 "name of this machine (perf.machine)"},
	{0},
};

int pn_run_ask_check(const struct pn_run_ask *ask, struct pn_error *err)
{
	struct pn_run_options parts;

	if (ask->rev_count && ask->list)
		return pn_error_set(err, PN_EINVAL, "--list takes no commits");
	if (!ask->rev_count && (ask->in_place || ask->steps))
		return pn_error_set(err, PN_EINVAL, "need commits for %s",
				    ask->in_place ? "--in-place" : "--steps");
	if (!(ask->when_quiet >= 0) || ask->when_quiet > PATIENCE_MAX_S)
		return pn_error_set(err, PN_EINVAL,
				    "--when-quiet is 0 to %d seconds",
				    PATIENCE_MAX_S);
	if (ask->again && ask->missing)
		return pn_error_set(err, PN_EINVAL,
				    "--again and --missing are opposites");
	if (!pn_run_shard(&parts, ask->shard))
		return pn_error_set(err, PN_EINVAL,
				    "option '--shard' needs <k>/<n> with k "
				    "from 1 to n, not '%s'",
				    ask->shard);
	if (ask->affected && ask->jobs.count)
		return pn_error_set(err, PN_EINVAL,
				    "--affected chooses the jobs: no --job");
	return 0;
}

static void fill_options(struct pn_run_asked *out, const struct pn_run_ask *ask)
{
	struct pn_run_options *run = &out->run;

	pn_run_shard(run, ask->shard);
	run->nice_builds = ask->nice;
	/* who tells how quiet it is need not be waited for */
	if (!getenv("GIT_PERF_QUIET"))
		run->patience_ns = (int64_t)(ask->when_quiet * 1e9);
	run->again = ask->again || ask->list;
	run->names = ask->affected ? out->affected.names : ask->jobs.values;
	run->name_count = ask->affected ? out->affected.count : ask->jobs.count;
}

int pn_run_ask_read(struct pn_run_asked *out, const struct pn_run_ask *ask,
		    struct pn_error *err)
{
	int code = 0;

	out->run.machine = ask->machine;
	if (ask->affected)
		code = pn_affected_read(&out->affected, out->repo, ask->config,
					ask->affected, err);
	out->idle = ask->affected && !out->affected.count;
	if (out->idle)
		return code;
	if (!code)
		code = pn_setting_find(&out->run.machine, &out->machine,
				       out->repo, "GIT_PERF_MACHINE",
				       "perf.machine", err);
	if (!code)
		code = pn_trust_load(&out->matrix, out->repo, ask->config,
				     !ask->list, err);
	fill_options(out, ask);
	if (!code && !ask->rev_count)
		code = pn_run_at_head(&out->run, &out->head, out->repo,
				      ask->list, err);
	return code;
}

int pn_run_ask_expand(struct pn_run_asked *asked, const struct pn_run_ask *ask,
		      const volatile sig_atomic_t *stop, struct pn_error *err)
{
	asked->run.dir = pn_repo_work_dir(asked->repo);
	asked->run.stop = stop;
	return pn_matrix_expand(&asked->matrix, asked->run.dir, !ask->list,
				stop, err);
}

int pn_run_ask_here(struct pn_run **out, struct pn_run_asked *asked,
		    struct pn_error *err)
{
	return pn_run_open(out, asked->repo, &asked->matrix, &asked->run, err);
}

struct pn_past_options pn_run_ask_there(const struct pn_run_asked *asked,
					const struct pn_run_ask *ask)
{
	return (struct pn_past_options){.revs = ask->revs,
					.rev_count = ask->rev_count,
					.steps = (uint64_t)ask->steps,
					.in_place = ask->in_place,
					.run = asked->run};
}

void pn_run_asked_release(struct pn_run_asked *asked)
{
	pn_affected_release(&asked->affected);
	pn_matrix_release(&asked->matrix);
	free(asked->machine);
}
