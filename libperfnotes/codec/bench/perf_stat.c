/*
 * What perf stat writes for programs: fields with a separator (-x) or an object
 * a line (-j). Each event is a metric; intervals (-I) are its values, of which
 * a curve says when each was; and what is counted by processor, socket or
 * thread has that in front of the event. perf-stat(1), "CSV FORMAT" and "JSON
 * FORMAT".
 */
#include "base/number.h"
#include "codec/bench/bench.h"
#include "codec/codec.h"
#include "codec/counters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS_MAX 32
#define SEPARATORS ",;|:\t"

struct state {
	char separator;		    /* 0: no line of fields yet */
	struct pn_counters courses; /* of events that are told by intervals */
	double seconds;		    /* of the line; NaN: it is no interval's */
};

struct fields {
	struct pn_scan at[FIELDS_MAX];
	size_t count;
	char separator;
};

/* What the fields of a line say: the field that has the number, and the event,
 * which is several fields where its own name has the separator. */
struct counter {
	size_t at, share;
	struct pn_scan event;
};

static void split(struct fields *out, struct pn_scan line, char separator)
{
	const char text[] = {separator, '\0'};

	out->separator = separator;
	out->count = 0;
	while (out->count + 1 < FIELDS_MAX &&
	       pn_scan_until(&out->at[out->count], &line, text))
		out->count++;
	out->at[out->count++] = line;
}

/* In some locales perf writes "0,54"; it never groups digits here. */
static bool is_number(double *out, const struct fields *f, size_t at)
{
	struct pn_scan field = f->at[at];
	char text[64], *comma;
	size_t len;

	pn_scan_trim(&field);
	len = pn_scan_left(&field);
	if (pn_number_double(out, field.at, len))
		return true;
	if (f->separator == ',' || !len || len >= sizeof(text))
		return false;
	memcpy(text, field.at, len);
	text[len] = '\0';
	comma = strchr(text, ',');
	if (comma)
		*comma = '.';
	return comma && pn_number_double(out, text, len);
}

/* One that was not counted has no number: it is known, and passed over. */
static bool is_counter(const struct fields *f, size_t at)
{
	struct pn_scan field = f->at[at];
	double value;

	return is_number(&value, f, at) ||
	       pn_scan_is(&field, "<not counted>") ||
	       pn_scan_is(&field, "<not supported>");
}

static bool is_event(const struct pn_scan *field)
{
	return pn_scan_left(field) &&
	       strchr("0123456789.<-+", *field->at) == NULL;
}

/* Units are words, or nothing. */
static bool is_unit(const struct fields *f, size_t at)
{
	double value;

	return !is_number(&value, f, at) && !pn_scan_begins(&f->at[at], "<");
}

/* "99.9", of the time that the event was counted. */
static bool is_share(const struct fields *f, size_t at)
{
	double value;

	return is_number(&value, f, at) && value >= 0 && value <= 100.01;
}

/* Whether the event may end with the field `last`: with -r a deviation is
 * behind it, then how long it was counted, and the share of that. */
static bool is_end_of_event(size_t *share, const struct fields *f, size_t last)
{
	size_t run = last + 1;
	double value;

	if (run < f->count && pn_scan_left(&f->at[run]) &&
	    f->at[run].end[-1] == '%')
		run++;
	*share = run + 1;
	return run + 1 < f->count && is_number(&value, f, run) &&
	       is_share(f, run + 1);
}

/* The event from the field `first` on: "cpu/event=0x3c,umask=0x0/u" has terms
 * between slashes, and commas between those; "cycles:u" and
 * "sched:sched_switch" have colons. */
static bool find_event(struct counter *out, const struct fields *f,
		       size_t first)
{
	bool terms = pn_scan_has(&f->at[first], "/");
	bool colons = f->separator == ':';
	size_t last;

	for (last = first; last + 2 < f->count; last++) {
		if (last > first && !terms &&
		    (!colons || !is_event(&f->at[last])))
			return false;
		out->event = (struct pn_scan){f->at[first].at, f->at[last].end};
		if ((last == first || colons ||
		     pn_scan_has(&f->at[last], "/")) &&
		    is_end_of_event(&out->share, f, last))
			return true;
	}
	return false;
}

/*
 * Where the counter stands: in front of it may be the time of an interval and
 * whose count it is ("CPU0", "S0-D0", with how many processors that has).
 * Behind it are unit, event and how long it was counted.
 */
