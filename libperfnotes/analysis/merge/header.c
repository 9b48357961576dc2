/* Merging profiles: what was run and where, and metrics. */
#include "analysis/merge/state.h"
#include "base/alloc.h"
#include "model/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A text that all have stays, else it goes. */
static void agree(struct pn_merge *m, uint32_t *out, uint32_t in)
{
	uint32_t mapped = pn_merge_string(m, in);

	if (!m->inputs)
		*out = mapped;
	else if (*out != mapped)
		*out = 0;
}

/* The first one that says something. */
static void prefer_first(struct pn_merge *m, uint32_t *out, uint32_t in)
{
	if (!*out)
		*out = pn_merge_string(m, in);
}

static bool same_unit(struct pn_merge *m, const struct pn_step *out,
		      const struct pn_step *in)
{
	return out->name == pn_merge_string(m, in->name) &&
	       out->params == pn_merge_string(m, in->params);
}

static void agree_posts(struct pn_merge *m)
{
	struct pn_header *out = &m->out.header;
	const struct pn_header *in = &m->in->header;
	size_t i;

	if (!m->inputs) {
		out->posts = pn_realloc_array(NULL, in->post_count + 1,
					      sizeof(*out->posts));
		for (i = 0; i < in->post_count; i++) {
			out->posts[i].name =
				pn_merge_string(m, in->posts[i].name);
			out->posts[i].params =
				pn_merge_string(m, in->posts[i].params);
		}
		out->post_count = in->post_count;
		return;
	}
	if (out->post_count != in->post_count)
		out->post_count = 0;
	for (i = 0; i < out->post_count; i++)
		if (!same_unit(m, &out->posts[i], &in->posts[i]))
			out->post_count = 0;
}

static struct pn_pair mapped_pair(struct pn_merge *m,
				  const struct pn_pair *pair)
{
	struct pn_pair out = {pn_merge_string(m, pair->key),
			      pn_merge_string(m, pair->value)};

	return out;
}

static uint32_t hash_pair(struct pn_slots *slots, const struct pn_pair *pair)
{
	uint64_t word = (uint64_t)pair->key << 32 | pair->value;

	return pn_slots_hash(slots, &word, 1);
}

static bool has_pair(struct pn_merge *m, struct pn_slots *slots,
		     const struct pn_pair *in, const struct pn_pair *pair)
{
	uint32_t row, hash = hash_pair(slots, pair);
	size_t at = pn_slots_first(slots, hash);

	while (pn_slots_row(&row, slots, &at, hash)) {
		struct pn_pair other = mapped_pair(m, &in[row]);

		if (other.key == pair->key && other.value == pair->value)
			return true;
	}
	return false;
}

/* Pairs that all have. */
static void agree_pairs(struct pn_merge *m, struct pn_pair **out, size_t *count,
			const struct pn_pair *in, size_t in_count)
{
	struct pn_slots slots = {0};
	size_t i, kept = 0;

	if (!m->inputs) {
		*out = pn_realloc_array(NULL, in_count + 1, sizeof(**out));
		for (i = 0; i < in_count; i++)
			(*out)[i] = mapped_pair(m, &in[i]);
		*count = in_count;
		return;
	}
	if (!*count)
		return;
	for (i = 0; i < in_count; i++) {
		struct pn_pair pair = mapped_pair(m, &in[i]);

		if (!has_pair(m, &slots, in, &pair))
			pn_slots_add(&slots, hash_pair(&slots, &pair),
				     (uint32_t)i);
	}
	for (i = 0; i < *count; i++)
		if (has_pair(m, &slots, in, &(*out)[i]))
			(*out)[kept++] = (*out)[i];
	*count = kept;
	pn_slots_release(&slots);
}

/* Models describe the data they were made of, and no other. */
static void agree_models(struct pn_merge *m)
{
	struct pn_header *out = &m->out.header;
	const struct pn_header *in = &m->in->header;
	size_t i;

	out->model_count = 0;
	if (m->inputs)
		return;
	out->models = pn_realloc_array(NULL, in->model_count + 1,
				       sizeof(*out->models));
	for (i = 0; i < in->model_count; i++)
		out->models[i] = pn_merge_string(m, in->models[i]);
	out->model_count = in->model_count;
}

