/* What every collector says of a job. */
#include "collect/describe.h"

#include "base/escape.h"
#include "base/json/json.h"

static void add_options(struct pn_json_writer *w,
			const struct pn_collect_plan *plan)
{
	size_t i;

	if (!plan->option_count)
		return;
	pn_json_key(w, "options");
	pn_json_open(w, '{');
	for (i = 0; i < plan->option_count; i++)
		pn_json_member(w, plan->options[i].key, plan->options[i].value);
	pn_json_close(w, '}');
}

static void add_params(struct pn_profile *p, const struct pn_collect_plan *plan,
		       const struct pn_collect_job *job)
{
	struct pn_json_writer w;
	struct pn_buf text = {0};

	pn_json_writer_init(&w, &text, 0);
	pn_json_open(&w, '{');
	if (plan->runs)
		pn_json_member_int(&w, "runs", (int64_t)plan->runs);
	if (plan->warmup)
		pn_json_member_int(&w, "warmup", (int64_t)plan->warmup);
	pn_json_member(&w, "shell", plan->shell);
	pn_json_member(&w, "setup", job->setup);
	pn_json_member(&w, "prepare", job->prepare);
	pn_json_member(&w, "conclude", job->conclude);
	pn_json_member(&w, "cleanup", job->cleanup);
	pn_json_member(&w, "input", plan->input_path);
	add_options(&w, plan);
	pn_json_close(&w, '}');
	if (text.len > 2)
		p->header.collector.params =
			pn_strtab_add(&p->strings, text.data, text.len);
	pn_buf_release(&text);
}

static void add_command(struct pn_profile *p, const struct pn_collect_job *job)
{
	struct pn_buf args = {0};
	size_t i;

	if (job->cmd) {
		p->header.cmd = pn_strtab_add_text(&p->strings, job->cmd);
		if (job->args)
			p->header.args =
				pn_strtab_add_text(&p->strings, job->args);
		return;
	}
	if (job->line) {
		p->header.cmd = pn_strtab_add_text(&p->strings, job->line);
		return;
	}
	p->header.cmd = pn_strtab_add_text(&p->strings, job->argv[0]);
	for (i = 1; job->argv[i]; i++) {
		if (i > 1)
			pn_buf_add_byte(&args, ' ');
		pn_escape_shell(&args, job->argv[i]);
	}
	p->header.args = pn_strtab_add(&p->strings, args.data, args.len);
	pn_buf_release(&args);
}

void pn_collect_describe(struct pn_profile *out, const char *collector,
			 const struct pn_collect_plan *plan,
			 const struct pn_collect_job *job,
			 const struct pn_environment *environment)
{
	size_t i;

	out->header.collector.name =
		pn_strtab_add_text(&out->strings, collector);
	add_command(out, job);
	add_params(out, plan, job);
	if (job->workload)
		out->header.workload =
			pn_strtab_add_text(&out->strings, job->workload);
	for (i = 0; i < job->label_count; i++)
		pn_profile_set_label(out, job->labels[i].key,
				     job->labels[i].value);
	pn_environment_apply(out, environment);
}
