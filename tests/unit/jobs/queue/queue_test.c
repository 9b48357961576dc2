/* The queue's file: whole lines, whoever writes, and only what makes sense. */
#include "scratch.h"

#include "jobs/queue/queue.h"

#include <stdlib.h>
#include <sys/wait.h>

#define A "0123456789abcdef0123456789abcdef01234567"
#define B "89abcdef0123456789abcdef0123456789abcdef"

static struct pn_oid oid(const char *hex)
{
	struct pn_oid id;

	assert_int_equal(pn_oid_parse(&id, hex), 0);
	return id;
}

static void reads_what_was_written(void **state)
{
	struct scratch *s = *state;
	const struct pn_queue_item items[] = {
		{PN_QUEUE_COMMIT, 5, oid(A), {{0}}, "refs/heads/a b%\n", "w-1"},
		{PN_QUEUE_REWRITE, 6, oid(A), oid(B), "", ""},
		{PN_QUEUE_TRY, 7, oid(B), {{0}}, "", ""},
		{PN_QUEUE_COMMIT, 8, oid(B), {{0}}, "", ""}};
	struct pn_queue queue;
	struct pn_error err;

	if (pn_queue_append(s->dir, items, 4, &err))
		fail_msg("%s", err.message);
	assert_int_equal(pn_queue_read(&queue, s->dir, &err), 0);
	assert_int_equal(queue.count, 4);
	assert_int_equal(queue.ignored, 0);
	assert_string_equal(queue.items[0].branch, "refs/heads/a b%\n");
	assert_string_equal(queue.items[0].worktree, "w-1");
	assert_int_equal(queue.items[1].kind, PN_QUEUE_REWRITE);
	assert_true(pn_oid_equal(&queue.items[1].old, &items[1].old));
	assert_int_equal(queue.items[2].kind, PN_QUEUE_TRY);
	assert_string_equal(queue.items[3].branch, "");
	assert_int_equal(queue.items[3].time_ns, 8);
	assert_int_equal(pn_queue_commits(&queue), 2);
	pn_queue_release(&queue);
}

static void is_empty_without_a_file(void **state)
{
	struct scratch *s = *state;
	struct pn_queue queue;

	assert_int_equal(pn_queue_read(&queue, s->dir, NULL), 0);
	assert_int_equal(queue.count, 0);
	assert_int_equal(queue.end, 0);
	pn_queue_release(&queue);
}

static void passes_over_what_makes_no_sense(void **state)
{
	char text[] = "1 5 commit " A " refs/heads/main -\n"
		      "2 5 commit " A " refs/heads/main -\n"
		      "1 5 commit " A " refs/tags/v -\n"
		      "1 5 commit " A " refs/heads/../x -\n"
		      "1 5 commit " A " - a/b\n"
		      "1 5 commit " A " - ..\n"
		      "1 5 commit " A " - %zz\n"
		      "1 5 commit " A " -  -\n"
		      "1 x try " A "\n"
		      "1 5 try 0123\n"
		      "\n"
		      "1 5 rewrite " A " " B "\n"
		      "1 5 try " A;
	struct pn_queue queue = {0};

	(void)state;
	pn_queue_parse(&queue, text, sizeof(text) - 1);
	assert_int_equal(queue.count, 2);
	assert_int_equal(queue.ignored, 10);
	/* the last line may still be on its way */
	assert_int_equal(queue.end, sizeof(text) - 1 - strlen("1 5 try " A));
	pn_queue_release(&queue);
}

static void ends_half_a_line_of_a_writer_that_was_killed(void **state)
{
	struct scratch *s = *state;
	const struct pn_queue_item item = {PN_QUEUE_TRY, 7,  oid(B),
					   {{0}},	 "", ""};
	struct pn_queue queue;

	scratch_run(s, "mkdir perf && printf '1 5 comm' >perf/queue");
	assert_int_equal(pn_queue_append(s->dir, &item, 1, NULL), 0);
	assert_int_equal(pn_queue_read(&queue, s->dir, NULL), 0);
	assert_int_equal(queue.count, 1);
	assert_int_equal(queue.ignored, 1);
	pn_queue_release(&queue);
}

static void keeps_what_came_after_the_reading(void **state)
{
	struct scratch *s = *state;
	const struct pn_queue_item first = {PN_QUEUE_TRY, 1,  oid(A),
					    {{0}},	  "", ""};
	const struct pn_queue_item second = {PN_QUEUE_TRY, 2,  oid(B),
					     {{0}},	   "", ""};
	struct pn_queue queue;
	struct pn_error err;

	assert_int_equal(pn_queue_append(s->dir, &first, 1, &err), 0);
	assert_int_equal(pn_queue_read(&queue, s->dir, &err), 0);
	assert_int_equal(pn_queue_append(s->dir, &second, 1, &err), 0);
	assert_int_equal(pn_queue_drop(s->dir, &queue, &err), 0);
	pn_queue_release(&queue);
	assert_int_equal(pn_queue_read(&queue, s->dir, &err), 0);
	assert_int_equal(queue.count, 1);
	assert_int_equal(queue.items[0].time_ns, 2);
	pn_queue_release(&queue);
}

