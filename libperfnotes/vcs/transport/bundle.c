/* Refs and objects as a file. */
#include "vcs/transport/bundle.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/folder/folder.h"
#include "base/replace.h"
#include "vcs/child.h"
#include "vcs/git.h"
#include "vcs/gitdir.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUILDS_ON                                                              \
	" (it builds on profiles that are not here, or that 'git perf gc' "    \
	"left behind: 'git perf bundle create --all' writes one that builds "  \
	"on nothing)"
#define SHALLOW_MAX (64u << 20) /* bytes of the ends of a shallow clone */
#define HEAD_MAX 16384		/* bytes of its refs and what it builds on */

/* git runs in another folder than we do. */
static int absolute(struct pn_buf *out, const char *path, struct pn_error *err)
{
	char here[4096];

	if (*path != '/' && !getcwd(here, sizeof(here)))
		return pn_error_system(err, "cannot find '%s'", path);
	if (*path != '/')
		pn_buf_printf(out, "%s/", here);
	pn_buf_add_text(out, path);
	return 0;
}

/* A device or a pipe gets no bundle by mistake: git, or a rename, would put a
 * file in its place. */
static int open_file(struct pn_replace *out, const char *path,
		     struct pn_error *err)
{
	struct stat st;

	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return pn_error_set(err, PN_EINVAL,
				    "cannot write '%s': it is no regular file "
				    "('-' is standard output)",
				    path);
	return pn_replace_open(out, path, err);
}

int pn_bundle_write(const struct pn_transport *t, const char *path,
		    const char *ref, const struct pn_oid *without,
		    struct pn_error *err)
{
	char hex[PN_OID_HEX + 2] = "^";
	struct pn_replace file = {0};
	struct pn_buf said = {0}, why = {0};
	bool named = strcmp(path, "-") != 0;
	int status = 0, code = named ? open_file(&file, path, err) : 0;
	const char *argv[] = {
		"git", "bundle", "create", t->progress ? "--progress" : "-q",
		"-",   ref,	 hex,	   NULL};

	pn_oid_hex(hex + 1, without);
	if (pn_oid_is_zero(without))
		argv[6] = NULL;
	if (!code)
		code = pn_transport_write(named ? fileno(file.file)
						: STDOUT_FILENO,
					  &said, &status, t, argv, err);
	if (!code && status) {
		pn_transport_reason(&why, &said);
		code = pn_error_set(err, PN_EIO, "cannot write '%s': %s", path,
				    pn_buf_text(&why));
	}
	if (!code && named && pn_replace_finish(&file))
		code = pn_error_system(err, "cannot write '%s'", path);
	pn_replace_discard(&file);
	pn_buf_release(&said);
	pn_buf_release(&why);
	return code;
}

/* gitformat-bundle(5): git would look for the end of a line in all of the file,
 * and in memory. */
static int check_head(const char *path, struct pn_error *err)
{
	char head[HEAD_MAX + 1];
	FILE *file = fopen(path, "rb");
	size_t len;

	if (!file)
		return pn_file_fail(err, "read", path);
	len = fread(head, 1, HEAD_MAX, file);
	fclose(file);
	head[len] = '\0';
	if ((!strncmp(head, "# v2 git bundle\n", 16) ||
	     !strncmp(head, "# v3 git bundle\n", 16)) &&
	    strstr(head, "\n\n"))
		return 0;
	return pn_error_set(err, PN_EINVAL,
			    "cannot read '%s': it is no bundle, as 'git perf "
			    "bundle create' writes",
			    path);
}

static int check_file(const char *path, struct pn_error *err)
{
	struct stat st;

	if (stat(path, &st))
		return pn_file_fail(err, "read", path);
	if (!S_ISREG(st.st_mode))
		return pn_error_set(err, PN_EINVAL, "'%s' is no regular file",
				    path);
	if ((uint64_t)st.st_size > PN_BUNDLE_MAX)
		return pn_error_set(err, PN_ELIMIT,
				    "'%s' has %" PRIu64 " bytes, a bundle at "
				    "most %" PRIu64,
				    path, (uint64_t)st.st_size, PN_BUNDLE_MAX);
	return check_head(path, err);
}

