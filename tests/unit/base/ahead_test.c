/* Jobs in threads, handed over in order. */
#include "base/ahead.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>

#define TASKS 1000
#define WINDOW 7

struct squares {
	uint64_t slots[WINDOW];
	size_t workers[TASKS]; /* who did a task */
	pthread_mutex_t lock;
	size_t begun;
};

static void square(void *data, size_t task, size_t worker)
{
	struct squares *s = data;

	s->slots[task % WINDOW] = (uint64_t)task * task;
	pthread_mutex_lock(&s->lock);
	s->workers[task % TASKS] = worker;
	s->begun++;
	pthread_mutex_unlock(&s->lock);
}

static size_t begun(struct squares *s)
{
	size_t n;

	pthread_mutex_lock(&s->lock);
	n = s->begun;
	pthread_mutex_unlock(&s->lock);
	return n;
}

/* However many there are: each does as many tasks as the others. */
static void expect_turns(const struct squares *s)
{
	size_t i, count = 1;

	for (i = 0; i < TASKS; i++)
		if (s->workers[i] >= count)
			count = s->workers[i] + 1;
	for (i = 0; i < TASKS; i++)
		assert_int_equal(s->workers[i], i % count);
}

static void hands_jobs_over_in_order(size_t threads)
{
	struct squares s = {.lock = PTHREAD_MUTEX_INITIALIZER};
	struct pn_ahead_work work = {square, &s, TASKS, WINDOW, threads};
	struct pn_ahead *ahead = pn_ahead_new(&work);
	size_t task, i = 0, wrong = 0, early = 0;

	for (; pn_ahead_next(&task, ahead); i++) {
		wrong += task != i || s.slots[task % WINDOW] != (uint64_t)i * i;
		early += begun(&s) > i + WINDOW;
	}
	assert_int_equal(i, TASKS);
	assert_int_equal(wrong, 0);
	assert_int_equal(early, 0); /* never more than the window at a time */
	assert_false(pn_ahead_next(&task, ahead));
	pn_ahead_free(ahead);
	expect_turns(&s);
}

static void hands_over_in_order_with_any_number_of_threads(void **state)
{
	(void)state;
	hands_jobs_over_in_order(0);
	hands_jobs_over_in_order(1);
	hands_jobs_over_in_order(2);
	hands_jobs_over_in_order(100);
}

static void leaves_what_nobody_asked_for(void **state)
{
	struct squares s = {.lock = PTHREAD_MUTEX_INITIALIZER};
	struct pn_ahead_work work = {square, &s, SIZE_MAX, WINDOW, 2};
	struct pn_ahead *ahead = pn_ahead_new(&work);
	size_t task;

	(void)state;
	assert_true(pn_ahead_next(&task, ahead));
	assert_true(pn_ahead_next(&task, ahead));
	assert_int_equal(task, 1);
	pn_ahead_free(ahead);
	assert_true(begun(&s) <= 1 + WINDOW);
}

static void has_nothing_to_hand_over_of_no_jobs(void **state)
{
	struct squares s = {.lock = PTHREAD_MUTEX_INITIALIZER};
	struct pn_ahead_work work = {square, &s, 0, WINDOW, 2};
	struct pn_ahead *ahead = pn_ahead_new(&work);
	size_t task;

	(void)state;
	assert_false(pn_ahead_next(&task, ahead));
	pn_ahead_free(ahead);
	pn_ahead_free(NULL);
}

static void does_two_tasks_once_each(void **state)
{
	struct squares s = {.lock = PTHREAD_MUTEX_INITIALIZER};

	(void)state;
	pn_ahead_both(square, &s);
	assert_int_equal(begun(&s), 2);
	assert_int_equal(s.slots[0], 0);
	assert_int_equal(s.slots[1], 1);
	assert_int_equal(s.workers[0], 0); /* the caller */
}

#define OFFERED 300

struct helped {
	uint64_t places[OFFERED];
	uint64_t offer; /* of the tasks */
	pthread_mutex_t lock;
	size_t done;
};

static void help_one(void *data, size_t task)
{
	struct helped *h = data;

	h->places[task] = h->offer * OFFERED + task;
	pthread_mutex_lock(&h->lock);
	h->done++;
	pthread_mutex_unlock(&h->lock);
}

static size_t done(struct helped *h)
{
	size_t n;

	pthread_mutex_lock(&h->lock);
	n = h->done;
	pthread_mutex_unlock(&h->lock);
	return n;
}

/* The caller comes at once, or when the thread has done all that it takes on
 * ahead of a caller who has not begun. */
static size_t take_all(struct pn_helper *helper, struct helped *h, bool waits)
{
	size_t i, taken = 0, before = h->done, more = 1;

	pn_helper_offer(helper, OFFERED);
	while (waits && more) {
		more = before + OFFERED - done(h);
		if (more <= 16)
			break;
		sched_yield();
	}
	for (i = 0; i < OFFERED; i++) {
		if (!pn_helper_has_done(helper, (uint32_t)i))
			continue;
		taken++;
		assert_int_equal(h->places[i], h->offer * OFFERED + i);
	}
	return taken;
}

static void helps_who_does_not_wait(void **state)
{
	struct helped h = {.lock = PTHREAD_MUTEX_INITIALIZER};
	struct pn_helper *helper = pn_helper_new(help_one, &h, OFFERED);
	uint64_t offer;

	(void)state;
	if (!helper) /* there is one processor */
		return;
	for (offer = 0; offer < 200; offer++) {
		while (!pn_helper_withdraw(helper))
			sched_yield();
		h.offer = offer; /* no task of the last one is at it */
		/* most of the last ones were there when the caller came */
		if (take_all(helper, &h, h.offer % 2) < OFFERED - 16)
			assert_int_equal(h.offer % 2, 0);
	}
	pn_helper_free(helper);
	pn_helper_free(NULL);
}

#define SMALL_OFFER 24

struct counted {
	_Atomic uint32_t offer;
	uint32_t last[SMALL_OFFER]; /* the offer it was done in */
	_Atomic uint32_t twice;
};

static void count_one(void *data, size_t task)
{
	struct counted *c = data;
	uint32_t offer = c->offer;

	if (c->last[task] == offer)
		c->twice++;
	c->last[task] = offer;
}

/* Whoever was told that a task is done has its result for himself. */
static void does_a_task_once_an_offer(void **state)
{
	struct counted c = {0};
	struct pn_helper *helper = pn_helper_new(count_one, &c, SMALL_OFFER);
	volatile unsigned int spun;
	unsigned int offers;

	(void)state;
	if (!helper)
		return;
	for (offers = 0; offers < 800000; offers++) {
		while (!pn_helper_withdraw(helper))
			; /* the thread is as quick */
		c.offer++;
		pn_helper_offer(helper, SMALL_OFFER);
		for (spun = 0; spun < offers % 2000; spun++)
			;
	}
	pn_helper_free(helper);
	assert_int_equal(c.twice, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			hands_over_in_order_with_any_number_of_threads),
		cmocka_unit_test(leaves_what_nobody_asked_for),
		cmocka_unit_test(has_nothing_to_hand_over_of_no_jobs),
		cmocka_unit_test(does_two_tasks_once_each),
		cmocka_unit_test(helps_who_does_not_wait),
		cmocka_unit_test(does_a_task_once_an_offer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
