/* A thread's tables: what happens when a function, a call or a thread is
 * new. */
#define _GNU_SOURCE /* syscall */
#include "runtime/spin.h"
#include "runtime/sys.h"
#include "runtime/tables.h"
#include "runtime/trace/trace_state.h"

#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define FIRST_BITS 10
#define BLOCK 64	 /* nodes or edges */
#define FIRST_FRAMES 126 /* two pages and a half */
#define MORE_FRAMES 1022 /* 64 kB: a segment has room for one of them */

static struct pn_spin lock; /* of what follows */
static struct pn_trace_thread *idle;
static uint32_t thread_count;

/* A chunk with an array; its elements are zero. */
static void *add_block(struct pn_trace_thread *t, uint32_t kind, size_t count,
		       size_t size)
{
	struct pn_runtime_block *block;

	block = pn_stream_begin(&t->stream, kind,
				sizeof(*block) + count * size);
	if (!block)
		return NULL;
	block->base = (uintptr_t)(block + 1);
	block->thread = t->shared.thread;
	block->count = (uint32_t)count;
	pn_stream_end(&t->stream, sizeof(*block) + count * size);
	return block + 1;
}

static void *add_element(struct pn_trace_thread *t, struct pn_trace_block *b,
			 uint32_t kind, size_t size)
{
	if (b->used == b->count) {
		void *elements = add_block(t, kind, BLOCK, size);

		if (!elements)
			return NULL;
		*b = (struct pn_trace_block){elements, 0, BLOCK};
	}
	return (unsigned char *)b->elements + size * b->used;
}

static size_t hash_edge(const void *element, unsigned bits)
{
	const struct pn_runtime_edge *e = element;

	return pn_trace_hash(e->caller, e->function, bits);
}

static size_t hash_node(const void *element, unsigned bits)
{
	const struct pn_runtime_node *n = element;

	return pn_trace_hash(0, n->function, bits);
}

static size_t hash_size(const void *element, unsigned bits)
{
	const struct pn_runtime_size *s = element;

	return pn_trace_hash(s->size, s->function, bits);
}

static void put(const struct pn_trace_index *index,
		size_t (*hash)(const void *, unsigned), void *element)
{
	size_t mask = ((size_t)1 << index->bits) - 1;
	size_t at = hash(element, index->bits);

	while (index->slots[at])
		at = (at + 1) & mask;
	index->slots[at] = element;
}

/* Room for one more; half of the slots stay free. */
static bool reserve(struct pn_trace_index *index,
		    size_t (*hash)(const void *, unsigned))
{
	struct pn_trace_index old = *index, new = old;
	size_t i;

	if (old.slots && old.count < (size_t)1 << old.bits >> 1)
		return true;
	new.bits = old.slots ? old.bits + 1 : FIRST_BITS;
	new.slots = pn_sys_map(sizeof(*new.slots) << new.bits, -1, 0);
	if (!new.slots)
		return false;
	for (i = 0; old.slots && i < (size_t)1 << old.bits; i++)
		if (old.slots[i])
			put(&new, hash, old.slots[i]);
	*index = new;
	if (old.slots)
		pn_sys(SYS_munmap, old.slots, sizeof(*old.slots) << old.bits);
	return true;
}

/* Names of regions are written by each thread that meets them. */
static void write_name(struct pn_trace_thread *t, uint64_t function,
		       const char *name)
{
	size_t len = strnlen(name, 1000);
	struct pn_runtime_region *region;

	region = pn_stream_begin(&t->stream, PN_RUNTIME_TRACE_REGION,
				 sizeof(*region) + len + 1);
	if (!region)
		return;
	region->function = function;
	memcpy(region + 1, name, len);
	pn_stream_end(&t->stream, sizeof(*region) + len + 1);
}

static struct pn_runtime_node *get_node(struct pn_trace_thread *t,
					uint64_t function, const char *name)
{
	size_t mask = ((size_t)1 << t->nodes.bits) - 1;
	size_t at = pn_trace_hash(0, function, t->nodes.bits);
	struct pn_runtime_node *n;

	for (; (n = t->nodes.slots[at]) != NULL; at = (at + 1) & mask)
		if (n->function == function)
			return n;
	if (!reserve(&t->nodes, hash_node))
		return NULL;
	n = add_element(t, &t->node_block, PN_RUNTIME_TRACE_NODES, sizeof(*n));
	if (!n)
		return NULL;
	t->node_block.used++;
	if (name)
		write_name(t, function, name);
	else
		pn_tables_note((uintptr_t)function);
	n->function = function;
	put(&t->nodes, hash_node, n);
	t->nodes.count++;
	return n;
}

static struct pn_runtime_edge *add_edge(struct pn_trace_thread *t,
					uint64_t caller, uint64_t function,
					const char *name)
{
	struct pn_runtime_node *node = get_node(t, function, name);
	struct pn_runtime_edge *e;

	if (!node || !reserve(&t->edges, hash_edge))
		return NULL;
	e = add_element(t, &t->edge_block, PN_RUNTIME_TRACE_EDGES, sizeof(*e));
	if (!e)
		return NULL;
	t->edge_block.used++;
	e->caller = caller;
	e->node = (uintptr_t)node;
	e->function = function;
	put(&t->edges, hash_edge, e);
	t->edges.count++;
	return e;
}

