/* What collect prints of times and memory. */
#include "render/measured/results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

/* The line on memory of two runs that used so many bytes. */
static void memory_line(char *out, size_t size, double a, double b)
{
	const double wall[] = {1e9, 1e9}, rss[] = {a, b};
	const struct pn_results_options options = {0};
	struct pn_measured result = {.title = "true"};
	struct pn_profile p;
	char *text = NULL, *line;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	pn_profile_init(&p);
	p.header.collector.name = pn_strtab_add_text(&p.strings, "time");
	pn_profile_add_metric(&p, "wall", "ns", PN_BETTER_LESS, wall, 2);
	pn_profile_add_metric(&p, "max-rss", "bytes", PN_BETTER_LESS, rss, 2);
	result.profile = &p;
	assert_int_equal(pn_results_text(to, &result, 1, &options, NULL), 0);
	fclose(to);
	line = strstr(text, "Peak memory:");
	assert_non_null(line);
	snprintf(out, size, "%.*s", (int)strcspn(line, "\n"), line);
	free(text);
	pn_profile_release(&p);
}

/* 1.6 * 1024 * 1024 = 1677721.6 */
static void a_range_whose_ends_read_alike_is_none(void **state)
{
	char line[200];

	(void)state;
	memory_line(line, sizeof(line), 1677000, 1678000);
	assert_string_equal(line, "Peak memory:        1.6 MB");
	memory_line(line, sizeof(line), 1048576, 3145728);
	assert_string_equal(line,
			    "Peak memory:        2.0 MB (1.0 MB … 3.0 MB)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_range_whose_ends_read_alike_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
