/* Index lines: the grammar of storage/FORMAT.md. */
#include "base/buf.h"
#include "base/hash.h"
#include "model/entry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define COMMIT "1111111111111111111111111111111111111111"
#define TREE "2222222222222222222222222222222222222222"
#define BODY "3333333333333333333333333333333333333333"
#define TIME "2026-11-20T10:00:00.000000001Z"

/* A line with the id that FORMAT.md prescribes, computed here from the text
 * before and behind it. */
static void make_line(struct pn_buf *out, const char *time, const char *rest)
{
	unsigned char sum[32];
	struct pn_buf bare = {0};
	size_t i;

	pn_buf_printf(&bare, "perf1 %s %s", time, rest);
	pn_hash_sha256(sum, bare.data, bare.len);
	pn_buf_printf(out, "perf1 %s ", time);
	for (i = 0; i < 8; i++)
		pn_buf_printf(out, "%02x", sum[i]);
	pn_buf_printf(out, " %s", rest);
	pn_buf_release(&bare);
}

static int parse(struct pn_entry *out, struct pn_arena *arena, const char *rest,
		 struct pn_error *err)
{
	struct pn_buf line = {0};
	int code;

	make_line(&line, TIME, rest);
	code = pn_entry_parse(out, arena, pn_buf_text(&line), line.len, err);
	pn_buf_release(&line);
	return code;
}

static void reads_what_the_format_says(void **state)
{
	struct pn_arena arena = {0};
	struct pn_entry e;

	(void)state;
	assert_int_equal(parse(&e, &arena,
			       "profile " BODY " 77 " COMMIT " " TREE
			       " n=00ff cmd=a%20b m=wall;s;less;3;0.5,0.25,1",
			       NULL),
			 0);
	assert_int_equal(e.kind, PN_ENTRY_PROFILE);
	assert_int_equal(e.time_ns, INT64_C(1795168800000000001));
	assert_int_equal(e.size, 77);
	assert_true(e.has_body);
	assert_string_equal(pn_entry_field(&e, "cmd"), "a b");
	assert_string_equal(pn_entry_field(&e, "absent"), "");
	assert_int_equal(e.metric_count, 1);
	assert_string_equal(e.metrics[0].name, "wall");
	assert_int_equal(e.metrics[0].better, PN_BETTER_LESS);
	assert_int_equal(e.metrics[0].value_count, 3);
	assert_true(e.metrics[0].summary.median == 0.5);
	pn_arena_release(&arena);
}

static void reads_a_summary_with_unknown_parts(void **state)
{
	struct pn_arena arena = {0};
	struct pn_entry e;

	(void)state;
	assert_int_equal(parse(&e, &arena,
			       "profile - 0 " COMMIT " " TREE
			       " m=x%3By;;-;100;s,1,,3,,5,2.5,",
			       NULL),
			 0);
	assert_false(e.has_body);
	assert_string_equal(e.metrics[0].name, "x;y");
	assert_null(e.metrics[0].values);
	assert_true(e.metrics[0].summary.mean == 2.5);
	assert_true(isnan(e.metrics[0].summary.sd));
	assert_true(isnan(e.metrics[0].summary.q1));
	assert_int_equal(
		parse(&e, &arena,
		      "profile - 0 " COMMIT " " TREE " m=x;s;less;2;1,", NULL),
		0);
	assert_int_equal(e.metrics[0].summary.n, 2);
	assert_null(e.metrics[0].values);
	assert_true(isnan(e.metrics[0].summary.median));
	pn_arena_release(&arena);
}

static void names_the_part_that_is_wrong(void **state)
{
	static const struct {
		const char *rest, *says;
	} cases[] = {
		{"profile", "no body"},
		{"profile xyz 0 " COMMIT " " TREE, "bad body 'xyz'"},
		{"profile - -1 " COMMIT " " TREE, "bad size '-1'"},
		{"profile - 0 11 " TREE, "bad commit '11'"},
		{"profile - 0 " COMMIT " zz", "bad tree 'zz'"},
		{"del 1234 - " COMMIT " " TREE, "bad body '1234'"},
		{"profile - 0 " COMMIT " " TREE " novalue",
		 "'novalue' is no key=value"},
		{"profile - 0 " COMMIT " " TREE " k=%2",
		 "bad percent escape in '%2'"},
		{"profile - 0 " COMMIT " " TREE " m=a;b;less;2;1",
		 "bad metric 'a;b;less;2;1', expected "
		 "name;unit;less|more|-;n;values"},
	};
	struct pn_arena arena = {0};
	struct pn_error err;
	struct pn_entry e;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_true(parse(&e, &arena, cases[i].rest, &err) < 0);
		assert_string_equal(err.message, cases[i].says);
	}
	pn_arena_release(&arena);
}

