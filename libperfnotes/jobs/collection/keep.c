/* Results as records. */
#include "jobs/collection/keep.h"

#include "base/file.h"
#include "storage/pending.h"

#include <stdlib.h>

int pn_keep_init(struct pn_keep *keep, struct pn_error *err)
{
	struct pn_commit_facts facts;
	int code;

	keep->head.unborn = true;
	if (!keep->repo)
		return 0;
	code = pn_repo_head(&keep->head, keep->repo, err);

	if (code || keep->head.unborn)
		return code;
	code = pn_repo_commit_facts(&facts, keep->repo, &keep->head.commit,
				    err);
	if (!code)
		keep->tree = facts.tree;
	if (!code && pn_repo_work_dir(keep->repo))
		code = pn_repo_is_dirty(&keep->dirty, keep->repo, err);
	return code;
}

/* What only the repository and the user know of a profile. */
static void add_own(struct pn_profile *profile, const struct pn_keep *keep)
{
	size_t i;

	profile->header.dirty = keep->dirty;
	for (i = 0; i < keep->label_count; i++)
		pn_profile_set_label(profile, keep->labels[i].key,
				     keep->labels[i].value);
}

static int make_record(struct pn_record *out, const struct pn_keep *keep,
		       struct pn_profile *profile, struct pn_error *err)
{
	struct pn_record_options options = {.name = keep->name,
					    .max_bytes = keep->max_bytes};
	int64_t time_ns = profile->time_ns;
	int code;

	code = pn_record_from_profile(out, profile, &options, err);
	if (code)
		return code;
	out->commit = keep->head.commit;
	out->tree = keep->tree;
	out->time_ns = time_ns;
	return 0;
}

int pn_keep_take(struct pn_record *out, const struct pn_keep *keep,
		 struct pn_measure *measure, size_t job, struct pn_error *err)
{
	struct pn_profile profile;
	int code;

	pn_profile_init(&profile);
	code = pn_measure_result(&profile, measure, job, err);
	add_own(&profile, keep);
	if (!code)
		code = make_record(out, keep, &profile, err);
	pn_profile_release(&profile);
	return code;
}

int pn_keep_snapshot(struct pn_buf *said, const struct pn_keep *keep,
		     struct pn_profile *snapshot, struct pn_error *err)
{
	struct pn_record record = {0};
	char *path = NULL;
	int code;

	if (!keep->repo || !snapshot->sample_count) {
		pn_buf_printf(said, "no snapshot: %s\n",
			      keep->repo ? "no sample was taken yet"
					 : "there is no repository to keep it "
					   "in");
		return 0;
	}
	add_own(snapshot, keep);
	pn_profile_set_label(snapshot, "snapshot", "true");
	code = make_record(&record, keep, snapshot, err);
	if (!code)
		code = pn_pending_save(&path, keep->repo, &record, err);
	if (!code)
		pn_buf_printf(said, "snapshot: %s\n", pn_file_basename(path));
	free(path);
	pn_record_release(&record);
	return code;
}

int pn_keep_pending(char **paths, const struct pn_keep *keep,
		    struct pn_record *records, size_t count,
		    struct pn_error *err)
{
	size_t i;
	int code = 0;

	for (i = 0; !code && i < count; i++)
		code = pn_pending_save(&paths[i], keep->repo, &records[i], err);
	return code;
}
