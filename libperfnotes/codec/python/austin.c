/*
 * Austin's samples: a line for each stack that was seen, in order of time, with
 * what went by since the last one. README.md of github.com/P403n1x87/austin,
 * "Normal Mode" and "Memory and Full Metrics", of 3.7; before 3.0 frames are
 * "function (file)", before 2.0 there are no processes.
 *
 *	P42;T7;<file>:<module>:12;<file>:work:3 5102
 *	Thread 7f00;<module> (<file>);L12;work (<file>);L3 5102
 *
 * With full metrics a line ends in "<us>,<1: idle>,<bytes>", before 3.0 in
 * "<us> <KB> <-KB>". Before 3.0 no line says whether one number is a time or,
 * with -m, memory: it is read as a time.
 */
#include "base/alloc.h"
#include "base/number.h"
#include "base/reader/lines.h"
#include "codec/codec.h"
#include "codec/frames.h"
#include "codec/scan.h"
#include "codec/threaded.h"

#include <stdlib.h>
#include <string.h>

#define NUMBERS 3 /* of a line, at most */

enum mode { MODE_TIME, MODE_MEMORY, MODE_FULL, MODE_FULL_KB };

/* Value types by mode; the last one is shown by default. */
static const struct {
	const char *name, *unit;
} types[][5] = {
	[MODE_TIME] = {{"samples", "count"}, {"time", "microseconds"}},
	[MODE_MEMORY] = {{"samples", "count"},
			 {"freed", "bytes"},
			 {"allocated", "bytes"}},
	[MODE_FULL] = {{"samples", "count"},
		       {"freed", "bytes"},
		       {"allocated", "bytes"},
		       {"cpu", "microseconds"},
		       {"time", "microseconds"}},
	[MODE_FULL_KB] = {{"samples", "count"},
			  {"freed", "bytes"},
			  {"allocated", "bytes"},
			  {"time", "microseconds"}},
};

struct decoder {
	struct pn_threaded threaded;
	struct pn_frames frames;
	enum mode mode;
	bool begun;
	struct pn_frame frame; /* the last of a line, without its line yet */
	bool has_frame;
	uint32_t *stack; /* of a line, root first */
	size_t count, cap;
	int64_t *clocks; /* by thread, ns: when its last sample ended */
	size_t clock_count, clock_cap;
	int64_t latest; /* of them */
};

/* "# interval: 5000" */
static void take_head(struct decoder *d, struct pn_scan line)
{
	struct pn_profile *p = d->threaded.p;
	struct pn_scan name;
	double us;

	if (!pn_scan_text(&line, "# ") || !pn_scan_until(&name, &line, ": "))
		return;
	pn_scan_trim(&line);
	if (pn_scan_is(&name, "mode") && pn_scan_is(&line, "memory"))
		d->mode = MODE_MEMORY;
	else if (pn_scan_is(&name, "mode") && pn_scan_is(&line, "full"))
		d->mode = MODE_FULL;
	else if (pn_scan_is(&name, "interval") && pn_scan_number(&us, &line) &&
		 us > 0 && us < 1e12) {
		pn_frames_set_period(p, "time", "microseconds", (int64_t)us);
	} else if (pn_scan_is(&name, "duration") &&
		   pn_scan_number(&us, &line) && us > 0 && us < 1e15) {
		p->duration_ns = (int64_t)(us * 1000);
	}
}

/* The last number of a line, which is cut off behind what is before it. */
static bool take_last(int64_t *out, struct pn_scan *line)
{
	const char *at = line->end;

	while (at > line->at && at[-1] != ' ' && at[-1] != ',')
		at--;
	if (at == line->at || !pn_number_int(out, at, (size_t)(line->end - at)))
		return false;
	line->end = at - 1;
	return true;
}

/* Numbers behind a stack, in order: one, or three where there are as many. */
static size_t take_numbers(int64_t out[NUMBERS], struct pn_scan *line)
{
	struct pn_scan s = *line;
	int64_t v[NUMBERS];
	size_t i, n = 0;

	while (n < NUMBERS && take_last(&v[n], &s)) {
		if (!n || n == NUMBERS - 1)
			*line = s;
		n++;
	}
	n = n == NUMBERS ? NUMBERS : n > 0;
	for (i = 0; i < n; i++)
		out[i] = v[n - 1 - i];
	return n;
}

static void begin(struct decoder *d, size_t numbers)
{
	struct pn_profile *p = d->threaded.p;
	size_t i;

	d->begun = true;
	if (numbers == NUMBERS && d->mode != MODE_FULL)
		d->mode = MODE_FULL_KB;
	for (i = 0; i < 5 && types[d->mode][i].name; i++) {
		pn_profile_add_type(p, types[d->mode][i].name,
				    types[d->mode][i].unit);
		p->types[i].better = PN_BETTER_LESS;
	}
}

