/*
 * What time samples stand for. The kernel looks at timers of processor time at
 * its own ticks, some 250 a second: a thread of two milliseconds has mostly
 * ended before its timer is looked at, and of what such threads did nothing
 * would be seen. So a tick is only the occasion for a sample, and clocks say
 * what it stands for: what the thread used since the last one, and what
 * threads and processes left that ended unseen. Such a debt stands in the
 * control, which all processes of a run share, and the next tick pays it.
 *
 * Time that is less than an interval becomes one by chance, in proportion
 * (stochastic rounding), and is owed or credited after it: no time of a
 * thread's life is left out more often than others.
 *
 * Where ticks fail to come, as on a machine whose processors are taken away,
 * the thread went on unseen, and where it is at the next tick says nothing of
 * that time. Who samples for a count loses it (perf record, py-spy), Go's
 * profiler puts it below a function of its own (runtime._LostSIGPROF...). Here,
 * too: it stays in the sum, and the sample says how much of it was not seen.
 */
#define _GNU_SOURCE
#include "runtime/sample/sample.h"

#include "runtime/sys.h"

#include <sys/resource.h>
#include <time.h>

#define USUAL_NS 10000000 /* ticks are no further apart at 100 Hz, ... */
#define LATE 3		  /* ... and so many times that is no tick's delay */

uint32_t pn_sampler_paused;

/* Marsaglia, Xorshift RNGs, J. Stat. Soft. 8 (2003). */
static uint64_t draw(struct pn_sampled_thread *t)
{
	t->random ^= t->random << 13;
	t->random ^= t->random >> 7;
	t->random ^= t->random << 17;
	return t->random;
}

static int64_t take_debt(struct pn_runtime_control *control)
{
	return __atomic_exchange_n(&control->debt_ns, 0, __ATOMIC_RELAXED);
}

static void add_debt(struct pn_runtime_control *control, int64_t ns)
{
	__atomic_fetch_add(&control->debt_ns, ns, __ATOMIC_RELAXED);
}

/* What ended left unseen goes where its debt goes. */
static void take_unseen(struct pn_sampled_thread *t,
			struct pn_runtime_control *control)
{
	t->unseen_ns +=
		__atomic_exchange_n(&control->unseen_ns, 0, __ATOMIC_RELAXED);
}

