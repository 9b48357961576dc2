/* Whether two profiles say the same: what has an order is compared here. */
#include "base/number.h"
#include "model/profile.h"
#include "model/profile_digest.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Both sides and where the first difference is told. */
struct sides {
	const struct pn_profile *a, *b;
	char *why;
	size_t size;
};

static bool differ(const struct sides *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static bool differ(const struct sides *s, const char *format, ...)
{
	va_list args;

	if (!s->why)
		return false;
	va_start(args, format);
	vsnprintf(s->why, s->size, format, args);
	va_end(args);
	return false;
}

static bool same_text(const struct sides *s, const char *what, uint32_t a,
		      uint32_t b)
{
	const char *left, *right;
	size_t len;

	if (!a && !b) /* "", in every table */
		return true;
	left = pn_profile_text(s->a, a);
	right = pn_profile_text(s->b, b);
	len = pn_strtab_len(&s->a->strings, a);
	if (len == pn_strtab_len(&s->b->strings, b) &&
	    !memcmp(left, right, len))
		return true;
	return differ(s, "%s: '%.80s' and '%.80s'", what, left, right);
}

static bool same_int(const struct sides *s, const char *what, int64_t a,
		     int64_t b)
{
	if (a == b)
		return true;
	return differ(s, "%s: %" PRId64 " and %" PRId64, what, a, b);
}

static bool same_count(const struct sides *s, const char *what, size_t a,
		       size_t b)
{
	if (a == b)
		return true;
	return differ(s, "number of %s: %zu and %zu", what, a, b);
}

static bool same_double(const struct sides *s, const char *what, double a,
			double b)
{
	char left[PN_NUMBER_TEXT], right[PN_NUMBER_TEXT];

	if (!memcmp(&a, &b, sizeof(a)))
		return true;
	pn_number_write(left, a, false);
	pn_number_write(right, b, false);
	return differ(s, "%s: %s and %s", what, left, right);
}

static bool same_pairs(const struct sides *s, const char *what,
		       const struct pn_pair *a, size_t a_count,
		       const struct pn_pair *b, size_t b_count)
{
	size_t i;

	if (!same_count(s, what, a_count, b_count))
		return false;
	for (i = 0; i < a_count; i++)
		if (!same_text(s, what, a[i].key, b[i].key) ||
		    !same_text(s, what, a[i].value, b[i].value))
			return false;
	return true;
}

static bool same_texts(const struct sides *s, const char *what,
		       const uint32_t *a, size_t a_count, const uint32_t *b,
		       size_t b_count)
{
	size_t i;

	if (!same_count(s, what, a_count, b_count))
		return false;
	for (i = 0; i < a_count; i++)
		if (!same_text(s, what, a[i], b[i]))
			return false;
	return true;
}

static bool same_unit(const struct sides *s, const char *what,
		      const struct pn_step *a, const struct pn_step *b)
{
	return same_text(s, what, a->name, b->name) &&
	       same_text(s, what, a->params, b->params);
}

static bool same_posts(const struct sides *s)
{
	const struct pn_header *a = &s->a->header, *b = &s->b->header;
	size_t i;

	if (!same_count(s, "postprocessors", a->post_count, b->post_count))
		return false;
	for (i = 0; i < a->post_count; i++)
		if (!same_unit(s, "postprocessor", &a->posts[i], &b->posts[i]))
			return false;
	return true;
}

static bool same_header(const struct sides *s)
{
	const struct pn_header *a = &s->a->header, *b = &s->b->header;

	return same_text(s, "type", a->kind, b->kind) &&
	       same_text(s, "cmd", a->cmd, b->cmd) &&
	       same_text(s, "args", a->args, b->args) &&
	       same_text(s, "workload", a->workload, b->workload) &&
	       same_text(s, "name", a->name, b->name) &&
	       same_text(s, "origin", a->origin, b->origin) &&
	       same_text(s, "source root", a->source_root, b->source_root) &&
	       same_int(s, "exit status", a->exit_status, b->exit_status) &&
	       same_int(s, "dirty", a->dirty, b->dirty) &&
	       same_int(s, "runs", pn_profile_runs(s->a),
			pn_profile_runs(s->b)) &&
	       same_unit(s, "collector", &a->collector, &b->collector) &&
	       same_posts(s) &&
	       same_pairs(s, "environment", a->environment,
			  a->environment_count, b->environment,
			  b->environment_count) &&
	       same_pairs(s, "labels", a->labels, a->label_count, b->labels,
			  b->label_count) &&
	       same_pairs(s, "extras", a->extras, a->extra_count, b->extras,
			  b->extra_count) &&
	       same_texts(s, "models", a->models, a->model_count, b->models,
			  b->model_count);
}

static bool same_type(const struct sides *s, const char *what,
		      const struct pn_value_type *a,
		      const struct pn_value_type *b)
{
	return same_text(s, what, a->type, b->type) &&
	       same_text(s, what, a->unit, b->unit) &&
	       same_int(s, what, a->better, b->better) &&
	       same_int(s, what, a->number, b->number) &&
	       same_int(s, what, a->role, b->role);
}

static bool same_types(const struct sides *s)
{
	const struct pn_profile *a = s->a, *b = s->b;
	size_t i;

	if (!same_count(s, "value types", a->type_count, b->type_count))
		return false;
	for (i = 0; i < a->type_count; i++)
		if (!same_type(s, "value type", &a->types[i], &b->types[i]))
			return false;
	return same_type(s, "period type", &a->period_type, &b->period_type) &&
	       same_int(s, "period", a->period, b->period) &&
	       same_text(s, "default type", a->default_type, b->default_type) &&
	       same_int(s, "time", a->time_ns, b->time_ns) &&
	       same_int(s, "duration", a->duration_ns, b->duration_ns) &&
	       same_text(s, "drop frames", a->drop_frames, b->drop_frames) &&
	       same_text(s, "keep frames", a->keep_frames, b->keep_frames) &&
	       same_text(s, "doc url", a->doc_url, b->doc_url) &&
	       same_texts(s, "comments", a->comments, a->comment_count,
			  b->comments, b->comment_count);
}

static bool same_mappings(const struct sides *s)
{
	size_t i;

	if (!same_count(s, "mappings", s->a->mapping_count,
			s->b->mapping_count))
		return false;
	for (i = 0; i < s->a->mapping_count; i++) {
		const struct pn_mapping *a = &s->a->mappings[i];
		const struct pn_mapping *b = &s->b->mappings[i];

		if (a->start != b->start || a->limit != b->limit ||
		    a->offset != b->offset || a->has != b->has)
			return differ(s, "mapping %zu: numbers differ", i);
		if (!same_text(s, "mapping", a->file, b->file) ||
		    !same_text(s, "build id", a->build_id, b->build_id))
			return false;
	}
	return true;
}

static bool same_summary(const struct sides *s, const struct pn_summary *x,
			 const struct pn_summary *y)
{
	return same_double(s, "min", x->min, y->min) &&
	       same_double(s, "q1", x->q1, y->q1) &&
	       same_double(s, "median", x->median, y->median) &&
	       same_double(s, "q3", x->q3, y->q3) &&
	       same_double(s, "max", x->max, y->max) &&
	       same_double(s, "mean", x->mean, y->mean) &&
	       same_double(s, "sd", x->sd, y->sd);
}

static bool same_metric(const struct sides *s, const struct pn_metric *a,
			const struct pn_metric *b)
{
	size_t i;

	if (!same_text(s, "metric", a->name, b->name) ||
	    !same_text(s, "unit of a metric", a->unit, b->unit) ||
	    !same_int(s, "direction of a metric", a->better, b->better) ||
	    !same_int(s, "n of a metric", (int64_t)a->summary.n,
		      (int64_t)b->summary.n) ||
	    !same_count(s, "values of a metric", a->value_count,
			b->value_count))
		return false;
	for (i = 0; i < a->value_count; i++)
		if (!same_double(s, "value of a metric", a->values[i],
				 b->values[i]))
			return false;
	/* with the values at hand, the summary follows from them */
	return a->value_count || same_summary(s, &a->summary, &b->summary);
}

static bool same_metrics(const struct sides *s)
{
	size_t i;

	if (!same_count(s, "metrics", s->a->metric_count, s->b->metric_count))
		return false;
	for (i = 0; i < s->a->metric_count; i++)
		if (!same_metric(s, &s->a->metrics[i], &s->b->metrics[i]))
			return false;
	return true;
}

static bool same_points(const struct sides *s, const struct pn_curve *a,
			const struct pn_curve *b)
{
	size_t i;

	for (i = 0; i < a->count; i++) {
		const struct pn_point *x = &s->a->curves.points[a->first + i];
		const struct pn_point *y = &s->b->curves.points[b->first + i];

		if (!same_double(s, "position on a curve", x->position,
				 y->position) ||
		    !same_double(s, "value of a curve", x->value, y->value) ||
		    !same_count(s, "parts of a point", x->count, y->count))
			return false;
	}
	return true;
}

/* But for what points are made of, which is compared with the stacks. */
static bool same_curves(const struct sides *s)
{
	size_t i;

	if (!same_count(s, "curves", s->a->curves.count, s->b->curves.count))
		return false;
	for (i = 0; i < s->a->curves.count; i++) {
		const struct pn_curve *a = &s->a->curves.items[i];
		const struct pn_curve *b = &s->b->curves.items[i];

		if (!same_text(s, "curve", a->name, b->name) ||
		    !same_text(s, "unit of a curve", a->unit, b->unit) ||
		    !same_text(s, "unit along a curve", a->along, b->along) ||
		    !same_count(s, "points", a->count, b->count) ||
		    !same_points(s, a, b))
			return false;
	}
	return true;
}

static bool same_threads(const struct sides *s)
{
	const struct pn_events *a = &s->a->events, *b = &s->b->events;
	size_t i;

	if (!same_count(s, "processes", a->process_count, b->process_count) ||
	    !same_count(s, "threads", a->thread_count, b->thread_count))
		return false;
	for (i = 0; i < a->process_count; i++)
		if (!same_text(s, "process", a->processes[i].id,
			       b->processes[i].id) ||
		    !same_text(s, "name of a process", a->processes[i].name,
			       b->processes[i].name))
			return false;
	for (i = 0; i < a->thread_count; i++)
		if (!same_int(s, "process of a thread", a->threads[i].process,
			      b->threads[i].process) ||
		    !same_text(s, "thread", a->threads[i].id,
			       b->threads[i].id) ||
		    !same_text(s, "name of a thread", a->threads[i].name,
			       b->threads[i].name) ||
		    !same_double(s, "cost of a thread", a->threads[i].cost,
				 b->threads[i].cost))
			return false;
	return true;
}

static bool same_facts(const struct sides *s)
{
	size_t i;

	if (!same_count(s, "facts", s->a->fact_count, s->b->fact_count))
		return false;
	for (i = 0; i < s->a->fact_count; i++) {
		const struct pn_fact *a = &s->a->facts[i], *b;

		b = &s->b->facts[i];
		if (!same_text(s, "fact", a->name, b->name) ||
		    !same_text(s, "unit of a fact", a->unit, b->unit) ||
		    !same_double(s, "value of a fact", a->value, b->value))
			return false;
	}
	return true;
}

static bool same_functions(const struct pn_profile *a,
			   const struct pn_profile *b)
{
	const struct sides s = {a, b, NULL, 0};
	size_t i;

	for (i = 0; i < a->function_count; i++) {
		const struct pn_function *x = &a->functions[i];
		const struct pn_function *y = &b->functions[i];

		if (x->start_line != y->start_line ||
		    !same_text(&s, "", x->name, y->name) ||
		    !same_text(&s, "", x->system_name, y->system_name) ||
		    !same_text(&s, "", x->file, y->file))
			return false;
	}
	return true;
}

static bool same_locations(const struct pn_profile *a,
			   const struct pn_profile *b)
{
	size_t i;

	for (i = 0; i < a->location_count; i++) {
		const struct pn_location *x = &a->locations[i];
		const struct pn_location *y = &b->locations[i];

		if (x->address != y->address || x->mapping != y->mapping ||
		    x->folded != y->folded || x->line_first != y->line_first ||
		    x->line_count != y->line_count)
			return false;
	}
	for (i = 0; i < a->line_count; i++)
		if (a->lines[i].function != b->lines[i].function ||
		    a->lines[i].line != b->lines[i].line ||
		    a->lines[i].column != b->lines[i].column)
			return false;
	return true;
}

static bool same_stack(const struct pn_profile *a, uint32_t x,
		       const struct pn_profile *b, uint32_t y)
{
	size_t from = a->stack_start[x], other = b->stack_start[y];
	size_t n = a->stack_start[x + 1] - from;

	return n == b->stack_start[y + 1] - other &&
	       (!n || !memcmp(a->frames + from, b->frames + other,
			      n * sizeof(*a->frames)));
}

static bool same_samples(const struct pn_profile *a, const struct pn_profile *b)
{
	size_t i;

	for (i = 0; i < a->sample_count; i++)
		if (a->samples[i].labels || b->samples[i].labels ||
		    !same_stack(a, a->samples[i].stack, b, b->samples[i].stack))
			return false;
	return !a->sample_count ||
	       !memcmp(a->values, b->values,
		       a->sample_count * a->type_count * sizeof(*a->values));
}

/* Whether the tables are the same row by row, as those of a profile and of its
 * key body are: a fifth of the time of a comparison without order. Labels,
 * graphs and absent values are left to that. */
static bool same_as_they_stand(const struct pn_profile *a,
			       const struct pn_profile *b)
{
	if (a->present || b->present || a->graph.node_count ||
	    a->curves.part_count || b->curves.part_count || a->events.count ||
	    b->events.count || a->tick_count || b->tick_count ||
	    b->graph.node_count || a->function_count != b->function_count ||
	    a->location_count != b->location_count ||
	    a->line_count != b->line_count ||
	    a->sample_count != b->sample_count)
		return false;
	return same_functions(a, b) && same_locations(a, b) &&
	       same_samples(a, b);
}

bool pn_profile_equal(const struct pn_profile *a, const struct pn_profile *b,
		      char *why, size_t why_size)
{
	struct sides s = {a, b, why, why_size};

	return same_header(&s) && same_types(&s) && same_mappings(&s) &&
	       same_metrics(&s) && same_curves(&s) && same_threads(&s) &&
	       same_facts(&s) &&
	       (same_as_they_stand(a, b) ||
		pn_profile_equal_tables(a, b, why, why_size));
}
