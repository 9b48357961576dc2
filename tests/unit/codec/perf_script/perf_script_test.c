/* perf script: records of all shapes that its field lists give them. The
 * texts are what perf 6.1 prints. */
#include "codec/codec_text.h"
#include "codec/rows.h"

#include "codec/perf_script/perf_script.h"

static void refuses(const char *text, const char *message)
{
	struct pn_profile p;
	struct pn_error err = {0};

	assert_true(read_bytes(&p, &pn_codec_perf_script, text, strlen(text),
			       &err) < 0);
	assert_string_equal(err.message, message);
}

/* The stacks of the first event, as collapsed stacks. */
static void reads_bytes_as(struct pn_profile *out, const char *text, size_t len,
			   const char *collapsed)
{
	struct pn_buf written = {0};
	struct pn_error err;

	if (read_bytes(out, &pn_codec_perf_script, text, len, &err) ||
	    pn_codec_collapsed.write(&written, out, &err))
		fail_msg("%s", err.message);
	assert_string_equal(pn_buf_text(&written), collapsed);
	pn_buf_release(&written);
}

static void reads_as(struct pn_profile *out, const char *text,
		     const char *collapsed)
{
	reads_bytes_as(out, text, strlen(text), collapsed);
}

static void means(const char *text, const char *collapsed)
{
	struct pn_profile p;

	reads_as(&p, text, collapsed);
	pn_profile_release(&p);
}

static const char *type_name(const struct pn_profile *p, size_t type)
{
	assert_true(type < p->type_count);
	return pn_profile_text(p, p->types[type].type);
}

static const char *unit_name(const struct pn_profile *p, size_t type)
{
	return pn_profile_text(p, p->types[type].unit);
}

static void adds_periods_of_one_stack(void **state)
{
	struct pn_profile p;

	(void)state;
	reads_as(&p,
		 "# ========\n"
		 "# captured on    : Fri Nov 20 10:08:48 2026\n"
		 "# cmdline : /usr/bin/perf record ./a \n"
		 "# ========\n#\n"
		 "a  2923  1151.131131:    1003009 cpu-clock: \n"
		 "\tffffffff815e4505 set_pte+0xf5 ([kernel.kallsyms])\n"
		 "\t          12c560 [unknown] (/usr/bin/a)\n"
		 "\t      632e6e6961 [unknown] ([unknown])\n\n"
		 "a  2923  1151.132189:    1003009 cpu-clock: \n"
		 "\tffffffff815e4505 set_pte+0xf5 ([kernel.kallsyms])\n"
		 "\t          12c560 [unknown] (/usr/bin/a)\n"
		 "\t      632e6e6961 [unknown] ([unknown])\n\n"
		 "a  2923  1151.132189:    7 cpu-clock: \n\n",
		 "a;[unknown];[a];set_pte 2006018\na 7\n");
	assert_int_equal(p.sample_count, 2);
	assert_int_equal(p.type_count, 1);
	assert_string_equal(type_name(&p, 0), "cpu-clock");
	assert_string_equal(unit_name(&p, 0), "nanoseconds");
	assert_int_equal(p.comment_count, 2);
	assert_int_equal(p.locations[1].address, 0xffffffff815e4505);
	assert_string_equal(pn_profile_text(&p, p.mappings[1].file),
			    "[kernel.kallsyms]");
	assert_int_equal(p.labels[0].value.i, 2923);
	assert_string_equal(pn_profile_text(&p, p.labels[0].key), "tid");
	assert_false(p.complete); /* times are not kept */
	pn_profile_release(&p);
}

/* Files in the order of the mappings, and each location still has its own. */
static void has_mappings(const char *text, const char *expected)
{
	struct pn_buf got = {0};
	struct pn_profile p;
	struct pn_error err;
	size_t i;

	if (read_bytes(&p, &pn_codec_perf_script, text, strlen(text), &err))
		fail_msg("%s", err.message);
	for (i = 0; i < p.mapping_count; i++)
		pn_buf_printf(&got, "%s\n",
			      pn_profile_text(&p, p.mappings[i].file));
	for (i = 0; i < p.location_count; i++)
		if (p.locations[i].mapping != PN_NONE)
			pn_buf_printf(&got, "0x%x %u\n",
				      (unsigned int)p.locations[i].address,
				      p.locations[i].mapping);
	assert_string_equal(pn_buf_text(&got), expected);
	pn_buf_release(&got);
	pn_profile_release(&p);
}

