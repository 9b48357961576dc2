/* One measurement. */
#include "jobs/measure.h"

#include "analysis/merge/merge.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/folder/folder.h"
#include "base/process/process.h"
#include "base/reader/reader.h"
#include "codec/codec.h"
#include "collect/facts/quiet.h"
#include "collect/said.h"
#include "jobs/profiles/source_root.h"
#include "model/graph/totals.h"
#include "model/timeline/events.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pn_measure {
	const struct pn_collector *with;
	struct pn_collect_plan plan;
	struct pn_collection *collection;
	char *folder;
	int owner;			 /* of the folder */
	struct pn_process_launcher *own; /* NULL: the caller's is used */
	struct pn_said said;
	struct pn_quiet_count begin;
	struct pn_quiet quiet; /* from then to the last step */
};

/* Who waits for a quiet machine sees it. */
static int make_mark(const char *folder, struct pn_error *err)
{
	struct pn_buf path = {0};
	int code;

	pn_buf_printf(&path, "%s/" PN_QUIET_MARK, folder);
	code = pn_file_write(pn_buf_text(&path), "", 0, false, err);
	pn_buf_release(&path);
	return code;
}

int pn_measure_open(struct pn_measure **out, const struct pn_collector *with,
		    const struct pn_collect_plan *plan, struct pn_error *err)
{
	struct pn_measure *m;
	int code;

	code = pn_collector_check(with, plan->options, plan->option_count, err);
	if (code)
		return code;
	m = pn_calloc(1, sizeof(*m));
	m->with = with;
	m->plan = *plan;
	pn_folder_sweep();
	code = pn_folder_make_private(&m->folder, &m->owner, err);
	m->plan.folder = m->folder;
	if (!plan->launcher)
		m->own = m->plan.launcher = pn_process_launcher_new();
	pn_said_init(&m->said);
	m->plan.said = &m->said;
	pn_quiet_init(&m->quiet);
	if (!code)
		code = make_mark(m->folder, err);
	pn_quiet_count_read(&m->begin, "", false);
	if (!code)
		code = with->open(&m->collection, &m->plan, err);
	if (code)
		pn_measure_free(m);
	else
		*out = m;
	return code;
}

/* No run follows. */
static void look_back(struct pn_measure *measure)
{
	struct pn_quiet_count end;

	pn_process_launcher_rest(measure->plan.launcher);
	pn_quiet_count_read(&end, "", true);
	pn_quiet_between(&measure->quiet, &measure->begin, &end);
}

int pn_measure_step(struct pn_measure *measure,
		    struct pn_collect_progress *progress, struct pn_error *err)
{
	int code = measure->with->step(measure->collection, progress, err);

	if (!code)
		look_back(measure);
	return code;
}

void pn_measure_quiet(struct pn_quiet *out, const struct pn_measure *measure)
{
	struct pn_quiet_count now;

	pn_quiet_init(out);
	pn_quiet_count_read(&now, "", false);
	pn_quiet_between(out, &measure->begin, &now);
}

void pn_measure_end(struct pn_measure *measure, uint64_t runs)
{
	if (measure->plan.runs)
		measure->plan.runs = runs;
	look_back(measure);
}

/* A string of one profile in another; 0 stays 0. */
static uint32_t carry(struct pn_profile *to, const struct pn_profile *from,
		      uint32_t text)
{
	return pn_strtab_add_from(&to->strings, &from->strings, text);
}

static void carry_text(struct pn_profile *to, uint32_t *slot,
		       const struct pn_profile *from, uint32_t text)
{
	if (text)
		*slot = carry(to, from, text);
}

/* What the collection says goes before what the file says. */
static void carry_header(struct pn_profile *to, const struct pn_profile *from)
{
	const struct pn_header *h = &from->header;
	size_t i;

	carry_text(to, &to->header.kind, from, h->kind);
	carry_text(to, &to->header.cmd, from, h->cmd);
	if (h->cmd)
		to->header.args = carry(to, from, h->args);
	carry_text(to, &to->header.workload, from, h->workload);
	carry_text(to, &to->header.name, from, h->name);
	carry_text(to, &to->header.source_root, from, h->source_root);
	to->header.origin = 0;
	to->header.exit_status = h->exit_status;
	carry_text(to, &to->header.collector.name, from, h->collector.name);
	to->header.collector.params = carry(to, from, h->collector.params);
	for (i = 0; i < h->environment_count; i++)
		pn_profile_set_environment(
			to, pn_profile_text(from, h->environment[i].key),
			pn_profile_text(from, h->environment[i].value));
	for (i = 0; i < h->label_count; i++)
		pn_profile_set_label(to,
				     pn_profile_text(from, h->labels[i].key),
				     pn_profile_text(from, h->labels[i].value));
	if (from->time_ns)
		to->time_ns = from->time_ns;
	if (from->duration_ns)
		to->duration_ns = from->duration_ns;
}

