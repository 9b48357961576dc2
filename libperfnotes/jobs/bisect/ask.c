/* From options to a session. */
#define PN_OPTION_STRUCT struct pn_bisect_ask
#include "jobs/bisect/ask.h"

#include "base/opts/table.h"
#include "jobs/bisect/bisection.h"
#include "jobs/settings.h"
#include "jobs/trust.h"

#include <stdlib.h>
#include <unistd.h>

const struct pn_opt pn_bisect_opts[] = {
	{PN_OPTION_TEXT(metric), 0, "metric", "<name>",
	 "the one that changed (first, or user time)"},
	{PN_OPTION_TEXT(job), 0, "job", "<name>",
	 "the job whose metric it is, as behind the commits"},
	{PN_OPTION_INT(max_runs), 0, "max-runs", "<n>", "make no more runs",
	 .min = 1},
	{PN_OPTION_TEXT(config), 0, "config", "<file>",
	 "job file, trusted by being named"},
	{PN_OPTION_FLAG(nice), 0, "nice", NULL,
	 "builds give way to other programs"},
	{PN_OPTION_TEXT(machine), 0, "machine", "<name>",
	 "name of this machine (perf.machine)"},
	{0},
};

int pn_bisect_ask_read(struct pn_bisect_asked *out, bool *had,
		       const struct pn_bisect_ask *ask,
		       const volatile sig_atomic_t *stop, struct pn_error *err)
{
	int code = pn_bisect_session_lock(&out->lock, out->repo, err);

	out->run.machine = ask->machine;
	out->run.nice_builds = ask->nice;
	out->run.stop = stop;
	if (!code)
		code = pn_setting_find(&out->run.machine, &out->machine,
				       out->repo, "GIT_PERF_MACHINE",
				       "perf.machine", err);
	if (!code && !ask->good)
		code = pn_bisection_go_on(&out->session, &out->matrix,
					  out->repo, ask->config, err);
	else if (!code)
		code = pn_trust_load(&out->matrix, out->repo, ask->config, true,
				     err);
	if (!code)
		code = pn_matrix_expand(&out->matrix,
					pn_repo_work_dir(out->repo), true, stop,
					err);
	if (!code && ask->good)
		code = pn_bisection_begin(&out->session, had, out->repo,
					  &out->matrix, ask, err);
	if (!code && ask->max_runs)
		out->session.most = (uint64_t)ask->max_runs;
	return code;
}

void pn_bisect_asked_release(struct pn_bisect_asked *asked)
{
	pn_bisect_session_release(&asked->session);
	pn_matrix_release(&asked->matrix);
	free(asked->machine);
	if (asked->lock >= 0)
		close(asked->lock);
}
