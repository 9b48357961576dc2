/*
 * Print the figures of each commit, newest commit first: median and number of
 * values of each metric. Arguments are those of git log.
 *
 *	history [v1.0..main] [-- PATH...]
 */
#include <perfnotes/perfnotes.h>

#include <inttypes.h>

static int print_commit(struct pn_repo *repo, struct pn_notes *notes,
			const struct pn_commit *commit, struct pn_error *err)
{
	const struct pn_figure *figures;
	const struct pn_entry *entries;
	struct pn_arena arena = {0};
	char hex[PN_OID_HEX + 1];
	size_t i, count;
	int code;

	/* everything that is found lives in the arena */
	code = pn_store_figures(&entries, &count, &arena, repo, notes,
				&commit->id, err);
	if (!code) {
		pn_figures_of(&figures, &count, &arena, entries, count);
		pn_oid_hex(hex, &commit->id);
		printf("%.10s %s\n", hex, commit->subject);
		for (i = 0; i < count; i++)
			printf("    %s %s: %g %s (n %" PRIu64 ")%s\n",
			       figures[i].series.cmd, figures[i].metric,
			       figures[i].median, figures[i].unit, figures[i].n,
			       figures[i].dirty ? ", dirty tree" : "");
	}
	pn_arena_release(&arena);
	return code;
}

static int walk(struct pn_repo *repo, const char *const *args,
		struct pn_error *err)
{
	struct pn_history *history = NULL;
	struct pn_notes *notes = NULL;
	struct pn_commit commit;
	int code;

	code = pn_notes_open(&notes, repo, PN_NOTES_REF, err);
	if (!code)
		code = pn_history_open(&history, repo, args, err);
	while (!code && (code = pn_history_next(&commit, history, err)) > 0)
		code = print_commit(repo, notes, &commit, err);
	pn_history_free(history);
	pn_notes_free(notes);
	return code;
}

int main(int argc, char **argv)
{
	struct pn_repo *repo = NULL;
	struct pn_error err;
	int code;

	(void)argc;
	code = pn_repo_open(&repo, NULL, &err);
	if (!code)
		code = walk(repo, (const char *const *)argv + 1, &err);
	if (code)
		fprintf(stderr, "history: %s\n", err.message);
	pn_repo_free(repo);
	return code ? 1 : 0;
}
