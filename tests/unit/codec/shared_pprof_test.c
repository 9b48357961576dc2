/* pprof on profiles of real profilers, against what pprof says of them. */
#include "codec/rows.h"
#include "shared.h"

#include "base/file.h"
#include "base/process/process.h"
#include "codec/pprof/pprof.h"

#include <glob.h>
#include <inttypes.h>
#include <math.h>

/* Files and what `pprof -raw` printed of them. */
static const char *const dumped[] = {
	"allocs", "block", "cpu", "goroutine", "heap", "mutex", "threadcreate"};

/* A sample: "1 10000000: 1 2 3", values and ids of locations. */
static void check_sample(const struct pn_profile *p, size_t sample,
			 const char *line)
{
	uint32_t at = p->stack_start[p->samples[sample].stack];
	char *end;
	size_t type;

	for (type = 0; type < p->type_count; type++) {
		assert_int_equal(p->values[sample * p->type_count + type].i,
				 strtoll(line, &end, 10));
		line = end;
	}
	assert_int_equal(*line++, ':');
	for (;; at++) {
		unsigned long id = strtoul(line, &end, 10);

		if (end == line)
			break;
		assert_int_equal(p->frames[at], id - 1);
		line = end;
	}
	assert_int_equal(at, p->stack_start[p->samples[sample].stack + 1]);
}

/* "kind:[json] worker:[0]" below a sample; one label at least is ours. */
static void check_labels(const struct pn_profile *p, size_t sample,
			 const char *line)
{
	uint32_t set = p->samples[sample].labels, at;

	for (at = p->label_set_start[set]; at < p->label_set_start[set + 1];
	     at++) {
		const struct pn_label *label = &p->labels[at];
		const char *key = pn_profile_text(p, label->key);
		char text[256];

		if (label->kind == PN_LABEL_STRING)
			snprintf(text, sizeof(text), "%s:[%s]", key,
				 pn_profile_text(p, label->value.s));
		else
			snprintf(text, sizeof(text), "%s:[%" PRId64 "]", key,
				 label->value.i);
		assert_non_null(strstr(line, text));
	}
	assert_true(p->label_set_start[set + 1] > p->label_set_start[set]);
}

/* " 1: 0x45339f M=1 runtime.step /usr/.../symtab.go:1121:0 s=0" */
static void check_location(const struct pn_profile *p, const char *line)
{
	uint64_t address = 0;
	unsigned int id = 0, mapping = 0, n;
	char text[1024];

	if (sscanf(line, " %u: 0x%" SCNx64 " M=%u", &id, &address, &mapping) !=
	    3)
		return; /* a further line of an inlined function */
	assert_in_range(id, 1, p->location_count);
	assert_int_equal(p->locations[id - 1].address, address);
	assert_int_equal(p->locations[id - 1].mapping, mapping - 1);
	if (p->locations[id - 1].line_count) {
		const struct pn_line *l =
			&p->lines[p->locations[id - 1].line_first];
		const struct pn_function *f = &p->functions[l->function];

		n = (unsigned int)snprintf(
			text, sizeof(text), " %s %s:%" PRId64 ":",
			pn_profile_text(p, f->name),
			pn_profile_text(p, f->file), l->line);
		assert_in_range(n, 1, sizeof(text) - 1);
		assert_non_null(strstr(line, text));
	}
}

static void check_dump(const struct pn_profile *p, const char *path)
{
	enum { HEAD, SAMPLES, LOCATIONS, MAPPINGS } part = HEAD;
	size_t sample = 0, locations = 0;
	FILE *file = fopen(path, "r");
	static char line[65536];

	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		if (!strncmp(line, "Samples:", 8))
			part = SAMPLES;
		else if (!strncmp(line, "Locations", 9))
			part = LOCATIONS;
		else if (!strncmp(line, "Mappings", 8))
			part = MAPPINGS;
		else if (part == SAMPLES && strstr(line, ":["))
			check_labels(p, sample - 1, line);
		else if (part == SAMPLES && strchr(line, ':'))
			check_sample(p, sample++, line);
		else if (part == LOCATIONS && strstr(line, ": 0x"))
			check_location(p, line), locations++;
	}
	fclose(file);
	assert_int_equal(sample, p->sample_count);
	assert_int_equal(locations, p->location_count);
}

static void reads_what_pprof_reads(void **state)
{
	char name[64];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(dumped) / sizeof(*dumped); i++) {
		struct pn_profile p;

		snprintf(name, sizeof(name), "go/%s.pb.gz", dumped[i]);
		read_profile(&p, NULL, shared(name));
		assert_true(p.complete);
		snprintf(name, sizeof(name), "go/%s.raw.txt", dumped[i]);
		check_dump(&p, shared(name));
		pn_profile_release(&p);
	}
}

