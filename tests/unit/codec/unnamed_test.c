/* Frames without a name, through the formats that know frames by name only:
 * each binary keeps the cost of its own, as views of the profile have it. */
#include "analysis/report.h"
#include "codec/codec.h"
#include "codec/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#define US 1000

static const struct pn_codec *const writers[] = {
	&pn_codec_collapsed, &pn_codec_callgrind,  &pn_codec_perun,
	&pn_codec_pstats,    &pn_codec_speedscope, &pn_codec_racket,
	&pn_codec_pprof,
};

/* A frame of a mapping: of `name`, or with a function that has none (""), or
 * of no function at all (NULL). */
static uint32_t frame_in(struct pn_profile *p, uint32_t mapping,
			 const char *name)
{
	struct pn_location location = {.mapping = mapping};
	struct pn_function function = {0};
	struct pn_line line = {0};

	location.address = 0x1000 + p->location_count;
	if (name) {
		function.name = pn_strtab_add_text(&p->strings, name);
		line.function = pn_profile_add_function(p, &function);
	}
	return pn_profile_add_location(p, &location, &line, name != NULL);
}

static uint32_t mapping_of(struct pn_profile *p, const char *file)
{
	struct pn_mapping mapping = {0};

	mapping.file = pn_strtab_add_text(&p->strings, file);
	return pn_profile_add_mapping(p, &mapping);
}

static void add_call(struct pn_profile *p, uint32_t root, uint32_t leaf,
		     int64_t value)
{
	const uint32_t frames[2] = {leaf, root};
	const union pn_value row = {.i = value * US};

	pn_profile_add_sample(p, pn_profile_add_stack(p, frames, 2), 0, &row);
}

/* main calls into three binaries without symbols: 10 and 40 us of the program,
 * 20 and 30 us of two libraries. */
static void build(struct pn_profile *p)
{
	uint32_t prog, a, b, root;

	pn_profile_init(p);
	pn_profile_add_type(p, "cpu", "nanoseconds");
	pn_profile_add_label_set(p, NULL, 0);
	prog = mapping_of(p, "/usr/bin/prog");
	a = mapping_of(p, "/usr/lib/liba.so");
	b = mapping_of(p, "/usr/lib/libb.so");
	root = frame_in(p, prog, "main");
	add_call(p, root, frame_in(p, prog, ""), 10);
	add_call(p, root, frame_in(p, a, ""), 20);
	add_call(p, root, frame_in(p, b, NULL), 30);
	add_call(p, root, frame_in(p, prog, NULL), 40);
}

static void check_rows(struct pn_profile *p, const char *format)
{
	static const struct {
		const char *name;
		double share;
	} want[] = {{"[prog]", .5},
		    {"[libb.so]", .3},
		    {"[liba.so]", .2},
		    {"main", 0}};
	const struct pn_report_options options = {.divide_by = 1};
	struct pn_report r;
	struct pn_error err;
	size_t i;

	if (pn_report_init(&r, p, &options, &err))
		fail_msg("%s: %s", format, err.message);
	if (r.row_count != 4)
		fail_msg("%s: %zu rows", format, r.row_count);
	for (i = 0; i < 4; i++) {
		double share = (double)r.rows[i].flat / (double)r.total;

		if (strcmp(r.rows[i].name, want[i].name) != 0)
			fail_msg("%s: '%s', not '%s'", format, r.rows[i].name,
				 want[i].name);
		if (share < want[i].share - 1e-9 ||
		    share > want[i].share + 1e-9)
			fail_msg("%s: %s has %g", format, want[i].name, share);
	}
	pn_report_release(&r);
}

static void keeps_what_binaries_without_symbols_cost(void **state)
{
	struct pn_profile p, read;
	struct pn_error err;
	size_t i;

	(void)state;
	build(&p);
	for (i = 0; i < sizeof(writers) / sizeof(*writers); i++) {
		struct pn_buf out = {0};

		if (writers[i]->write(&out, &p, &err) ||
		    pn_codec_read_memory(&read, writers[i], out.data, out.len,
					 "x", &err))
			fail_msg("%s: %s", writers[i]->name, err.message);
		check_rows(&read, writers[i]->name);
		pn_profile_release(&read);
		pn_buf_release(&out);
	}
	/* the profile itself is as it was */
	assert_int_equal(p.function_count, 3);
	assert_int_equal(p.locations[3].line_count, 0);
	check_rows(&p, "the profile");
	pn_profile_release(&p);
}

/* Two functions f of two objects are two nodes, which Racket's readers tell
 * by name and place. */
static void keeps_functions_of_one_name_apart_for_racket(void **state)
{
	struct pn_profile p, read;
	struct pn_buf out = {0};
	struct pn_error err;

	(void)state;
	if (pn_codec_read_memory(&p, &pn_codec_callgrind,
				 "# callgrind format\nevents: Time_(ns)\n"
				 "ob=a\nfl=x.c\nfn=f\n1 3000000\n"
				 "ob=b\nfl=x.c\nfn=f\n1 4000000\n",
				 strlen("# callgrind format\n"
					"events: Time_(ns)\n"
					"ob=a\nfl=x.c\nfn=f\n1 3000000\n"
					"ob=b\nfl=x.c\nfn=f\n1 4000000\n"),
				 "x", &err) ||
	    pn_codec_racket.write(&out, &p, &err) ||
	    pn_codec_read_memory(&read, &pn_codec_racket, out.data, out.len,
				 "x", &err))
		fail_msg("%s", err.message);
	assert_int_equal(read.graph.node_count, 3); /* with the root */
	pn_buf_release(&out);
	pn_profile_release(&p);
	pn_profile_release(&read);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_what_binaries_without_symbols_cost),
		cmocka_unit_test(keeps_functions_of_one_name_apart_for_racket),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
