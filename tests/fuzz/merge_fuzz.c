/*
 * Merging: two profiles, which the first byte parts, give a valid one or a
 * refusal that leaves the first as it was; a profile without itself has no
 * samples of integers left. Comparing: each row is of a side or of both, and
 * a profile does not differ from itself.
 */
#include "analysis/diff/diff.h"
#include "analysis/merge/merge.h"
#include "codec/codec.h"
#include "model/graph/totals.h"

#include <stdlib.h>

#define LIMIT (1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_bytes(struct pn_profile *out, const void *data, size_t size)
{
	struct pn_reader *in = NULL;
	int code;

	pn_profile_init(out);
	code = pn_reader_memory(&in, data, size, "fuzz", LIMIT, NULL);
	if (!code)
		code = pn_codec_read(out, NULL, NULL, in, NULL);
	pn_reader_free(in);
	return code;
}

static void merge(const struct pn_profile *a, const struct pn_profile *b)
{
	const struct pn_merge_change change = {.base = true, .negate = true};
	struct pn_merge *m = pn_merge_new();
	struct pn_profile out;
	struct pn_error err;

	if (pn_merge_add(m, a, NULL, &err))
		abort();
	pn_merge_add(m, b, NULL, &err);
	pn_merge_add(m, b, &change, &err);
	pn_merge_end(&out, m);
	if (pn_profile_check(&out, &err))
		abort();
	pn_profile_release(&out);
}

static void subtract(const struct pn_profile *a)
{
	const struct pn_merge_change change = {.negate = true};
	struct pn_merge *m = pn_merge_new();
	bool adds = true;
	struct pn_profile out;
	size_t i;

	for (i = 0; i < a->type_count; i++)
		adds = adds && a->types[i].number == PN_NUMBER_INT &&
		       pn_totals_is_cost(a, i);
	if (pn_merge_add(m, a, NULL, NULL) || pn_merge_add(m, a, &change, NULL))
		abort();
	pn_merge_end(&out, m);
	if (adds && out.sample_count)
		abort();
	pn_profile_release(&out);
}

static void check_rows(const struct pn_diff *diff)
{
	struct pn_table table;
	size_t i;

	for (i = 0; i < diff->row_count; i++) {
		const struct pn_diff_row *row = &diff->rows[i];
		bool renamed = row->state == PN_DIFF_RENAMED;

		if ((!row->before && !row->after) || !row->name ||
		    renamed != (row->old_name != NULL) ||
		    (renamed && (!row->before || !row->after)))
			abort();
	}
	pn_table_of_diff(&table, diff);
	pn_table_release(&table);
}

static void compare(struct pn_profile *a, struct pn_profile *b)
{
	const struct pn_report_options all = {.divide_by = 1};
	const struct pn_diff_options options = {0};
	struct pn_report before = {0}, after = {0};
	struct pn_diff diff = {0};

	if (!pn_report_init(&before, a, &all, NULL) &&
	    !pn_report_init(&after, b, &all, NULL) &&
	    !pn_diff_init(&diff, &before, &after, &options, NULL)) {
		check_rows(&diff);
		if (a == b && diff.changed_count)
			abort();
	}
	pn_diff_release(&diff);
	pn_report_release(&before);
	pn_report_release(&after);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pn_profile a, b;
	size_t first;

	if (size < 2)
		return 0;
	first = (size - 1) * data[0] / 255;
	if (!read_bytes(&a, data + 1, first)) {
		subtract(&a);
		if (!read_bytes(&b, data + 1 + first, size - 1 - first)) {
			merge(&a, &b);
			compare(&a, &b);
		} else {
			merge(&a, &a);
		}
		compare(&a, &a);
		pn_profile_release(&b);
	}
	pn_profile_release(&a);
	return 0;
}