static void loses_no_line_while_others_read_and_write(void **state)
{
	enum { WRITERS = 4, LINES = 200 };
	struct scratch *s = *state;
	struct pn_queue queue;
	size_t taken = 0;
	int i, k, status, alive = WRITERS;

	for (i = 0; i < WRITERS; i++) {
		if (fork())
			continue;
		for (k = 0; k < LINES; k++) {
			const struct pn_queue_item item = {
				PN_QUEUE_TRY, k, oid(A), {{0}}, "", ""};

			if (pn_queue_append(s->dir, &item, 1, NULL))
				_exit(1);
		}
		_exit(0);
	}
	while (alive) {
		if (waitpid(-1, &status, WNOHANG) > 0) {
			assert_int_equal(status, 0);
			alive--;
		}
		assert_int_equal(pn_queue_read(&queue, s->dir, NULL), 0);
		taken += queue.count;
		if (queue.end)
			assert_int_equal(pn_queue_drop(s->dir, &queue, NULL),
					 0);
		pn_queue_release(&queue);
	}
	assert_int_equal(pn_queue_read(&queue, s->dir, NULL), 0);
	assert_int_equal(taken + queue.count, WRITERS * LINES);
	pn_queue_release(&queue);
}

static void has_one_worker_and_tells_without_taking_its_lock(void **state)
{
	struct scratch *s = *state;
	int fd, ready[2], done[2], status;
	char byte = 0;

	assert_false(pn_queue_has_worker(s->dir));
	assert_int_equal(pipe(ready), 0);
	assert_int_equal(pipe(done), 0);
	if (!fork()) {
		status = pn_queue_lock_worker(&fd, s->dir, NULL) ||
			 write(ready[1], &byte, 1) != 1 ||
			 read(done[0], &byte, 1) != 1;
		_exit(status);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_true(pn_queue_has_worker(s->dir));
	assert_true(pn_queue_has_worker(s->dir));
	assert_int_equal(pn_queue_lock_worker(&fd, s->dir, NULL), PN_ELOCKED);
	assert_int_equal(write(done[1], &byte, 1), 1);
	assert_true(wait(&status) > 0);
	assert_int_equal(status, 0);
	assert_false(pn_queue_has_worker(s->dir));
	assert_int_equal(pn_queue_lock_worker(&fd, s->dir, NULL), 0);
	close(fd);
}

static void tells_that_the_worker_waits_for_quiet(void **state)
{
	struct scratch *s = *state;
	int worker, quiet, ready[2], done[2], status;
	char byte = 0;

	assert_int_equal(pipe(ready), 0);
	assert_int_equal(pipe(done), 0);
	if (!fork()) {
		quiet = pn_queue_lock_quiet(s->dir);
		status = quiet < 0 || write(ready[1], &byte, 1) != 1 ||
			 read(done[0], &byte, 1) != 1 ||
			 pn_queue_lock_worker(&worker, s->dir, NULL) ||
			 write(ready[1], &byte, 1) != 1 ||
			 read(done[0], &byte, 1) != 1 || close(quiet) ||
			 write(ready[1], &byte, 1) != 1 ||
			 read(done[0], &byte, 1) != 1;
		_exit(status);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_false(pn_queue_waits(s->dir)); /* there is no worker */
	assert_int_equal(pn_queue_lock_quiet(s->dir), -1);
	assert_int_equal(write(done[1], &byte, 1), 1);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_true(pn_queue_waits(s->dir));
	assert_true(pn_queue_has_worker(s->dir));
	assert_int_equal(write(done[1], &byte, 1), 1);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_false(pn_queue_waits(s->dir));
	assert_true(pn_queue_has_worker(s->dir));
	assert_int_equal(write(done[1], &byte, 1), 1);
	assert_true(wait(&status) > 0);
	assert_int_equal(status, 0);
}

#define TEST(name)                                                             \
	cmocka_unit_test_setup_teardown(name, scratch_open, scratch_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(reads_what_was_written),
		TEST(is_empty_without_a_file),
		TEST(passes_over_what_makes_no_sense),
		TEST(ends_half_a_line_of_a_writer_that_was_killed),
		TEST(keeps_what_came_after_the_reading),
		TEST(loses_no_line_while_others_read_and_write),
		TEST(has_one_worker_and_tells_without_taking_its_lock),
		TEST(tells_that_the_worker_waits_for_quiet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
