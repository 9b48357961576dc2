/* Records on their way into the notes and out again. */
#include "codec/rows.h"
#include "notes_scratch.h"

#include "storage/store.h"
#include "storage/verify/verify.h"
#include "vcs/notes/stage.h"

#define METRICS 600 /* more than one line has fields for */
#define STACKS 200

static struct pn_oid head_of(struct pn_repo *repo)
{
	struct pn_error err;
	struct pn_head head;

	assert_int_equal(pn_repo_head(&head, repo, &err), 0);
	return head.commit;
}

static void add_metrics(struct pn_profile *p, int count)
{
	char name[32];
	double value;
	int i;

	for (i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "m%d", i);
		value = i + 0.5;
		pn_profile_add_metric(p, name, "s", PN_BETTER_LESS, &value, 1);
	}
}

static void append(struct pn_repo *repo, struct pn_profile *profile)
{
	struct pn_record_options options = {.name = "many"};
	struct pn_record record = {0};
	struct pn_error err;

	if (pn_record_from_profile(&record, profile, &options, &err))
		fail_msg("%s", err.message);
	record.commit = record.tree = head_of(repo);
	if (pn_store_append(repo, &record, 1, &err))
		fail_msg("%s", err.message);
	pn_record_release(&record);
}

static void keeps_more_metrics_than_a_line_has_room_for(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	const struct pn_entry *entries;
	struct pn_notes *notes;
	struct pn_arena arena = {0};
	struct pn_profile profile;
	struct pn_oid head = head_of(repo);
	struct pn_error err;
	size_t count;
	int i;

	pn_profile_init(&profile);
	add_metrics(&profile, METRICS);
	append(repo, &profile);
	notes = open_notes(repo);
	assert_int_equal(pn_store_figures(&entries, &count, &arena, repo, notes,
					  &head, &err),
			 0);
	assert_int_equal(count, 1);
	assert_int_equal(entries[0].metric_count, METRICS);
	for (i = 0; i < METRICS; i++)
		assert_true(entries[0].metrics[i].summary.median == i + 0.5);
	assert_string_equal(entries[0].metrics[METRICS - 1].name, "m599");
	pn_arena_release(&arena);
	pn_profile_release(&profile);
	close_both(notes, repo);
}

static void lists_profiles_only(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_notes *notes = open_notes(repo);
	struct pn_oid head = head_of(repo);
	struct pn_entry accept = {.time_ns = 1,
				  .kind = PN_ENTRY_OTHER,
				  .kind_text = "accept",
				  .commit = head,
				  .tree = head};
	const struct pn_entry *entries;
	struct pn_arena arena = {0};
	struct pn_profile profile;
	struct pn_buf text = {0};
	struct pn_error err;
	size_t count, ignored = 9;

	assert_int_equal(pn_entry_write(&text, &accept, &err), 0);
	pn_notes_stage_note(notes, &head, text.data, text.len, NULL);
	commit(notes);
	pn_profile_init(&profile);
	add_metrics(&profile, 1);
	append(repo, &profile);
	assert_int_equal(pn_notes_reopen(notes, &err), 0);
	assert_int_equal(pn_store_entries(&entries, &count, &ignored, &arena,
					  notes, &head, &err),
			 0);
	assert_int_equal(count, 1);
	assert_int_equal(ignored, 0);
	assert_int_equal(entries[0].kind, PN_ENTRY_PROFILE);
	pn_buf_clear(&text);
	assert_int_equal(pn_notes_read(&text, notes, &head, &err), 0);
	assert_non_null(strstr(pn_buf_text(&text), " accept - 0 "));
	pn_buf_release(&text);
	pn_arena_release(&arena);
	pn_profile_release(&profile);
	close_both(notes, repo);
}

/* A profile of as many stacks as a chain wants, each of `value`. */
static int add_stacks(struct pn_batch *batch, struct pn_repo *repo, int value,
		      uint64_t max_bytes, struct pn_error *err)
{
	struct pn_record_options options = {.name = "chained",
					    .max_bytes = max_bytes};
	struct pn_record record = {0};
	struct pn_profile profile;
	struct pn_buf text = {0};
	int i, code;

	for (i = 0; i < STACKS; i++)
		pn_buf_printf(&text, "main;function_%d %d\n", i * 7919, value);
	pn_profile_init(&profile);
	assert_int_equal(pn_codec_read_memory(&profile, &pn_codec_collapsed,
					      text.data, text.len, "text", err),
			 0);
	assert_int_equal(
		pn_record_from_profile(&record, &profile, &options, err), 0);
	record.commit = record.tree = head_of(repo);
	code = pn_batch_add(batch, &record, err);
	pn_record_release(&record);
	pn_profile_release(&profile);
	pn_buf_release(&text);
	return code;
}

/* What was refused is no base of what comes next. */
static void builds_on_what_is_stored(void **state)
{
	struct pn_repo *repo = open_repo(*state);
	struct pn_verify_report report;
	struct pn_batch *batch;
	struct pn_notes *notes;
	struct pn_error err;

	assert_int_equal(pn_batch_open(&batch, repo, NULL, &err), 0);
	assert_int_equal(add_stacks(batch, repo, 3, 9, &err), PN_ELIMIT);
	assert_int_equal(add_stacks(batch, repo, 4, 0, &err), 0);
	assert_int_equal(add_stacks(batch, repo, 900, 9, &err), PN_ELIMIT);
	assert_int_equal(add_stacks(batch, repo, 5, 0, &err), 0);
	assert_int_equal(pn_batch_commit(batch, &err), 0);
	pn_batch_free(batch);
	notes = open_notes(repo);
	assert_int_equal(pn_verify_run(&report, repo, notes, &err), 0);
	if (report.told.problem_count)
		fail_msg("%s", report.told.problems[0].what);
	assert_int_equal(report.told.profiles, 2);
	pn_verify_report_release(&report);
	close_both(notes, repo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_repo(keeps_more_metrics_than_a_line_has_room_for),
		with_repo(lists_profiles_only),
		with_repo(builds_on_what_is_stored),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
