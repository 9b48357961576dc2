/*
 * The kernel's tracer function_graph: what `trace-cmd report` (3.1) prints, or
 * the file "trace" of tracefs. A line is a call that opens, one that closes, or
 * one that called nothing; Documentation/trace/ftrace.rst, "function graph
 * tracer", and trace-cmd's plugin of that name.
 *
 *	work-123 [000] 10.000001: funcgraph_entry:        |  vfs_write() {
 *	work-123 [000] 10.000002: funcgraph_entry: 0.5 us |    fsnotify();
 *	work-123 [000] 10.000003: funcgraph_exit:  2.5 us |  }
 *
 *	 0)   0.5 us    |    fsnotify();
 *
 * Stacks have the time that is left of a call without those inside; threads
 * are told apart, or processors where lines do not name the thread. The idle
 * thread, 0, is another one on each processor.
 */
#include "base/alloc.h"
#include "base/number.h"
#include "base/reader/lines.h"
#include "codec/call_tree.h"
#include "codec/codec.h"
#include "codec/frames.h"
#include "codec/scan.h"
#include "codec/threaded.h"
#include "model/timeline/events.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 4096
#define TRACKS_MAX (1u << 16)
#define CPUS_MAX 4096

/* A call that is open, with the time of what it called so far. */
struct call {
	uint32_t node;
	int64_t inside_ns;
};

struct track {
	struct call *calls;
	size_t count, cap;
	size_t cpu;	   /* where it was last; SIZE_MAX: not known */
	uint64_t losses;   /* of that processor until then */
	int64_t inside_ns; /* of what ended while no call was open */
	uint32_t thread;
};

struct decoder {
	struct pn_threaded threaded;
	struct pn_frames frames;
	struct pn_call_tree tree;
	struct pn_strtab names; /* of threads and processors */
	uint32_t *by_name;	/* tracks + 1, by id; 0: none */
	size_t name_cap;
	struct track *tracks;
	size_t count, cap;
	uint32_t running[CPUS_MAX]; /* names of threads, by processor */
	uint64_t losses[CPUS_MAX];  /* how often lines were lost there */
	struct pn_buf text;
	bool found;
};

/* A line taken apart. */
struct line {
	struct pn_scan track; /* "work-123", or a processor */
	struct pn_scan cpu;   /* "000" */
	struct pn_scan call;  /* "vfs_write() {", "fsnotify();", "}" */
	struct pn_scan tail;  /* "vfs_write" of a "}", where it is told */
	int64_t ns;	      /* how long, or -1 */
	int64_t at_ns;	      /* when, or -1 */
};

/* "+ 12.345 us": a sign says that it was long. */
static bool take_duration(int64_t *out, struct pn_scan s)
{
	double us;

	pn_scan_trim(&s);
	while (pn_scan_left(&s) && strchr("+!#*@$", *s.at))
		s.at++;
	if (!pn_scan_number(&us, &s) || !(us >= 0 && us < 9e15))
		return false;
	pn_scan_trim(&s);
	if (!pn_scan_is(&s, "us"))
		return false;
	*out = llround(us * 1e3);
	return true;
}

/* "work-123  [000]  10.000001: funcgraph_entry:  0.5 us |" of trace-cmd */
static bool take_event_head(struct line *out, struct pn_scan head)
{
	struct pn_scan before, rest = head;
	double seconds;

	if (!pn_scan_until(&before, &rest, "funcgraph_entry:")) {
		rest = head;
		if (!pn_scan_until(&before, &rest, "funcgraph_exit:"))
			return false;
	}
	take_duration(&out->ns, rest);
	if (!pn_scan_until(&out->track, &before, "["))
		return false;
	pn_scan_trim(&out->track);
	if (pn_scan_until(&out->cpu, &before, "]") && pn_scan_left(&before)) {
		/* flags ("d..1.") may stand before the time */
		while (pn_scan_word(&rest, &before)) {
			rest.end -= pn_scan_left(&rest) && rest.end[-1] == ':';
			if (pn_number_double(&seconds, rest.at,
					     pn_scan_left(&rest)) &&
			    seconds >= 0)
				pn_events_ns(&out->at_ns, seconds, 1e9);
		}
	}
	return pn_scan_left(&out->track) > 0;
}

