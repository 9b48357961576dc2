/* Commands times parameters. */
#include "collect/combine.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/escape.h"
#include "collect/parameter.h"
#include "collect/words.h"

#include <stdlib.h>
#include <string.h>

/* The parameters, and one combination of them. */
struct choice {
	struct pn_parameter *parameters;
	bool *used; /* in any text, of any combination */
	size_t count, combination;
};

static int parse_parameters(struct choice *choice,
			    const struct pn_collect_request *request,
			    struct pn_error *err)
{
	size_t i, k;
	int code = 0;

	choice->parameters =
		pn_calloc(request->scans.count + request->lists.count + 1,
			  sizeof(*choice->parameters));
	for (i = 0; !code && i < request->scans.count; i++)
		code = pn_parameter_parse_scan(
			&choice->parameters[choice->count++],
			request->scans.items[i], err);
	for (i = 0; !code && i < request->lists.count; i++)
		code = pn_parameter_parse_list(
			&choice->parameters[choice->count++],
			request->lists.items[i], err);
	for (i = 0; !code && i < choice->count; i++)
		for (k = 0; k < i; k++)
			if (!strcmp(choice->parameters[i].name,
				    choice->parameters[k].name))
				return pn_error_set(
					err, PN_EINVAL,
					"parameter '%s' is given twice",
					choice->parameters[i].name);
	choice->used = pn_calloc(choice->count + 1, sizeof(*choice->used));
	return code;
}

static void release_choice(struct choice *choice)
{
	size_t i;

	for (i = 0; i < choice->count; i++)
		pn_parameter_release(&choice->parameters[i]);
	free(choice->parameters);
	free(choice->used);
}

/* NULL stays NULL. */
static const char *replace(struct pn_collect_jobs *set, struct choice *choice,
			   const char *text)
{
	struct pn_buf replaced = {0};
	const char *kept;

	if (!text)
		return NULL;
	pn_parameter_replace(&replaced, choice->used, text, choice->parameters,
			     choice->count, choice->combination);
	kept = pn_arena_copy(&set->arena, pn_buf_text(&replaced), replaced.len);
	pn_buf_release(&replaced);
	return kept;
}

static void add_labels(struct pn_collect_jobs *set, struct pn_collect_job *job,
		       const struct choice *choice)
{
	struct pn_collect_pair *labels;
	const char *name, *value;
	size_t i;

	labels = pn_arena_alloc(&set->arena,
				(choice->count + 1) * sizeof(*labels));
	for (i = 0; i < choice->count; i++) {
		name = choice->parameters[i].name;
		value = pn_parameter_value(choice->parameters, choice->count,
					   choice->combination, i);
		labels[i].key = pn_arena_copy(&set->arena, name, strlen(name));
		labels[i].value =
			pn_arena_copy(&set->arena, value, strlen(value));
	}
	job->labels = labels;
	job->label_count = choice->count;
}

static const char *const *replace_words(struct pn_collect_jobs *set,
					struct choice *choice,
					const char *const *words)
{
	const char **replaced;
	size_t count = 0, i;

	while (words[count])
		count++;
	replaced = pn_arena_alloc(&set->arena, (count + 1) * sizeof(*replaced));
	for (i = 0; i < count; i++)
		replaced[i] = replace(set, choice, words[i]);
	replaced[count] = NULL;
	return replaced;
}

/* One command, as a line or, when that is NULL, as words. */
static int add_command(struct pn_collect_jobs *set, struct choice *choice,
		       const char *line, const char *const *words,
		       const struct pn_collect_request *request,
		       struct pn_error *err)
{
	struct pn_collect_job job = {0};
	size_t total;

