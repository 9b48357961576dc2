/*
 * perf script: reading. Records of one stack, process and event are one
 * sample; what a stack is called by, its process, is its outermost frame.
 */
#include "codec/perf_script/perf_script.h"

#include "base/alloc.h"
#include "base/reader/lines.h"
#include "model/timeline/events.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMENT_MAX 4096
#define NO_EVENT "samples" /* records that name none */

struct event {
	uint32_t name; /* string */
	bool has_period;
	uint64_t records;
};

/* What becomes a sample. */
struct row {
	uint32_t stack, labels;
	uint32_t event;
	int64_t value;
};

struct decoder {
	struct pn_profile *p;
	struct pn_lines lines;
	struct pn_perf_frames frames;
	struct pn_strtab stacks; /* keys, as bytes */
	struct pn_perf_threads threads;
	struct event events[PN_MAX_VALUE_TYPES];
	uint32_t event_count;
	struct row *rows;
	size_t row_count, row_cap;
	struct pn_slots row_slots;
	/* the record that is read */
	bool open;
	bool has_data;	 /* `stack` has the address behind its head, which is
			  * its only frame if no other follows */
	uint32_t *stack; /* frames, from the leaf on */
	size_t depth, depth_cap;
	uint32_t comm;		 /* location for comm_text, PN_NONE: none yet */
	struct pn_buf comm_text; /* name of the process of the last record */
	/* The last head that was taken apart and its text up to the anchor:
	 * the next one often begins the same and is not read again. */
	struct pn_perf_head last;
	struct pn_buf last_text;
	uint32_t labels, event;
	int64_t value;
	int64_t time_ns;	   /* -1: unknown */
	int64_t first_ns, last_ns; /* of all records; -1: none has a time */
	uint64_t strange, first_strange; /* lines that were not understood */
};

static int bad_line(const struct decoder *d, struct pn_error *err, int code,
		    const char *what)
{
	return pn_error_set(err, code, "line %" PRIu64 ": %s", d->lines.number,
			    what);
}

static uint32_t stack_of(struct decoder *d, const uint32_t *locations,
			 size_t count)
{
	size_t had;
	uint32_t id;

	if (!d->stacks.count)
		pn_strtab_add(&d->stacks, "", 0);
	had = d->stacks.count;
	/* an empty stack has a key of its own as well */
	id = count ? pn_strtab_add(&d->stacks, locations,
				   count * sizeof(*locations))
		   : pn_strtab_add(&d->stacks, "-", 1);
	if (d->stacks.count != had)
		pn_profile_add_stack(d->p, locations, count);
	return id - 1;
}

static int add_row(struct decoder *d, uint32_t stack, struct pn_error *err)
{
	uint64_t key[2] = {(uint64_t)stack << 32 | d->labels, d->event};
	uint32_t hash = pn_slots_hash(&d->row_slots, key, 2), at_row;
	size_t at = pn_slots_first(&d->row_slots, hash);
	struct row *row;

	while (pn_slots_row(&at_row, &d->row_slots, &at, hash)) {
		row = &d->rows[at_row];
		if (row->stack != stack || row->labels != d->labels ||
		    row->event != d->event)
			continue;
		if (__builtin_add_overflow(row->value, d->value, &row->value))
			return bad_line(d, err, PN_ERANGE,
					"periods add up to more than 63 bits "
					"hold");
		return 0;
	}
	d->rows = pn_grow(d->rows, &d->row_cap, d->row_count + 1,
			  sizeof(*d->rows));
	row = &d->rows[d->row_count];
	row->stack = stack;
	row->labels = d->labels;
	row->event = d->event;
	row->value = d->value;
	pn_slots_add(&d->row_slots, hash, (uint32_t)d->row_count++);
	return 0;
}

static void push(struct decoder *d, uint32_t value)
{
	d->stack = pn_grow(d->stack, &d->depth_cap, d->depth + 1,
			   sizeof(*d->stack));
	d->stack[d->depth++] = value;
}

/* Labels but for the empty set and threads come in one order. */
static void add_event(struct decoder *d, uint32_t stack)
{
	struct pn_event event = {
		.time_ns = d->time_ns,
		.stack = stack,
		.thread = d->labels ? d->labels - 1 : PN_NONE,
		.type = d->event,
	};

	if (d->time_ns >= 0)
		pn_events_add(d->p, &event);
}

static int close_record(struct decoder *d, struct pn_error *err)
{
	uint32_t stack;

	if (!d->open)
		return 0;
	d->open = false;
	d->depth = pn_perf_locations(&d->frames, d->stack, d->depth);
	if (d->comm != PN_NONE)
		push(d, d->comm);
	if (d->p->frame_count + d->depth >= PN_NONE)
		return bad_line(d, err, PN_ELIMIT, "too many frames in all");
	stack = stack_of(d, d->stack, d->depth);
	add_event(d, stack);
	return add_row(d, stack, err);
}

