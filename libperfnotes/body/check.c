/* Whether the columns of a body fit together, whatever bytes they came from. */
#include "body/paths.h"
#include "body/state.h"

#include <inttypes.h>
#include <string.h>

static int misfit(struct pn_error *err, unsigned int column)
{
	return pn_error_set(err, PN_EINVAL, "column %u does not fit its table",
			    column);
}

/* Columns of values exist for as many types as there are. */
static bool has_type(const struct pn_body_state *s, unsigned int column)
{
	return column < PN_BODY_VALUES ||
	       (column - PN_BODY_VALUES) % PN_MAX_VALUE_TYPES <
		       pn_body_rows(s, PN_BODY_TYPES);
}

static int check_lengths(const struct pn_body_state *s, struct pn_error *err)
{
	unsigned int i = 0;

	if (pn_body_rows(s, PN_BODY_TYPES) > PN_MAX_VALUE_TYPES)
		return pn_error_set(err, PN_ELIMIT,
				    "%zu value types, at most %d are allowed",
				    pn_body_rows(s, PN_BODY_TYPES),
				    PN_MAX_VALUE_TYPES);
	while ((i = pn_body_next_column(i, s->types)) < PN_BODY_COLUMNS) {
		size_t len = pn_body_len(s, i);
		unsigned int table;

		if (!len)
			continue;
		table = pn_body_column_info(i).table;
		if (!has_type(s, i) ||
		    (table != PN_BODY_FREE && len != pn_body_rows(s, table)))
			return misfit(err, i);
		if (i >= PN_BODY_POSTS && i <= PN_BODY_EXTRAS && len % 2)
			return misfit(err, i);
	}
	return 0;
}

/* Each count of children is below `limit`, all together are `total`. */
static int check_sum(const struct pn_body_state *s, unsigned int column,
		     uint64_t limit, uint64_t total, struct pn_error *err)
{
	size_t i, n = pn_body_len(s, column);
	uint64_t sum = 0;

	for (i = 0; i < n; i++) {
		uint64_t count = s->columns[column]->at[i];

		if (count > limit)
			return pn_error_set(err, PN_ELIMIT,
					    "%" PRIu64 " in one row of column "
					    "%u, at most %" PRIu64
					    " are allowed",
					    count, column, limit);
		sum += count;
	}
	return sum == total ? 0 : misfit(err, column);
}

static int check_sums(const struct pn_body_state *s, struct pn_error *err)
{
	int code = check_sum(s, PN_BODY_STRING_LEN, UINT32_MAX - 1,
			     s->text ? s->text->len : 0, err);

	if (!code)
		code = check_sum(s, PN_BODY_LOCATION_LINES, PN_MAX_STACK_DEPTH,
				 pn_body_rows(s, PN_BODY_LINES), err);
	if (!code)
		code = check_sum(s, PN_BODY_SET_LABELS, PN_MAX_LABELS,
				 pn_body_rows(s, PN_BODY_LABELS), err);
	if (!code)
		code = check_sum(s, PN_BODY_METRIC_COUNT, UINT32_MAX,
				 pn_body_rows(s, PN_BODY_METRIC_VALUES), err);
	if (!code)
		code = check_sum(s, PN_BODY_CURVE_POINTS, UINT32_MAX,
				 pn_body_rows(s, PN_BODY_POINTS), err);
	if (!code)
		code = check_sum(s, PN_BODY_POINT_PARTS, UINT32_MAX,
				 pn_body_rows(s, PN_BODY_PARTS), err);
	return code;
}

static int check_references(const struct pn_body_state *s, unsigned int column,
			    struct pn_error *err)
{
	struct pn_body_trait info = pn_body_column_info(column);
	size_t i, n = pn_body_len(s, column);
	uint64_t end = pn_body_rows(s, info.refers) + info.offset;

	if (!n && info.table != PN_BODY_FREE)
		/* zeros: row 0 has to exist */
		return pn_body_rows(s, info.table) && !end ? misfit(err, column)
							   : 0;
	for (i = 0; i < n; i++)
		if (s->columns[column]->at[i] >= end)
			return pn_error_set(err, PN_EINVAL,
					    "column %u refers to row %" PRIu64
					    " of %" PRIu64,
					    column, s->columns[column]->at[i],
					    end);
	return 0;
}

