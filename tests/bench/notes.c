/*
 * What the notes tree costs, in the repository of the present folder:
 *
 *	notes fill <from> <count> <body bytes>   one batch of notes of 300 bytes
 *	notes read <count>                       lookups, of them <count> exist
 *	notes add <count> <body bytes>           one commit each
 *	notes walk                               every note's id
 *
 * prints seconds, or microseconds each. The notes are of commits that need
 * not exist.
 */
#include "base/alloc.h"
#include "base/hash.h"
#include "vcs/notes/stage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define NOTE_BYTES 300
#define LOOKUPS 1000

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static struct pn_oid nth(uint64_t n)
{
	struct pn_oid oid;

	pn_hash_git_object(&oid, "bench", &n, sizeof(n));
	return oid;
}

/* Text of a seed: hex digits, so that it deflates about as index lines do. */
static void fill(char *text, size_t len, uint64_t seed)
{
	uint64_t bits = seed * 0x9E3779B97F4A7C15u + 1;
	size_t i;

	for (i = 0; i < len; i++) {
		bits ^= bits << 13;
		bits ^= bits >> 7;
		bits ^= bits << 17;
		text[i] = i % 3 ? "0123456789abcdef"[bits >> 60] : '=';
	}
	if (len)
		text[len - 1] = '\n';
}

static void check(int code, const struct pn_error *err)
{
	if (!code)
		return;
	fprintf(stderr, "%s\n", err->message);
	exit(1);
}

static void stage(struct pn_notes *notes, uint64_t n, char *body, size_t len)
{
	struct pn_oid commit = nth(n), id;
	struct pn_error err;
	char note[NOTE_BYTES];

	fill(note, sizeof(note), n);
	pn_notes_stage_note(notes, &commit, note, sizeof(note), NULL);
	if (!len)
		return;
	fill(body, len, ~n);
	check(pn_notes_stage_body(&id, notes, body, len, &err), &err);
}

static void add(struct pn_repo *repo, uint64_t from, uint64_t count,
		uint64_t commits, size_t body_len)
{
	char *body = pn_malloc(body_len + 1);
	struct pn_notes *notes;
	struct pn_error err;
	uint64_t i, k;

	for (i = 0; i < commits; i++) {
		check(pn_notes_open(&notes, repo, PN_NOTES_REF, &err), &err);
		for (k = 0; k < count; k++)
			stage(notes, from + i * count + k, body, body_len);
		check(pn_notes_commit(notes, "perf: bench", &err), &err);
		pn_notes_free(notes);
	}
	free(body);
}

static void read_some(struct pn_repo *repo, uint64_t count)
{
	struct pn_notes *notes;
	struct pn_buf text = {0};
	struct pn_error err;
	uint64_t i, n = 1, found = 0;

	check(pn_notes_open(&notes, repo, PN_NOTES_REF, &err), &err);
	for (i = 0; i < LOOKUPS; i++) {
		struct pn_oid id;

		n = n * 6364136223846793005u + 1442695040888963407u;
		id = nth((n >> 20) % count);
		pn_buf_clear(&text);
		check(pn_notes_read(&text, notes, &id, &err), &err);
		found += text.len > 0;
	}
	if (found != LOOKUPS)
		fprintf(stderr, "%" PRIu64 " of %d found\n", found, LOOKUPS);
	pn_notes_free(notes);
	pn_buf_release(&text);
}

static void walk(struct pn_repo *repo)
{
	struct pn_notes_iter *iter;
	struct pn_notes *notes;
	struct pn_oid id, blob;
	struct pn_error err;
	uint64_t n = 0;

	check(pn_notes_open(&notes, repo, PN_NOTES_REF, &err), &err);
	check(pn_notes_iter_open(&iter, notes, &err), &err);
	while (pn_notes_iter_next(&id, &blob, iter, &err) > 0)
		n++;
	fprintf(stderr, "%" PRIu64 " notes\n", n);
	pn_notes_iter_free(iter);
	pn_notes_free(notes);
}

static uint64_t number(const char *text)
{
	return text ? strtoull(text, NULL, 10) : 0;
}

int main(int argc, char **argv)
{
	double start = now(), each = 1, taken;
	struct rusage usage;
	struct pn_repo *repo;
	struct pn_error err;

	if (argc < 2)
		return 129;
	check(pn_repo_open(&repo, NULL, &err), &err);
	if (!strcmp(argv[1], "fill") && argc == 5) {
		add(repo, number(argv[2]), number(argv[3]), 1, number(argv[4]));
	} else if (!strcmp(argv[1], "add") && argc == 4) {
		each = 1e6 / (double)number(argv[2]);
		add(repo, (uint64_t)1 << 40 | pn_hash_random() >> 32, 1,
		    number(argv[2]), number(argv[3]));
	} else if (!strcmp(argv[1], "read") && argc == 3) {
		each = 1e6 / LOOKUPS;
		read_some(repo, number(argv[2]));
	} else if (!strcmp(argv[1], "walk")) {
		walk(repo);
	} else {
		return 129;
	}
	taken = now() - start;
	pn_repo_free(repo);
	getrusage(RUSAGE_SELF, &usage);
	printf("%.3f %.0f\n", taken * each, (double)usage.ru_maxrss / 1024);
	return 0;
}
