/* What most commands begin with. */
#include "context.h"

#include "base/alloc.h"
#include "command.h"

#include <stdlib.h>
#include <string.h>

int open_context(struct context *out, const char *rev, bool needed,
		 struct pn_error *err)
{
	struct context c = {0};
	int code;

	code = open_repo(&c.repo, err);
	if (code == PN_ENOTFOUND && !needed && !rev) {
		*out = c;
		return 0;
	}
	if (!code)
		code = pn_repo_head(&c.head, c.repo, err);
	if (!code)
		code = pn_notes_open(&c.notes, c.repo, PN_NOTES_REF, err);
	c.lookup.repo = c.repo;
	c.lookup.notes = c.notes;
	c.lookup.commit = c.head.commit;
	if (!code && rev)
		code = pn_repo_resolve(&c.lookup.commit, c.repo, rev, err);
	if (code) {
		close_context(&c);
		return code;
	}
	*out = c;
	return 0;
}

void close_context(struct context *context)
{
	pn_notes_free(context->notes);
	pn_repo_free(context->repo);
	memset(context, 0, sizeof(*context));
}

int parse_pairs(struct pn_text_pair **out, size_t *count,
		const struct opt_list *texts, struct pn_error *err)
{
	struct pn_text_pair *pairs = pn_calloc(texts->count, sizeof(*pairs));
	size_t i;

	for (i = 0; i < texts->count; i++) {
		const char *text = texts->values[i];
		const char *sep = strchr(text, '=');

		if (!sep || sep == text) {
			free_pairs(pairs, i);
			return pn_error_set(err, PN_EINVAL,
					    "bad label '%s', need key=value",
					    text);
		}
		pairs[i].key = pn_strndup(text, (size_t)(sep - text));
		pairs[i].value = sep + 1;
	}
	*out = pairs;
	*count = texts->count;
	return 0;
}

void free_pairs(struct pn_text_pair *pairs, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		free((char *)pairs[i].key);
	free(pairs);
}
