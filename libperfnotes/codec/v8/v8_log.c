/*
 * V8's log of node --prof: code as it comes and goes, and ticks with the
 * addresses on the stack, as tools/tickprocessor.mjs of V8 reads them.
 * Optimized and interpreted code of a function is one. Of C and C++ only the
 * file is known: names are looked up by node --prof-process.
 */
#include "base/alloc.h"
#include "base/number.h"
#include "base/reader/lines.h"
#include "codec/codec.h"
#include "codec/frames.h"
#include "codec/scan.h"
#include "codec/v8/code_map.h"
#include "model/timeline/events.h"

#include <stdlib.h>
#include <string.h>

#define LIBRARIES_MAX 1024 /* each address is looked up in all */

/* States of the machine that the log numbers. */
enum { STATE_GC = 1, STATE_IDLE = 8 };

struct library {
	uint64_t begin, end;
	uint32_t location;
};

struct decoder {
	struct pn_profile *p;
	struct pn_frames frames;
	struct pn_code_map codes; /* whose `what` are locations */
	struct library *libraries;
	size_t library_count, library_cap;
	uint32_t *stack;
	size_t stack_cap;
	struct pn_buf text;
	int64_t interval_ns;
	uint32_t collector; /* the frame of GC + 1 */
	bool has_ticks;
};

/* The next field, up to a comma; commas in names are \x2C. */
static bool field(struct pn_scan *out, struct pn_scan *line)
{
	if (line->at > line->end)
		return false;
	if (!pn_scan_until(out, line, ",")) {
		*out = *line;
		line->at = line->end + 1;
	}
	return true;
}

