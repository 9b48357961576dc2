/*
 * The lines of a batch. A record of the file is a struct pn_batch_line, whose
 * `at` means nothing there, and its text.
 */
#include "storage/batch_lines.h"

#include "base/alloc.h"
#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Written, and read of each run, at a time. */
#define WRITE_BYTES ((size_t)1 << 20)
#define READ_BYTES ((size_t)1 << 16)

/* The first record that was not taken of a run. */
struct head {
	uint64_t at, end; /* of what is still in the file */
	struct pn_buf bytes;
	size_t taken;
	struct pn_batch_line line;
	bool has;
};

struct pn_batch_merge {
	int file;
	struct head *heads; /* in order of the runs */
	size_t count;
};

void pn_batch_lines_release(struct pn_batch_lines *lines)
{
	if (lines->run_count)
		close(lines->file);
	pn_buf_release(&lines->text);
	free(lines->items);
	free(lines->run_ends);
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

static int add_run(struct pn_batch_lines *lines, struct pn_repo *repo,
		   struct pn_error *err)
{
	uint64_t end = 0;
	int code = 0;

	if (lines->run_count)
		end = lines->run_ends[lines->run_count - 1];
	else
		code = open_file(&lines->file, repo, err);
	if (code)
		return code;
	lines->run_ends =
		pn_grow(lines->run_ends, &lines->run_cap, lines->run_count + 1,
			sizeof(*lines->run_ends));
	lines->run_ends[lines->run_count++] = end;
	return 0;
}

static int flush(struct pn_buf *out, struct pn_batch_lines *lines,
		 struct pn_repo *repo, struct pn_error *err)
{
	if (pn_file_write_all(lines->file, out->data, out->len))
		return pn_error_system(err,
				       "cannot write the batch's lines to a "
				       "file in '%s'",
				       pn_repo_common_dir(repo));
	lines->run_ends[lines->run_count - 1] += out->len;
	pn_buf_clear(out);
	return 0;
}

int pn_batch_lines_spill(struct pn_batch_lines *lines, struct pn_repo *repo,
			 struct pn_error *err)
{
	struct pn_buf out = {0};
	size_t i;
	int code = add_run(lines, repo, err);

	pn_batch_lines_sort(lines);
	for (i = 0; !code && i < lines->count; i++) {
		const struct pn_batch_line *line = &lines->items[i];

		pn_buf_add(&out, line, sizeof(*line));
		pn_buf_add(&out, lines->text.data + line->at, line->len);
		if (out.len > WRITE_BYTES)
			code = flush(&out, lines, repo, err);
	}
	if (!code)
		code = flush(&out, lines, repo, err);
	pn_buf_release(&out);
	if (!code) {
		pn_buf_release(&lines->text);
		lines->count = 0;
	}
	return code;
}

/* At least so many bytes that were not taken. */
static int fill(struct head *head, int file, size_t bytes, struct pn_error *err)
{
	size_t left = head->bytes.len - head->taken, room;
	unsigned char *to;
	ssize_t got;

	if (left >= bytes)
		return 0;
	if (left)
		memmove(head->bytes.data, head->bytes.data + head->taken, left);
	pn_buf_cut(&head->bytes, left);
	head->taken = 0;
	room = bytes < READ_BYTES ? READ_BYTES : bytes;
	to = pn_buf_reserve(&head->bytes, room - left);
	while (head->bytes.len < bytes && head->at < head->end) {
		left = room - head->bytes.len;
		if (left > head->end - head->at)
			left = (size_t)(head->end - head->at);
		got = pread(file, to, left, (off_t)head->at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		to += got;
		head->bytes.len += (size_t)got;
		head->at += (uint64_t)got;
	}
	if (head->bytes.len >= bytes)
		return 0;
	return pn_error_system(err, "cannot read the batch's lines");
}

static int next_of_run(struct head *head, int file, struct pn_error *err)
{
	int code;

	head->has = head->at < head->end || head->taken < head->bytes.len;
	if (!head->has)
		return 0;
	code = fill(head, file, sizeof(head->line), err);
	if (code)
		return code;
	memcpy(&head->line, head->bytes.data + head->taken, sizeof(head->line));
	head->taken += sizeof(head->line);
	return fill(head, file, head->line.len, err);
}

struct pn_batch_merge *pn_batch_merge_new(const struct pn_batch_lines *lines)
{
	struct pn_batch_merge *merge = pn_calloc(1, sizeof(*merge));
	size_t i;

	merge->file = lines->file;
	merge->count = lines->run_count;
	merge->heads = pn_calloc(merge->count, sizeof(*merge->heads));
	for (i = 0; i < merge->count; i++) {
		merge->heads[i].at = i ? lines->run_ends[i - 1] : 0;
		merge->heads[i].end = lines->run_ends[i];
	}
	return merge;
}

void pn_batch_merge_free(struct pn_batch_merge *merge)
{
	size_t i;

	if (!merge)
		return;
	for (i = 0; i < merge->count; i++)
		pn_buf_release(&merge->heads[i].bytes);
	free(merge->heads);
	free(merge);
}

/* The run whose line is the next; of one commit the first run. */
static int first_head(struct head **out, struct pn_batch_merge *merge,
		      struct pn_error *err)
{
	size_t i;
	int code = 0;

	*out = NULL;
	for (i = 0; !code && i < merge->count; i++) {
		struct head *head = &merge->heads[i];

		if (!head->has)
			code = next_of_run(head, merge->file, err);
		if (head->has &&
		    (!*out ||
		     pn_oid_cmp(&head->line.commit, &(*out)->line.commit) < 0))
			*out = head;
	}
	return code;
}

static void take(struct pn_batch_lines *out, struct head *head)
{
	struct pn_batch_line line = head->line;

	line.at = out->text.len;
	pn_buf_add(&out->text, head->bytes.data + head->taken, line.len);
	pn_batch_lines_add(out, &line);
	head->taken += line.len;
	head->has = false;
}

int pn_batch_merge_next(struct pn_batch_lines *out,
			struct pn_batch_merge *merge, size_t least,
			struct pn_error *err)
{
	struct head *head;
	int code;

	pn_buf_clear(&out->text);
	out->count = 0;
	while (!(code = first_head(&head, merge, err)) && head) {
		if (out->text.len >= least &&
		    !pn_oid_equal(&head->line.commit,
				  &out->items[out->count - 1].commit))
			break;
		take(out, head);
	}
	return code;
}
