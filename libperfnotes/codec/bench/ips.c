/*
 * benchmark-ips of Ruby: iterations a second of each report, as text, where
 * they have three or four digits, or as JSON (x.json!).
 * github.com/evanphx/benchmark-ips, lib/benchmark/ips/report.rb and job.rb.
 */
#include "codec/bench/bench.h"
#include "codec/codec.h"
#include "codec/json/sniff.h"

#include <math.h>
#include <string.h>

static int read_report(struct pn_bench *bench, const struct pn_document *report,
		       struct pn_error *err)
{
	static const struct pn_bench_figures names = {
		.mean = "central_tendency", .sd = "stddev"};
	struct pn_summary figures;
	const char *name = "";
	int code = pn_document_text(&name, report, "name", err);

	if (!code && !*name)
		code = pn_document_fail(report, err, "expected a name");
	if (!code)
		code = pn_bench_read_figures(&figures, report, &names, err);
	if (!code && isnan(figures.mean)) /* before 2.8 */
		code = pn_document_number(&figures.mean, report, "ips", err);
	return code ? code
		    : pn_bench_add_figures(bench, name, "i/s", PN_BETTER_MORE,
					   figures, err);
}

static int read_list(struct pn_bench *bench, const struct pn_document *root,
		     struct pn_error *err)
{
	struct pn_document item = {0};
	int code = 0;

	while (!code && pn_document_next(&item, root))
		code = read_report(bench, &item, err);
	return code;
}

/* "38.487k": a thousand each letter. */
static bool take_scaled(double *out, struct pn_scan *s)
{
	static const char letters[] = "kMBTQ";
	const char *at;
	double scale = 1;

	if (!pn_scan_number(out, s))
		return false;
	if (s->at < s->end && *s->at && (at = strchr(letters, *s->at))) {
		s->at++;
		for (; at >= letters; at--)
			scale *= 1000;
	}
	*out *= scale;
	return true;
}

/* "   sort     38.487k (±17.3%) i/s - ...": the name, then the number. */
static bool is_report(struct pn_scan *name, double *value, struct pn_scan *line)
{
	struct pn_scan before, number;

	/* the sign is Latin-1 or UTF-8, as the terminal is */
	if (!pn_scan_until(&before, line, " (") ||
	    !pn_scan_until(&number, line, "%) i/s"))
		return false;
	pn_scan_trim(&before);
	number = before;
	while (number.at < number.end && number.end[-1] != ' ')
		number.end--;
	*name = (struct pn_scan){before.at, number.end};
	number = (struct pn_scan){number.end, before.end};
	pn_scan_trim(name);
	return pn_scan_left(name) && take_scaled(value, &number) &&
	       !pn_scan_left(&number);
}

static int take_line(struct pn_bench *bench, void *state, struct pn_scan *line,
		     struct pn_error *err)
{
	struct pn_scan name;
	double value;

	(void)state;
	return is_report(&name, &value, line)
		       ? pn_bench_add_scan(bench, &name, "i/s", PN_BETTER_MORE,
					   value, err)
		       : 0;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	const unsigned char *bytes;
	size_t have;
	int code = pn_reader_peek(&bytes, &have, in, 64, err);

	if (code)
		return code;
	if (pn_json_sniff_array(bytes, have))
		return pn_bench_read_list(out, in, read_list,
					  "reports with central_tendency", err);
	return pn_bench_read_lines(out, in, NULL, take_line,
				   "a line '<name> <number> (+-<n>%) i/s'",
				   err);
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan rest = pn_scan_of((const char *)bytes, len), line, name;
	double value;

	if (pn_json_sniff_array(bytes, len))
		return pn_json_sniff_key(bytes, len, "ips") &&
				       pn_json_sniff_key(bytes, len,
							 "microseconds")
			       ? PN_SNIFF_SURE
			       : PN_SNIFF_NO;
	if (!pn_scan_has(&rest, "%) i/s"))
		return PN_SNIFF_NO;
	while (pn_scan_line(&line, &rest))
		if (is_report(&name, &value, &line))
			return PN_SNIFF_SURE;
	return PN_SNIFF_NO;
}

const struct pn_codec pn_codec_ips = {
	.name = "benchmark-ips",
	.summary = "benchmark-ips of Ruby, its text or JSON",
	.languages = "ruby",
	.made_by = "Benchmark.ips { |x| x.json! '<file>' }, or what it prints",
	.sniffed_by = "lines of '%) i/s', or a list with \"ips\"",
	.suffix = ".json",
	.sniff = sniff,
	.read = read_profile,
};