	total = pn_parameter_combinations(choice->parameters, choice->count,
					  PN_COLLECT_MAX_JOBS - set->count);
	if (!total || total > PN_COLLECT_MAX_JOBS - set->count)
		return pn_error_set(err, PN_ELIMIT,
				    "more than %d combinations of commands and "
				    "parameters",
				    PN_COLLECT_MAX_JOBS);
	set->items = pn_grow(set->items, &set->cap, set->count + total,
			     sizeof(*set->items));
	for (choice->combination = 0; choice->combination < total;
	     choice->combination++) {
		job.line = replace(set, choice, line);
		if (!line && words)
			job.argv = replace_words(set, choice, words);
		job.workload = replace(set, choice, request->workload);
		job.setup = replace(set, choice, request->setup);
		job.prepare = replace(set, choice, request->prepare);
		job.conclude = replace(set, choice, request->conclude);
		job.cleanup = replace(set, choice, request->cleanup);
		add_labels(set, &job, choice);
		set->items[set->count++] = job;
	}
	return 0;
}

static int add_line(struct pn_collect_jobs *set, struct choice *choice,
		    const char *line, const struct pn_collect_request *request,
		    struct pn_error *err)
{
	const char *const *words = NULL;
	int code = 0;

	if (!request->shell)
		code = pn_words_split(&words, &set->arena, line, err);
	if (!code)
		code = add_command(set, choice, request->shell ? line : NULL,
				   words, request, err);
	return code;
}

static int add_commands(struct pn_collect_jobs *set, struct choice *choice,
			const struct pn_collect_request *request,
			struct pn_error *err)
{
	const char *const *words = request->words;
	size_t i;
	int code = 0;

	if (request->word_count)
		code = add_command(set, choice,
				   request->shell ? words[0] : NULL, words,
				   request, err);
	for (i = 0; !code && i < request->lines.count; i++)
		code = add_line(set, choice, request->lines.items[i], request,
				err);
	for (i = 0; !code && i < choice->count; i++)
		if (!choice->used[i])
			code = pn_error_set(err, PN_EINVAL,
					    "parameter '%s' is not used: no "
					    "command has {%s} in it",
					    choice->parameters[i].name,
					    choice->parameters[i].name);
	return code;
}

int pn_collect_jobs_of(struct pn_collect_jobs *out,
		       const struct pn_collect_request *request,
		       struct pn_error *err)
{
	struct choice choice = {0}, none = {0};
	struct pn_collect_jobs set = {0};
	int code;

	code = parse_parameters(&choice, request, err);
	if (!code && request->reference)
		code = add_line(&set, &none, request->reference, request, err);
	if (!code)
		code = add_commands(&set, &choice, request, err);
	release_choice(&choice);
	if (code)
		pn_collect_jobs_release(&set);
	else
		*out = set;
	return code;
}

void pn_collect_jobs_release(struct pn_collect_jobs *set)
{
	free(set->items);
	pn_arena_release(&set->arena);
	*set = (struct pn_collect_jobs){0};
}

char *pn_collect_job_title(const struct pn_collect_job *job)
{
	struct pn_buf title = {0};
	size_t i;

	if (job->line)
		return pn_strdup(job->line);
	for (i = 0; job->argv[i]; i++) {
		if (i)
			pn_buf_add_byte(&title, ' ');
		pn_escape_shell(&title, job->argv[i]);
	}
	return pn_buf_detach(&title);
}

struct pn_collect_pair *
pn_collect_pairs_of(const struct pn_collect_values *texts)
{
	struct pn_collect_pair *pairs =
		pn_calloc(texts->count + 1, sizeof(*pairs));
	size_t i;

	for (i = 0; i < texts->count; i++) {
		char *key = pn_strdup(texts->items[i]);
		char *equals = strchr(key, '=');

		pairs[i].key = key;
		pairs[i].value = equals ? equals + 1 : "";
		if (equals)
			*equals = '\0';
	}
	return pairs;
}

void pn_collect_pairs_free(struct pn_collect_pair *pairs, size_t count)
{
	size_t i;

	for (i = 0; pairs && i < count; i++)
		free((char *)pairs[i].key);
	free(pairs);
}
