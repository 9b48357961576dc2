/* Commands times parameters. */
#include "collect_jobs.h"

#include "base/alloc.h"
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
			    const struct job_texts *texts, struct pn_error *err)
{
	size_t i, k;
	int code = 0;

	choice->parameters =
		pn_calloc(texts->scans->count + texts->lists->count + 1,
			  sizeof(*choice->parameters));
	for (i = 0; !code && i < texts->scans->count; i++)
		code = pn_parameter_parse_scan(
			&choice->parameters[choice->count++],
			texts->scans->values[i], err);
	for (i = 0; !code && i < texts->lists->count; i++)
		code = pn_parameter_parse_list(
			&choice->parameters[choice->count++],
			texts->lists->values[i], err);
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
static const char *replace(struct job_set *set, struct choice *choice,
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

static void add_labels(struct job_set *set, struct pn_collect_job *job,
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

static const char *const *replace_words(struct job_set *set,
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
static int add_command(struct job_set *set, struct choice *choice,
		       const char *line, const char *const *words,
		       const struct job_texts *texts, struct pn_error *err)
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
	set->jobs = pn_grow(set->jobs, &set->cap, set->count + total,
			    sizeof(*set->jobs));
	for (choice->combination = 0; choice->combination < total;
	     choice->combination++) {
		job.line = replace(set, choice, line);
		if (!line && words)
			job.argv = replace_words(set, choice, words);
		job.workload = replace(set, choice, texts->workload);
		job.setup = replace(set, choice, texts->setup);
		job.prepare = replace(set, choice, texts->prepare);
		job.conclude = replace(set, choice, texts->conclude);
		job.cleanup = replace(set, choice, texts->cleanup);
		add_labels(set, &job, choice);
		set->jobs[set->count++] = job;
	}
	return 0;
}

static int add_line(struct job_set *set, struct choice *choice,
		    const char *line, const struct job_texts *texts,
		    struct pn_error *err)
{
	const char *const *words = NULL;
	int code = 0;

	if (!texts->shell)
		code = pn_words_split(&words, &set->arena, line, err);
	if (!code)
		code = add_command(set, choice, texts->shell ? line : NULL,
				   words, texts, err);
	return code;
}

static int add_commands(struct job_set *set, struct choice *choice,
			const struct job_texts *texts, struct pn_error *err)
{
	const char *const *words = (const char *const *)texts->words;
	size_t i;
	int code = 0;

	if (texts->word_count)
		code = add_command(set, choice, texts->shell ? words[0] : NULL,
				   words, texts, err);
	for (i = 0; !code && i < texts->lines->count; i++)
		code = add_line(set, choice, texts->lines->values[i], texts,
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

int make_jobs(struct job_set *out, const struct job_texts *texts,
	      struct pn_error *err)
{
	struct choice choice = {0}, none = {0};
	struct job_set set = {0};
	int code;

	code = parse_parameters(&choice, texts, err);
	if (!code && texts->reference)
		code = add_line(&set, &none, texts->reference, texts, err);
	if (!code)
		code = add_commands(&set, &choice, texts, err);
	release_choice(&choice);
	if (code)
		release_jobs(&set);
	else
		*out = set;
	return code;
}

void release_jobs(struct job_set *set)
{
	free(set->jobs);
	pn_arena_release(&set->arena);
	*set = (struct job_set){0};
}

struct pn_collect_pair *parse_settings(const struct opt_list *list)
{
	struct pn_collect_pair *settings =
		pn_calloc(list->count + 1, sizeof(*settings));
	size_t i;

	for (i = 0; i < list->count; i++) {
		char *key = pn_strdup(list->values[i]);
		char *equals = strchr(key, '=');

		settings[i].key = key;
		settings[i].value = equals ? equals + 1 : "";
		if (equals)
			*equals = '\0';
	}
	return settings;
}

void free_settings(struct pn_collect_pair *settings, size_t count)
{
	size_t i;

	for (i = 0; settings && i < count; i++)
		free((char *)settings[i].key);
	free(settings);
}