static int64_t total(const struct pn_profile *p, const char *type)
{
	int64_t sum = 0;
	size_t t, i;

	for (t = 0; t < p->type_count; t++) {
		if (strcmp(pn_profile_text(p, p->types[t].type), type) != 0)
			continue;
		for (i = 0; i < p->sample_count; i++)
			sum += p->values[i * p->type_count + t].i;
		return sum;
	}
	fail_msg("no value type '%s'", type);
	return 0;
}

/* "... of 2.29s total": the number, the value of its last digit, the unit. */
static void printed_total(double *value, double *digit, const char *path)
{
	static const struct {
		const char *name;
		double factor;
	} units[] = {{"hrs", 3600e9}, {"ms", 1e6},	  {"us", 1e3},
		     {"ns", 1},	      {"s", 1e9},	  {"kB", 1024},
		     {"MB", 1048576}, {"GB", 1073741824}, {"", 1}};
	FILE *file = fopen(path, "r");
	char line[4096], *at = NULL, *end, *point;
	size_t i = 0;

	assert_non_null(file);
	while (!at && fgets(line, sizeof(line), file))
		at = strstr(line, "% of ");
	fclose(file);
	assert_non_null(at);
	*value = strtod(at + 5, &end);
	while (strncmp(end, units[i].name, strlen(units[i].name)) != 0)
		i++;
	point = memchr(at + 5, '.', (size_t)(end - at - 5));
	*digit = point ? pow(10, (double)(point + 1 - end)) : 1;
	*value *= units[i].factor;
	*digit *= units[i].factor;
}

static void sums_to_the_totals_that_pprof_prints(void **state)
{
	static const struct {
		const char *profile, *top, *type;
	} cases[] = {
		{"go/cpu.pb.gz", "go/cpu.top.txt", "cpu"},
		{"go/merged-cpu-cpu2.pb.gz", "go/merged-cpu-cpu2.top.txt",
		 "cpu"},
		{"go/heap.pb.gz", "go/heap.top-inuse_space.txt", "inuse_space"},
		{"go/heap.pb.gz", "go/heap.top-inuse_objects.txt",
		 "inuse_objects"},
		{"go/heap.pb.gz", "go/heap.top-alloc_space.txt", "alloc_space"},
		{"go/block.pb.gz", "go/block.top.txt", "delay"},
		{"go/mutex.pb.gz", "go/mutex.top.txt", "delay"},
		{"synthetic/s1.pb.gz", "synthetic/s1.top.txt", "cpu"},
		{"synthetic/1m.pb.gz", "synthetic/1m.top.txt", "cpu"},
		{"gperftools/gzip.pb.gz", "gperftools/gzip.pb.gz.top.txt",
		 "cpu"},
		{"gperftools/wordfreq.pb.gz",
		 "gperftools/wordfreq.pb.gz.top.txt", "cpu"}};
	double printed, digit;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pn_profile p;

		read_profile(&p, NULL, shared(cases[i].profile));
		printed_total(&printed, &digit, shared(cases[i].top));
		assert_true(fabs((double)total(&p, cases[i].type) - printed) <=
			    digit / 2 + 1);
		pn_profile_release(&p);
	}
}

static void sums_to_the_key_figures_of_the_series(void **state)
{
	FILE *file = fopen(shared("series/KEYFIGURES.tsv"), "r");
	char line[4096], name[128];
	size_t seen = 0;

	(void)state;
	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		struct pn_profile p;
		char *field[12], *at = line;
		size_t i;

		for (i = 0; i < 12 && at; i++) {
			field[i] = at;
			at = strchr(at, '\t');
			if (at)
				*at++ = '\0';
		}
		if (i < 12 || field[0][0] < '0' || field[0][0] > '9')
			continue;
		snprintf(name, sizeof(name), "series/pprof/%s-%.10s.pb.gz",
			 field[0], field[1]);
		read_profile(&p, NULL, shared(name));
		assert_true(fabs((double)total(&p, "cpu") / 1e6 -
				 strtod(field[10], NULL)) < 0.051);
		assert_int_equal(total(&p, "samples"),
				 strtoll(field[11], NULL, 10));
		pn_profile_release(&p);
		seen++;
	}
	fclose(file);
	assert_int_equal(seen, 40);
}

static void read_raw(struct pn_buf *out, const char *path)
{
	struct pn_reader *in = NULL;
	struct pn_error err;

	if (pn_reader_open(&in, path, 0, &err) ||
	    pn_reader_rest(out, in, UINT64_C(1) << 30, &err))
		fail_msg("%s", err.message);
	pn_reader_free(in);
}

/* A call for each file of a pattern. */
static void each(const char *pattern, size_t at_least,
		 void (*call)(const char *path))
{
	glob_t found;
	size_t i;

	assert_int_equal(glob(shared(pattern), 0, NULL, &found), 0);
	assert_true(found.gl_pathc >= at_least);
	for (i = 0; i < found.gl_pathc; i++)
		call(found.gl_pathv[i]);
	globfree(&found);
}

