/*
 * What Erlang's fprof:analyse writes: of each function its callers, calls, and
 * milliseconds with (ACC) and without (OWN) what it called. The file is a list
 * of Erlang's terms; erlang.org/doc/man/fprof, "Analysis format".
 */
#include "base/alloc.h"
#include "base/buf.h"
#include "base/reader/lines.h"
#include "codec/codec.h"
#include "codec/scan.h"
#include "codec/tables/named.h"
#include "model/timeline/events.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PROCESSES_MAX (1u << 20)

struct entry {
	struct pn_scan name;
	int64_t calls, acc_ns, own_ns;
};

struct caller {
	uint32_t node;
	int64_t calls, acc_ns, own_ns;
};

struct decoder {
	struct pn_named named;
	bool open; /* the list of callers, in front of the function */
	struct caller *callers;
	size_t count, cap;
};

/* The number behind the last comma. */
static bool take_number(double *out, struct pn_scan *s)
{
	struct pn_scan before, number = *s;

	if (!pn_scan_until_last(&before, &number, ',') ||
	    !pn_scan_number(out, &number) || pn_scan_left(&number))
		return false;
	*s = before;
	return true;
}

/* "{{fp,fib,1}, 464, 0.936, 0.636}", in milliseconds; what stands behind the
 * last brace belongs to the list. */
static bool take_entry(struct entry *out, struct pn_scan s)
{
	struct pn_scan before, rest = s;
	double own, acc, calls;

	pn_scan_trim(&rest);
	if (!pn_scan_text(&rest, "{"))
		return false;
	s = rest;
	if (!pn_scan_until_last(&before, &rest, '}'))
		return false;
	s.end = before.end;
	if (!take_number(&own, &s) || !take_number(&acc, &s) ||
	    !take_number(&calls, &s) || !(own >= 0 && own < 9e12) ||
	    !(acc >= 0 && acc < 9e12) || !(calls >= 0 && calls < 9e15))
		return false;
	pn_scan_trim(&s);
	out->name = s;
	out->calls = (int64_t)calls;
	out->acc_ns = (int64_t)round(acc * 1e6);
	out->own_ns = (int64_t)round(own * 1e6);
	return pn_scan_left(&s) > 0;
}

/* "{fp,fib,1}" is fp:fib/1 */
static uint32_t node_of(struct decoder *d, struct pn_scan name)
{
	struct pn_scan module, function, rest = name;
	struct pn_buf text = {0};
	uint32_t node;

	if (pn_scan_text(&rest, "{") && pn_scan_until(&module, &rest, ",") &&
	    pn_scan_until_last(&function, &rest, ',') && pn_scan_left(&rest)) {
		pn_buf_add(&text, module.at, pn_scan_left(&module));
		pn_buf_add_byte(&text, ':');
		pn_buf_add(&text, function.at, pn_scan_left(&function));
		pn_buf_add_byte(&text, '/');
		pn_buf_add(&text, rest.at, pn_scan_left(&rest) - 1);
	} else {
		pn_buf_add(&text, name.at, pn_scan_left(&name));
	}
	node = pn_named_node(&d->named, text.data, text.len, pn_buf_text(&text),
			     text.len);
	pn_buf_release(&text);
	return node;
}

/* What nobody called. */
static bool is_nobody(const struct pn_scan *name)
{
	return pn_scan_is(name, "undefined");
}

static int take_caller(struct decoder *d, struct pn_scan line,
		       struct pn_error *err)
{
	struct entry e;

	pn_scan_trim(&line);
	if (pn_scan_begins(&line, "]") || !pn_scan_left(&line))
		return 0;
	if (!take_entry(&e, line))
		return pn_error_set(err, PN_EINVAL,
				    "expected '{<caller>, <calls>, <ms>, "
				    "<ms>}'");
	if (is_nobody(&e.name))
		return 0;
	d->callers =
		pn_grow(d->callers, &d->cap, d->count + 1, sizeof(*d->callers));
	d->callers[d->count++] = (struct caller){node_of(d, e.name), e.calls,
						 e.acc_ns, e.own_ns};
	return 0;
}

