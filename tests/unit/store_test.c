/* Records on their way into the notes and out again. */
#include "notes_scratch.h"

#include "storage/store.h"

#define METRICS 600 /* more than one line has fields for */

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_repo(keeps_more_metrics_than_a_line_has_room_for),
		with_repo(lists_profiles_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
