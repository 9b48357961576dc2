/*
 * How long it takes, and how much memory, to read a profile:
 *
 *	read_profile <file> [<format> <output>]
 *
 * The output is the profile written in <format> ("pprof-raw": not gzipped).
 */
#include "base/reader/reader.h"
#include "codec/codec.h"
#include "codec/pprof/pprof.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void fail(const struct pn_error *err)
{
	fprintf(stderr, "fatal: %s\n", err->message);
	exit(128);
}

static void print_figures(const struct pn_profile *p, double seconds)
{
	struct rusage usage;
	size_t type, i;

	getrusage(RUSAGE_SELF, &usage);
	printf("read_s %.4f\nmax_rss_mb %.1f\n", seconds,
	       (double)usage.ru_maxrss / 1024);
	printf("samples %zu\nframes %zu\nlocations %zu\nfunctions %zu\n",
	       p->sample_count, p->frame_count, p->location_count,
	       p->function_count);
	printf("label_sets %zu\ncomplete %d\n", p->label_set_count,
	       p->complete);
	for (type = 0; type < p->type_count; type++) {
		int64_t sum = 0;

		for (i = 0; i < p->sample_count; i++)
			sum += p->values[i * p->type_count + type].i;
		printf("total %s %" PRId64 " %s\n",
		       pn_profile_text(p, p->types[type].type), sum,
		       pn_profile_text(p, p->types[type].unit));
	}
}

static int write_as(const struct pn_profile *p, const char *format,
		    const char *path, struct pn_error *err)
{
	const struct pn_codec *codec;
	struct pn_buf out = {0};
	double start = now();
	FILE *file;
	int code;

	if (!strcmp(format, "pprof-raw")) {
		code = pn_pprof_encode(&out, p, err);
	} else {
		codec = pn_codec_find(format, err);
		code = codec ? codec->write(&out, p, err) : err->code;
	}
	if (!code) {
		printf("write_s %.4f\n", now() - start);
		file = fopen(path, "w");
		if (!file || fwrite(out.data, 1, out.len, file) != out.len ||
		    fclose(file))
			code = pn_error_system(err, "cannot write '%s'", path);
	}
	pn_buf_release(&out);
	return code;
}

int main(int argc, char **argv)
{
	struct pn_reader *in = NULL;
	struct pn_profile p;
	struct pn_error err;
	double start = now();

	if (argc < 2)
		return 129;
	if (pn_reader_open(&in, argv[1], 0, &err) ||
	    pn_codec_read(&p, NULL, NULL, in, &err))
		fail(&err);
	print_figures(&p, now() - start);
	if (argc > 3 && write_as(&p, argv[2], argv[3], &err))
		fail(&err);
	pn_profile_release(&p);
	pn_reader_free(in);
	return 0;
}