/* Of several processes each may have a part of the calls. */
static int add_calls(int64_t *calls, int64_t more, struct pn_error *err)
{
	if (*calls < 0)
		*calls = 0;
	return pn_named_add(calls, more, err);
}

static int take_function(struct decoder *d, struct pn_scan line,
			 struct pn_error *err)
{
	struct pn_graph *g = &d->named.p->graph;
	struct entry e;
	uint32_t node;
	size_t i, edge;
	int code;

	d->open = false;
	if (!take_entry(&e, line))
		return pn_error_set(err, PN_EINVAL,
				    "expected '{ <function>, <calls>, <ms>, "
				    "<ms>}'");
	if (is_nobody(&e.name))
		return 0;
	node = node_of(d, e.name);
	code = add_calls(&g->nodes[node].calls, e.calls, err);
	if (!code)
		code = pn_named_add(&g->total[node].i, e.acc_ns, err);
	if (!code)
		code = pn_named_add(&g->self[node].i, e.own_ns, err);
	for (i = 0; !code && i < d->count; i++) {
		const struct caller *c = &d->callers[i];

		edge = pn_named_edge(&d->named, c->node, node);
		code = add_calls(&g->edges[edge].calls, c->calls, err);
		if (!code)
			code = pn_named_add(&g->edge_total[edge].i, c->acc_ns,
					    err);
		if (!code)
			code = pn_named_add(&g->edge_self[edge].i, c->own_ns,
					    err);
	}
	return code;
}

/* `[{ "<0.9.0>", 669,undefined, 1.440}].`: a process of Erlang, which is a
 * thread here, and the time of all its functions. */
static void take_process(struct decoder *d, struct pn_scan line)
{
	struct pn_profile *p = d->named.p;
	struct pn_scan id, rest;
	double own;
	uint32_t at;

	pn_scan_trim(&line);
	if (!pn_scan_text(&line, "\"") || !pn_scan_until(&id, &line, "\"") ||
	    !pn_scan_until(&rest, &line, "}") || !take_number(&own, &rest) ||
	    !(own >= 0 && own < 9e12) ||
	    p->events.thread_count == PROCESSES_MAX)
		return;
	at = pn_events_add_thread(
		p, PN_NONE,
		pn_strtab_add(&p->strings, id.at, pn_scan_left(&id)), 0);
	p->events.threads[at].cost = round(own * 1e6);
}

static int take_line(void *to, const char *text, size_t len,
		     struct pn_error *err)
{
	struct decoder *d = to;
	struct pn_scan line = pn_scan_of(text, len);

	if (!d->open && pn_scan_text(&line, "[{"))
		take_process(d, line);
	else if (pn_scan_text(&line, "{[")) {
		d->open = true;
		d->count = 0;
	} else if (d->open && pn_scan_begins(&line, " { ")) {
		return take_function(d, line, err);
	}
	return d->open ? take_caller(d, line, err) : 0;
}

static int read_profile(struct pn_profile *out, struct pn_reader *in,
			struct pn_error *err)
{
	struct decoder d = {.named = {.p = out}};
	int code = pn_named_read(&d.named, in, &d, take_line,
				 "functions as fprof:analyse writes them", err);

	free(d.callers);
	return code;
}

static enum pn_sniff sniff(const unsigned char *bytes, size_t len)
{
	struct pn_scan rest = pn_scan_of((const char *)bytes, len);

	/* the rarest letter first: every file is asked */
	return pn_scan_has(&rest, "OWN") && pn_scan_has(&rest, "ACC") &&
			       pn_scan_has(&rest, "analysis_options")
		       ? PN_SNIFF_SURE
		       : PN_SNIFF_NO;
}

const struct pn_codec pn_codec_fprof = {
	.name = "fprof",
	.summary = "what Erlang's fprof writes: callers, calls, times",
	.languages = "erlang elixir",
	.made_by = "fprof:apply(...), fprof:profile(), "
		   "fprof:analyse([{dest, \"<file>\"}])",
	.sniffed_by = "'analysis_options' and 'ACC', 'OWN'",
	.suffix = ".fprof",
	.sniff = sniff,
	.read = read_profile,
};
