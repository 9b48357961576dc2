/* Canonical bodies of call graphs whose calls have a file and an address. */
#include "base/hash.h"
#include "model/graph/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bodies.h"

#define CALLS 200

/* A function with CALLS calls of itself, call i in line `line` + 3i; with
 * `sited` each third stands in inlined.h, and all have an address. */
static void make_calls(struct pn_profile *p, int64_t line, bool sited,
		       uint64_t moved)
{
	struct pn_location l = {.mapping = PN_NONE};
	uint32_t inlined;
	size_t i;

	pn_profile_init(p);
	pn_profile_add_type(p, "Ir", "count");
	pn_graph_add_node(p, pn_profile_add_location(p, &l, NULL, 0), 1, 1);
	inlined = pn_strtab_add_text(&p->strings, "inlined.h");
	for (i = 0; i < CALLS; i++) {
		struct pn_edge edge = {.line = line + 3 * (int64_t)i,
				       .calls = 1};

		if (sited && i % 3 == 0)
			edge.file = inlined;
		if (sited)
			edge.address = 0x401000 + 8 * i + moved;
		pn_graph_add_edge(p, &edge);
		p->graph.edge_total[i].i = (int64_t)(i * 7919 % 1000);
	}
}

static void files_and_addresses_come_back(void **unused)
{
	struct pn_body_state *state;
	struct pn_buf key = {0}, delta = {0};
	struct pn_oid oid;
	struct pn_profile p, moved, without;

	(void)unused;
	make_calls(&p, 10, true, 0);
	make_calls(&moved, 11, true, 16);
	make_calls(&without, 10, false, 0);
	encode(&key, &state, &p, NULL, NULL);
	reads_back(&key, NULL, &p);
	pn_hash_git_object(&oid, "blob", key.data, key.len);
	encode(&delta, NULL, &moved, state, &oid);
	reads_back(&delta, state, &moved);
	pn_buf_clear(&delta);
	encode(&delta, NULL, &without, state, &oid);
	reads_back(&delta, state, &without);
	pn_body_state_free(state);
	pn_buf_clear(&key);
	encode(&key, &state, &without, NULL, NULL);
	pn_hash_git_object(&oid, "blob", key.data, key.len);
	pn_buf_clear(&delta);
	encode(&delta, NULL, &p, state, &oid);
	reads_back(&delta, state, &p);
	pn_body_state_free(state);
	pn_buf_release(&key);
	pn_buf_release(&delta);
	pn_profile_release(&p);
	pn_profile_release(&moved);
	pn_profile_release(&without);
}

/* Code that moved as a whole: one change of each column. */
static void moved_calls_stay_the_same_rows(void **unused)
{
	struct pn_body_state *state;
	struct pn_buf key = {0}, delta = {0};
	struct pn_oid oid;
	struct pn_profile p, moved;

	(void)unused;
	make_calls(&p, 10, true, 0);
	make_calls(&moved, 11, true, 16);
	encode(&key, &state, &p, NULL, NULL);
	pn_hash_git_object(&oid, "blob", key.data, key.len);
	encode(&delta, NULL, &moved, state, &oid);
	assert_in_range(delta.len, 1, 150);
	pn_body_state_free(state);
	pn_buf_release(&key);
	pn_buf_release(&delta);
	pn_profile_release(&p);
	pn_profile_release(&moved);
}

/* What a reader has to have room for does not grow where nothing is told. */
static void calls_without_a_place_take_no_byte(void **unused)
{
	struct pn_body_info info;
	struct pn_buf key = {0};
	struct pn_profile p;
	struct pn_error err;

	(void)unused;
	make_calls(&p, 10, false, 0);
	encode(&key, NULL, &p, NULL, NULL);
	assert_int_equal(pn_body_info(&info, key.data, key.len, &err), 0);
	/* one type: 2 values and 6 words an edge, besides 4 words a node, its 2
	 * values, 5 of its location, 8 of the type and strings, 24 of none */
	assert_in_range(info.raw_bytes, CALLS * 8 * 8, CALLS * 8 * 8 + 600);
	pn_buf_release(&key);
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_and_addresses_come_back),
		cmocka_unit_test(moved_calls_stay_the_same_rows),
		cmocka_unit_test(calls_without_a_place_take_no_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
