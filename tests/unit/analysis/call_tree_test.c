/* How large a tree of calls may get. */
#include "analysis/merge/call_tree.h"
#include "base/alloc.h"
#include "base/error.h"
#include "model/profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* One stack of `frames` times the same place, where `lines` calls are inlined:
 * each call is at the end of another path. */
static int ask(struct pn_profile *p, uint32_t frames, uint32_t lines,
	       struct pn_error *err)
{
	struct pn_line *line = pn_calloc(lines, sizeof(*line));
	uint32_t *frame = pn_calloc(frames, sizeof(*frame)), i, at;
	struct pn_function function = {0};
	struct pn_location location = {.mapping = PN_NONE};
	const union pn_value one = {.i = 1};
	int code;

	pn_profile_init(p);
	pn_profile_add_type(p, "samples", "count");
	function.name = pn_strtab_add_text(&p->strings, "f");
	at = pn_profile_add_function(p, &function);
	for (i = 0; i < lines; i++)
		line[i].function = at;
	at = pn_profile_add_location(p, &location, line, lines);
	for (i = 0; i < frames; i++)
		frame[i] = at;
	at = pn_profile_add_stack(p, frame, frames);
	pn_profile_add_sample(p, at, 0, &one);
	code = pn_call_tree(p, err);
	free(line);
	free(frame);
	return code;
}

static void makes_a_function_of_each_path(void **state)
{
	struct pn_profile p;

	(void)state;
	assert_int_equal(ask(&p, 7, 5, NULL), 0);
	assert_int_equal(pn_profile_check(&p, NULL), 0);
	/* the one that came, and 7 * 5 */
	assert_int_equal(p.function_count, 1 + 35);
	pn_profile_release(&p);
}

/* 2048 * 1024 calls are 2^21, one more stack's place is too many */
static void refuses_what_small_files_may_ask_for(void **state)
{
	struct pn_error err;
	struct pn_profile p;

	(void)state;
	assert_int_equal(ask(&p, 2049, 1024, &err), PN_ELIMIT);
	assert_string_equal(err.message,
			    "the call tree has more than 2097152 calls");
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(makes_a_function_of_each_path),
		cmocka_unit_test(refuses_what_small_files_may_ask_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