/* Digits behind the last c of a text, which is cut off with them. */
static bool cut_number(int64_t *out, struct pn_scan *s, char c)
{
	const char *at = s->end;

	while (at > s->at && at[-1] >= '0' && at[-1] <= '9')
		at--;
	if (at == s->at || at == s->end || at[-1] != c ||
	    !pn_number_int(out, at, (size_t)(s->end - at)))
		return false;
	s->end = at - 1;
	return true;
}

static void add_frame(struct decoder *d)
{
	if (!d->has_frame)
		return;
	d->has_frame = false;
	d->stack = pn_grow(d->stack, &d->cap, d->count + 1, sizeof(*d->stack));
	d->stack[d->count++] =
		pn_frames_location(&d->frames, d->threaded.p, &d->frame);
}

/* "work (<file>)", "work (<file>:3)", "<file>:work", "<file>:work:3" or,
 * of a bare name, ":GC:". */
static void take_frame(struct decoder *d, struct pn_scan s)
{
	struct pn_strtab *strings = &d->threaded.p->strings;
	struct pn_frame *f = &d->frame;
	struct pn_scan file = {0}, rest = s;

	*f = (struct pn_frame){.mapping = PN_NONE};
	if (s.end[-1] == ')' && pn_scan_until_last(&file, &rest, '(') &&
	    pn_scan_left(&file) && file.end[-1] == ' ') {
		s = pn_scan_of(file.at, pn_scan_left(&file) - 1);
		file = pn_scan_of(rest.at, pn_scan_left(&rest) - 1);
		cut_number(&f->line, &file, ':');
	} else if (*s.at != ':') {
		while (cut_number(&f->line, &s, ':'))
			;
		file = (struct pn_scan){0};
		rest = s;
		if (pn_scan_until_last(&file, &rest, ':'))
			s = rest;
	}
	f->name = pn_strtab_add(strings, s.at, pn_scan_left(&s));
	f->file = pn_strtab_add(strings, file.at, pn_scan_left(&file));
	d->has_frame = true;
}

/* "L12": the line of the frame before it. */
static bool is_line(int64_t *out, const struct pn_scan *s)
{
	return pn_scan_left(s) > 1 && *s->at == 'L' &&
	       pn_number_int(out, s->at + 1, pn_scan_left(s) - 1);
}

static bool next_part(struct pn_scan *part, struct pn_scan *line)
{
	if (!pn_scan_left(line))
		return false;
	if (pn_scan_until(part, line, ";"))
		return true;
	*part = *line;
	line->at = line->end;
	return true;
}

static int take_frames(struct decoder *d, struct pn_scan line,
		       struct pn_error *err)
{
	struct pn_scan part;
	int64_t number;

	d->count = 0;
	while (next_part(&part, &line)) {
		if (d->has_frame && is_line(&number, &part)) {
			d->frame.line = number;
			continue;
		}
		add_frame(d);
		if (pn_scan_left(&part))
			take_frame(d, part);
		if (d->count > PN_MAX_STACK_DEPTH)
			return pn_error_set(err, PN_ELIMIT,
					    "a stack of more than %u frames",
					    PN_MAX_STACK_DEPTH);
	}
	add_frame(d);
	return 0;
}

/* "P42;T7", "Process 42;Thread 7" or "Thread 7" */
static bool take_ids(struct pn_threaded_id *out, struct pn_strtab *strings,
		     struct pn_scan *line)
{
	struct pn_scan part, s = *line;

	memset(out, 0, sizeof(*out));
	if (!next_part(&part, &s))
		return false;
	if (pn_scan_text(&part, "Process ") ||
	    (pn_scan_left(&part) > 1 && part.at[1] >= '0' &&
	     part.at[1] <= '9' && pn_scan_text(&part, "P"))) {
		out->process =
			pn_strtab_add(strings, part.at, pn_scan_left(&part));
		if (!next_part(&part, &s))
			return false;
		if (!pn_scan_text(&part, "Thread ") &&
		    !pn_scan_text(&part, "T"))
			return false;
	} else if (!pn_scan_text(&part, "Thread ")) {
		return false;
	}
	out->thread = pn_strtab_add(strings, part.at, pn_scan_left(&part));
	*line = s;
	return out->thread != 0;
}

/* Each line lasts from the end of its thread's last one; a thread that is new
 * ends with the latest of the others. */
static void set_time(struct pn_event *out, struct decoder *d, uint32_t thread,
		     int64_t us)
{
	int64_t end;

	out->duration_ns = us * 1000;
	while (d->clock_count <= thread) {
		d->clocks = pn_grow(d->clocks, &d->clock_cap,
				    d->clock_count + 1, sizeof(*d->clocks));
		d->clocks[d->clock_count++] =
			d->latest > out->duration_ns
				? d->latest - out->duration_ns
				: 0;
	}
	out->time_ns = d->clocks[thread];
	if (__builtin_add_overflow(out->time_ns, out->duration_ns, &end))
		end = INT64_MAX;
	d->clocks[thread] = end;
	if (end > d->latest)
		d->latest = end;
}

static bool split(union pn_value *allocated, union pn_value *freed,
		  int64_t bytes)
{
	if (bytes == INT64_MIN)
		return false;
	if (bytes > 0)
		allocated->i += bytes;
	else
		freed->i -= bytes;
	return true;
}

