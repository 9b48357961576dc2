/* Notes in scratch repositories, for the tests of the notes tree. */
#ifndef TESTS_UNIT_NOTES_SCRATCH_H
#define TESTS_UNIT_NOTES_SCRATCH_H

#include "scratch.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "vcs/notes/stage.h"

UNUSED_IN_SOME static struct pn_repo *open_repo(struct scratch *s)
{
	struct pn_repo *repo;
	struct pn_error err;

	if (pn_repo_open(&repo, s->dir, &err))
		fail_msg("%s", err.message);
	return repo;
}

UNUSED_IN_SOME static struct pn_notes *open_notes(struct pn_repo *repo)
{
	struct pn_notes *notes;
	struct pn_error err;

	if (pn_notes_open(&notes, repo, PN_NOTES_REF, &err))
		fail_msg("%s", err.message);
	return notes;
}

UNUSED_IN_SOME static void commit(struct pn_notes *notes)
{
	struct pn_error err;

	if (pn_notes_commit(notes, "perf: test", &err))
		fail_msg("%s", err.message);
}

UNUSED_IN_SOME static void close_both(struct pn_notes *notes,
				      struct pn_repo *repo)
{
	pn_notes_free(notes);
	pn_repo_free(repo);
}

/* The n-th of a fixed series of ids, spread as hashes are. */
UNUSED_IN_SOME static struct pn_oid nth(unsigned int n)
{
	struct pn_oid oid;

	pn_hash_git_object(&oid, "test", &n, sizeof(n));
	return oid;
}

UNUSED_IN_SOME static struct pn_oid parse(const char *hex)
{
	struct pn_oid oid;

	assert_int_equal(pn_oid_parse(&oid, hex), 0);
	return oid;
}

UNUSED_IN_SOME static void reads(struct pn_notes *notes,
				 const struct pn_oid *id, const char *want)
{
	struct pn_buf text = {0};
	struct pn_error err;

	if (pn_notes_read(&text, notes, id, &err))
		fail_msg("%s", err.message);
	assert_string_equal(pn_buf_text(&text), want);
	pn_buf_release(&text);
}

/* "<blob> <object>" lines as `git notes list` has them, in order of object. */
UNUSED_IN_SOME static char *list(struct pn_notes *notes)
{
	char commit_hex[PN_OID_HEX + 1], blob_hex[PN_OID_HEX + 1];
	struct pn_notes_iter *iter;
	struct pn_oid id, blob;
	struct pn_buf text = {0};
	struct pn_error err;
	int more;

	assert_int_equal(pn_notes_iter_open(&iter, notes, &err), 0);
	while ((more = pn_notes_iter_next(&id, &blob, iter, &err)) > 0) {
		pn_oid_hex(commit_hex, &id);
		pn_oid_hex(blob_hex, &blob);
		pn_buf_printf(&text, "%s %s\n", blob_hex, commit_hex);
	}
	if (more < 0)
		fail_msg("%s", err.message);
	pn_notes_iter_free(iter);
	pn_buf_add(&text, "", 0);
	return pn_buf_detach(&text);
}

/* Notes on the first `count` ids, made by fast-import with `depth` slashes in
 * each path. */
UNUSED_IN_SOME static void import(struct scratch *s, unsigned int count,
				  unsigned int depth)
{
	struct pn_buf text = {0}, path = {0};
	struct pn_error err;
	char hex[PN_OID_HEX + 1];
	unsigned int i, d;

	pn_buf_add_text(&text, "commit refs/notes/perf\n"
			       "committer A <a@b> 1 +0000\ndata 0\n"
			       "deleteall\n");
	for (i = 0; i < count; i++) {
		struct pn_oid id = nth(i);

		pn_oid_hex(hex, &id);
		pn_buf_add_text(&text, "M 100644 inline ");
		for (d = 0; d < depth; d++)
			pn_buf_printf(&text, "%.2s/", hex + 2 * d);
		pn_buf_printf(&text, "%s\ndata <<E\nnote %u\nE\n\n",
			      hex + 2 * depth, i);
	}
	pn_buf_printf(&path, "%s/stream", s->dir);
	assert_int_equal(pn_file_write(pn_buf_text(&path), text.data, text.len,
				       false, &err),
			 0);
	scratch_run(s, "git fast-import --quiet --force <stream");
	pn_buf_release(&text);
	pn_buf_release(&path);
}

#define with_repo(f)                                                           \
	cmocka_unit_test_setup_teardown(f, scratch_repo, scratch_close)

#endif
