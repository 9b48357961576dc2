/*
 * Threads and ticks. A timer of the kernel for each thread (timer_create(2),
 * SIGEV_THREAD_ID) sends a signal that glibc gives away for such uses
 * (__libc_allocate_rtsig), so that SIGPROF and its timer stay the program's.
 * The handler makes system calls only. The record is opened with the first
 * tick: most processes of a shell script never see one.
 */
#define _GNU_SOURCE /* gettid's number, SIGEV_THREAD_ID */
#include "runtime/sample/sample.h"

#include "runtime/modules.h"
#include "runtime/sys.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define RESCAN_MIN_NS 10000000	 /* between two looks at the mappings ... */
#define RESCAN_MAX_NS 5000000000 /* ... that found nothing new */
#define MASK_BYTES 8		 /* of the kernel's signal sets */
#define LISTEN_NS 500000000	 /* between two looks at the control */

/* Undocumented, but there since glibc 2.2: used by its own timers. */
int __libc_allocate_rtsig(int high);

enum record_state { CLOSED, OPENING, OPEN, FAILED };

int pn_sampler_signal;

static struct pn_runtime_control *control; /* NULL: nobody wants samples */
static _Atomic(enum record_state) record;
static atomic_bool rescan = true;
static int64_t scanned_ns, rescan_wait_ns = RESCAN_MIN_NS;
static atomic_uint thread_count;
static pthread_key_t end_of_thread;
static __thread struct pn_sampled_thread *self;
static long process; /* that the record is of */
static uint64_t base_start, base_limit;

/* States that no thread uses, under a lock that no tick may interrupt. */
static struct pn_sampled_thread *unused;
static atomic_flag unused_lock = ATOMIC_FLAG_INIT;

void pn_sampler_set_base(uint64_t start, uint64_t limit)
{
	base_start = start;
	base_limit = limit;
}

struct pn_sampled_thread *pn_sampler_self(void)
{
	return self;
}

void pn_sampler_rescan(void)
{
	atomic_store(&rescan, true);
}

static uint64_t own_bit(void)
{
	return pn_sampler_signal ? UINT64_C(1) << (pn_sampler_signal - 1) : 0;
}

uint64_t pn_sampler_block(void)
{
	uint64_t set = own_bit(), old = 0;

	pn_sys(SYS_rt_sigprocmask, SIG_BLOCK, &set, &old, MASK_BYTES);
	return old;
}

void pn_sampler_unblock(uint64_t mask)
{
	pn_sys(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, MASK_BYTES);
}

static void lock_unused(void)
{
	while (atomic_flag_test_and_set(&unused_lock))
		pn_sys(SYS_sched_yield);
}

struct pn_sampled_thread *pn_sampler_reserve(void)
{
	uint64_t mask;
	struct pn_sampled_thread *t;

	if (!control)
		return NULL;
	mask = pn_sampler_block();
	lock_unused();
	t = unused;
	if (t)
		unused = t->next;
	atomic_flag_clear(&unused_lock);
	pn_sampler_unblock(mask);
	if (!t)
		t = pn_sys_map(sizeof(*t), -1, 0);
	if (t)
		t->timer = -1;
	return t;
}

void pn_sampler_give_back(struct pn_sampled_thread *t)
{
	uint64_t mask = pn_sampler_block();

	lock_unused();
	t->next = unused;
	unused = t;
	atomic_flag_clear(&unused_lock);
	pn_sampler_unblock(mask);
}

static void set_timer(struct pn_sampled_thread *t, int64_t first_ns,
		      int64_t interval_ns)
{
	struct itimerspec spec = {
		.it_interval = {interval_ns / 1000000000,
				interval_ns % 1000000000},
		.it_value = {first_ns / 1000000000, first_ns % 1000000000}};

	if (t->timer >= 0)
		pn_sys(SYS_timer_settime, t->timer, 0, &spec, NULL);
}

static bool is_tracked(const struct pn_sampled_thread *t)
{
	uint32_t count = control->tracked_count, i;

	if (control->threads == PN_RUNTIME_ALL_THREADS)
		return true;
	if (control->threads == PN_RUNTIME_MAIN_THREAD)
		return t->order == 1;
	if (count > PN_RUNTIME_MAX_TRACKED)
		count = PN_RUNTIME_MAX_TRACKED;
	for (i = 0; i < count; i++)
		if (control->tracked[i] == t->tid)
			return true;
	return false;
}