/* Callers stand before what they call: no path goes in a circle. */
static int check_paths(const struct pn_body_state *s, struct pn_error *err)
{
	size_t i, n = pn_body_len(s, PN_BODY_PATH_UP);

	for (i = 0; i < n; i++)
		if (s->columns[PN_BODY_PATH_UP]->at[i] > i)
			return misfit(err, PN_BODY_PATH_UP);
	return 0;
}

/* The base was checked: the same words need it again only in a smaller
 * table. */
static bool is_checked(const struct pn_body_state *s,
		       const struct pn_body_state *base, unsigned int column)
{
	unsigned int refers = pn_body_column_info(column).refers;

	return base && s->columns[column] &&
	       s->columns[column] == base->columns[column] &&
	       (refers == PN_BODY_NONE ||
		pn_body_rows(s, refers) >= pn_body_rows(base, refers));
}

static int check_below(const struct pn_body_state *s, unsigned int column,
		       uint64_t end, struct pn_error *err)
{
	size_t i, n = pn_body_len(s, column);

	for (i = 0; i < n; i++)
		if (s->columns[column]->at[i] >= end)
			return pn_error_set(err, PN_EINVAL,
					    "column %u has %" PRIu64
					    ", below %" PRIu64 " is allowed",
					    column, s->columns[column]->at[i],
					    end);
	return 0;
}

