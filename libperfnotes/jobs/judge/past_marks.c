/* The marks of a commit's past. */
#include "jobs/judge/past_marks.h"

#include "analysis/judge/judge.h"
#include "base/alloc.h"
#include "vcs/reach.h"

#include <stdlib.h>
#include <string.h>

/* The measured commit that follows the begin of a range; that of the note
 * alone where there is none. */
static size_t since_of(const struct pn_gathered *g, const char *since,
		       size_t number)
{
	struct pn_oid oid;
	size_t i;

	if (strlen(since) != PN_OID_HEX || pn_oid_parse(&oid, since))
		return number;
	for (i = number; i < g->count; i++)
		if (pn_oid_equal(&g->commits[i].id, &oid))
			return i ? i - 1 : 0;
	return g->count;
}

static void find_marks(struct pn_past_marks *out)
{
	const struct pn_gathered *g = &out->gathered;
	struct pn_mark_accepted *accepted =
		pn_calloc(g->accepted_count + 1, sizeof(*accepted));
	size_t i;

	for (i = 0; i < g->accepted_count; i++) {
		accepted[i].accepted = &g->accepted[i].accepted;
		accepted[i].number =
			pn_gathered_number(g, g->accepted[i].distance);
		accepted[i].since = since_of(g, g->accepted[i].accepted.since,
					     accepted[i].number);
	}
	pn_marks_of(&out->marks, &g->courses, accepted, g->accepted_count);
	free(accepted);
}

int pn_past_marks_read(struct pn_past_marks *out, struct pn_repo *repo,
		       struct pn_notes *notes, const struct pn_oid *commit,
		       const struct pn_log_filter *filter, struct pn_error *err)
{
	struct pn_gather_request request = {.repo = repo,
					    .notes = notes,
					    .target = *commit,
					    .gates = &out->gates,
					    .commits = PN_JUDGE_COMMITS};
	int code = pn_gates_read(&out->gates, repo, err);

	if (filter)
		request.filter = *filter;
	if (!code)
		code = pn_gather(&out->gathered, &request, err);
	if (code)
		return code;
	pn_gates_apply(&out->gates, &out->gathered.courses);
	find_marks(out);
	return 0;
}

void pn_past_marks_release(struct pn_past_marks *past)
{
	pn_marks_release(&past->marks);
	pn_gathered_release(&past->gathered);
	pn_gates_release(&past->gates);
}

int pn_past_marks_worse(size_t *count, char **tag, struct pn_repo *repo,
			struct pn_notes *notes, const struct pn_oid *commit,
			struct pn_error *err)
{
	struct pn_past_marks past = {{{0}}};
	size_t distance = 0, behind = SIZE_MAX;
	int code = pn_past_marks_read(&past, repo, notes, commit, NULL, err);

	*tag = NULL;
	*count = code ? 0 : pn_marks_worse(&past.marks, behind);
	if (*count) {
		code = pn_reach_tag(tag, &distance, repo, commit, err);
		if (!code && *tag)
			behind = pn_gathered_number(&past.gathered, distance);
		*count = pn_marks_worse(&past.marks, behind);
	}
	pn_past_marks_release(&past);
	return code;
}
