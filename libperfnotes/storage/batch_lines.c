/*
 * Lines of a batch. A record of a file is a struct pn_batch_line, whose `at`
 * means nothing there, and its text.
 */
#include "storage/batch_lines.h"

#include "base/alloc.h"
#include "base/file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* All of what a file has: some GB, of many millions of lines. */
#define FILE_MAX (UINT64_C(1) << 40)

void pn_batch_lines_release(struct pn_batch_lines *lines)
{
	size_t i;

	for (i = 0; lines->is_spilled && i < PN_BATCH_LINES_FILES; i++)
		if (lines->files[i] >= 0)
			close(lines->files[i]);
	pn_buf_release(&lines->text);
	free(lines->items);
	memset(lines, 0, sizeof(*lines));
}

void pn_batch_lines_add(struct pn_batch_lines *lines,
			const struct pn_batch_line *line)
{
	lines->items = pn_grow(lines->items, &lines->cap, lines->count + 1,
			       sizeof(*lines->items));
	lines->items[lines->count] = *line;
	lines->items[lines->count++].len = lines->text.len - line->at;
}

/* A file that is gone when we are. */
static int open_file(int *out, struct pn_repo *repo, struct pn_error *err)
{
	struct pn_buf prefix = {0};
	char *path = NULL;
	int code;

	pn_buf_printf(&prefix, "%s/tmp_perf_", pn_repo_common_dir(repo));
	code = pn_file_temporary(out, &path, pn_buf_text(&prefix), err);
	if (!code)
		unlink(path);
	free(path);
	pn_buf_release(&prefix);
	return code;
}

static int open_files(struct pn_batch_lines *lines, struct pn_repo *repo,
		      struct pn_error *err)
{
	size_t i;
	int code = 0;

	if (lines->is_spilled)
		return 0;
	for (i = 0; i < PN_BATCH_LINES_FILES; i++)
		lines->files[i] = -1;
	lines->is_spilled = true;
	for (i = 0; !code && i < PN_BATCH_LINES_FILES; i++)
		code = open_file(&lines->files[i], repo, err);
	return code;
}

static size_t file_of(const struct pn_batch_line *line)
{
	return line->commit.bytes[0] >> 4;
}

int pn_batch_lines_spill(struct pn_batch_lines *lines, struct pn_repo *repo,
			 struct pn_error *err)
{
	struct pn_buf out = {0};
	size_t file, i;
	int code = open_files(lines, repo, err);

	for (file = 0; !code && file < PN_BATCH_LINES_FILES; file++) {
		pn_buf_clear(&out);
		for (i = 0; i < lines->count; i++) {
			const struct pn_batch_line *line = &lines->items[i];

			if (file_of(line) != file)
				continue;
			pn_buf_add(&out, line, sizeof(*line));
			pn_buf_add(&out, lines->text.data + line->at,
				   line->len);
		}
		if (pn_file_write_all(lines->files[file], out.data, out.len))
			code = pn_error_system(err,
					       "cannot write the batch's lines "
					       "to a file in '%s'",
					       pn_repo_common_dir(repo));
	}
	pn_buf_release(&out);
	if (!code) {
		pn_buf_release(&lines->text);
		lines->count = 0;
	}
	return code;
}

int pn_batch_lines_read(struct pn_batch_lines *out,
			const struct pn_batch_lines *lines, size_t file,
			struct pn_error *err)
{
	int fd = lines->files[file];
	struct pn_batch_line line;
	size_t at = out->text.len;

	if (lseek(fd, 0, SEEK_SET) < 0 ||
	    pn_file_read_all(&out->text, fd, FILE_MAX))
		return pn_error_system(err, "cannot read the batch's lines");
	for (; at < out->text.len; at += line.len) {
		memcpy(&line, out->text.data + at, sizeof(line));
		at += sizeof(line);
		line.at = at;
		out->items = pn_grow(out->items, &out->cap, out->count + 1,
				     sizeof(*out->items));
		out->items[out->count++] = line;
	}
	return 0;
}

static int by_commit(const void *a, const void *b)
{
	const struct pn_batch_line *x = a, *y = b;
	int order = pn_oid_cmp(&x->commit, &y->commit);

	if (order)
		return order;
	return x->at < y->at ? -1 : x->at > y->at;
}

void pn_batch_lines_sort(struct pn_batch_lines *lines)
{
	if (lines->count)
		qsort(lines->items, lines->count, sizeof(*lines->items),
		      by_commit);
}