/* " 0)   0.5 us    " of the kernel's own file; " 0) work-123 | 0.5 us" where
 * funcgraph-proc is on */
static bool take_kernel_head(struct line *out, struct pn_scan head)
{
	struct pn_scan before, after = head;

	if (!pn_scan_until(&out->track, &after, ")"))
		return false;
	pn_scan_trim(&out->track);
	if (!pn_scan_left(&out->track) || *out->track.at < '0' ||
	    *out->track.at > '9')
		return false;
	out->cpu = out->track;
	if (pn_scan_until(&before, &after, "|")) {
		pn_scan_trim(&before);
		if (pn_scan_left(&before))
			out->track = before;
	}
	take_duration(&out->ns, after);
	return true;
}

/* False for a line that is of something else. */
static bool split(struct line *out, const char *text, size_t len)
{
	struct pn_scan s = pn_scan_of(text, len), head, before, comment;

	out->ns = out->at_ns = -1;
	out->cpu = out->tail = pn_scan_of(text, 0);
	if (!pn_scan_until_last(&head, &s, '|'))
		return false;
	out->call = s;
	if (pn_scan_until(&before, &s, "/*")) {
		out->call = before;
		/* "name", "name [module]", "name = 0x1" */
		if (pn_scan_until(&comment, &s, "*/"))
			pn_scan_word(&out->tail, &comment);
	}
	pn_scan_trim(&out->call);
	return pn_scan_left(&out->call) &&
	       (take_event_head(out, head) || take_kernel_head(out, head));
}

static size_t processor_of(const struct pn_scan *s)
{
	uint64_t cpu;

	return pn_number_uint(&cpu, s->at, pn_scan_left(s)) && cpu < CPUS_MAX
		       ? (size_t)cpu
		       : SIZE_MAX;
}

/* "work-123"; "<idle>-0/1" on processor 1 */
static uint32_t name_of(struct decoder *d, const struct pn_scan *s, size_t cpu)
{
	size_t had = d->name_cap, len = pn_scan_left(s);
	uint32_t id;

	pn_buf_clear(&d->text);
	pn_buf_add(&d->text, s->at, len);
	if (cpu != SIZE_MAX && len > 2 && !memcmp(s->end - 2, "-0", 2))
		pn_buf_printf(&d->text, "/%zu", cpu);
	id = pn_strtab_add(&d->names, d->text.data, d->text.len);
	d->by_name = pn_grow(d->by_name, &d->name_cap, (size_t)id + 1,
			     sizeof(*d->by_name));
	memset(d->by_name + had, 0, (d->name_cap - had) * sizeof(*d->by_name));
	return id;
}

/* "work-123", or a processor */
static uint32_t add_thread(struct decoder *d, uint32_t name)
{
	struct pn_strtab *strings = &d->threaded.p->strings;
	const char *text = pn_strtab_text(&d->names, name);
	struct pn_scan pid = pn_scan_of(text, strlen(text)), command;
	struct pn_threaded_id id = {0};

	if (pn_scan_until_last(&command, &pid, '-') && pn_scan_left(&pid)) {
		id.thread = pn_strtab_add(strings, pid.at, pn_scan_left(&pid));
		id.name = pn_strtab_add(strings, command.at,
					pn_scan_left(&command));
	} else {
		pn_buf_clear(&d->text);
		pn_buf_printf(&d->text, "cpu %s", text);
		id.thread = pn_strtab_add(strings, d->text.data, d->text.len);
	}
	return pn_threaded_thread(&d->threaded, &id);
}

/* NULL when there are too many. */
static struct track *track_of(struct decoder *d, const struct line *line)
{
	size_t cpu = processor_of(&line->track);
	uint32_t name =
		cpu != SIZE_MAX && d->running[cpu]
			? d->running[cpu]
			: name_of(d, &line->track, processor_of(&line->cpu));
	struct track *t;