/* "0x1f" or "31" */
static bool take_number(uint64_t *out, struct pn_scan *line)
{
	struct pn_scan s;
	char text[24], *end;
	size_t len;

	if (!field(&s, line))
		return false;
	len = pn_scan_left(&s);
	if (!len || len >= sizeof(text) || *s.at < '0' || *s.at > '9')
		return false;
	memcpy(text, s.at, len);
	text[len] = '\0';
	*out = strtoull(text, &end, pn_scan_begins(&s, "0x") ? 16 : 10);
	return !*end;
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 32;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* \x2C is a comma, \\ is one of them. */
static void unescape(struct pn_buf *out, struct pn_scan s)
{
	pn_buf_clear(out);
	while (s.at < s.end) {
		int high, low;

		if (s.end - s.at >= 4 && s.at[0] == '\\' && s.at[1] == 'x' &&
		    (high = digit(s.at[2])) >= 0 &&
		    (low = digit(s.at[3])) >= 0) {
			pn_buf_add_byte(out, (unsigned char)(high << 4 | low));
			s.at += 4;
			continue;
		}
		if (s.end - s.at >= 2 && s.at[0] == '\\' && s.at[1] == '\\')
			s.at++;
		pn_buf_add_byte(out, (unsigned char)*s.at++);
	}
}

/* ":12" at the end of what is left. */
static bool take_place(int64_t *out, struct pn_scan *s)
{
	struct pn_scan before, number = *s;

	if (!pn_scan_until_last(&before, &number, ':') ||
	    !pn_number_int(out, number.at, pn_scan_left(&number)) || *out < 0)
		return false;
	*s = before;
	return true;
}

/* "name file:line:column", where the name may be missing; names without a
 * place stay as they are. */
static uint32_t script_location(struct decoder *d)
{
	struct pn_frame f = {.mapping = PN_NONE};
	struct pn_scan s = pn_scan_of(pn_buf_text(&d->text), d->text.len);
	struct pn_scan name = s, file = s;
	struct pn_strtab *strings = &d->p->strings;
	int64_t line = 0, column = 0;

	if (pn_scan_until_last(&name, &file, ' ') &&
	    take_place(&column, &file) && take_place(&line, &file)) {
		f.start_line = line;
		f.file = pn_strtab_add(strings, file.at, pn_scan_left(&file));
	} else {
		name = s;
	}
	pn_scan_trim(&name);
	f.name = pn_scan_left(&name)
			 ? pn_strtab_add(strings, name.at, pn_scan_left(&name))
			 : pn_strtab_add_text(strings, "(anonymous)");
	return pn_frames_location(&d->frames, d->p, &f);
}

/* code-creation,type,kind,time,begin,size,name[,function,state] */
static int take_code(struct decoder *d, struct pn_scan line,
		     struct pn_error *err)
{
	struct pn_frame f = {.mapping = PN_NONE};
	struct pn_scan type, kind, time, name, function;
	uint64_t begin, size;
	struct pn_buf full = {0};
	uint32_t what;

	if (!field(&type, &line) || !field(&kind, &line) ||
	    !field(&time, &line) || !take_number(&begin, &line) ||
	    !take_number(&size, &line) || !field(&name, &line))
		return pn_error_set(err, PN_EINVAL,
				    "expected 'code-creation,<type>,<kind>,"
				    "<time>,<begin>,<size>,<name>'");
	unescape(&d->text, name);
	if (field(&function, &line)) {
		what = script_location(d);
	} else {
		pn_buf_add(&full, type.at, pn_scan_left(&type));
		pn_buf_printf(&full, ": %s", pn_buf_text(&d->text));
		f.name = pn_strtab_add(&d->p->strings, full.data, full.len);
		what = pn_frames_location(&d->frames, d->p, &f);
		pn_buf_release(&full);
	}
	pn_code_map_add(&d->codes, begin, size, what);
	return 0;
}

/* shared-library,path,begin,end,... */
static int take_library(struct decoder *d, struct pn_scan line,
			struct pn_error *err)
{
	struct pn_frame f = {.mapping = PN_NONE};
	const char *base;
	struct pn_scan path;
	struct library l;

	if (!field(&path, &line) || !take_number(&l.begin, &line) ||
	    !take_number(&l.end, &line))
		return pn_error_set(err, PN_EINVAL,
				    "expected 'shared-library,<path>,<begin>,"
				    "<end>'");
	if (d->library_count == LIBRARIES_MAX)
		return pn_error_set(err, PN_ELIMIT, "more than %d libraries",
				    LIBRARIES_MAX);
	unescape(&d->text, path);
	f.file = pn_strtab_add(&d->p->strings, d->text.data, d->text.len);
	base = strrchr(pn_strtab_text(&d->p->strings, f.file), '/');
	pn_buf_clear(&d->text);
	pn_buf_printf(&d->text, "[%s]",
		      base ? base + 1 : pn_strtab_text(&d->p->strings, f.file));
	f.name = pn_strtab_add(&d->p->strings, d->text.data, d->text.len);
	l.location = pn_frames_location(&d->frames, d->p, &f);
	d->libraries = pn_grow(d->libraries, &d->library_cap,
			       d->library_count + 1, sizeof(*d->libraries));
	d->libraries[d->library_count++] = l;
	return 0;
}

/* Code of V8, else the library, else the address. */
static uint32_t location_of(struct decoder *d, uint64_t address)
{
	const struct pn_code_range *code = pn_code_map_find(&d->codes, address);
	struct pn_frame f = {.mapping = PN_NONE, .address = address};
	size_t i;

	if (code)
		return code->what;
	for (i = 0; i < d->library_count; i++)
		if (address >= d->libraries[i].begin &&
		    address < d->libraries[i].end)
			return d->libraries[i].location;
	return pn_frames_location(&d->frames, d->p, &f);
}

static void push(struct decoder *d, size_t *n, uint32_t location)
{
	d->stack = pn_grow(d->stack, &d->stack_cap, *n + 1, sizeof(*d->stack));
	d->stack[(*n)++] = location;
}

/* Addresses, or since the one before: "+1f", "-1f". */
static void push_frames(struct decoder *d, size_t *n, uint64_t before,
			struct pn_scan line)
{
	struct pn_scan s, number;
	char text[20], *end;

	while (field(&s, &line)) {
		bool plus = pn_scan_text(&s, "+");
		bool minus = !plus && pn_scan_text(&s, "-");
		uint64_t value;

		number = s;
		if (!plus && !minus && !pn_scan_text(&number, "0x"))
			continue; /* "overflow" */
		if (!pn_scan_left(&number) ||
		    pn_scan_left(&number) >= sizeof(text))
			continue;
		memcpy(text, number.at, pn_scan_left(&number));
		text[pn_scan_left(&number)] = '\0';
		value = strtoull(text, &end, 16);
		if (*end)
			continue;
		if (plus || minus)
			value = plus ? before + value : before - value;
		before = value;
		push(d, n, location_of(d, value));
	}
}

static uint32_t collector_of(struct decoder *d)
{
	struct pn_frame f = {.mapping = PN_NONE};

	if (!d->collector) {
		f.name = pn_strtab_add_text(&d->p->strings,
					    "(garbage collector)");
		d->collector = pn_frames_location(&d->frames, d->p, &f) + 1;
	}
	return d->collector - 1;
}

/* tick,pc,us,is callback,callback or top of stack,state,frames... */
static int take_tick(struct decoder *d, struct pn_scan line,
		     struct pn_error *err)
{
	uint64_t pc, us, callback, top, state;
	union pn_value row[1] = {{.i = 1}};
	struct pn_event e = {.thread = PN_NONE};
	size_t n = 0;
	int code;

	if (!take_number(&pc, &line) || !take_number(&us, &line) ||
	    !take_number(&callback, &line) || !take_number(&top, &line) ||
	    !take_number(&state, &line))
		return pn_error_set(err, PN_EINVAL,
				    "expected 'tick,<pc>,<us>,<0 or 1>,"
				    "<address>,<state>,<frames>'");
	d->has_ticks = true;
	if (state >= STATE_IDLE)
		return 0; /* nothing ran, or this log was written */
	if (state == STATE_GC)
		push(d, &n, collector_of(d));
	pc = callback ? top : pc;
	push(d, &n, location_of(d, pc));
	push_frames(d, &n, pc, line);
	if (n > PN_MAX_STACK_DEPTH)
		return pn_error_set(err, PN_ELIMIT,
				    "a stack of more than %u frames",
				    PN_MAX_STACK_DEPTH);
	e.stack = pn_frames_stack(&d->frames, d->p, d->stack, n);
	code = pn_frames_add_sample(d->p, e.stack, row, err);
	if (!code && us < INT64_MAX / 1000) {
		e.time_ns = (int64_t)us * 1000;
		pn_events_add(d->p, &e);
	}
	return code;
}

static int take_line(void *to, const char *text, size_t len,
		     struct pn_error *err)
{
	struct decoder *d = to;
	struct pn_scan line = pn_scan_of(text, len);
	uint64_t from, at;

	if (pn_scan_text(&line, "code-creation,"))
		return take_code(d, line, err);
	if (pn_scan_text(&line, "tick,"))
		return take_tick(d, line, err);
	if (pn_scan_text(&line, "shared-library,"))
		return take_library(d, line, err);
	/* a line that ends too early stands behind its end */
	if (pn_scan_text(&line, "code-move,")) {
		if (take_number(&from, &line) && take_number(&at, &line))
			pn_code_map_move(&d->codes, from, at);
		return 0;
	}
	if (pn_scan_text(&line, "profiler,begin,") && take_number(&at, &line) &&
	    at <= 1000000)
		d->interval_ns = (int64_t)at * 1000;
	return 0;
}

static void set_period(struct decoder *d)
{
	if (d->interval_ns)
		pn_frames_set_period(d->p, "time", "nanoseconds",
				     d->interval_ns);
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct decoder d = {.p = out};
	int code;

	pn_profile_add_type(out, "samples", "count");
	out->types[0].better = PN_BETTER_LESS;
	code = pn_lines_read(in, &d, take_line, err);
	if (!code && !d.has_ticks)
		code = pn_error_set(err, PN_EINVAL,
				    "a log of V8 without ticks: node --prof "
				    "makes them");
	if (!code)
		set_period(&d);
	out->complete = false; /* states, how code was compiled */
	pn_frames_release(&d.frames);
	pn_code_map_release(&d.codes);
	free(d.libraries);
	free(d.stack);
	pn_buf_release(&d.text);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan s = pn_scan_of((const char *)bytes, len);

	return pn_scan_begins(&s, "v8-version,") ? PN_SNIFF_SURE : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_v8_log = {
	.name = "v8-log",
	.summary = "V8's log of ticks (node --prof)",
	.languages = "javascript typescript node",
	.made_by = "node --prof",
	.sniffed_by = "'v8-version,'",
	.suffix = ".log",
	.sniff = sniff,
	.first = PN_FIRST_OTHER,
	.read = read_profile,
};
