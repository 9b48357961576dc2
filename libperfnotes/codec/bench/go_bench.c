/*
 * What `go test -bench` prints: a line a run of a benchmark, with pairs of
 * value and unit. Other lines (logs, ok, PASS) are passed over.
 * golang.org/design/14313-benchmark-format.
 */
#include "base/number.h"
#include "codec/bench/bench.h"
#include "codec/codec.h"

#include <ctype.h>
#include <string.h>

/* Units of the testing package; others are a program's own. */
static void name_unit(const char **unit, enum pn_better *better,
		      const char *text)
{
	size_t len = strlen(text);

	*better = PN_BETTER_LESS;
	*unit = text;
	if (!strcmp(text, "ns/op"))
		*unit = "ns";
	else if (!strcmp(text, "B/op"))
		*unit = "bytes";
	else if (!strcmp(text, "allocs/op"))
		*unit = "count";
	else if (len > 2 && !strcmp(text + len - 2, "/s"))
		*better = PN_BETTER_MORE;
	else
		*better = PN_BETTER_UNKNOWN;
}

static int take_pair(struct pn_bench *bench, const struct pn_scan *name,
		     double value, const struct pn_scan *unit_text,
		     struct pn_error *err)
{
	struct pn_buf full = {0}, what = {0};
	enum pn_better better;
	const char *unit;
	int code;

	pn_scan_copy(&what, unit_text);
	pn_scan_copy(&full, name);
	pn_buf_printf(&full, " %s", pn_buf_text(&what));
	name_unit(&unit, &better, pn_buf_text(&what));
	code = pn_bench_add(bench, pn_buf_text(&full), unit, better, value,
			    err);
	pn_buf_release(&full);
	pn_buf_release(&what);
	return code;
}

static bool whole_double(double *out, const struct pn_scan *word)
{
	return pn_number_double(out, word->at, pn_scan_left(word));
}

/* "BenchmarkName-8  20 ", the name and what comes behind. */
static bool is_result(struct pn_scan *name, struct pn_scan *line)
{
	struct pn_scan word;
	uint64_t iterations;

	if (!pn_scan_begins(line, "Benchmark") || !pn_scan_word(name, line) ||
	    pn_scan_left(name) == 9 || islower((unsigned char)name->at[9]))
		return false;
	return pn_scan_word(&word, line) &&
	       pn_number_uint(&iterations, word.at, pn_scan_left(&word));
}

static const char *const facts[] = {"goos: ", "goarch: ", "pkg: ", "cpu: "};

static bool take_fact(struct pn_profile *p, struct pn_scan *line)
{
	struct pn_buf key = {0}, value = {0};
	bool taken = false;
	size_t i;

	for (i = 0; !taken && i < sizeof(facts) / sizeof(*facts); i++) {
		taken = pn_scan_text(line, facts[i]);
		if (!taken || memchr(line->at, 0, pn_scan_left(line)))
			continue;
		pn_buf_add(&key, facts[i], strlen(facts[i]) - 2);
		pn_profile_set_label(p, pn_buf_text(&key),
				     pn_scan_copy(&value, line));
	}
	pn_buf_release(&key);
	pn_buf_release(&value);
	return taken;
}

/* "BenchmarkName-8  20  123 ns/op  4 B/op": anything else is no result. */
static int take_line(struct pn_bench *bench, void *state, struct pn_scan *line,
		     struct pn_error *err)
{
	struct pn_scan name, number, unit;
	double value;
	int code = 0;

	(void)state;
	if (take_fact(bench->profile, line) || !is_result(&name, line))
		return 0;
	while (!code && pn_scan_word(&number, line) &&
	       whole_double(&value, &number) && pn_scan_word(&unit, line))
		code = take_pair(bench, &name, value, &unit, err);
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	return pn_bench_read_lines(out, in, NULL, take_line,
				   "a line 'Benchmark<name> <n> <value> "
				   "<unit>'",
				   err);
}

/* A line of results, or the facts that stand above them. */
static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan rest = pn_scan_of((const char *)bytes, len);
	struct pn_scan line, name, unit;
	enum pn_sniff best = PN_SNIFF_NO;

	if (!pn_scan_has(&rest, "Benchmark") && !pn_scan_has(&rest, ": "))
		return PN_SNIFF_NO;
	while (pn_scan_line(&line, &rest)) {
		if (pn_scan_begins(&line, facts[0]) ||
		    pn_scan_begins(&line, facts[1]))
			best = PN_SNIFF_LIKELY;
		if (is_result(&name, &line) && pn_scan_word(&name, &line) &&
		    pn_scan_word(&unit, &line) && pn_scan_left(&unit) > 2 &&
		    memchr(unit.at, '/', pn_scan_left(&unit)))
			return PN_SNIFF_SURE;
	}
	return best;
}

const struct pn_codec pn_codec_go_bench = {
	.name = "go-bench",
	.summary = "what go test -bench prints",
	.languages = "go",
	.made_by = "go test -bench=.",
	.sniffed_by = "lines of 'Benchmark<name> <n> <value> <unit>/op'",
	.suffix = ".txt",
	.sniff = sniff,
	.read = read_profile,
};
