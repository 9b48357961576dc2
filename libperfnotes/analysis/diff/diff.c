/* Two reports side by side. */
#include "analysis/diff/diff.h"

#include "analysis/diff/rename.h"
#include "base/alloc.h"
#include "base/bytes.h"
#include "base/file.h"
#include "detect/verdict.h"
#include "model/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDING 1e-12 /* of sums that are equal but for their division */

static const char *file_of(const struct pn_report *report,
			   const struct pn_report_node *row)
{
	const struct pn_node_info *info = &report->nodes.items[row->node];

	if (!info->apart || info->function == PN_NONE)
		return "";
	return pn_profile_text(report->profile,
			       report->profile->functions[info->function].file);
}

/* A row of one of the reports, to be sorted by identity. */
struct side {
	const struct pn_report_node *row;
	const char *file, *base;
	size_t place; /* in the report */
};

static int cmp_identity(const struct side *a, const struct side *b)
{
	int order = pn_bytes_order(a->row->name, a->row->name_len, b->row->name,
				   b->row->name_len);

	if (order)
		return order;
	order = strcmp(a->base, b->base);
	return order ? order : strcmp(a->file, b->file);
}

static int cmp_sides(const void *left, const void *right)
{
	const struct side *a = left, *b = right;
	int order = cmp_identity(a, b);

	if (order)
		return order;
	return (a->place > b->place) - (a->place < b->place);
}

static struct side *sides_of(const struct pn_report *report)
{
	struct side *sides =
		pn_realloc_array(NULL, report->row_count + 1, sizeof(*sides));
	size_t i;

	for (i = 0; i < report->row_count; i++) {
		sides[i].row = &report->rows[i];
		sides[i].file = file_of(report, &report->rows[i]);
		sides[i].base = pn_file_basename(sides[i].file);
		sides[i].place = i;
	}
	qsort(sides, report->row_count, sizeof(*sides), cmp_sides);
	return sides;
}

/* What the figures of a side are times, to be in the unit of the diff. */
struct scale {
	double before, after;
};

static void fill_row(struct pn_diff_row *out, const struct pn_diff *diff,
		     const struct scale *scale,
		     const struct pn_report_node *before,
		     const struct pn_report_node *after)
{
	const struct pn_report_node *named = after ? after : before;

	memset(out, 0, sizeof(*out));
	out->name = named ? named->name : "";
	out->before = before;
	out->after = after;
	if (before) {
		out->old_self = pn_report_number(diff->before, before->flat) *
				scale->before;
		out->old_total = pn_report_number(diff->before, before->cum) *
				 scale->before;
	}
	if (after) {
		out->new_self = pn_report_number(diff->after, after->flat) *
				scale->after;
		out->new_total = pn_report_number(diff->after, after->cum) *
				 scale->after;
	}
	out->state = !before  ? PN_DIFF_NEW
		     : !after ? PN_DIFF_GONE
			      : PN_DIFF_CHANGED;
	out->delta = diff->options.by_total ? out->new_total - out->old_total
					    : out->new_self - out->old_self;
}

/* How much there is to show of a row: the change, of another name the cost;
 * 0: nothing. */
static double interest(const struct pn_diff_row *row)
{
	double self = fabs(row->new_self - row->old_self);
	double total = fabs(row->new_total - row->old_total);

	if (row->state != PN_DIFF_RENAMED)
		return self > total ? self : total;
	return fabs(row->new_total) > fabs(row->old_total)
		       ? fabs(row->new_total)
		       : fabs(row->old_total);
}

/* A row of neither side is what a rename left over. */
static bool keeps_equal(const struct pn_diff *diff,
			const struct pn_diff_row *row)
{
	return diff->options.keep_equal && (row->before || row->after);
}

/* Keep the rows that differ, unless the change is too small to show. */
static void keep_changes(struct pn_diff *diff)
{
	double least = fabs(diff->old_sum * diff->options.node_fraction), size;
	size_t i, n = 0;

	for (i = 0; i < diff->row_count; i++) {
		size = interest(&diff->rows[i]);
		if (size == 0 && !keeps_equal(diff, &diff->rows[i]))
			continue;
		diff->changed_count += size != 0;
		if (size < least)
			diff->dropped_count++;
		else
			diff->rows[n++] = diff->rows[i];
	}
	diff->row_count = n;
}

static void pair_rows(struct pn_diff *diff, const struct scale *scale)
{
	size_t i = 0, j = 0, n = diff->before->row_count;
	size_t o = diff->after->row_count;
	struct side *before = sides_of(diff->before);
	struct side *after = sides_of(diff->after);

	diff->rows = pn_realloc_array(NULL, n + o + 1, sizeof(*diff->rows));
	while (i < n || j < o) {
		int order = i == n   ? 1
			    : j == o ? -1
				     : cmp_identity(&before[i], &after[j]);

		fill_row(&diff->rows[diff->row_count++], diff, scale,
			 order <= 0 ? before[i].row : NULL,
			 order >= 0 ? after[j].row : NULL);
		i += order <= 0;
		j += order >= 0;
	}
	free(before);
	free(after);
}

static const char *file_of_either(const struct pn_diff *diff,
				  const struct pn_diff_row *row)
{
	if (row->before)
		return file_of(diff->before, row->before);
	return row->after ? file_of(diff->after, row->after) : "";
}

