/* From options to a plan. */
#define PN_OPTION_STRUCT struct pn_collect_ask
#include "jobs/collection/ask.h"

#include "base/opts/table.h"
#include "jobs/profiles/names/names.h"
#include "jobs/settings.h"

#include <stdlib.h>
#include <string.h>

const struct pn_opt pn_collect_opts[] = {
	{PN_OPTION_TEXT(collector), 'c', "collector", "<name>",
	 "what measures (time)", .names = pn_collector_names,
	 .check = pn_collector_check_name},
	{PN_OPTION_LIST(settings), 'O', "option", "<key>=<value>",
	 "option of the collector, may be repeated",
	 .names = pn_collector_keys},
	{PN_OPTION_INT(runs), 'r', "runs", "<n>", "exactly so many runs",
	 .min = 1},
	{PN_OPTION_INT(warmup), 'w', "warmup", "<n>",
	 "first so many that do not count"},
	{PN_OPTION_INT(min_runs), 0, "min-runs", "<n>",
	 "at least so many runs (10)", .min = 1},
	{PN_OPTION_INT(max_runs), 0, "max-runs", "<n>",
	 "at most so many runs (1000)", .min = 1},
	{PN_OPTION_DOUBLE(min_time), 0, "min-time", "<s>",
	 "run for at least so long (3)"},
	{PN_OPTION_DOUBLE(max_time), 0, "max-time", "<s>",
	 "give up precision after (10)"},
	{PN_OPTION_DOUBLE(precision), 0, "precision", "<share>",
	 "stop when the median is known so well (0.01)"},
	{PN_OPTION_TEXT(setup), 's', "setup", "<line>",
	 "run once before all runs"},
	{PN_OPTION_TEXT(prepare), 'p', "prepare", "<line>",
	 "run before every run"},
	{PN_OPTION_TEXT(conclude), 0, "conclude", "<line>",
	 "run after every run"},
	{PN_OPTION_TEXT(cleanup), 0, "cleanup", "<line>",
	 "run once after all runs"},
	{PN_OPTION_LIST(lines), 0, "command", "<line>",
	 "another command to compare with"},
	{PN_OPTION_LIST(scans), 'P', "parameter-scan",
	 "<name>,<min>,<max>[,<step>]", "replace {<name>} by each number"},
	{PN_OPTION_LIST(lists), 'L', "parameter-list", "<name>,<a>,<b>...",
	 "replace {<name>} by each text"},
	{PN_OPTION_FLAG(interleave), 0, "interleave", NULL,
	 "alternate the runs of several commands (default)"},
	{PN_OPTION_FLAG(shell), 'S', "shell", NULL,
	 "give the command to sh -c, take the shell's own time off"},
	{PN_OPTION_FLAG(ignore_status), 'i', "ignore-status", NULL,
	 "go on when the command's status is not 0"},
	{PN_OPTION_FLAG(keep_failed), 0, "keep-failed", NULL,
	 "as above, but exit with 128 in the end"},
	{PN_OPTION_TEXT(stdin_path), 0, "stdin", "<file>",
	 "input of the command (nothing)"},
	{PN_OPTION_TEXT(stdout_where), 0, "stdout", "null|inherit|<file>",
	 "where the command's output goes (null)", .choices = "null inherit"},
	{PN_OPTION_DOUBLE(live), 0, "live", "<s>",
	 "show the heaviest functions so often, while it runs"},
	{PN_OPTION_TEXT(workload), 0, "workload", "<name>",
	 "what the command works on"},
	{PN_OPTION_TEXT(name), 'n', "name", "<name>", "name to register"},
	{PN_OPTION_LIST(labels), 'l', "label", "<key>=<value>",
	 "label, may be repeated"},
	{PN_OPTION_TEXT(machine), 0, "machine", "<name>",
	 "name of this machine (perf.machine)"},
	{PN_OPTION_FLAG(add), 0, "add", NULL,
	 "list it at HEAD at once, leave nothing pending"},
	{PN_OPTION_FLAG(keep), 0, "keep", NULL,
	 "leave it pending (default; --no-keep prints and keeps nothing)"},
	{PN_OPTION_TEXT(reference), 0, "reference", "<line>",
	 "another command, which the others are compared to"},
	{0},
};