static void gives_the_same_bytes(const char *path)
{
	struct pn_buf raw = {0}, ours = {0};
	struct pn_profile p;
	struct pn_error err;

	read_raw(&raw, path);
	read_profile(&p, NULL, path);
	assert_int_equal(pn_pprof_encode(&ours, &p, &err), 0);
	assert_int_equal(raw.len, ours.len);
	assert_memory_equal(raw.data, ours.data, raw.len);
	pn_profile_release(&p);
	pn_buf_release(&raw);
	pn_buf_release(&ours);
}

/* These were written by pprof itself. */
static void writes_the_bytes_that_pprof_writes(void **state)
{
	(void)state;
	each("go/merged-*.pb.gz", 1, gives_the_same_bytes);
	each("gperftools/*.pb.gz", 2, gives_the_same_bytes);
	each("series/pprof/*.pb.gz", 40, gives_the_same_bytes);
}

static void comes_back_equal(const char *path)
{
	struct pn_buf file = {0};
	struct pn_profile p, q;
	struct pn_reader *in = NULL;
	const struct pn_codec *used;
	struct pn_error err;
	char why[200];

	read_profile(&p, &used, path);
	assert_ptr_equal(used, &pn_codec_pprof);
	assert_true(p.complete);
	assert_int_equal(pn_codec_pprof.write(&file, &p, &err), 0);
	pn_profile_init(&q);
	assert_int_equal(
		pn_reader_memory(&in, file.data, file.len, path, 0, &err), 0);
	assert_int_equal(pn_codec_read(&q, NULL, NULL, in, &err), 0);
	if (!pn_profile_equal(&p, &q, why, sizeof(why)))
		fail_msg("%s: %s", path, why);
	pn_profile_release(&p);
	pn_profile_release(&q);
	pn_reader_free(in);
	pn_buf_release(&file);
}

static void comes_back_equal_from_what_it_wrote(void **state)
{
	(void)state;
	each("go/*.pb.gz", 9, comes_back_equal);
	each("gperftools/*.pb.gz", 2, comes_back_equal);
	each("synthetic/*.pb.gz", 2, comes_back_equal);
	each("series/pprof/*.pb.gz", 40, comes_back_equal);
}

static bool raw_by_pprof(struct pn_buf *out, const char *path)
{
	const char *const argv[] = {
		"go", "tool", "pprof", "-raw", "-symbolize=none", path, NULL};
	struct pn_process_options options = {0};
	struct pn_error err;
	int status;

	options.in = options.err = -1;
	return !pn_process_capture(out, NULL, &status, argv, &options,
				   (size_t)1 << 30, &err) &&
	       !status;
}

static void is_the_same_to_pprof(const char *path)
{
	struct pn_buf file = {0}, theirs = {0}, ours = {0}, name = {0};
	const char *tmp = getenv("TMPDIR");
	struct pn_profile p;
	struct pn_error err;
	int fd;

	pn_buf_printf(&name, "%s/pprof-XXXXXX", tmp ? tmp : "/tmp");
	fd = mkstemp((char *)name.data);
	assert_true(fd >= 0);
	read_profile(&p, NULL, path);
	assert_int_equal(pn_codec_pprof.write(&file, &p, &err), 0);
	assert_int_equal(write(fd, file.data, file.len), (int64_t)file.len);
	close(fd);
	if (raw_by_pprof(&theirs, path)) {
		assert_true(raw_by_pprof(&ours, pn_buf_text(&name)));
		assert_string_equal(pn_buf_text(&theirs), pn_buf_text(&ours));
	}
	unlink(pn_buf_text(&name));
	pn_profile_release(&p);
	pn_buf_release(&file);
	pn_buf_release(&theirs);
	pn_buf_release(&ours);
	pn_buf_release(&name);
}

static void is_read_by_pprof_like_the_original(void **state)
{
	struct pn_buf out = {0};
	bool there = raw_by_pprof(&out, shared("go/goroutine.pb.gz"));

	(void)state;
	pn_buf_release(&out);
	if (!there) {
		printf("SKIPPED %s: no go tool pprof\n", __func__);
		skip();
	}
	each("go/*.pb.gz", 9, is_the_same_to_pprof);
	each("gperftools/*.pb.gz", 2, is_the_same_to_pprof);
	each("synthetic/s1.pb.gz", 1, is_the_same_to_pprof);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_what_pprof_reads),
		cmocka_unit_test(sums_to_the_totals_that_pprof_prints),
		cmocka_unit_test(sums_to_the_key_figures_of_the_series),
		cmocka_unit_test(writes_the_bytes_that_pprof_writes),
		cmocka_unit_test(comes_back_equal_from_what_it_wrote),
		cmocka_unit_test(is_read_by_pprof_like_the_original),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
