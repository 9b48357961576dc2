/* Files as a commit has them. */
#include "vcs/files/files.h"

#include "base/alloc.h"
#include "vcs/child.h"
#include "vcs/git.h"
#include "vcs/objects/pack_check.h"
#include "vcs/replaced.h"

#include <stdlib.h>
#include <string.h>

struct pn_files {
	struct pn_repo *repo;
	git_tree *tree;
};

int pn_files_open(struct pn_files **out, struct pn_repo *repo,
		  const struct pn_oid *commit, struct pn_error *err)
{
	struct pn_files *files;
	git_commit *found = NULL;
	git_tree *tree = NULL;
	git_oid oid;
	char hex[PN_OID_HEX + 1];
	struct pn_oid read;
	int code = pn_pack_check_offsets(repo, err);

	if (code)
		return code;
	pn_replaced(&read, repo, commit);
	pn_git_to(&oid, &read);
	code = git_commit_lookup(&found, repo->git, &oid);
	if (!code)
		code = git_commit_tree(&tree, found);
	git_commit_free(found);
	if (code) {
		pn_oid_hex(hex, commit);
		return pn_git_fail(err, PN_ENOTFOUND,
				   "cannot read the tree of commit %.10s", hex);
	}
	files = pn_calloc(1, sizeof(*files));
	*files = (struct pn_files){repo, tree};
	*out = files;
	return 0;
}

void pn_files_close(struct pn_files *files)
{
	if (!files)
		return;
	git_tree_free(files->tree);
	free(files);
}

static bool find(struct pn_oid *out, const struct pn_files *files,
		 const char *path)
{
	git_tree_entry *entry = NULL;
	git_filemode_t mode;
	bool is_file;

	if (!*path || strlen(path) > PN_FILES_PATH_MAX ||
	    git_tree_entry_bypath(&entry, files->tree, path))
		return false;
	mode = git_tree_entry_filemode(entry);
	is_file = mode == GIT_FILEMODE_BLOB ||
		  mode == GIT_FILEMODE_BLOB_EXECUTABLE;
	if (is_file)
		pn_git_from(out, git_tree_entry_id(entry));
	git_tree_entry_free(entry);
	return is_file;
}

bool pn_files_has(const struct pn_files *files, const char *path)
{
	struct pn_oid oid;

	return find(&oid, files, path);
}

int pn_files_read(struct pn_buf *out, const struct pn_files *files,
		  const char *path, uint64_t limit, struct pn_error *err)
{
	struct pn_oid oid;

	if (!find(&oid, files, path))
		return pn_error_set(err, PN_ENOTFOUND, "no file '%s'", path);
	return pn_repo_read_blob(out, files->repo, &oid, limit, err);
}

/* Of "R<score> NUL <old> NUL <new> NUL ..." the old name of `path`. */
static void take_old_name(struct pn_buf *out, const struct pn_buf *text,
			  const char *path)
{
	const char *at = pn_buf_text(text), *end = at + text->len;

	while (at < end) {
		const char *old = at + strlen(at) + 1, *now;

		if (old >= end)
			return;
		now = old + strlen(old) + 1;
		if (now >= end)
			return;
		if (!strcmp(now, path)) {
			pn_buf_add_text(out, old);
			return;
		}
		at = now + strlen(now) + 1;
	}
}

int pn_files_earlier_name(struct pn_buf *out, struct pn_repo *repo,
			  const struct pn_oid *from, const struct pn_oid *to,
			  const char *path, struct pn_error *err)
{
	char a[PN_OID_HEX + 1], b[PN_OID_HEX + 1], said[1024];
	const char *const argv[] = {"git",
				    "diff-tree",
				    "-r",
				    "-z",
				    "-M",
				    "--diff-filter=R",
				    "--name-status",
				    "--no-ext-diff",
				    a,
				    b,
				    "--",
				    NULL};
	struct pn_buf text = {0};
	int status = 0, code;

	pn_oid_hex(a, from);
	pn_oid_hex(b, to);
	code = pn_child_run(&text, said, &status, repo, argv, err);
	if (!code && status)
		code = pn_error_set(err, PN_EIO, "%s", pn_child_said(said));
	if (!code)
		take_old_name(out, &text, path);
	pn_buf_release(&text);
	return code;
}
