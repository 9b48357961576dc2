/* git fetch of pn_transport_fetch: patterns, what is pruned, a pack. */
#include "near.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SPECS_MAX 8
#define REFS_MAX 512

struct refspec {
	const char *from;
	size_t from_len; /* before the '*' */
	const char *to;
	size_t to_len;
};

struct plan {
	struct refspec specs[SPECS_MAX];
	size_t spec_count;
	const char *never[SPECS_MAX]; /* "^...*" */
	size_t never_count;
	git_oid wants[REFS_MAX];
	char *names[REFS_MAX]; /* here */
	size_t count;
};

int near_origin(git_repository **out, git_repository *repo)
{
	git_config *config = NULL;
	git_buf url = {0};
	int code = git_repository_config_snapshot(&config, repo);

	if (!code)
		code = git_config_get_string_buf(&url, config,
						 "remote.origin.url");
	if (!code)
		code = *url.ptr == '/' ? git_repository_open(out, url.ptr) : -1;
	git_buf_dispose(&url);
	git_config_free(config);
	return code;
}

static int read_words(struct plan *plan, const char *const *argv)
{
	static const char *const known[] = {"git",
					    "-c",
					    "fetch.fsckObjects=",
					    "transfer.fsckObjects=",
					    "core.bigFileThreshold=",
					    "fetch.unpackLimit=1",
					    "fetch",
					    "--quiet",
					    "--no-write-fetch-head",
					    "--no-tags",
					    "--no-recurse-submodules",
					    "--no-auto-maintenance",
					    "--refmap=",
					    "--no-progress",
					    "--prune",
					    NULL};
	const char *colon;

	if (!near_knows(argv, known))
		return -1;
	while (strcmp(*argv, "--") != 0)
		argv++;
	if (!argv[1] || strcmp(argv[1], "origin") != 0)
		return -1;
	for (argv += 2; *argv; argv++) {
		struct refspec *spec = &plan->specs[plan->spec_count];

		if (plan->spec_count == SPECS_MAX ||
		    plan->never_count == SPECS_MAX)
			return -1;
		if (**argv == '^') {
			plan->never[plan->never_count++] = *argv + 1;
			continue;
		}
		colon = strchr(*argv, ':');
		if (**argv != '+' || !colon || colon[-1] != '*' ||
		    colon[strlen(colon) - 1] != '*')
			return -1;
		spec->from = *argv + 1;
		spec->from_len = (size_t)(colon - 1 - spec->from);
		spec->to = colon + 1;
		spec->to_len = strlen(spec->to) - 1;
		plan->spec_count++;
	}
	return plan->spec_count ? 0 : -1;
}

static bool is_never(const struct plan *plan, const char *name)
{
	size_t i;

	for (i = 0; i < plan->never_count; i++)
		if (!strncmp(plan->never[i], name, strlen(plan->never[i]) - 1))
			return true;
	return false;
}

/* "<to><what is behind from>" */
static char *across(const struct refspec *spec, bool back, const char *name)
{
	const char *from = back ? spec->to : spec->from;
	const char *to = back ? spec->from : spec->to;
	size_t from_len = back ? spec->to_len : spec->from_len;
	size_t to_len = back ? spec->from_len : spec->to_len;
	struct pn_buf text = {0};
	char *copy;

	if (strncmp(name, from, from_len) != 0)
		return NULL;
	pn_buf_printf(&text, "%.*s%s", (int)to_len, to, name + from_len);
	copy = strdup(pn_buf_text(&text));
	pn_buf_release(&text);
	return copy;
}

static int list(struct plan *plan, git_repository *here, git_repository *there)
{
	git_reference_iterator *iter = NULL;
	git_reference *ref;
	const char *name;
	git_oid now;
	char *mine;
	size_t i;
	int code = git_reference_iterator_new(&iter, there);

	while (!code && !(code = git_reference_next(&ref, iter))) {
		name = git_reference_name(ref);
		for (i = 0; i < plan->spec_count; i++) {
			mine = is_never(plan, name)
				       ? NULL
				       : across(&plan->specs[i], false, name);
			if (!mine || !git_reference_target(ref) ||
			    plan->count == REFS_MAX ||
			    (!git_reference_name_to_id(&now, here, mine) &&
			     git_oid_equal(&now, git_reference_target(ref)))) {
				free(mine);
				continue;
			}
			git_oid_cpy(&plan->wants[plan->count],
				    git_reference_target(ref));
			plan->names[plan->count++] = mine;
		}
		git_reference_free(ref);
	}
	git_reference_iterator_free(iter);
	return code == GIT_ITEROVER ? 0 : code;
}

static int prune(const struct plan *plan, git_repository *here,
		 git_repository *there)
{
	git_reference_iterator *iter = NULL;
	struct pn_buf gone = {0};
	git_oid id;
	char *theirs;
	const char *at, *end, *name;
	size_t i;
	int code = git_reference_iterator_new(&iter, here);

	while (!code && !(code = git_reference_next_name(&name, iter)))
		for (i = 0; i < plan->spec_count; i++) {
			theirs = across(&plan->specs[i], true, name);
			if (theirs &&
			    git_reference_name_to_id(&id, there, theirs) ==
				    GIT_ENOTFOUND)
				pn_buf_add(&gone, name, strlen(name) + 1);
			free(theirs);
		}
	git_reference_iterator_free(iter);
	code = code == GIT_ITEROVER ? 0 : code;
	at = pn_buf_text(&gone);
	for (end = at + gone.len; !code && at < end; at += strlen(at) + 1) {
		struct move move = {.ref = at};

		code = near_move(here, &move, 1, NULL);
	}
	pn_buf_release(&gone);
	return code;
}

int near_fetch(git_repository *repo, const char *const *argv)
{
	struct plan *plan = calloc(1, sizeof(*plan));
	git_repository *there = NULL;
	char *keep = NULL;
	size_t i;
	int code = plan ? read_words(plan, argv) : -1;

	if (!code)
		code = near_origin(&there, repo);
	if (!code)
		code = prune(plan, repo, there);
	if (!code)
		code = list(plan, repo, there);
	if (!code && plan->count)
		code = near_copy(&keep, repo, there, plan->wants, plan->count);
	for (i = 0; plan && i < plan->count; i++) {
		struct move move = {.ref = plan->names[i],
				    .to = plan->wants[i]};

		if (!code)
			code = near_move(repo, &move, 1, NULL);
		free(plan->names[i]);
	}
	if (keep)
		unlink(keep);
	free(keep);
	git_repository_free(there);
	free(plan);
	return code ? LEFT_TO_GIT : 0;
}