static uint64_t seed_of(const struct pn_sampled_thread *t)
{
	uint64_t seed = (uint64_t)pn_sys_time_ns(CLOCK_MONOTONIC) ^
			(uint64_t)t->tid << 20;

	seed = (seed ^ seed >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	return (seed ^ seed >> 32) | 1;
}

static int64_t user_time_ns(void)
{
	struct rusage used = {0};

	pn_sys(SYS_getrusage, RUSAGE_THREAD, &used);
	return used.ru_utime.tv_sec * INT64_C(1000000000) +
	       used.ru_utime.tv_usec * INT64_C(1000);
}

void pn_sampler_due_begin(struct pn_sampled_thread *t, int64_t paid_ns)
{
	t->random = seed_of(t);
	t->paid_ns = t->looked_ns = paid_ns;
	t->user_ns = user_time_ns();
	t->unseen_ns = 0;
}

/*
 * The first image of a run. What a run leaves unpaid at its end, half an
 * interval in the mean, it is given at its beginning.
 */
void pn_sampler_due_first(struct pn_sampled_thread *t,
			  struct pn_runtime_control *control)
{
	int64_t interval_ns = control->interval_ns;

	t->random = seed_of(t);
	if (interval_ns > 0)
		add_debt(control, (int64_t)(draw(t) % (uint64_t)interval_ns));
}

/*
 * The thread of main() of a program that was just loaded. What it took to
 * load is its own, unless that is so much that what ran in this process
 * before, a shell's child, has had samples of it.
 */
void pn_sampler_due_image(struct pn_sampled_thread *t)
{
	if (t->paid_ns < t->interval_ns)
		t->paid_ns = 0;
}

int64_t pn_sampler_due_first_tick(struct pn_sampled_thread *t,
				  const struct pn_runtime_control *control,
				  int64_t beat_ns)
{
	int64_t debt = __atomic_load_n(&control->debt_ns, __ATOMIC_RELAXED);

	if (control->clock != PN_RUNTIME_WALL && debt >= beat_ns)
		return 1;
	return (int64_t)(draw(t) % (uint64_t)beat_ns) + 1;
}

void pn_sampler_due_forget(struct pn_sampled_thread *t)
{
	t->paid_ns = t->looked_ns = pn_sys_time_ns(CLOCK_THREAD_CPUTIME_ID);
	t->user_ns = user_time_ns();
	t->unseen_ns = 0;
}

/*
 * A thread gets its tick when it comes back from the kernel, however long it
 * was there: that time is the call's. While a thread stands still the clock of
 * the wall may go on, but it is nowhere else.
 */
void pn_sampler_due_look(struct pn_sampled_thread *t, uint32_t ticks, bool wall,
			 bool in_call)
{
	int64_t now_ns = pn_sys_time_ns(CLOCK_THREAD_CPUTIME_ID);
	int64_t user_ns = user_time_ns(), beat_ns, usual_ns, unseen_ns;

	beat_ns = t->beats ? t->interval_ns / t->beats : 0;
	usual_ns = beat_ns > USUAL_NS ? beat_ns : USUAL_NS;
	unseen_ns = now_ns - t->looked_ns;
	if (unseen_ns > LATE * usual_ns) {
		unseen_ns -= usual_ns;
		if (in_call && unseen_ns > user_ns - t->user_ns)
			unseen_ns = user_ns - t->user_ns;
		if (wall && unseen_ns > (ticks - 1) * beat_ns)
			unseen_ns = (ticks - 1) * beat_ns;
		if (unseen_ns > 0)
			t->unseen_ns += unseen_ns;
	}
	t->looked_ns = now_ns;
	t->user_ns = user_ns;
}

uint32_t pn_sampler_due_unseen(struct pn_sampled_thread *t, uint32_t ticks)
{
	int64_t count = t->interval_ns > 0 ? t->unseen_ns / t->interval_ns : 0;

	if (count >= ticks)
		count = ticks ? ticks - 1 : 0;
	t->unseen_ns = 0;
	return (uint32_t)count;
}

uint32_t pn_sampler_due(struct pn_sampled_thread *t,
			struct pn_runtime_control *control)
{
	int64_t now_ns = pn_sys_time_ns(CLOCK_THREAD_CPUTIME_ID);
	int64_t beat_ns = t->interval_ns / t->beats, due, count;

	due = now_ns - t->paid_ns + take_debt(control);
	take_unseen(t, control);
	t->paid_ns = now_ns - due;
	if (due <= 0 || beat_ns <= 0)
		return 0;
	count = due / beat_ns;
	if ((int64_t)(draw(t) % (uint64_t)beat_ns) < due % beat_ns)
		count++;
	if (count > UINT32_MAX / 2)
		count = UINT32_MAX / 2;
	t->paid_ns += count * beat_ns;
	return (uint32_t)count;
}

void pn_sampler_due_end(struct pn_sampled_thread *t,
			struct pn_runtime_control *control)
{
	int64_t beat_ns = t->interval_ns / t->beats;

	if (control->clock == PN_RUNTIME_WALL || !t->tracked ||
	    control->paused || control->stopped || pn_sampler_paused)
		return;
	add_debt(control, pn_sys_time_ns(CLOCK_THREAD_CPUTIME_ID) - t->paid_ns +
				  t->owed * beat_ns);
	t->owed = 0;
	pn_sampler_due_look(t, 1, false, false);
	__atomic_fetch_add(&control->unseen_ns, t->unseen_ns, __ATOMIC_RELAXED);
	pn_sampler_due_forget(t);
}
