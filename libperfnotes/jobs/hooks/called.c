/* What a hook wants. */
#include "jobs/hooks/called.h"

#include "jobs/settings.h"
#include "storage/exchange/exchange.h"
#include "vcs/lock.h"
#include "vcs/notes/notes.h"

#include <string.h>

enum pn_hook_wish pn_hook_called(const char *const *words, size_t count)
{
	static const char *const known[] = {"post-commit", "post-merge",
					    "post-rewrite", "pre-push", NULL};
	size_t i = 0;

	while (count && known[i] && strcmp(known[i], words[0]) != 0)
		i++;
	if (!count || !known[i])
		return PN_HOOK_WISH_UNKNOWN;
	if (pn_setting_is_on("GIT_PERF_RUNNING") || pn_setting_is_on("CI"))
		return PN_HOOK_WISH_NOTHING;
	if (!strcmp(words[0], "pre-push"))
		return count > 1 ? PN_HOOK_WISH_PUSH : PN_HOOK_WISH_NOTHING;
	/* "post-merge 1": a squash, which makes no commit */
	if (!strcmp(words[0], "post-merge") && count > 1 &&
	    !strcmp(words[1], "1"))
		return PN_HOOK_WISH_NOTHING;
	return PN_HOOK_WISH_QUEUE;
}

/* Whether git itself is about to send the notes: they would meet. */
static bool sends_notes(FILE *from)
{
	char line[4096];
	bool sends = false;

	while (fgets(line, sizeof(line), from))
		sends |= strstr(line, " " PN_NOTES_REF " ") != NULL;
	return sends;
}

int pn_hook_push(struct pn_error *unsure, const char *remote, FILE *from,
		 struct pn_error *err)
{
	static const struct pn_patience little = {.most = .4};
	struct pn_exchange x = {.remote = remote};
	struct pn_pushed pushed = {0};
	struct pn_oid tip;
	int code;

	if (sends_notes(from) || pn_repo_open(&x.repo, NULL, err))
		return 0;
	pn_lock_set_patience(x.repo, &little);
	code = pn_repo_ref(&tip, x.repo, PN_NOTES_REF, err);
	if (!code && !pn_oid_is_zero(&tip) && !pn_exchange_open(&x, NULL))
		code = pn_exchange_push(&pushed, &x, err);
	if (!code)
		*unsure = pushed.united.why;
	pn_exchange_release(&x);
	pn_repo_free(x.repo);
	return code;
}
