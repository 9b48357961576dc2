/*
 * What Rust's own benchmarks print (#[bench]): the median of an iteration, and
 * bytes a second where the benchmark says how many it has.
 * doc.rust-lang.org/unstable-book/library-features/test.html;
 * library/test/src/bench.rs: fmt_bench_samples.
 */
#include "codec/bench/bench.h"
#include "codec/codec.h"

static bool is_result(struct pn_scan *name, struct pn_scan *line)
{
	return pn_scan_text(line, "test ") &&
	       pn_scan_until(name, line, " ... bench:");
}

static int take_line(struct pn_bench *bench, void *state, struct pn_scan *line,
		     struct pn_error *err)
{
	struct pn_scan name, before;
	double ns, rate;
	int code;

	(void)state;
	if (!is_result(&name, line))
		return 0;
	pn_scan_trim(&name);
	if (!pn_scan_left(&name) || !pn_scan_number(&ns, line) ||
	    !pn_scan_text(line, " ns/iter"))
		return pn_error_set(err, PN_EINVAL,
				    "expected a name, and 'ns/iter' behind a "
				    "number");
	code = pn_bench_add_scan(bench, &name, "ns", PN_BETTER_LESS, ns, err);
	if (!code && pn_scan_until(&before, line, " = ") &&
	    pn_scan_number(&rate, line) && pn_scan_text(line, " MB/s"))
		code = pn_bench_add_scan(bench, &name, "MB/s", PN_BETTER_MORE,
					 rate, err);
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	return pn_bench_read_lines(out, in, NULL, take_line,
				   "a line 'test <name> ... bench: <n> "
				   "ns/iter'",
				   err);
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan rest = pn_scan_of((const char *)bytes, len), line, name;

	if (!pn_scan_has(&rest, "... bench:"))
		return PN_SNIFF_NO;
	while (pn_scan_line(&line, &rest))
		if (is_result(&name, &line))
			return PN_SNIFF_SURE;
	return PN_SNIFF_NO;
}

const struct pn_codec pn_codec_libtest = {
	.name = "libtest",
	.summary = "what benchmarks of Rust's test library print",
	.languages = "rust",
	.made_by = "cargo +nightly bench",
	.sniffed_by = "lines of 'test <name> ... bench:'",
	.suffix = ".txt",
	.sniff = sniff,
	.read = read_profile,
};
