/*
 * The allocation tracer's books. One lock covers all of them: events have an
 * order then, and the peak is exact. What takes longest, the stack, is found
 * before it is taken.
 *
 * The peak by stack needs no second pass and no copy of all stacks: each new
 * maximum of the live total begins an epoch; a stack that changes for the
 * first time in an epoch keeps what it had at its beginning.
 */
#define _GNU_SOURCE /* environ, syscall, MADV_WIPEONFORK */
#include "runtime/memory.h"

#include "runtime/blocks.h"
#include "runtime/spin.h"
#include "runtime/stacks.h"
#include "runtime/sys.h"
#include "runtime/tables.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

#define DEFAULT_DEPTH 64 /* as heaptrack */
#define PAGE 4096
#define PROBES 16
#define MAX_REACH (256 * PAGE)	      /* more at once is no call */
#define COPY 4096		      /* of a stack that is no thread's */
#define COPY_DEPTH 64		      /* such stacks may be small */
#define MAX_STACK (UINT64_C(1) << 30) /* where there is no limit */

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18 /* Linux 4.14 */
#endif

extern char **environ;
extern char __libc_single_threaded __attribute__((weak)); /* glibc 2.32 */
extern void *__libc_stack_end __attribute__((weak));	  /* glibc's loader */

/* Of one thread. */
struct thread {
	uintptr_t stack_low, stack_high;
	bool busy;
	struct pn_unwind_last last;
	/* What that is in these books, where they are still open. */
	struct pn_runtime_memory_stack *last_stack;
	unsigned books;
};

static __thread struct thread self __attribute__((tls_model("initial-exec")));

/* Of the process, under the lock. */
static struct pn_spin lock;
static struct pn_blocks blocks;
static struct pn_stacks stacks = {.stream = {.keep = true}};
static struct pn_stream stream = {.keep = true};
static struct pn_runtime_memory *totals;

static size_t max_depth = DEFAULT_DEPTH;
static bool is_off;
static unsigned books; /* how many were begun, a fork's after its parent's */

/* 1 in the process whose record this is; the kernel sets it to 0 in a child,
 * however that was made. */
static unsigned char *is_ours;

static size_t read_depth(void)
{
	const char *text = getenv(PN_RUNTIME_MEMORY_DEPTH);
	size_t depth = 0;

	for (; text && *text >= '0' && *text <= '9' && depth < 10000; text++)
		depth = depth * 10 + (size_t)(*text - '0');
	if (!depth)
		return DEFAULT_DEPTH;
	return depth < PN_RUNTIME_MEMORY_MAX_DEPTH
		       ? depth
		       : PN_RUNTIME_MEMORY_MAX_DEPTH;
}

static void clear_mark(void)
{
	*is_ours = 0;
}

static bool make_mark(void)
{
	if (!is_ours)
		is_ours = pn_sys_map(PAGE, -1, 0);
	if (is_ours &&
	    pn_sys(SYS_madvise, is_ours, (long)PAGE, MADV_WIPEONFORK))
		pthread_atfork(NULL, NULL, clear_mark);
	return is_ours != NULL;
}

/* What a parent's memory had in it is the parent's. */
static void forget(void)
{
	pn_blocks_release(&blocks);
	pn_stacks_release(&stacks);
	pn_unwind_forget(); /* a miss notes the object that it finds */
	pn_tables_forget();
	stream = (struct pn_stream){.keep = true};
	totals = NULL;
	books++;
	lock.taken = 0;
}

/* False: there is nothing to note, now or at all. */
static bool start(void)
{
	if (is_off || !environ || !*environ)
		return false; /* too early to know what is wanted */
	forget();
	is_off = !make_mark() || !pn_output_open("memory");
	if (!is_off)
		totals = pn_stream_begin(&stream, PN_RUNTIME_MEMORY_TOTALS,
					 sizeof(*totals));
	if (!totals) {
		is_off = true;
		return false;
	}
	max_depth = read_depth();
	totals->depth = (uint32_t)max_depth;
	pn_stream_end(&stream, sizeof(*totals));
	*is_ours = 1;
	return true;
}