	if (!d->by_name[name]) {
		if (d->count == TRACKS_MAX)
			return NULL;
		d->tracks = pn_grow(d->tracks, &d->cap, d->count + 1,
				    sizeof(*d->tracks));
		memset(&d->tracks[d->count], 0, sizeof(*d->tracks));
		d->tracks[d->count].thread = add_thread(d, name);
		d->by_name[name] = (uint32_t)++d->count;
	}
	t = &d->tracks[d->by_name[name] - 1];
	if (t->cpu != SIZE_MAX && t->losses != d->losses[t->cpu])
		t->count = t->inside_ns = 0;
	t->cpu = processor_of(&line->cpu);
	if (t->cpu != SIZE_MAX)
		t->losses = d->losses[t->cpu];
	return t;
}

/* "CPU:0 [LOST 5 EVENTS]", "CPU:0 [5 EVENTS DROPPED]": nobody knows which of
 * the calls there ended, nor what began. */
static bool take_lost(struct decoder *d, const char *text, size_t len)
{
	struct pn_scan rest = pn_scan_of(text, len), number;
	size_t cpu;

	if (!pn_scan_text(&rest, "CPU:") ||
	    !pn_scan_until(&number, &rest, " [") ||
	    !pn_scan_has(&rest, "EVENTS"))
		return false;
	cpu = processor_of(&number);
	if (cpu != SIZE_MAX)
		d->losses[cpu]++;
	return cpu != SIZE_MAX;
}

/* " 0)  work-123  =>  other-124": what was on the processor until now was of
 * the first one. */
static bool take_switch(struct decoder *d, const char *text, size_t len)
{
	struct pn_scan rest = pn_scan_of(text, len), cpu, from;
	uint32_t before, left;
	size_t at;

	if (!pn_scan_has(&rest, "=>") || !pn_scan_until(&cpu, &rest, ")") ||
	    !pn_scan_until(&from, &rest, "=>"))
		return false;
	pn_scan_trim(&cpu);
	pn_scan_trim(&from);
	pn_scan_trim(&rest);
	at = processor_of(&cpu);
	if (at == SIZE_MAX || !pn_scan_left(&from) || !pn_scan_left(&rest))
		return false;
	/* "0)   ==========> |": an interrupt begins */
	if (*from.at == '=' || *rest.at == '|')
		return false;
	before = name_of(d, &cpu, at);
	left = name_of(d, &from, at);
	if (!d->running[at] && !d->by_name[left]) {
		d->by_name[left] = d->by_name[before];
		d->by_name[before] = 0;
	}
	d->running[at] = name_of(d, &rest, at);
	return true;
}

static uint32_t node_of(struct decoder *d, const struct track *t,
			struct pn_scan name)
{
	struct pn_frame f = {.mapping = PN_NONE};
	struct pn_scan module;

	/* "fuse_open [fuse]()" */
	if (pn_scan_until(&module, &name, " ["))
		name = module;
	f.name = pn_strtab_add(&d->threaded.p->strings, name.at,
			       pn_scan_left(&name));
	return pn_call_tree_child(
		&d->tree, t->count ? t->calls[t->count - 1].node : PN_NONE,
		pn_frames_location(&d->frames, d->threaded.p, &f));
}

static int add_call(struct decoder *d, struct track *t, uint32_t node,
		    int64_t inside_ns, const struct line *line, bool closed,
		    struct pn_error *err)
{
	union pn_value row[2] = {{.i = 1}};
	struct pn_event event = {.type = 1, .time_ns = line->at_ns};
	int64_t *outer =
		t->count ? &t->calls[t->count - 1].inside_ns : &t->inside_ns;
	uint32_t stack;
	int code;

	row[1].i = line->ns > inside_ns ? line->ns - inside_ns : 0;
	event.duration_ns = row[1].i;
	if (closed && line->at_ns >= 0)
		event.time_ns -= line->ns; /* an exit is its end */
	if (__builtin_add_overflow(*outer, line->ns, outer))
		*outer = INT64_MAX;
	code = pn_call_tree_stack(&stack, &d->tree, d->threaded.p, node, err);
	return code ? code
		    : pn_threaded_add(&d->threaded, stack, t->thread, row,
				      line->at_ns >= 0 ? &event : NULL, err);
}