static bool find_counter(struct counter *out, const struct fields *f)
{
	for (out->at = 0; out->at < 4 && out->at + 5 <= f->count; out->at++)
		if (is_counter(f, out->at) && is_unit(f, out->at + 1) &&
		    is_event(&f->at[out->at + 2]) &&
		    find_event(out, f, out->at + 2))
			return true;
	return false;
}

/* The first separator by which it is one. */
static bool is_fields(struct fields *out, char *separator, struct pn_scan line)
{
	struct counter counter;
	const char *at;

	for (at = *separator ? separator : SEPARATORS; *at; at++) {
		/* most lines of other formats have none of them */
		if (memchr(line.at, *at, pn_scan_left(&line))) {
			split(out, line, *at);
			if (find_counter(&counter, out)) {
				*separator = *at;
				return true;
			}
		}
		if (at == separator)
			break;
	}
	return false;
}

static const char *unit_of(const char *unit)
{
	if (!strcmp(unit, "msec"))
		return "ms";
	return *unit ? unit : "count";
}

static void add_course(struct state *state, const char *name, const char *unit,
		       double value)
{
	struct pn_strtab *strings = &state->courses.p->strings;
	struct pn_counter of = {0};

	if (isnan(state->seconds))
		return;
	of.name = pn_strtab_add_text(strings, name);
	of.unit = pn_strtab_add_text(strings, unit);
	pn_counters_add(&state->courses, pn_counters_at(&state->courses, &of),
			state->seconds * 1000, value);
}

static int add_counter(struct pn_bench *bench, struct state *state,
		       const char *owner, const char *event, const char *unit,
		       double value, struct pn_error *err)
{
	struct pn_buf name = {0};
	int code;

	pn_buf_printf(&name, "%s%s%s", owner, *owner ? " " : "", event);
	code = pn_bench_add(bench, pn_buf_text(&name), unit_of(unit),
			    PN_BETTER_LESS, value, err);
	if (!code)
		add_course(state, pn_buf_text(&name), unit_of(unit), value);
	pn_buf_release(&name);
	return code;
}

/* What is in front and no number: "CPU0", "S0-D0", "make-4711". */
static void name_owner(struct pn_buf *out, const struct fields *f,
		       size_t counter)
{
	double value;
	size_t i;

	pn_buf_clear(out);
	for (i = 0; i < counter; i++)
		if (!is_number(&value, f, i))
			pn_buf_add(out, f->at[i].at, pn_scan_left(&f->at[i]));
}

static int take_fields(struct pn_bench *bench, struct state *state,
		       const struct fields *f, struct pn_error *err)
{
	struct pn_buf owner = {0}, event = {0}, unit = {0};
	struct counter counter;
	double value;
	int code = 0;

	if (!find_counter(&counter, f))
		return 0;
	/* the share has two decimals: here they are a field of their own */
	if (f->separator == ',' && !pn_scan_has(&f->at[counter.share], "."))
		return pn_error_set(err, PN_EINVAL,
				    "decimal commas cannot be told from commas "
				    "between fields, expected what perf stat "
				    "writes with LC_ALL=C or -x\\;");
	if (!is_number(&value, f, counter.at))
		return 0;
	if (!counter.at || !is_number(&state->seconds, f, 0))
		state->seconds = NAN;
	name_owner(&owner, f, counter.at);
	pn_scan_copy(&unit, &f->at[counter.at + 1]);
	pn_scan_copy(&event, &counter.event);
	code = add_counter(bench, state, pn_buf_text(&owner),
			   pn_buf_text(&event), pn_buf_text(&unit), value, err);
	pn_buf_release(&owner);
	pn_buf_release(&event);
	pn_buf_release(&unit);
	return code;
}

/* Members that say whose count it is. */
static int read_owner(const char **out, const struct pn_document *object,
		      struct pn_error *err)
{
	static const char *const members[] = {"cpu",	"core", "die",
					      "socket", "node", "thread"};
	size_t i;
	int code = 0;

	for (i = 0; !code && i < sizeof(members) / sizeof(*members); i++)
		code = pn_document_text(out, object, members[i], err);
	return code;
}

