/* Objects read: from a loose file or a pack, through libgit2, or by git. */
#include "vcs/objects/stored.h"

#include "vcs/child.h"
#include "vcs/git.h"
#include "vcs/objects/gone.h"
#include "vcs/objects/lent.h"
#include "vcs/objects/loose.h"
#include "vcs/objects/pack.h"
#include "vcs/objects/pack_check.h"
#include "vcs/objects/packed.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* So often the packs may change while one object is looked for. */
#define LOOKS_MAX 100

static void add_alternates(git_odb *odb)
{
	struct pn_buf given = {0};
	const char *at;

	pn_lent_given(&given);
	for (at = pn_buf_text(&given); *at; at += strlen(at) + 1)
		git_odb_add_disk_alternate(odb, at);
	pn_buf_release(&given);
}

git_odb *pn_stored_odb(struct pn_repo *repo)
{
	git_odb *odb = NULL;

	/* two sides of a diff are read by a thread each */
	pthread_mutex_lock(&repo->packed.lock);
	if (!repo->odb && !git_repository_odb(&odb, repo->git)) {
		add_alternates(odb);
		repo->odb = odb;
	}
	odb = repo->odb;
	pthread_mutex_unlock(&repo->packed.lock);
	return odb;
}

void pn_stored_refresh(struct pn_repo *repo)
{
	pn_packed_refresh(&repo->packed);
	pthread_mutex_lock(&repo->packed.lock);
	pn_pack_checks_free(repo->checks);
	repo->checks = NULL;
	pthread_mutex_unlock(&repo->packed.lock);
	if (repo->odb)
		git_odb_refresh(repo->odb);
}

static void list_packs(struct pn_pack_names *out, struct pn_repo *repo)
{
	struct pn_buf dir = {0};

	pn_buf_printf(&dir, "%s/objects/pack", repo->common_dir);
	pn_pack_names_read(out, pn_buf_text(&dir), "pack-");
	pn_buf_release(&dir);
}

/* `result` is what libgit2 said. */
static int look_again(size_t *size, git_object_t *type, struct pn_repo *repo,
		      const git_oid *id, int result)
{
	struct pn_pack_names before = {0}, after = {0};
	bool changed = true;
	int looks;

	list_packs(&before, repo);
	for (looks = 0; result && changed && looks < LOOKS_MAX; looks++) {
		/* libgit2 does so for what it does not find, not where it
		 * fails to open a file */
		if (result != GIT_ENOTFOUND)
			git_odb_refresh(pn_stored_odb(repo));
		result = git_odb_read_header(size, type, pn_stored_odb(repo),
					     id);
		list_packs(&after, repo);
		changed = !pn_pack_names_equal(&before, &after);
		pn_pack_names_release(&before);
		before = after;
		memset(&after, 0, sizeof(after));
	}
	pn_pack_names_release(&before);
	return result;
}

int pn_stored_header(size_t *size, git_object_t *type, struct pn_repo *repo,
		     const struct pn_oid *oid)
{
	git_oid id;
	int result;

	if (pn_pack_check_object(repo, oid, NULL))
		return GIT_ERROR;
	pn_git_to(&id, oid);
	result = git_odb_read_header(size, type, pn_stored_odb(repo), &id);
	return result ? look_again(size, type, repo, &id, result) : 0;
}

bool pn_stored_is(struct pn_repo *repo, const struct pn_oid *oid,
		  git_object_t type, uint64_t limit)
{
	git_object_t found;
	size_t size;

	return pn_packed_is(repo, oid, type, limit) ||
	       (!pn_stored_header(&size, &found, repo, oid) && found == type);
}

/* PN_EIO and git's own words when it cannot, either; PN_ENOTFOUND where whoever
 * promised it has it no more. */
static int read_by_git(struct pn_stored *out, struct pn_repo *repo,
		       const struct pn_oid *oid, const char *type,
		       uint64_t limit, struct pn_error *err)
{
	char hex[PN_OID_HEX + 1], said[1024] = "";
	const char *const argv[] = {"git", "cat-file", type, hex, NULL};
	struct pn_process_options options = pn_child_options(repo);
	struct pn_buf bytes = {0};
	int status, code;

	pn_oid_hex(hex, oid);
	code = pn_process_capture(&bytes, said, &status, argv, &options,
				  limit > SIZE_MAX ? SIZE_MAX : (size_t)limit,
				  err);
	if (!code && status && pn_gone_is(said))
		code = pn_error_set(err, PN_ENOTFOUND, "%s '%s' " PN_GONE, type,
				    hex);
	else if (!code && status)
		code = pn_error_set(err, PN_EIO, "%s", pn_child_said(said));
	if (code) {
		pn_buf_release(&bytes);
		return code;
	}
	out->own = bytes;
	out->bytes = (const unsigned char *)pn_buf_text(&out->own);
	out->len = out->own.len;
	return 0;
}

