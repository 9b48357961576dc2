/* Writing Racket's JSON. Callers and callees are sorted as Racket sorts them,
 * nodes by total time; node 0 is the root. */
#include "base/alloc.h"
#include "base/json/json.h"
#include "base/number.h"
#include "codec/racket/racket.h"
#include "codec/racket/said.h"
#include "model/graph/timed.h"
#include "model/unnamed.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct encoder {
	const struct pn_profile *p; /* threads and what else the input said */
	struct pn_timed t;
	struct pn_racket_said said;
	bool told; /* times of threads */
	struct pn_json_writer w;
};

/* Racket writes 5.0 where JSON would do with 5; `whole` has none where it is.
 */
static void write_number(struct encoder *e, const char *key, double value,
			 bool whole)
{
	char text[PN_NUMBER_TEXT];
	size_t len = pn_number_write(text, isfinite(value) ? value : 0, !whole);

	pn_json_key(&e->w, key);
	pn_json_raw(&e->w, text, len);
}

static void write_time(struct encoder *e, const char *key, double value)
{
	write_number(e, key, value, false);
}

static void write_edge(struct encoder *e, const struct pn_timed_edge *edge)
{
	pn_json_open(&e->w, '{');
	pn_json_member_int(&e->w, "callee", edge->callee);
	write_time(e, "callee_time", edge->callee_time);
	pn_json_member_int(&e->w, "caller", edge->caller);
	write_time(e, "caller_time", edge->caller_time);
	write_time(e, "total", edge->total);
	pn_json_close(&e->w, '}');
}

static void write_edges(struct encoder *e, const char *key, const size_t *edges,
			size_t count)
{
	size_t i;

	pn_json_key(&e->w, key);
	pn_json_open(&e->w, '[');
	for (i = 0; i < count; i++)
		write_edge(e, &e->t.edges[edges[i]]);
	pn_json_close(&e->w, ']');
}

static void write_text(struct encoder *e, const char *key, const char *text)
{
	pn_json_key(&e->w, key);
	if (*text)
		pn_json_string(&e->w, text);
	else
		pn_json_bool(&e->w, false);
}

static void write_threads(struct encoder *e, const char *id, const char *src)
{
	struct pn_buf label = {0};
	const struct pn_buf *threads = NULL;
	uint32_t at;

	pn_buf_printf(&label, "%s\n%s", id, src);
	if (pn_strtab_find(&at, &e->said.labels, label.data, label.len) &&
	    at < e->said.cap)
		threads = &e->said.threads[at];
	pn_json_key(&e->w, "thread_ids");
	if (threads && threads->len)
		pn_json_raw(&e->w, pn_buf_text(threads), threads->len);
	else if (e->told || e->said.members.len || (!*id && !*src))
		pn_json_raw(&e->w, "[]", 2);
	else
		pn_json_raw(&e->w, "[0]", 3); /* of write_totals */
	pn_buf_release(&label);
}

/* Functions of one name and place stay apart for readers, who tell nodes by
 * both: "f", "f#2". */
static void write_node(struct encoder *e, size_t at)
{
	const struct pn_timed_node *node = &e->t.nodes[at];
	struct pn_buf src = {0}, id = {0};

	pn_buf_add_text(&id, pn_timed_name(&src, &e->t, at));
	if (node->alike)
		pn_buf_printf(&id, "#%" PRIu32, node->alike + 1);
	pn_json_open(&e->w, '{');
	write_edges(e, "callees", e->t.callees + node->callee_first,
		    node->callee_count);
	write_edges(e, "callers", e->t.callers + node->caller_first,
		    node->caller_count);
	write_text(e, "id", pn_buf_text(&id));
	write_time(e, "self", node->self);
	write_text(e, "src", pn_buf_text(&src));
	write_threads(e, pn_buf_text(&id), pn_buf_text(&src));
	write_time(e, "total", node->total);
	pn_json_close(&e->w, '}');
	pn_buf_release(&src);
	pn_buf_release(&id);
}

static void write_thread(struct encoder *e, const char *id, double time)
{
	pn_json_open(&e->w, '{');
	pn_json_key(&e->w, "id");
	pn_json_raw(&e->w, id, strlen(id));
	write_time(e, "time", time);
	pn_json_close(&e->w, '}');
}

/* Without costs of threads all is of one. */
static void write_threads_of_all(struct encoder *e, double total)
{
	const struct pn_events *events = &e->p->events;
	int64_t id;
	size_t i;

	pn_json_key(&e->w, "thread_times");
	pn_json_open(&e->w, '[');
	for (i = 0; e->told && i < events->thread_count; i++) {
		const char *text = pn_profile_text(e->p, events->threads[i].id);

		if (pn_number_int(&id, text, strlen(text)))
			write_thread(e, text, events->threads[i].cost);
	}
	if (!e->told)
		write_thread(e, "0", total);
	pn_json_close(&e->w, ']');
}

/* What Racket's own reader asks for, also of what it did not write:
 * json->profile fails where one of them is missing. */
static void write_totals(struct encoder *e)
{
	double total = 0;
	size_t i;

	for (i = 1; i < e->t.node_count; i++)
		total += e->t.nodes[i].self;
	write_time(e, "cpu_time", e->t.cpu_time);
	write_number(e, "sample_number", e->t.samples, true);
	write_threads_of_all(e, total);
	write_time(e, "total_time", e->t.total_time);
}

static void write_document(struct encoder *e, struct pn_buf *out)
{
	size_t i;

	pn_json_writer_init(&e->w, out, 0);
	pn_json_open(&e->w, '{');
	if (e->said.members.len)
		pn_buf_add(out, e->said.members.data, e->said.members.len);
	else
		write_totals(e);
	pn_json_key(&e->w, "nodes");
	pn_json_open(&e->w, '[');
	for (i = 0; i < e->t.node_count; i++)
		write_node(e, i);
	pn_json_close(&e->w, ']');
	pn_json_close(&e->w, '}');
	pn_buf_add_byte(out, '\n');
}

static int write_named(struct pn_buf *out, const struct pn_profile *profile,
		       struct pn_error *err)
{
	struct encoder e = {.p = profile};
	int code = pn_timed_init(&e.t, profile, SIZE_MAX, 0, err);

	if (code)
		return pn_error_context(err, "format racket");
	code = pn_racket_said_read(&e.said, e.t.graph, err);
	/* Racket's own may have its root alone, and are written as they were */
	if (!code && e.t.node_count < 2 && !profile->graph.node_count)
		code = pn_error_set(err, PN_EINVAL,
				    "format racket needs functions, the "
				    "profile has none");
	e.told = !e.t.of_stacks && profile->events.thread_count;
	if (!code)
		write_document(&e, out);
	pn_racket_said_release(&e.said);
	pn_timed_release(&e.t);
	return code;
}

int pn_racket_write(struct pn_buf *out, const struct pn_profile *profile,
		    struct pn_error *err)
{
	return pn_unnamed_write(out, profile, write_named, err);
}
