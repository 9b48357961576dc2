/* Heap maps of a few allocations; figures by arithmetic. */
#include "analysis/resources/heap.h"

#include "read_text.h"

#include <math.h>
#include <string.h>

#define AT(time) "{\"time\": \"" time "\", \"resources\": ["
#define GOT(bytes, address)                                                    \
	"{\"type\": \"memory\", \"subtype\": \"malloc\", \"amount\": " bytes   \
	", \"address\": " address ", \"uid\": \"f\"}"
#define FREED(address)                                                         \
	"{\"type\": \"memory\", \"subtype\": \"free\", \"amount\": 0, "        \
	"\"address\": " address ", \"uid\": \"f\"}"
#define END "]}"

struct made {
	struct pn_profile profile;
	struct pn_heap heap;
};

static int try(struct made *m, const char *snapshots, uint32_t runs,
	       size_t columns, size_t rows)
{
	struct pn_resources_request request;
	struct pn_buf text = {0};
	struct pn_error err;
	int code;

	pn_buf_printf(&text,
		      "{\"origin\": \"\", \"header\": {\"type\": \"memory\", "
		      "\"units\": {\"memory\": \"B\"}, \"cmd\": \"a\", "
		      "\"workload\": \"\", \"params\": \"\"}, "
		      "\"collector_info\": {\"name\": \"memory\", \"params\": "
		      "{}}, \"postprocessors\": [], \"snapshots\": [%s]}",
		      snapshots);
	read_text(&m->profile, &text);
	m->profile.header.runs = runs;
	pn_resources_request_init(&request);
	code = pn_heap_init(&m->heap, &m->profile, &request, columns, rows,
			    &err);
	return code;
}

static void make(struct made *m, const char *snapshots, uint32_t runs,
		 size_t columns, size_t rows)
{
	assert_int_equal(try(m, snapshots, runs, columns, rows), 0);
}

static void release(struct made *m)
{
	pn_heap_release(&m->heap);
	pn_profile_release(&m->profile);
}

static void has_row(const struct made *m, size_t at, double snapshot,
		    size_t count, double bytes)
{
	assert_true(at < m->heap.row_count);
	assert_true(m->heap.rows[at].snapshot == snapshot);
	assert_int_equal(m->heap.rows[at].count, count);
	assert_true(m->heap.rows[at].bytes == bytes);
}

static void is_near(double value, double expected)
{
	assert_true(fabs(value - expected) < 1e-12);
}

/* 4 and 100 bytes, then 50 more and the 100 freed, then 30. */
static const char three[] = AT("1") GOT("4", "1000") "," GOT("100", "2000") END
	"," AT("2") GOT("50", "1200") "," FREED("2000") END "," AT("3")
		GOT("30", "1500") END;

/* From 1000 to 2100 there are 1100 bytes: 46 columns of 24. 2000 is in number
 * (2000 - 1000) / 24 = 41, which ends at 2008; number 45 begins at 2080. */
static void columns_have_the_share_that_is_allocated(void **state)
{
	struct made m;
	size_t i;

	(void)state;
	make(&m, three, 1, 46, 10);
	assert_int_equal(m.heap.region_count, 1);
	assert_int_equal(m.heap.regions[0].start, 1000);
	assert_int_equal(m.heap.regions[0].end, 2100);
	assert_int_equal(m.heap.columns, 46);
	assert_int_equal(m.heap.column_bytes, 24);
	has_row(&m, 0, 0, 2, 104);
	has_row(&m, 1, 1, 2, 54);
	has_row(&m, 2, 2, 3, 84);
	is_near(m.heap.rows[0].share[0], 4 / 24.0);
	is_near(m.heap.rows[0].share[1], 0);
	is_near(m.heap.rows[0].share[41], 8 / 24.0);
	for (i = 42; i < 45; i++)
		is_near(m.heap.rows[0].share[i], 1);
	is_near(m.heap.rows[0].share[45], 20 / 24.0);
	for (i = 41; i < 46; i++)
		is_near(m.heap.rows[1].share[i], 0);
	/* 1200 is in number 8, from 1192 to 1216 */
	is_near(m.heap.rows[1].share[8], 16 / 24.0);
	is_near(m.heap.rows[1].share[9], 1);
	is_near(m.heap.rows[1].share[10], 10 / 24.0);
	is_near(m.heap.heat[0], 1);
	is_near(m.heap.heat[41], 1);
	is_near(m.heap.heat[30], 0);
	release(&m);
}

