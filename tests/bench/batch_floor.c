/*
 * What a batch of profiles takes when no profile is made of the files:
 *
 *	bench_batch_floor <out> <<'<rev> TAB <path>' lines, at most 1,000,000
 *
 * each is read, and it and a line as long as a note's are hashed and deflated
 * at level 1, as git's objects are in a pack; what comes out is written to one
 * file. By as many threads as `git perf add --stdin` has.
 */
#include "base/ahead.h"
#include "base/alloc.h"
#include "base/deflate.h"
#include "base/file.h"
#include "base/hash.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINES_MAX 1000000
#define FILES 16
#define WINDOW 8

/* Random where a note has ids and times. */
static const char note[] =
	"perf1 %s %s profile %s 1051 %s "
	"4b825dc642cb6eb9a060e54bf8d69288fbee4904 n=%s body=canonical "
	"name=000001.folded format=collapsed kind=mixed env=bd8cff700385 "
	"e.cpu=A%%20processor%%20of%%20some%%20kind e.cores=2 "
	"e.memory=25274793984 e.kernel=6.1.0 "
	"e.os=Debian%%20GNU/Linux%%2012%%20(bookworm) e.arch=x86_64 "
	"m=samples;count;less;1;142127\n";

struct batch {
	char **paths;
	size_t count;
	struct pn_buf packed[WINDOW];
	struct pn_deflater *deflaters[PN_AHEAD_THREADS_MAX];
	int bad;
};

static void pack(struct pn_buf *out, struct pn_deflater *deflater,
		 struct pn_oid *oid, const struct pn_buf *bytes)
{
	pn_hash_git_object(oid, "blob", bytes->data, bytes->len);
	pn_deflater_run(out, deflater, NULL, 0, bytes->data, bytes->len);
}

static void write_note(struct pn_buf *out, const struct pn_oid *body)
{
	char hex[4][PN_OID_HEX + 1];
	struct pn_oid random;
	size_t i;

	pn_oid_hex(hex[0], body);
	for (i = 1; i < 4; i++) {
		pn_hash_git_object(&random, "blob", hex[i - 1], PN_OID_HEX);
		pn_oid_hex(hex[i], &random);
	}
	hex[1][29] = hex[2][16] = '\0';
	pn_buf_printf(out, note, hex[1], hex[2], hex[0], hex[3], hex[2]);
}

static void pack_one(struct pn_buf *out, struct pn_deflater *deflater,
		     struct batch *batch, const char *path)
{
	struct pn_buf bytes = {0};
	struct pn_oid oid;

	if (pn_file_read(&bytes, path, 1 << 20, NULL))
		batch->bad = 1;
	pack(out, deflater, &oid, &bytes);
	pn_buf_clear(&bytes);
	write_note(&bytes, &oid);
	pack(out, deflater, &oid, &bytes);
	pn_buf_release(&bytes);
}

static void pack_task(void *data, size_t task, size_t worker)
{
	struct batch *batch = data;
	struct pn_buf *out = &batch->packed[task % WINDOW];
	size_t i;

	if (!batch->deflaters[worker])
		batch->deflaters[worker] = pn_deflater_new(1);
	pn_buf_clear(out);
	for (i = task * FILES; i < (task + 1) * FILES && i < batch->count; i++)
		pack_one(out, batch->deflaters[worker], batch, batch->paths[i]);
}

static void read_list(struct batch *batch)
{
	char *line = NULL, *tab;
	size_t cap = 0;

	batch->paths = pn_calloc(LINES_MAX, sizeof(*batch->paths));
	while (batch->count < LINES_MAX && getline(&line, &cap, stdin) > 0) {
		tab = strchr(line, '\t');
		if (!tab)
			continue;
		tab[strcspn(tab, "\n")] = '\0';
		batch->paths[batch->count++] = pn_strdup(tab + 1);
	}
	free(line);
}

int main(int argc, char **argv)
{
	struct batch batch = {0};
	struct pn_ahead_work work = {pack_task, &batch, 0, WINDOW,
				     PN_AHEAD_THREADS_MAX};
	struct pn_ahead *ahead;
	size_t task;
	int fd = argc == 2 ? open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0666)
			   : -1;

	if (fd < 0) {
		fputs("usage: bench_batch_floor <out>\n", stderr);
		return 129;
	}
	read_list(&batch);
	work.count = (batch.count + FILES - 1) / FILES;
	ahead = pn_ahead_new(&work);
	while (pn_ahead_next(&task, ahead)) {
		const struct pn_buf *out = &batch.packed[task % WINDOW];

		batch.bad |= pn_file_write_all(fd, out->data, out->len) != 0;
	}
	pn_ahead_free(ahead);
	batch.bad |= fsync(fd) || close(fd);
	return batch.bad ? 128 : 0;
}
