/*
 * All real profiles there are, and all else that lies beside them: each is
 * recognised as what shared_formats.tsv and data_formats.tsv say, by one format
 * alone.
 */
#include "codec/zstd_reader.h"
#include "shared.h"

#include "base/file.h"

#include <fnmatch.h>
#include <ftw.h>

static struct pn_buf table;
static const char *table_name;
static size_t seen;
static size_t prefix; /* of paths: the data folder and a slash */

/* The format of a path in the table: a copy in `out`, "" when it has none. */
static void expected(char out[64], const char *path)
{
	char row[512], *tab;
	const char *at = pn_buf_text(&table), *lf;

	*out = '\0';
	for (; (lf = strchr(at, '\n')); at = lf + 1) {
		snprintf(row, sizeof(row), "%.*s", (int)(lf - at), at);
		tab = strchr(row, '\t');
		if (*row == '#' || !tab)
			continue;
		*tab = '\0';
		if (!fnmatch(row, path, 0)) {
			snprintf(out, 64, "%s", tab + 1);
			return;
		}
	}
}

/* How many formats are as sure as the one that was chosen. */
static size_t equally_sure(const struct pn_codec *used, struct pn_reader *in)
{
	unsigned char begin[PN_SNIFF_BYTES];
	const unsigned char *bytes;
	enum pn_sniff sure;
	size_t i, have, count = 0;

	assert_int_equal(pn_reader_peek(&bytes, &have, in, PN_ZSTD_BLOCK, NULL),
			 0);
	if (pn_zstd_is(bytes, have)) {
		have = pn_zstd_begin(begin, sizeof(begin), bytes, have);
		bytes = begin;
	}
	if (have > PN_SNIFF_BYTES)
		have = PN_SNIFF_BYTES;
	sure = used->sniff(bytes, have);
	for (i = 0; pn_codecs[i]; i++)
		count += pn_codecs[i]->sniff(bytes, have) >= sure;
	return count;
}

static int check_file(const char *path, const struct stat *st, int type,
		      struct FTW *where)
{
	const struct pn_codec *used = NULL;
	struct pn_reader *in = NULL;
	struct pn_error err;
	char want[64];
	int code;

	(void)where;
	if (type != FTW_F || !st->st_size)
		return 0;
	expected(want, path + prefix);
	if (!*want)
		fail_msg("%s has no row for '%s'", table_name, path + prefix);
	if (!strcmp(want, "elsewhere"))
		return 0;
	assert_int_equal(pn_reader_open(&in, path, 0, &err), 0);
	code = pn_codec_sniff(&used, in, &err);
	if (strcmp(used ? used->name : "-", want))
		fail_msg("'%s' is taken for %s, expected %s", path,
			 used ? used->name : "nothing", want);
	if (!used && code != PN_EFORMAT)
		fail_msg("%s", err.message);
	if (used && equally_sure(used, in) != 1)
		fail_msg("'%s' is taken for several formats", path);
	pn_reader_free(in);
	seen++;
	return 0;
}

/* All files below the folder, by the table. */
static void check_folder(const char *folder, const char *rows)
{
	const char *source = getenv("PERF_SOURCE_DIR");
	struct pn_buf path = {0};
	struct pn_error err;

	table_name = rows;
	pn_buf_printf(&path, "%s/tests/unit/codec/%s", source ? source : ".",
		      rows);
	if (pn_file_read(&table, pn_buf_text(&path), 1 << 20, &err))
		fail_msg("%s", err.message);
	prefix = strlen(folder);
	assert_int_equal(nftw(folder, check_file, 16, FTW_PHYS), 0);
	pn_buf_release(&path);
	pn_buf_release(&table);
}

static void takes_no_measured_file_for_another(void **state)
{
	(void)state;
	check_folder(shared(""), "shared_formats.tsv");
	assert_true(seen > 300);
}

static void takes_no_file_of_the_tests_for_another(void **state)
{
	const char *source = getenv("PERF_SOURCE_DIR");
	struct pn_buf folder = {0};

	(void)state;
	pn_buf_printf(&folder, "%s/tests/data/", source ? source : ".");
	seen = 0;
	check_folder(pn_buf_text(&folder), "data_formats.tsv");
	assert_true(seen > 30);
	pn_buf_release(&folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_no_measured_file_for_another),
		cmocka_unit_test(takes_no_file_of_the_tests_for_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