void pn_collect_ask_init(struct pn_collect_ask *out)
{
	*out = (struct pn_collect_ask){
		.interleave = true,
		.keep = true,
		.min_runs = PN_COLLECT_MIN_RUNS,
		.max_runs = PN_COLLECT_MAX_RUNS,
		.min_time = PN_COLLECT_MIN_TIME_NS / 1e9,
		.max_time = PN_COLLECT_MAX_TIME_NS / 1e9,
		.precision = PN_COLLECT_PRECISION,
	};
}

/* A bound that was given moves the other one, which was not. */
static void settle_bounds(struct pn_collect_ask *o)
{
	if (o->max_runs < o->min_runs && o->min_runs == PN_COLLECT_MIN_RUNS)
		o->min_runs = o->max_runs;
	if (o->min_runs > o->max_runs && o->max_runs == PN_COLLECT_MAX_RUNS)
		o->max_runs = o->min_runs;
}

const char *pn_collect_ask_fault(struct pn_collect_ask *o)
{
	settle_bounds(o);
	if (!o->word_count && !o->lines.count)
		return "need a command to measure";
	if (o->name && !*o->name)
		return "the name is empty";
	if (o->word_count > 1 && o->shell)
		return "--shell takes one argument; more go by --command";
	if (o->runs && (o->min_runs != PN_COLLECT_MIN_RUNS ||
			o->max_runs != PN_COLLECT_MAX_RUNS))
		return "--runs is exact: --min-runs and --max-runs do not go "
		       "with it";
	if (o->min_runs > o->max_runs)
		return "--min-runs is above --max-runs";
	if (!(o->live >= 0) || !(o->min_time >= 0) || !(o->max_time >= 0) ||
	    !(o->precision >= 0))
		return "times and --precision cannot be negative";
	return NULL;
}

/* Settings are for what differs from run to run. */
static int read_settings(struct pn_collect_ask *ask,
			 struct pn_collect_asked *asked, struct pn_repo *repo,
			 struct pn_error *err)
{
	int code = pn_setting_find(&ask->machine, &asked->machine, repo,
				   "GIT_PERF_MACHINE", "perf.machine", err);

	if (!code)
		code = pn_setting_find(&ask->collector, &asked->collector, repo,
				       "GIT_PERF_COLLECTOR", "perf.collector",
				       err);
	if (!code && !ask->runs && ask->min_runs == PN_COLLECT_MIN_RUNS &&
	    ask->max_runs == PN_COLLECT_MAX_RUNS)
		code = pn_setting_runs(&ask->runs, repo, err);
	return code;
}

static int64_t to_ns(double seconds)
{
	return seconds < 9e9 ? (int64_t)(seconds * 1e9) : INT64_MAX;
}

static void fill_plan(struct pn_collect_call *c, const struct pn_collect_ask *o,
		      const struct pn_collect_asked *asked)
{
	struct pn_collect_plan *plan = &c->plan;

	plan->shell = o->shell ? "sh" : NULL;
	plan->warmup = (uint64_t)o->warmup;
	plan->runs = (uint64_t)o->runs;
	plan->min_runs = (uint64_t)o->min_runs;
	plan->max_runs = (uint64_t)o->max_runs;
	plan->min_time_ns = to_ns(o->min_time);
	plan->max_time_ns = to_ns(o->max_time);
	plan->precision = o->precision;
	plan->in_turn = !o->interleave;
	plan->allow_failure = o->ignore_status || o->keep_failed;
	plan->input_path = o->stdin_path;
	plan->machine = o->machine;
	if (c->keep.repo)
		plan->source_top = pn_repo_work_dir(c->keep.repo);
	plan->report_ns = to_ns(o->live);
	plan->options = asked->settings;
	plan->option_count = asked->setting_count;
	if (!o->stdout_where || !strcmp(o->stdout_where, "null"))
		return;
	plan->output = PN_COLLECT_FILE;
	plan->output_path = o->stdout_where;
	if (!strcmp(o->stdout_where, "inherit"))
		plan->output = PN_COLLECT_INHERIT;
}

