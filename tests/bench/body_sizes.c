/*
 * What a series of profiles takes as canonical bodies, and how long:
 *
 *	body_sizes <suffix> <stream> <file>...
 *
 * Each file's body is written as git would have it, one commit each at
 * objects/<2>/<38><suffix>, as a stream for git fast-import into <stream>.
 * Figures, per profile, go to stdout; body_sizes.sh adds those of the pack.
 */
#include "base/alloc.h"
#include "base/deflate.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/reader/reader.h"
#include "body/body.h"
#include "codec/codec.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct body {
	struct pn_buf bytes;
	struct pn_oid oid;
	struct pn_body_info info;
	size_t base; /* number of the base body, of a delta */
};

struct figures {
	double read_s, encode_s, sequence_s, random_s, random_max_s, gunzip_s;
	double key_s;
	size_t keys, key_bytes, loose, raw, steps, steps_max;
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void check(int code, const struct pn_error *err)
{
	if (!code)
		return;
	fprintf(stderr, "fatal: %s\n", err->message);
	exit(128);
}

/* The profile of a file; how long reading, and gunzip alone, take. */
static void read_file(struct pn_profile *out, struct figures *f,
		      const char *path)
{
	struct pn_error err;
	struct pn_reader *in;
	struct pn_buf raw = {0};
	double start = now();

	check(pn_reader_open(&in, path, 0, &err), &err);
	check(pn_reader_rest(&raw, in, UINT64_MAX, &err), &err);
	f->gunzip_s += now() - start;
	pn_buf_release(&raw);
	pn_reader_free(in);
	start = now();
	check(pn_reader_open(&in, path, 0, &err), &err);
	check(pn_codec_read(out, NULL, NULL, in, &err), &err);
	f->read_s += now() - start;
	pn_reader_free(in);
}

/* Bytes as a loose object at git's default level for them. */
static size_t loose_size(const struct pn_buf *bytes)
{
	struct pn_buf out = {0};
	char head[32];
	int len = snprintf(head, sizeof(head), "blob %zu", bytes->len);
	size_t size;

	if (pn_deflate_zlib(&out, head, (size_t)len + 1, bytes->data,
			    bytes->len, 1))
		exit(128);
	size = out.len;
	pn_buf_release(&out);
	return size;
}

static size_t find_base(const struct body *bodies, size_t i)
{
	size_t base = i;

	while (base-- > 0)
		if (pn_oid_equal(&bodies[base].oid, &bodies[i].info.base))
			return base;
	fprintf(stderr, "fatal: body %zu has a base that is not there\n", i);
	exit(128);
}

static void encode_one(struct body *bodies, size_t i,
		       struct pn_body_state **state, struct figures *f,
		       const char *path)
{
	struct pn_body_state *next;
	struct pn_profile profile;
	struct body *b = &bodies[i];
	struct pn_error err;
	double start;

	read_file(&profile, f, path);
	start = now();
	check(pn_body_encode(&b->bytes, &next, &profile, *state,
			     i ? &bodies[i - 1].oid : NULL, &err),
	      &err);
	f->encode_s += now() - start;
	pn_body_state_free(*state);
	*state = next;
	pn_profile_release(&profile);
	pn_hash_git_object(&b->oid, "blob", b->bytes.data, b->bytes.len);
	check(pn_body_info(&b->info, b->bytes.data, b->bytes.len, &err), &err);
	if (b->info.is_delta)
		b->base = find_base(bodies, i);
	f->keys += !b->info.is_delta;
	if (!b->info.is_delta)
		f->key_bytes += loose_size(&b->bytes);
	f->loose += loose_size(&b->bytes);
	f->raw += b->bytes.len;
}

static struct pn_body_state *decode(const struct body *b,
				    const struct pn_body_state *base)
{
	struct pn_body_state *state;
	struct pn_error err;

	check(pn_body_decode(&state, b->bytes.data, b->bytes.len, base, &err),
	      &err);
	return state;
}

/* As a reader of one profile does: from its key on, then the profile. */
static void decode_alone(const struct body *bodies, size_t i, struct figures *f)
{
	size_t chain[PN_BODY_CHAIN_MAX + 1], n = 0, steps;
	struct pn_body_state *state = NULL, *next;
	struct pn_profile profile = {0};
	struct pn_error err;
	double start = now(), took;

	for (chain[n++] = i; bodies[i].info.is_delta; chain[n++] = i)
		i = bodies[i].base;
	steps = n - 1;
	while (n) {
		next = decode(&bodies[chain[--n]], state);
		pn_body_state_free(state);
		state = next;
	}
	check(pn_body_profile(&profile, state, &err), &err);
	took = now() - start;
	pn_body_state_free(state);
	pn_profile_release(&profile);
	f->random_s += took;
	if (took > f->random_max_s)
		f->random_max_s = took;
	if (!steps)
		f->key_s += took;
	f->steps += steps;
	if (steps > f->steps_max)
		f->steps_max = steps;
}

/* As a reader of all does, each state from the last; states alone. */
static void decode_in_sequence(const struct body *bodies, size_t n,
			       struct figures *f)
{
	struct pn_body_state *state = NULL, *next;
	double start = now();
	size_t i;

