/* What is done around each run of a job. */
#include "collect/repeat.h"

#include "base/file.h"

int pn_repeat_begin(struct pn_repeat *r, const struct pn_collect_plan *plan,
		    const struct pn_collect_job *job, struct pn_error *err)
{
	int code = 0;

	if (!r->set_up)
		code = pn_iteration_line(plan, "setup", job->setup, NULL, err);
	r->set_up |= !code;
	r->warming_up = r->warmed < plan->warmup;
	pn_iteration_name(r->iteration, r->warming_up,
			  r->warming_up ? r->warmed : (uint64_t)r->n);
	if (!r->begin_ns)
		r->begin_ns = pn_time_now_ns();
	return code;
}

int pn_repeat_end(struct pn_repeat *r, const struct pn_collect_plan *plan,
		  const struct pn_collect_job *job,
		  const struct pn_iteration *outcome, struct pn_error *err)
{
	r->end_ns = pn_time_now_ns();
	if (outcome->status && !plan->allow_failure)
		return pn_iteration_refuse(job, outcome->status, err);
	r->warmed += r->warming_up;
	return 0;
}

void pn_repeat_count(struct pn_repeat *r, const struct pn_iteration *outcome)
{
	if (outcome->status && !r->failed++)
		r->exit_status = outcome->status;
	r->n++;
	r->elapsed_ns += outcome->elapsed_ns;
}

int pn_repeat_finish(struct pn_repeat *r, const struct pn_collect_plan *plan,
		     const struct pn_collect_job *job, struct pn_error *err)
{
	if (!r->set_up)
		return 0;
	r->set_up = false;
	return pn_iteration_line(plan, "cleanup", job->cleanup, NULL, err);
}

void pn_repeat_report(struct pn_collect_progress *p, const struct pn_repeat *r,
		      const struct pn_collect_plan *plan, uint64_t runs)
{
	p->done += r->warmed + r->n;
	p->expected += plan->warmup + runs;
	if (r->n)
		p->left_ns += (int64_t)((double)r->elapsed_ns / (double)r->n *
					(double)(runs - r->n));
}
