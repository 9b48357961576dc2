/* One commit of a history by itself. */
#include "jobs/profiles/commit_figures.h"

#include "base/text/regex.h"
#include "storage/store.h"
#include "vcs/walk/history.h"

#include <string.h>

static int read_commit(struct pn_log_row *out, struct pn_arena *arena,
		       struct pn_repo *repo, const struct pn_oid *commit,
		       struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];
	const char *args[] = {"-n1", hex, "--", NULL};
	struct pn_history *history = NULL;
	struct pn_commit c = {.subject = ""};
	int code;

	pn_oid_hex(hex, commit);
	code = pn_history_open(&history, repo, args, err);
	if (!code)
		code = pn_history_next(&c, history, err);
	if (code > 0) {
		*out = (struct pn_log_row){
			.commit = c.id,
			.tree = c.tree,
			.author_time_s = c.author_time_s,
			.subject = pn_arena_copy(arena, c.subject,
						 strlen(c.subject))};
		code = 0;
	} else if (!code) {
		code = pn_error_set(err, PN_ENOTFOUND, "no such commit '%s'",
				    hex);
	}
	pn_history_free(history);
	return code;
}

int pn_commit_figures(struct pn_log_row *out, struct pn_arena *arena,
		      struct pn_repo *repo, struct pn_notes *notes,
		      const struct pn_oid *commit, const struct pn_oid *records,
		      const char *metric, struct pn_error *err)
{
	const struct pn_log_filter all = {0};
	struct pn_regex *pattern = NULL;
	struct pn_noted noted = {0};
	struct pn_log_row row;
	int code = read_commit(&row, arena, repo, commit, err);

	if (!code && metric)
		code = pn_regex_new(&pattern, metric, err);
	if (!code)
		code = pn_store_line_figures(&noted.lines, &noted.line_count,
					     arena, repo, notes, records, err);
	if (!code) {
		pn_noted_figures(&noted, arena, &row.tree);
		pn_log_row_fill(&row, arena, &noted, &all);
		if (pattern)
			pn_log_row_keep(&row, arena, pattern);
		*out = row;
	}
	pn_regex_free(pattern);
	return code;
}
