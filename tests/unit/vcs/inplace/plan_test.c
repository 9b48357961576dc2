/* What a file's own bytes are called, when something else takes its place. */
#include "scratch.h"

#include "base/hash.h"
#include "vcs/inplace/plan.h"

#include <sys/stat.h>
#include <unistd.h>

#define SECONDS 60 /* who waits for a writer waits for ever */

static void takes_a_pipe_for_no_file(void **state)
{
	struct scratch *s = *state;
	struct pn_oid have, empty, none = {{0}};
	struct pn_buf path = {0};
	struct pn_error err;
	struct stat seen;

	scratch_run(s, ": >empty");
	pn_buf_printf(&path, "%s/empty", s->dir);
	assert_int_equal(lstat(pn_buf_text(&path), &seen), 0);
	pn_hash_git_object(&empty, "blob", "", 0);
	assert_int_equal(pn_plan_hash(&have, pn_buf_text(&path), &seen, &err),
			 0);
	assert_true(pn_oid_equal(&have, &empty));
	scratch_run(s, "rm empty && mkfifo empty");
	alarm(SECONDS);
	assert_int_equal(pn_plan_hash(&have, pn_buf_text(&path), &seen, &err),
			 0);
	alarm(0);
	assert_true(pn_oid_equal(&have, &none));
	scratch_run(s, "rm empty && mkdir empty");
	assert_int_equal(pn_plan_hash(&have, pn_buf_text(&path), &seen, &err),
			 0);
	assert_true(pn_oid_equal(&have, &none));
	scratch_run(s, "rmdir empty");
	assert_int_equal(pn_plan_hash(&have, pn_buf_text(&path), &seen, &err),
			 PN_EIO);
	pn_buf_release(&path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(takes_a_pipe_for_no_file,
						scratch_repo, scratch_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
