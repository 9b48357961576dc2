/* Views of profiles that no peer prints: metrics, call graphs, odd units. */
#include "model/unit.h"
#include "render/renderer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stacks.h"

/* What a view prints; on failure NULL, with `err` filled. */
static char *print(struct pn_profile *profile, const char *name, bool json,
		   struct pn_error *err)
{
	struct pn_report_options options = {.node_count = -1};
	struct pn_view_input in = {profile, NULL, NULL};
	struct pn_report report = {0};
	const struct pn_view *view;
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);
	int code;

	assert_non_null(to);
	code = pn_view_find(&view, name, err);
	assert_int_equal(code, 0);
	view = pn_view_fitting(view, profile);
	pn_view_options(&options, view);
	if (view->needs != PN_VIEW_METRICS)
		code = pn_report_init(&report, profile, &options, err);
	in.report = &report;
	if (!code)
		code = pn_view_print(to, view, &in, "show",
				     json ? PN_VIEW_JSON : PN_VIEW_TEXT, err);
	fclose(to);
	pn_report_release(&report);
	if (!code)
		return text;
	assert_string_equal(text, "");
	free(text);
	return NULL;
}

static void prints(struct pn_profile *profile, const char *view, bool json,
		   const char *expected)
{
	struct pn_error err;
	char *text = print(profile, view, json, &err);

	if (!text)
		fail_msg("%s", err.message);
	assert_string_equal(text, expected);
	free(text);
}

/* Sorted 2 4 4 4 5 5 7 9: median (4 + 5) / 2, mean 40 / 8, the squares of the
 * differences add up to 32, sd is the root of 32 / 7. */
static void setup_metrics(struct pn_profile *p)
{
	static const double values[] = {9, 2, 4, 5, 4, 5, 4, 7};
	struct pn_metric *summary;

	pn_profile_init(p);
	pn_profile_add_metric(p, "wall", "ms", PN_BETTER_LESS, values, 8);
	summary = pn_profile_add_metric(p, "rate", "1/s", PN_BETTER_MORE, NULL,
					0);
	summary->summary.n = 12;
	summary->summary.mean = 0.25;
}

/* The interval of the median: all 8 lie on one side of it with 2 / 2^8 = .8 %;
 * the second to the seventh, with (1 + 8) * 2 / 2^8 = 7 %, are too few. */
static void shows_metrics_of_a_profile_without_samples(void **state)
{
	static const char expected[] =
		"name   n  median  min  max  mean   sd  unit  95 % from  "
		"to\n"
		"wall   8     4.5    2    9     5  2.1  ms            2  "
		" 9\n"
		"rate  12                    0.25       1/s\n";
	struct pn_profile p;

	(void)state;
	setup_metrics(&p);
	prints(&p, "top", false, expected);
	prints(&p, "traces", false, expected);
	prints(&p, "metrics", false, expected);
	pn_profile_release(&p);
}

/* The median is 11 159 783.5 ns, or 11.1597835 ms, of which 11 are known: the
 * standard deviation is 16.5 ms. JSON stays in ns. */
static void shows_metrics_in_a_fitting_unit(void **state)
{
	static const double values[] = {11159783, 11159784, 2000000, 40000000};
	static const double half = 0.5; /* of which no unit makes more */
	struct pn_profile p;
	struct pn_error err;
	char *text;

	(void)state;
	pn_profile_init(&p);
	pn_profile_add_metric(&p, "wall", "ns", PN_BETTER_LESS, values, 4);
	text = print(&p, "top", false, &err);
	assert_non_null(text);
	assert_non_null(strstr(text, "wall  4      11    2   40  "));
	assert_non_null(strstr(text, "  ms\n"));
	free(text);
	text = print(&p, "top", true, &err);
	assert_non_null(text);
	assert_non_null(strstr(text, "\"median\":11159783.5,\"min\":2000000,"));
	assert_non_null(strstr(text, "\"unit\":\"ns\""));
	free(text);
	pn_profile_release(&p);
	pn_profile_init(&p);
	pn_profile_add_metric(&p, "add", "ns", PN_BETTER_LESS, &half, 1);
	text = print(&p, "top", false, &err);
	assert_non_null(text);
	assert_non_null(strstr(text, "add   1     0.5  0.5  0.5   0.5"));
	assert_non_null(strstr(text, "  ns\n"));
	free(text);
	pn_profile_release(&p);
}

static void leaves_out_what_a_summary_does_not_know(void **state)
{
	struct pn_profile p;
	struct pn_error err;
	char *text;

	(void)state;
	setup_metrics(&p);
	text = print(&p, "top", true, &err);
	assert_non_null(text);
	assert_non_null(strstr(text, "\"view\":\"metrics\""));
	assert_non_null(strstr(text, "{\"name\":\"rate\",\"n\":12,"
				     "\"mean\":0.25,\"unit\":\"1/s\","
				     "\"better\":\"more\"}"));
	free(text);
	pn_profile_release(&p);
}

