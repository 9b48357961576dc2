/* What changes touch in profiles that were measured before them. */
#include "notes_scratch.h"

#include "jobs/functions/touched.h"
#include "storage/store.h"

#include <math.h>

/* Two functions of four lines; f costs 10 + 60, g 5 + 25. */
static const char source[] = "int f(int n)\n{\n\treturn n;\n}\n"
			     "int g(int n)\n{\n\treturn n;\n}\n";
static const char costs[] = "events: Ir\nfl=a.c\nfn=f\n1 10\n3 60\n"
			    "fn=g\n5 5\n7 25\n";

struct asked {
	struct pn_repo *repo;
	struct pn_notes *notes;
	struct pn_impact_read read;
};

/* A profile of HEAD. */
static void add(struct scratch *s, const char *name, const char *text)
{
	struct pn_record_options options = {.name = name};
	struct pn_repo *repo = open_repo(s);
	struct pn_record record = {0};
	struct pn_oid origin;
	struct pn_error err;
	struct pn_head head;
	char *tree;

	if (pn_record_read_memory(&record, &origin, text, strlen(text), name,
				  &options, &err))
		fail_msg("%s", err.message);
	pn_record_set_label(&record, "job", name);
	assert_int_equal(pn_repo_head(&head, repo, &err), 0);
	record.commit = head.commit;
	tree = scratch_line(s, "git rev-parse HEAD^{tree}");
	record.tree = parse(tree);
	free(tree);
	if (pn_store_append(repo, &record, 1, &err))
		fail_msg("%s", err.message);
	pn_record_release(&record);
	pn_repo_free(repo);
}

static int measured(void **state)
{
	if (scratch_repo(state))
		return -1;
	scratch_run(*state,
		    "printf '%s' >a.c && git add a.c && git commit -qm a",
		    source);
	add(*state, "count", costs);
	return 0;
}

static void ask(struct asked *a, struct scratch *s,
		struct pn_impact_request request)
{
	struct pn_error err;

	*a = (struct asked){.repo = open_repo(s)};
	a->notes = open_notes(a->repo);
	request.repo = a->repo;
	request.notes = a->notes;
	if (pn_impact_read(&a->read, &request, &err))
		fail_msg("%s", err.message);
}

static void end(struct asked *a)
{
	pn_impact_release(&a->read);
	close_both(a->notes, a->repo);
}

static const struct pn_impact_series *only_series(const struct asked *a)
{
	assert_int_equal(a->read.faults, 0);
	assert_int_equal(a->read.impact.series_count, 1);
	return &a->read.impact.series[0];
}

static void is_row(const struct pn_impact_row *row, const char *function,
		   double self, int64_t first, int64_t last, bool guess)
{
	assert_string_equal(row->function, function);
	assert_true(row->self == self);
	assert_int_equal(row->first_line, first);
	assert_int_equal(row->last_line, last);
	assert_int_equal(row->guess, guess);
}

static void finds_the_function_of_a_line(void **state)
{
	const struct pn_impact_series *series;
	struct asked a;

	scratch_run(*state, "sed -i '3s/n/n + 1/' a.c && git commit -qam b");
	ask(&a, *state, (struct pn_impact_request){.range = "HEAD~1..HEAD"});
	series = only_series(&a);
	assert_string_equal(series->type, "Ir");
	assert_true(series->total == 100);
	assert_int_equal(series->count, 1);
	is_row(&series->rows[0], "f", 70, 3, 3, false);
	assert_string_equal(series->rows[0].file, "a.c");
	assert_true(series->self == 70);
	assert_int_equal(series->untold_count, 0);
	assert_int_equal(a.read.hunks.count, 1);
	assert_true(a.read.told[0] && a.read.known[0]);
	assert_int_equal(series->file_count, 1);
	assert_true(series->knows_files);
	end(&a);
}

/* Line 10 of the base was line 7 when it was measured. */
static void follows_lines_to_the_profile(void **state)
{
	const struct pn_impact_series *series;
	struct asked a;

	scratch_run(*state, "sed -i '1i // 1\\n// 2\\n// 3' a.c && "
			    "git commit -qam b && "
			    "sed -i '10s/n/n + 1/' a.c && git commit -qam c");
	ask(&a, *state, (struct pn_impact_request){.range = "HEAD~1..HEAD"});
	series = only_series(&a);
	assert_int_equal(series->count, 1);
	is_row(&series->rows[0], "g", 30, 7, 7, false);
	end(&a);
}

static void follows_files_that_were_renamed(void **state)
{
	const struct pn_impact_series *series;
	struct asked a;

	scratch_run(*state, "git mv a.c b.c && git commit -qm b && "
			    "sed -i '3s/n/n + 1/' b.c && git commit -qam c");
	ask(&a, *state, (struct pn_impact_request){.range = "HEAD~1..HEAD"});
	series = only_series(&a);
	assert_int_equal(series->count, 1);
	is_row(&series->rows[0], "f", 70, 3, 3, false);
	assert_string_equal(series->rows[0].file, "b.c");
	end(&a);
}

