/* Canonical bodies of profiles of several runs. */
#include "base/hash.h"
#include "model/graph/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bodies.h"

#define NODES 200

/*
 * A call graph of `count` functions, of which number `first` is left out, in
 * `runs` runs: function i costs i + 10 * run + more in each.
 */
static void make_graph(struct pn_profile *p, size_t first, uint32_t runs,
		       int64_t more)
{
	struct pn_location l = {.mapping = PN_NONE};
	size_t i, run, at;

	pn_profile_init(p);
	pn_profile_add_type(p, "Ir", "count");
	p->header.runs = runs;
	p->graph.self_by_run =
		calloc((size_t)NODES * runs, sizeof(*p->graph.self_by_run));
	for (i = 0; i < NODES; i++) {
		if (i == first)
			continue;
		l.address = 16 * i;
		at = pn_graph_add_node(
			p, pn_profile_add_location(p, &l, NULL, 0), 1, 1);
		for (run = 0; run < runs; run++) {
			int64_t cost = (int64_t)(i + 10 * run) + more;

			p->graph.self_by_run[at * runs + run].i = cost;
			p->graph.self[at].i += cost;
		}
		p->graph.total[at] = p->graph.self[at];
	}
}

static void one_run_takes_no_byte(void **unused)
{
	struct pn_buf none = {0}, one = {0}, three = {0};
	struct pn_profile p;

	(void)unused;
	make_graph(&p, 0, 1, 0);
	free(p.graph.self_by_run);
	p.graph.self_by_run = NULL;
	encode(&one, NULL, &p, NULL, NULL);
	p.header.runs = 0;
	encode(&none, NULL, &p, NULL, NULL);
	p.header.runs = 3;
	encode(&three, NULL, &p, NULL, NULL);
	assert_int_equal(one.len, none.len);
	assert_memory_equal(one.data, none.data, one.len);
	/* a number more in a column of 7: no more than its 10 planes */
	assert_in_range(three.len, one.len + 1, one.len + 10);
	reads_back(&three, NULL, &p);
	pn_profile_release(&p);
	pn_buf_release(&none);
	pn_buf_release(&one);
	pn_buf_release(&three);
}

static void costs_of_each_run_come_back(void **unused)
{
	struct pn_buf body = {0};
	struct pn_profile p;

	(void)unused;
	make_graph(&p, 0, 4, 7);
	p.types[0].role = PN_ROLE_PEAK;
	encode(&body, NULL, &p, NULL, NULL);
	reads_back(&body, NULL, &p);
	pn_profile_release(&p);
	pn_buf_release(&body);
}

/* Rows of the base stay, also those of functions that are gone. */
static void a_delta_keeps_the_costs_by_run_beside_their_nodes(void **unused)
{
	struct pn_buf key = {0}, delta = {0};
	struct pn_body_state *state;
	struct pn_body_info info;
	struct pn_profile p, q;
	struct pn_error err;
	struct pn_oid oid;

	(void)unused;
	make_graph(&p, 0, 3, 0);
	encode(&key, &state, &p, NULL, NULL);
	pn_hash_git_object(&oid, "blob", key.data, key.len);
	make_graph(&q, 77, 3, 0);
	q.graph.self_by_run[30].i += 5;
	encode(&delta, NULL, &q, state, &oid);
	assert_int_equal(pn_body_info(&info, delta.data, 64, &err), 0);
	assert_true(info.is_delta);
	reads_back(&delta, state, &q);
	pn_body_state_free(state);
	pn_profile_release(&p);
	pn_profile_release(&q);
	pn_buf_release(&key);
	pn_buf_release(&delta);
}

/* Nothing is alike: the delta would be as large, so a key is written, in the
 * base's order but without its rows. */
static void a_key_behind_a_base_leaves_out_nodes_that_are_gone(void **unused)
{
	struct pn_buf key = {0}, next = {0};
	struct pn_body_state *state;
	struct pn_body_info info;
	struct pn_profile p, q;
	struct pn_error err;
	struct pn_oid oid;
	size_t i;

	(void)unused;
	make_graph(&p, 0, 2, 0);
	encode(&key, &state, &p, NULL, NULL);
	pn_hash_git_object(&oid, "blob", key.data, key.len);
	make_graph(&q, 5, 2, 0);
	for (i = 0; i < q.graph.node_count * 2; i++)
		q.graph.self_by_run[i].i =
			(int64_t)(i * UINT64_C(0x9e3779b97f4a7c15));
	encode(&next, NULL, &q, state, &oid);
	assert_int_equal(pn_body_info(&info, next.data, 64, &err), 0);
	assert_false(info.is_delta);
	reads_back(&next, NULL, &q);
	pn_body_state_free(state);
	pn_profile_release(&p);
	pn_profile_release(&q);
	pn_buf_release(&key);
	pn_buf_release(&next);
}

static void profiles_of_other_runs_are_not_equal(void **unused)
{
	struct pn_profile p, q;
	char why[100];

	(void)unused;
	make_graph(&p, 0, 3, 0);
	make_graph(&q, 0, 3, 0);
	assert_true(pn_profile_equal(&p, &q, why, sizeof(why)));
	q.graph.self_by_run[1].i++;
	q.graph.self_by_run[2].i--;
	assert_false(pn_profile_equal(&p, &q, why, sizeof(why)));
	q.header.runs = 4;
	assert_false(pn_profile_equal(&p, &q, why, sizeof(why)));
	assert_string_equal(why, "runs: 3 and 4");
	pn_profile_release(&p);
	pn_profile_release(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_run_takes_no_byte),
		cmocka_unit_test(costs_of_each_run_come_back),
		cmocka_unit_test(
			a_delta_keeps_the_costs_by_run_beside_their_nodes),
		cmocka_unit_test(
			a_key_behind_a_base_leaves_out_nodes_that_are_gone),
		cmocka_unit_test(profiles_of_other_runs_are_not_equal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
