/* Filters: which samples and which frames they leave. */
#include "analysis/filter/filter.h"

#include "analysis/merge/filtered.h"

#include "analysis/filter/prune.h"
#include "model/graph/graph.h"
#include "model/runs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stacks.h"

/* The samples as text: "a > b:c 5; d 6; ". */
static void write_samples(char *out, size_t size, const struct pn_profile *p)
{
	size_t i, used = 0;

	*out = '\0';
	for (i = 0; i < p->sample_count; i++) {
		uint32_t stack = p->samples[i].stack;
		uint32_t first = p->stack_start[stack], at, line;

		for (at = p->stack_start[stack + 1]; at > first; at--) {
			const struct pn_location *l =
				&p->locations[p->frames[at - 1]];

			for (line = l->line_count; line > 0; line--) {
				uint32_t f = p->lines[l->line_first + line - 1]
						     .function;

				used += (size_t)snprintf(
					out + used, size - used, "%s%s",
					pn_profile_text(p,
							p->functions[f].name),
					line > 1	 ? ":"
					: at - 1 > first ? " > "
							 : "");
			}
		}
		used += (size_t)snprintf(
			out + used, size - used, " %lld; ",
			(long long)p->values[i * p->type_count].i);
	}
}

static void setup_profile(struct pn_profile *p)
{
	pn_profile_init(p);
	pn_profile_add_type(p, "cpu", "nanoseconds");
	add_sample(p, "main > read > parse:lex", 1);
	add_sample(p, "main > read > copy", 2);
	add_sample(p, "main > write > copy", 4);
	add_sample(p, "main", 8);
}

/* What `kind` with this expression leaves; *unmatched may be NULL. */
static void leaves(enum pn_filter_kind kind, const char *text,
		   const char *expected, unsigned int *unmatched)
{
	struct pn_filter filter = {{0}};
	struct pn_profile p;
	struct pn_error err;
	char have[512];

	setup_profile(&p);
	filter.text[kind] = text;
	if (pn_filter_apply(&p, &filter, unmatched, &err))
		fail_msg("%s", err.message);
	write_samples(have, sizeof(have), &p);
	assert_string_equal(have, expected);
	assert_int_equal(pn_profile_check(&p, &err), 0);
	pn_profile_release(&p);
}

static void keeps_samples_in_focus(void **state)
{
	(void)state;
	leaves(PN_FILTER_FOCUS, "^cop",
	       "main > read > copy 2; main > write > copy 4; ", NULL);
	leaves(PN_FILTER_FOCUS, "parse[.]c", "main > read > parse:lex 1; ",
	       NULL);
	leaves(PN_FILTER_FOCUS, "lex", "main > read > parse:lex 1; ", NULL);
}

static void drops_ignored_samples(void **state)
{
	(void)state;
	leaves(PN_FILTER_IGNORE, "read", "main > write > copy 4; main 8; ",
	       NULL);
}

static void hides_frames_and_samples_without_any(void **state)
{
	(void)state;
	leaves(PN_FILTER_HIDE, "^main$|lex",
	       "read > parse 1; read > copy 2; write > copy 4; ", NULL);
}

static void shows_matching_frames_only(void **state)
{
	(void)state;
	leaves(PN_FILTER_SHOW, "read|lex", "read > lex 1; read 2; ", NULL);
}

static void shows_from_the_outermost_match(void **state)
{
	(void)state;
	leaves(PN_FILTER_SHOW_FROM, "parse|read",
	       "read > parse:lex 1; read > copy 2; ", NULL);
	leaves(PN_FILTER_SHOW_FROM, "lex", "lex 1; ", NULL);
}

static void prunes_below_the_innermost_match(void **state)
{
	(void)state;
	leaves(PN_FILTER_PRUNE_FROM, "parse|read",
	       "main > read > parse 1; main > read 2; main > write > copy 4; "
	       "main 8; ",
	       NULL);
}

static void says_what_matched_nothing(void **state)
{
	unsigned int unmatched = 77;

	(void)state;
	leaves(PN_FILTER_FOCUS, "nowhere", "", &unmatched);
	assert_int_equal(unmatched, 1u << PN_FILTER_FOCUS);
	leaves(PN_FILTER_IGNORE, "nowhere",
	       "main > read > parse:lex 1; main > read > copy 2; "
	       "main > write > copy 4; main 8; ",
	       &unmatched);
	assert_int_equal(unmatched, 1u << PN_FILTER_IGNORE);
	leaves(PN_FILTER_IGNORE, "main", "", &unmatched);
	assert_int_equal(unmatched, 0);
}

