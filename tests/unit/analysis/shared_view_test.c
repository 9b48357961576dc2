/*
 * Views against what pprof prints of the same files, byte for byte: the
 * MANIFEST says with which options each expected text was made.
 */
#include "analysis/merge/difference.h"
#include "model/unit.h"
#include "render/renderer.h"

#include "shared.h"

struct expected {
	const char *text, *profile, *view;
	const char *function, *sample_index;
	enum pn_granularity granularity;
	struct pn_filter filter;
	const char *base;
	bool apart, normalize; /* diff_base */
};

static const struct expected cases[] = {
	{"go/cpu.top.txt", "go/cpu.pb.gz", "top"},
	{"go/cpu.tree.txt", "go/cpu.pb.gz", "tree"},
	{"go/cpu.traces.txt", "go/cpu.pb.gz", "traces"},
	{"go/cpu.tags.txt", "go/cpu.pb.gz", "tags"},
	{"go/cpu.raw.txt", "go/cpu.pb.gz", "raw"},
	{"go/cpu.peek-flate.txt", "go/cpu.pb.gz", "peek", .function = "flate"},
	{"go/cpu.top-lines.txt", "go/cpu.pb.gz", "top",
	 .granularity = PN_BY_LINES},
	{"go/cpu.top-focus-json-ignore-reflect.txt", "go/cpu.pb.gz", "top",
	 .filter.text[PN_FILTER_FOCUS] = "json",
	 .filter.text[PN_FILTER_IGNORE] = "reflect"},
	{"go/cpu.top-tagfocus-json.txt", "go/cpu.pb.gz", "top",
	 .filter.text[PN_FILTER_TAG_FOCUS] = "kind=json"},
	{"go/merged-cpu-cpu2.top.txt", "go/merged-cpu-cpu2.pb.gz", "top"},
	{"go/cpu2.top-base-cpu.txt", "go/cpu2.pb.gz", "top",
	 .base = "go/cpu.pb.gz"},
	{"go/cpu2.top-diff_base-cpu.txt", "go/cpu2.pb.gz", "top",
	 .base = "go/cpu.pb.gz", .apart = true},
	{"go/cpu2.top-normalize-diff_base-cpu.txt", "go/cpu2.pb.gz", "top",
	 .base = "go/cpu.pb.gz", .apart = true, .normalize = true},
	{"go/heap.top.txt", "go/heap.pb.gz", "top"},
	{"go/heap.raw.txt", "go/heap.pb.gz", "raw"},
	{"go/heap.top-alloc_objects.txt", "go/heap.pb.gz", "top",
	 .sample_index = "alloc_objects"},
	{"go/heap.top-alloc_space.txt", "go/heap.pb.gz", "top",
	 .sample_index = "alloc_space"},
	{"go/heap.top-inuse_objects.txt", "go/heap.pb.gz", "top",
	 .sample_index = "inuse_objects"},
	{"go/heap.top-inuse_space.txt", "go/heap.pb.gz", "top",
	 .sample_index = "inuse_space"},
	{"go/allocs.top.txt", "go/allocs.pb.gz", "top"},
	{"go/allocs.raw.txt", "go/allocs.pb.gz", "raw"},
	{"go/mutex.top.txt", "go/mutex.pb.gz", "top"},
	{"go/mutex.raw.txt", "go/mutex.pb.gz", "raw"},
	{"go/block.top.txt", "go/block.pb.gz", "top"},
	{"go/block.raw.txt", "go/block.pb.gz", "raw"},
	{"go/goroutine.top.txt", "go/goroutine.pb.gz", "top"},
	{"go/goroutine.raw.txt", "go/goroutine.pb.gz", "raw"},
	{"go/threadcreate.top.txt", "go/threadcreate.pb.gz", "top"},
	{"go/threadcreate.raw.txt", "go/threadcreate.pb.gz", "raw"},
	{"gperftools/gzip.pb.gz.top.txt", "gperftools/gzip.pb.gz", "top"},
	{"gperftools/wordfreq.pb.gz.top.txt", "gperftools/wordfreq.pb.gz",
	 "top"},
	{"synthetic/s1.top.txt", "synthetic/s1.pb.gz", "top"},
	{"synthetic/1m.top.txt", "synthetic/1m.pb.gz", "top"},
};

static void print(char **text, size_t *len, struct pn_profile *profile,
		  const struct expected *expected)
{
	struct pn_report_options options = {
		.filter = expected->filter,
		.granularity = expected->granularity,
		.sample_index = expected->sample_index,
		.node_count = -1,
		.node_fraction = PN_REPORT_NODE_FRACTION,
		.edge_fraction = PN_REPORT_EDGE_FRACTION};
	struct pn_view_input in = {profile, NULL, expected->function};
	FILE *to = open_memstream(text, len);
	const struct pn_view *view;
	struct pn_report report;
	struct pn_error err;

	assert_non_null(to);
	if (pn_view_find(&view, expected->view, &err) ||
	    pn_filter_drop_frames(profile, &err))
		fail_msg("%s", err.message);
	pn_view_options(&options, view);
	if (pn_report_init(&report, profile, &options, &err))
		fail_msg("%s", err.message);
	in.report = &report;
	if (pn_view_print(to, view, &in, "show", PN_VIEW_TEXT, &err))
		fail_msg("%s", err.message);
	fclose(to);
	pn_report_release(&report);
}

/* The profile without the base of the case. */
static void subtract(struct pn_profile *profile,
		     const struct expected *expected)
{
	struct pn_subtract_options options = {expected->apart,
					      expected->normalize};
	struct pn_profile base, rest;
	struct pn_error err;

	read_profile(&base, NULL, shared(expected->base));
	if (pn_subtract(&rest, profile, &base, &options, &err))
		fail_msg("%s", err.message);
	pn_profile_release(profile);
	pn_profile_release(&base);
	*profile = rest;
}

static void read_text(struct pn_buf *out, const char *path)
{
	struct pn_reader *in;
	struct pn_error err;

	if (pn_reader_open(&in, path, 0, &err) ||
	    pn_reader_rest(out, in, 1 << 24, &err))
		fail_msg("%s", err.message);
	pn_reader_free(in);
}

/* Names the first line that differs. */
static void same_lines(const char *name, const char *have, const char *want)
{
	size_t line = 1;

	while (*have && *have == *want) {
		line += *have == '\n';
		have++;
		want++;
	}
	if (*have || *want)
		fail_msg("%s: line %zu differs: '%.60s' for '%.60s'", name,
			 line, have, want);
}

static void prints_what_pprof_prints(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pn_profile profile;
		struct pn_buf want = {0};
		char *have = NULL;
		size_t len;

		read_text(&want, shared(cases[i].text));
		read_profile(&profile, NULL, shared(cases[i].profile));
		if (cases[i].base)
			subtract(&profile, &cases[i]);
		print(&have, &len, &profile, &cases[i]);
		same_lines(cases[i].text, have, pn_buf_text(&want));
		free(have);
		pn_buf_release(&want);
		pn_profile_release(&profile);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prints_what_pprof_prints),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