/* Of no repository but the one that argv names. */
static int run(struct pn_buf *out, const char *const *argv, const char *path,
	       struct pn_error *err)
{
	static const char *const env[] = {"LC_ALL=C", NULL};
	const struct pn_process_options options = {
		.in = -1, .env_set = env, .env_unset = pn_gitdir_variables};
	struct pn_buf text = {0}, why = {0};
	char said[1024] = "";
	int status, code = pn_process_capture(out, said, &status, argv,
					      &options, PN_CHILD_TEXT_MAX, err);

	if (!code && status) {
		pn_buf_add_text(&text, said);
		pn_transport_reason(&why, &text);
		code = pn_error_set(err, PN_EINVAL, "cannot read '%s': %s%s",
				    path, pn_buf_text(&why),
				    strstr(said, "prerequisite") ? BUILDS_ON
								 : "");
	}
	pn_buf_release(&text);
	pn_buf_release(&why);
	return code;
}

/* The ids that `git rev-list --missing=print` has a question mark before. */
static void take_missing(struct pn_buf *lacks, const struct pn_buf *text)
{
	const char *at = pn_buf_text(text);
	struct pn_oid id;

	for (; (at = strchr(at, '?')); at++)
		if (strlen(at) > PN_OID_HEX && !pn_oid_parse(&id, at + 1))
			pn_buf_add(lacks, id.bytes, PN_OID_BYTES);
}

/*
 * git has put the bundle's objects into the room and then found that others
 * lack: bodies that a partial clone never had, of profiles that are taken out
 * since or, where the notes were compacted, of any. All of them together.
 */
static void find_missing(struct pn_buf *lacks, const char *git_dir,
			 const char *file, const char *ref)
{
	const char *const heads[] = {"git", git_dir, "bundle", "list-heads",
				     file,  ref,     NULL};
	char tip[PN_OID_HEX + 1] = "";
	const char *const list[] = {"git",	 git_dir,   "rev-list",
				    "--objects", "--quiet", "--missing=print",
				    tip,	 "--not",   "--all",
				    NULL};
	struct pn_buf text = {0};
	struct pn_oid id;

	if (!run(&text, heads, file, NULL) && text.len > PN_OID_HEX &&
	    !pn_oid_parse(&id, pn_buf_text(&text))) {
		pn_oid_hex(tip, &id);
		pn_buf_clear(&text);
		if (!run(&text, list, file, NULL))
			take_missing(lacks, &text);
	}
	pn_buf_release(&text);
}

static int write_beside(const char *dir, const char *name,
			const struct pn_buf *text, struct pn_error *err)
{
	struct pn_buf path = {0};
	int code;

	pn_buf_printf(&path, "%s/%s", dir, name);
	code = pn_file_write(pn_buf_text(&path), text->data, text->len, false,
			     err);
	pn_buf_release(&path);
	return code;
}

/* Where a shallow clone ends, the room ends, too: nothing is behind that. */
static int end_where(const char *dir, const struct pn_transport *t,
		     struct pn_error *err)
{
	struct pn_buf path = {0}, text = {0};
	int code = 0;

	pn_buf_printf(&path, "%s/shallow", t->repo->common_dir);
	if (pn_repo_is_shallow(t->repo))
		code = pn_file_read(&text, pn_buf_text(&path), SHALLOW_MAX,
				    err);
	if (!code && text.len)
		code = write_beside(dir, "shallow", &text, err);
	pn_buf_release(&path);
	pn_buf_release(&text);
	return code;
}

/* An empty repository that sees our objects, and the refs that git wants to
 * find what a bundle builds on. */