/* From time to time, so that a crash leaves a pair of readings that are far
 * apart. */
static void read_clocks(void)
{
	pn_trace_totals->last_ns = pn_sys_time_ns(CLOCK_MONOTONIC);
	pn_trace_totals->last_ticks = pn_trace_now();
}

struct pn_runtime_edge *pn_trace_add_edge(struct pn_trace_thread *t,
					  uint64_t caller, uint64_t function,
					  const char *name)
{
	struct pn_runtime_edge *e = NULL;

	/* a signal's handler in the midst of this has to do without */
	if (!t->busy) {
		t->busy = true;
		e = add_edge(t, caller, function, name);
		read_clocks();
		t->busy = false;
	}
	if (!e)
		__atomic_fetch_add(&pn_trace_totals->skipped, 1,
				   __ATOMIC_RELAXED);
	return e;
}

static struct pn_runtime_size *add_size(struct pn_trace_thread *t,
					uint64_t function, uint64_t size)
{
	struct pn_runtime_size *s;

	if (!reserve(&t->sizes, hash_size))
		return NULL;
	s = add_element(t, &t->size_block, PN_RUNTIME_TRACE_SIZES, sizeof(*s));
	if (!s)
		return NULL;
	t->size_block.used++;
	s->function = function;
	s->size = size;
	put(&t->sizes, hash_size, s);
	t->sizes.count++;
	return s;
}

struct pn_runtime_size *pn_trace_add_size(struct pn_trace_thread *t,
					  uint64_t function, uint64_t size)
{
	struct pn_runtime_size *s = NULL;

	if (!t->busy) {
		t->busy = true;
		s = add_size(t, function, size);
		t->busy = false;
	}
	if (!s)
		__atomic_fetch_add(&pn_trace_totals->skipped, 1,
				   __ATOMIC_RELAXED);
	return s;
}

/* Frames of a block are neighbours from the beginning; the first one is below
 * `top`. */
static struct pn_runtime_frame *add_frames(struct pn_trace_thread *t,
					   struct pn_runtime_frame *top,
					   size_t count)
{
	struct pn_runtime_frame *frames;
	size_t i;

	frames = add_block(t, PN_RUNTIME_TRACE_FRAMES, count, sizeof(*frames));
	if (!frames)
		return NULL;
	for (i = 0; i < count; i++) {
		frames[i].up = (uintptr_t)(i ? &frames[i - 1] : top);
		frames[i].down =
			(uintptr_t)(i + 1 < count ? &frames[i + 1] : NULL);
	}
	if (top)
		top->down = (uintptr_t)frames;
	t->frame_count += count;
	return frames;
}

struct pn_runtime_frame *pn_trace_add_frame(struct pn_trace_thread *t)
{
	struct pn_runtime_frame *f = NULL;

	if (!t->busy && t->frame_count < PN_RUNTIME_TRACE_MAX_DEPTH) {
		t->busy = true;
		f = add_frames(t, (void *)(uintptr_t)t->shared.top,
			       MORE_FRAMES);
		t->busy = false;
	}
	if (!f)
		__atomic_fetch_add(&pn_trace_totals->skipped, 1,
				   __ATOMIC_RELAXED);
	return f;
}

/* What is outside of all calls: the outermost frame, of an edge that is not
 * counted. */
static bool add_root(struct pn_trace_thread *t)
{
	struct pn_runtime_edge *e;
	size_t i;

	t->root = add_frames(t, NULL, FIRST_FRAMES);
	e = add_element(t, &t->edge_block, PN_RUNTIME_TRACE_EDGES, sizeof(*e));
	if (!t->root || !e)
		return false;
	t->edge_block.used++;
	for (i = 0; i < PN_TRACE_RECENT; i++)
		t->recent[i] = e;
	t->root->edge = (uintptr_t)e;
	t->root->stack = UINTPTR_MAX;
	t->shared.top = (uintptr_t)t->root;
	return true;
}

static struct pn_trace_thread *new_thread(void)
{
	struct pn_stream stream = {.keep = true};
	struct pn_trace_thread *t;

	t = pn_stream_begin(&stream, PN_RUNTIME_TRACE_CALLER, sizeof(*t));
	if (!t)
		return NULL;
	t->shared.thread = ++thread_count;
	pn_stream_end(&stream, sizeof(*t));
	t->stream = stream;
	t->odd = (pn_trace_flat ? PN_TRACE_FLAT : 0) |
		 (pn_trace_has_tsc() ? 0 : PN_TRACE_SLOW);
	return add_root(t) && reserve(&t->edges, hash_edge) &&
			       reserve(&t->nodes, hash_node)
		       ? t
		       : NULL;
}

struct pn_trace_thread *pn_trace_take_thread(void)
{
	struct pn_trace_thread *t;

	pn_spin_lock(&lock);
	t = idle;
	if (t)
		idle = t->next;
	else
		t = new_thread();
	pn_spin_unlock(&lock);
	return t;
}

void pn_trace_give_thread(struct pn_trace_thread *t)
{
	pn_spin_lock(&lock);
	t->next = idle;
	idle = t;
	pn_spin_unlock(&lock);
}

void pn_trace_forget_threads(void)
{
	lock.taken = 0;
	idle = NULL;
	thread_count = 0;
}
