/*
 * What divan of Rust prints: a tree of benchmarks with their fastest, slowest,
 * median and mean time. Rows below a benchmark (bytes and items a second,
 * allocations) are passed over. nikolaivazquez.com/blog/divan, docs.rs/divan;
 * src/tree_painter.rs and src/time/fine_duration.rs of github.com/nvzqz/divan.
 */
#include "codec/bench/bench.h"
#include "codec/codec.h"

#include <math.h>

#define BAR "\342\224\202"		   /* a line that goes on */
#define BRANCH "\342\224\234\342\224\200 " /* a child */
#define LAST "\342\225\260\342\224\200 "   /* the last child */
#define DEPTH_MAX 64

struct state {
	struct pn_buf path;	      /* "crate > group > " */
	size_t before[DEPTH_MAX + 1]; /* its length without a row so deep */
	bool has_head;
};

/* "string         fastest       | slowest       | median": the crate. */
static bool is_head(struct pn_scan *name, struct pn_scan line)
{
	struct pn_scan before;

	if (!pn_scan_until(&before, &line, " fastest "))
		return false;
	pn_scan_trim(&line);
	if (!pn_scan_text(&line, BAR " slowest"))
		return false;
	pn_scan_trim(&before);
	*name = before;
	return pn_scan_left(name) > 0;
}

/* "1.069 ns", of which blanks are around; the unit has a Greek or Latin mu. */
static bool take_time(double *ns, struct pn_scan s)
{
	static const struct {
		const char *unit;
		double scale;
	} units[] = {{"ps", 1e-3},	 {"ns", 1},   {"\302\265s", 1e3},
		     {"\316\274s", 1e3}, {"us", 1e3}, {"ms", 1e6},
		     {"s", 1e9},	 {"m", 6e10}, {"h", 3.6e12},
		     {"d", 8.64e13}};
	size_t i;

	if (!pn_scan_number(ns, &s))
		return false;
	pn_scan_trim(&s);
	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (pn_scan_is(&s, units[i].unit)) {
			*ns *= units[i].scale;
			return true;
		}
	return false;
}

/* What a row begins with: how deep it is; false where it has no name. */
static bool take_depth(size_t *depth, struct pn_scan *line)
{
	for (*depth = 1; *depth <= DEPTH_MAX; ++*depth) {
		if (pn_scan_text(line, BRANCH) || pn_scan_text(line, LAST))
			return true;
		if (!pn_scan_text(line, BAR "  ") && !pn_scan_text(line, "   "))
			return false;
	}
	return false;
}

/* Name and fastest time stand in one column: the last two words are the time,
 * if it is one; a group has a name alone. */
static struct pn_scan take_name(double *fastest, struct pn_scan column)
{
	struct pn_scan name = column, time;
	int words;

	pn_scan_trim(&name);
	time = (struct pn_scan){name.end, name.end};
	for (words = 0; words < 2 && name.at < name.end; words++) {
		while (name.end > name.at && name.end[-1] == ' ')
			name.end--;
		while (name.end > name.at && name.end[-1] != ' ')
			name.end--;
	}
	time.at = name.end;
	*fastest = NAN;
	if (words == 2 && take_time(fastest, time)) {
		pn_scan_trim(&name);
		return name;
	}
	name.end = time.end;
	*fastest = NAN;
	return name;
}

/* The columns behind the first: slowest, median, mean, samples. */
static bool take_figures(struct pn_summary *out, struct pn_scan line)
{
	double *const to[] = {&out->max, &out->median, &out->mean};
	struct pn_scan column;
	double samples;
	size_t i;

	for (i = 0; i < 3; i++)
		if (!pn_scan_until(&column, &line, BAR) ||
		    !take_time(to[i], column))
			return false;
	if (pn_scan_number(&samples, &line) && samples >= 1 && samples < 9e15)
		out->n = (uint64_t)samples;
	return true;
}

static int take_row(struct pn_bench *bench, struct state *s, size_t depth,
		    struct pn_scan line, struct pn_error *err)
{
	struct pn_summary figures = {0, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	struct pn_scan column, name;
	int code = 0;

	if (!pn_scan_until(&column, &line, BAR))
		return 0;
	name = take_name(&figures.min, column);
	pn_buf_cut(&s->path, s->before[depth]);
	pn_buf_add(&s->path, name.at, pn_scan_left(&name));
	if (!isnan(figures.min)) {
		if (!take_figures(&figures, line))
			return pn_error_set(err, PN_EINVAL,
					    "expected slowest, median and mean "
					    "behind the fastest time");
		code = pn_bench_add_figures(bench, pn_buf_text(&s->path), "ns",
					    PN_BETTER_LESS, figures, err);
	}
	pn_buf_add_text(&s->path, " > ");
	if (depth < DEPTH_MAX)
		s->before[depth + 1] = s->path.len;
	return code;
}

static int take_line(struct pn_bench *bench, void *user, struct pn_scan *line,
		     struct pn_error *err)
{
	struct state *s = user;
	struct pn_scan name;
	size_t depth;

	if (is_head(&name, *line)) {
		pn_buf_clear(&s->path);
		pn_buf_add(&s->path, name.at, pn_scan_left(&name));
		pn_buf_add_text(&s->path, " > ");
		for (depth = 0; depth <= DEPTH_MAX; depth++)
			s->before[depth] = s->path.len;
		s->has_head = true;
		return 0;
	}
	if (!s->has_head || !take_depth(&depth, line))
		return 0;
	/* a row deeper than the last one by more than one has no parent */
	if (s->before[depth] > s->path.len)
		s->before[depth] = s->path.len;
	return take_row(bench, s, depth, *line, err);
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct state state = {0};
	int code = pn_bench_read_lines(
		out, in, &state, take_line,
		"a row with times below 'fastest " BAR " slowest'", err);

	pn_buf_release(&state.path);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan rest = pn_scan_of((const char *)bytes, len), line, name;

	if (!pn_scan_has(&rest, BAR " slowest"))
		return PN_SNIFF_NO;
	while (pn_scan_line(&line, &rest))
		if (is_head(&name, line))
			return PN_SNIFF_SURE;
	return PN_SNIFF_NO;
}

const struct pn_codec pn_codec_divan = {
	.name = "divan",
	.summary = "what divan prints: times of benchmarks",
	.languages = "rust",
	.made_by = "cargo bench (divan)",
	.sniffed_by = "a head 'fastest " BAR " slowest " BAR " median'",
	.suffix = ".txt",
	.sniff = sniff,
	.read = read_profile,
};