static struct pn_collect_values values_of(const struct pn_opt_list *list)
{
	return (struct pn_collect_values){list->values, list->count};
}

static struct pn_collect_request request_of(const struct pn_collect_ask *o)
{
	return (struct pn_collect_request){
		.words = o->words,
		.word_count = o->word_count,
		.lines = values_of(&o->lines),
		.reference = o->reference,
		.scans = values_of(&o->scans),
		.lists = values_of(&o->lists),
		.shell = o->shell,
		.workload = o->workload,
		.setup = o->setup,
		.prepare = o->prepare,
		.conclude = o->conclude,
		.cleanup = o->cleanup,
	};
}

static int make_plan(struct pn_collect_call *c, struct pn_collect_asked *asked,
		     const struct pn_collect_ask *ask, struct pn_error *err)
{
	struct pn_collect_request request = request_of(ask);
	struct pn_collect_values settings = values_of(&ask->settings);
	int code;

	c->with = pn_collector_find(ask->collector ? ask->collector : "time",
				    err);
	if (!c->with)
		return PN_ENOTFOUND;
	asked->misused = true;
	if (ask->live > 0 && !c->with->snapshot)
		return pn_error_set(err, PN_EINVAL,
				    "--live: collector '%s' shows nothing "
				    "while it measures",
				    c->with->name);
	asked->settings = pn_collect_pairs_of(&settings);
	asked->setting_count = settings.count;
	code = pn_collector_check(c->with, asked->settings, settings.count,
				  err);
	if (!code)
		code = pn_setting_pairs(&asked->labels, &c->keep.label_count,
					ask->labels.values, ask->labels.count,
					err);
	asked->misused = code != 0;
	if (!code)
		code = pn_collect_jobs_of(&c->jobs, &request, err);
	c->keep.labels = asked->labels;
	c->keep.name = ask->name;
	if (!code)
		fill_plan(c, ask, asked);
	return code;
}

int pn_collect_ask_read(struct pn_collect_call *out,
			struct pn_collect_asked *asked,
			const struct pn_collect_ask *ask, struct pn_error *err)
{
	struct pn_collect_ask all = *ask;
	int code;

	/* figures are of use anywhere */
	out->keep_pending = ask->keep && out->keep.repo;
	out->add = ask->add;
	out->plan.counting_runs = (uint64_t)ask->runs;
	code = read_settings(&all, asked, out->keep.repo, err);
	if (!code)
		code = pn_collect_call_open(out, err);
	return code ? code : make_plan(out, asked, &all, err);
}

void pn_collect_ask_hints(struct pn_buf *out, const struct pn_collect_ask *ask,
			  const struct pn_collect_call *call, int code)
{
	if (code == PN_EREFUSED && !call->plan.allow_failure && call->titles)
		pn_buf_add_text(out,
				"hint: --ignore-status measures it all the "
				"same, --stdout=inherit shows all that it "
				"says\n");
	if (code == PN_ENOTFOUND && ask->word_count == 1 &&
	    strchr(ask->words[0], ' '))
		pn_buf_add_text(out,
				"hint: a command line in one argument is for "
				"--command or --shell\n");
}

void pn_collect_asked_release(struct pn_collect_asked *asked,
			      struct pn_collect_call *call)
{
	free(asked->machine);
	free(asked->collector);
	pn_setting_pairs_free(asked->labels, call->keep.label_count);
	pn_collect_pairs_free(asked->settings, asked->setting_count);
	pn_collect_jobs_release(&call->jobs);
}