static inline bool enter(void)
{
	if (self.busy)
		return false;
	self.busy = true;
	if (__builtin_expect(is_ours && *is_ours, 1) || start())
		return true;
	self.busy = false;
	return false;
}

static inline void leave(void)
{
	self.busy = false;
}

/* Whether it had to be taken: who is alone stays so until it is given back. */
static inline bool take_lock(void)
{
	if (&__libc_single_threaded && __libc_single_threaded)
		return false;
	pn_spin_lock(&lock);
	return true;
}

static inline void give_back(bool taken)
{
	if (taken)
		pn_spin_unlock(&lock);
}

/*
 * The main thread's stack ends where the loader says. Of others the thread's
 * own block lies at the upper end, in glibc and in musl; what is between is
 * looked at page by page, for a coroutine may have a stack anywhere.
 * pthread_getattr_np would tell, but it allocates under a lock of the thread.
 */
static void find_stack(uintptr_t sp)
{
	struct rlimit limit = {0};

	if (&__libc_stack_end && pn_sys(SYS_gettid) == pn_sys(SYS_getpid) &&
	    sp < (uintptr_t)__libc_stack_end) {
		pn_sys(SYS_prlimit64, 0, RLIMIT_STACK, NULL, &limit);
		if (!limit.rlim_cur || limit.rlim_cur > MAX_STACK)
			limit.rlim_cur = MAX_STACK;
		self.stack_high = (uintptr_t)__libc_stack_end;
		self.stack_low = self.stack_high - limit.rlim_cur;
		return;
	}
	self.stack_high = (uintptr_t)pthread_self();
	self.stack_low = self.stack_high & ~(uintptr_t)(PAGE - 1);
}

/* Whether the stack goes down to `sp` without a gap. */
static __attribute__((noinline)) bool reach(uintptr_t sp)
{
	struct iovec to, from[PROBES];
	unsigned char bytes[PROBES];
	uintptr_t low = sp & ~(uintptr_t)(PAGE - 1), at = self.stack_low;
	long pid = pn_sys(SYS_getpid), n;

	if (self.stack_low - low > MAX_REACH)
		return false;
	while (at > low) {
		for (n = 0; n < PROBES && at > low; n++)
			from[n] = (struct iovec){(void *)(at -= PAGE), 1};
		to = (struct iovec){bytes, (size_t)n};
		if (pn_sys(SYS_process_vm_readv, pid, &to, 1L, from, n, 0L) !=
		    n)
			return false;
	}
	self.stack_low = low;
	return true;
}

/* A stack that the program made itself: nobody says where it ends, so the
 * kernel copies what is there. */
static __attribute__((noinline)) size_t
unwind_copy(uintptr_t *out, size_t max, const struct pn_unwind_at *at)
{
	unsigned char copy[COPY];
	size_t first = PAGE - at->sp % PAGE;
	struct iovec to = {copy, sizeof(copy)};
	struct iovec from[2] = {{(void *)at->sp, first},
				{(void *)(at->sp + first), COPY - first}};
	struct pn_unwind_window window = {at->sp, at->sp, 0};
	long pid = pn_sys(SYS_getpid), got;

	got = pn_sys(SYS_process_vm_readv, pid, &to, 1L, from,
		     first < COPY ? 2L : 1L, 0L);
	if (got > 0)
		window.high += (uintptr_t)got;
	window.shift = (uintptr_t)copy - at->sp;
	return pn_unwind(out, max < COPY_DEPTH ? max : COPY_DEPTH, at, &window);
}

/* False for a stack that is no thread's, which is looked at in a copy. */
static inline bool find_window(struct pn_unwind_window *out, uintptr_t sp)
{
	if (__builtin_expect(!self.stack_high, 0))
		find_stack(sp);
	*out = (struct pn_unwind_window){.low = sp, .high = self.stack_high};
	return sp < self.stack_high && (sp >= self.stack_low || reach(sp));
}

