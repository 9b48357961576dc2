/*
 * Rprof's file: the calls of each sample, leaf first, in quotes, one interval
 * behind the other; with lines
 * (line.profiling) the place of each call in front of it, with memory
 * (memory.profiling) what is in use, which is passed over.
 * R's help of Rprof; doprof of its source.
 */
#include "base/alloc.h"
#include "base/number.h"
#include "base/reader/lines.h"
#include "codec/codec.h"
#include "codec/frames.h"
#include "codec/scan.h"
#include "model/timeline/events.h"

#include <stdlib.h>
#include <string.h>

#define INTERVAL "sample.interval="

struct decoder {
	struct pn_profile *p;
	struct pn_frames frames;
	uint32_t *stack; /* locations of the sample, leaf first */
	size_t stack_cap;
	uint32_t *files; /* strings, by number from 1 */
	size_t file_count, file_cap;
	int64_t interval_ns; /* 0: no head yet */
	int64_t time_ns;     /* of the next sample, since the first one */
};

static int read_head(struct decoder *d, struct pn_scan line,
		     struct pn_error *err)
{
	struct pn_scan before;
	struct pn_profile *p = d->p;
	double us;

	if (!pn_scan_until(&before, &line, INTERVAL) ||
	    !pn_scan_number(&us, &line) || !(us >= 1 && us < 1e12))
		return pn_error_set(err, PN_EINVAL,
				    "expected '" INTERVAL
				    "<microseconds>' in the first line");
	d->interval_ns = (int64_t)(us * 1000);
	pn_profile_add_type(p, "samples", "count");
	pn_profile_add_type(p, "time", "nanoseconds");
	p->types[0].better = p->types[1].better = PN_BETTER_LESS;
	p->period_type = p->types[1];
	p->period = d->interval_ns;
	return 0;
}

/* "#File 1: path" */
static void read_file(struct decoder *d, struct pn_scan line)
{
	double number;

	if (!pn_scan_number(&number, &line) || !pn_scan_text(&line, ": ") ||
	    number != (double)(d->file_count + 1))
		return;
	d->files = pn_grow(d->files, &d->file_cap, d->file_count + 1,
			   sizeof(*d->files));
	d->files[d->file_count++] =
		pn_strtab_add(&d->p->strings, line.at, pn_scan_left(&line));
}

/* "1#3 " is line 3 of file 1, of the call that follows. */
static void read_place(const struct decoder *d, struct pn_frame *frame,
		       struct pn_scan word)
{
	struct pn_scan file;
	uint64_t number, line;

	if (pn_scan_until(&file, &word, "#") &&
	    pn_number_uint(&number, file.at, pn_scan_left(&file)) && number &&
	    number <= d->file_count &&
	    pn_number_uint(&line, word.at, pn_scan_left(&word)) &&
	    line <= INT32_MAX) {
		frame->file = d->files[number - 1];
		frame->line = (int64_t)line;
	}
}

static int take_calls(struct decoder *d, struct pn_scan line, size_t *count,
		      struct pn_error *err)
{
	struct pn_frame frame = {.mapping = PN_NONE};
	struct pn_scan word;

	for (*count = 0; pn_scan_blanks(&line), pn_scan_left(&line);) {
		if (!pn_scan_text(&line, "\"")) {
			pn_scan_word(&word, &line);
			read_place(d, &frame, word);
			continue;
		}
		if (!pn_scan_until(&word, &line, "\"") || !pn_scan_left(&word))
			return pn_error_set(err, PN_EINVAL,
					    "expected a name in quotes");
		if (*count == PN_MAX_STACK_DEPTH)
			return pn_error_set(err, PN_ELIMIT,
					    "a stack of more than %u calls",
					    PN_MAX_STACK_DEPTH);
		frame.name = pn_strtab_add(&d->p->strings, word.at,
					   pn_scan_left(&word));
		d->stack = pn_grow(d->stack, &d->stack_cap, *count + 1,
				   sizeof(*d->stack));
		d->stack[(*count)++] =
			pn_frames_location(&d->frames, d->p, &frame);
		frame = (struct pn_frame){.mapping = PN_NONE};
	}
	return 0;
}

/* ":320179:4066250:32959080:185:" is what memory there is. */
static void skip_memory(struct pn_scan *line)
{
	struct pn_scan part;
	size_t i;

	if (!pn_scan_text(line, ":"))
		return;
	for (i = 0; i < 4; i++)
		pn_scan_until(&part, line, ":");
}

static int take_line(void *to, const char *text, size_t len,
		     struct pn_error *err)
{
	struct decoder *d = to;
	struct pn_scan line = pn_scan_of(text, len);
	union pn_value row[2] = {{.i = 1}, {.i = d->interval_ns}};
	struct pn_event e = {
		.duration_ns = d->interval_ns, .thread = PN_NONE, .type = 1};
	size_t count;
	int code;

	if (!d->interval_ns)
		return read_head(d, line, err);
	if (pn_scan_text(&line, "#File ")) {
		read_file(d, line);
		return 0;
	}
	skip_memory(&line);
	code = take_calls(d, line, &count, err);
	if (code)
		return code;
	e.stack = pn_frames_stack(&d->frames, d->p, d->stack, count);
	code = pn_frames_add_sample(d->p, e.stack, row, err);
	e.time_ns = d->time_ns;
	if (!code &&
	    __builtin_add_overflow(d->time_ns, d->interval_ns, &d->time_ns))
		code = pn_error_set(err, PN_ERANGE, "times beyond 63 bits");
	if (!code)
		pn_events_add(d->p, &e);
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct decoder d = {.p = out};
	int code = pn_lines_read(in, &d, take_line, err);

	if (!code && !d.interval_ns)
		code = pn_error_set(err, PN_EINVAL, "expected '" INTERVAL "'");
	out->complete = false; /* memory */
	pn_frames_release(&d.frames);
	free(d.stack);
	free(d.files);
	return code;
}

/* What may stand before the interval is what is profiled, too. */
static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan rest = pn_scan_of((const char *)bytes, len), line, what;

	if (!pn_scan_line(&line, &rest) ||
	    !pn_scan_until(&what, &line, INTERVAL))
		return PN_SNIFF_NO;
	pn_scan_trim(&what);
	return !pn_scan_left(&what) || what.end[-1] == ':' ? PN_SNIFF_SURE
							   : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_rprof = {
	.name = "rprof",
	.summary = "samples of R's Rprof",
	.languages = "r",
	.made_by = "Rprof('<file>'); ...; Rprof(NULL)",
	.sniffed_by = "'sample.interval=' in the first line",
	.suffix = ".out",
	.sniff = sniff,
	.read = read_profile,
};
