/* Settings. */
#include "jobs/settings.h"

#include "base/alloc.h"
#include "base/number.h"
#include "collect/facts/environment.h"

#include <stdlib.h>
#include <string.h>

int pn_setting_find(const char **option, char **owned, struct pn_repo *repo,
		    const char *variable, const char *key, struct pn_error *err)
{
	int code;

	if (!*option)
		*option = getenv(variable);
	if (*option || !repo)
		return 0;
	code = pn_repo_config(owned, repo, key, err);
	*option = *owned;
	return code;
}

bool pn_setting_is_on(const char *variable)
{
	const char *value = getenv(variable);

	return value && *value && strcmp(value, "0") != 0 &&
	       strcmp(value, "false") != 0;
}

int pn_setting_runs(int64_t *out, struct pn_repo *repo, struct pn_error *err)
{
	const char *text = NULL;
	char *owned = NULL;
	int64_t runs;
	int code = pn_setting_find(&text, &owned, repo, "GIT_PERF_RUNS",
				   "perf.runs", err);

	if (!code && text) {
		if (pn_number_int(&runs, text, strlen(text)) && runs >= 1)
			*out = runs;
		else
			code = pn_error_set(err, PN_EINVAL,
					    "bad perf.runs '%s', need a whole "
					    "number of at least 1",
					    text);
	}
	free(owned);
	return code;
}

int pn_setting_body_bytes(uint64_t *out, struct pn_repo *repo,
			  struct pn_error *err)
{
	unsigned int shift = 0;
	char *text = NULL;
	uint64_t value;
	size_t len;
	int code;

	*out = PN_BODY_MAX_BYTES;
	if (!repo)
		return 0;
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

int pn_machine_take(struct pn_machine *out, struct pn_repo *repo,
		    const char *machine, struct pn_error *err)
{
	struct pn_environment environment;
	char *configured = NULL;
	const struct pn_header *h;
	size_t i;
	int code;

	code = pn_setting_find(&machine, &configured, repo, "GIT_PERF_MACHINE",
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

void pn_machine_release(struct pn_machine *machine)
{
	free(machine->pairs);
	pn_profile_release(&machine->facts);
}

int pn_setting_pairs(struct pn_text_pair **out, size_t *count,
		     const char *const *texts, size_t text_count,
		     struct pn_error *err)
{
	struct pn_text_pair *pairs = pn_calloc(text_count, sizeof(*pairs));
	size_t i;

	for (i = 0; i < text_count; i++) {
		const char *text = texts[i];
		const char *sep = strchr(text, '=');

		if (!sep || sep == text) {
			pn_setting_pairs_free(pairs, i);
			return pn_error_set(err, PN_EINVAL,
					    "bad label '%s', need key=value",
					    text);
		}
		pairs[i].key = pn_strndup(text, (size_t)(sep - text));
		pairs[i].value = sep + 1;
	}
	*out = pairs;
	*count = text_count;
	return 0;
}

void pn_setting_pairs_free(struct pn_text_pair *pairs, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		free((char *)pairs[i].key);
	free(pairs);
}
