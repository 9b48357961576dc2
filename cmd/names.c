/* What completion asks for besides options: names of profiles and series, and
 * values that depend on what is stored or typed. */
#include "jobs/profiles/names.h"

#include "analysis/post/postprocess.h"
#include "collect/collector.h"
#include "command.h"
#include "context.h"

#include <string.h>

static int print_names(struct pn_buf *names, int code, struct pn_error *err)
{
	const struct global global = {0};

	code = write_output(&global, NULL, names, code, err);
	pn_buf_release(names);
	return code;
}

int list_names(const struct command *command, const char *typed)
{
	struct context context = {0};
	struct pn_buf names = {0};
	struct pn_error err;
	int code = open_context(&context, NULL, true, &err);

	if (!code)
		code = pn_names_list(&names, &context.lookup, typed,
				     command == &cmd_add, &err);
	code = print_names(&names, code, &err);
	close_context(&context);
	return code;
}

/* The last value of an option among the words typed so far; NULL: none. */
static const char *value_among(int count, char **words, char letter,
			       const char *name)
{
	const char *value = NULL;
	size_t len = strlen(name);
	int i;

	for (i = 0; i < count && strcmp(words[i], "--") != 0; i++) {
		const char *word = words[i], *next = NULL;

		if (i + 1 < count)
			next = words[i + 1];
		if (next && !strcmp(next, "=") && i + 2 < count)
			next = words[i + 2]; /* as bash parts words */
		if (*word != '-')
			continue;
		if (word[1] == letter)
			value = word[2] ? word + 2 : next;
		else if (word[1] == '-' && !strncmp(word + 2, name, len) &&
			 word[2 + len] == '=')
			value = word + 3 + len;
		else if (word[1] == '-' && !strcmp(word + 2, name))
			value = next;
	}
	return value;
}

/* Keys of the options of the collector or postprocessor that was typed. */
static void add_keys(struct pn_buf *out, const struct command *command,
		     int count, char **words)
{
	const struct pn_postprocessor *post;
	const struct pn_collector *collector;
	const struct pn_option *o = NULL;
	const char *name;

	if (command == &cmd_collect) {
		name = value_among(count, words, 'c', "collector");
		collector = name ? pn_collector_find(name, NULL) : NULL;
		if (!collector)
			pn_collector_keys(out, "\n");
		else
			o = collector->options;
	} else if (command == &cmd_model) {
		name = value_among(count, words, 'p', "postprocess");
		post = name ? pn_post_find(name, NULL) : NULL;
		if (!post)
			pn_post_keys(out, "\n");
		else
			o = post->options;
	}
	for (; o && o->key; o++)
		pn_buf_printf(out, "%s%s%s\n", o->key, o->argument ? "=" : "\t",
			      o->argument ? "" : o->summary);
}

int list_values(const struct command *command, const char *option, int count,
		char **words)
{
	static const char *const parts[] = {[PN_NAMES_JOB] = "job",
					    [PN_NAMES_COLLECTOR] = "collector",
					    [PN_NAMES_MACHINE] = "machine"};
	struct context context = {0};
	struct pn_buf names = {0};
	struct pn_error err;
	size_t part = 0;
	int code = 0;

	while (*option == '-')
		option++;
	while (part < 3 && strcmp(parts[part], option) != 0)
		part++;
	if (part < 3)
		code = open_context(&context, NULL, true, &err);
	if (part < 3 && !code)
		code = pn_names_parts(&names, &context.lookup,
				      (enum pn_names_part)part, &err);
	if (!strcmp(option, "O") || !strcmp(option, "option"))
		add_keys(&names, command, count, words);
	code = print_names(&names, code, &err);
	close_context(&context);
	return code;
}