static void set_comm(struct decoder *d, struct pn_perf_text comm)
{
	if (!comm.len) {
		d->comm = PN_NONE;
		pn_buf_clear(&d->comm_text);
	} else if (comm.len != d->comm_text.len ||
		   memcmp(comm.at, d->comm_text.data, comm.len)) {
		pn_buf_clear(&d->comm_text);
		pn_buf_add(&d->comm_text, comm.at, comm.len);
		d->comm = pn_perf_comm(&d->frames, comm.at, comm.len);
	}
}

static bool is_event(const struct decoder *d, uint32_t at,
		     struct pn_perf_text name)
{
	uint32_t string = d->events[at].name;

	return pn_strtab_len(&d->p->strings, string) == name.len &&
	       !memcmp(pn_profile_text(d->p, string), name.at, name.len);
}

static int set_event(struct decoder *d, const struct pn_perf_head *head,
		     struct pn_error *err)
{
	struct pn_perf_text name = head->event;

	if (!name.len) {
		name.at = NO_EVENT;
		name.len = strlen(NO_EVENT);
	}
	if (memchr(name.at, '\0', name.len))
		return bad_line(d, err, PN_EINVAL, "a NUL byte in an event");
	if (d->event >= d->event_count || !is_event(d, d->event, name))
		for (d->event = 0; d->event < d->event_count; d->event++)
			if (is_event(d, d->event, name))
				break;
	if (d->event == PN_MAX_VALUE_TYPES)
		return bad_line(d, err, PN_ELIMIT, "more than 64 events");
	if (d->event == d->event_count)
		d->events[d->event_count++].name =
			pn_strtab_add(&d->p->strings, name.at, name.len);
	d->events[d->event].has_period |= head->has_period;
	return 0;
}

static int add_frame(struct decoder *d, const char *text, size_t len,
		     struct pn_error *err)
{
	while (len && (*text == ' ' || *text == '\t')) {
		text++;
		len--;
	}
	while (len && (text[len - 1] == ' ' || text[len - 1] == '\t'))
		len--;
	if (!len)
		return 0;
	if (d->depth == PN_MAX_STACK_DEPTH)
		return bad_line(d, err, PN_ELIMIT, "more than 2^20 frames");
	push(d, pn_perf_frame(&d->frames, text, len));
	return 0;
}

/* What stands behind the event of a head is the record's only frame, or text
 * of a trace point. */
static bool is_only_frame(struct pn_perf_text rest)
{
	while (rest.len && rest.at[rest.len - 1] == ' ')
		rest.len--;
	return rest.len && pn_perf_is_frame(rest.at, rest.len) &&
	       (rest.at[rest.len - 1] == ')' ||
		!memchr(rest.at, ' ', rest.len));
}

static void see_time(struct decoder *d, const struct pn_perf_head *head)
{
	d->time_ns = head->has_time ? head->time_ns : -1;
	if (!head->has_time || head->time_ns < 0)
		return;
	if (d->first_ns < 0 || head->time_ns < d->first_ns)
		d->first_ns = head->time_ns;
	if (head->time_ns > d->last_ns)
		d->last_ns = head->time_ns;
}

static int open_record(struct decoder *d, const struct pn_perf_head *head,
		       struct pn_error *err)
{
	int code = close_record(d, err);

	if (!code)
		code = set_event(d, head, err);
	if (code)
		return code;
	if (head->has_period && head->period > INT64_MAX)
		return bad_line(d, err, PN_ERANGE, "a period above 2^63");
	d->value = head->has_period ? (int64_t)head->period : 1;
	d->events[d->event].records++;
	see_time(d, head);
	set_comm(d, head->comm);
	d->labels = pn_perf_threads_labels(&d->threads, head->pid, head->tid,
					   &d->comm_text);
	d->open = true;
	d->depth = 0;
	d->has_data = is_only_frame(head->rest);
	if (d->has_data)
		code = add_frame(d, head->rest.at, head->rest.len, err);
	return code;
}

static void skip_strange(struct decoder *d)
{
	if (!d->strange++)
		d->first_strange = d->lines.number;
}

static bool is_record(struct pn_perf_text text)
{
	return text.len > 12 && !memcmp(text.at, "PERF_RECORD_", 12);
}

/* What --show-mmap-events, --show-task-events and their like print between
 * samples; some have a colon behind the name. */