/* Whether one that is absent can be fetched: filters leave out blobs and trees,
 * never commits. */
static bool is_promised(struct pn_repo *repo, git_object_t type)
{
	return type != GIT_OBJECT_COMMIT && pn_repo_is_partial(repo);
}

/* Through libgit2; the header first, because of the limit. */
static int find_object(struct pn_stored *out, struct pn_repo *repo,
		       const struct pn_oid *oid, git_object_t type,
		       uint64_t limit, bool damaged, struct pn_error *err)
{
	const char *what = git_object_type2string(type);
	git_object_t have = GIT_OBJECT_INVALID;
	char hex[PN_OID_HEX + 1];
	size_t size = 0;
	git_odb *odb = pn_stored_odb(repo);
	git_oid id;
	int result;

	if (!odb)
		return pn_git_fail(err, PN_EIO,
				   "cannot open the objects of '%s'",
				   repo->git_dir);
	result = pn_pack_check_object(repo, oid, err);
	if (result)
		return result;
	pn_git_to(&id, oid);
	pn_oid_hex(hex, oid);
	result = git_odb_read_header(&size, &have, odb, &id);
	/* what can be fetched git looks for again itself */
	if (result && !(result == GIT_ENOTFOUND && is_promised(repo, type)))
		result = look_again(&size, &have, repo, &id, result);
	if (result == GIT_ENOTFOUND)
		return pn_error_set(err, PN_ENOTFOUND, "%s '%s' is missing",
				    what, hex);
	if (result < 0)
		return pn_git_fail(err, PN_EIO, "cannot read %s '%s'", what,
				   hex);
	if (have != type)
		return pn_error_set(err, PN_EINVAL, "'%s' is a %s, not a %s",
				    hex, git_object_type2string(have), what);
	if (size > limit)
		return pn_error_set(
			err, PN_ELIMIT,
			"%s '%s' has %zu bytes, more than the limit of %llu",
			what, hex, size, (unsigned long long)limit);
	/* a loose file that was cut: libgit2 1.5.1 never comes back from it;
	 * git says what is wrong, or finds the object elsewhere */
	if (damaged) {
		result = read_by_git(out, repo, oid, what, size, err);
		return result ? pn_error_context(err, "cannot read %s '%s'",
						 what, hex)
			      : 0;
	}
	if (git_odb_read(&out->found, odb, &id) < 0)
		return pn_git_fail(err, PN_EIO, "cannot read %s '%s'", what,
				   hex);
	out->bytes = git_odb_object_data(out->found);
	out->len = git_odb_object_size(out->found);
	return 0;
}

/* libgit2 has no lazy fetch (libgit2 issue 5564); `git cat-file` has. */
static int fault_in(struct pn_stored *out, struct pn_repo *repo,
		    const struct pn_oid *oid, const char *type, uint64_t limit,
		    struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];
	struct pn_error why;
	int code = read_by_git(out, repo, oid, type, limit, &why);

	pn_oid_hex(hex, oid);
	if (code == PN_EIO)
		return pn_error_set(err, PN_ENOTFOUND,
				    "%s '%s' is missing and could not be "
				    "fetched: %s",
				    type, hex, why.message);
	if (code && err)
		*err = why;
	return code;
}

int pn_stored_read(struct pn_stored *out, struct pn_repo *repo,
		   const struct pn_oid *oid, git_object_t type, uint64_t limit,
		   struct pn_error *err)
{
	struct pn_stored object = {0};
	int found = pn_loose_read(&object, repo, oid,
				  git_object_type2string(type), limit);
	int code = 0;

	/* a damaged file in the way is told of, as ever */
	if (!found && pn_packed_read(&object, repo, oid, type, limit))
		found = 1;
	if (found <= 0)
		code = find_object(&object, repo, oid, type, limit, found < 0,
				   err);
	if (code == PN_ENOTFOUND && is_promised(repo, type))
		code = fault_in(&object, repo, oid,
				git_object_type2string(type), limit, err);
	if (!code)
		*out = object;
	return code;
}

void pn_stored_release(struct pn_stored *object)
{
	if (!object)
		return;
	git_odb_object_free(object->found);
	pn_buf_release(&object->own);
	memset(object, 0, sizeof(*object));
}
