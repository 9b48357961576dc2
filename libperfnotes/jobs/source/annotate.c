/* A file of a commit, and what its lines cost. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "jobs/source/annotate.h"

#include "base/alloc.h"
#include "base/file.h"
#include "jobs/source/tree.h"
#include "vcs/files/match.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder we are in, from the top of the work tree, with its slash. */
static void add_prefix(struct pn_buf *out, const struct pn_repo *repo)
{
	const char *top = pn_repo_work_dir(repo);
	char *real_top = top ? realpath(top, NULL) : NULL;
	char *here = realpath(".", NULL);
	size_t len = real_top ? strlen(real_top) : 0;

	if (len && here && !strncmp(here, real_top, len) && here[len] == '/')
		pn_buf_printf(out, "%s/", here + len + 1);
	free(real_top);
	free(here);
}

/* From the top of the repository. */
static int find_path(struct pn_buf *out, const struct pn_repo *repo,
		     const char *file, struct pn_error *err)
{
	const char *top = pn_repo_work_dir(repo), *clean;
	size_t len = top ? strlen(top) : 0;
	struct pn_buf text = {0}, path = {0};

	if (len && !strncmp(file, top, len) && file[len] == '/')
		file += len + 1;
	else if (*file != '/')
		add_prefix(&text, repo);
	pn_buf_add_text(&text, file);
	pn_path_clean(&path, pn_buf_text(&text), text.len);
	clean = pn_buf_text(&path);
	if (*clean == '/' || !*clean || !strcmp(clean, "..") ||
	    !strncmp(clean, "../", 3))
		pn_error_set(err, PN_EINVAL,
			     "'%s' lies outside of the repository", file);
	else
		pn_buf_add_text(out, clean);
	pn_buf_release(&text);
	pn_buf_release(&path);
	return out->len ? 0 : PN_EINVAL;
}

static int match(struct pn_line_pair **out, size_t *count,
		 const struct pn_source_text *before,
		 const struct pn_source_text *after, struct pn_error *err)
{
	return pn_lines_match(out, count, pn_buf_text(&before->bytes),
			      before->bytes.len, pn_buf_text(&after->bytes),
			      after->bytes.len, err);
}

/* What is shown are the lines of another file, where they are the same. */
static int take_contents(struct pn_annotate *out, const char *file,
			 struct pn_error *err)
{
	struct pn_source_text text = {.count = 0};
	struct pn_line_pair *pairs;
	uint32_t *to;
	size_t i, count;
	int code = 0;

	if (strcmp(file, "-") != 0)
		code = pn_file_read(&text.bytes, file, PN_SOURCE_MAX_BYTES,
				    err);
	else if (pn_file_read_all(&text.bytes, STDIN_FILENO,
				  PN_SOURCE_MAX_BYTES))
		code = pn_error_system(err, "cannot read standard input");
	if (!code)
		code = match(&pairs, &count, &out->side[1].text, &text, err);
	if (code) {
		pn_source_text_release(&text);
		return code;
	}
	to = pn_calloc(out->side[1].text.count + 1, sizeof(*to));
	for (i = 0; i < count; i++)
		if (pairs[i].before &&
		    pairs[i].before <= out->side[1].text.count)
			to[pairs[i].before - 1] = pairs[i].after;
	pn_annotated_move(&out->annotated.side[1], to, out->side[1].text.count);
	free(to);
	free(pairs);
	pn_source_text_split(&text);
	pn_source_text_release(&out->side[1].text);
	out->side[1].text = text;
	return 0;
}

static int make_rows(struct pn_annotate *out, bool pair, struct pn_error *err)
{
	struct pn_annotated *a = &out->annotated;
	struct pn_line_pair *pairs = NULL;
	size_t i, count = out->side[1].text.count;
	int code = 0;

	if (pair)
		code = match(&pairs, &count, &out->side[0].text,
			     &out->side[1].text, err);
	if (code)
		return code;
	a->rows = pn_calloc(count + 1, sizeof(*a->rows));
	a->row_count = count;
	for (i = 0; i < count; i++) {
		a->rows[i].line[0] = pair ? pairs[i].before : 0;
		a->rows[i].line[1] = pair ? pairs[i].after : (uint32_t)i + 1;
	}
	free(pairs);
	a->side[0].text = &out->side[0].text;
	a->side[1].text = &out->side[1].text;
	pn_annotated_fill(a);
	return 0;
}

/* The name that the file had before, where it had another. */
static int find_old_path(struct pn_annotate *out, struct pn_repo *repo,
			 struct pn_error *err)
{
	struct pn_annotate_side *before = &out->side[0], *after = &out->side[1];
	const char *path = pn_buf_text(&after->path);
	struct pn_source_tree tree;
	int code = pn_source_tree_of_commit(&tree, repo, &before->commit, err);

	if (code)
		return code;
	if (pn_source_tree_has(&tree, path))
		pn_buf_add_text(&before->path, path);
	else
		code = pn_files_earlier_name(&before->path, repo,
					     &before->commit, &after->commit,
					     path, err);
	pn_source_tree_release(&tree);
	return code;
}

/* The old side is of the series that the new one is of. */
static int load_old_side(struct pn_annotate *out,
			 const struct pn_lookup *lookup,
			 const struct pn_annotate_call *call,
			 struct pn_error *err)
{
	const struct pn_report *before = &out->side[0].report;
	const struct pn_report *after = &out->side[1].report;
	int code = pn_source_side_load(
		&out->side[0], lookup, call->against,
		out->side[1].series.len ? pn_buf_text(&out->side[1].series)
					: NULL,
		call, err);

	if (code)
		return code;
	if (strcmp(before->unit, after->unit) != 0)
		return pn_error_set(err, PN_EINVAL,
				    "cannot compare '%s' with '%s'",
				    before->unit, after->unit);
	code = find_old_path(out, lookup->repo, err);
	return code ? code
		    : pn_source_side_costs(&out->annotated.side[0],
					   &out->side[0], lookup->repo, err);
}

int pn_annotate(struct pn_annotate *out, const struct pn_lookup *lookup,
		const struct pn_annotate_call *call, struct pn_error *err)
{
	int code;

	memset(out, 0, sizeof(*out));
	pn_profile_init(&out->side[0].profile);
	pn_profile_init(&out->side[1].profile);
	code = find_path(&out->side[1].path, lookup->repo, call->file, err);
	if (!code && call->against)
		code = pn_source_check_rev(lookup, call->against, err);
	if (!code)
		code = pn_source_side_choose(&out->side[1], lookup, call, err);
	if (!code)
		code = pn_source_side_costs(&out->annotated.side[1],
					    &out->side[1], lookup->repo, err);
	if (!code && call->against)
		code = load_old_side(out, lookup, call, err);
	if (!code && call->contents)
		code = take_contents(out, call->contents, err);
	return code ? code : make_rows(out, call->against != NULL, err);
}

void pn_annotate_release(struct pn_annotate *annotate)
{
	pn_source_side_release(&annotate->side[0]);
	pn_source_side_release(&annotate->side[1]);
	pn_annotated_release(&annotate->annotated);
}