/* (at + 1) * 2 / 3 of three snapshots is 0, 1, 2. */
static void of_more_snapshots_than_rows_the_last_stay(void **state)
{
	struct made m;

	(void)state;
	make(&m, three, 1, 46, 2);
	assert_int_equal(m.heap.snapshots, 3);
	assert_int_equal(m.heap.row_count, 2);
	has_row(&m, 0, 1, 2, 54);
	has_row(&m, 1, 2, 3, 84);
	release(&m);
}

/* In its own snapshot in either order; 20 take the place of 10. */
static void what_is_freed_or_allocated_again_is_not_there(void **state)
{
	struct made m;

	(void)state;
	make(&m,
	     AT("1") GOT("7", "1000") "," FREED("1000") "," FREED(
		     "1100") "," GOT("9",
				     "1100") "," GOT("10",
						     "1200") "," GOT("20",
								     "1200")
		     END,
	     1, 40, 10);
	assert_int_equal(m.heap.row_count, 1);
	has_row(&m, 0, 0, 1, 20);
	/* 1000 to 1220 are 40 columns of 6 at most: 37; 1200 is in 33 */
	assert_int_equal(m.heap.column_bytes, 6);
	is_near(m.heap.heat[0], 1);
	is_near(m.heap.heat[33], 2);
	release(&m);
}

/* Of two runs: 100 and 100 at 1000, 60 and 80 at 2000, which both free then. */
static void runs_have_what_one_has(void **state)
{
	struct made m;

	(void)state;
	make(&m,
	     AT("1") GOT("100", "1000") "," GOT("60", "2000") "," GOT(
		     "100", "1000") "," GOT("80", "2000") END "," AT("2")
		     FREED("2000") "," FREED("2000") END,
	     2, 1080, 10);
	assert_int_equal(m.heap.row_count, 2);
	has_row(&m, 0, 0, 2, (100 + 60 + 100 + 80) / 2.0);
	has_row(&m, 1, 1, 1, (100 + 100) / 2.0);
	/* a byte a column: 2000 to 2060 in both, to 2080 in one of them */
	assert_int_equal(m.heap.column_bytes, 1);
	is_near(m.heap.rows[0].share[0], 1);
	is_near(m.heap.rows[0].share[99], 1);
	is_near(m.heap.rows[0].share[100], 0);
	is_near(m.heap.rows[0].share[1059], 1);
	is_near(m.heap.rows[0].share[1060], 0.5);
	is_near(m.heap.rows[1].share[1000], 0);
	is_near(m.heap.heat[0], 1);
	is_near(m.heap.heat[1079], 0.5);
	release(&m);
}

/* Three allocations of two runs at one address: the oldest is replaced. */
static void no_more_than_one_of_each_run_is_at_an_address(void **state)
{
	struct made m;

	(void)state;
	make(&m,
	     AT("1") GOT("10", "1000") "," GOT("20", "1000") "," GOT(
		     "40", "1000") END,
	     2, 40, 10);
	has_row(&m, 0, 0, 1, (20 + 40) / 2.0);
	release(&m);
}

static void what_has_no_address_is_counted(void **state)
{
	struct made m;

	(void)state;
	make(&m, AT("1") GOT("5", "1000") "," GOT("6", "0") END, 1, 40, 10);
	assert_int_equal(m.heap.left_out, 1);
	has_row(&m, 0, 0, 1, 5);
	release(&m);
	assert_int_equal(try(&m, AT("1") GOT("6", "0") END, 1, 40, 10),
			 PN_ERANGE);
	release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_have_the_share_that_is_allocated),
		cmocka_unit_test(of_more_snapshots_than_rows_the_last_stay),
		cmocka_unit_test(what_is_freed_or_allocated_again_is_not_there),
		cmocka_unit_test(runs_have_what_one_has),
		cmocka_unit_test(no_more_than_one_of_each_run_is_at_an_address),
		cmocka_unit_test(what_has_no_address_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
