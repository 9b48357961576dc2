/* NYTProf: its records. Subs have exact times and who called them; statements
 * have the time until the next one, by line. */
#include "codec/perl/nytprof.h"

#include "base/alloc.h"
#include "base/number.h"
#include "codec/codec.h"
#include "codec/scan.h"
#include "model/graph/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FILES_MAX (1u << 20)

enum { STATEMENTS, TIME, TYPES }; /* value types */

struct decoder {
	struct pn_profile *p;
	struct pn_nytprof_stream stream;
	struct pn_nytprof_subs subs;
	struct pn_buf text, other;
	double ticks_per_s;
	bool has_calls;
};

/* "name=value", of ':' and '!' */
static int take_attribute(struct decoder *d, struct pn_error *err)
{
	struct pn_scan s, name;
	double value;

	if (pn_nytprof_line(&d->text, &d->stream, err))
		return PN_EINVAL;
	s = pn_scan_of(pn_buf_text(&d->text), d->text.len);
	if (!pn_scan_until(&name, &s, "="))
		return 0;
	if (pn_scan_is(&name, "application"))
		d->p->header.cmd =
			pn_strtab_add(&d->p->strings, s.at, pn_scan_left(&s));
	else if (pn_scan_is(&name, "ticks_per_sec") &&
		 pn_scan_number(&value, &s) && value >= 1)
		d->ticks_per_s = value;
	else if (pn_scan_is(&name, "nv_size") && !pn_scan_is(&s, "8"))
		return pn_nytprof_fail(&d->stream, err,
				       "expected numbers of 8 bytes");
	else if (pn_scan_is(&name, "basetime") && pn_scan_number(&value, &s) &&
		 value > 0 && value < 9e9)
		d->p->time_ns = (int64_t)(value * 1e9);
	return 0;
}

static int take_numbers(uint32_t *out, size_t n, struct decoder *d,
			struct pn_error *err)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (pn_nytprof_number(&out[i], &d->stream, err))
			return PN_EINVAL;
	return 0;
}

/* '+': ticks, file, line; '*' has the lines of block and sub behind them. */
static int take_time(struct decoder *d, size_t numbers, struct pn_error *err)
{
	uint32_t v[5];

	if (take_numbers(v, numbers, d, err))
		return PN_EINVAL;
	if ((int32_t)v[0] > 0) /* a clock that went back is none */
		pn_nytprof_add_line(&d->subs, v[1], v[2], (int32_t)v[0]);
	return 0;
}

/* '@': number, file and line of its eval, flags, size, time, name */
static int take_file(struct decoder *d, struct pn_error *err)
{
	struct pn_nytprof_subs *s = &d->subs;
	uint32_t v[6];
	size_t had = s->file_count;

	if (take_numbers(v, 6, d, err) ||
	    pn_nytprof_string(&d->text, &d->stream, err))
		return PN_EINVAL;
	/* they are numbered as they come */
	if (v[0] > had + 1024 || v[0] >= FILES_MAX)
		return pn_nytprof_fail(&d->stream, err,
				       "the number of a file is out of order");
	if (v[0] >= had) {
		s->file_names =
			pn_realloc_array(s->file_names, (size_t)v[0] + 1,
					 sizeof(*s->file_names));
		memset(s->file_names + had, 0,
		       (v[0] + 1 - had) * sizeof(*s->file_names));
		s->file_count = (size_t)v[0] + 1;
	}
	s->file_names[v[0]] =
		pn_strtab_add(&d->p->strings, d->text.data, d->text.len);
	return 0;
}

/* 's': file, name, first and last line */
static int take_sub(struct decoder *d, struct pn_error *err)
{
	struct pn_nytprof_subs *s = &d->subs;
	struct pn_nytprof_sub sub = {0};

	if (pn_nytprof_number(&sub.file, &d->stream, err) ||
	    pn_nytprof_string(&d->text, &d->stream, err) ||
	    pn_nytprof_number(&sub.first_line, &d->stream, err) ||
	    pn_nytprof_number(&sub.last_line, &d->stream, err))
		return PN_EINVAL;
	sub.name = pn_strtab_add(&d->p->strings, d->text.data, d->text.len);
	s->items = pn_grow(s->items, &s->cap, s->count + 1, sizeof(*s->items));
	s->items[s->count++] = sub;
	return 0;
}

