/* Keys of -O for completion. */
#include "jobs/profiles/names/names.h"

#include "analysis/post/postprocess.h"
#include "collect/collector.h"

#include <string.h>

/* The last value of an option among the words typed so far; NULL: none. */
static const char *value_among(int count, const char *const *words, char letter,
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

void pn_names_keys(struct pn_buf *out, bool posts, const char *const *words,
		   int count)
{
	const struct pn_postprocessor *post = NULL;
	const struct pn_collector *collector = NULL;
	const struct pn_option *o = NULL;
	const char *name = posts ? value_among(count, words, 'p', "postprocess")
				 : value_among(count, words, 'c', "collector");

	if (posts && name)
		post = pn_post_find(name, NULL);
	else if (name)
		collector = pn_collector_find(name, NULL);
	if (post)
		o = post->options;
	else if (collector)
		o = collector->options;
	else if (posts)
		pn_post_keys(out, "\n");
	else
		pn_collector_keys(out, "\n");
	for (; o && o->key; o++)
		pn_buf_printf(out, "%s%s%s\n", o->key, o->argument ? "=" : "\t",
			      o->argument ? "" : o->summary);
}
