/*
 * What Python's line_profiler prints (kernprof -lv, python -m line_profiler):
 * of each line of some functions how often it ran and how long it took, with
 * what it called. github.com/pyutils/line_profiler, README.
 */
#include "base/number.h"
#include "base/reader/lines.h"
#include "codec/codec.h"
#include "codec/frames.h"
#include "codec/scan.h"

#include <math.h>
#include <string.h>

#define CONTENTS "Line Contents"

struct decoder {
	struct pn_profile *p;
	struct pn_frames frames;
	double unit_ns;
	uint32_t file, name; /* strings */
	int64_t start_line;
	size_t contents; /* where source begins; 0: in no table */
};

static bool take_int(int64_t *out, struct pn_scan *s)
{
	struct pn_scan word;

	return pn_scan_word(&word, s) &&
	       pn_number_int(out, word.at, pn_scan_left(&word)) && *out >= 0;
}

/* Number of the line, hits and time: other lines never ran. */
static int take_row(struct decoder *d, struct pn_scan line,
		    struct pn_error *err)
{
	struct pn_frame frame = {.name = d->name,
				 .file = d->file,
				 .start_line = d->start_line,
				 .mapping = PN_NONE};
	union pn_value row[2];
	uint32_t location;
	double time;

	if (pn_scan_left(&line) > d->contents)
		line.end = line.at + d->contents;
	if (!take_int(&frame.line, &line))
		return pn_error_set(err, PN_EINVAL,
				    "expected the number of a line");
	if (!take_int(&row[0].i, &line) || !pn_scan_number(&time, &line))
		return 0;
	time = round(time * d->unit_ns);
	if (!(time >= 0 && time < 9e18))
		return pn_error_set(err, PN_ERANGE, "a time beyond 63 bits");
	row[1].i = (int64_t)time;
	location = pn_frames_location(&d->frames, d->p, &frame);
	return pn_frames_add_sample(
		d->p, pn_frames_stack(&d->frames, d->p, &location, 1), row,
		err);
}

static void take_function(struct decoder *d, struct pn_scan line)
{
	struct pn_scan name, number = line;

	if (!pn_scan_until(&name, &number, " at line "))
		return;
	pn_scan_trim(&name);
	d->name = pn_strtab_add(&d->p->strings, name.at, pn_scan_left(&name));
	if (!take_int(&d->start_line, &number))
		d->start_line = 0;
}

static int take_line(void *to, const char *text, size_t len,
		     struct pn_error *err)
{
	struct decoder *d = to;
	struct pn_scan line = pn_scan_of(text, len), before = line;

	if (pn_scan_text(&line, "Timer unit:")) {
		if (!pn_scan_number(&d->unit_ns, &line) || !(d->unit_ns > 0))
			return pn_error_set(err, PN_EINVAL,
					    "expected 'Timer unit: 1e-06 s'");
		d->unit_ns *= 1e9;
	} else if (pn_scan_text(&line, "File: ")) {
		d->file = pn_strtab_add(&d->p->strings, line.at,
					pn_scan_left(&line));
	} else if (pn_scan_text(&line, "Function: ")) {
		take_function(d, line);
	} else if (pn_scan_begins(&line, "Line #") &&
		   pn_scan_until(&before, &line, CONTENTS)) {
		d->contents = pn_scan_left(&before);
	} else if (!len) {
		d->contents = 0;
	} else if (d->contents && *text != '=') {
		return take_row(d, line, err);
	}
	return 0;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct decoder d = {.p = out, .unit_ns = 1000};
	int code;

	pn_profile_add_type(out, "hits", "count");
	pn_profile_add_type(out, "time", "nanoseconds");
	out->types[0].better = out->types[1].better = PN_BETTER_LESS;
	code = pn_lines_read(in, &d, take_line, err);
	if (!code && !out->sample_count)
		code = pn_error_set(err, PN_EINVAL,
				    "expected a table 'Line # Hits Time ...' "
				    "with lines that ran");
	out->complete = false; /* the source */
	pn_frames_release(&d.frames);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan rest = pn_scan_of((const char *)bytes, len);

	return pn_scan_has(&rest, "Timer unit: ") &&
			       (pn_scan_has(&rest, CONTENTS) ||
				pn_scan_has(&rest, "Function: "))
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_line_profiler = {
	.name = "line-profiler",
	.summary = "what Python's line_profiler prints: hits, time of lines",
	.languages = "python",
	.made_by =
		"kernprof -lv <script>, python3 -m line_profiler <file>.lprof",
	.sniffed_by = "'Timer unit:' and 'Line Contents'",
	.suffix = ".txt",
	.sniff = sniff,
	.read = read_profile,
};