static int open_call(struct decoder *d, struct track *t, struct pn_scan name,
		     struct pn_error *err)
{
	if (t->count == DEPTH_MAX)
		return pn_error_set(err, PN_ELIMIT,
				    "more than %d calls in one another",
				    DEPTH_MAX);
	t->calls = pn_grow(t->calls, &t->cap, t->count + 1, sizeof(*t->calls));
	t->calls[t->count] = (struct call){.node = node_of(d, t, name)};
	t->count++;
	return 0;
}

/* All that went before is inside one that began before the trace did; what has
 * no name there counts for nothing. */
static int close_unseen(struct decoder *d, struct track *t,
			const struct line *line, struct pn_error *err)
{
	int64_t inside_ns = t->inside_ns;

	if (line->ns < 0 || !pn_scan_left(&line->tail) ||
	    *line->tail.at == '=' || *line->tail.at == '<')
		return 0;
	t->inside_ns = 0;
	return add_call(d, t, node_of(d, t, line->tail), inside_ns, line, true,
			err);
}

static int close_call(struct decoder *d, struct track *t,
		      const struct line *line, struct pn_error *err)
{
	struct call call;

	if (!t->count)
		return close_unseen(d, t, line, err);
	call = t->calls[--t->count];
	if (line->ns < 0)
		return 0;
	return add_call(d, t, call.node, call.inside_ns, line, true, err);
}

static int take_line(void *to, const char *text, size_t len,
		     struct pn_error *err)
{
	struct decoder *d = to;
	struct pn_scan name, rest;
	struct track *t;
	struct line line;

	if (take_switch(d, text, len) || take_lost(d, text, len) ||
	    !split(&line, text, len))
		return 0;
	t = track_of(d, &line);
	if (!t)
		return pn_error_set(err, PN_ELIMIT, "more than %u threads",
				    TRACKS_MAX);
	rest = line.call;
	if (*rest.at == '}') {
		d->found = true;
		return close_call(d, t, &line, err);
	}
	if (!pn_scan_until(&name, &rest, "()") || !pn_scan_left(&name))
		return 0;
	d->found = true;
	pn_scan_trim(&rest);
	if (pn_scan_begins(&rest, "{"))
		return open_call(d, t, name, err);
	return line.ns < 0 ? 0
			   : add_call(d, t, node_of(d, t, name), 0, &line,
				      false, err);
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct decoder *d = pn_calloc(1, sizeof(*d));
	size_t i;
	int code;

	d->threaded.p = out;
	pn_profile_add_type(out, "calls", "count");
	pn_profile_add_type(out, "time", "nanoseconds");
	out->types[0].better = out->types[1].better = PN_BETTER_LESS;
	code = pn_lines_read(in, d, take_line, err);
	if (!code && !d->found)
		code = pn_error_set(err, PN_EINVAL,
				    "no call of the tracer function_graph");
	out->complete = false; /* other events, calls that did not end */
	for (i = 0; i < d->count; i++)
		free(d->tracks[i].calls);
	free(d->tracks);
	pn_strtab_release(&d->names);
	pn_threaded_release(&d->threaded);
	pn_frames_release(&d->frames);
	pn_call_tree_release(&d->tree);
	pn_buf_release(&d->text);
	free(d->by_name);
	free(d);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan s = pn_scan_of((const char *)bytes, len);

	return pn_scan_begins(&s, "# tracer: function_graph") ||
			       pn_scan_has(&s, ": funcgraph_entry:") ||
			       pn_scan_has(&s, ": funcgraph_exit:")
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_ftrace = {
	.name = "ftrace",
	.summary = "calls in the Linux kernel (function_graph)",
	.languages = "linux kernel c",
	.made_by = "trace-cmd record -p function_graph <program>; trace-cmd "
		   "report",
	.sniffed_by = "'funcgraph_entry:' or '# tracer: function_graph'",
	.suffix = ".txt",
	.sniff = sniff,
	.read = read_profile,
};
