/* `accept` lines: written, and taken out. */
#include "jobs/judge/accept.h"

#include "analysis/judge/accepted.h"
#include "jobs/rewritten/rewritten.h"
#include "storage/measured.h"
#include "storage/store.h"
#include "vcs/identity.h"

#include <stdbool.h>
#include <string.h>

/* The commit, or the end of the range and, in hex, where that begins. */
static int find_commit(struct pn_oid *out, char since[PN_OID_HEX + 1],
		       const struct pn_accept_request *request,
		       struct pn_error *err)
{
	const char *dots = strstr(request->rev, "..");
	struct pn_buf from = {0};
	struct pn_oid begin;
	int code;

	*since = '\0';
	if (!dots)
		return pn_repo_resolve(out, request->repo, request->rev, err);
	pn_buf_add(&from, request->rev, (size_t)(dots - request->rev));
	code = pn_repo_resolve(&begin, request->repo,
			       from.len ? pn_buf_text(&from) : "HEAD", err);
	if (!code)
		code = pn_repo_resolve(out, request->repo,
				       dots[2] ? dots + 2 : "HEAD", err);
	if (!code)
		pn_oid_hex(since, &begin);
	pn_buf_release(&from);
	return code;
}

static int check_text(const char *what, const char *text, struct pn_error *err)
{
	if (text && strlen(text) > PN_ACCEPT_TEXT_MAX)
		return pn_error_set(err, PN_EINVAL,
				    "the %s has %zu bytes, may have %d", what,
				    strlen(text), PN_ACCEPT_TEXT_MAX);
	return 0;
}

static int check_request(const struct pn_accept_request *request,
			 struct pn_error *err)
{
	int code = check_text("reason", request->reason, err);

	if (!code)
		code = check_text("series", request->series, err);
	if (!code)
		code = check_text("metric", request->metric, err);
	return code;
}

static int add_line(struct pn_record *record,
		    const struct pn_accept_request *request, const char *since,
		    struct pn_error *err)
{
	struct pn_buf by = {0};
	int code = pn_who(&by, request->repo, err);

	if (!code)
		code = check_text("name", pn_buf_text(&by), err);
	if (code) {
		pn_buf_release(&by);
		return code;
	}
	pn_record_add_field(record, "by", pn_buf_text(&by));
	pn_record_add_field(record, "reason", request->reason);
	if (request->series && *request->series)
		pn_record_add_field(record, "series", request->series);
	if (request->metric && *request->metric)
		pn_record_add_field(record, "metric", request->metric);
	if (*since)
		pn_record_add_field(record, "since", since);
	pn_buf_release(&by);
	return pn_store_append(request->repo, record, 1, err);
}

/* By what was measured before it was rewritten, as it is judged. */
static bool is_rewritten(struct pn_oid *from,
			 const struct pn_accept_request *request,
			 const struct pn_oid *commit)
{
	bool same_tree;

	return pn_rewritten_find_alone(from, &same_tree, request->repo,
				       request->notes, commit) &&
	       same_tree;
}

/* A range may end at a commit of a branch that its tip is judged for. */
static int check_measured(const struct pn_accept_request *request,
			  const struct pn_oid *commit, struct pn_error *err)
{
	struct pn_oid from;
	int code = pn_store_is_measured(request->notes, commit, err);

	if (code || is_rewritten(&from, request, commit))
		return code < 0 ? code : 0;
	return pn_error_set(err, PN_ENOTFOUND,
			    "nothing to accept: '%s' has no figures (a range "
			    "that ends there may be accepted before it has)",
			    request->rev);
}

int pn_accept_store(struct pn_oid *commit, char id[PN_ENTRY_ID_HEX + 1],
		    const struct pn_accept_request *request,
		    struct pn_error *err)
{
	struct pn_record record = {.kind = "accept"};
	struct pn_commit_facts facts;
	char since[PN_OID_HEX + 1];
	int code = check_request(request, err);

	if (!code)
		code = find_commit(&record.commit, since, request, err);
	if (!code && !*since)
		code = check_measured(request, &record.commit, err);
	if (!code)
		code = pn_repo_commit_facts(&facts, request->repo,
					    &record.commit, err);
	if (!code) {
		record.tree = facts.tree;
		code = add_line(&record, request, since, err);
	}
	if (!code) {
		*commit = record.commit;
		memcpy(id, record.id, sizeof(record.id));
	}
	pn_record_release(&record);
	return code;
}

static bool is_meant(const struct pn_accepted *accepted,
		     const struct pn_accept_request *request)
{
	return (!request->series ||
		!strcmp(accepted->series, request->series)) &&
	       (!request->metric || !strcmp(accepted->metric, request->metric));
}

/* Adds to *count. `tree` is that of the commit, which need not be here. */
static int remove_lines(size_t *count, const struct pn_oid *commit,
			const struct pn_oid *tree,
			const struct pn_accept_request *request,
			struct pn_arena *arena, struct pn_error *err)
{
	const struct pn_entry *lines;
	struct pn_accepted *list;
	const char **ids;
	size_t i, n = 0, line_count;
	int code = pn_store_lines(&lines, &line_count, arena, request->notes,
				  commit, err);

	if (code)
		return code;
	line_count = pn_accepted_list(&list, arena, lines, line_count, tree);
	ids = pn_arena_array(arena, line_count, sizeof(*ids));
	for (i = 0; i < line_count; i++)
		if (is_meant(&list[i], request))
			ids[n++] = list[i].entry->id;
	*count += n;
	return n ? pn_store_remove(request->repo, commit, ids, n, err) : 0;
}

/* What is accepted of a rewritten commit stands at the one that was measured,
 * as `check` has it. */
static int revoke(struct pn_oid *commit, size_t *count,
		  const struct pn_accept_request *request,
		  struct pn_arena *arena, struct pn_error *err)
{
	struct pn_commit_facts facts;
	struct pn_oid from;
	bool rewritten = is_rewritten(&from, request, commit);
	int code = pn_repo_commit_facts(&facts, request->repo, commit, err);

	if (!code)
		code = remove_lines(count, commit, &facts.tree, request, arena,
				    err);
	if (code || !rewritten)
		return code;
	if (!*count)
		*commit = from;
	return remove_lines(count, &from, &facts.tree, request, arena, err);
}

int pn_accept_revoke(struct pn_oid *commit, size_t *count,
		     const struct pn_accept_request *request,
		     struct pn_error *err)
{
	struct pn_arena arena = {0};
	char since[PN_OID_HEX + 1];
	int code = find_commit(commit, since, request, err);

	*count = 0;
	if (!code)
		code = revoke(commit, count, request, &arena, err);
	if (!code && !*count)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "nothing is accepted at '%s'%s",
				    request->rev,
				    request->series || request->metric
					    ? " of this series and metric"
					    : "");
	pn_arena_release(&arena);
	return code;
}