/* A unit is text of the profile like any other. */
static void escapes_units(void **state)
{
	struct pn_profile p;

	(void)state;
	pn_profile_init(&p);
	pn_profile_add_type(&p, "x\033", "\033[2J");
	add_sample(&p, "f", 4);
	prints(&p, "top", false,
	       "Type: x\\x1b\n"
	       "Showing nodes accounting for 4\\x1b[2J, 100% of 4\\x1b[2J "
	       "total\n"
	       "      flat  flat%   sum%        cum   cum%\n"
	       "  4\\x1b[2J   100%   100%   4\\x1b[2J   100%  f\n");
	pn_profile_release(&p);
}

static void prints_an_empty_profile(void **state)
{
	struct pn_profile p;

	(void)state;
	pn_profile_init(&p);
	pn_profile_add_type(&p, "samples", "count");
	prints(&p, "top", false,
	       "Type: samples\n"
	       "Showing nodes accounting for 0, 0% of 0 total\n"
	       "      flat  flat%   sum%        cum   cum%\n");
	prints(&p, "tags", false, "");
	prints(&p, "raw", false,
	       "Period: 0\nSamples:\nsamples/count\nLocations\nMappings\n");
	pn_profile_release(&p);
}

static uint32_t latency(struct pn_profile *p, int64_t value, const char *unit)
{
	struct pn_label label = {.kind = PN_LABEL_INT, .value.i = value};

	label.key = pn_strtab_add_text(&p->strings, "lat");
	label.unit = pn_strtab_add_text(&p->strings, unit);
	return pn_profile_add_label_set(p, &label, 1);
}

/* 3 samples of 2000 ms, which are 2 s, and 1 of 2000 us, which are 2 ms. */
static void tells_each_label_in_its_own_unit(void **state)
{
	struct pn_profile p;

	(void)state;
	pn_profile_init(&p);
	pn_profile_add_type(&p, "samples", "count");
	add_sample(&p, "f", 3);
	add_sample(&p, "f", 1);
	p.samples[0].labels = latency(&p, 2000, "ms");
	p.samples[1].labels = latency(&p, 2000, "us");
	prints(&p, "tags", false,
	       " lat: Total 4 of 4 (  100%)\n"
	       "      3 (75.00%): 2s\n"
	       "      1 (25.00%): 2ms\n\n");
	pn_profile_release(&p);
}

/* A call graph has no stacks to list, but a top and a tree, with calls. */
static void shows_a_call_graph(void **state)
{
	struct pn_node nodes[2] = {{.calls = 1}, {.calls = 3}};
	struct pn_edge edges[1] = {{.caller = 0, .callee = 1, .calls = 3}};
	union pn_value self[2] = {{.i = 2}, {.i = 6}};
	union pn_value total[2] = {{.i = 8}, {.i = 6}};
	struct pn_profile p;
	struct pn_graph mine;
	struct pn_error err;

	(void)state;
	pn_profile_init(&p);
	pn_profile_add_type(&p, "Ir", "instructions");
	nodes[0].location = location_of(&p, "main");
	nodes[1].location = location_of(&p, "f");
	mine = p.graph;
	p.graph = (struct pn_graph){.nodes = nodes,
				    .self = self,
				    .total = total,
				    .node_count = 2,
				    .edges = edges,
				    .edge_self = self + 1,
				    .edge_total = self + 1,
				    .edge_count = 1};
	prints(&p, "top", false,
	       "Type: Ir\n"
	       "Showing nodes accounting for 8instructions, 100% of "
	       "8instructions total\n"
	       "      flat  flat%   sum%        cum   cum%      calls\n"
	       "6instructions 75.00% 75.00% 6instructions 75.00%          3  "
	       "f\n"
	       "2instructions 25.00%   100% 8instructions   100%          1  "
	       "main\n");
	assert_null(print(&p, "traces", false, &err));
	assert_string_equal(err.message, "the view 'traces' needs stacks: the "
					 "profile is a call graph without");
	p.graph = mine;
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shows_metrics_of_a_profile_without_samples),
		cmocka_unit_test(shows_metrics_in_a_fitting_unit),
		cmocka_unit_test(leaves_out_what_a_summary_does_not_know),
		cmocka_unit_test(escapes_units),
		cmocka_unit_test(prints_an_empty_profile),
		cmocka_unit_test(tells_each_label_in_its_own_unit),
		cmocka_unit_test(shows_a_call_graph),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