static bool to_ns(int64_t *out, double seconds)
{
	if (!(fabs(seconds) < 9e9))
		return false;
	*out = seconds > 0 ? llround(seconds * 1e9) : 0;
	return true;
}

/* How often and how long one called another: time of recursive calls is within
 * that of the outermost one. */
static int add_calls(struct decoder *d, uint32_t caller, uint32_t callee,
		     const uint32_t v[3], const int64_t ns[2],
		     struct pn_error *err)
{
	struct pn_graph *g = &d->p->graph;
	size_t edge = pn_named_edge(&d->subs.named, caller, callee);
	size_t at = edge * TYPES + TIME, node = callee * (size_t)TYPES + TIME;

	g->edges[edge].line = v[1];
	if (g->edges[edge].calls < 0)
		g->edges[edge].calls = 0;
	if (g->nodes[callee].calls < 0)
		g->nodes[callee].calls = 0;
	g->edges[edge].calls += v[2];
	g->nodes[callee].calls += v[2];
	return pn_named_add(&g->edge_total[at].i, ns[0], err) ||
			       pn_named_add(&g->edge_self[at].i, ns[1], err) ||
			       pn_named_add(&g->total[node].i, ns[0], err) ||
			       pn_named_add(&g->self[node].i, ns[1], err)
		       ? PN_ERANGE
		       : 0;
}

/* 'c': file, line, caller, calls, seconds with and without what was called, of
 * recursion, its depth, callee. Subs that nobody called have no caller. */
static int take_calls(struct decoder *d, struct pn_error *err)
{
	struct pn_named *named = &d->subs.named;
	uint32_t v[3], depth, caller, callee;
	double seconds[3] = {0};
	int64_t ns[2];
	size_t i;

	if (take_numbers(v, 2, d, err) ||
	    pn_nytprof_string(&d->text, &d->stream, err) ||
	    pn_nytprof_number(&v[2], &d->stream, err))
		return PN_EINVAL;
	for (i = 0; i < 3; i++)
		if (pn_nytprof_double(&seconds[i], &d->stream, err))
			return PN_EINVAL;
	if (pn_nytprof_number(&depth, &d->stream, err) ||
	    pn_nytprof_string(&d->other, &d->stream, err))
		return PN_EINVAL;
	if (!to_ns(&ns[0], seconds[0]) || !to_ns(&ns[1], seconds[1]))
		return pn_nytprof_fail(&d->stream, err,
				       "a time of more than 9e9 seconds");
	if (!d->text.len || !v[2])
		return 0;
	d->has_calls = true;
	callee = pn_named_node(named, d->other.data, d->other.len,
			       pn_buf_text(&d->other), d->other.len);
	caller = pn_named_node(named, d->text.data, d->text.len,
			       pn_buf_text(&d->text), d->text.len);
	return add_calls(d, caller, callee, v, ns, err);
}

/* Records that are passed over: n numbers, then so many doubles and strings. */
static int skip(struct decoder *d, size_t numbers, size_t doubles,
		size_t strings, struct pn_error *err)
{
	uint32_t v[5];
	double ignored;
	size_t i;

	if (take_numbers(v, numbers, d, err))
		return PN_EINVAL;
	for (i = 0; i < doubles; i++)
		if (pn_nytprof_double(&ignored, &d->stream, err))
			return PN_EINVAL;
	for (i = 0; i < strings; i++)
		if (pn_nytprof_string(&d->text, &d->stream, err))
			return PN_EINVAL;
	return 0;
}