static void refuses_an_id_that_does_not_fit(void **state)
{
	struct pn_arena arena = {0};
	struct pn_buf line = {0};
	struct pn_error err;
	struct pn_entry e;

	(void)state;
	make_line(&line, TIME, "profile - 0 " COMMIT " " TREE);
	line.data[line.len - 1] = '3'; /* the tree's last digit */
	assert_int_equal(
		pn_entry_parse(&e, &arena, pn_buf_text(&line), line.len, &err),
		PN_EINVAL);
	assert_non_null(strstr(err.message, "does not fit the line"));
	pn_buf_release(&line);
	pn_arena_release(&arena);
}

static void refuses_lines_beyond_the_limit(void **state)
{
	struct pn_arena arena = {0};
	struct pn_buf rest = {0};
	struct pn_entry e;
	size_t i;

	(void)state;
	pn_buf_add_text(&rest, "profile - 0 " COMMIT " " TREE " k=");
	for (i = 0; i < PN_LINE_MAX; i++)
		pn_buf_add_byte(&rest, 'x');
	assert_int_equal(parse(&e, &arena, pn_buf_text(&rest), NULL),
			 PN_ELIMIT);
	pn_buf_release(&rest);
	pn_arena_release(&arena);
}

static void writes_what_it_reads(void **state)
{
	const char *rest = "profile " BODY " 77 " COMMIT " " TREE
			   " n=00ff cmd=a%20b l.x%3D=%E2%82%AC "
			   "m=wall;s;less;2;0.1,1e-09";
	struct pn_arena arena = {0};
	struct pn_buf line = {0}, back = {0};
	struct pn_entry e;

	(void)state;
	make_line(&line, TIME, rest);
	pn_buf_add_byte(&line, '\n');
	assert_int_equal(parse(&e, &arena, rest, NULL), 0);
	assert_int_equal(pn_entry_write(&back, &e, NULL), 0);
	assert_string_equal(pn_buf_text(&back), pn_buf_text(&line));
	pn_buf_release(&line);
	pn_buf_release(&back);
	pn_arena_release(&arena);
}

static void summarizes_more_values_than_a_line_keeps(void **state)
{
	double values[PN_LINE_VALUES_MAX + 1];
	struct pn_entry_metric m = {
		.name = "w",
		.unit = "ns",
		.values = values,
		.value_count = PN_LINE_VALUES_MAX + 1,
		.summary = {PN_LINE_VALUES_MAX + 1, 1, 2, 3, 4, 5, 3, NAN}};
	struct pn_entry e = {.kind = PN_ENTRY_PROFILE,
			     .kind_text = "profile",
			     .metrics = &m,
			     .metric_count = 1};
	struct pn_buf line = {0};

	(void)state;
	assert_int_equal(pn_entry_write(&line, &e, NULL), 0);
	assert_non_null(
		strstr(pn_buf_text(&line), " m=w;ns;-;33;s,1,2,3,4,5,3,\n"));
	pn_buf_release(&line);
}

/* Union merges repeat lines and bring removed ones back: neither may show. */
static void keeps_live_records_only(void **state)
{
	struct pn_buf a = {0}, b = {0}, note = {0};
	struct pn_arena arena = {0};
	const struct pn_entry *list;
	struct pn_entry first;
	size_t count, ignored;
	char rest[256];

	(void)state;
	make_line(&a, TIME, "profile - 0 " COMMIT " " TREE " n=1");
	make_line(&b, "2026-11-20T10:00:00.000000002Z",
		  "profile - 0 " COMMIT " " TREE " n=2");
	pn_buf_printf(&note, "%s\n\nhello\n%s\n%s\n", pn_buf_text(&b),
		      pn_buf_text(&a), pn_buf_text(&b));
	pn_entries_parse(&list, &count, &ignored, &arena, pn_buf_text(&note),
			 note.len);
	assert_int_equal(count, 2);
	assert_int_equal(ignored, 1);
	assert_string_equal(pn_entry_field(&list[0], "n"), "2");
	assert_string_equal(pn_entry_field(&list[1], "n"), "1");

	assert_int_equal(
		pn_entry_parse(&first, &arena, pn_buf_text(&a), a.len, NULL),
		0);
	snprintf(rest, sizeof(rest), "del %s - " COMMIT " " TREE " n=3",
		 first.id);
	make_line(&note, "2026-11-20T10:00:00.000000000Z", rest);
	pn_entries_parse(&list, &count, &ignored, &arena, pn_buf_text(&note),
			 note.len);
	assert_int_equal(count, 1);
	assert_string_equal(pn_entry_field(&list[0], "n"), "2");
	pn_buf_release(&a);
	pn_buf_release(&b);
	pn_buf_release(&note);
	pn_arena_release(&arena);
}

/* Newest first: tombstones stand before what they name, and between both is
 * what is kept. */