static void puts_the_program_first(void **state)
{
	(void)state;
	/* a file called as the process, behind loader and kernel */
	has_mappings("a 1 1.5: 3 c:\n\t1 f (/lib/ld.so.2)\n"
		     "\t2 g ([kernel.kallsyms])\n\n"
		     "a 1 1.6: 3 c:\n\t3 h (/lib/b)\n\t4 i (/x/a)\n\n",
		     "/x/a\n/lib/ld.so.2\n[kernel.kallsyms]\n/lib/b\n"
		     "0x1 1\n0x2 2\n0x3 3\n0x4 0\n");
	/* the process that came first, not the file that did */
	has_mappings("make 1 1.5: 3 c:\n\t1 f (/lib/libc.so.6)\n\n"
		     "cc 2 1.6: 3 c:\n\t2 g (/bin/cc)\n\n"
		     "make 1 1.7: 3 c:\n\t3 h (/bin/make)\n\n",
		     "/bin/make\n/lib/libc.so.6\n/bin/cc\n"
		     "0x1 1\n0x2 2\n0x3 0\n");
	/* a name that the kernel cut to 15 bytes */
	has_mappings("perf-notes-exam 1 1.5: 3 c:\n\t1 f (/lib/b)\n"
		     "\t2 g (/x/perf-notes-example)\n\n",
		     "/x/perf-notes-example\n/lib/b\n0x1 1\n0x2 0\n");
	/* sh is a link to another name: what is no library */
	has_mappings("sh 1 1.5: 3 c:\n\t1 f (/lib/libc.so.6)\n"
		     "\t2 g ([vdso])\n\t3 h (/bin/dash)\n\n",
		     "/bin/dash\n/lib/libc.so.6\n[vdso]\n"
		     "0x1 1\n0x2 2\n0x3 0\n");
	/* nothing to choose: as they came */
	has_mappings("a 1 1.5: 3 c:\n\t1 f (/lib/libc.so.6)\n"
		     "\t2 g ([vdso])\n\n",
		     "/lib/libc.so.6\n[vdso]\n0x1 0\n0x2 1\n");
}

static void lasts(const char *text, int64_t ns)
{
	struct pn_profile p;
	struct pn_error err;

	if (read_bytes(&p, &pn_codec_perf_script, text, strlen(text), &err))
		fail_msg("%s", err.message);
	assert_int_equal(p.duration_ns, ns);
	pn_profile_release(&p);
}

static void lasts_from_the_first_sample_to_the_last(void **state)
{
	(void)state;
	lasts("a 1 1151.131131: 3 c: \n\t1 f (/b)\n\n"
	      "a 1 1152.132190: 3 c: \n\t1 f (/b)\n\n",
	      1001059000);
	/* of several processors, and with nanoseconds */
	lasts("a 1 [001] 7.000000009: 3 c: \n\t1 f (/b)\n\n"
	      "a 1 [000] 6.9999999991: 3 c: \n\t1 f (/b)\n\n"
	      "a 1 [000] 7.0: 3 c: \n\t1 f (/b)\n\n",
	      10);
	lasts("a 1 7.000001: 3 c: \n\t1 f (/b)\n\n", 0);
	lasts("a 1 c: \n\t1 f (/b)\n\na 1 c: \n\t1 f (/b)\n\n", 0);
	/* beyond 63 bits */
	lasts("a 1 0.0: 3 c: \n\t1 f (/b)\n\n"
	      "a 1 9223372036.0: 3 c: \n\t1 f (/b)\n\n"
	      "a 1 99999999999999999999.0: 3 c: \n\t1 f (/b)\n\n",
	      0);
	lasts("a 1 0.0: 3 c: \n\t1 f (/b)\n\n"
	      "a 1 9223372035.999999999: 3 c: \n\t1 f (/b)\n\n",
	      INT64_C(9223372035999999999));
}

