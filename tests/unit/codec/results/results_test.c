/*
 * Results of benchmark tools have the figures that results.tsv says: what the
 * tool itself reports, or what arithmetic on the numbers in the file gives. An
 * expected figure holds to the digits that are written.
 */
#include "codec/codec_text.h"

#include "base/file.h"
#include "base/number.h"
#include "codec/rows.h"
#include "model/summary.h"

#include <math.h>

static const struct pn_metric *metric_of(const struct pn_profile *p,
					 const char *name, const char *unit)
{
	size_t i;

	for (i = 0; i < p->metric_count; i++)
		if (!strcmp(pn_profile_text(p, p->metrics[i].name), name) &&
		    !strcmp(pn_profile_text(p, p->metrics[i].unit), unit))
			return &p->metrics[i];
	return NULL;
}

static double named_figure(const struct pn_metric *m,
			   const struct pn_summary *s, const char *figure)
{
	const struct {
		const char *name;
		double value;
	} figures[] = {
		{"n", (double)s->n},
		{"min", s->min},
		{"q1", s->q1},
		{"median", s->median},
		{"q3", s->q3},
		{"max", s->max},
		{"mean", s->mean},
		{"sd", s->sd},
		{"first", m->value_count ? m->values[0] : (double)NAN},
		{"last",
		 m->value_count ? m->values[m->value_count - 1] : (double)NAN},
	};
	size_t i;

	for (i = 0; i < sizeof(figures) / sizeof(*figures); i++)
		if (!strcmp(figures[i].name, figure))
			return figures[i].value;
	fail_msg("no figure '%s'", figure);
	return NAN;
}

static double figure_of(const struct pn_metric *m, const char *figure)
{
	struct pn_summary s = m->summary;
	struct pn_error err;

	if (m->value_count &&
	    pn_summary_of(&s, m->values, m->value_count, &err))
		fail_msg("%s", err.message);
	return named_figure(m, &s, figure);
}

/* Half a step of the last digit that is written: "0.25" to 0.005. */
static double half_a_step(const char *text)
{
	const char *point = strchr(text, '.'), *e = strpbrk(text, "eE");
	const char *end = e ? e : text + strlen(text);
	double exponent = 0;

	if (e)
		assert_true(pn_number_double(&exponent, e + 1, strlen(e + 1)));
	if (point)
		exponent -= (double)(end - point - 1);
	return 0.50001 * pow(10, exponent);
}

/* What is before the next `end`, or all; *rest goes behind it, NULL when there
 * is no more. */
static char *next_part(char **rest, char end)
{
	char *part = *rest, *at = part ? strchr(part, end) : NULL;

	if (at)
		*at = '\0';
	*rest = at ? at + 1 : NULL;
	return part;
}

/* "name TAB unit TAB less|more|- TAB figure=value ...", of the profile. */
static void check_row(const struct pn_profile *p, const char *file, char *row)
{
	static const char *const betters[] = {"-", "less", "more"};
	const struct pn_metric *m;
	char *cells[4], *pair, *value;
	size_t i;
	double want, got;

	for (i = 0; i < 4; i++) {
		cells[i] = next_part(&row, '\t');
		if (!cells[i])
			fail_msg("%s: a row has four cells", file);
	}
	m = metric_of(p, cells[0], cells[1]);
	if (!m)
		fail_msg("%s has no metric '%s' in '%s'", file, cells[0],
			 cells[1]);
	if (strcmp(betters[m->better], cells[2]) != 0)
		fail_msg("%s: '%s': %s is better, expected %s", file, cells[0],
			 betters[m->better], cells[2]);
	while ((pair = next_part(&cells[3], ' ')) != NULL) {
		value = strchr(pair, '=');
		if (!value)
			fail_msg("%s: '%s' is no figure", file, pair);
		*value++ = '\0';
		assert_true(pn_number_double(&want, value, strlen(value)));
		got = figure_of(m, pair);
		if (!(fabs(got - want) <= half_a_step(value)))
			fail_msg("%s: '%s': %s is %.17g, expected %s", file,
				 cells[0], pair, got, value);
	}
}

struct open {
	struct pn_profile profile;
	char file[256];
	size_t rows, expected;
};

static void close_file(struct open *open)
{
	if (!*open->file)
		return;
	if (open->rows != open->expected)
		fail_msg("%s has %zu metrics, expected %zu", open->file,
			 open->expected, open->rows);
	pn_profile_release(&open->profile);
}