static void tells_the_index_from_the_work_tree(void **state)
{
	const struct pn_impact_series *series;
	struct asked a;

	scratch_run(*state, "sed -i '3s/n/n + 1/' a.c && git add a.c && "
			    "sed -i '7s/n/n + 1/' a.c");
	ask(&a, *state, (struct pn_impact_request){.cached = true});
	series = only_series(&a);
	assert_int_equal(series->count, 1);
	is_row(&series->rows[0], "f", 70, 3, 3, false);
	end(&a);
	ask(&a, *state, (struct pn_impact_request){.range = NULL});
	series = only_series(&a);
	assert_int_equal(series->count, 2);
	is_row(&series->rows[0], "f", 70, 3, 3, false);
	is_row(&series->rows[1], "g", 30, 7, 7, false);
	assert_true(series->self == 100);
	end(&a);
	ask(&a, *state,
	    (struct pn_impact_request){.range = NULL, .min_share = 0.31});
	series = only_series(&a);
	assert_int_equal(series->count, 1);
	assert_int_equal(series->hidden, 1);
	assert_true(series->self == 100); /* of all, shown or not */
	end(&a);
}

/* Where a profile has no files, names have to do: that is a guess. */
static void guesses_by_name_without_files(void **state)
{
	const struct pn_impact_series *series;
	struct asked a;

	scratch_run(*state, "echo 2 >file && git commit -qam b");
	add(*state, "named", "main;f 7\nmain;g 3\n");
	scratch_run(*state, "sed -i '3s/n/n + 1/' a.c && git commit -qam c");
	ask(&a, *state, (struct pn_impact_request){.range = "HEAD~1..HEAD"});
	assert_int_equal(a.read.impact.series_count, 2);
	series = &a.read.impact.series[1]; /* by name */
	assert_string_equal(series->series.job, "named");
	assert_false(series->knows_files);
	assert_int_equal(series->count, 1);
	is_row(&series->rows[0], "f", 7, 3, 3, true);
	assert_true(isnan(series->rows[0].calls));
	end(&a);
}

static void leaves_what_no_function_is_known_of(void **state)
{
	const struct pn_impact_series *series;
	struct asked a;

	scratch_run(*state, "echo 2 >file && sed -i '1i // 1' a.c && "
			    "git commit -qam b");
	ask(&a, *state, (struct pn_impact_request){.range = "HEAD~1..HEAD"});
	series = only_series(&a);
	assert_int_equal(series->count, 0);
	assert_int_equal(a.read.hunks.count, 2);
	assert_false(a.read.told[0] || a.read.told[1]);
	assert_int_equal(series->untold_count, 1);
	assert_string_equal(series->untold[0].file, "a.c");
	/* a.c is in the profile, file is not */
	assert_string_equal(a.read.hunks.files[0], "a.c");
	assert_true(a.read.known[0] && !a.read.known[1]);
	end(&a);
}

static void knows_series_without_functions(void **state)
{
	struct asked a;

	scratch_run(*state, "echo 2 >file && git commit -qam b");
	add(*state, "time",
	    "[{\"name\": \"t\", \"unit\": \"ns\", \"value\": 5}]\n");
	scratch_run(*state, "sed -i '3s/n/n + 1/' a.c && git commit -qam c");
	ask(&a, *state, (struct pn_impact_request){.range = "HEAD~1..HEAD"});
	assert_int_equal(a.read.impact.series_count, 1);
	assert_int_equal(a.read.blind_count, 1);
	assert_string_equal(a.read.blind[0].job, "time");
	end(&a);
}

static void refuses_what_is_no_range(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_impact_request request = {.repo = repo,
					    .notes = open_notes(repo),
					    .range = "nowhere..HEAD"};
	struct pn_impact_read read = {.faults = 0};
	struct pn_error err;

	assert_int_equal(pn_impact_read(&read, &request, &err), PN_ENOTFOUND);
	assert_non_null(strstr(err.message, "nowhere"));
	pn_impact_release(&read);
	close_both(request.notes, repo);
}

#define IN_A_REPO(test)                                                        \
	cmocka_unit_test_setup_teardown(test, measured, scratch_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_A_REPO(finds_the_function_of_a_line),
		IN_A_REPO(follows_lines_to_the_profile),
		IN_A_REPO(follows_files_that_were_renamed),
		IN_A_REPO(tells_the_index_from_the_work_tree),
		IN_A_REPO(guesses_by_name_without_files),
		IN_A_REPO(leaves_what_no_function_is_known_of),
		IN_A_REPO(knows_series_without_functions),
		IN_A_REPO(refuses_what_is_no_range),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