/* Each with fewer fields, or other ones; without a period a sample is 1. */
static void reads_all_choices_of_fields(void **state)
{
	(void)state;
	means("a  12/13   [001]   5.000001:     10 cycles:u: \n\t 4f f+0x1 "
	      "(/b)\n\n",
	      "a;f 10\n");
	means("a    12 [001]   5.000001: cycles: \n\t 4f f (/b)\n\n",
	      "a;f 1\n");
	means("gzip  2872  cpu-clock: \n\t cc5c [unknown] (/bin/gzip)\n\n",
	      "gzip;[gzip] 1\n");
	means("gzip  2872 \n\t cc5c f (/bin/gzip)\n\n", "gzip;f 1\n");
	means(" 2248.323710:    1003  cpu-clock: \n\t cc5c f\n\t 0 g\n\n",
	      "g;f 1003\n");
	means(" 2872  cpu-clock: \n\t            cc5c\n\t  1d\n\n",
	      "[0x1d];[0xcc5c] 1\n");
	means("\n\t cc5c f\n\t 0 g\n\n\n\t cc5c f\n\t 0 g\n\n", "g;f 2\n");
	means("\tcc5c f (/b)\n", "f 1\n");
	/* without -g: one line each, the frame behind the event */
	means("            gzip  2872  2248.323710:    5  cpu-clock:      "
	      "55f0f0f21c5c f+0x8 (/usr/bin/gzip)\n"
	      "            dead  2872  2248.323716:    6  cpu-clock:      "
	      "55f0f0f21c5c f+0x8 (/usr/bin/gzip)\n",
	      "gzip;f 5\ndead;f 6\n");
	means("            gzip  2872  cpu-clock: \n"
	      "            gzip  2872  cpu-clock: \n",
	      "gzip 2\n");
}

static void takes_blanks_and_numbers_in_names(void **state)
{
	(void)state;
	means("V8 Worker Thre 24636/25607 [000] 94564.1: 3 cycles: \n\t1 f "
	      "(/b)\n\n",
	      "V8 Worker Thre;f 3\n");
	means("worker 1 2345 [000] 1.5: 3 cycles:\n\t1 f (/b)\n\n",
	      "worker 1;f 3\n");
	means("worker 1 2345 1.5: 3 cycles:\n\t1 f (/b)\n\n"
	      "worker 1 2 2345 1.5: 4 cycles:\n\t1 f (/b)\n\n",
	      "worker 1;f 3\nworker 1 2;f 4\n");
	means("a 1 1.5: c:\n\t1 operator()+0x1 (/tmp/my prog (deleted))\n"
	      "\t2 g(int (*)(char)) (/b)\n"
	      "\t3 std::vector<int, std::allocator<int> >::x (/b)\n\n",
	      "a;std::vector<int, std::allocator<int> >::x;"
	      "g(int (*)(char));operator() 1\n");
}

static void takes_line_ends_of_other_systems(void **state)
{
	(void)state;
	means("a 1 1.5: 3 c:\r\n\t1 f (/b)\r\n\r\na 1 1.5: 3 c:\r\n\t1 f "
	      "(/b)\r\n",
	      "a;f 6\n");
}

/* One column each; records that name no event are of one called samples. */
static void keeps_events_apart(void **state)
{
	struct pn_profile p;

	(void)state;
	reads_as(&p,
		 "a 1 1.5: 3 cycles:\n\t1 f (/b)\n\n"
		 "a 1 1.5: 4 task-clock:u:\n\t1 f (/b)\n\n"
		 "a 1 1.6: 5 cycles:\n\t1 f (/b)\n\n"
		 "a 1 1.6: sched:sched_switch: prev_comm=a prev_pid=1\n"
		 "\t1 f (/b)\n\n",
		 "a;f 8\n");
	assert_int_equal(p.type_count, 3);
	assert_string_equal(type_name(&p, 1), "task-clock:u");
	assert_string_equal(unit_name(&p, 1), "nanoseconds");
	assert_string_equal(unit_name(&p, 0), "count");
	assert_string_equal(type_name(&p, 2), "sched:sched_switch");
	assert_int_equal(p.sample_count, 3);
	assert_int_equal(p.values[1 * 3 + 1].i, 4);
	assert_int_equal(p.values[2 * 3 + 2].i, 1);
	pn_profile_release(&p);
}

static const struct pn_line *line(const struct pn_profile *p, size_t location,
				  uint32_t n)
{
	assert_true(location < p->location_count);
	assert_true(n < p->locations[location].line_count);
	return &p->lines[p->locations[location].line_first + n];
}

static void takes_lines_of_the_source(void **state)
{
	struct pn_profile p;

	(void)state;
	reads_as(&p,
		 "a 1 1.5: c: \n"
		 "\t     401136 f+0x6 (/tmp/a)\n"
		 "  a.c:17\n"
		 "\t     40114f main+0x9 (/tmp/a)\n"
		 "  a[40114f]\n"
		 "\n",
		 "a;main;f 1\n");
	/* location 0 is the process */
	assert_int_equal(line(&p, 1, 0)->line, 17);
	assert_string_equal(
		pn_profile_text(&p, p.functions[line(&p, 1, 0)->function].file),
		"a.c");
	assert_int_equal(line(&p, 2, 0)->line, 0);
	pn_profile_release(&p);
}