/* A line of one word begins a file; "format/name", in tests/data. */
static void open_file(struct open *open, const char *path)
{
	const struct pn_codec *used;
	size_t len = strcspn(path, "/");

	close_file(open);
	snprintf(open->file, sizeof(open->file), "%s", path);
	open->rows = 0;
	used = read_data(&open->profile, path);
	if (strlen(used->name) != len || memcmp(used->name, path, len) != 0)
		fail_msg("'%s' is taken for %s", path, used->name);
	open->expected = open->profile.metric_count;
}

static void figures_are_those_of_the_tools(void **state)
{
	const char *source = getenv("PERF_SOURCE_DIR");
	struct pn_buf path = {0}, table = {0};
	struct open open = {.file = ""};
	struct pn_error err;
	char *line, *rest;

	(void)state;
	pn_buf_printf(&path, "%s/tests/unit/codec/results/results.tsv",
		      source ? source : ".");
	if (pn_file_read(&table, pn_buf_text(&path), 1 << 20, &err))
		fail_msg("%s", err.message);
	rest = (char *)table.data;
	while ((line = next_part(&rest, '\n')) != NULL) {
		if (!*line || *line == '#')
			continue;
		if (!strchr(line, '\t')) {
			open_file(&open, line);
			continue;
		}
		check_row(&open.profile, open.file, line);
		open.rows++;
	}
	close_file(&open);
	pn_buf_release(&path);
	pn_buf_release(&table);
}

static void has_value(const struct pn_profile *p, const char *name,
		      double value)
{
	const struct pn_metric *m = metric_of(p, name, "count");

	if (!m)
		fail_msg("no metric '%s'", name);
	assert_int_equal(m->value_count, 1);
	assert_true(m->values[0] == value);
}

/* Terms between slashes have commas, as the fields do. */
static void perf_stat_has_events_with_commas(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, &pn_codec_perf_stat,
		  "1234,,cpu/event=0x3c,umask=0x0/,1000000,100.00,,\n"
		  "77,,cpu/event=0x1,umask=0x2,edge/u,0.50%,10,50.00,,\n"
		  "CPU1,8,,cpu/event=0x2,cmask=1/,10,100.00,,\n"
		  "<not counted>,,cpu/event=0x9,umask=0x1/,0,0.00,,\n"
		  "5,,page-faults,10,100.00,,\n"
		  "6,,parsed,in,10,100.00\n");
	assert_int_equal(p.metric_count, 4);
	has_value(&p, "cpu/event=0x3c,umask=0x0/", 1234);
	has_value(&p, "cpu/event=0x1,umask=0x2,edge/u", 77);
	has_value(&p, "CPU1 cpu/event=0x2,cmask=1/", 8);
	has_value(&p, "page-faults", 5);
	pn_profile_release(&p);
}

/* The program that is measured may log objects, whole or not. */
static void perf_stat_passes_over_objects_of_the_program(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, &pn_codec_perf_stat,
		  "{\"level\":\"info\",\"event\":\"ready\"}\n"
		  "{\"half\n"
		  "{\"counter-value\" : \"12.0\", \"unit\" : \"\", "
		  "\"event\" : \"faults\", \"event-runtime\" : 7, "
		  "\"pcnt-running\" : 100.00}\n"
		  "{\"a\" 1}\n");
	assert_int_equal(p.metric_count, 1);
	has_value(&p, "faults", 12);
	pn_profile_release(&p);
}

/* Ratios of nothing, and what a locale with decimal commas makes of shares. */
static void perf_stat_passes_over_what_is_no_number(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, &pn_codec_perf_stat,
		  "{\"counter-value\" : \"12.0\", \"unit\" : \"\", "
		  "\"event\" : \"a:b, c\", \"pcnt-running\" : 100.00, "
		  "\"metric-value\" : nan, \"metric-unit\" : \"of x\"}\n"
		  "{\"counter-value\" : \"7\", \"unit\" : \"\", "
		  "\"pcnt-running\" : 100,00, \"event\" : \"faults\", "
		  "\"metric-value\" : -inf}\n");
	assert_int_equal(p.metric_count, 2);
	has_value(&p, "a:b, c", 12);
	has_value(&p, "faults", 7);
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_those_of_the_tools),
		cmocka_unit_test(perf_stat_has_events_with_commas),
		cmocka_unit_test(perf_stat_passes_over_objects_of_the_program),
		cmocka_unit_test(perf_stat_passes_over_what_is_no_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
