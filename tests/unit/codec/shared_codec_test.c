/* Real collapsed stacks have the figures that other tools found in them. */
#include "codec/rows.h"
#include "shared.h"

#include <glob.h>
#include <inttypes.h>

static const char *frame_name(const struct pn_profile *p, uint32_t frame)
{
	const struct pn_location *l = &p->locations[p->frames[frame]];

	return pn_profile_text(
		p, p->functions[p->lines[l->line_first].function].name);
}

/* The sum over samples that have the function as leaf, or anywhere. */
static int64_t sum_of(const struct pn_profile *p, const char *name, bool leaf)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < p->sample_count; i++) {
		const uint32_t *start = &p->stack_start[p->samples[i].stack];
		uint32_t end = leaf ? start[0] + 1 : start[1], at;

		for (at = start[0]; at < end; at++)
			if (!strcmp(frame_name(p, at), name)) {
				sum += p->values[i].i;
				break;
			}
	}
	return sum;
}

static int64_t sum_all(const struct pn_profile *p)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < p->sample_count; i++)
		sum += p->values[i].i;
	return sum;
}

/* {"total": 3, "self_top": [["name", 2], ...], "cum_top": [...]}, indented */
static void check_key(const struct pn_profile *p, const char *path)
{
	FILE *file = fopen(path, "r");
	char line[4096], name[4096] = "", *end;
	int64_t value;
	bool leaf = true;
	size_t checked = 0;

	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		if (strstr(line, "\"cum_top\""))
			leaf = false;
		if (sscanf(line, " \"total\": %" SCNd64, &value) == 1) {
			assert_int_equal(sum_all(p), value);
		} else if (sscanf(line, " \"%4000[^\n]", name) == 1) {
			end = strrchr(name, '"');
			if (end)
				*end = '\0';
		} else if (sscanf(line, " %" SCNd64, &value) == 1) {
			assert_int_equal(sum_of(p, name, leaf), value);
			checked++;
		}
	}
	fclose(file);
	assert_true(checked >= 10);
}

static void finds_the_figures_of_collapsed_stacks(void **state)
{
	static const char *const names[] = {"git-log-p", "gzip", "make-gcc"};
	char name[64];
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		struct pn_profile p;

		snprintf(name, sizeof(name), "perf/%s.folded", names[i]);
		read_profile(&p, NULL, shared(name));
		assert_true(p.complete);
		snprintf(name, sizeof(name), "perf/%s.folded.key.json",
			 names[i]);
		check_key(&p, shared(name));
		pn_profile_release(&p);
	}
}

/* Column 13 of the table is the sum in ns. */
static void sums_to_the_key_figures_of_the_series(void **state)
{
	FILE *file = fopen(shared("series/KEYFIGURES.tsv"), "r");
	char line[4096], name[128], number[8], commit[64];
	size_t tables = 0;

	(void)state;
	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		struct pn_profile p;
		char *at = line;
		int column;

		if (sscanf(line, "%7[0-9]\t%63[0-9a-f]", number, commit) != 2)
			continue;
		for (column = 1; column < 13; column++)
			at = strchr(at, '\t') + 1;
		snprintf(name, sizeof(name), "series/folded/%s-%.10s.folded",
			 number, commit);
		read_profile(&p, NULL, shared(name));
		assert_int_equal(sum_all(&p), strtoll(at, NULL, 10));
		pn_profile_release(&p);
		tables++;
	}
	fclose(file);
	assert_int_equal(tables, 40);
}

static void check_way_back(const char *path)
{
	struct pn_buf file = {0}, want = {0};
	struct pn_reader *in = NULL;
	struct pn_profile p;
	struct pn_error err;

	read_profile(&p, NULL, path);
	assert_int_equal(pn_codec_collapsed.write(&file, &p, &err), 0);
	assert_int_equal(pn_reader_open(&in, path, 0, &err), 0);
	assert_int_equal(pn_reader_rest(&want, in, 1u << 30, &err), 0);
	assert_string_equal(pn_buf_text(&file), pn_buf_text(&want));
	pn_reader_free(in);
	pn_profile_release(&p);
	pn_buf_release(&file);
	pn_buf_release(&want);
}

static void writes_collapsed_stacks_as_they_were(void **state)
{
	static const char *const patterns[] = {"perf/*.folded",
					       "series/folded/*.folded"};
	size_t i, n, files = 0;

	(void)state;
	for (n = 0; n < 2; n++) {
		glob_t found;

		assert_int_equal(glob(shared(patterns[n]), 0, NULL, &found), 0);
		for (i = 0; i < found.gl_pathc; i++)
			check_way_back(found.gl_pathv[i]);
		files += found.gl_pathc;
		globfree(&found);
	}
	assert_int_equal(files, 43);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_figures_of_collapsed_stacks),
		cmocka_unit_test(sums_to_the_key_figures_of_the_series),
		cmocka_unit_test(writes_collapsed_stacks_as_they_were),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
