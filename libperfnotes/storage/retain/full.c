/* Whether a clone has enough to tell what nobody needs any more. */
#include "storage/retain/full.h"

#include "vcs/notes/stage.h"

/* Whether some body below objects/ is not here. */
static int lacks_bodies(bool *out, struct pn_repo *repo, struct pn_notes *notes,
			struct pn_error *err)
{
	struct pn_notes_iter *iter = NULL;
	struct pn_oid name, blob;
	int code = pn_notes_bodies_open(&iter, notes, err);

	*out = false;
	while (!code && !*out &&
	       (code = pn_notes_iter_next(&name, &blob, iter, err)) > 0) {
		code = 0;
		*out = !pn_repo_has_object(repo, &blob);
	}
	pn_notes_iter_free(iter);
	return code;
}

int pn_retain_check_full(struct pn_repo *repo, struct pn_notes *notes,
			 struct pn_error *err)
{
	bool lacks = false;
	int code = 0;

	if (pn_repo_is_shallow(repo))
		return pn_error_set(err, PN_EREFUSED,
				    "this clone is shallow and cannot tell "
				    "what is needed: 'git fetch --unshallow', "
				    "or do it in a full clone");
	if (pn_repo_is_partial(repo))
		code = lacks_bodies(&lacks, repo, notes, err);
	if (!code && lacks)
		code = pn_error_set(err, PN_EREFUSED,
				    "this clone is partial and lacks bodies: "
				    "'git perf pull --all' gets them, or do it "
				    "in a full clone");
	return code;
}