static void leaves_out_what_was_removed_before_others(void **state)
{
	struct pn_buf note = {0}, text = {0};
	struct pn_arena arena = {0};
	const struct pn_entry *list;
	struct pn_entry e;
	char time[64], rest[256];
	size_t count, i;

	(void)state;
	for (i = 0; i < 6; i++) {
		size_t start = note.len;

		snprintf(time, sizeof(time), "2026-11-20T10:00:00.%09zuZ", i);
		snprintf(rest, sizeof(rest),
			 "profile - 0 " COMMIT " " TREE " n=%zu", i);
		make_line(&note, time, rest);
		if (pn_entry_parse(&e, &arena, pn_buf_text(&note) + start,
				   note.len - start, NULL))
			fail();
		pn_buf_add_byte(&note, '\n');
		if (i != 2 && i != 4)
			continue;
		snprintf(time, sizeof(time), "2026-11-20T10:01:00.%09zuZ", i);
		snprintf(rest, sizeof(rest),
			 "del %s - " COMMIT " " TREE " n=%zu", e.id, i);
		make_line(&note, time, rest);
		pn_buf_add_byte(&note, '\n');
	}
	pn_entries_parse(&list, &count, NULL, &arena, pn_buf_text(&note),
			 note.len);
	for (i = 0; i < count; i++)
		pn_buf_add_text(&text, pn_entry_field(&list[i], "n"));
	assert_string_equal(pn_buf_text(&text), "5310");
	pn_buf_release(&note);
	pn_buf_release(&text);
	pn_arena_release(&arena);
}

static void keeps_kinds_of_later_versions(void **state)
{
	struct pn_arena arena = {0};
	struct pn_entry e;

	(void)state;
	assert_int_equal(
		parse(&e, &arena, "accept - 0 " COMMIT " " TREE " by=me", NULL),
		0);
	assert_int_equal(e.kind, PN_ENTRY_OTHER);
	assert_string_equal(e.kind_text, "accept");
	pn_arena_release(&arena);
}

/* Whether a line of BODY with these fields says that the body is verbatim. */
static bool is_verbatim(const char *fields)
{
	char hex[PN_OID_HEX + 1];
	struct pn_entry_link link;
	struct pn_buf line = {0}, rest = {0};

	pn_buf_printf(&rest, "profile " BODY " 77 " COMMIT " " TREE "%s",
		      fields);
	make_line(&line, TIME, pn_buf_text(&rest));
	assert_true(pn_entry_link_parse(&link, pn_buf_text(&line), line.len));
	pn_oid_hex(hex, &link.body);
	assert_string_equal(hex, BODY);
	line.data[line.len - 1] ^= 1;
	assert_false(pn_entry_link_parse(&link, pn_buf_text(&line), line.len));
	pn_buf_release(&line);
	pn_buf_release(&rest);
	return link.verbatim;
}

static void finds_the_body_and_whether_it_is_verbatim(void **state)
{
	struct pn_entry_link link;
	struct pn_buf line = {0};

	(void)state;
	assert_true(is_verbatim(" n=00ff body=verbatim cmd=x"));
	assert_true(is_verbatim(" cmd=a%20b body=verbatim"));
	assert_true(is_verbatim(" body=verbatim body=canonical"));
	assert_false(is_verbatim(" n=00ff body=canonical cmd=a%20b"));
	assert_false(is_verbatim(" body=canonical body=verbatim"));
	assert_false(is_verbatim(" body=verbatim2 n=1"));
	assert_false(is_verbatim(" n=1"));
	/* what is read as body=canonical is not believed */
	assert_false(is_verbatim(" bod%79=canonical body=verbatim"));
	assert_false(is_verbatim(" %62ody=canonical body=verbatim"));
	make_line(&line, TIME, "profile - 0 " COMMIT " " TREE " n=1");
	assert_false(pn_entry_link_parse(&link, pn_buf_text(&line), line.len));
	pn_buf_clear(&line);
	make_line(&line, TIME, "del " BODY " - " COMMIT " " TREE " n=1");
	assert_false(pn_entry_link_parse(&link, pn_buf_text(&line), line.len));
	pn_buf_release(&line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_body_and_whether_it_is_verbatim),
		cmocka_unit_test(reads_what_the_format_says),
		cmocka_unit_test(reads_a_summary_with_unknown_parts),
		cmocka_unit_test(names_the_part_that_is_wrong),
		cmocka_unit_test(refuses_an_id_that_does_not_fit),
		cmocka_unit_test(refuses_lines_beyond_the_limit),
		cmocka_unit_test(writes_what_it_reads),
		cmocka_unit_test(summarizes_more_values_than_a_line_keeps),
		cmocka_unit_test(keeps_live_records_only),
		cmocka_unit_test(leaves_out_what_was_removed_before_others),
		cmocka_unit_test(keeps_kinds_of_later_versions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
