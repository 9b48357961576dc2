/*
 * What Erlang's eprof prints (analyze): calls of each function and the time
 * that it took itself, in microseconds; of several processes each in a part of
 * its own, and a thread here. Kept as functions without stacks.
 * erlang.org/doc/man/eprof.
 */
#include "base/alloc.h"
#include "base/number.h"
#include "base/reader/lines.h"
#include "codec/codec.h"
#include "codec/frames.h"
#include "codec/scan.h"
#include "codec/threaded.h"

#include <string.h>

#define HEAD "FUNCTION"

struct decoder {
	struct pn_profile *p;
	struct pn_frames frames;
	struct pn_threaded threads;
	uint32_t process; /* of Erlang, which is a thread here; or PN_NONE */
	bool in_table;
};

static bool is_head(struct pn_scan line)
{
	struct pn_scan word;

	return pn_scan_text(&line, HEAD) && pn_scan_word(&word, &line) &&
	       pn_scan_is(&word, "CALLS") &&
	       pn_scan_until(&word, &line, "uS / CALLS");
}

static void add_types(struct pn_profile *p)
{
	if (p->type_count)
		return;
	pn_profile_add_type(p, "calls", "count");
	pn_profile_add_type(p, "time", "nanoseconds");
	p->types[0].better = p->types[1].better = PN_BETTER_LESS;
}

/* The word in front of blanks at the end. */
static struct pn_scan last_word(struct pn_scan *line)
{
	struct pn_scan word;

	pn_scan_trim(line);
	word.end = line->end;
	while (line->end > line->at && line->end[-1] != ' ')
		line->end--;
	word.at = line->end;
	pn_scan_trim(line);
	return word;
}

/* name calls share time [ each]: a name may have blanks, in quotes */
static int take_row(struct decoder *d, struct pn_scan line,
		    struct pn_error *err)
{
	struct pn_frame frame = {.mapping = PN_NONE};
	struct pn_scan before, word;
	union pn_value row[2];
	uint32_t location;

	if (!pn_scan_until_last(&before, &line, '['))
		return pn_error_set(err, PN_EINVAL,
				    "expected '<function> <calls> <%%> <time> "
				    "[ <us>]'");
	word = last_word(&before);
	if (!pn_number_int(&row[1].i, word.at, pn_scan_left(&word)) ||
	    row[1].i < 0 || __builtin_mul_overflow(row[1].i, 1000, &row[1].i))
		return pn_error_set(err, PN_EINVAL,
				    "expected microseconds in front of the "
				    "'['");
	(void)last_word(&before);
	word = last_word(&before);
	if (!pn_number_int(&row[0].i, word.at, pn_scan_left(&word)) ||
	    row[0].i < 0 || !pn_scan_left(&before))
		return pn_error_set(err, PN_EINVAL,
				    "expected a function and its calls");
	frame.name =
		pn_strtab_add(&d->p->strings, before.at, pn_scan_left(&before));
	location = pn_frames_location(&d->frames, d->p, &frame);
	if (d->process != PN_NONE)
		d->p->events.threads[d->process].cost += (double)row[1].i;
	return pn_threaded_add(&d->threads,
			       pn_frames_stack(&d->frames, d->p, &location, 1),
			       d->process, row, NULL, err);
}

/* "****** Process <0.46.0>    -- 100.00 % of profiled time ***" */
static void begin_process(struct decoder *d, struct pn_scan line)
{
	struct pn_threaded_id id = {0};
	struct pn_scan word;

	if (!pn_scan_until(&word, &line, " Process "))
		return;
	pn_scan_word(&word, &line);
	id.thread = pn_strtab_add(&d->p->strings, word.at, pn_scan_left(&word));
	d->process = pn_threaded_thread(&d->threads, &id);
}

static int take_line(void *to, const char *text, size_t len,
		     struct pn_error *err)
{
	struct decoder *d = to;
	struct pn_scan line = pn_scan_of(text, len);

	if (is_head(line)) {
		d->in_table = true;
		add_types(d->p);
	} else if (!len || pn_scan_begins(&line, "Total:") ||
		   pn_scan_begins(&line, "***")) {
		d->in_table = false;
		if (pn_scan_begins(&line, "***"))
			begin_process(d, line);
	} else if (d->in_table && !pn_scan_begins(&line, "---")) {
		return take_row(d, line, err);
	}
	return 0;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct decoder d = {
		.p = out, .threads = {.p = out}, .process = PN_NONE};
	int code = pn_lines_read(in, &d, take_line, err);

	if (!code && !out->type_count)
		code = pn_error_set(err, PN_EINVAL,
				    "expected a table 'FUNCTION CALLS %% TIME "
				    "[uS / CALLS]'");
	out->complete = false; /* shares */
	pn_frames_release(&d.frames);
	pn_threaded_release(&d.threads);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan rest = pn_scan_of((const char *)bytes, len), line;

	if (!pn_scan_has(&rest, "CALLS"))
		return PN_SNIFF_NO;
	while (pn_scan_line(&line, &rest))
		if (is_head(line))
			return PN_SNIFF_SURE;
	return PN_SNIFF_NO;
}

const struct pn_codec pn_codec_eprof = {
	.name = "eprof",
	.summary = "what Erlang's eprof prints: calls, own time",
	.languages = "erlang elixir",
	.made_by = "eprof:log(\"<file>\"), eprof:analyze(total)",
	.sniffed_by = "'FUNCTION CALLS ... [uS / CALLS]'",
	.suffix = ".txt",
	.sniff = sniff,
	.read = read_profile,
};