static void merge_facts(struct pn_merge *m)
{
	struct pn_header *out = &m->out.header;
	const struct pn_header *in = &m->in->header;

	agree(m, &out->kind, in->kind);
	agree(m, &out->cmd, in->cmd);
	agree(m, &out->args, in->args);
	agree(m, &out->workload, in->workload);
	agree(m, &out->name, in->name);
	agree(m, &out->origin, in->origin);
	agree(m, &out->source_root, in->source_root);
	agree(m, &out->collector.name, in->collector.name);
	agree(m, &out->collector.params, in->collector.params);
	agree_posts(m);
	agree_pairs(m, &out->environment, &out->environment_count,
		    in->environment, in->environment_count);
	agree_pairs(m, &out->labels, &out->label_count, in->labels,
		    in->label_count);
	agree_pairs(m, &out->extras, &out->extra_count, in->extras,
		    in->extra_count);
	agree_models(m);
	out->dirty = out->dirty || in->dirty;
	if (!m->inputs || !m->change.same_runs)
		out->runs = m->runs < PN_MAX_RUNS - m->runs_before
				    ? m->runs_before + m->runs
				    : PN_MAX_RUNS;
	if (!m->inputs)
		out->exit_status = in->exit_status;
	else if (out->exit_status != in->exit_status)
		out->exit_status = -1;
}

static bool has_comment(struct pn_merge *m, uint32_t text, uint32_t hash)
{
	size_t at = pn_slots_first(&m->comments, hash);
	uint32_t row;

	while (pn_slots_row(&row, &m->comments, &at, hash))
		if (m->out.comments[row] == text)
			return true;
	return false;
}

static void merge_comments(struct pn_merge *m)
{
	struct pn_profile *out = &m->out;
	const struct pn_profile *in = m->in;
	size_t i;

	for (i = 0; i < in->comment_count; i++) {
		uint32_t text = pn_merge_string(m, in->comments[i]);
		uint64_t word = text;
		uint32_t hash = pn_slots_hash(&m->comments, &word, 1);

		if (has_comment(m, text, hash))
			continue;
		out->comments =
			pn_grow(out->comments, &m->comment_cap,
				out->comment_count + 1, sizeof(*out->comments));
		pn_slots_add(&m->comments, hash, (uint32_t)out->comment_count);
		out->comments[out->comment_count++] = text;
	}
}

static void add_own_fact(struct pn_profile *out, uint32_t name, uint32_t unit,
			 double value)
{
	out->facts = pn_realloc_array(out->facts, out->fact_count + 1,
				      sizeof(*out->facts));
	out->facts[out->fact_count++] = (struct pn_fact){name, unit, value};
}

/* What profilers say of themselves adds up; of a difference nothing is said. */
static void merge_own_facts(struct pn_merge *m)
{
	struct pn_profile *out = &m->out;
	const struct pn_profile *in = m->in;
	size_t i, k;

	m->no_facts = m->no_facts || m->change.negate || m->change.base;
	if (m->no_facts)
		out->fact_count = 0;
	for (i = 0; !m->no_facts && i < in->fact_count; i++) {
		uint32_t name = pn_merge_string(m, in->facts[i].name);
		uint32_t unit = pn_merge_string(m, in->facts[i].unit);

		for (k = 0; k < out->fact_count; k++)
			if (out->facts[k].name == name &&
			    out->facts[k].unit == unit)
				break;
		if (k < out->fact_count)
			out->facts[k].value += in->facts[i].value;
		else if (k < PN_MAX_FACTS)
			add_own_fact(out, name, unit, in->facts[i].value);
	}
}

void pn_merge_header(struct pn_merge *m)
{
	struct pn_profile *out = &m->out;
	const struct pn_profile *in = m->in;

	merge_facts(m);
	merge_comments(m);
	merge_own_facts(m);
	prefer_first(m, &out->default_type, in->default_type);
	prefer_first(m, &out->doc_url, in->doc_url);
	if (!m->inputs) { /* they belong together */
		out->drop_frames = pn_merge_string(m, in->drop_frames);
		out->keep_frames = pn_merge_string(m, in->keep_frames);
	}
	if (in->time_ns && (!out->time_ns || in->time_ns < out->time_ns))
		out->time_ns = in->time_ns;
	out->duration_ns = (int64_t)((uint64_t)out->duration_ns +
				     (uint64_t)in->duration_ns);
}

