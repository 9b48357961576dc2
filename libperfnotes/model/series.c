/* Series: their order and their names. */
#include "model/series.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "base/file.h"
#include "model/machine/quiet.h"
#include "model/twice.h"
#include "model/unit.h"

#include <stdlib.h>
#include <string.h>

enum part {
	JOB,
	ARGS,
	WORKLOAD,
	COLLECTOR,
	MACHINE,
	CMD,
	PROGRAM,
	NAME,
	PARTS
};

static const char *const keys[PARTS] = {
	[JOB] = "l.job",	   [ARGS] = "args",   [WORKLOAD] = "workload",
	[COLLECTOR] = "collector", [MACHINE] = "env", [CMD] = "cmd",
	[PROGRAM] = "program",	   [NAME] = "name",
};

/* By the first two bytes of the keys above: one look at each field, of which a
 * log has many. */
static enum part part_of(const char *key)
{
	enum part part = PARTS;

	switch (*key) {
	case 'l':
		part = JOB;
		break;
	case 'a':
		part = ARGS;
		break;
	case 'w':
		part = WORKLOAD;
		break;
	case 'c':
		part = key[1] == 'm' ? CMD : COLLECTOR;
		break;
	case 'e':
		part = MACHINE;
		break;
	case 'p':
		part = PROGRAM;
		break;
	case 'n':
		part = NAME;
		break;
	default:
		return PARTS;
	}
	return key[1] == keys[part][1] && !strcmp(key, keys[part]) ? part
								   : PARTS;
}

struct pn_series pn_series_of(const struct pn_entry *entry)
{
	const char *text[PARTS + 1] = {0}, *cmd;
	size_t i;

	/* of a key that comes twice the first one counts */
	for (i = entry->field_count; i > 0; i--)
		text[part_of(entry->fields[i - 1].key)] =
			entry->fields[i - 1].value;
	for (i = 0; i < PARTS; i++)
		if (!text[i])
			text[i] = "";
	cmd = *text[CMD]       ? text[CMD]
	      : *text[PROGRAM] ? text[PROGRAM]
			       : text[NAME];
	return (struct pn_series){.job = text[JOB],
				  .cmd = cmd,
				  .args = text[ARGS],
				  .workload = text[WORKLOAD],
				  .collector = text[COLLECTOR],
				  .machine = text[MACHINE]};
}

/* By all but the name of the job. */
static int cmp_run(const struct pn_series *a, const struct pn_series *b)
{
	int order = strcmp(a->cmd, b->cmd);

	if (!order)
		order = strcmp(a->args, b->args);
	if (!order)
		order = strcmp(a->workload, b->workload);
	if (!order)
		order = strcmp(a->collector, b->collector);
	return order ? order : strcmp(a->machine, b->machine);
}

int pn_series_cmp(const struct pn_series *a, const struct pn_series *b)
{
	int order = cmp_run(a, b);

	return order ? order : strcmp(a->job, b->job);
}

bool pn_series_alike(const struct pn_series *a, const struct pn_series *b)
{
	return (!*a->job || !*b->job || !strcmp(a->job, b->job)) &&
	       !cmp_run(a, b);
}

bool pn_series_same_job(const struct pn_series *a, const struct pn_series *b)
{
	return *a->job && !strcmp(a->job, b->job) &&
	       !strcmp(a->workload, b->workload) &&
	       !strcmp(a->collector, b->collector) &&
	       !strcmp(a->machine, b->machine);
}

static int by_series(const void *a, const void *b)
{
	return pn_series_cmp(*(struct pn_series *const *)a,
			     *(struct pn_series *const *)b);
}

/* s[0..count) are equal but for the job's name, those without one first. */
static void adopt(struct pn_series **s, size_t count)
{
	const char *name = s[count - 1]->job;
	size_t i;

	for (i = 0; i < count && !*s[i]->job; i++)
		;
	if (i == count || strcmp(s[i]->job, name) != 0)
		return;
	while (i > 0)
		s[--i]->job = name;
}