static bool is_no_sample(const struct pn_perf_head *head)
{
	return is_record(head->event.len ? head->event : head->rest);
}

static int read_head(struct decoder *d, const char *text, size_t len,
		     struct pn_error *err)
{
	struct pn_perf_head head;
	bool good = pn_perf_head_again(
		&head, &d->last, (const char *)d->last_text.data, text, len);

	if (!good) {
		good = pn_perf_head(&head, text, len);
		d->last = head;
		pn_buf_clear(&d->last_text);
		pn_buf_add(&d->last_text, text, good ? head.anchor : 0);
		d->last.anchor = d->last_text.len;
	}
	if (good)
		return is_no_sample(&head) ? 0 : open_record(d, &head, err);
	if (!d->row_count && !d->open)
		return bad_line(d, err, PN_EINVAL,
				"expected 'comm pid time: period event:', as "
				"perf script prints it");
	skip_strange(d);
	return 0;
}

/* A frame in a line of its own, without a head where -F ip,sym left them. */
static int add_frame_line(struct decoder *d, const char *text, size_t len,
			  struct pn_error *err)
{
	struct pn_perf_head head;
	int code = 0;

	memset(&head, 0, sizeof(head));
	head.pid = head.tid = -1;
	if (!d->open)
		code = open_record(d, &head, err);
	/* what stood behind the head is the data's address then (-F addr) */
	if (d->has_data)
		d->depth = 0;
	d->has_data = false;
	return code ? code : add_frame(d, text, len, err);
}

/* "0x4f/0x5a/P/-/-/9 ...": the branches before the sample (-F brstack). */
static bool are_branches(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i + 8 < len && text[i] != ' '; i++)
		if (text[i] == '/' && strchr("MPN-", text[i + 1]) &&
		    text[i + 2] == '/' && strchr("X-", text[i + 3]) &&
		    text[i + 4] == '/' && strchr("A-", text[i + 5]) &&
		    text[i + 6] == '/')
			return true;
	return false;
}

/*
 * A line with blanks in front: a frame; where the last frame is in the
 * source; or, right-aligned, the head of a record without frames below.
 */
static int read_indented(struct decoder *d, const char *text, size_t len,
			 struct pn_error *err)
{
	struct pn_perf_head head;
	bool is_frame = pn_perf_is_frame(text, len);
	bool is_head = pn_perf_head(&head, text, len) && head.event.len &&
		       (head.tid >= 0 || head.has_time);

	if (is_head && (!is_frame || !d->open || head.has_time))
		return open_record(d, &head, err);
	if (is_frame)
		return add_frame_line(d, text, len, err);
	if (!d->open || !d->depth)
		return read_head(d, text, len, err);
	while (len && (*text == ' ' || *text == '\t')) {
		text++;
		len--;
	}
	if (are_branches(text, len))
		return 0;
	if (d->frames.items[d->stack[d->depth - 1]].placed) {
		skip_strange(d);
		return 0;
	}
	d->stack[d->depth - 1] =
		pn_perf_frame_at(&d->frames, d->stack[d->depth - 1], text, len);
	return 0;
}

/* What the file says of how it came to be: "# cmdline : ...". */
static void read_comment(struct decoder *d, const char *text, size_t len)
{
	static const char *const keys[] = {
		"captured on", "hostname", "os release", "perf version",
		"cpudesc",     "cmdline",  NULL};
	struct pn_profile *p = d->p;
	struct pn_buf comment = {0};
	const char *colon = memchr(text, ':', len);
	size_t i, key;

	if (len < 3 || memcmp(text, "# ", 2) || !colon || len > COMMENT_MAX)
		return;
	key = (size_t)(colon - text);
	while (key > 2 && text[key - 1] == ' ')
		key--;
	for (i = 0; keys[i]; i++)
		if (key - 2 == strlen(keys[i]) &&
		    !memcmp(text + 2, keys[i], key - 2))
			break;
	if (!keys[i] || p->comment_count >= sizeof(keys) / sizeof(*keys))
		return;
	pn_buf_add(&comment, text + 2, key - 2);
	pn_buf_add(&comment, colon, len - (size_t)(colon - text));
	pn_profile_add_comment(p, comment.data, comment.len);
	pn_buf_release(&comment);
}

static int read_line(void *to, const char *text, size_t len,
		     struct pn_error *err)
{
	struct decoder *d = to;

	if (!len)
		return close_record(d, err);
	switch (*text) {
	case '\t':
		return add_frame_line(d, text, len, err);
	case ' ':
		return read_indented(d, text, len, err);
	case '#':
		read_comment(d, text, len);
		return 0;
	default:
		return read_head(d, text, len, err);
	}
}