/* A copy of a metric of `from`, which may be `to` itself. */
static void add_metric(struct pn_profile *to, const struct pn_profile *from,
		       const struct pn_metric *metric)
{
	struct pn_metric m = *metric, *added;

	added = pn_profile_add_metric(to, pn_profile_text(from, m.name),
				      pn_profile_text(from, m.unit),
				      (enum pn_better)m.better, m.values,
				      m.value_count);
	m.name = added->name;
	m.unit = added->unit;
	m.values = added->values;
	*added = m;
}

/* Metrics stand for a profile: the totals of its weights would be lost behind
 * those of the run, were they not among them. A collector that has them of
 * several runs knows more than the weights, which are of one. */
static void put_totals_first(struct pn_profile *p)
{
	struct pn_metric *had = p->metrics, *totals, total;
	const struct pn_metric *known;
	size_t count = p->metric_count, total_count, i;

	totals = pn_totals_of(&total_count, p);
	for (i = 0; i < total_count; i++) {
		total = totals[i];
		known = pn_profile_metric(p, pn_profile_text(p, total.name));
		if (!known)
			continue;
		totals[i] = *known;
		had[known - had] = total;
	}
	p->metrics = NULL;
	p->metric_count = p->metric_cap = 0;
	for (i = 0; i < total_count; i++)
		add_metric(p, p, &totals[i]);
	for (i = 0; i < count; i++)
		if (!pn_profile_metric(p, pn_profile_text(p, had[i].name)))
			add_metric(p, p, &had[i]);
	pn_totals_free(totals, total_count);
	pn_totals_free(had, count);
}

/*
 * Decode what the run left. The file is our own intermediate: what the model
 * does not express is not wanted, and the profile is whole without.
 */
static int read_weights(struct pn_profile *out, const struct pn_collect_file *f,
			struct pn_error *err)
{
	const struct pn_codec *codec = NULL;
	struct pn_reader *in = NULL;
	int code = 0;

	if (f->format && !(codec = pn_codec_find(f->format, err)))
		return PN_ENOTFOUND;
	code = pn_reader_open(&in, f->path, 0, err);
	if (!code)
		code = pn_codec_read(out, codec, NULL, in, err);
	pn_reader_free(in);
	if (code)
		pn_profile_init(out);
	return code;
}

/* The files that the runs left, as one profile that tells them apart; how many
 * there were. */
static int read_runs(struct pn_profile *out, size_t *count,
		     struct pn_measure *measure, size_t job,
		     struct pn_error *err)
{
	struct pn_merge *merge = pn_merge_new();
	struct pn_collect_file file;
	struct pn_profile one;
	size_t run;
	int code = 0;

	pn_merge_keep_runs(merge);
	for (run = 0; !code; run++) {
		file = (struct pn_collect_file){0};
		code = measure->with->left(&file, measure->collection, job, run,
					   err);
		if (code || !file.path)
			break;
		pn_profile_init(&one);
		code = read_weights(&one, &file, err);
		if (!code && !run) {
			/* whatever a merge would leave out stays */
			*out = one;
			continue;
		}
		if (!code && run == 1)
			code = pn_merge_add(merge, out, NULL, err);
		if (!code)
			code = pn_merge_add(merge, &one, NULL, err);
		pn_profile_release(&one);
		if (code)
			pn_error_context(err, "run %zu", run + 1);
	}
	*count = run;
	if (run < 2) {
		pn_merge_free(merge);
		return code;
	}
	pn_profile_release(out);
	pn_merge_end(out, merge);
	return code;
}