/* The values of a line; *us is how long it lasted, -1 where that is unknown. */
static bool take_values(union pn_value row[5], int64_t *us, enum mode mode,
			const int64_t *v)
{
	row[0].i = 1;
	*us = mode == MODE_MEMORY ? -1 : v[0];
	if (mode == MODE_MEMORY)
		return split(&row[2], &row[1], v[0]);
	if (*us < 0 || *us > INT64_MAX / 1000)
		return false;
	if (mode == MODE_TIME)
		row[1].i = *us;
	if (mode == MODE_FULL) {
		row[3].i = v[1] ? 0 : *us;
		row[4].i = *us;
		return split(&row[2], &row[1], v[2]);
	}
	if (mode == MODE_FULL_KB) {
		row[3].i = *us;
		return v[1] >= 0 && v[2] <= 0 && v[1] < INT64_MAX / 1024 &&
		       v[2] > -INT64_MAX / 1024 &&
		       split(&row[2], &row[1], v[1] * 1024) &&
		       split(&row[2], &row[1], v[2] * 1024);
	}
	return true;
}

static int take_sample(struct decoder *d, struct pn_scan line,
		       struct pn_error *err)
{
	struct pn_profile *p = d->threaded.p;
	struct pn_event event = {0};
	struct pn_threaded_id id;
	union pn_value row[5] = {{0}};
	int64_t v[NUMBERS], us;
	size_t n = take_numbers(v, &line), i;
	uint32_t thread;

	if (n && !d->begun)
		begin(d, n);
	if (n != (d->mode < MODE_FULL ? 1 : NUMBERS) ||
	    !take_ids(&id, &p->strings, &line) ||
	    !take_values(row, &us, d->mode, v))
		return pn_error_set(err, PN_EINVAL,
				    "expected 'P<pid>;T<tid>;<frames> "
				    "<number>', as the lines before it");
	if (take_frames(d, line, err))
		return PN_ELIMIT;
	for (i = 0; i < d->count / 2; i++) {
		uint32_t other = d->stack[d->count - 1 - i];

		d->stack[d->count - 1 - i] = d->stack[i];
		d->stack[i] = other;
	}
	thread = pn_threaded_thread(&d->threaded, &id);
	if (us >= 0)
		set_time(&event, d, thread, us);
	event.type = (uint32_t)(p->type_count - 1);
	return pn_threaded_add(
		&d->threaded,
		pn_frames_stack(&d->frames, p, d->stack, d->count), thread, row,
		us >= 0 ? &event : NULL, err);
}

static int take_line(void *to, const char *text, size_t len,
		     struct pn_error *err)
{
	struct pn_scan line = pn_scan_of(text, len);

	pn_scan_trim(&line);
	if (!pn_scan_left(&line))
		return 0;
	if (*line.at != '#')
		return take_sample(to, line, err);
	take_head(to, line);
	return 0;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct decoder d = {.threaded = {.p = out}};
	int code = pn_lines_read(in, &d, take_line, err);

	if (!code && !d.begun)
		code = pn_error_set(err, PN_EINVAL,
				    "samples of austin, but none in it");
	out->complete = false; /* versions, idle samples */
	pn_threaded_release(&d.threaded);
	pn_frames_release(&d.frames);
	free(d.stack);
	free(d.clocks);
	return code;
}

/* Whether a line is of a thread, and has a frame with a line. */
static bool is_sample(bool *has_line, struct pn_scan line)
{
	struct pn_strtab strings = {0};
	struct pn_threaded_id id;
	struct pn_scan part;
	int64_t v[NUMBERS];
	bool is = take_numbers(v, &line) && take_ids(&id, &strings, &line);

	while (is && next_part(&part, &line)) {
		*has_line |= is_line(v, &part) || cut_number(v, &part, ':');
		if (pn_scan_left(&part) && part.end[-1] == ')') {
			part.end--;
			*has_line |= cut_number(v, &part, ':');
		}
	}
	pn_strtab_release(&strings);
	return is;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan rest = pn_scan_of((const char *)bytes, len), line;
	bool has_line = false;

	if (pn_scan_begins(&rest, "# austin: "))
		return PN_SNIFF_SURE;
	if (!len || (*bytes != 'P' && *bytes != 'T'))
		return PN_SNIFF_NO;
	while (pn_scan_line(&line, &rest)) {
		bool cut = !pn_scan_left(&rest) && len >= PN_SNIFF_BYTES;

		if (!cut && !is_sample(&has_line, line))
			return PN_SNIFF_NO;
	}
	return has_line ? PN_SNIFF_SURE : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_austin = {
	.name = "austin",
	.summary = "austin's samples of Python: time or memory",
	.languages = "python",
	.made_by = "austin -o <file> python3 <script>",
	.sniffed_by = "'# austin: ', or 'P<pid>;T<tid>;' and frames with lines",
	.suffix = ".austin",
	.sniff = sniff,
	.first = PN_FIRST_OTHER,
	.read = read_profile,
};
