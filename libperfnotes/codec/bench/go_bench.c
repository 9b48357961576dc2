/*
 * What `go test -bench` prints: a line a run of a benchmark, with pairs of
 * value and unit. Other lines (logs, ok, PASS) are passed over.
 * golang.org/design/14313-benchmark-format.
 */
#include "base/number.h"
#include "base/reader/lines.h"
#include "codec/bench/bench.h"
#include "codec/codec.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The next field of a line, [*at, end of field); 0 when there is none. */
static size_t next_field(const char **at, const char *end)
{
	const char *field;

	while (*at < end && (**at == ' ' || **at == '\t'))
		(*at)++;
	for (field = *at; field < end && *field != ' ' && *field != '\t';)
		field++;
	return (size_t)(field - *at);
}

static bool begins(const char *at, const char *end, const char *text)
{
	size_t len = strlen(text);

	return (size_t)(end - at) >= len && !memcmp(at, text, len);
}

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

static int take_pair(struct pn_bench *bench, const char *name, size_t name_len,
		     double value, const char *text, size_t len,
		     struct pn_error *err)
{
	struct pn_buf full = {0}, what = {0};
	enum pn_better better;
	const char *unit;
	int code;

	pn_buf_add(&what, text, len);
	pn_buf_add(&full, name, name_len);
	pn_buf_printf(&full, " %s", pn_buf_text(&what));
	name_unit(&unit, &better, pn_buf_text(&what));
	code = pn_bench_add(bench, pn_buf_text(&full), unit, better, value,
			    err);
	pn_buf_release(&full);
	pn_buf_release(&what);
	return code;
}

/* "BenchmarkName-8  20  123 ns/op  4 B/op": anything else is no result. */
static int take_line(struct pn_bench *bench, const char *at, const char *end,
		     struct pn_error *err)
{
	const char *name = at, *number;
	size_t name_len = next_field(&at, end), len;
	uint64_t iterations;
	double value;

	if (!begins(name, end, "Benchmark") || name_len == 9 ||
	    islower((unsigned char)name[9]))
		return 0;
	at += name_len;
	len = next_field(&at, end);
	if (!pn_number_uint(&iterations, at, len))
		return 0;
	for (at += len; (len = next_field(&at, end)) > 0; at += len) {
		number = at;
		if (!pn_number_double(&value, number, len))
			return 0;
		at += len;
		len = next_field(&at, end);
		if (!len)
			return 0;
		if (take_pair(bench, name, name_len, value, at, len, err))
			return err->code;
	}
	return 0;
}

static void take_fact(struct pn_profile *p, const char *at, const char *end)
{
	static const char *const keys[] = {
		"goos: ", "goarch: ", "pkg: ", "cpu: "};
	struct pn_buf key = {0}, value = {0};
	size_t i, len;

	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (!begins(at, end, keys[i]))
			continue;
		len = strlen(keys[i]);
		pn_buf_add(&key, keys[i], len - 2);
		pn_buf_add(&value, at + len, (size_t)(end - at) - len);
		if (!memchr(value.data ? (char *)value.data : "", 0, value.len))
			pn_profile_set_label(p, pn_buf_text(&key),
					     pn_buf_text(&value));
	}
	pn_buf_release(&key);
	pn_buf_release(&value);
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct pn_lines lines = {.in = in};
	struct pn_bench bench = {0};
	const char *line;
	size_t len;
	int code;

	while (!(code = pn_lines_next(&line, &len, &lines, err)) && line) {
		take_fact(out, line, line + len);
		code = take_line(&bench, line, line + len, err);
		if (code)
			break;
	}
	if (!code)
		code = pn_bench_finish(out, &bench,
				       "a line 'Benchmark<name> <n> <value> "
				       "<unit>'",
				       err);
	out->complete = false; /* iterations, other lines */
	pn_bench_release(&bench);
	return code;
}

/* A line of results, or the facts that stand above them. */
static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	const char *at = (const char *)bytes, *end = at + len, *lf;
	enum pn_sniff best = PN_SNIFF_NO;

	for (; at < end; at = lf + 1) {
		const char *field = at;
		uint64_t n;
		size_t width;

		lf = memchr(at, '\n', (size_t)(end - at));
		if (!lf)
			lf = end;
		if (begins(at, lf, "goos: ") || begins(at, lf, "goarch: "))
			best = PN_SNIFF_LIKELY;
		if (!begins(at, lf, "Benchmark"))
			continue;
		field += next_field(&field, lf);
		width = next_field(&field, lf);
		if (!pn_number_uint(&n, field, width))
			continue;
		field += width;
		field += next_field(&field, lf);
		width = next_field(&field, lf);
		if (width > 2 && memchr(field, '/', width))
			return PN_SNIFF_SURE;
	}
	return best;
}

const struct pn_codec pn_codec_go_bench = {
	.name = "go-bench",
	.summary = "what go test -bench prints",
	.sniffed_by = "lines of 'Benchmark<name> <n> <value> <unit>/op'",
	.suffix = ".txt",
	.sniff = sniff,
	.read = read_profile,
};
