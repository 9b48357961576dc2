/* Taking profiles out. */
#include "jobs/profiles/remove.h"

#include "base/alloc.h"
#include "storage/store.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A name may be given twice, and ranges overlap. */
static bool seen(const struct pn_found_list *found, size_t i)
{
	const struct pn_found *a = &found->items[i];
	size_t k;

	for (k = 0; k < i; k++) {
		const struct pn_found *b = &found->items[k];

		if (!a->entry == !b->entry &&
		    !strcmp(a->entry ? a->entry->id : a->path,
			    b->entry ? b->entry->id : b->path))
			return true;
	}
	return false;
}

static int check_kinds(const struct pn_found_list *found, struct pn_error *err)
{
	const struct pn_oid *commit = NULL;
	size_t i;

	for (i = 0; i < found->count; i++) {
		const struct pn_found *f = &found->items[i];

		if (f->kind == PN_FOUND_FILE)
			return pn_error_set(err, PN_EREFUSED,
					    "'%s' is a file of yours, neither "
					    "stored nor pending: use rm",
					    f->path);
		if (f->kind == PN_FOUND_SERIES && f->records->count > 1)
			return pn_error_set(err, PN_EREFUSED,
					    "'%s' is %zu profiles: remove "
					    "them by their ids, %s is one",
					    f->name, f->records->count,
					    f->entry->id);
		if (!f->entry)
			continue;
		if (!commit)
			commit = &f->commit;
		if (!pn_oid_equal(&f->commit, commit))
			return pn_error_set(err, PN_EREFUSED,
					    "profiles of two commits: remove "
					    "them one commit at a time");
	}
	return 0;
}

/* The list first: it is one step, done or not done. */
static int remove_all(size_t *stored, size_t *pending, struct pn_repo *repo,
		      const struct pn_found_list *found, struct pn_error *err)
{
	const char **ids = pn_calloc(found->count, sizeof(*ids));
	const struct pn_oid *commit = NULL;
	size_t i;
	int code = 0;

	for (i = 0; i < found->count; i++)
		if (found->items[i].entry && !seen(found, i)) {
			ids[(*stored)++] = found->items[i].entry->id;
			commit = &found->items[i].commit;
		}
	if (commit)
		code = pn_store_remove(repo, commit, ids, *stored, err);
	for (i = 0; !code && i < found->count; i++) {
		if (found->items[i].kind != PN_FOUND_PENDING || seen(found, i))
			continue;
		if (unlink(found->items[i].path))
			code = pn_error_system(err, "cannot remove '%s'",
					       found->items[i].path);
		else
			(*pending)++;
	}
	free(ids);
	return code;
}

int pn_remove_found(size_t *stored, size_t *pending, struct pn_repo *repo,
		    const struct pn_found_list *found, struct pn_error *err)
{
	int code = check_kinds(found, err);

	*stored = *pending = 0;
	return code ? code : remove_all(stored, pending, repo, found, err);
}
