/*
 * fio's JSON (--output-format=json): what each job read, wrote and trimmed a
 * second, and how long it waited for each. Jobs of one name are the values of
 * one. fio(1), "output-format".
 */
#include "codec/bench/bench.h"
#include "codec/codec.h"
#include "codec/json/sniff.h"

#include <math.h>

/* A member of an object as a value of "<name> <what>". */
static int add_member(struct pn_bench *bench, const char *name,
		      const char *what, const char *unit, enum pn_better better,
		      const struct pn_document *object, const char *member,
		      struct pn_error *err)
{
	struct pn_buf full = {0};
	double value = NAN;
	int code = pn_document_number(&value, object, member, err);

	if (code || isnan(value))
		return code;
	pn_buf_printf(&full, "%s %s", name, what);
	code = pn_bench_add(bench, pn_buf_text(&full), unit, better, value,
			    err);
	pn_buf_release(&full);
	return code;
}

/* From submission to completion. */
static int add_latency(struct pn_bench *bench, const char *name,
		       const struct pn_document *io, struct pn_error *err)
{
	struct pn_document clat = {0}, percentiles = {0};
	int code = pn_document_object(&clat, io, "clat_ns", err);

	if (code || !clat.json)
		return code;
	code = add_member(bench, name, "clat mean", "ns", PN_BETTER_LESS, &clat,
			  "mean", err);
	if (!code)
		code = pn_document_object(&percentiles, &clat, "percentile",
					  err);
	if (code || !percentiles.json)
		return code;
	code = add_member(bench, name, "clat p50", "ns", PN_BETTER_LESS,
			  &percentiles, "50.000000", err);
	if (code)
		return code;
	return add_member(bench, name, "clat p99", "ns", PN_BETTER_LESS,
			  &percentiles, "99.000000", err);
}

static int read_io(struct pn_bench *bench, const char *name,
		   const struct pn_document *job, const char *what,
		   struct pn_error *err)
{
	struct pn_document io = {0};
	struct pn_buf full = {0};
	int64_t count = 0;
	int code = pn_document_object(&io, job, what, err);

	if (!code && io.json)
		code = pn_document_int(&count, &io, "total_ios", err);
	if (code || count <= 0)
		return code;
	pn_buf_printf(&full, "%s %s", name, what);
	code = add_member(bench, pn_buf_text(&full), "iops", "ops/s",
			  PN_BETTER_MORE, &io, "iops", err);
	if (!code)
		code = add_member(bench, pn_buf_text(&full), "bw", "bytes/s",
				  PN_BETTER_MORE, &io, "bw_bytes", err);
	if (!code)
		code = add_latency(bench, pn_buf_text(&full), &io, err);
	pn_buf_release(&full);
	return code;
}

static int read_job(struct pn_bench *bench, const struct pn_document *job,
		    struct pn_error *err)
{
	static const char *const kinds[] = {"read", "write", "trim"};
	const char *name = "";
	int64_t failed = 0;
	size_t i;
	int code = pn_document_text(&name, job, "jobname", err);

	if (!code)
		code = pn_document_int(&failed, job, "error", err);
	if (code || failed)
		return code;
	if (!*name)
		return pn_document_fail(job, err, "expected a jobname");
	for (i = 0; !code && i < sizeof(kinds) / sizeof(*kinds); i++)
		code = read_io(bench, name, job, kinds[i], err);
	return code;
}

static int read_jobs(struct pn_bench *bench, const struct pn_document *root,
		     struct pn_error *err)
{
	struct pn_document list = {0}, item = {0};
	int code = pn_document_array(&list, root, "jobs", err);

	while (!code && pn_document_next(&item, &list))
		code = read_job(bench, &item, err);
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	return pn_bench_read_object(out, in, read_jobs, "jobs that did I/O",
				    err);
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	return pn_json_sniff_object(bytes, len) &&
			       pn_json_sniff_key(bytes, len, "fio version")
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_fio = {
	.name = "fio",
	.summary = "fio's JSON: I/O a second, latency",
	.languages = "any",
	.made_by = "fio --output-format=json --output=<file>",
	.sniffed_by = "\"fio version\"",
	.suffix = ".json",
	.sniff = sniff,
	.first = PN_FIRST_OBJECT,
	.read = read_profile,
};
