/*
 * What the lowest layer costs:
 *
 *	bench_base read <file>     through the reader's window, gunzipped
 *	bench_base inflate <file>  one gzip member by inflate alone
 *	bench_base json <file>     all events of a document
 *	bench_base sha256          100,000 hashes of 300 bytes
 *	bench_base number          200,000 doubles written and read back
 *
 * Prints seconds of CPU and MB/s; `gzip -dc <file> >/dev/null` is the peer of
 *read.
 */
#include "base/deflate.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json/json.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void check(int code, const struct pn_error *err)
{
	if (!code)
		return;
	fprintf(stderr, "fatal: %s\n", err->message);
	exit(128);
}

static uint64_t read_all(const char *path)
{
	struct pn_error err;
	const unsigned char *at;
	struct pn_reader *in;
	uint64_t total;
	size_t have;

	check(pn_reader_open(&in, path, 0, &err), &err);
	do {
		check(pn_reader_peek(&at, &have, in, 1, &err), &err);
		pn_reader_consume(in, have);
	} while (have);
	total = pn_reader_offset(in);
	pn_reader_free(in);
	return total;
}

static uint64_t inflate_all(const char *path)
{
	static unsigned char window[PN_READER_WINDOW];
	struct pn_inflater *inflater = pn_inflater_new();
	const unsigned char *in, *end;
	struct pn_buf file = {0};
	struct pn_error err;
	uint64_t total = 0;
	bool done = false;

	check(pn_file_read(&file, path, UINT32_MAX, &err), &err);
	in = file.data;
	end = in + file.len;
	while (!done) {
		unsigned char *to = window;

		check(pn_inflater_run(&done, inflater, &in, end, &to,
				      window + sizeof(window), &err),
		      &err);
		total += (uint64_t)(to - window);
	}
	pn_inflater_free(inflater);
	pn_buf_release(&file);
	return total;
}

static uint64_t read_json(const char *path)
{
	enum pn_json_event event = PN_JSON_NULL;
	struct pn_error err;
	struct pn_reader *in;
	struct pn_json *json;
	uint64_t total;

	check(pn_reader_open(&in, path, 0, &err), &err);
	json = pn_json_new(in);
	while (event != PN_JSON_END)
		check(pn_json_next(&event, json, &err), &err);
	total = pn_reader_offset(in);
	pn_json_free(json);
	pn_reader_free(in);
	return total;
}

static uint64_t hash_many(void)
{
	unsigned char bytes[300] = {0}, hash[32];
	int i;

	for (i = 0; i < 100000; i++) {
		pn_hash_sha256(hash, bytes, sizeof(bytes));
		memcpy(bytes, hash, sizeof(hash));
	}
	return 100000 * sizeof(bytes);
}

static uint64_t number_many(void)
{
	char text[PN_NUMBER_TEXT];
	uint64_t total = 0;
	double value, back;
	int i;

	for (i = 1; i <= 200000; i++) {
		value = i & 1 ? i / 1000.0 : sqrt(i);
		total += pn_number_write(text, value, false);
		if (!pn_number_double(&back, text, strlen(text)) ||
		    back != value)
			exit(1);
	}
	return total;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	const char *path = argc > 2 ? argv[2] : "";
	double begin = now();
	uint64_t bytes;

	if (!strcmp(what, "read"))
		bytes = read_all(path);
	else if (!strcmp(what, "inflate"))
		bytes = inflate_all(path);
	else if (!strcmp(what, "json"))
		bytes = read_json(path);
	else if (!strcmp(what, "sha256"))
		bytes = hash_many();
	else if (!strcmp(what, "number"))
		bytes = number_many();
	else
		return 129;
	begin = now() - begin;
	printf("%s %.4f s, %.1f MB, %.1f MB/s\n", what, begin,
	       (double)bytes / 1e6, (double)bytes / 1e6 / begin);
	return 0;
}