void pn_series_of_all(struct pn_series *out, const struct pn_entry *entries,
		      size_t count)
{
	struct pn_series **ordered =
		pn_calloc(count, sizeof(struct pn_series *));
	size_t i, k;

	for (i = 0; i < count; i++) {
		out[i] = pn_series_of(&entries[i]);
		ordered[i] = &out[i];
	}
	if (count > 1)
		qsort(ordered, count, sizeof(struct pn_series *), by_series);
	for (i = 0; count > 1 && i < count; i = k) {
		for (k = i + 1; k < count && !cmp_run(ordered[i], ordered[k]);)
			k++;
		adopt(ordered + i, k - i);
	}
	free(ordered);
}

static const char *job_of(const struct pn_series *s, bool command)
{
	if (*s->job && !command)
		return s->job;
	return command ? s->cmd : pn_file_basename(s->cmd);
}

int pn_series_name_cmp(const struct pn_series *a, const struct pn_series *b)
{
	int order = strcmp(job_of(a, false), job_of(b, false));

	if (!order)
		order = strcmp(a->collector, b->collector);
	return order ? order : pn_series_cmp(a, b);
}

/* Whether a record is made of another one of the commit: or of what this is a
 * copy of, where both followed a commit that was rewritten. */
static bool is_derived(const struct pn_entry *e, const struct pn_entry *entries,
		       size_t count)
{
	const char *of = pn_entry_field(e, "of");
	size_t i;

	for (i = 0; *of && i < count; i++)
		if (&entries[i] != e &&
		    (!strcmp(entries[i].id, of) ||
		     !strcmp(pn_entry_field(&entries[i], "from"), of)))
			return true;
	return false;
}

/* A record and the series that it is of. */
struct member {
	struct pn_series series;
	const struct pn_entry *entry;
	size_t order;
	bool noisy;
};

static int by_name(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	int order = pn_series_name_cmp(&x->series, &y->series);

	return order ? order : x->order < y->order ? -1 : x->order > y->order;
}

static struct member *list_members(size_t *count,
				   const struct pn_entry *entries,
				   size_t entry_count,
				   const struct pn_oid *tree)
{
	struct pn_series *series = pn_calloc(entry_count, sizeof(*series));
	struct member *members = pn_calloc(entry_count, sizeof(*members));
	bool *twice = pn_entries_twice(entries, entry_count);
	size_t i, n = 0;

	pn_series_of_all(series, entries, entry_count);
	for (i = 0; i < entry_count; i++) {
		const struct pn_entry *e = &entries[i];

		if (e->kind == PN_ENTRY_PROFILE &&
		    pn_oid_equal(&e->tree, tree) &&
		    !*pn_entry_field(e, "dirty") && !(twice && twice[i]) &&
		    !is_derived(e, entries, entry_count))
			members[n++] = (struct member){
				series[i], e, i,
				pn_quiet_text_is_noisy(
					pn_entry_field(e, PN_QUIET_FIELD))};
	}
	free(series);
	free(twice);
	if (n > 1)
		qsort(members, n, sizeof(*members), by_name);
	*count = n;
	return members;
}

void pn_series_group(const struct pn_series_records **out, size_t *count,
		     struct pn_arena *arena, const struct pn_entry *entries,
		     size_t entry_count, const struct pn_oid *tree)
{
	struct pn_series_records *groups;
	const struct pn_entry **list;
	struct member *members;
	size_t i, k, n, have = 0, taken = 0;

	members = list_members(&n, entries, entry_count, tree);
	groups = pn_arena_alloc(arena, n * sizeof(*groups));
	list = pn_arena_alloc(arena, n * sizeof(const struct pn_entry *));
	for (i = 0; i < n; i = k) {
		size_t quiet = 0, first = taken;

		for (k = i; k < n && !pn_series_cmp(&members[i].series,
						    &members[k].series);
		     k++)
			quiet += !members[k].noisy;
		for (; i < k; i++)
			if (!quiet || !members[i].noisy)
				list[taken++] = members[i].entry;
		groups[have++] = (struct pn_series_records){
			members[k - 1].series, &list[first], taken - first};
	}
	free(members);
	*out = groups;
	*count = have;
}

