/* Tasks in threads. */
#include "base/ahead.h"

#include "base/alloc.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pn_ahead;

struct worker {
	struct pn_ahead *ahead;
	size_t number;
	pthread_t thread;
};

struct pn_ahead {
	struct pn_ahead_work work;
	struct worker workers[PN_AHEAD_THREADS_MAX];
	size_t worker_count;
	pthread_mutex_t lock; /* of all that follows */
	pthread_cond_t changed;
	bool *done;	/* of task k at k % window */
	size_t handed;	/* tasks that the caller is done with */
	bool out, stop; /* out: the caller has task `handed` */
};

/*
 * Workers take turns. Where their number divides the window, a place is always
 * the same one's: what a task frees there was allocated by the same thread,
 * whose allocator need not lock out another one for it.
 */
static void *work(void *data)
{
	const struct worker *worker = data;
	struct pn_ahead *ahead = worker->ahead;
	const struct pn_ahead_work *w = &ahead->work;
	size_t task;

	pthread_mutex_lock(&ahead->lock);
	for (task = worker->number; task < w->count;
	     task += ahead->worker_count) {
		while (!ahead->stop && task >= ahead->handed + w->window)
			pthread_cond_wait(&ahead->changed, &ahead->lock);
		if (ahead->stop)
			break;
		pthread_mutex_unlock(&ahead->lock);
		w->run(w->data, task, worker->number);
		pthread_mutex_lock(&ahead->lock);
		ahead->done[task % w->window] = true;
		pthread_cond_broadcast(&ahead->changed);
	}
	pthread_mutex_unlock(&ahead->lock);
	return NULL;
}

static size_t threads_wanted(const struct pn_ahead_work *w)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	size_t want = w->threads;

	if (processors < 2 || w->count < 2 || w->window < 2)
		return 0;
	if (want > (size_t)processors)
		want = (size_t)processors;
	if (want > w->count)
		want = w->count;
	if (want > w->window) /* the others would wait for a place */
		want = w->window;
	return want < PN_AHEAD_THREADS_MAX ? want : PN_AHEAD_THREADS_MAX;
}

/* Signals are the caller's: a handler may count on being in its thread. */
static bool start_thread(pthread_t *thread, void *(*run)(void *data),
			 void *data)
{
	sigset_t all, before;
	bool started;

	sigfillset(&all);
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGBUS);
	sigdelset(&all, SIGABRT);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	started = !pthread_create(thread, NULL, run, data);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return started;
}

static void start_threads(struct pn_ahead *ahead)
{
	size_t want = threads_wanted(&ahead->work);

	/* they begin when it is known how many they are */
	pthread_mutex_lock(&ahead->lock);
	while (ahead->worker_count < want) {
		struct worker *worker = &ahead->workers[ahead->worker_count];

		worker->ahead = ahead;
		worker->number = ahead->worker_count;
		if (!start_thread(&worker->thread, work, worker))
			break;
		ahead->worker_count++;
	}
	pthread_mutex_unlock(&ahead->lock);
}

struct pn_ahead *pn_ahead_new(const struct pn_ahead_work *work)
{
	struct pn_ahead *ahead = pn_calloc(1, sizeof(*ahead));

	ahead->work = *work;
	ahead->done = pn_calloc(work->window, sizeof(*ahead->done));
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->changed, NULL);
	start_threads(ahead);
	return ahead;
}

/* With the lock held, which nobody else wants. */
static void do_it_here(struct pn_ahead *ahead)
{
	const struct pn_ahead_work *w = &ahead->work;
	size_t task = ahead->handed;

	w->run(w->data, task, 0);
	ahead->done[task % w->window] = true;
}

bool pn_ahead_next(size_t *task, struct pn_ahead *ahead)
{
	bool *done;

	pthread_mutex_lock(&ahead->lock);
	/* What was handed out the last time is free only now. */
	if (ahead->out) {
		ahead->done[ahead->handed++ % ahead->work.window] = false;
		ahead->out = false;
		pthread_cond_broadcast(&ahead->changed);
	}
	if (ahead->handed < ahead->work.count) {
		done = &ahead->done[ahead->handed % ahead->work.window];
		if (!ahead->worker_count)
			do_it_here(ahead);
		while (!*done)
			pthread_cond_wait(&ahead->changed, &ahead->lock);
		ahead->out = true;
		*task = ahead->handed;
	}
	pthread_mutex_unlock(&ahead->lock);
	return ahead->out;
}

bool pn_ahead_has_done(struct pn_ahead *ahead, size_t task)
{
	bool done;

	pthread_mutex_lock(&ahead->lock);
	done = task - ahead->handed < ahead->work.window &&
	       ahead->done[task % ahead->work.window];
	pthread_mutex_unlock(&ahead->lock);
	return done;
}