static int make_room(const char *dir, const struct pn_transport *t,
		     const struct pn_buf *has, struct pn_error *err)
{
	const char *argv[] = {"git",	     "init", "-q", "--bare",
			      "--template=", dir,    NULL};
	struct pn_buf alternates = {0}, refs = {0};
	const char *at = pn_buf_text(has), *end = at + has->len;
	char hex[PN_OID_HEX + 1];
	struct pn_buf out = {0};
	struct pn_oid id;
	size_t n = 0;
	int code = run(&out, argv, dir, err);

	for (; !code && at < end; at += strlen(at) + 1) {
		code = pn_repo_ref(&id, t->repo, at, err);
		pn_oid_hex(hex, &id);
		if (!code && !pn_oid_is_zero(&id))
			pn_buf_printf(&refs, "%s refs/have/%zu\n", hex, n++);
	}
	pn_buf_printf(&alternates, "%s/objects\n", t->repo->common_dir);
	if (!code)
		code = write_beside(dir, "objects/info/alternates", &alternates,
				    err);
	if (!code && refs.len)
		code = write_beside(dir, "packed-refs", &refs, err);
	if (!code)
		code = end_where(dir, t, err);
	pn_buf_release(&alternates);
	pn_buf_release(&refs);
	pn_buf_release(&out);
	return code;
}

/* git asks nobody for what bodies of a bundle come beside, so to it a bundle
 * lacks what is absent here. */
static int refuse(const struct pn_transport *t, const char *path,
		  const struct pn_error *why, struct pn_error *err)
{
	bool beside = pn_repo_is_partial(t->repo) &&
		      strstr(why->message, "did not receive expected object");

	if (pn_transport_failed_here(why))
		return pn_error_set(err, PN_EIO, "cannot take in '%s': %s",
				    path, why->message);
	return pn_error_set(err, beside ? PN_ENOTFOUND : PN_EIO,
			    "'%s' %sis damaged: %s", path,
			    beside ? "builds on profiles that this partial "
				     "clone lacks ('git perf pull --all' gets "
				     "them), or "
				   : "",
			    why->message);
}

/* Into the room, then from there as from any other repository: that checks. */
static int take(const char *dir, const struct pn_transport *t, const char *file,
		const char *path, const char *ref, const char *to,
		struct pn_buf *lacks, struct pn_error *err)
{
	const char *argv[] = {"git",	   NULL,
			      "-c",	   "core.bigFileThreshold=8m",
			      "-c",	   "fetch.unpackLimit=1",
			      "fetch",	   "-q",
			      "--no-tags", "--no-auto-maintenance",
			      "--",	   file,
			      NULL,	   NULL};
	struct pn_buf git_dir = {0}, into = {0}, out_of = {0}, out = {0};
	struct pn_transport from = *t;
	struct pn_error why = {0};
	const char *refspecs[1];
	int code;

	pn_buf_printf(&git_dir, "--git-dir=%s", dir);
	pn_buf_printf(&into, "+%s:refs/taken", ref);
	pn_buf_printf(&out_of, "+refs/taken:%s", to);
	argv[1] = pn_buf_text(&git_dir);
	argv[12] = pn_buf_text(&into);
	code = run(&out, argv, path, err);
	if (code && pn_repo_is_partial(t->repo))
		find_missing(lacks, argv[1], file, ref);
	if (lacks->len)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "cannot read '%s': what it builds on is "
				    "neither in this partial clone nor at its "
				    "remotes" BUILDS_ON,
				    path);
	from.remote = dir;
	refspecs[0] = pn_buf_text(&out_of);
	if (!code && pn_transport_fetch(&from, refspecs, 1, &why))
		code = refuse(t, path, &why, err);
	pn_buf_release(&git_dir);
	pn_buf_release(&into);
	pn_buf_release(&out_of);
	pn_buf_release(&out);
	return code;
}

int pn_bundle_read(const struct pn_transport *t, const char *path,
		   const char *ref, const char *to, const struct pn_buf *has,
		   struct pn_buf *lacks, struct pn_error *err)
{
	struct pn_buf file = {0}, room = {0};
	char *dir = NULL;
	int owner = -1, code = check_file(path, err);

	pn_folder_sweep();
	if (!code)
		code = absolute(&file, path, err);
	if (!code)
		code = pn_folder_make_private(&dir, &owner, err);
	if (!code) {
		pn_buf_printf(&room, "%s/bundle.git", dir);
		code = make_room(pn_buf_text(&room), t, has, err);
	}
	if (!code)
		code = take(pn_buf_text(&room), t, pn_buf_text(&file), path,
			    ref, to, lacks, err);
	if (dir)
		pn_folder_remove(dir, NULL);
	if (owner >= 0)
		close(owner);
	free(dir);
	pn_buf_release(&room);
	pn_buf_release(&file);
	return code;
}
