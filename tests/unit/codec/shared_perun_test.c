/*
 * Generated Perun profiles: written as Python's json writes them when it
 * follows Perun's rules (tests/peer/perun_convert.py).
 */
#include "codec/rows.h"
#include "perun_text.h"
#include "scratch.h"
#include "shared.h"

static void run_python(struct pn_buf *out, const char *script, const char *a,
		       const char *b, const char *c, const char *d)
{
	const char *argv[] = {"python3", script, a, b, c, d, NULL};
	const struct pn_process_options options = {0};
	struct pn_error err;
	char said[1024];
	int status;

	if (pn_process_capture(out, said, &status, argv, &options, 64u << 20,
			       &err))
		fail_msg("%s", err.message);
	if (status)
		fail_msg("%s: %s", script, said);
}

static const char *source_path(const char *name)
{
	static char path[4096];
	const char *dir = getenv("PERF_SOURCE_DIR");

	snprintf(path, sizeof(path), "%s/%s", dir ? dir : ".", name);
	return path;
}

static void check_file(const char *path)
{
	const struct pn_codec *used = NULL;
	struct pn_profile profile, again;
	struct pn_buf want = {0};
	char why[256] = "", *have;

	run_python(&want, source_path("tests/peer/perun_convert.py"), path,
		   NULL, NULL, NULL);
	read_profile(&profile, &used, path);
	assert_ptr_equal(used, &pn_codec_perun);
	assert_true(profile.complete);
	assert_int_equal(profile.stack_count, profile.sample_count);
	have = must_write(&profile);
	assert_int_equal(strlen(have), want.len);
	assert_memory_equal(have, want.data, want.len);
	must_read(&again, have);
	if (!pn_profile_equal(&profile, &again, why, sizeof(why)))
		fail_msg("%s", why);
	pn_profile_release(&profile);
	pn_profile_release(&again);
	pn_buf_release(&want);
	free(have);
}

static void writes_a_history_as_python_does(void **state)
{
	const struct scratch *s = *state;
	struct pn_buf said = {0};
	char path[4096];
	int i;

	run_python(&said, shared("genseries.py"), s->dir, "2", "perun", "1");
	for (i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%04d.perf", s->dir, i);
		check_file(path);
	}
	pn_buf_release(&said);
}

static bool has_python(void)
{
	const char *argv[] = {"python3", "--version", NULL};
	const struct pn_process_options options = {0};
	struct pn_buf out = {0};
	struct pn_error err;
	char said[1024];
	int status;
	int code = pn_process_capture(&out, said, &status, argv, &options, 4096,
				      &err);

	pn_buf_release(&out);
	return !code && !status;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(writes_a_history_as_python_does,
						scratch_open, scratch_close),
	};

	if (!has_python()) {
		puts("SKIPPED shared_perun: no python3");
		return SHARED_SKIPPED;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