/* More of them would make a name that grows with each: 5 GB of this. */
static void takes_one_line_of_the_source_a_frame(void **state)
{
	struct pn_profile p;
	struct pn_buf text = {0};
	struct pn_error err;
	size_t i;

	(void)state;
	pn_buf_add_text(&text, "a 1 1.5: c: \n\t1 f (/b)\n");
	for (i = 0; i < 30000; i++)
		pn_buf_printf(&text, "  a.c:%05zu\n", i + 1);
	if (read_bytes(&p, &pn_codec_perf_script, pn_buf_text(&text), text.len,
		       &err))
		fail_msg("%s", err.message);
	assert_int_equal(line(&p, 1, 0)->line, 1);
	assert_string_equal(
		pn_profile_text(&p, p.comments[0]),
		"29999 lines were not understood, line 4 is the first");
	pn_buf_release(&text);
	pn_profile_release(&p);
}

static void folds_inlined_frames_into_one_location(void **state)
{
	struct pn_profile p;

	(void)state;
	reads_as(&p,
		 "a 1 1.5: c: \n"
		 "\t     401136 g (inlined)\n"
		 "  a.h:3\n"
		 "\t     401136 f (inlined)\n"
		 "\t     401136 main+0x6 (/tmp/a)\n"
		 "\t     29d90 start+0x80 (/lib/libc.so.6)\n"
		 "\n",
		 "a;start;main;f;g 1\n");
	assert_int_equal(p.location_count, 3);
	assert_int_equal(p.locations[1].line_count, 3);
	assert_int_equal(p.locations[1].address, 0x401136);
	assert_int_equal(line(&p, 1, 0)->line, 3);
	pn_profile_release(&p);
}

/* -F addr: the address of the data stands behind the head, with its symbol;
 * without frames below (-G) it cannot be told from the only frame. */
static void passes_over_addresses_of_data(void **state)
{
	(void)state;
	means("a 1 1.5: 3 page-faults: 555f0d9a6010 table+0x0 (/tmp/a)\n"
	      "\t401136 f+0x6 (/tmp/a)\n\t29d90 main+0x80 (/tmp/a)\n\n"
	      "a 1 1.6: 4 page-faults: 401136 f+0x6 (/tmp/a)\n",
	      "a;main;f 3\na;f 4\n");
}

/* -F brstack and brstacksym: branches before the sample, in a line. */
static void passes_over_branches(void **state)
{
	struct pn_profile p;

	(void)state;
	reads_as(&p,
		 "a 1 1.5: c: \n\t401136 f+0x6 (/tmp/a)\n"
		 " 0x4011a0/0x401130/P/-/-/12  0x401150/0x4011a0/M/-/-/3 \n\n"
		 "a 1 1.6: c: \n\t401136 f+0x6 (/tmp/a)\n"
		 " main+0x10/f+0x0/-/X/A/0 \n\n",
		 "a;f 2\n");
	assert_int_equal(p.location_count, 2); /* and a, the process */
	assert_int_equal(p.comment_count, 0);
	pn_profile_release(&p);
}

/* --show-task-events and --show-mmap-events; perf 6.1. */
static void passes_over_what_is_no_sample(void **state)
{
	struct pn_profile p;

	(void)state;
	reads_as(
		&p,
		"perf-exec     0 [000]     0.000000: PERF_RECORD_COMM: "
		"perf-exec:453/453\n"
		"a   453 [001] 12643.865955: PERF_RECORD_COMM exec: a:453/453\n"
		"a   453 [001] 12643.865966: PERF_RECORD_MMAP2 453/453: "
		"[0x7ffc8883d000(0x21000) @ 0 00:00 0 0]: rw-p [stack]\n"
		"a   453 [001] 12643.865982:          1 page-faults: \n"
		"\tff f (/b)\n\n"
		"a   453 [001] 12643.867000: "
		"PERF_RECORD_EXIT(453:453):(453:453)"
		"\n",
		"a;f 1\n");
	assert_int_equal(p.type_count, 1);
	pn_profile_release(&p);
}

