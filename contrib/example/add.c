/*
 * Store a profile with a commit, as `git perf add` does. The format is one of
 * those that `git perf formats` lists.
 *
 *	add FORMAT FILE [COMMIT]
 */
#include <perfnotes/perfnotes.h>

static int store(struct pn_repo *repo, struct pn_record *record,
		 const char *rev, struct pn_error *err)
{
	struct pn_commit_facts facts;
	int code;

	code = pn_repo_resolve(&record->commit, repo, rev, err);
	if (!code)
		code = pn_repo_commit_facts(&facts, repo, &record->commit, err);
	if (code)
		return code;
	record->tree = facts.tree;
	/* all or nothing; waits for others that write at the same time */
	return pn_store_append(repo, record, 1, err);
}

int main(int argc, char **argv)
{
	static const struct pn_text_pair label = {"tool", "example"};
	struct pn_record_options options = {.labels = &label, .label_count = 1};
	struct pn_record record = {0};
	struct pn_repo *repo = NULL;
	struct pn_oid origin; /* commit that the profile says it is of */
	struct pn_error err;
	int code;

	if (argc != 3 && argc != 4) {
		fprintf(stderr, "usage: add FORMAT FILE [COMMIT]\n");
		return 129;
	}
	code = pn_repo_open(&repo, NULL, &err);
	if (!code && !(options.codec = pn_codec_find(argv[1], &err)))
		code = err.code;
	if (!code)
		code = pn_record_read(&record, &origin, argv[2], &options,
				      &err);
	if (!code)
		code = store(repo, &record, argc == 4 ? argv[3] : "HEAD", &err);
	if (code)
		fprintf(stderr, "add: %s\n", err.message);
	else
		printf("%s\n", record.id);
	pn_record_release(&record);
	pn_repo_free(repo);
	return code ? 1 : 0;
}
