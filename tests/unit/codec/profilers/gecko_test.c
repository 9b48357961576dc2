/* What Firefox itself writes. */
#include "sums.h"

#include "codec/rows.h"

/* How many samples have this function somewhere. */
static int64_t samples_with(const struct pn_profile *p, const char *name)
{
	struct pn_buf text = {0};
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < p->sample_count; i++) {
		pn_buf_clear(&text);
		add_names(&text, p, p->samples[i].stack);
		if (strstr(pn_buf_text(&text), name))
			sum += p->values[i].i;
	}
	pn_buf_release(&text);
	return sum;
}

static const struct pn_function *find(const struct pn_profile *p,
				      const char *name)
{
	size_t i;

	for (i = 0; i < p->function_count; i++)
		if (!strcmp(pn_profile_text(p, p->functions[i].name), name))
			return &p->functions[i];
	fail_msg("no function '%s'", name);
	return NULL;
}

/* 12 rows of samples with a stack in the first process, 40 in the second, 4 of
 * them with a frame "fib (...)". The clock of the second begins at
 * 1795416411083.8743 - 1795416392792.1328 ms, its first sample is at
 * 10676.241815. */
static void reads_processes_and_their_clocks(void **state)
{
	static const struct sum sums[] = {{"samples", 52}};
	const struct pn_function *fib;
	struct pn_profile p;
	size_t i, first = 0;

	(void)state;
	assert_ptr_equal(read_data(&p, "gecko/two-processes.json"),
			 &pn_codec_gecko);
	has_sums(&p, sums, 1);
	assert_int_equal(samples_with(&p, "fib"), 4);
	fib = find(&p, "fib");
	assert_string_equal(pn_profile_text(&p, fib->file),
			    "file:///home/user/page.html");
	assert_int_equal(fib->start_line, 2);
	assert_int_equal(p.period, 20000000);
	assert_int_equal(p.events.count, 52);
	assert_int_equal(p.events.thread_count, 2);
	assert_string_equal(pn_profile_text(&p, p.events.threads[1].name),
			    "GeckoMain");
	while (p.events.items[first].thread != 1)
		first++;
	assert_int_equal(first, 12);
	assert_true(p.events.items[0].time_ns == 100961510);
	/* startTime has a quarter of a microsecond */
	assert_in_range(p.events.items[first].time_ns, 28967983315 - 1000,
			28967983315 + 1000);
	for (i = 0; i < p.mapping_count; i++)
		assert_true(p.mappings[i].limit > p.mappings[i].start);
	pn_profile_release(&p);
}

#define ADDRESSES                                                              \
	"\"threads\":[{\"stringTable\":[\"0x15\",\"0x25\",\"0x30\",\"0x9\"],"  \
	"\"frameTable\":{\"schema\":{\"location\":0},\"data\":[[0],[1],[2],["  \
	"3]]"                                                                  \
	"},\"stackTable\":{\"schema\":{\"prefix\":0,\"frame\":1},\"data\":["   \
	"[null,0],[0,1],[1,2],[2,3]]},\"samples\":{\"schema\":{\"stack\":0},"  \
	"\"data\":[[3]]}}]"
#define LIBS                                                                   \
	"\"libs\":[{\"start\":32,\"end\":48,\"name\":\"b\"},"                  \
	"{\"start\":16,\"end\":32,\"name\":\"a\"}]"

/* Whatever order libraries are in: 0x15 is of a, 0x25 of b; 0x30 is behind
 * both, 0x9 before them. */
static void addresses_have_their_library(void **state)
{
	static const char *const files[] = {NULL, NULL, "b", "a"};
	struct pn_profile p;
	size_t i;

	(void)state;
	read_good(&p, &pn_codec_gecko, "{" LIBS "," ADDRESSES "}");
	assert_int_equal(p.frame_count, 4);
	for (i = 0; i < 4; i++) {
		const struct pn_location *l = &p.locations[p.frames[i]];

		if (!files[i]) {
			assert_int_equal(l->mapping, PN_NONE);
			continue;
		}
		assert_string_equal(
			pn_profile_text(&p, p.mappings[l->mapping].file),
			files[i]);
	}
	pn_profile_release(&p);
	refuses_text(&pn_codec_gecko, "{" LIBS "," ADDRESSES "," LIBS "}",
		     "libs[0]: expected before the threads");
}

static void says_where_tables_are_wrong(void **state)
{
	(void)state;
	refuses_text(&pn_codec_gecko, "{\"meta\": {}, \"threads\": []}",
		     "expected at least one thread");
	refuses_text(&pn_codec_gecko,
		     "{\"threads\": [{\"samples\": {\"data\": [[0, 1]]}}]}",
		     "threads[0].samples.data[0]: expected a schema before it");
	refuses_text(&pn_codec_gecko,
		     "{\"threads\": [{\"samples\": {\"schema\": {\"stack\": 0, "
		     "\"time\": 1}, \"data\": [[3, 1.5]]}}]}",
		     "threads[0]: samples.data[0]: stack 3 of 0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_processes_and_their_clocks),
		cmocka_unit_test(addresses_have_their_library),
		cmocka_unit_test(says_where_tables_are_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
