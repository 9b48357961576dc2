/* Postprocessors: settings, the label of clusters, shares, large series. */
#include "analysis/post/postprocess.h"

#include "analysis/models.h"
#include "base/json/tree.h"
#include "base/number.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "stacks.h"

static struct pn_arena arena;

static void parse(struct pn_post *out, const char *const *words)
{
	struct pn_error err;

	if (pn_post_parse(out, &arena, words, &err))
		fail_msg("%s", err.message);
}

static void apply(struct pn_profile *p, const char *const *words)
{
	struct pn_post_notes notes = {0};
	struct pn_error err;
	struct pn_post post;

	parse(&post, words);
	if (pn_post_apply(p, &post, &notes, &err))
		fail_msg("%s", err.message);
	pn_post_notes_release(&notes);
	if (pn_profile_check(p, &err))
		fail_msg("%s", err.message);
}

static void refuses(const char *const *words, const char *why)
{
	struct pn_error err = {0};
	struct pn_post post;

	assert_int_not_equal(pn_post_parse(&post, &arena, words, &err), 0);
	if (!strstr(err.message, why))
		fail_msg("'%s' is not in '%s'", why, err.message);
}

/* Amounts of one function, of two types. */
static void setup(struct pn_profile *p, const int64_t *amounts,
		  const char *const *types, size_t n)
{
	struct pn_label label = {.kind = PN_LABEL_STRING};
	union pn_value value;
	size_t i;

	pn_profile_init(p);
	pn_profile_add_type(p, "amount", "ms");
	label.key = pn_strtab_add_text(&p->strings, "type");
	for (i = 0; i < n; i++) {
		value.i = amounts[i];
		label.value.s = pn_strtab_add_text(&p->strings, types[i]);
		add_labelled(p, "main > f",
			     pn_profile_add_label_set(p, &label, 1), &value);
	}
}

static int64_t cluster_of(const struct pn_profile *p, size_t sample)
{
	const uint32_t *start = p->label_set_start + p->samples[sample].labels;
	uint32_t i;

	for (i = start[0]; i < start[1]; i++)
		if (!strcmp(pn_profile_text(p, p->labels[i].key), "cluster"))
			return p->labels[i].value.i;
	return -1;
}

static const int64_t amounts[] = {40, 10, 20, 11, 8, 4};
static const char *const types[] = {"time", "time",   "time",
				    "time", "memory", "memory"};

static void shares_are_of_the_largest_of_a_type(void **state)
{
	const double want[] = {1, 0.25, 0.5, 0.275, 1, 0.5};
	const char *const words[] = {"normalizer", NULL};
	struct pn_profile p;
	size_t i;

	(void)state;
	setup(&p, amounts, types, 6);
	apply(&p, words);
	assert_int_equal(p.types[0].number, PN_NUMBER_DOUBLE);
	assert_string_equal(pn_profile_text(&p, p.types[0].unit), "");
	for (i = 0; i < 6; i++)
		assert_true(p.values[i].d == want[i]);
	assert_string_equal(pn_profile_text(&p, p.header.posts[0].name),
			    "normalizer");
	pn_profile_release(&p);
}

static void clusters_are_ranks_or_windows_of_amounts(void **state)
{
	/* of time 10, 11, 20, 40; of memory 4, 8 */
	const int64_t ranks[] = {4, 1, 3, 2, 2, 1};
	/* at most 10 above the first of a window: 10 11 20 | 40; 4 8 */
	const int64_t windows[] = {2, 1, 1, 1, 1, 1};
	/* two a window: 10 11 | 20 | 40; 4 8 */
	const int64_t pairs[] = {3, 1, 2, 1, 1, 1};
	const char *const rank[] = {"clusterizer", NULL};
	const char *const window[] = {"clusterizer",
				      "--strategy=sliding-window",
				      "window-width=9",
				      "width-measure=absolute",
				      "window-height=10",
				      "height-measure=absolute",
				      NULL};
	const char *const pair[] = {"clusterizer",
				    "strategy=sliding_window",
				    "window-width=0.5",
				    "window-height=10",
				    "height-measure=absolute",
				    NULL};
	struct pn_profile p;
	size_t i;

	(void)state;
	setup(&p, amounts, types, 6);
	apply(&p, rank);
	for (i = 0; i < 6; i++)
		assert_int_equal(cluster_of(&p, i), ranks[i]);
	apply(&p, window); /* the label is replaced */
	for (i = 0; i < 6; i++)
		assert_int_equal(cluster_of(&p, i), windows[i]);
	pn_profile_release(&p);
	setup(&p, amounts, types, 4); /* half of four: two a window */
	apply(&p, pair);
	for (i = 0; i < 4; i++)
		assert_int_equal(cluster_of(&p, i), pairs[i]);
	pn_profile_release(&p);
}

/* y = 2 x + 1 over 5000 values of x, which stand twice. */
static void many_points(struct pn_profile *p)
{
	struct pn_label label = {.kind = PN_LABEL_INT};
	union pn_value value;
	int64_t i;

	pn_profile_init(p);
	pn_profile_add_type(p, "cpu", "ns");
	label.key = pn_strtab_add_text(&p->strings, "structure-unit-size");
	for (i = 0; i < 10000; i++) {
		label.value.i = i / 2;
		value.i = 2 * label.value.i + 1;
		if (!i)
			add_labelled(p, "main > f",
				     pn_profile_add_label_set(p, &label, 1),
				     &value);
		else
			pn_profile_add_sample(
				p, 0, pn_profile_add_label_set(p, &label, 1),
				&value);
	}
}