/* Names of processes are no frames, and what no rule knows is counted. */
static void says_what_it_did_not_understand(void **state)
{
	struct pn_profile p;

	(void)state;
	reads_as(&p,
		 "a 1 1.5: c: \n\t1 f (/b)\n\t2 (java) (/b)\n\n"
		 "a 1 [000] 1.7: PERF_RECORD_COMM: a:1/1\n"
		 "hello\n\n"
		 "a 1 1.5: c: \n\t1 f (/b)\n\n",
		 "a;f 2\n");
	assert_int_equal(p.comment_count, 1);
	assert_string_equal(pn_profile_text(&p, p.comments[0]),
			    "1 lines were not understood, line 6 is the first");
	pn_profile_release(&p);
}

/* perf script -F comm,ip,sym and -F comm,event,ip,sym: a blank behind each. */
static void takes_records_without_pid_and_time(void **state)
{
	struct pn_profile p;

	(void)state;
	means("two words \n\t            1188 sum\n\t            11ee main\n\n"
	      "pf \n\t            1188 sum\n\t            11ee main\n\n",
	      "two words;main;sum 1\npf;main;sum 1\n");
	reads_as(&p, "pf cpu-clock: \n\t            1188 sum\n\n",
		 "pf;sum 1\n");
	assert_string_equal(type_name(&p, 0), "cpu-clock");
	pn_profile_release(&p);
}

static enum pn_sniff sniffed(const char *text)
{
	return pn_codec_perf_script.sniff((const void *)text, strlen(text));
}

/* perf 6.1 prints addresses 16 wide, and a blank behind each field. */
static void recognises_records_without_pid_and_time(void **state)
{
	(void)state;
	assert_int_equal(
		sniffed("gzip cpu-clock: \n\t           1469e handle_amd\n"),
		PN_SNIFF_LIKELY);
	assert_int_equal(sniffed("gzip \n\t           1469e handle_amd\n"),
			 PN_SNIFF_LIKELY);
	assert_int_equal(
		sniffed("gzip  4380 \n\tffffffff815e4505 set_pte_range\n"),
		PN_SNIFF_LIKELY);
	assert_int_equal(sniffed("all : \n\tcc -o a a.c\n"), PN_SNIFF_NO);
}

static void names_the_line_that_is_wrong(void **state)
{
	(void)state;
	refuses("hello\n",
		"cannot read 'x': line 1: expected 'comm pid time: period "
		"event:', as perf script prints it");
	refuses("# only comments\n\n",
		"cannot read 'x': line 2: the file ends without a record "
		"'comm pid time: period event:'");
	refuses("a 1 1.5: 18446744073709551615 c:\n",
		"cannot read 'x': line 1: a period above 2^63");
	refuses("a 1 1.5: 9223372036854775807 c:\n\na 1 1.5: 1 c:\n",
		"cannot read 'x': line 3: periods add up to more than 63 "
		"bits hold");
}

/* The modifiers of perf-list(1): who is counted is of the name, how it is
 * sampled is not. */
static void names_what_an_event_counts(void **state)
{
	static const char *const names[][2] = {
		{"cycles", "cycles"},
		{"cpu-clock:pppH", "cpu-clock"},
		{"cycles:P", "cycles"},
		{"cycles:u", "cycles:u"},
		{"cycles:ppu", "cycles:u"},
		{"cycles:ukH", "cycles:uk"},
		{"cycles:GH", "cycles:GH"},
		{"instructions:kG", "instructions:kG"},
		{"cpu/event=0x3c/ppp", "cpu/event=0x3c/"},
		{"cpu/cycles/uP", "cpu/cycles/u"},
		{"cpu/cycles/:S", "cpu/cycles/"},
		{"sched:sched_switch", "sched:sched_switch"},
		{"sched:sched_switch:k", "sched:sched_switch:k"},
		{"mem:0x10:rw", "mem:0x10:rw"},
		{"LSD.UOPS:cmask=0x1", "LSD.UOPS:cmask=0x1"},
		{"probe:uuu", "probe:uuu"}, /* only p stands twice */
		{"cycles:", "cycles:"},
		{":p", ":p"},
	};
	struct pn_buf out = {0};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		pn_buf_clear(&out);
		pn_perf_event_name(&out, names[i][0]);
		assert_string_equal(pn_buf_text(&out), names[i][1]);
	}
	pn_buf_release(&out);
}

