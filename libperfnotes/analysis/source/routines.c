/* What functions cost, line by line. */
#include "analysis/source/routines.h"

#include "analysis/source/annotated.h"
#include "base/alloc.h"
#include "base/text/regex.h"

#include <stdlib.h>
#include <string.h>

#define MARGIN 5 /* lines around those with a cost: pprof's */

/* A node of the report. */
struct piece {
	const char *name, *file;
	const struct pn_node_info *info;
	const struct pn_report_node *row;
	int64_t start; /* where its function begins; 0: unknown */
};

static int by_place(const void *left, const void *right)
{
	const struct piece *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	if (!order)
		order = strcmp(a->file, b->file);
	if (!order)
		order = (a->info->line > b->info->line) -
			(a->info->line < b->info->line);
	return order ? order : (a->row > b->row) - (a->row < b->row);
}

static struct piece piece_of(const struct pn_report *report, size_t row)
{
	const struct pn_nodes *nodes = &report->nodes;
	const struct pn_node_info *info = &nodes->items[report->rows[row].node];
	struct piece piece = {.info = info, .row = &report->rows[row]};

	piece.name = pn_profile_text(report->profile, info->name);
	piece.file = pn_strtab_text(&nodes->files, info->file);
	if (info->function != PN_NONE)
		piece.start =
			report->profile->functions[info->function].start_line;
	return piece;
}

static int64_t less_margin(int64_t line)
{
	return line < INT64_MIN + MARGIN ? INT64_MIN : line - MARGIN;
}

static int64_t more_margin(int64_t line)
{
	return line > INT64_MAX - MARGIN ? INT64_MAX : line + MARGIN;
}

static void add_line(struct pn_routines *out, struct pn_routine *routine,
		     const struct piece *piece)
{
	struct pn_routine_line *line;

	if (!routine->line_count ||
	    out->lines[out->line_count - 1].number != piece->info->line) {
		out->lines[out->line_count++] =
			(struct pn_routine_line){.number = piece->info->line};
		routine->line_count++;
	}
	line = &out->lines[out->line_count - 1];
	line->flat = pn_weight_add(line->flat, piece->row->flat_sum);
	line->cum = pn_weight_add(line->cum, piece->row->cum_sum);
}

/* One that has no file is told only where its name has none at all. */
static void add_routine(struct pn_routines *out, const struct piece *pieces,
			size_t count, bool has_file)
{
	struct pn_routine *routine;
	int64_t most = 0;
	size_t i;

	if (has_file && !pieces->info->file)
		return;
	routine = &out->routines[out->routine_count++];
	*routine = (struct pn_routine){.name = pieces->info->name,
				       .file = pieces->info->file,
				       .first = INT64_MAX,
				       .line_first = out->line_count};
	for (i = 0; i < count; i++) {
		int64_t line = pieces[i].info->line;
		int64_t first =
			pieces[i].start ? pieces[i].start : less_margin(line);

		if (first < routine->first)
			routine->first = first;
		routine->last = more_margin(line);
		routine->flat =
			pn_weight_add(routine->flat, pieces[i].row->flat_sum);
		routine->cum =
			pn_weight_add(routine->cum, pieces[i].row->cum_sum);
		most = pn_weight_most(most, pieces[i].row->cum_sum);
		add_line(out, routine, &pieces[i]);
	}
	/* lines of inner calls are in each other's totals */
	if (pieces->name[pn_function_len(pieces->name)])
		routine->cum = pn_weight_most(most, routine->flat);
	if (routine->first < 1)
		routine->first = 1;
}

static void gather(struct pn_routines *out, struct piece *pieces, size_t count)
{
	size_t i, end, name_end;

	qsort(pieces, count, sizeof(*pieces), by_place);
	out->routines = pn_calloc(count + 1, sizeof(*out->routines));
	out->lines = pn_calloc(count + 1, sizeof(*out->lines));
	for (i = name_end = 0; i < count; i = end) {
		if (i == name_end)
			while (name_end < count &&
			       !strcmp(pieces[i].name, pieces[name_end].name))
				name_end++;
		for (end = i; end < name_end &&
			      !strcmp(pieces[i].file, pieces[end].file);
		     end++)
			;
		add_routine(out, pieces + i, end - i,
			    pieces[name_end - 1].info->file != 0);
	}
}

int pn_routines_init(struct pn_routines *out, const struct pn_report *report,
		     const char *pattern, struct pn_error *err)
{
	struct piece *pieces;
	struct pn_regex *regex;
	size_t i, count = 0;
	int code = pn_regex_new(&regex, pattern, err);

	if (code)
		return code;
	memset(out, 0, sizeof(*out));
	pieces = pn_calloc(report->row_count + 1, sizeof(*pieces));
	for (i = 0; i < report->row_count; i++) {
		struct piece piece = piece_of(report, i);

		if (pn_regex_match(regex, piece.name, strlen(piece.name)))
			pieces[count++] = piece;
	}
	pn_regex_free(regex);
	if (count)
		gather(out, pieces, count);
	else
		code = pn_error_set(err, PN_ENOTFOUND,
				    "no function matches '%s'", pattern);
	free(pieces);
	return code;
}

struct pn_routine_line pn_routine_cost(const struct pn_routine *routine,
				       const struct pn_routine_line *lines,
				       int64_t number, size_t *at)
{
	while (*at < routine->line_count && lines[*at].number < number)
		++*at;
	if (*at < routine->line_count && lines[*at].number == number)
		return lines[*at];
	return (struct pn_routine_line){number, 0, 0};
}

void pn_routines_release(struct pn_routines *list)
{
	free(list->routines);
	free(list->lines);
	memset(list, 0, sizeof(*list));
}
