/*
 * Reading ahead. Most of what a small profile takes is reading, encoding and
 * verifying it, and none of that needs the repository.
 */
#include "jobs/profiles/read_ahead.h"

#include "base/ahead.h"
#include "base/alloc.h"
#include "base/deflate.h"
#include "collect/perf_file.h"
#include "storage/pending.h"
#include "storage/prepare.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Files of one task of a thread: some milliseconds' worth. */
#define FILES 16
/* Jobs in work or waiting. With INPUT_MAX this bounds what is in memory. */
#define WINDOW 8
/* Bytes of a file, gunzipped; its record may take twenty times as much. Others
 * wait for their turn: most of their time is the chain's, which has an order.
 */
#define INPUT_MAX (32u << 10)
/* Of bodies, as in packs: of a task's worth of files, of more. */
#define FEW_LEVEL PN_DEFLATE_USUAL
#define MANY_LEVEL PN_DEFLATE_FAST

struct one {
	struct pn_record record;
	struct pn_oid origin;
	bool good;
};

struct pn_read_ahead {
	char *const *paths;
	size_t count;
	struct pn_record_options options;
	uint64_t max_bytes; /* that the caller allows */
	struct one ones[WINDOW][FILES];
	struct pn_deflater *deflaters[PN_AHEAD_THREADS_MAX];
	struct pn_ahead *threads;
	size_t at; /* next path */
};

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

static bool read_one(struct one *one, const struct pn_read_ahead *ahead,
		     const char *path)
{
	const struct pn_record_options *options = &ahead->options;

	/* a codec that was named is not asked whether it knows the bytes */
	if (!path || !is_file(path) ||
	    (options->codec && pn_perf_file_is(path)))
		return false;
	if (pn_pending_read(&one->record, &one->origin, path, options, NULL))
		return false;
	one->record.max_bytes = ahead->max_bytes;
	if (!pn_batch_prepare(&one->record, NULL))
		return true;
	pn_record_release(&one->record);
	return false;
}

static void read_task(void *data, size_t task, size_t worker)
{
	struct pn_read_ahead *ahead = data;
	struct one *ones = ahead->ones[task % WINDOW];
	size_t i, from = task * FILES;

	if (!ahead->deflaters[worker])
		ahead->deflaters[worker] = pn_deflater_new(
			ahead->count <= FILES ? FEW_LEVEL : MANY_LEVEL);
	for (i = 0; i < FILES; i++) {
		/* what was here is used by now */
		pn_record_release(&ones[i].record);
		ones[i].good =
			from + i < ahead->count &&
			read_one(&ones[i], ahead, ahead->paths[from + i]);
	}
	for (i = 0; i < FILES; i++)
		if (ones[i].good)
			pn_batch_pack(&ones[i].record,
				      ahead->deflaters[worker]);
}

struct pn_read_ahead *pn_read_ahead_new(char *const *paths, size_t count,
					const struct pn_record_options *options)
{
	struct pn_read_ahead *ahead = pn_calloc(1, sizeof(*ahead));
	struct pn_ahead_work work = {read_task, ahead,
				     (count + FILES - 1) / FILES, WINDOW,
				     PN_AHEAD_THREADS_MAX};

	ahead->paths = paths;
	ahead->count = count;
	ahead->options = *options;
	ahead->max_bytes = options->max_bytes;
	if (!options->max_bytes || options->max_bytes > INPUT_MAX)
		ahead->options.max_bytes = INPUT_MAX;
	ahead->threads = pn_ahead_new(&work);
	return ahead;
}

struct pn_record *pn_read_ahead_next(struct pn_oid *origin,
				     struct pn_read_ahead *ahead)
{
	size_t task = ahead->at / FILES, number;
	struct one *one = &ahead->ones[task % WINDOW][ahead->at % FILES];

	if (ahead->at >= ahead->count ||
	    (ahead->at % FILES == 0 && !pn_ahead_next(&number, ahead->threads)))
		return NULL;
	ahead->at++;
	if (!one->good)
		return NULL;
	*origin = one->origin;
	return &one->record;
}

void pn_read_ahead_free(struct pn_read_ahead *ahead)
{
	size_t i, k;

	if (!ahead)
		return;
	pn_ahead_free(ahead->threads);
	for (i = 0; i < WINDOW; i++)
		for (k = 0; k < FILES; k++)
			pn_record_release(&ahead->ones[i][k].record);
	for (i = 0; i < PN_AHEAD_THREADS_MAX; i++)
		pn_deflater_free(ahead->deflaters[i]);
	free(ahead);
}
