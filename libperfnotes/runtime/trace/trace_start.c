/*
 * Beginning of the record, clocks, and what a call itself costs.
 *
 * The tracer's own cost is found as in the profiler of Roskind (InfoSeek,
 * 1994): calls that do nothing are traced and not traced, and the smallest
 * cost that was seen is believed, so that too much is never subtracted for
 * long.
 */
#define _GNU_SOURCE /* environ, syscall, MADV_WIPEONFORK */
#include "runtime/spin.h"
#include "runtime/sys.h"
#include "runtime/tables.h"
#include "runtime/trace/trace_state.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18 /* Linux 4.14 */
#endif

#define PAGE 4096
#define BATCHES 15
#define ROUNDS 400 /* in a batch: 15 x 400 take 0.3 ms */

extern char **environ;

static struct pn_stream stream = {.keep = true};
static pthread_key_t at_end; /* of a thread */
static bool is_off, has_key;
static __thread bool is_starting __attribute__((tls_model("initial-exec")));
static double inside, outside; /* of a parent, too */
static uint64_t rounds;

static uint32_t read_clock(void)
{
	static const char *const names[] = {"tsc", "wall", "cpu", "none"};
	const char *text = getenv(PN_RUNTIME_TRACE_CLOCK);
	uint32_t i;

	for (i = 0; text && i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(text, names[i]))
			return i;
	return PN_RUNTIME_TRACE_TSC;
}

static uint64_t read_rounds(void)
{
	const char *text = getenv(PN_RUNTIME_TRACE_ROUNDS);
	uint64_t n = 0;

	for (; text && *text >= '0' && *text <= '9' &&
	       n < PN_RUNTIME_TRACE_MAX_ROUNDS;
	     text++)
		n = n * 10 + (uint64_t)(*text - '0');
	if (!n)
		return ROUNDS;
	return n < PN_RUNTIME_TRACE_MAX_ROUNDS ? n
					       : PN_RUNTIME_TRACE_MAX_ROUNDS;
}

static __attribute__((noinline)) void plain(void)
{
	__asm__ volatile("" ::: "memory");
}

static int64_t time_calls(void (*volatile function)(void), uint64_t n)
{
	int64_t begin = pn_trace_now();
	uint64_t i;

	for (i = 0; i < n; i++)
		function();
	return pn_trace_now() - begin;
}

