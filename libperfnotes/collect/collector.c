/* The table of collectors. */
#include "collect/collector.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/text/similar.h"

#include <string.h>

/* A line each, declared here: a new one needs no other file. */
/* clang-format off */
extern const struct pn_collector pn_collector_counters, pn_collector_sample,
	pn_collector_memory, pn_collector_trace, pn_collector_perf,
	pn_collector_callgrind, pn_collector_cachegrind, pn_collector_command;

const struct pn_collector *const pn_collectors[] = {
	&pn_collector_time,
	&pn_collector_counters,
	&pn_collector_sample,
	&pn_collector_memory,
	&pn_collector_trace,
	&pn_collector_perf,
	&pn_collector_callgrind,
	&pn_collector_cachegrind,
	&pn_collector_command,
	NULL,
};
/* clang-format on */

void pn_collector_names(struct pn_buf *out, const char *between)
{
	size_t i;

	for (i = 0; pn_collectors[i]; i++)
		pn_buf_printf(out, "%s%s", i ? between : "",
			      pn_collectors[i]->name);
}

/* Whether one before the collector of this index has the key. */
static bool has_key(size_t before, const char *key)
{
	const struct pn_option *o;
	size_t i;

	for (i = 0; i < before; i++)
		for (o = pn_collectors[i]->options; o && o->key; o++)
			if (!strcmp(o->key, key))
				return true;
	return false;
}

void pn_collector_keys(struct pn_buf *out, const char *between)
{
	const struct pn_option *o;
	bool any = false;
	size_t i;

	for (i = 0; pn_collectors[i]; i++)
		for (o = pn_collectors[i]->options; o && o->key; o++)
			if (!has_key(i, o->key)) {
				pn_buf_printf(out, "%s%s=", any ? between : "",
					      o->key);
				any = true;
			}
}

const struct pn_collector *pn_collector_find(const char *name,
					     struct pn_error *err)
{
	struct pn_buf names = {0};
	size_t i;

	for (i = 0; pn_collectors[i]; i++)
		if (!strcmp(pn_collectors[i]->name, name))
			return pn_collectors[i];
	pn_collector_names(&names, ", ");
	pn_similar_say(&names, name, strlen(name));
	pn_error_set(err, PN_ENOTFOUND, "no collector '%s'; there are: %s",
		     name, pn_buf_text(&names));
	pn_buf_release(&names);
	return NULL;
}

int pn_collector_check_name(const char *name, struct pn_error *err)
{
	return pn_collector_find(name, err) ? 0 : PN_ENOTFOUND;
}

const char *pn_collect_option(const struct pn_collect_plan *plan,
			      const char *key)
{
	size_t i;

	for (i = plan->option_count; i > 0; i--)
		if (!strcmp(plan->options[i - 1].key, key))
			return plan->options[i - 1].value;
	return NULL;
}

static int refuse_key(const struct pn_collector *collector, const char *key,
		      struct pn_error *err)
{
	const struct pn_option *o = collector->options;
	struct pn_buf keys = {0};

	for (; o && o->key; o++)
		pn_buf_printf(&keys, "%s%s", keys.len ? ", " : "", o->key);
	pn_similar_say(&keys, key, strlen(key));
	if (keys.len)
		pn_error_set(err, PN_EINVAL,
			     "collector '%s' has no option '%s'; there are: %s",
			     collector->name, key, pn_buf_text(&keys));
	else
		pn_error_set(err, PN_EINVAL,
			     "collector '%s' has no option '%s', nor any other",
			     collector->name, key);
	pn_buf_release(&keys);
	return PN_EINVAL;
}

int pn_collector_check(const struct pn_collector *collector,
		       const struct pn_collect_pair *options, size_t count,
		       struct pn_error *err)
{
	const struct pn_option *o;
	size_t i;

	for (i = 0; i < count; i++) {
		const char *key = options[i].key, *value = options[i].value;

		for (o = collector->options; o && o->key; o++)
			if (!strcmp(o->key, key))
				break;
		if (!o || !o->key)
			return refuse_key(collector, key, err);
		if (o->argument && !*value)
			return pn_error_set(err, PN_EINVAL,
					    "option '%s' of collector '%s' "
					    "needs a value: %s=%s",
					    key, collector->name, key,
					    o->argument);
		if (!o->argument && *value)
			return pn_error_set(err, PN_EINVAL,
					    "option '%s' of collector '%s' "
					    "takes no value",
					    key, collector->name);
	}
	return 0;
}

void pn_collect_plan_init(struct pn_collect_plan *plan)
{
	*plan = (struct pn_collect_plan){
		.min_runs = PN_COLLECT_MIN_RUNS,
		.max_runs = PN_COLLECT_MAX_RUNS,
		.min_time_ns = PN_COLLECT_MIN_TIME_NS,
		.max_time_ns = PN_COLLECT_MAX_TIME_NS,
		.precision = PN_COLLECT_PRECISION,
	};
}

struct pn_with_options *pn_collector_rows(size_t *count,
					  const struct pn_collector *only)
{
	const struct pn_collector *const *c = pn_collectors;
	struct pn_with_options *rows = NULL;
	size_t cap = 0, n = 0;

	for (; *c; c++) {
		if (only && only != *c)
			continue;
		rows = pn_grow(rows, &cap, n + 1, sizeof(*rows));
		rows[n++] = (struct pn_with_options){(*c)->name, (*c)->summary,
						     (*c)->options};
	}
	*count = n;
	return rows;
}