void pn_ahead_free(struct pn_ahead *ahead)
{
	size_t i;

	if (!ahead)
		return;
	pthread_mutex_lock(&ahead->lock);
	ahead->stop = true;
	pthread_cond_broadcast(&ahead->changed);
	pthread_mutex_unlock(&ahead->lock);
	for (i = 0; i < ahead->worker_count; i++)
		pthread_join(ahead->workers[i].thread, NULL);
	pthread_mutex_destroy(&ahead->lock);
	pthread_cond_destroy(&ahead->changed);
	free(ahead->done);
	free(ahead);
}

bool pn_ahead_fills(size_t threads)
{
	return sysconf(_SC_NPROCESSORS_ONLN) <= (long)threads;
}

struct both {
	void (*run)(void *data, size_t task, size_t worker);
	void *data;
};

static void *run_second(void *data)
{
	const struct both *both = data;

	both->run(both->data, 1, 1);
	return NULL;
}

void pn_ahead_both(void (*run)(void *data, size_t task, size_t worker),
		   void *data)
{
	struct both both = {run, data};
	pthread_t thread;
	bool started =
		!pn_ahead_fills(1) && start_thread(&thread, run_second, &both);

	run(data, 0, 0);
	if (started)
		pthread_join(thread, NULL);
	else
		run(data, 1, 0);
}

/* The thread keeps so far from the caller, who does not wait for it. */
#define GAP 8

struct pn_helper {
	void (*run)(void *data, size_t task);
	void *data;
	pthread_t thread;
	pthread_mutex_t lock; /* of all that follows; never held for a task */
	pthread_cond_t changed;
	bool *done;    /* of each task */
	uint32_t at;   /* the caller's next task, ... */
	uint32_t next; /* ... the thread's, if the caller has not come near */
	uint32_t end;  /* of those that are offered */
	bool busy, stop;
};

/* The thread's next task; with the lock held. */
static bool take_task(uint32_t *task, struct pn_helper *h)
{
	if (h->next < h->at + GAP)
		h->next = h->at + GAP;
	if (h->next >= h->end)
		return false;
	*task = h->next++;
	return true;
}

static void *help(void *data)
{
	struct pn_helper *h = data;
	uint32_t task;

	pthread_mutex_lock(&h->lock);
	while (!h->stop) {
		if (!take_task(&task, h)) {
			pthread_cond_wait(&h->changed, &h->lock);
			continue;
		}
		h->busy = true;
		pthread_mutex_unlock(&h->lock);
		h->run(h->data, task);
		pthread_mutex_lock(&h->lock);
		h->busy = false;
		h->done[task] = true;
	}
	pthread_mutex_unlock(&h->lock);
	return NULL;
}

static void release_helper(struct pn_helper *h)
{
	pthread_mutex_destroy(&h->lock);
	pthread_cond_destroy(&h->changed);
	free(h->done);
	free(h);
}

struct pn_helper *pn_helper_new(void (*run)(void *data, size_t task),
				void *data, uint32_t max)
{
	struct pn_helper *h;

	if (pn_ahead_fills(1))
		return NULL;
	h = pn_calloc(1, sizeof(*h));
	h->run = run;
	h->data = data;
	h->done = pn_calloc(max, sizeof(*h->done));
	pthread_mutex_init(&h->lock, NULL);
	pthread_cond_init(&h->changed, NULL);
	if (start_thread(&h->thread, help, h))
		return h;
	release_helper(h);
	return NULL;
}

bool pn_helper_withdraw(struct pn_helper *h)
{
	bool busy;

	pthread_mutex_lock(&h->lock);
	h->end = 0;
	busy = h->busy;
	pthread_mutex_unlock(&h->lock);
	return !busy;
}

void pn_helper_offer(struct pn_helper *h, uint32_t count)
{
	pthread_mutex_lock(&h->lock);
	memset(h->done, 0, count * sizeof(*h->done));
	h->at = h->next = 0;
	h->end = count;
	pthread_cond_signal(&h->changed);
	pthread_mutex_unlock(&h->lock);
}

bool pn_helper_has_done(struct pn_helper *h, uint32_t task)
{
	bool done;

	pthread_mutex_lock(&h->lock);
	if (task >= h->at)
		h->at = task + 1;
	done = h->done[task];
	pthread_mutex_unlock(&h->lock);
	return done;
}

void pn_helper_free(struct pn_helper *h)
{
	if (!h)
		return;
	pthread_mutex_lock(&h->lock);
	h->stop = true;
	pthread_cond_signal(&h->changed);
	pthread_mutex_unlock(&h->lock);
	pthread_join(h->thread, NULL);
	release_helper(h);
}