/* What the control says now; the first sample comes at a random time of the
 * interval, so that programs shorter than it are not missed always, and
 * threads that start together don't tick together. A long interval has several
 * ticks, or a word that ends it would not be heard before its end. */
static void obey(struct pn_sampled_thread *t)
{
	int64_t interval_ns = control->interval_ns, beat_ns;

	t->generation = control->generation;
	t->tracked = is_tracked(t);
	if (control->stopped || interval_ns <= 0) {
		set_timer(t, 0, 0);
		return;
	}
	if (interval_ns == t->interval_ns)
		return;
	t->interval_ns = interval_ns;
	t->beats = (uint32_t)((interval_ns - 1) / LISTEN_NS) + 1;
	beat_ns = interval_ns / t->beats;
	set_timer(t, pn_sampler_due_first_tick(t, control, beat_ns), beat_ns);
	if (control->clock == PN_RUNTIME_WALL)
		t->owed = (uint32_t)(t->random % t->beats);
}

static void start_timer(struct pn_sampled_thread *t)
{
	bool wall = control->clock == PN_RUNTIME_WALL;
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
				 .sigev_signo = pn_sampler_signal,
				 .sigev_value.sival_ptr = t};
	int timer = -1;

	event._sigev_un._tid = (pid_t)t->tid;
	t->interval_ns = 0;
	t->beats = 1;
	if (!pn_sys(SYS_timer_create,
		    wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &event,
		    &timer))
		t->timer = timer;
	obey(t);
}

static void stop_timer(struct pn_sampled_thread *t)
{
	if (t->timer >= 0)
		pn_sys(SYS_timer_delete, t->timer);
	t->timer = -1;
}

void pn_sampler_begin(struct pn_sampled_thread *t, uint64_t start)
{
	uint64_t mask = own_bit();

	t->tid = (uint32_t)pn_sys(SYS_gettid);
	t->order = atomic_fetch_add(&thread_count, 1) + 1;
	t->start = start;
	t->labels = t->label_size = t->owed = 0;
	t->cpu_before_ns = pn_sys_time_ns(CLOCK_THREAD_CPUTIME_ID);
	pn_sampler_due_begin(t, t->cpu_before_ns);
	self = t;
	start_timer(t);
	pthread_setspecific(end_of_thread, t);
	pn_sys(SYS_rt_sigprocmask, SIG_UNBLOCK, &mask, NULL, MASK_BYTES);
}

static void write_thread(struct pn_sampled_thread *t)
{
	struct pn_runtime_thread *to;

	if (atomic_load(&record) != OPEN)
		return;
	to = pn_stream_begin(&t->stream, PN_RUNTIME_THREAD, sizeof(*to));
	if (!to)
		return;
	to->thread = t->tid;
	to->order = t->order;
	to->cpu_ns = pn_sys_time_ns(CLOCK_THREAD_CPUTIME_ID) - t->cpu_before_ns;
	pn_sys(SYS_prctl, PR_GET_NAME, to->name);
	pn_stream_end(&t->stream, sizeof(*to));
}

/* However it ends: return, pthread_exit, cancellation. */
static void end_thread(void *state)
{
	struct pn_sampled_thread *t = state;
	uint64_t mask = pn_sampler_block();

	stop_timer(t);
	pn_sampler_due_end(t, control);
	write_thread(t);
	self = NULL;
	pn_sampler_unblock(mask);
	pn_sampler_give_back(t);
}

/* Whether there is a record to write to; its first user opens it. Who finds
 * it being opened owes the tick. */
static bool need_record(void)
{
	enum record_state seen = CLOSED;

	if (atomic_load(&record) == OPEN)
		return true;
	if (!atomic_compare_exchange_strong(&record, &seen, OPENING))
		return false;
	seen = pn_output_open("sample") ? OPEN : FAILED;
	process = pn_sys(SYS_getpid);
	pn_output_set_base(base_start, base_limit);
	atomic_store(&record, seen);
	return seen == OPEN;
}