/* Whether two rows of pair_rows are of one name, in files of one name. */
static bool is_namesake(const struct pn_diff *diff, const struct pn_diff_row *a,
			const struct pn_diff_row *b)
{
	const char *x = file_of_either(diff, a), *y = file_of_either(diff, b);

	return !strcmp(a->name, b->name) &&
	       !strcmp(pn_file_basename(x), pn_file_basename(y));
}

/* The rows of `first` to `end` are namesakes: if one is only in the old
 * profile and one only in the new, these are one. */
static size_t pair_namesakes(struct pn_diff *diff, size_t first, size_t end,
			     const struct scale *scale)
{
	struct pn_diff_row *rows = diff->rows, *gone = NULL, *new = NULL;
	size_t i, gone_count = 0, new_count = 0;

	for (i = first; i < end; i++) {
		if (!rows[i].after) {
			gone = &rows[i];
			gone_count++;
		} else if (!rows[i].before) {
			new = &rows[i];
			new_count++;
		}
	}
	if (gone_count != 1 || new_count != 1)
		return end;
	fill_row(gone, diff, scale, gone->before, new->after);
	memmove(new, new + 1, (size_t)(&rows[end] - (new + 1)) * sizeof(*new));
	return end - 1;
}

/* The same source in another folder: checked out or built elsewhere. */
static void pair_moved(struct pn_diff *diff, const struct scale *scale)
{
	size_t i, first = 0, end, kept, n = 0;

	for (; first < diff->row_count; first = end) {
		for (end = first + 1; end < diff->row_count; end++)
			if (!is_namesake(diff, &diff->rows[first],
					 &diff->rows[end]))
				break;
		kept = pair_namesakes(diff, first, end, scale);
		for (i = first; i < kept; i++)
			diff->rows[n++] = diff->rows[i];
	}
	diff->row_count = n;
}

static int cmp_rows(const void *left, const void *right)
{
	const struct pn_diff_row *a = left, *b = right;
	double x = fabs(a->delta), y = fabs(b->delta);

	if (x != y)
		return x > y ? -1 : 1;
	x = fabs(a->new_total - a->old_total);
	y = fabs(b->new_total - b->old_total);
	if (x != y)
		return x > y ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Of the profile: what filters leave of both is compared, not made equal. */
static double sum_of(const struct pn_report *report)
{
	return pn_report_number(report, report->whole);
}

static double total_of(const struct pn_report *report)
{
	return pn_report_number(report, report->total);
}

int pn_diff_init(struct pn_diff *out, const struct pn_report *before,
		 const struct pn_report *after,
		 const struct pn_diff_options *options, struct pn_error *err)
{
	struct pn_diff diff = {before, after, *options, after->unit};
	struct scale scale = {1, 1};
	const char *ignored;
	double sum;

	if (!pn_unit_comparable(before->unit, after->unit))
		return pn_error_set(err, PN_EINVAL,
				    "cannot compare '%s' in %s with '%s' in %s",
				    before->type, before->unit, after->type,
				    after->unit);
	if (strcmp(before->unit, after->unit))
		scale.before =
			pn_unit_scale(&ignored, 1, before->unit, after->unit);
	sum = sum_of(after);
	if (options->normalize && sum != 0 && sum_of(before) != 0)
		scale.after = sum_of(before) * scale.before / sum;
	diff.factor = scale.after;
	diff.old_sum = total_of(before) * scale.before;
	diff.new_sum = total_of(after) * scale.after;
	diff.to_unit = after->row_count || !before->row_count ? after->to_unit
							      : before->to_unit;
	pair_rows(&diff, &scale);
	pair_moved(&diff, &scale);
	diff.row_count = pn_rename_rows(diff.rows, diff.row_count, &diff);
	keep_changes(&diff);
	qsort(diff.rows, diff.row_count, sizeof(*diff.rows), cmp_rows);
	if (options->node_count > 0 &&
	    (uint64_t)options->node_count < diff.row_count)
		diff.row_count = (size_t)options->node_count;
	*out = diff;
	return 0;
}

static double shown_of(const struct pn_report *report)
{
	int64_t sum = 0;
	size_t i;

	if (report->weight.divisor != PN_NONE)
		return total_of(report);
	for (i = 0; i < report->row_count; i++)
		sum = pn_weight_add(sum, report->rows[i].flat);
	return pn_report_number(report, sum);
}

double pn_diff_worse(const struct pn_diff *diff)
{
	const struct pn_report *after = diff->after;
	double old = shown_of(diff->before),
	       now = shown_of(after) * diff->factor;
	double more;
	const char *ignored;

	if (strcmp(diff->before->unit, after->unit))
		old = pn_unit_scale(&ignored, old, diff->before->unit,
				    after->unit);
	more = now - old;
	if (after->profile->types[after->weight.column].better ==
	    PN_BETTER_MORE)
		more = -more;
	if (!(more > ROUNDING * fabs(old)))
		return 0;
	return more / fabs(old);
}

bool pn_diff_is_worse(double worse, double least)
{
	return worse > 0 && pn_verdict_counts(worse, least);
}

void pn_diff_release(struct pn_diff *diff)
{
	if (!diff)
		return;
	free(diff->rows);
	memset(diff, 0, sizeof(*diff));
}