/* What the calls above left behind never happened. */
static int64_t clear_edge(struct pn_trace_thread *t, void (*traced)(void))
{
	struct pn_runtime_edge *none = (void *)(uintptr_t)t->root->edge;
	size_t i;
	int64_t self = 0;

	for (i = 0; i < (size_t)1 << t->edges.bits; i++) {
		struct pn_runtime_edge *e = t->edges.slots[i];
		struct pn_runtime_node *n;

		if (!e || e->function != (uintptr_t)traced)
			continue;
		self = e->self;
		n = (void *)(uintptr_t)e->node;
		e->calls = e->primitive = e->nested = e->direct = 0;
		e->self = e->total = 0;
		n->primitive = n->nested = 0;
		n->total = 0;
	}
	none->self = 0;
	none->direct = 0;
	t->shared.ended = 0;
	return self;
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

/* The least of each, as interruptions only add. */
static void calibrate(struct pn_trace_thread *t, void (*traced)(void))
{
	double all = INFINITY, none = INFINITY, own = INFINITY;
	double n = (double)(rounds = read_rounds());
	int i;

	time_calls(traced, rounds); /* the first ones are slow */
	clear_edge(t, traced);
	for (i = 0; i < BATCHES; i++) {
		all = smaller(all, (double)time_calls(traced, rounds));
		none = smaller(none, (double)time_calls(plain, rounds));
		own = smaller(own, (double)clear_edge(t, traced));
	}
	inside = own / n;
	outside = (all - none - own) / n;
}

/* What a child of a fork finds zeroed. */
struct mark {
	unsigned char is_ours;
	struct pn_spin lock; /* of who starts; nobody holds it in a child */
};

static void clear_mark(void)
{
	memset(pn_trace_is_ours, 0, sizeof(struct mark));
}

static struct mark *make_mark(void)
{
	static struct pn_spin making;

	pn_spin_lock(&making);
	if (!pn_trace_is_ours) {
		pn_trace_is_ours = pn_sys_map(PAGE, -1, 0);
		if (pn_trace_is_ours &&
		    pn_sys(SYS_madvise, pn_trace_is_ours, (long)PAGE,
			   (long)MADV_WIPEONFORK))
			pthread_atfork(NULL, NULL, clear_mark);
	}
	pn_spin_unlock(&making);
	return (struct mark *)pn_trace_is_ours;
}

static void end_thread(void *thread)
{
	if (pn_trace_self != thread || !*pn_trace_is_ours)
		return;
	pn_trace_self = NULL;
	pn_trace_unwind(thread, 0, UINTPTR_MAX);
	pn_trace_give_thread(thread);
}

static bool open_record(void)
{
	struct pn_runtime_trace *totals;

	stream = (struct pn_stream){.keep = true};
	pn_tables_forget();
	pn_trace_forget_threads();
	if (!pn_output_open("trace"))
		return false;
	totals = pn_stream_begin(&stream, PN_RUNTIME_TRACE_TOTALS,
				 sizeof(*totals));
	if (!totals)
		return false;
	totals->clock = pn_trace_clock;
	totals->flat = pn_trace_flat;
	totals->begin_ns = pn_sys_time_ns(CLOCK_MONOTONIC);
	totals->begin_ticks = pn_trace_now();
	pn_stream_end(&stream, sizeof(*totals));
	pn_trace_totals = totals;
	return true;
}

static bool start(void)
{
	const char *flat;

	if (is_off || !environ || !*environ)
		return false;
	flat = getenv(PN_RUNTIME_TRACE_FLAT);
	pn_trace_clock = read_clock();
	pn_trace_flat = flat && !strcmp(flat, "1");
	if (!has_key)
		has_key = !pthread_key_create(&at_end, end_thread);
	is_off = !has_key || !open_record();
	return !is_off;
}

/* By the first of all threads that come at once, which gets true. */
static bool start_once(void)
{
	struct mark *mark = make_mark();
	bool started = false;

	if (!mark)
		return false;
	pn_spin_lock(&mark->lock);
	if (!mark->is_ours && start()) {
		__atomic_store_n(&mark->is_ours, 1, __ATOMIC_RELEASE);
		started = true;
	}
	pn_spin_unlock(&mark->lock);
	return started;
}

static void finish_start(struct pn_trace_thread *t, void (*traced)(void))
{
	if (!rounds && pn_trace_clock != PN_RUNTIME_TRACE_NONE)
		calibrate(t, traced);
	pn_trace_totals->inside = inside;
	pn_trace_totals->outside = outside;
	pn_trace_totals->rounds = rounds;
	pn_trace_totals->last_ns = pn_sys_time_ns(CLOCK_MONOTONIC);
	pn_trace_totals->last_ticks = pn_trace_now();
}

struct pn_trace_thread *pn_trace_begin(void (*traced)(void))
{
	struct pn_trace_thread *t = NULL;
	bool is_first;

	if (is_off || is_starting)
		return NULL;
	is_starting = true;
	pn_trace_self = NULL;
	is_first = (!pn_trace_is_ours || !*pn_trace_is_ours) && start_once();
	if (pn_trace_is_ours && *pn_trace_is_ours)
		t = pn_trace_take_thread();
	if (t) {
		pthread_setspecific(at_end, t);
		pn_trace_self = t;
		if (is_first)
			finish_start(t, traced);
	}
	is_starting = false;
	return t;
}

/* Who reads the record ends the calls that have not returned. */
static __attribute__((destructor)) void end(void)
{
	if (!pn_trace_is_ours || !*pn_trace_is_ours)
		return;
	if (pn_trace_self)
		pn_trace_self->shared.last = pn_trace_now();
	pn_trace_totals->last_ns = pn_sys_time_ns(CLOCK_MONOTONIC);
	pn_trace_totals->last_ticks = pn_trace_now();
	pn_output_close();
}
