/*
 * The collector "sample": where a program spends its time, by looking at each
 * of its threads some hundred times a second. runtime/sample/sample.c looks,
 * inside of the program.
 */
#include "base/alloc.h"
#include "base/buf.h"
#include "collect/preload.h"
#include "collect/sample/control.h"
#include "collect/sample/read.h"

#include <stdlib.h>
#include <string.h>

#define FREQUENCY "100" /* Hz: Go's, and little enough to cost nothing */

/* A word of a list that ends with NULL, by number; -1 when it is none. */
static int find_word(const char *const *words, const char *word)
{
	int i;

	for (i = 0; words[i]; i++)
		if (!strcmp(words[i], word))
			return i;
	return -1;
}

static int set_choice(uint32_t *out, const struct pn_collect_plan *plan,
		      const char *key, const char *const *words,
		      struct pn_error *err)
{
	const char *value = pn_collect_option(plan, key);
	struct pn_buf list = {0};
	int i, found = value ? find_word(words, value) : 0;

	if (found >= 0) {
		*out = (uint32_t)found;
		return 0;
	}
	for (i = 0; words[i]; i++)
		pn_buf_printf(&list, "%s%s", i ? ", " : "", words[i]);
	pn_error_set(err, PN_EINVAL, "bad %s '%s', need one of %s", key, value,
		     pn_buf_text(&list));
	pn_buf_release(&list);
	return PN_EINVAL;
}

static const char *const clocks[] = {"cpu", "wall", NULL};
static const char *const unwinds[] = {"auto", "fp", "dwarf", NULL};

static int sample_control(struct pn_runtime_control *out,
			  const struct pn_collect_plan *plan,
			  struct pn_error *err)
{
	const char *frequency = pn_collect_option(plan, "frequency");
	const char *delay = pn_collect_option(plan, "delay");
	const char *threads = pn_collect_option(plan, "threads");
	int code = 0;

	if (frequency && delay)
		code = pn_error_set(err, PN_EINVAL,
				    "frequency and delay say the same: give "
				    "one of them");
	else if (delay)
		code = pn_sampler_control_set(out, "delay", delay, err);
	else
		code = pn_sampler_control_set(out, "frequency",
					      frequency ? frequency : FREQUENCY,
					      err);
	if (!code && threads)
		code = pn_sampler_control_set(out, "threads", threads, err);
	if (!code)
		code = set_choice(&out->clock, plan, "clock", clocks, err);
	if (!code)
		code = set_choice(&out->unwind, plan, "unwind", unwinds, err);
	return code;
}

/* What was seen, of which what a tick missed is weighed in, and of how many. */
static void add_facts(struct pn_profile *p,
		      const struct pn_sampler_facts *facts)
{
	pn_profile_add_fact(p, "samples", "count", (double)facts->samples);
	pn_profile_add_fact(p, "seen", "ns",
			    (double)(facts->weight_ns - facts->unseen_ns));
	pn_profile_add_fact(p, "missed ticks", "count",
			    (double)(facts->ticks - facts->samples));
	if (facts->unseen_ns)
		pn_profile_add_fact(p, "not sampled", "ns",
				    (double)facts->unseen_ns);
	pn_profile_add_fact(p, "processes", "count", (double)facts->processes);
	pn_profile_add_fact(p, "threads", "count", (double)facts->threads);
	if (facts->cut)
		pn_profile_add_fact(p, "cut stacks", "count",
				    (double)facts->cut);
}

static int no_samples(const struct pn_preload_run *run, struct pn_error *err)
{
	const struct pn_collect_job *job = run->job;

	return pn_error_set(err, PN_ERANGE,
			    "no sample was taken of '%s': it ran for less than "
			    "one tick, sampling was paused, or the sampler "
			    "was not loaded (static programs, an emptied "
			    "environment); a higher frequency, clock=wall or "
			    "more --runs would see more",
			    job->line ? job->line : job->argv[0]);
}

/* What each run adds to the facts, as the figures of that run. */
struct figures {
	double *samples, *weight_ns;
};