	for (i = 0; i < n; i++) {
		const struct pn_body_state *base = NULL;

		if (bodies[i].info.is_delta)
			base = pn_body_state_find(state, &bodies[i].info.base);
		next = decode(&bodies[i], base ? base : state);
		pn_body_state_free(state);
		state = next;
	}
	f->sequence_s = now() - start;
	pn_body_state_free(state);
}

static void write_stream(FILE *to, const struct body *bodies, size_t n,
			 const char *suffix)
{
	char hex[PN_OID_HEX + 1];
	size_t i;

	for (i = 0; i < n; i++) {
		pn_oid_hex(hex, &bodies[i].oid);
		fprintf(to,
			"commit refs/heads/main\n"
			"committer a <a@b> %zu +0000\ndata 0\n\n"
			"M 100644 inline objects/%.2s/%s%s\ndata %zu\n",
			1000000000 + i, hex, hex + 2, suffix,
			bodies[i].bytes.len);
		fwrite(bodies[i].bytes.data, 1, bodies[i].bytes.len, to);
		fputc('\n', to);
	}
}

static void print_figures(const struct figures *f, size_t n)
{
	double each = 1e3 / (double)n;

	printf("profiles %zu, keys %zu of %zu bytes loose\n", n, f->keys,
	       f->keys ? f->key_bytes / f->keys : 0);
	printf("raw_bytes %zu\nloose_bytes %zu\n", f->raw / n, f->loose / n);
	printf("steps %.1f, at most %zu\n", (double)f->steps / (double)n,
	       f->steps_max);
	printf("encode_ms %.3f\n", f->encode_s * each);
	printf("decode_alone_ms %.3f, at most %.3f, of keys %.3f\n",
	       f->random_s * each, f->random_max_s * 1e3,
	       f->keys ? f->key_s * 1e3 / (double)f->keys : 0.);
	printf("decode_in_sequence_ms %.3f\n", f->sequence_s * each);
	printf("gunzip_ms %.3f\nread_ms %.3f\n", f->gunzip_s * each,
	       f->read_s * each);
}

int main(int argc, char **argv)
{
	size_t i, n = argc > 3 ? (size_t)argc - 3 : 0;
	struct body *bodies = pn_calloc(n, sizeof(*bodies));
	struct pn_body_state *state = NULL;
	struct figures f = {0};
	FILE *to;

	if (!n) {
		fputs("usage: body_sizes <suffix> <stream> <file>...\n",
		      stderr);
		return 129;
	}
	for (i = 0; i < n; i++)
		encode_one(bodies, i, &state, &f, argv[3 + i]);
	pn_body_state_free(state);
	for (i = 0; i < n; i++)
		decode_alone(bodies, i, &f);
	decode_in_sequence(bodies, n, &f);
	print_figures(&f, n);
	to = fopen(argv[2], "wb");
	if (!to) {
		perror(argv[2]);
		return 128;
	}
	write_stream(to, bodies, n, argv[1]);
	if (fclose(to)) {
		perror(argv[2]);
		return 128;
	}
	for (i = 0; i < n; i++)
		pn_buf_release(&bodies[i].bytes);
	free(bodies);
	return 0;
}
