/*
 * CSV of two libraries of Haskell: criterion (--csv), in seconds, and
 * tasty-bench (--csv), in picoseconds, with what was allocated with +RTS -T.
 * hackage.haskell.org/package/criterion, /package/tasty-bench.
 */
#include "base/alloc.h"
#include "base/number.h"
#include "codec/bench/any/columns.h"
#include "codec/codec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CRITERION "Name,Mean,MeanLB,MeanUB,Stddev"
#define TASTY "Name,Mean (ps),2*Stdev (ps)"

struct state {
	struct pn_row row;
	bool tasty, has_head, has_allocated;
};

static bool number_of(double *out, const struct pn_row *row, size_t column)
{
	const char *text = pn_row_field(row, column);

	return pn_number_double(out, text, strlen(text)) && isfinite(*out);
}

static int add_allocated(struct pn_bench *bench, const struct pn_row *row,
			 struct pn_error *err)
{
	struct pn_buf name = {0};
	double bytes;
	int code;

	if (!number_of(&bytes, row, 3))
		return 0;
	pn_buf_printf(&name, "%s allocated", pn_row_field(row, 0));
	code = pn_bench_add(bench, pn_buf_text(&name), "bytes", PN_BETTER_LESS,
			    bytes, err);
	pn_buf_release(&name);
	return code;
}

static int add_row(struct pn_bench *bench, const struct state *s,
		   struct pn_error *err)
{
	struct pn_summary figures = {0, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	const struct pn_row *row = &s->row;
	int code;

	if (!number_of(&figures.mean, row, 1))
		return pn_error_set(err, PN_EINVAL,
				    "expected a mean in the second column");
	if (!number_of(&figures.sd, row, s->tasty ? 2 : 4))
		figures.sd = NAN;
	if (s->tasty) { /* two deviations, in picoseconds */
		figures.mean /= 1000;
		figures.sd /= 2000;
	}
	code = pn_bench_add_figures(bench, pn_row_field(row, 0),
				    s->tasty ? "ns" : "seconds", PN_BETTER_LESS,
				    figures, err);
	return code || !s->has_allocated ? code
					 : add_allocated(bench, row, err);
}

/* Several runs in one file each have their head. */
static int take_line(struct pn_bench *bench, void *user, struct pn_scan *line,
		     struct pn_error *err)
{
	struct state *s = user;
	struct pn_scan rest = *line;
	int code;

	if (pn_scan_begins(line, CRITERION) || pn_scan_text(&rest, TASTY)) {
		s->tasty = pn_scan_begins(line, TASTY);
		s->has_allocated =
			s->tasty && pn_scan_begins(&rest, ",Allocated");
		s->has_head = true;
		return 0;
	}
	if (!pn_scan_left(line))
		return 0;
	if (!s->has_head)
		return pn_error_set(err, PN_EINVAL,
				    "expected '" CRITERION "' or '" TASTY "'");
	code = pn_row_read(&s->row, *line, ',', err);
	return code ? code : add_row(bench, s, err);
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct state *s = pn_calloc(1, sizeof(*s));
	int code = pn_bench_read_lines(out, in, s, take_line,
				       "a row below the head", err);

	pn_buf_release(&s->row.text);
	free(s);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan s = pn_scan_of((const char *)bytes, len);

	return pn_scan_begins(&s, CRITERION) || pn_scan_begins(&s, TASTY)
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_haskell_csv = {
	.name = "haskell-csv",
	.summary = "criterion or tasty-bench of Haskell, CSV",
	.languages = "haskell",
	.made_by = "<benchmarks> --csv <file> (criterion, tasty-bench, gauge)",
	.sniffed_by = "its head, 'Name,Mean,MeanLB' or 'Name,Mean (ps)'",
	.suffix = ".csv",
	.sniff = sniff,
	.read = read_profile,
};