/* What the collection says, behind the totals of the weights. */
static void add_metrics(struct pn_profile *weights,
			const struct pn_profile *said)
{
	size_t i;

	if (!weights->metric_count)
		put_totals_first(weights);
	for (i = 0; i < said->metric_count; i++)
		if (!pn_profile_metric(
			    weights,
			    pn_profile_text(said, said->metrics[i].name)))
			add_metric(weights, said, &said->metrics[i]);
}

/* What runs left, with what the collection says of them. */
static int unite(struct pn_profile *out, struct pn_measure *measure, size_t job,
		 struct pn_error *err)
{
	struct pn_profile weights;
	size_t count;
	int code;

	pn_profile_init(&weights);
	code = read_runs(&weights, &count, measure, job, err);
	if (code || !count) {
		pn_profile_release(&weights);
		return code;
	}
	carry_header(&weights, out);
	add_metrics(&weights, out);
	/* an event for each sample: a history would pay for it in each record
	 */
	pn_events_clear(&weights);
	weights.complete = true;
	pn_profile_release(out);
	*out = weights;
	return 0;
}

/* Somebody outside, who set the variable, may know better. */
static void apply_quiet(struct pn_profile *out, const struct pn_measure *m)
{
	const char *told = getenv("GIT_PERF_QUIET");
	struct pn_quiet quiet = m->quiet;

	if (told)
		pn_quiet_parse(&quiet, told);
	pn_quiet_apply(out, &quiet);
}

int pn_measure_result(struct pn_profile *out, struct pn_measure *measure,
		      size_t job, struct pn_error *err)
{
	const struct pn_collector *with = measure->with;
	int code;

	code = with->result(out, measure->collection, job, err);
	if (!code && with->left)
		code = unite(out, measure, job, err);
	else if (!code && (out->sample_count || out->graph.node_count))
		put_totals_first(out);
	/* counts are the same on a busy machine */
	if (!code && !with->chooses_environment)
		apply_quiet(out, measure);
	if (!code)
		pn_source_root_take(out, measure->plan.source_top);
	return code;
}

/* Of the values of all runs that of one. */
static void keep_value(struct pn_profile *p, size_t run)
{
	size_t i;

	for (i = 0; i < p->metric_count; i++) {
		struct pn_metric *m = &p->metrics[i];

		if (run < m->value_count)
			m->values[0] = m->values[run];
		m->value_count = run < m->value_count;
	}
}

int pn_measure_run(struct pn_profile *out, struct pn_measure *measure,
		   size_t job, size_t run, struct pn_error *err)
{
	const struct pn_collector *with = measure->with;
	struct pn_collect_file file = {0};
	struct pn_profile weights;
	int code;

	if (with->result_takes)
		return pn_error_set(err, PN_EREFUSED,
				    "collector '%s' does not tell its runs "
				    "apart",
				    with->name);
	code = with->result(out, measure->collection, job, err);
	keep_value(out, run);
	if (!code && with->left)
		code = with->left(&file, measure->collection, job, run, err);
	if (code || !file.path)
		return code;
	pn_profile_init(&weights);
	code = read_weights(&weights, &file, err);
	if (!code) {
		add_metrics(&weights, out);
		pn_profile_release(out);
		*out = weights;
		pn_profile_init(&weights);
	}
	pn_profile_release(&weights);
	return code;
}

int pn_measure_snapshot(struct pn_profile *out, struct pn_measure *measure,
			size_t job, struct pn_error *err)
{
	if (!measure->with->snapshot)
		return pn_error_set(err, PN_EREFUSED,
				    "collector '%s' shows nothing while it "
				    "measures",
				    measure->with->name);
	return measure->with->snapshot(out, measure->collection, job, err);
}

size_t pn_measure_warnings(struct pn_doubt out[PN_DOUBT_KINDS],
			   struct pn_measure *measure, size_t job)
{
	if (!measure->with->warnings)
		return 0;
	return measure->with->warnings(out, measure->collection, job);
}

void pn_measure_said(struct pn_buf *out, const struct pn_measure *measure)
{
	pn_said_text(out, &measure->said);
}

void pn_measure_free(struct pn_measure *measure)
{
	if (!measure)
		return;
	measure->with->free(measure->collection);
	if (measure->folder) {
		pn_folder_remove(measure->folder, NULL);
		if (measure->owner >= 0)
			close(measure->owner);
	}
	free(measure->folder);
	pn_process_launcher_free(measure->own);
	pn_said_release(&measure->said);
	free(measure);
}
