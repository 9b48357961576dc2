/* The marks of a commit's past. */
#include "jobs/judge/past_marks.h"

#include "analysis/judge/judge.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/version.h"
#include "vcs/notes/cached.h"
#include "vcs/walk/reach.h"

#include <stdint.h>
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

static void find_marks(struct pn_past_marks *out, bool every)
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
	pn_marks_of(&out->marks, &g->courses, accepted, g->accepted_count,
		    every);
	free(accepted);
}

int pn_past_marks_read(struct pn_past_marks *out, struct pn_repo *repo,
		       struct pn_notes *notes, const struct pn_oid *commit,
		       const struct pn_log_filter *filter, bool every,
		       struct pn_error *err)
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
	find_marks(out, every);
	return 0;
}

void pn_past_marks_release(struct pn_past_marks *past)
{
	pn_marks_release(&past->marks);
	pn_gathered_release(&past->gathered);
	pn_gates_release(&past->gates);
}

/*
 * What is remembered of a judgement: for each jump for the worse that nobody
 * has accepted, how far behind the commit a tag has to be for it to be told, a
 * u32. NONE: there is no measured commit before it.
 */
#define NONE UINT32_MAX
/* Another one where the same notes are judged in another way. */
#define RULES "4"

/* All that a judgement is made of. False where that is not known. */
static bool key_of(struct pn_oid *out, struct pn_repo *repo,
		   const struct pn_notes *notes, const struct pn_oid *commit)
{
	struct pn_buf bytes = {0};
	char *usual = NULL;
	bool known = !pn_repo_is_shallow(repo) &&
		     !pn_repo_config(&usual, repo, PN_GATES_EFFECT, NULL);

	pn_buf_printf(&bytes, "%s " RULES " %s\n", pn_version(),
		      usual ? usual : "");
	free(usual);
	pn_buf_add(&bytes, commit->bytes, PN_OID_BYTES);
	pn_buf_add(&bytes, pn_notes_tip(notes)->bytes, PN_OID_BYTES);
	known = known && !pn_gates_bytes(&bytes, repo, NULL);
	pn_hash_git_object(out, "marks", bytes.data, bytes.len);
	pn_buf_release(&bytes);
	return known;
}

static void list_worse(struct pn_buf *out, const struct pn_past_marks *past)
{
	const struct pn_gathered *g = &past->gathered;
	uint32_t distance;
	size_t i, next;

	for (i = 0; i < past->marks.count; i++) {
		if (!pn_mark_is_worse(&past->marks.items[i]))
			continue;
		next = past->marks.items[i].commit + 1;
		distance = next < g->count ? (uint32_t)g->commits[next].distance
					   : NONE;
		pn_buf_add(out, &distance, sizeof(distance));
	}
}

static size_t count_worse(const struct pn_buf *list, size_t behind)
{
	uint32_t distance;
	size_t at, n = 0;

	for (at = 0; at + sizeof(distance) <= list->len;
	     at += sizeof(distance)) {
		memcpy(&distance, list->data + at, sizeof(distance));
		n += behind == SIZE_MAX ||
		     (distance != NONE && distance <= behind);
	}
	return n;
}

/* From the cache, where the same was judged before. */
static int judge_worse(struct pn_buf *out, struct pn_repo *repo,
		       struct pn_notes *notes, const struct pn_oid *commit,
		       struct pn_error *err)
{
	struct pn_past_marks past = {{{0}}};
	struct pn_oid key;
	const void *had = NULL;
	size_t len = 0;
	bool known;
	int code;

	known = key_of(&key, repo, notes, commit);
	if (known)
		had = pn_notes_made(&len, notes, &key);
	/* behind the marks stands one more, so that none is a value, too */
	if (had && len && len % sizeof(uint32_t) == 0) {
		pn_buf_add(out, had, len - sizeof(uint32_t));
		return 0;
	}
	code = pn_past_marks_read(&past, repo, notes, commit, NULL, false, err);
	if (!code) {
		list_worse(out, &past);
		len = out->len;
		pn_buf_add(out, "end", sizeof(uint32_t));
		if (known)
			pn_notes_keep_made(notes, &key, out->data, out->len);
		out->len = len;
	}
	pn_past_marks_release(&past);
	return code;
}

int pn_past_marks_worse(size_t *count, char **tag, struct pn_repo *repo,
			struct pn_notes *notes, const struct pn_oid *commit,
			struct pn_error *err)
{
	struct pn_buf worse = {0};
	size_t distance = 0;
	int code = judge_worse(&worse, repo, notes, commit, err);

	*tag = NULL;
	*count = code ? 0 : count_worse(&worse, SIZE_MAX);
	if (*count) {
		code = pn_reach_tag(tag, &distance, repo, commit, err);
		*count = count_worse(&worse,
				     !code && *tag ? distance : SIZE_MAX);
	}
	pn_buf_release(&worse);
	return code;
}
