/* Frames and call graphs: what is equal is one thing, rows start as zeros. */
#include "codec/frames.h"
#include "model/graph/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void equal_frames_are_one_location(void **state)
{
	struct pn_frames frames = {0};
	struct pn_frame f = {.line = 7, .mapping = PN_NONE}, g;
	struct pn_profile p;

	(void)state;
	pn_profile_init(&p);
	f.name = pn_strtab_add_text(&p.strings, "f");
	g = f;
	g.line = 8;
	assert_int_equal(pn_frames_location(&frames, &p, &f), 0);
	assert_int_equal(pn_frames_location(&frames, &p, &g), 1);
	assert_int_equal(pn_frames_location(&frames, &p, &f), 0);
	assert_int_equal(p.location_count, 2);
	assert_int_equal(p.function_count, 1);
	assert_int_equal(p.lines[1].line, 8);
	assert_int_equal(pn_profile_check(&p, NULL), 0);
	pn_frames_release(&frames);
	pn_profile_release(&p);
}

static void equal_stacks_are_one_even_without_frames(void **state)
{
	struct pn_frames frames = {0};
	struct pn_profile p;
	uint32_t ab[] = {0, 1}, ba[] = {1, 0};

	(void)state;
	pn_profile_init(&p);
	assert_int_equal(pn_frames_stack(&frames, &p, ab, 2), 0);
	assert_int_equal(pn_frames_stack(&frames, &p, ba, 2), 1);
	assert_int_equal(pn_frames_stack(&frames, &p, ba, 0), 2);
	assert_int_equal(pn_frames_stack(&frames, &p, NULL, 0), 2);
	assert_int_equal(pn_frames_stack(&frames, &p, ab, 2), 0);
	assert_int_equal(p.stack_count, 3);
	assert_int_equal(p.frame_count, 4);
	pn_frames_release(&frames);
	pn_profile_release(&p);
}

static void rows_of_a_graph_start_as_zeros(void **state)
{
	struct pn_profile p;
	struct pn_edge edge = {0};
	struct pn_cost cost = {0};
	uint32_t i;

	(void)state;
	pn_profile_init(&p);
	pn_profile_add_type(&p, "Ir", "count");
	pn_profile_add_type(&p, "Dr", "count");
	for (i = 0; i < 100; i++) {
		assert_int_equal(pn_graph_add_node(&p, PN_NONE, -1, -1), i);
		edge.caller = i;
		assert_int_equal(pn_graph_add_edge(&p, &edge), i);
		cost.node = i;
		assert_int_equal(pn_graph_add_cost(&p, &cost), i);
		assert_int_equal(p.graph.self[i * 2 + 1].i, 0);
		assert_int_equal(p.graph.edge_total[i * 2].i, 0);
		p.graph.total[i * 2 + 1].i = p.graph.cost_values[i * 2].i = i;
	}
	assert_int_equal(p.graph.total[3 * 2 + 1].i, 3);
	assert_int_equal(p.graph.cost_values[99 * 2].i, 99);
	assert_int_equal(pn_profile_check(&p, NULL), 0);
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_frames_are_one_location),
		cmocka_unit_test(equal_stacks_are_one_even_without_frames),
		cmocka_unit_test(rows_of_a_graph_start_as_zeros),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