static double member(const struct pn_profile *p, const char *name)
{
	const char *text = pn_profile_text(p, p->header.models[0]), *at;
	char key[32];
	double value = 0;

	snprintf(key, sizeof(key), "\"%s\":", name);
	at = strstr(text, key);
	assert_non_null(at);
	at += strlen(key);
	assert_true(pn_number_double(&value, at, strcspn(at, ",}]")));
	return value;
}

static void large_series_are_binned_for_kernels(void **state)
{
	const char *const line[] = {"kernel-regression", "method=local-linear",
				    "kernel=epanechnikov", "bandwidth=50",
				    NULL};
	const char *const mean[] = {"kernel-regression", "of=cpu",
				    "kernel=tricube", "bandwidth=50", NULL};
	struct pn_profile p;

	(void)state;
	many_points(&p);
	apply(&p, line); /* a line is one everywhere */
	assert_true(fabs(member(&p, "r_square") - 1) < 1e-9);
	assert_true(member(&p, "x_end") == 4999);
	pn_profile_release(&p);
	many_points(&p);
	apply(&p, mean);
	/* bends by about a bandwidth at the ends only */
	assert_true(member(&p, "r_square") > 0.9999);
	pn_profile_release(&p);
}

static void settings_are_checked_before_a_profile_is_read(void **state)
{
	const char *const unknown[] = {"magic", NULL};
	const char *const key[] = {"regressogram", "magic=1", NULL};
	const char *const empty[] = {"regressogram", "bins=", NULL};
	const char *const bins[] = {"regressogram", "bins=0", NULL};
	const char *const rule[] = {"regressogram", "bins=many", NULL};
	const char *const models[] = {"regression_analysis",
				      "models=linear,,power", NULL};
	const char *const wide[] = {"moving-average", "window=3",
				    "min-periods=4", NULL};

	(void)state;
	refuses(unknown, "no postprocessor 'magic'; there are: regression-an");
	refuses(key, "regressogram has no option 'magic'; there are: bins, ");
	refuses(empty, "regressogram: option 'bins' needs a value: bins=<n>|");
	refuses(bins, "regressogram: bad bins '0', need a whole number from 1");
	refuses(rule, "regressogram: no bins 'many'; there are: auto, doane");
	refuses(models, "regression-analysis: no model ''; there are: const");
	refuses(wide, "moving-average: min-periods is above the window");
}

/* What a foreign file may hold for models. */
static void tables_of_odd_models_stay_whole(void **state)
{
	static const char *const odd[] = {
		"{}",
		"{\"uid\":5,\"model\":[],\"r_square\":NaN,\"coeffs\":{}}",
		"{\"coeffs\":[{\"name\":\"b0\",\"value\":Infinity},3]}",
		"{\"model\":\"power\",\"coeffs\":[{\"name\":\"b0\",\"value\":"
		"1e-300},"
		"{\"name\":\"b1\",\"value\":-2.5}],\"x_start\":1}",
	};
	/* no b1, and less than 10^-300 has no exact power */
	static const char half[] = "{\"model\":\"exponential\",\"coeffs\":["
				   "{\"name\":\"b0\",\"value\":4e-320}]}";
	struct pn_json_writer w;
	struct pn_table table;
	struct pn_profile p;
	struct pn_buf out = {0};
	uint32_t ids[6];
	size_t i;

	(void)state;
	pn_profile_init(&p);
	for (i = 0; i < 4; i++)
		ids[i] = pn_strtab_add_text(&p.strings, odd[i]);
	p.header.models = ids;
	p.header.model_count = 4;
	assert_int_equal(pn_table_of_models(&table, &p, 0, NULL), 0);
	assert_int_equal(table.row_count, 4);
	assert_string_equal(table.cells[3 * table.column_count + 5].value.text,
			    "1e-300 x^(-2.5)");
	pn_table_release(&table);
	pn_json_writer_init(&w, &out, 0);
	assert_int_equal(pn_models_write(&w, &p, 1, NULL), 0);
	assert_string_equal(
		pn_buf_text(&out),
		"[{\"uid\":5,\"model\":[],\"coeffs\":{}},"
		"{\"coeffs\":[{\"name\":\"b0\"},3]},"
		"{\"model\":\"power\",\"coeffs\":[{\"name\":\"b0\",\"value\":"
		"1e-300},"
		"{\"name\":\"b1\",\"value\":-2.5}],\"x_start\":1}]");
	ids[4] = pn_strtab_add_text(&p.strings, half);
	p.header.model_count = 5;
	assert_int_equal(pn_table_of_models(&table, &p, 4, NULL), 0);
	assert_string_equal(table.cells[5].value.text, "0e-300 \u00b7 ?^x");
	pn_table_release(&table);
	ids[5] = pn_strtab_add_text(&p.strings, "[]");
	p.header.model_count = 6;
	assert_int_equal(pn_table_of_models(&table, &p, 0, NULL), PN_EINVAL);
	p.header.models = NULL;
	p.header.model_count = 0;
	pn_buf_release(&out);
	pn_profile_release(&p);
}

static int release_arena(void **state)
{
	(void)state;
	pn_arena_release(&arena);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_of_the_largest_of_a_type),
		cmocka_unit_test(clusters_are_ranks_or_windows_of_amounts),
		cmocka_unit_test(large_series_are_binned_for_kernels),
		cmocka_unit_test(settings_are_checked_before_a_profile_is_read),
		cmocka_unit_test(tables_of_odd_models_stay_whole),
	};

	return cmocka_run_group_tests(tests, NULL, release_arena);
}
