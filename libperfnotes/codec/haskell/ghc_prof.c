/*
 * GHC's profile as text (+RTS -p): a tree of cost-centre stacks. With -P and
 * -pa it has ticks and bytes; else shares of the totals with one decimal, of
 * which the nearest number of ticks and of bytes is made.
 * GHC User's Guide, "Time and allocation profiling".
 */
#include "base/alloc.h"
#include "base/number.h"
#include "base/reader/lines.h"
#include "codec/codec.h"
#include "codec/haskell/centres.h"

#include <math.h>
#include <stdlib.h>

#define TITLE " Time and Allocation Profiling Report "
#define NUMBERS_MAX 8

struct decoder {
	struct pn_centres centres;
	double total_ticks, total_bytes;
	bool in_tree, has_ticks; /* columns "ticks" and "bytes" */
	uint32_t *path;		 /* node by depth */
	size_t path_cap;
	size_t depth; /* of the last line, + 1 */
};

/* "	total time  =        0.01 secs   (15 ticks @ 1000 us, 1 processor)" */
static bool take_time(struct decoder *d, struct pn_scan line)
{
	struct pn_scan before;
	double us;

	if (!pn_scan_until(&before, &line, "total time") ||
	    !pn_scan_until(&before, &line, "(") ||
	    !pn_scan_number(&d->total_ticks, &line) ||
	    !pn_scan_text(&line, " ticks @ ") || !pn_scan_number(&us, &line) ||
	    !(us >= 1 && us < 1e9))
		return false;
	d->centres.tick_ns = (int64_t)(us * 1000);
	return true;
}

/* "	total alloc =  14,428,936 bytes" */
static void take_alloc(struct decoder *d, struct pn_scan line)
{
	struct pn_scan before;

	if (pn_scan_until(&before, &line, "total alloc =") &&
	    !pn_scan_number(&d->total_bytes, &line))
		d->total_bytes = 0;
}

/* The last words of a line as numbers: the place before them may have blanks.
 */
static bool take_numbers(double out[NUMBERS_MAX], size_t count,
			 struct pn_scan *line)
{
	struct pn_scan word;

	while (count--) {
		while (line->end > line->at && line->end[-1] == ' ')
			line->end--;
		word.end = line->end;
		while (line->end > line->at && line->end[-1] != ' ')
			line->end--;
		word.at = line->end;
		if (!pn_number_double(&out[count], word.at,
				      pn_scan_left(&word)))
			return false;
	}
	return true;
}

static int64_t whole(double value)
{
	return value > 0 && value < 9e15 ? (int64_t)nearbyint(value) : 0;
}

/* name module place number entries %time %alloc %time %alloc [ticks bytes] */
static int add_line(struct decoder *d, size_t depth, struct pn_scan line,
		    struct pn_error *err)
{
	double v[NUMBERS_MAX];
	struct pn_scan name, module;
	uint32_t parent;

	if (!take_numbers(v, d->has_ticks ? 8 : 6, &line) ||
	    !pn_scan_word(&name, &line) || !pn_scan_word(&module, &line))
		return pn_error_set(err, PN_EINVAL,
				    "expected a cost centre with its module, "
				    "place and %d numbers",
				    d->has_ticks ? 8 : 6);
	pn_scan_trim(&line);
	if (depth > d->depth)
		return pn_error_set(err, PN_EINVAL,
				    "a cost centre deeper than one below the "
				    "last one");
	if (depth >= PN_MAX_STACK_DEPTH)
		return pn_error_set(err, PN_ELIMIT, "nested too deeply");
	parent = depth ? d->path[depth - 1] : PN_NONE;
	d->path = pn_grow(d->path, &d->path_cap, depth + 1, sizeof(*d->path));
	d->path[depth] = pn_call_tree_child(
		&d->centres.tree, parent,
		pn_centres_location(&d->centres, name, module, line));
	d->depth = depth + 1;
	return pn_centres_add(
		&d->centres, d->path[depth], whole(v[1]),
		whole(d->has_ticks ? v[7] : v[3] / 100 * d->total_bytes),
		whole(d->has_ticks ? v[6] : v[2] / 100 * d->total_ticks), err);
}

/* The second table begins with a line that has "entries". */
static void take_head(struct decoder *d, struct pn_scan line)
{
	struct pn_scan before;

	if (!d->centres.tick_ns && take_time(d, line))
		return;
	take_alloc(d, line);
	if (!pn_scan_begins(&line, "COST CENTRE") ||
	    !pn_scan_until(&before, &line, " entries ") || !d->centres.tick_ns)
		return;
	d->in_tree = true;
	d->has_ticks = pn_scan_until(&before, &line, "ticks");
	pn_centres_add_types(&d->centres);
}

static int take_line(void *to, const char *text, size_t len,
		     struct pn_error *err)
{
	struct decoder *d = to;
	struct pn_scan line = pn_scan_of(text, len);

	if (!d->in_tree) {
		take_head(d, line);
		return 0;
	}
	while (line.at < line.end && *line.at == ' ')
		line.at++;
	if (line.at == line.end)
		return 0;
	return add_line(d, (size_t)(line.at - text), line, err);
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct decoder d = {.centres = {.p = out}};
	int code = pn_lines_read(in, &d, take_line, err);

	if (!code && !d.in_tree)
		code = pn_error_set(err, PN_EINVAL,
				    "expected 'total time = ... (<n> ticks @ "
				    "<n> us' and a table with entries");
	out->complete = false; /* the shares, the command */
	pn_centres_release(&d.centres);
	free(d.path);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan rest = pn_scan_of((const char *)bytes, len), line, date;

	return pn_scan_line(&line, &rest) && pn_scan_until(&date, &line, TITLE)
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_ghc_prof = {
	.name = "ghc-prof",
	.summary = "GHC's profile, text: time, allocation",
	.languages = "haskell",
	.made_by = "<program built with ghc -prof> +RTS -P",
	.sniffed_by = "'Time and Allocation Profiling Report'",
	.suffix = ".prof",
	.sniff = sniff,
	.read = read_profile,
};