static bool differ(const char *a, const char *b)
{
	return strcmp(a, b) != 0;
}

/* Whether the name of `a` with these parts is one of b, too. */
static bool names_both(const struct pn_series_parts *parts,
		       const struct pn_series *a, const struct pn_series *b)
{
	const char *job = job_of(a, parts->command);

	return pn_series_fits_job(b, job) >= pn_series_fits_job(a, job) &&
	       !differ(a->collector, b->collector) &&
	       !(parts->workload && differ(a->workload, b->workload)) &&
	       !(parts->machine && differ(a->machine, b->machine)) &&
	       !(parts->args && differ(a->args, b->args));
}

/* A job without a name gives way to one that is called as it is: by its
 * command, or by its arguments where it has been found without a path. What is
 * empty tells nothing apart. */
static void tell_apart(struct pn_series_parts *parts, const struct pn_series *a,
		       const struct pn_series *b)
{
	const char *job = job_of(a, false);

	if (!*a->collector && *b->collector &&
	    pn_series_fits_job(b, job) >= pn_series_fits_job(a, job))
		parts->bare = true;
	if (differ(a->job, b->job) && names_both(parts, a, b))
		parts->command = true;
	if (!names_both(parts, a, b))
		return;
	if (*a->workload && differ(a->workload, b->workload))
		parts->workload = true;
	else if (*a->machine && differ(a->machine, b->machine))
		parts->machine = true;
	else if (*a->args && differ(a->args, b->args))
		parts->args = true;
	else if (differ(a->cmd, b->cmd))
		parts->command = true;
}

struct pn_series_parts pn_series_tell(const struct pn_series *series,
				      const struct pn_series *all, size_t count)
{
	struct pn_series_parts parts = {0};
	size_t i;

	if (count > PN_SERIES_TELL_MAX)
		return (struct pn_series_parts){true, true, true, true,
						!*series->collector};
	for (i = 0; i < count; i++)
		tell_apart(&parts, series, &all[i]);
	return parts;
}

void pn_series_job(struct pn_buf *out, const struct pn_series *series,
		   const struct pn_series_parts *parts)
{
	pn_buf_add_text(out, job_of(series, parts && parts->command));
	if (parts && parts->args && *series->args)
		pn_buf_printf(out, " %s", series->args);
}

void pn_series_text(struct pn_buf *out, const struct pn_series *series,
		    const struct pn_series_parts *parts)
{
	bool machine = parts && parts->machine && *series->machine;

	pn_series_job(out, series, parts);
	if (*series->collector || machine || (parts && parts->bare))
		pn_buf_printf(out, "/%s", series->collector);
	if (machine)
		pn_buf_printf(out, "/%s", series->machine);
	if (parts && parts->workload && *series->workload)
		pn_buf_printf(out, "@%s", series->workload);
}

/* A shell leaves these alone behind a word's first letter: HEAD~1, HEAD^. */
static bool is_plain(const char *text)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789_-./:@%+,=^~";

	return *text != '~' && !text[strspn(text, plain)];
}

void pn_series_typed(struct pn_buf *out, const char *rev, size_t len,
		     const struct pn_series *series,
		     const struct pn_series_parts *parts)
{
	struct pn_buf text = {0};

	pn_buf_add(&text, rev, len);
	pn_buf_add_byte(&text, ':');
	pn_series_text(&text, series, parts);
	if (is_plain(pn_buf_text(&text)))
		pn_buf_add(out, text.data, text.len);
	else
		pn_escape_shell(out, pn_buf_text(&text));
	pn_buf_release(&text);
}

bool pn_metric_is_clocked(const char *metric, const char *unit)
{
	return !strcmp(pn_unit_base(unit), "ns") || !strcmp(metric, "samples");
}

bool pn_series_counts(const struct pn_series *series, const char *metric)
{
	return !strcmp(series->collector, "callgrind") || !strcmp(metric, "Ir");
}