static void refuses_a_bad_expression_and_changes_nothing(void **state)
{
	struct pn_filter filter = {{0}};
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	setup_profile(&p);
	filter.text[PN_FILTER_FOCUS] = "copy";
	filter.text[PN_FILTER_SHOW_FROM] = "a(";
	assert_int_equal(pn_filter_apply(&p, &filter, NULL, &err), PN_EINVAL);
	assert_memory_equal(err.message, "show_from: ", 11);
	assert_int_equal(p.sample_count, 4);
	pn_profile_release(&p);
}

/* keep_frames takes `mid` back; `drop` at the root is no reason to cut. */
static void drops_the_frames_that_the_profile_names(void **state)
{
	struct pn_profile p;
	struct pn_error err;
	char have[512];

	(void)state;
	pn_profile_init(&p);
	pn_profile_add_type(&p, "space", "bytes");
	p.drop_frames = pn_strtab_add_text(&p.strings, "drop|mid|malloc");
	p.keep_frames = pn_strtab_add_text(&p.strings, "mid");
	add_sample(&p, "drop > main > mid > malloc(int) > x", 1);
	add_sample(&p, "main:malloc > x", 2);
	add_sample(&p, "main > malloced", 4);
	assert_int_equal(pn_filter_drop_frames(&p, &err), 0);
	write_samples(have, sizeof(have), &p);
	assert_string_equal(have, "drop > main > mid 1; main > x 2; "
				  "main > malloced 4; ");
	pn_profile_release(&p);
}

/* With a caller above it, an inlined match cuts all below its location. */
static void drops_below_an_inlined_frame(void **state)
{
	struct pn_profile p;
	struct pn_error err;
	char have[512];

	(void)state;
	pn_profile_init(&p);
	pn_profile_add_type(&p, "space", "bytes");
	p.drop_frames = pn_strtab_add_text(&p.strings, "malloc");
	add_sample(&p, "main > f:malloc:y > x", 2);
	assert_int_equal(pn_filter_drop_frames(&p, &err), 0);
	write_samples(have, sizeof(have), &p);
	assert_string_equal(have, "main > f 2; ");
	pn_profile_release(&p);
}

static void simplifies_names(void **state)
{
	static const char *const cases[][2] = {
		{"f", "f"},
		{".f", "f"},
		{"f(int)", "f"},
		{"(anonymous namespace)::f(int)", "(anonymous namespace)::f"},
		{"X::operator()(int) const", "X::operator()"},
		{"operator()", "operator()"},
	};
	struct pn_buf text = {0};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		pn_buf_clear(&text);
		pn_prune_simplify(&text, cases[i][0], strlen(cases[i][0]));
		assert_string_equal(pn_buf_text(&text), cases[i][1]);
	}
	pn_buf_release(&text);
}

static struct pn_label string_label(struct pn_profile *p, const char *key,
				    const char *value)
{
	struct pn_label label = {.kind = PN_LABEL_STRING};

	label.key = pn_strtab_add_text(&p->strings, key);
	label.value.s = pn_strtab_add_text(&p->strings, value);
	return label;
}

static struct pn_label size_label(struct pn_profile *p, int64_t bytes)
{
	struct pn_label label = {.kind = PN_LABEL_INT};

	label.key = pn_strtab_add_text(&p->strings, "size");
	label.unit = pn_strtab_add_text(&p->strings, "bytes");
	label.value.i = bytes;
	return label;
}

static void setup_labels(struct pn_profile *p)
{
	static const char *const kinds[] = {"json", "gzip"};
	union pn_value value[1];
	size_t i;

	pn_profile_init(p);
	pn_profile_add_type(p, "cpu", "nanoseconds");
	for (i = 0; i < 2; i++) {
		struct pn_label labels[2] = {string_label(p, "kind", kinds[i]),
					     size_label(p, 2048 << i)};

		value[0].i = (int64_t)i + 1;
		add_labelled(p, "f", pn_profile_add_label_set(p, labels, 2),
			     value);
	}
	add_sample(p, "f", 4);
}

static void leaves_labels(enum pn_filter_kind kind, const char *text,
			  const char *expected)
{
	struct pn_filter filter = {{0}};
	struct pn_profile p;
	struct pn_error err;
	char have[512];

	setup_labels(&p);
	filter.text[kind] = text;
	if (pn_filter_apply(&p, &filter, NULL, &err))
		fail_msg("%s", err.message);
	write_samples(have, sizeof(have), &p);
	assert_string_equal(have, expected);
	pn_profile_release(&p);
}

