/* What most commands begin with. */
#include "context.h"

#include "base/alloc.h"
#include "base/number.h"
#include "collect/environment.h"
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

int max_body_bytes(uint64_t *out, struct pn_repo *repo, struct pn_error *err)
{
	unsigned int shift = 0;
	char *text = NULL;
	uint64_t value;
	size_t len;
	int code;

	*out = PN_BODY_MAX_BYTES;
	code = pn_repo_config(&text, repo, "perf.maxBodySize", err);
	if (code || !text)
		return code;
	len = strlen(text);
	if (len && strchr("kK", text[len - 1]))
		shift = 10;
	else if (len && strchr("mM", text[len - 1]))
		shift = 20;
	else if (len && strchr("gG", text[len - 1]))
		shift = 30;
	if (!pn_number_uint(&value, text, len - (shift != 0)) || !value ||
	    value > UINT64_MAX >> shift)
		code = pn_error_set(err, PN_EINVAL,
				    "bad perf.maxBodySize '%s', need a number "
				    "of bytes with k, m or g",
				    text);
	else
		*out = value << shift;
	free(text);
	return code;
}

int take_machine(struct machine *out, struct pn_repo *repo, const char *machine,
		 struct pn_error *err)
{
	struct pn_environment environment;
	char *configured = NULL;
	const struct pn_header *h;
	size_t i;
	int code;

	code = get_setting(&machine, &configured, repo, "GIT_PERF_MACHINE",
			   "perf.machine", err);
	if (code)
		return code;
	pn_environment_read(&environment, machine, "");
	free(configured);
	pn_profile_init(&out->facts);
	pn_environment_apply(&out->facts, &environment);
	h = &out->facts.header;
	out->count = h->environment_count;
	out->pairs = pn_calloc(out->count, sizeof(*out->pairs));
	for (i = 0; i < out->count; i++) {
		out->pairs[i].key =
			pn_profile_text(&out->facts, h->environment[i].key);
		out->pairs[i].value =
			pn_profile_text(&out->facts, h->environment[i].value);
	}
	return 0;
}

void release_machine(struct machine *machine)
{
	free(machine->pairs);
	pn_profile_release(&machine->facts);
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

int get_setting(const char **option, char **owned, struct pn_repo *repo,
		const char *variable, const char *key, struct pn_error *err)
{
	int code;

	if (!*option)
		*option = getenv(variable);
	if (*option)
		return 0;
	code = pn_repo_config(owned, repo, key, err);
	*option = *owned;
	return code;
}