static int take_record(struct decoder *d, int tag, struct pn_error *err)
{
	switch (tag) {
	case ':':
	case '!':
		return take_attribute(d, err);
	case '#':
		return pn_nytprof_line(&d->text, &d->stream, err);
	case 'z':
		return pn_nytprof_inflate(&d->stream, err);
	case '+':
		return take_time(d, 3, err);
	case '*':
		return take_time(d, 5, err);
	case '-':
		return 0;
	case '@':
		return take_file(d, err);
	case 's':
		return take_sub(d, err);
	case 'c':
		return take_calls(d, err);
	case 'S':
		return skip(d, 2, 0, 1, err);
	case 'P':
		return skip(d, 2, 1, 0, err);
	case 'p':
		return skip(d, 1, 1, 0, err);
	case '>':
		return skip(d, 2, 0, 0, err);
	case '<':
		return skip(d, 1, 2, 1, err);
	default:
		return pn_nytprof_fail(&d->stream, err,
				       "expected the letter of a record");
	}
}

static int take_head(struct decoder *d, struct pn_error *err)
{
	struct pn_scan s;
	double major;

	if (pn_nytprof_line(&d->text, &d->stream, err))
		return PN_EINVAL;
	s = pn_scan_of(pn_buf_text(&d->text), d->text.len);
	if (!pn_scan_text(&s, "NYTProf ") || !pn_scan_number(&major, &s) ||
	    major < 5 || major >= 6)
		return pn_nytprof_fail(&d->stream, err, "expected 'NYTProf 5'");
	return 0;
}

/* The program itself is called by nobody: it takes what it called. */
static int set_roots(struct decoder *d, struct pn_error *err)
{
	struct pn_graph *g = &d->p->graph;
	size_t i;

	for (i = 0; i < g->edge_count; i++) {
		const struct pn_edge *e = &g->edges[i];

		if (g->nodes[e->caller].calls < 0 &&
		    pn_named_add(&g->total[e->caller * (size_t)TYPES + TIME].i,
				 g->edge_total[i * TYPES + TIME].i, err))
			return PN_ERANGE;
	}
	return 0;
}

static void add_types(struct pn_profile *p)
{
	pn_profile_add_type(p, "statements", "nanoseconds");
	pn_profile_add_type(p, "time", "nanoseconds");
	p->types[0].better = p->types[1].better = PN_BETTER_LESS;
}

static int read_all(struct decoder *d, struct pn_error *err)
{
	int tag = 0, code = take_head(d, err);

	while (!code) {
		code = pn_nytprof_tag(&tag, &d->stream, err);
		if (code || tag < 0)
			break;
		code = take_record(d, tag, err);
	}
	if (!code && !d->has_calls && d->subs.lines.keys.count < 2)
		code = pn_error_set(err, PN_EINVAL,
				    "neither calls nor statements in it");
	return code;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct decoder d = {.p = out,
			    .stream = {.in = in},
			    .subs = {.named = {.p = out}},
			    .ticks_per_s = 1e7};
	int code;

	add_types(out);
	code = read_all(&d, err);
	if (!code)
		code = set_roots(&d, err);
	if (!code)
		code = pn_nytprof_build(&d.subs, 1e9 / d.ticks_per_s, err);
	if (!code && !d.has_calls)
		out->default_type = out->types[STATEMENTS].type;
	out->complete = false; /* order of calls, sources, options */
	pn_nytprof_stream_release(&d.stream);
	pn_nytprof_subs_release(&d.subs);
	pn_buf_release(&d.text);
	pn_buf_release(&d.other);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan s = pn_scan_of((const char *)bytes, len);

	return pn_scan_begins(&s, "NYTProf ") ? PN_SNIFF_SURE : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_nytprof = {
	.name = "nytprof",
	.summary = "Devel::NYTProf's own file: subs, lines",
	.languages = "perl",
	.made_by = "perl -d:NYTProf <script> (Devel::NYTProf)",
	.sniffed_by = "'NYTProf '",
	.suffix = ".out",
	.sniff = sniff,
	.first = PN_FIRST_OTHER,
	.read = read_profile,
};