static uint32_t hash_name(struct pn_merge *m, uint32_t name)
{
	uint64_t word = name;

	return pn_slots_hash(&m->metrics, &word, 1);
}

/* Several of one name have units that cannot be compared: few. */
static struct pn_metric *find_metric(struct pn_merge *m,
				     const struct pn_metric *metric)
{
	uint32_t row, name = pn_merge_string(m, metric->name);
	uint32_t hash = hash_name(m, name);
	size_t at = pn_slots_first(&m->metrics, hash);

	while (pn_slots_row(&row, &m->metrics, &at, hash)) {
		struct pn_metric *had = &m->out.metrics[row];

		if (had->name == name &&
		    pn_unit_comparable(pn_profile_text(&m->out, had->unit),
				       pn_profile_text(m->in, metric->unit)))
			return had;
	}
	return NULL;
}

/* n, extremes, mean and sd of both (Chan, Golub & LeVeque, Am. Stat. 37,
 * 1983); quartiles cannot be pooled. */
static void pool_summaries(struct pn_summary *out, const struct pn_summary *in)
{
	double n = (double)out->n, o = (double)in->n, all = n + o;
	double delta = in->mean - out->mean;
	double squares = (n > 1 ? out->sd * out->sd * (n - 1) : 0) +
			 (o > 1 ? in->sd * in->sd * (o - 1) : 0) +
			 delta * delta * n * o / all;

	out->n += in->n;
	out->min = in->min < out->min ? in->min : out->min;
	out->max = in->max > out->max ? in->max : out->max;
	out->mean = (out->mean * n + in->mean * o) / all;
	out->sd = all > 1 ? sqrt(squares / (all - 1)) : NAN;
	out->q1 = out->median = out->q3 = NAN;
}

static struct pn_summary summary_of(const struct pn_metric *metric,
				    double factor)
{
	struct pn_summary s = metric->summary;

	if (metric->value_count)
		pn_summary_of(&s, metric->values, metric->value_count, NULL);
	s.min *= factor;
	s.q1 *= factor;
	s.median *= factor;
	s.q3 *= factor;
	s.max *= factor;
	s.mean *= factor;
	s.sd *= factor;
	return s;
}

static void pool(struct pn_metric *had, const struct pn_metric *metric,
		 double factor)
{
	size_t i, n = had->value_count, more = metric->value_count;
	struct pn_summary first, second;

	if ((n || !had->summary.n) && (more || !metric->summary.n)) {
		had->values = pn_realloc_array(had->values, n + more + 1,
					       sizeof(*had->values));
		for (i = 0; i < more; i++)
			had->values[n + i] = metric->values[i] * factor;
		had->summary.n = had->value_count = n + more;
		return;
	}
	first = summary_of(had, 1);
	second = summary_of(metric, factor);
	free(had->values);
	had->values = NULL;
	had->value_count = 0;
	had->summary = first;
	if (!first.n)
		had->summary = second;
	else if (second.n)
		pool_summaries(&had->summary, &second);
}

/* Of threads of one run: what they cost together. */
static bool add_up(struct pn_metric *had, const struct pn_metric *metric,
		   double factor)
{
	if (had->value_count != 1 || metric->value_count != 1)
		return false;
	had->values[0] += metric->values[0] * factor;
	return true;
}

void pn_merge_metrics(struct pn_merge *m)
{
	const struct pn_profile *in = m->in;
	const char *ignored;
	size_t i;

	for (i = 0; i < in->metric_count; i++) {
		const struct pn_metric *metric = &in->metrics[i];
		const char *unit = pn_profile_text(in, metric->unit);
		struct pn_metric *had = find_metric(m, metric);
		const char *to;
		double factor;

		if (!had) {
			had = pn_profile_add_metric(
				&m->out, pn_profile_text(in, metric->name),
				unit, (enum pn_better)metric->better,
				metric->values, metric->value_count);
			had->summary = metric->summary;
			pn_slots_add(&m->metrics, hash_name(m, had->name),
				     (uint32_t)m->out.metric_count - 1);
			continue;
		}
		to = pn_profile_text(&m->out, had->unit);
		factor = strcmp(unit, to) ? pn_unit_scale(&ignored, 1, unit, to)
					  : 1;
		if (!m->joins_threads || !add_up(had, metric, factor))
			pool(had, metric, factor);
		if (had->better == PN_BETTER_UNKNOWN)
			had->better = metric->better;
	}
}