static void look_at_modules(struct pn_sampled_thread *t)
{
	int64_t now_ns = pn_sys_time_ns(CLOCK_MONOTONIC);

	if (atomic_exchange(&rescan, false))
		rescan_wait_ns = RESCAN_MIN_NS;
	else if (now_ns - scanned_ns < rescan_wait_ns)
		return;
	else if (rescan_wait_ns < RESCAN_MAX_NS)
		rescan_wait_ns *= 2;
	scanned_ns = now_ns;
	pn_modules_scan(&t->stream);
}

static void *copy(void *to, const void *from, size_t size)
{
	memcpy(to, from, size);
	return (unsigned char *)to + size;
}

/* The labels that changed since the last sample. */
static void write_labels(struct pn_sampled_thread *t)
{
	static atomic_uint count;
	struct pn_runtime_labels labels = {.size = t->label_size};
	void *to;

	if (t->labels || !t->label_size)
		return;
	labels.number = atomic_fetch_add(&count, 1) + 1;
	to = pn_stream_begin(&t->stream, PN_RUNTIME_LABELS,
			     sizeof(labels) + labels.size);
	if (!to)
		return;
	to = copy(to, &labels, sizeof(labels));
	copy(to, t->label_texts, labels.size);
	pn_stream_end(&t->stream, sizeof(labels) + labels.size);
	t->labels = labels.number;
}

static void write_sample(struct pn_sampled_thread *t, const void *context,
			 size_t frames, bool whole)
{
	struct pn_runtime_sample s = {
		.time_ns = pn_sys_time_ns(CLOCK_MONOTONIC),
		.interval_ns = t->interval_ns,
		.stack_pointer = pn_sampler_stack_pointer(context),
		.thread = t->tid,
		.order = t->order,
		.ticks = t->owed / t->beats,
		.labels = t->labels,
		.whole = whole,
		.frames = (uint16_t)frames};
	uint64_t registers[PN_RUNTIME_REGISTERS];
	size_t size;
	void *to;

	if (!whole && control->unwind != PN_RUNTIME_POINTERS) {
		s.registers =
			(uint16_t)pn_sampler_registers(registers, context);
		s.stack =
			t->window_from == s.stack_pointer ? t->window_size : 0;
	}
	size = sizeof(s) + (frames + s.registers) * sizeof(uint64_t) + s.stack;
	to = pn_stream_begin(&t->stream, PN_RUNTIME_SAMPLE, size);
	if (!to)
		return;
	s.unseen = pn_sampler_due_unseen(t, s.ticks);
	to = copy(to, &s, sizeof(s));
	to = copy(to, t->frames, frames * sizeof(uint64_t));
	to = copy(to, registers, s.registers * sizeof(uint64_t));
	copy(to, t->window, s.stack);
	pn_stream_end(&t->stream, size);
	t->owed %= t->beats;
}

static void take_sample(struct pn_sampled_thread *t, const void *context)
{
	bool pointers = control->unwind != PN_RUNTIME_DWARF, whole;
	size_t frames;

	if (!need_record())
		return;
	if (atomic_load(&rescan))
		look_at_modules(t);
	frames = pn_sampler_walk(t, context, pointers, &whole);
	if (t->unknown) {
		look_at_modules(t);
		frames = pn_sampler_walk(t, context, pointers, &whole);
	}
	write_labels(t);
	write_sample(t, context, frames, whole);
}

static void tick(struct pn_sampled_thread *t, uint32_t ticks,
		 const void *context)
{
	if (control->generation != t->generation)
		obey(t);
	__atomic_fetch_add(&control->ticks, ticks, __ATOMIC_RELAXED);
	if (control->stopped || control->paused || pn_sampler_paused ||
	    !t->tracked) {
		pn_sampler_due_forget(t);
		return;
	}
	pn_sampler_due_look(t, ticks, control->clock == PN_RUNTIME_WALL,
			    pn_sampler_in_call(context));
	t->owed += control->clock == PN_RUNTIME_WALL
			   ? ticks
			   : pn_sampler_due(t, control);
	if (t->owed >= t->beats)
		take_sample(t, context);
}