/* The stack, as these books have it; NULL when there is no room for it. */
static struct pn_runtime_memory_stack *
find_stack_of(bool *taken, const struct pn_unwind_at *at)
{
	uintptr_t frames[PN_RUNTIME_MEMORY_MAX_DEPTH];
	struct pn_unwind_window window;
	struct pn_runtime_memory_stack *stack;
	bool is_own = find_window(&window, at->sp);
	uint64_t hash;
	size_t depth;

	if (is_own && self.last_stack && self.books == books &&
	    pn_unwind_is_last(at, &window, &self.last)) {
		*taken = take_lock();
		return self.last_stack;
	}
	depth = is_own ? pn_unwind_again(frames, max_depth, at, &window,
					 &self.last)
		       : unwind_copy(frames, max_depth, at);
	hash = pn_stacks_hash(frames, depth);
	*taken = take_lock();
	stack = pn_stacks_get(&stacks, frames, depth, hash);
	self.last_stack = is_own ? stack : NULL;
	self.books = books;
	return stack;
}

/* Before a stack's live bytes change. */
static inline void save_peak(struct pn_runtime_memory_stack *stack)
{
	if (stack->epoch == totals->epoch)
		return;
	stack->peak_bytes = stack->live_bytes;
	stack->epoch = totals->epoch;
}

static inline void add_live(struct pn_runtime_memory_stack *stack,
			    uint64_t size)
{
	save_peak(stack);
	stack->live_blocks++;
	stack->live_bytes += size;
	totals->live_blocks++;
	totals->live_bytes += size;
	if (totals->live_bytes > totals->peak_bytes) {
		totals->peak_bytes = totals->live_bytes;
		totals->epoch++;
	}
}

static inline void take_live(const struct pn_block *block)
{
	struct pn_runtime_memory_stack *stack = stacks.by_id[block->stack];

	save_peak(stack);
	stack->live_blocks--;
	stack->live_bytes -= block->size;
	totals->live_blocks--;
	totals->live_bytes -= block->size;
}

static inline void note(const void *address, size_t size,
			struct pn_runtime_memory_stack *stack)
{
	struct pn_block block = {.address = (uintptr_t)address, .size = size};
	struct pn_block old;

	if (stack)
		block.stack = stack->id;
	if (!stack || !pn_blocks_add(&blocks, &block, &old)) {
		totals->missed++;
		return;
	}
	if (old.stack) /* a free that was not seen */
		take_live(&old);
	totals->allocations++;
	totals->allocated_bytes += size;
	stack->allocations++;
	stack->allocated_bytes += size;
	add_live(stack, size);
}

void pn_memory_allocated(const void *address, size_t size,
			 const struct pn_unwind_at *at)
{
	struct pn_runtime_memory_stack *stack;
	bool taken;

	if (!enter())
		return;
	stack = find_stack_of(&taken, at);
	note(address, size, stack);
	give_back(taken);
	leave();
}

struct pn_block pn_memory_freed(const void *address)
{
	struct pn_block block = {.stack = 0};
	bool taken;

	if (!enter())
		return block;
	taken = take_lock();
	block = pn_blocks_take(&blocks, (uintptr_t)address);
	if (block.stack)
		take_live(&block);
	else
		totals->unknown++;
	give_back(taken);
	leave();
	return block;
}

void pn_memory_kept(const struct pn_block *block)
{
	struct pn_block old;
	bool taken;

	if (!block->stack || !enter())
		return;
	taken = take_lock();
	if (pn_blocks_add(&blocks, block, &old))
		add_live(stacks.by_id[block->stack], block->size);
	give_back(taken);
	leave();
}

void pn_memory_start(void)
{
	if (enter())
		leave();
}

void pn_memory_end(void)
{
	if (is_ours && *is_ours)
		pn_output_close();
}
