/* Points of y = 2x + 1 and their curves. */
#include "analysis/resources/scatter.h"

#include "read_text.h"

#include <math.h>
#include <string.h>

struct made {
	struct pn_profile profile;
	struct pn_scatter scatter;
};

static void make(struct made *m, const char *models, int64_t most)
{
	struct pn_resources_request request;
	struct pn_buf text = {0};
	struct pn_error err;

	pn_buf_printf(&text,
		      "{\"origin\": \"\", \"header\": {\"type\": \"mixed\", "
		      "\"units\": {\"mixed\": \"us\"}, \"cmd\": \"x\", "
		      "\"workload\": \"\"}, \"collector_info\": {\"name\": "
		      "\"trace\", \"params\": {}}, \"postprocessors\": [], "
		      "\"models\": [%s], \"resources\": {"
		      "\"g#0\": {\"amount\": [5, 1, 3], "
		      "\"structure-unit-size\": [2, 0, 1]}, "
		      "\"f#0\": {\"amount\": [3, 9, 5, 7], "
		      "\"structure-unit-size\": [1, 4, 2, 3]}}, "
		      "\"resource_type_map\": {"
		      "\"f#0\": {\"uid\": \"f\", \"type\": \"mixed\", "
		      "\"subtype\": \"t\"}, "
		      "\"g#0\": {\"uid\": \"g\", \"type\": \"mixed\", "
		      "\"subtype\": \"t\"}}}",
		      models);
	read_text(&m->profile, &text);
	pn_resources_request_init(&request);
	if (pn_scatter_init(&m->scatter, &m->profile, &request, most, &err))
		fail_msg("%s", err.message);
}

static void release(struct made *m)
{
	pn_scatter_release(&m->scatter);
	pn_profile_release(&m->profile);
}

static bool is_of(const struct pn_scatter_plot *plot, const char *uid)
{
	return plot->points->uid_len == strlen(uid) &&
	       !memcmp(plot->points->uid, uid, strlen(uid));
}

static void is_near(double value, double expected)
{
	assert_true(fabs(value - expected) < 1e-9);
}

/* f has four points, g three. 3 is less than half of 9: the axis begins at 0.
 */
static void most_points_come_first(void **state)
{
	struct made m;

	(void)state;
	make(&m, "", 0);
	assert_int_equal(m.scatter.plot_count, 2);
	assert_int_equal(m.scatter.more, 0);
	assert_true(is_of(&m.scatter.plots[0], "f"));
	assert_true(is_of(&m.scatter.plots[1], "g"));
	assert_int_equal(m.scatter.plots[0].points->count, 4);
	assert_int_equal(m.scatter.plots[1].points->count, 3);
	is_near(m.scatter.plots[0].low[0], 1);
	is_near(m.scatter.plots[0].high[0], 4);
	is_near(m.scatter.plots[0].low[1], 0);
	is_near(m.scatter.plots[0].high[1], 9);
	is_near(m.scatter.plots[1].low[0], 0);
	is_near(m.scatter.plots[1].high[1], 5);
	release(&m);
	make(&m, "", 1);
	assert_int_equal(m.scatter.plot_count, 1);
	assert_int_equal(m.scatter.more, 1);
	assert_true(is_of(&m.scatter.plots[0], "f"));
	release(&m);
}

/* Both lie on y = 2x + 1: no model fits better, and all of its 51 points do. */
static void without_models_the_best_one_is_fitted(void **state)
{
	struct made m;
	const struct pn_scatter_curve *curve;
	size_t i;

	(void)state;
	make(&m, "", 0);
	assert_true(m.scatter.fitted);
	assert_int_equal(m.scatter.plots[0].curve_count, 1);
	curve = &m.scatter.plots[0].curves[0];
	assert_string_equal(curve->name, "linear");
	is_near(curve->r_square, 1);
	assert_int_equal(curve->count, PN_SCATTER_STEPS);
	for (i = 0; i < curve->count; i++)
		is_near(curve->y[i], 2 * curve->x[i] + 1);
	is_near(curve->x[0], 1);
	is_near(curve->x[curve->count - 1], 4);
	release(&m);
}

/* 1 + x from 1 to 3 and 4 - x from 1 to 4, by the larger r²; g has none. */
static void models_of_the_profile_are_drawn(void **state)
{
	static const char models[] =
		"{\"uid\": \"f\", \"model\": \"linear\", \"r_square\": 0.5, "
		"\"x_start\": 1, \"x_end\": 3, \"coeffs\": "
		"[{\"name\": \"b0\", \"value\": 1}, "
		"{\"name\": \"b1\", \"value\": 1}]}, "
		"{\"uid\": \"f\", \"model\": \"linear\", \"r_square\": 0.75, "
		"\"x_start\": 1, \"x_end\": 4, \"coeffs\": "
		"[{\"name\": \"b0\", \"value\": 4}, "
		"{\"name\": \"b1\", \"value\": -1}]}";
	struct made m;
	const struct pn_scatter_curve *curve;

	(void)state;
	make(&m, models, 0);
	assert_false(m.scatter.fitted);
	assert_int_equal(m.scatter.plots[0].curve_count, 2);
	assert_int_equal(m.scatter.plots[1].curve_count, 0);
	curve = &m.scatter.plots[0].curves[0];
	is_near(curve->r_square, 0.75);
	is_near(curve->y[0], 4 - 1);
	is_near(curve->y[curve->count - 1], 4 - 4);
	curve++;
	is_near(curve->r_square, 0.5);
	is_near(curve->x[0], 1);
	is_near(curve->y[0], 1 + 1);
	is_near(curve->x[curve->count - 1], 3);
	is_near(curve->y[curve->count - 1], 1 + 3);
	release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(most_points_come_first),
		cmocka_unit_test(without_models_the_best_one_is_fitted),
		cmocka_unit_test(models_of_the_profile_are_drawn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
