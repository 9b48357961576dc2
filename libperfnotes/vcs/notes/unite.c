/* What is taken over from another snapshot of notes. */
#include "vcs/notes/unite.h"

#include "vcs/child.h"
#include "vcs/child_lock.h"
#include "vcs/git.h"
#include "vcs/identity.h"
#include "vcs/notes/snapshot.h"
#include "vcs/objects/stored.h"
#include "vcs/ref/ref.h"

#include <inttypes.h>
#include <string.h>

int pn_notes_adopt(bool *done, struct pn_notes *notes, struct pn_notes *theirs,
		   const struct pn_oid *commit, struct pn_error *err)
{
	struct pn_buf ours = {0}, blobs = {0};
	struct pn_oid blob;
	int code = 0;

	*done = false;
	if (pn_stage_find(&notes->staged_texts, commit))
		return 0;
	code = pn_fan_find(&ours, notes->texts, commit, err);
	if (!code && !ours.len)
		code = pn_fan_find(&blobs, theirs->texts, commit, err);
	if (!code && blobs.len == PN_OID_BYTES) {
		memcpy(blob.bytes, blobs.data, PN_OID_BYTES);
		pn_notes_stage_blob(notes, commit, &blob);
		*done = true;
	}
	pn_buf_release(&ours);
	pn_buf_release(&blobs);
	return code;
}

static int check_body(bool *there, struct pn_repo *repo,
		      const struct pn_oid *body, uint64_t max,
		      struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];
	git_object_t type;
	size_t size;

	*there = !pn_stored_header(&size, &type, repo, body);
	if (!*there) {
		*there = pn_repo_is_partial(repo);
		return 0;
	}
	pn_oid_hex(hex, body);
	if (type != GIT_OBJECT_BLOB)
		return pn_error_set(err, PN_EINVAL, "body '%s' is no blob",
				    hex);
	if (size > max)
		return pn_error_set(err, PN_ELIMIT,
				    "body '%s' has %zu bytes, at most %" PRIu64
				    " are taken",
				    hex, size, max);
	return 0;
}

int pn_notes_lacking_bodies(struct pn_buf *out, struct pn_notes *notes,
			    struct pn_notes *theirs, uint64_t max,
			    struct pn_error *err)
{
	struct pn_fan *ours, *others;
	struct pn_buf lacking = {0};
	struct pn_fan_item item;
	bool there;
	size_t at;
	int code = pn_notes_bodies(&ours, notes, err);

	if (!code)
		code = pn_notes_bodies(&others, theirs, err);
	if (!code)
		code = pn_fan_lacks(&lacking, ours, others, PN_FAN_LACK_NAME,
				    err);
	for (at = 0; !code && at < lacking.len; at += sizeof(item)) {
		memcpy(&item, lacking.data + at, sizeof(item));
		if (!pn_oid_equal(&item.key, &item.blob))
			continue;
		code = check_body(&there, notes->repo, &item.key, max, err);
		if (!code && there)
			pn_buf_add(out, item.key.bytes, PN_OID_BYTES);
	}
	pn_buf_release(&lacking);
	return code;
}

void pn_notes_stage_reachable(struct pn_notes *notes, const struct pn_oid *body)
{
	pn_notes_stage_anchor(notes, body);
	pn_stage_find(&notes->staged_bodies, body)->reachable = true;
}

void pn_notes_add_parent(struct pn_notes *notes, const struct pn_oid *parent,
			 bool before)
{
	struct pn_buf *list = before ? &notes->before : &notes->behind;

	pn_buf_add(list, parent->bytes, PN_OID_BYTES);
}

int pn_notes_forward(struct pn_notes *notes, const struct pn_oid *to,
		     const char *message, struct pn_error *err)
{
	struct pn_buf ident = {0};
	int64_t waited_us = 0;
	int code = pn_identity(&ident, notes->repo, true, err);

	if (!code)
		code = pn_ref_move(&waited_us, notes->repo, notes->ref,
				   &notes->tip, to, pn_buf_text(&ident),
				   message, err);
	pn_buf_release(&ident);
	if (code)
		return code;
	pn_stage_clear(&notes->staged_bodies);
	return pn_notes_reopen(notes, err);
}

int pn_notes_point(struct pn_repo *repo, const char *ref,
		   const struct pn_oid *to, const struct pn_oid *was,
		   struct pn_error *err)
{
	char hex[PN_OID_HEX + 1], old[PN_OID_HEX + 1] = "", said[1024] = "";
	const char *argv[7] = {"git", "update-ref", "--no-deref"};
	struct pn_child_lock deleting = {.fd = -1};
	bool deletes = pn_oid_is_zero(to);
	struct pn_buf out = {0};
	int status = 0, code = 0;
	size_t n = 3;

	pn_oid_hex(hex, to);
	if (deletes)
		argv[n++] = "-d";
	argv[n++] = ref;
	if (!deletes)
		argv[n++] = hex;
	if (was)
		pn_oid_hex(old, was);
	argv[n] = was ? old : NULL;
	if (deletes)
		code = pn_child_lock_begin(&deleting, repo, PN_CHILD_REFS, err);
	if (!code)
		code = pn_child_run(&out, said, &status, repo, argv, err);
	pn_child_lock_end(&deleting, status);
	pn_buf_release(&out);
	if (!code && status)
		code = pn_error_set(err, PN_EIO, "cannot move '%s': %s", ref,
				    pn_child_said(said));
	return code;
}