static void keeps_modifiers_that_tell_events_apart(void **state)
{
	struct pn_profile p;

	(void)state;
	reads_as(&p,
		 "a 1 1.5: 3 cycles:p:\n\t1 f (/b)\n\n"
		 "a 1 1.5: 4 cycles:ppp:\n\t1 f (/b)\n\n"
		 "a 1 1.5: 5 cycles:up:\n\t1 f (/b)\n\n"
		 "a 1 1.5: 6 cpu-clock:pppH:\n\t1 f (/b)\n\n",
		 "a;f 3\n");
	assert_int_equal(p.type_count, 4);
	assert_string_equal(type_name(&p, 0), "cycles:p");
	assert_string_equal(type_name(&p, 1), "cycles:ppp");
	assert_string_equal(type_name(&p, 2), "cycles:u");
	assert_string_equal(type_name(&p, 3), "cpu-clock");
	assert_string_equal(unit_name(&p, 3), "nanoseconds");
	pn_profile_release(&p);
}

static void recognises_text_of_perf(void **state)
{
	static const char *const good[] = {
		"# ========\n# captured on    : Fri Nov 20\n",
		"a  1  1.5:    3 cpu-clock: \n\tff f (/b)\n",
		"   a  1  1.5:    3 cpu-clock:   55f0 f (/b)\n",
		"a 1/2 [000] 1.5: cycles:u: \r\n\tff f (/b)\r\n",
	};
	static const char *const bad[] = {
		"a;b 1\n",	     "hello 1\nworld 2\n",
		"a 1 1.5:\nhello\n", "Flat profile:\n\n\tff\n",
		"\tdeadbeef 1\n",    "a: 1\n\tff\n"};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(*good); i++)
		assert_int_equal(pn_codec_perf_script.sniff(
					 (const unsigned char *)good[i],
					 strlen(good[i])),
				 PN_SNIFF_LIKELY);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(
			pn_codec_perf_script.sniff(
				(const unsigned char *)bad[i], strlen(bad[i])),
			PN_SNIFF_NO);
}

static void says_how_to_read_perf_data(void **state)
{
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	assert_int_equal(read_bytes(&p, NULL, "PERFILE2\x68\0\0\0", 12, &err),
			 PN_EFORMAT);
	assert_string_equal(err.message,
			    "cannot read 'x': perf.data is read by name, "
			    "through perf; of other places read the text of "
			    "'perf script -i <file>'");
}

/* A program begins with page faults, and its time is not theirs: the headline
 * is the clock; without a clock the event with the most records. */
static void shows_the_time_and_not_the_first_event(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, NULL,
		  "a 1 1.0: 1 page-faults: \n\t1 f+0x0 (/a)\n\n"
		  "a 1 1.1: 1 page-faults: \n\t1 f+0x0 (/a)\n\n"
		  "a 1 1.2: 250 cpu-clock:u: \n\t1 f+0x0 (/a)\n\n");
	assert_string_equal(pn_profile_text(&p, p.default_type), "cpu-clock:u");
	assert_int_equal(p.type_count, 2);
	pn_profile_release(&p);
	read_good(&p, NULL,
		  "a 1 1.0: 1 page-faults: \n\t1 f+0x0 (/a)\n\n"
		  "a 1 1.1: 5 cache-misses: \n\t1 f+0x0 (/a)\n\n"
		  "a 1 1.2: 5 cache-misses: \n\t1 f+0x0 (/a)\n\n");
	assert_string_equal(pn_profile_text(&p, p.default_type),
			    "cache-misses");
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(adds_periods_of_one_stack),
		cmocka_unit_test(puts_the_program_first),
		cmocka_unit_test(lasts_from_the_first_sample_to_the_last),
		cmocka_unit_test(reads_all_choices_of_fields),
		cmocka_unit_test(takes_blanks_and_numbers_in_names),
		cmocka_unit_test(takes_line_ends_of_other_systems),
		cmocka_unit_test(keeps_events_apart),
		cmocka_unit_test(names_what_an_event_counts),
		cmocka_unit_test(keeps_modifiers_that_tell_events_apart),
		cmocka_unit_test(takes_lines_of_the_source),
		cmocka_unit_test(takes_one_line_of_the_source_a_frame),
		cmocka_unit_test(folds_inlined_frames_into_one_location),
		cmocka_unit_test(passes_over_addresses_of_data),
		cmocka_unit_test(passes_over_branches),
		cmocka_unit_test(passes_over_what_is_no_sample),
		cmocka_unit_test(says_what_it_did_not_understand),
		cmocka_unit_test(takes_records_without_pid_and_time),
		cmocka_unit_test(recognises_records_without_pid_and_time),
		cmocka_unit_test(names_the_line_that_is_wrong),
		cmocka_unit_test(recognises_text_of_perf),
		cmocka_unit_test(says_how_to_read_perf_data),
		cmocka_unit_test(shows_the_time_and_not_the_first_event),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