static int take_object(struct pn_bench *bench, struct state *state,
		       const struct pn_document *object, struct pn_error *err)
{
	const char *text = "", *event = "", *unit = "", *owner = "";
	double value;
	int code = pn_document_text(&text, object, "counter-value", err);

	if (!code)
		code = pn_document_text(&event, object, "event", err);
	if (!code)
		code = pn_document_text(&unit, object, "unit", err);
	if (!code)
		code = read_owner(&owner, object, err);
	state->seconds = NAN;
	if (!code)
		code = pn_document_number(&state->seconds, object, "interval",
					  err);
	/* lines of derived figures alone have no event */
	if (code || !*event || !pn_number_double(&value, text, strlen(text)) ||
	    !isfinite(value))
		return code;
	return add_counter(bench, state, owner, event, unit, value, err);
}

/* Up to the quote that ends a string. */
static const char *past_string(const char *at, const char *end)
{
	for (at++; at < end && *at != '"'; at++)
		at += *at == '\\' && at + 1 < end;
	return at < end ? at + 1 : end;
}

/*
 * What perf writes for figures that are no number of JSON, "nan" or "100,00" by
 * the locale, becomes null. A comma before a digit is one of those: members
 * begin with a quote.
 */
static void add_valid(struct pn_buf *out, const char *at, const char *end)
{
	double value;

	while (at < end) {
		const char *from = at;

		if (*at == '"') {
			at = past_string(at, end);
		} else if (*at != ':') {
			at++;
		} else {
			for (at++; at < end && *at == ' ';)
				at++;
			pn_buf_add(out, from, (size_t)(at - from));
			for (from = at;
			     at < end && !strchr("\"}[]{ ", *at) &&
			     (*at != ',' ||
			      (at + 1 < end && at[1] >= '0' && at[1] <= '9'));)
				at++;
			if (at > from &&
			    !pn_number_double(&value, from,
					      (size_t)(at - from))) {
				pn_buf_add_text(out, "null");
				continue;
			}
		}
		pn_buf_add(out, from, (size_t)(at - from));
	}
}

static int take_json(struct pn_bench *bench, struct state *state,
		     const struct pn_scan *line, struct pn_error *err)
{
	struct pn_document object = {0};
	struct pn_reader *in = NULL;
	struct pn_buf valid = {0};
	int code;

	add_valid(&valid, line->at, line->at + pn_scan_left(line));
	code = pn_reader_memory(&in, valid.data, valid.len, "", valid.len, err);
	if (!code)
		code = pn_document_read(&object, in, err);
	if (!code)
		code = take_object(bench, state, &object, err);
	pn_document_release(&object);
	pn_reader_free(in);
	pn_buf_release(&valid);
	return code;
}

/* Lines of the program itself are passed over, objects too. */
static int take_line(struct pn_bench *bench, void *user, struct pn_scan *line,
		     struct pn_error *err)
{
	struct state *state = user;
	struct fields f;

	if (pn_scan_begins(line, "{\""))
		return pn_scan_has(line, "\"counter-value\"")
			       ? take_json(bench, state, line, err)
			       : 0;
	return is_fields(&f, &state->separator, *line)
		       ? take_fields(bench, state, &f, err)
		       : 0;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct state state = {.courses.p = out};
	int code = pn_bench_read_lines(out, in, &state, take_line,
				       "an event that was counted, of perf "
				       "stat -x or -j",
				       err);

	if (!code)
		pn_counters_finish(&state.courses);
	pn_counters_release(&state.courses);
	return code;
}

/* The first line that is neither empty nor a comment. */
static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan rest = pn_scan_of((const char *)bytes, len), line;
	struct fields f;
	char separator = 0;

	while (pn_scan_line(&line, &rest)) {
		if (!pn_scan_left(&line) || *line.at == '#')
			continue;
		if (pn_scan_begins(&line, "{\"counter-value\"") ||
		    (pn_scan_begins(&line, "{\"") &&
		     pn_scan_until(&line, &line, "\"counter-value\"")))
			return PN_SNIFF_SURE;
		return is_fields(&f, &separator, line) ? PN_SNIFF_LIKELY
						       : PN_SNIFF_NO;
	}
	return PN_SNIFF_NO;
}

const struct pn_codec pn_codec_perf_stat = {
	.name = "perf-stat",
	.summary = "events that perf stat counted",
	.languages = "c c++ rust any",
	.made_by = "perf stat -x, -o <file> <command>, or -j",
	.sniffed_by = "fields of a counter, or \"counter-value\"",
	.suffix = ".csv",
	.sniff = sniff,
	.read = read_profile,
};