/* What the model holds in fewer than 64 bits. */
static int check_ranges(const struct pn_body_state *s, struct pn_error *err)
{
	static const struct {
		uint16_t column;
		uint64_t end;
	} ranges[] = {
		{PN_BODY_TYPE_BETTER, PN_BETTER_MORE + 1},
		{PN_BODY_TYPE_NUMBER, PN_NUMBER_DOUBLE + 1},
		{PN_BODY_MAPPING_HAS, UINT64_C(1) << 32},
		{PN_BODY_FUNCTION_KEPT, 2},
		{PN_BODY_LOCATION_FOLDED, 2},
		{PN_BODY_LOCATION_KEPT, 2},
		{PN_BODY_LABEL_KIND, PN_LABEL_JSON + 1},
		{PN_BODY_ROW_GONE, 2},
		{PN_BODY_NODE_GONE, 2},
		{PN_BODY_EDGE_GONE, 2},
		{PN_BODY_COST_GONE, 2},
		{PN_BODY_METRIC_BETTER, PN_BETTER_MORE + 1},
		{PN_BODY_VALUE_SCALE, PN_BODY_MAX_PLACES + 2},
		{PN_BODY_VALUE_FIRST, 2},
		{PN_BODY_CURVE_POSITION_SCALE, PN_BODY_MAX_PLACES + 2},
		{PN_BODY_CURVE_VALUE_SCALE, PN_BODY_MAX_PLACES + 2},
		{PN_BODY_PART_SCALE, PN_BODY_MAX_PLACES + 2},
		{PN_BODY_FACT_SCALE, PN_BODY_MAX_PLACES + 2},
	};
	size_t i;

	for (i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (check_below(s, ranges[i].column, ranges[i].end, err))
			return PN_EINVAL;
	for (i = 0; i < s->types; i++)
		if (check_below(s, (unsigned int)(PN_BODY_ABSENT + i), 2, err))
			return PN_EINVAL;
	if (pn_body_at(s, PN_BODY_META_NUMBERS, PN_BODY_META_DIRTY) > 1 ||
	    pn_body_at(s, PN_BODY_META_NUMBERS, PN_BODY_META_PERIOD_BETTER) >
		    PN_BETTER_MORE ||
	    pn_body_at(s, PN_BODY_META_NUMBERS, PN_BODY_META_PERIOD_NUMBER) >
		    PN_NUMBER_DOUBLE)
		return misfit(err, PN_BODY_META_NUMBERS);
	return 0;
}

/* An edge or a cost that stays names a node that stays. */
static int check_nodes(const struct pn_body_state *s, unsigned int gone,
		       unsigned int node, struct pn_error *err)
{
	size_t i, n = pn_body_rows(s, pn_body_column_info(gone).table);

	for (i = 0; i < n; i++)
		if (!pn_body_at(s, gone, i) &&
		    pn_body_at(s, PN_BODY_NODE_GONE,
			       (size_t)pn_body_at(s, node, i)))
			return misfit(err, node);
	return 0;
}

/* As many values as each run has of each node, or none. */
static int check_runs(const struct pn_body_state *s, struct pn_error *err)
{
	uint64_t runs = pn_body_at(s, PN_BODY_META_NUMBERS, PN_BODY_META_RUNS);
	size_t len = pn_body_len(s, PN_BODY_SELF_BY_RUN);
	uint64_t values = (uint64_t)pn_body_rows(s, PN_BODY_NODES) *
			  pn_body_rows(s, PN_BODY_TYPES);

	if (runs > PN_MAX_RUNS)
		return pn_error_set(err, PN_ELIMIT,
				    "%" PRIu64 " runs, at most %u are allowed",
				    runs, PN_MAX_RUNS);
	if (len && (!values || len % values || len / values != runs))
		return misfit(err, PN_BODY_SELF_BY_RUN);
	return 0;
}

int pn_body_state_check(const struct pn_body_state *s,
			const struct pn_body_state *base, struct pn_error *err)
{
	unsigned int i;
	int code = check_lengths(s, err);

	if (!code)
		code = check_sums(s, err);
	if (!code)
		code = check_ranges(s, err);
	if (!code)
		code = check_runs(s, err);
	for (i = 1; !code && i < PN_BODY_FIXED_END; i++)
		if (pn_body_column_info(i).refers != PN_BODY_NONE &&
		    !is_checked(s, base, i))
			code = check_references(s, i, err);
	if (!code && !is_checked(s, base, PN_BODY_PATH_UP))
		code = check_paths(s, err);
	if (code)
		return code;
	if (check_nodes(s, PN_BODY_EDGE_GONE, PN_BODY_EDGE_CALLER, err) ||
	    check_nodes(s, PN_BODY_EDGE_GONE, PN_BODY_EDGE_CALLEE, err) ||
	    check_nodes(s, PN_BODY_COST_GONE, PN_BODY_COST_NODE, err))
		return PN_EINVAL;
	return 0;
}

/* The paths that a column names whose rows all count. */
static void mark_ends(uint8_t *ends, const struct pn_body_state *s,
		      unsigned int column)
{
	size_t i, n = pn_body_len(s, column);

	for (i = 0; i < n; i++)
		if (s->columns[column]->at[i])
			ends[s->columns[column]->at[i] - 1] = 1;
}

static int write_out(uint32_t **depths, uint64_t *frames,
		     struct pn_arena *arena, const struct pn_body_state *s,
		     uint64_t limit)
{
	size_t i, n = pn_body_rows(s, PN_BODY_PATHS);
	size_t rows = pn_body_rows(s, PN_BODY_ROWS);
	uint32_t *depth = pn_arena_array(arena, n, sizeof(*depth));
	uint8_t *ends = pn_arena_array(arena, n, 1);
	uint64_t total = 0;
	int code = 0;

	memset(ends, 0, n);
	for (i = 0; i < rows; i++) {
		uint64_t path = pn_body_at(s, PN_BODY_ROW_STACK, i);

		if (path && !pn_body_at(s, PN_BODY_ROW_GONE, i))
			ends[path - 1] = 1;
	}
	mark_ends(ends, s, PN_BODY_PART_STACK);
	mark_ends(ends, s, PN_BODY_EVENT_STACK);
	mark_ends(ends, s, PN_BODY_TICK_STACK);
	for (i = 0; i < n; i++) {
		uint64_t up = pn_body_at(s, PN_BODY_PATH_UP, i);

		depth[i] = up ? depth[i - up] + 1 : 1;
		if (!ends[i])
			continue;
		total += depth[i];
		if (depth[i] > PN_MAX_STACK_DEPTH || total > limit)
			code = PN_ELIMIT;
	}
	for (i = 0; i < n; i++)
		if (!ends[i])
			depth[i] = 0;
	*depths = depth;
	*frames = total;
	return code;
}

int pn_body_stacks(uint32_t **depths, uint64_t *frames, struct pn_arena *arena,
		   const struct pn_body_state *s, uint64_t limit,
		   struct pn_error *err)
{
	bool beyond;

	*depths = NULL;
	beyond = s->paths ? pn_body_paths_frames(frames, s->paths, limit)
			  : write_out(depths, frames, arena, s, limit) != 0;
	if (!beyond)
		return 0;
	return pn_error_set(err, PN_ELIMIT,
			    "stacks deeper than %u frames or of more than "
			    "%" PRIu64 " in all",
			    PN_MAX_STACK_DEPTH, limit);
}