static int read_lines(struct decoder *d, struct pn_error *err)
{
	int code = pn_lines_each(&d->lines, d, read_line, err);

	return code ? code : close_record(d, err);
}

/* The clocks count nanoseconds, "cpu-clock:u" as well. */
static bool is_clock(const char *event)
{
	size_t len = strcspn(event, ":");

	return (len == 9 && !memcmp(event, "cpu-clock", len)) ||
	       (len == 10 && !memcmp(event, "task-clock", len));
}

/* What the event counts, unless two count it: those keep what perf says. */
static const char *type_name(struct decoder *d, const uint32_t *short_names,
			     uint32_t at)
{
	uint32_t i;

	for (i = 0; i < d->event_count; i++)
		if (i != at && short_names[i] == short_names[at])
			return pn_profile_text(d->p, d->events[at].name);
	return pn_profile_text(d->p, short_names[at]);
}

/* What a program's time is counted by comes first, in this order; of other
 * events the one with most records: not what happens to be met first, as the
 * page faults of a program's start are. */
static size_t headline(const struct decoder *d)
{
	static const char *const times[] = {"cycles", "cpu-cycles", "cpu-clock",
					    "task-clock"};
	size_t i, k, best = 0;

	for (k = 0; k < sizeof(times) / sizeof(*times); k++)
		for (i = 0; i < d->event_count; i++) {
			const char *name =
				pn_profile_text(d->p, d->p->types[i].type);

			if (strcspn(name, ":") == strlen(times[k]) &&
			    !strncmp(name, times[k], strlen(times[k])))
				return i;
		}
	for (i = 1; i < d->event_count; i++)
		if (d->events[i].records > d->events[best].records)
			best = i;
	return best;
}

static void add_types(struct decoder *d)
{
	uint32_t short_names[PN_MAX_VALUE_TYPES];
	struct pn_profile *p = d->p;
	struct pn_buf text = {0};
	uint32_t i, type;

	for (i = 0; i < d->event_count; i++) {
		pn_buf_clear(&text);
		pn_perf_event_name(&text,
				   pn_profile_text(p, d->events[i].name));
		short_names[i] =
			pn_strtab_add_text(&p->strings, pn_buf_text(&text));
	}
	pn_buf_release(&text);
	for (i = 0; i < d->event_count; i++) {
		const char *name = type_name(d, short_names, i);
		bool ns = d->events[i].has_period && is_clock(name);

		type = pn_profile_add_type(p, name,
					   ns ? "nanoseconds" : "count");
		p->types[type].better = PN_BETTER_LESS;
	}
	p->default_type = p->types[headline(d)].type;
}

static void add_samples(struct decoder *d)
{
	union pn_value values[PN_MAX_VALUE_TYPES] = {{0}};
	size_t i;

	for (i = 0; i < d->row_count; i++) {
		const struct row *row = &d->rows[i];

		values[row->event].i = row->value;
		pn_profile_add_sample(d->p, row->stack, row->labels, values);
		values[row->event].i = 0;
	}
}

static void say_what_was_strange(struct decoder *d)
{
	struct pn_profile *p = d->p;
	char text[128];

	if (!d->strange)
		return;
	snprintf(text, sizeof(text),
		 "%" PRIu64 " lines were not understood, line %" PRIu64
		 " is the first",
		 d->strange, d->first_strange);
	pn_profile_add_comment(p, text, strlen(text));
}

static int read_all(struct decoder *d, struct pn_error *err)
{
	int code = read_lines(d, err);

	if (code)
		return code;
	if (!d->row_count)
		return bad_line(d, err, PN_EINVAL,
				"the file ends without a record 'comm pid "
				"time: period event:'");
	add_types(d);
	add_samples(d);
	say_what_was_strange(d);
	pn_perf_program_first(&d->frames);
	d->p->duration_ns = d->last_ns - d->first_ns;
	/* cpus and the periods of single records are not kept */
	d->p->complete = false;
	return 0;
}

int pn_perf_script_read(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct decoder d = {
		.p = out, .comm = PN_NONE, .first_ns = -1, .last_ns = -1};
	int code;

	d.lines.in = in;
	d.frames.p = d.threads.p = out;
	pn_profile_add_label_set(out, NULL, 0);
	code = read_all(&d, err);
	pn_perf_frames_release(&d.frames);
	pn_strtab_release(&d.stacks);
	pn_perf_threads_release(&d.threads);
	pn_slots_release(&d.row_slots);
	pn_buf_release(&d.comm_text);
	pn_buf_release(&d.last_text);
	free(d.rows);
	free(d.stack);
	if (code)
		pn_profile_release(out);
	return code;
}