static void on_tick(int number, siginfo_t *info, void *context)
{
	struct pn_sampled_thread *t = self;
	int saved = errno;

	(void)number;
	if (t)
		t->seen++;
	if (t && info->si_code == SI_TIMER && info->si_value.sival_ptr == t)
		tick(t, 1 + (uint32_t)info->si_overrun, context);
	errno = saved;
}

/* The child's only thread goes on; nothing of the parent's record is ours. */
static void after_fork(void)
{
	struct pn_sampled_thread *t = self;

	unused = NULL;
	atomic_flag_clear(&unused_lock);
	if (!t)
		return;
	if (t->stream.segment)
		pn_sys(SYS_munmap, t->stream.segment,
		       (size_t)PN_RUNTIME_SEGMENT);
	t->stream = (struct pn_stream){0};
	atomic_store(&record, CLOSED);
	pn_modules_forget();
	atomic_store(&rescan, true);
	atomic_store(&thread_count, 1);
	t->tid = (uint32_t)pn_sys(SYS_gettid);
	t->order = 1;
	t->owed = t->labels = 0;
	t->cpu_before_ns = 0;
	pn_sampler_due_begin(t, 0);
	__atomic_fetch_add(&control->images, 1, __ATOMIC_RELAXED);
	start_timer(t);
}

static bool map_control(void)
{
	const char *folder = getenv(PN_RUNTIME_FOLDER);
	char path[PATH_MAX];
	size_t len = folder ? strlen(folder) : 0;
	struct pn_runtime_control *mapped;
	long fd;

	if (!len || len > sizeof(path) - sizeof("/" PN_RUNTIME_CONTROL))
		return false;
	memcpy(path, folder, len);
	memcpy(path + len, "/" PN_RUNTIME_CONTROL,
	       sizeof("/" PN_RUNTIME_CONTROL));
	fd = pn_sys(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
	if (fd < 0)
		return false;
	mapped = pn_sys_map(sizeof(*mapped), (int)fd, 0);
	pn_sys(SYS_close, fd);
	if (!mapped || mapped->magic != PN_RUNTIME_CONTROL_MAGIC)
		return false;
	control = mapped;
	return true;
}

static bool take_signal(void)
{
	int (*set)(int, const struct sigaction *, struct sigaction *);
	struct sigaction action = {.sa_sigaction = on_tick,
				   .sa_flags = SA_SIGINFO | SA_RESTART |
					       SA_ONSTACK};
	int number = __libc_allocate_rtsig(0);
	void *found = dlsym(RTLD_NEXT, "sigaction");

	memcpy(&set, &found, sizeof(set));
	sigfillset(&action.sa_mask);
	if (number <= 0 || !set || set(number, &action, NULL))
		return false;
	pn_sampler_signal = number;
	return true;
}

__attribute__((constructor)) static void start(int argc, char **argv)
{
	struct pn_sampled_thread *t;
	bool first;

	(void)argc;
	pn_output_prepare();
	if (!map_control() || !take_signal() ||
	    pthread_key_create(&end_of_thread, end_thread) ||
	    pthread_atfork(NULL, NULL, after_fork)) {
		control = NULL;
		return;
	}
	first = !__atomic_fetch_add(&control->images, 1, __ATOMIC_RELAXED);
	t = pn_sampler_reserve();
	if (!t)
		return;
	t->base = (uint64_t)argv; /* they lie above main's frame */
	if (first)
		pn_sampler_due_first(t, control);
	pn_sampler_begin(t, 0);
	pn_sampler_due_image(t);
}

/* The thread's clock is another one in a child of vfork, and of a fork that
 * told nobody. */
void pn_sampler_leave(void)
{
	struct pn_sampled_thread *t = self;
	uint64_t mask;

	if (!t || t->tid != (uint32_t)pn_sys(SYS_gettid))
		return;
	mask = pn_sampler_block();
	pn_sampler_due_end(t, control);
	pn_sampler_unblock(mask);
}

__attribute__((destructor)) static void end(void)
{
	struct pn_sampled_thread *t = self;
	uint64_t mask;

	pn_sampler_leave();
	/* a child of a fork that told nobody has no record */
	if (!t || (process && process != pn_sys(SYS_getpid)))
		return;
	mask = pn_sampler_block();
	write_thread(t);
	if (atomic_load(&record) == OPEN)
		pn_output_close();
	pn_sampler_unblock(mask);
}