static void filters_by_labels(void **state)
{
	(void)state;
	leaves_labels(PN_FILTER_TAG_FOCUS, "kind=json", "f 1; ");
	leaves_labels(PN_FILTER_TAG_FOCUS, "kind:gz", "f 2; ");
	leaves_labels(PN_FILTER_TAG_FOCUS, "kind=json,gzip", "f 1; f 2; ");
	leaves_labels(PN_FILTER_TAG_FOCUS, "json,gzip", "");
	leaves_labels(PN_FILTER_TAG_FOCUS, "other=json", "");
	leaves_labels(PN_FILTER_TAG_IGNORE, "kind=json", "f 2; f 4; ");
}

/* The sizes are 2 kB and 4 kB. */
static void filters_by_ranges_of_numbers(void **state)
{
	(void)state;
	leaves_labels(PN_FILTER_TAG_FOCUS, "2kb", "f 1; ");
	leaves_labels(PN_FILTER_TAG_FOCUS, "size=2048b", "f 1; ");
	leaves_labels(PN_FILTER_TAG_FOCUS, "3kb:", "f 2; ");
	leaves_labels(PN_FILTER_TAG_FOCUS, ":3kb", "f 1; ");
	leaves_labels(PN_FILTER_TAG_FOCUS, "1kb:4096b", "f 1; f 2; ");
	leaves_labels(PN_FILTER_TAG_FOCUS, "2ms", "");
	leaves_labels(PN_FILTER_TAG_IGNORE, "size=2kb:2kb", "f 2; f 4; ");
}

/* A body may have samples, and a graph with costs by line beside them: what
 * goes with the last sample is all of the graph. */
static void leaves_nothing_of_a_graph_without_samples(void **state)
{
	struct pn_filter filter = {{0}};
	struct pn_cost cost = {.line = 7};
	unsigned int unmatched;
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	pn_profile_init(&p);
	pn_profile_add_type(&p, "cpu", "ms");
	add_sample(&p, "main > f", 1);
	cost.node = pn_graph_add_node(&p, 0, 1, 1);
	pn_graph_add_cost(&p, &cost);
	filter.text[PN_FILTER_FOCUS] = "nothing";
	if (pn_filtered(&p, &filter, &unmatched, &err))
		fail_msg("%s", err.message);
	assert_int_equal(unmatched, 1u << PN_FILTER_FOCUS);
	assert_int_equal(p.sample_count, 0);
	assert_int_equal(p.graph.node_count, 0);
	assert_int_equal(p.graph.cost_count, 0);
	pn_profile_release(&p);
}

/* The number of runs is one number of a body: no size follows from it beyond
 * PN_RUNS_TOLD_MAX. */
static void tells_no_runs_apart_when_there_are_too_many(void **state)
{
	struct pn_label label = {.kind = PN_LABEL_INT, .value.i = 1};
	struct pn_profile p;
	uint32_t *of_set, run;

	(void)state;
	pn_profile_init(&p);
	pn_profile_add_type(&p, "space", "bytes");
	add_sample(&p, "main", 3);
	add_sample(&p, "main", 4);
	label.key = pn_strtab_add_text(&p.strings, PN_RUN_LABEL);
	p.samples[0].labels = pn_profile_add_label_set(&p, &label, 1);
	label.value.i = 2;
	p.samples[1].labels = pn_profile_add_label_set(&p, &label, 1);
	p.header.runs = PN_RUNS_TOLD_MAX;
	of_set = pn_runs_of_sets(&p);
	assert_true(pn_runs_are_known(&p));
	assert_true(pn_runs_peak(&run, &p, 0, of_set) == 4);
	assert_int_equal(run, 1);
	free(of_set);
	p.header.runs = PN_MAX_RUNS;
	of_set = pn_runs_of_sets(&p);
	assert_false(pn_runs_are_known(&p));
	assert_true(pn_runs_peak(&run, &p, 0, of_set) == 3 + 4);
	assert_int_equal(run, PN_NONE);
	free(of_set);
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_samples_in_focus),
		cmocka_unit_test(drops_ignored_samples),
		cmocka_unit_test(hides_frames_and_samples_without_any),
		cmocka_unit_test(shows_matching_frames_only),
		cmocka_unit_test(shows_from_the_outermost_match),
		cmocka_unit_test(prunes_below_the_innermost_match),
		cmocka_unit_test(says_what_matched_nothing),
		cmocka_unit_test(refuses_a_bad_expression_and_changes_nothing),
		cmocka_unit_test(drops_the_frames_that_the_profile_names),
		cmocka_unit_test(drops_below_an_inlined_frame),
		cmocka_unit_test(simplifies_names),
		cmocka_unit_test(filters_by_labels),
		cmocka_unit_test(filters_by_ranges_of_numbers),
		cmocka_unit_test(leaves_nothing_of_a_graph_without_samples),
		cmocka_unit_test(tells_no_runs_apart_when_there_are_too_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