static int add_records(struct pn_sampler_reader *reader,
		       struct figures *figures,
		       const struct pn_preload_run *run, struct pn_error *err)
{
	const struct pn_sampler_facts *facts = pn_sampler_reader_facts(reader);
	struct pn_sampler_facts before;
	struct pn_runtime_record record;
	size_t i, at;
	int code;

	for (i = 0; i < run->count; i++) {
		code = pn_runtime_record_open(&record, run->paths[i], err);
		if (code)
			return code;
		before = *facts;
		at = run->runs[i] < run->run_count ? run->runs[i] : 0;
		pn_sampler_reader_add(reader, &record,
				      run->run_count > 1 ? (uint32_t)at + 1
							 : 0);
		pn_runtime_record_release(&record);
		figures->samples[at] +=
			(double)(facts->samples - before.samples);
		figures->weight_ns[at] +=
			(double)(facts->weight_ns - before.weight_ns);
	}
	return 0;
}

static int sample_read(struct pn_profile *out, double *lost,
		       const struct pn_preload_run *run, struct pn_error *err)
{
	const char *clock = pn_collect_option(run->plan, "clock");
	bool wall = clock && !strcmp(clock, "wall");
	bool by_thread = pn_collect_option(run->plan, "by-thread") != NULL;
	struct figures figures;
	struct pn_sampler_reader *reader;
	struct pn_sampler_facts facts;
	int code;

	figures.samples = pn_calloc(run->run_count, sizeof(double));
	figures.weight_ns = pn_calloc(run->run_count, sizeof(double));
	reader = pn_sampler_reader_new(out, wall, by_thread, run->object);
	code = add_records(reader, &figures, run, err);
	facts = *pn_sampler_reader_facts(reader);
	pn_sampler_reader_free(reader);
	if (!code && !facts.samples && !run->goes_on)
		code = no_samples(run, err);
	if (!code) {
		out->period = facts.interval_ns;
		out->period_type = out->types[1];
		add_facts(out, &facts);
		pn_profile_add_metric(out, "samples", "count", PN_BETTER_LESS,
				      figures.samples, run->run_count);
		pn_profile_add_metric(out, wall ? "real" : "cpu", "ns",
				      PN_BETTER_LESS, figures.weight_ns,
				      run->run_count);
		*lost = (double)facts.lost;
	}
	free(figures.samples);
	free(figures.weight_ns);
	return code;
}

static const struct pn_preload kind = {
	.name = "sample",
	.kind = "time",
	.control = sample_control,
	.costs = true,
	.read = sample_read,
};

#if defined(__x86_64__)
#define KNOWS_PROCESSOR true
#else
#define KNOWS_PROCESSOR false
#endif

static int sample_open(struct pn_collection **out,
		       const struct pn_collect_plan *plan, struct pn_error *err)
{
	if (!KNOWS_PROCESSOR)
		return pn_error_set(err, PN_EREFUSED,
				    "the sampler knows the registers of x86-64 "
				    "only, --collector=perf those of others");
	return pn_preload_open(out, &kind, plan, err);
}

static const struct pn_option options[] = {
	{"frequency", "<hz>", "samples a second (" FREQUENCY ")"},
	{"delay", "<s>", "the same as seconds between two samples"},
	{"clock", "cpu|wall", "tick while a thread runs, or always (cpu)"},
	{"threads", "all|main|<id>,...", "which are looked at (all)"},
	{"unwind", "auto|fp|dwarf",
	 "how stacks are walked: frame pointers or unwinding tables (auto)"},
	{"by-thread", NULL, "label each sample with its thread"},
	{0},
};

const struct pn_collector pn_collector_sample = {
	.name = "sample",
	.summary = "where time goes, by stack: looks at all threads",
	.options = options,
	.result_takes = true,
	.open = sample_open,
	.step = pn_preload_step,
	.result = pn_preload_result,
	.snapshot = pn_preload_snapshot,
	.warnings = pn_preload_warnings,
	.free = pn_preload_free,
};
