/* The columns of a body: what they are, who shares them, whether they fit. */
#include "body/state.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "body/paths.h"
#include "body/sum.h"

#include <stdlib.h>
#include <string.h>

/* Columns of so many words share a block. */
#define SMALL_WORDS 256
#define BLOCK_BYTES 16384

#define S PN_BODY_STRINGS
#define NONE PN_BODY_NONE
#define FREE PN_BODY_FREE

const struct pn_body_trait pn_body_fixed_info[PN_BODY_FIXED_END] = {
	[PN_BODY_COUNTS] = {FREE, NONE, 0},
	[PN_BODY_STRING_LEN] = {PN_BODY_STRINGS, NONE, 0},
	[PN_BODY_META_STRINGS] = {FREE, S, 0},
	[PN_BODY_META_NUMBERS] = {FREE, NONE, 0},
	[PN_BODY_POSTS] = {FREE, S, 0},
	[PN_BODY_ENVIRONMENT] = {FREE, S, 0},
	[PN_BODY_PROFILE_LABELS] = {FREE, S, 0},
	[PN_BODY_EXTRAS] = {FREE, S, 0},
	[PN_BODY_MODELS] = {FREE, S, 0},
	[PN_BODY_COMMENTS] = {FREE, S, 0},
	[PN_BODY_TYPE_NAME] = {PN_BODY_TYPES, S, 0},
	[PN_BODY_TYPE_UNIT] = {PN_BODY_TYPES, S, 0},
	[PN_BODY_TYPE_BETTER] = {PN_BODY_TYPES, NONE, 0},
	[PN_BODY_TYPE_NUMBER] = {PN_BODY_TYPES, NONE, 0},
	[PN_BODY_MAPPING_START] = {PN_BODY_MAPPINGS, NONE, 0},
	[PN_BODY_MAPPING_SIZE] = {PN_BODY_MAPPINGS, NONE, 0},
	[PN_BODY_MAPPING_OFFSET] = {PN_BODY_MAPPINGS, NONE, 0},
	[PN_BODY_MAPPING_FILE] = {PN_BODY_MAPPINGS, S, 0},
	[PN_BODY_MAPPING_BUILD_ID] = {PN_BODY_MAPPINGS, S, 0},
	[PN_BODY_MAPPING_HAS] = {PN_BODY_MAPPINGS, NONE, 0},
	[PN_BODY_FUNCTION_NAME] = {PN_BODY_FUNCTIONS, S, 0},
	[PN_BODY_FUNCTION_SYSTEM] = {PN_BODY_FUNCTIONS, S, 1},
	[PN_BODY_FUNCTION_FILE] = {PN_BODY_FUNCTIONS, S, 0},
	[PN_BODY_FUNCTION_LINE] = {PN_BODY_FUNCTIONS, NONE, 0},
	[PN_BODY_FUNCTION_KEPT] = {PN_BODY_FUNCTIONS, NONE, 0},
	[PN_BODY_LOCATION_ADDRESS] = {PN_BODY_LOCATIONS, NONE, 0},
	[PN_BODY_LOCATION_MAPPING] = {PN_BODY_LOCATIONS, PN_BODY_MAPPINGS, 1},
	[PN_BODY_LOCATION_FOLDED] = {PN_BODY_LOCATIONS, NONE, 0},
	[PN_BODY_LOCATION_LINES] = {PN_BODY_LOCATIONS, NONE, 0},
	[PN_BODY_LOCATION_KEPT] = {PN_BODY_LOCATIONS, NONE, 0},
	[PN_BODY_LINE_FUNCTION] = {PN_BODY_LINES, PN_BODY_FUNCTIONS, 0},
	[PN_BODY_LINE_LINE] = {PN_BODY_LINES, NONE, 0},
	[PN_BODY_LINE_COLUMN] = {PN_BODY_LINES, NONE, 0},
	[PN_BODY_PATH_UP] = {PN_BODY_PATHS, NONE, 0},
	[PN_BODY_PATH_LOCATION] = {PN_BODY_PATHS, PN_BODY_LOCATIONS, 0},
	[PN_BODY_SET_LABELS] = {PN_BODY_SETS, NONE, 0},
	[PN_BODY_LABEL_KEY] = {PN_BODY_LABELS, S, 0},
	[PN_BODY_LABEL_UNIT] = {PN_BODY_LABELS, S, 0},
	[PN_BODY_LABEL_KIND] = {PN_BODY_LABELS, NONE, 0},
	[PN_BODY_LABEL_TEXT] = {PN_BODY_LABELS, S, 0},
	[PN_BODY_LABEL_NUMBER] = {PN_BODY_LABELS, NONE, 0},
	[PN_BODY_ROW_STACK] = {PN_BODY_ROWS, PN_BODY_PATHS, 1},
	[PN_BODY_ROW_SET] = {PN_BODY_ROWS, PN_BODY_SETS, 1},
	[PN_BODY_ROW_GONE] = {PN_BODY_ROWS, NONE, 0},
	[PN_BODY_NODE_LOCATION] = {PN_BODY_NODES, PN_BODY_LOCATIONS, 1},
	[PN_BODY_NODE_CALLS] = {PN_BODY_NODES, NONE, 0},
	[PN_BODY_NODE_PRIMITIVE] = {PN_BODY_NODES, NONE, 0},
	[PN_BODY_NODE_GONE] = {PN_BODY_NODES, NONE, 0},
	[PN_BODY_EDGE_CALLER] = {PN_BODY_EDGES, PN_BODY_NODES, 0},
	[PN_BODY_EDGE_CALLEE] = {PN_BODY_EDGES, PN_BODY_NODES, 0},
	[PN_BODY_EDGE_LINE] = {PN_BODY_EDGES, NONE, 0},
	[PN_BODY_EDGE_CALLS] = {PN_BODY_EDGES, NONE, 0},
	[PN_BODY_EDGE_PRIMITIVE] = {PN_BODY_EDGES, NONE, 0},
	[PN_BODY_EDGE_GONE] = {PN_BODY_EDGES, NONE, 0},
	[PN_BODY_COST_NODE] = {PN_BODY_COSTS, PN_BODY_NODES, 0},
	[PN_BODY_COST_FILE] = {PN_BODY_COSTS, S, 0},
	[PN_BODY_COST_LINE] = {PN_BODY_COSTS, NONE, 0},
	[PN_BODY_COST_ADDRESS] = {PN_BODY_COSTS, NONE, 0},
	[PN_BODY_COST_GONE] = {PN_BODY_COSTS, NONE, 0},
	[PN_BODY_METRIC_NAME] = {PN_BODY_METRICS, S, 0},
	[PN_BODY_METRIC_UNIT] = {PN_BODY_METRICS, S, 0},
	[PN_BODY_METRIC_BETTER] = {PN_BODY_METRICS, NONE, 0},
	[PN_BODY_METRIC_N] = {PN_BODY_METRICS, NONE, 0},
	[PN_BODY_METRIC_COUNT] = {PN_BODY_METRICS, NONE, 0},
	[PN_BODY_METRIC_MIN] = {PN_BODY_METRICS, NONE, 0},
	[PN_BODY_METRIC_Q1] = {PN_BODY_METRICS, NONE, 0},
	[PN_BODY_METRIC_MEDIAN] = {PN_BODY_METRICS, NONE, 0},
	[PN_BODY_METRIC_Q3] = {PN_BODY_METRICS, NONE, 0},
	[PN_BODY_METRIC_MAX] = {PN_BODY_METRICS, NONE, 0},
	[PN_BODY_METRIC_MEAN] = {PN_BODY_METRICS, NONE, 0},
	[PN_BODY_METRIC_SD] = {PN_BODY_METRICS, NONE, 0},
	[PN_BODY_METRIC_VALUE] = {PN_BODY_METRIC_VALUES, NONE, 0},
	[PN_BODY_VALUE_SCALE] = {FREE, NONE, 0},
	[PN_BODY_VALUE_FACTOR] = {FREE, NONE, 0},
	[PN_BODY_VALUE_FIRST] = {FREE, NONE, 0},
	[PN_BODY_SELF_BY_RUN] = {FREE, NONE, 0},
	[PN_BODY_EDGE_FILE] = {PN_BODY_EDGES, S, 0},
	[PN_BODY_EDGE_ADDRESS] = {PN_BODY_EDGES, NONE, 0},
	[PN_BODY_CURVE_NAME] = {PN_BODY_CURVES, S, 0},
	[PN_BODY_CURVE_UNIT] = {PN_BODY_CURVES, S, 0},
	[PN_BODY_CURVE_ALONG] = {PN_BODY_CURVES, S, 0},
	[PN_BODY_CURVE_POINTS] = {PN_BODY_CURVES, NONE, 0},
	[PN_BODY_CURVE_POSITION_SCALE] = {PN_BODY_CURVES, NONE, 0},
	[PN_BODY_CURVE_VALUE_SCALE] = {PN_BODY_CURVES, NONE, 0},
	[PN_BODY_POINT_POSITION] = {PN_BODY_POINTS, NONE, 0},
	[PN_BODY_POINT_VALUE] = {PN_BODY_POINTS, NONE, 0},
	[PN_BODY_POINT_PARTS] = {PN_BODY_POINTS, NONE, 0},
	[PN_BODY_PART_STACK] = {PN_BODY_PARTS, PN_BODY_PATHS, 1},
	[PN_BODY_PART_VALUE] = {PN_BODY_PARTS, NONE, 0},
	[PN_BODY_PART_SCALE] = {FREE, NONE, 0},
	[PN_BODY_EVENT_TIME] = {PN_BODY_EVENTS, NONE, 0},
	[PN_BODY_EVENT_DURATION] = {PN_BODY_EVENTS, NONE, 0},
	[PN_BODY_EVENT_STACK] = {PN_BODY_EVENTS, PN_BODY_PATHS, 1},
	[PN_BODY_EVENT_THREAD] = {PN_BODY_EVENTS, PN_BODY_THREADS, 1},
	[PN_BODY_EVENT_TYPE] = {PN_BODY_EVENTS, PN_BODY_TYPES, 0},
	[PN_BODY_THREAD_PROCESS] = {PN_BODY_THREADS, PN_BODY_PROCESSES, 1},
	[PN_BODY_THREAD_ID] = {PN_BODY_THREADS, S, 0},
	[PN_BODY_THREAD_NAME] = {PN_BODY_THREADS, S, 0},
	[PN_BODY_THREAD_COST] = {PN_BODY_THREADS, NONE, 0},
	[PN_BODY_PROCESS_ID] = {PN_BODY_PROCESSES, S, 0},
	[PN_BODY_PROCESS_NAME] = {PN_BODY_PROCESSES, S, 0},
	[PN_BODY_FACT_NAME] = {PN_BODY_FACTS, S, 0},
	[PN_BODY_FACT_UNIT] = {PN_BODY_FACTS, S, 0},
	[PN_BODY_FACT_SCALE] = {PN_BODY_FACTS, NONE, 0},
	[PN_BODY_FACT_VALUE] = {PN_BODY_FACTS, NONE, 0},
	[PN_BODY_TICK_STACK] = {PN_BODY_TICKS, PN_BODY_PATHS, 1},
	[PN_BODY_TICK_LINE] = {PN_BODY_TICKS, NONE, 0},
	[PN_BODY_TICK_COUNT] = {PN_BODY_TICKS, NONE, 0},
};

unsigned int pn_body_matrix_table(unsigned int matrix)
{
	static const uint8_t tables[PN_BODY_MATRICES] = {
		PN_BODY_ROWS,  PN_BODY_NODES, PN_BODY_NODES,
		PN_BODY_EDGES, PN_BODY_EDGES, PN_BODY_COSTS};

	return tables[matrix];
}

struct pn_body_trait pn_body_values_info(unsigned int column)
{
	struct pn_body_trait info = {FREE, NONE, 0};

	if (column >= PN_BODY_ABSENT)
		info.table = PN_BODY_ROWS;
	else if (column >= PN_BODY_VALUES)
		info.table = (uint8_t)pn_body_matrix_table(
			(column - PN_BODY_VALUES) / PN_MAX_VALUE_TYPES);
	return info;
}

void pn_body_fixed_columns(unsigned int *first, unsigned int *end,
			   unsigned int table)
{
	static const uint8_t firsts[PN_BODY_TABLES] = {
		[PN_BODY_STRINGS] = PN_BODY_STRING_LEN,
		[PN_BODY_FUNCTIONS] = PN_BODY_FUNCTION_NAME,
		[PN_BODY_LOCATIONS] = PN_BODY_LOCATION_ADDRESS,
		[PN_BODY_LINES] = PN_BODY_LINE_FUNCTION,
		[PN_BODY_PATHS] = PN_BODY_PATH_UP,
		[PN_BODY_SETS] = PN_BODY_SET_LABELS,
		[PN_BODY_LABELS] = PN_BODY_LABEL_KEY,
		[PN_BODY_ROWS] = PN_BODY_ROW_STACK,
		[PN_BODY_TYPES] = PN_BODY_TYPE_NAME,
		[PN_BODY_MAPPINGS] = PN_BODY_MAPPING_START,
		[PN_BODY_NODES] = PN_BODY_NODE_LOCATION,
		[PN_BODY_EDGES] = PN_BODY_EDGE_CALLER,
		[PN_BODY_COSTS] = PN_BODY_COST_NODE,
		[PN_BODY_METRICS] = PN_BODY_METRIC_NAME,
		[PN_BODY_METRIC_VALUES] = PN_BODY_METRIC_VALUE,
		[PN_BODY_CURVES] = PN_BODY_CURVE_NAME,
		[PN_BODY_POINTS] = PN_BODY_POINT_POSITION,
		[PN_BODY_PARTS] = PN_BODY_PART_STACK,
		[PN_BODY_EVENTS] = PN_BODY_EVENT_TIME,
		[PN_BODY_THREADS] = PN_BODY_THREAD_PROCESS,
		[PN_BODY_PROCESSES] = PN_BODY_PROCESS_ID,
		[PN_BODY_FACTS] = PN_BODY_FACT_NAME,
		[PN_BODY_TICKS] = PN_BODY_TICK_STACK};

	*first = *end = firsts[table];
	while (*end < PN_BODY_FIXED_END &&
	       pn_body_fixed_info[*end].table == table)
		++*end;
}

unsigned int pn_body_count_column(unsigned int table)
{
	switch (table) {
	case PN_BODY_LOCATIONS:
		return PN_BODY_LOCATION_LINES;
	case PN_BODY_SETS:
		return PN_BODY_SET_LABELS;
	case PN_BODY_METRICS:
		return PN_BODY_METRIC_COUNT;
	case PN_BODY_CURVES:
		return PN_BODY_CURVE_POINTS;
	case PN_BODY_POINTS:
		return PN_BODY_POINT_PARTS;
	default:
		return 0;
	}
}

/* Children stand right behind their parents in enum pn_body_table. */
unsigned int pn_body_child_table(unsigned int table)
{
	return pn_body_count_column(table) ? table + 1 : NONE;
}

/* One holder for each of its words, and one who may put more into it. */
struct pn_body_block {
	atomic_uint refs;
	size_t used;
	uint64_t room[BLOCK_BYTES / 8];
};

void pn_body_block_drop(struct pn_body_block *block)
{
	if (block && atomic_fetch_sub(&block->refs, 1) == 1)
		free(block);
}

static void *take_room(struct pn_body_block **block, size_t bytes)
{
	struct pn_body_block *b = *block;

	if (!b || bytes > sizeof(b->room) - b->used) {
		pn_body_block_drop(b);
		*block = b = pn_malloc(sizeof(*b));
		atomic_init(&b->refs, 1);
		b->used = 0;
	}
	atomic_fetch_add(&b->refs, 1);
	b->used += bytes;
	return (char *)b->room + b->used - bytes;
}

struct pn_body_words *pn_body_words_new(struct pn_body_block **block,
					size_t count)
{
	struct pn_body_words *words;
	bool small = count <= SMALL_WORDS;
	size_t bytes;

	if (count > (SIZE_MAX - sizeof(*words)) / sizeof(words->at[0]))
		pn_alloc_failed(SIZE_MAX);
	bytes = sizeof(*words) + count * sizeof(words->at[0]);
	words = small ? take_room(block, bytes) : pn_malloc(bytes);
	atomic_init(&words->refs, 1);
	words->block = small ? *block : NULL;
	words->sum = 0;
	words->count = count;
	return words;
}

struct pn_body_words *pn_body_words_share(struct pn_body_words *words)
{
	if (words)
		atomic_fetch_add(&words->refs, 1);
	return words;
}

void pn_body_words_drop(struct pn_body_words *words)
{
	if (!words || atomic_fetch_sub(&words->refs, 1) != 1)
		return;
	if (words->block)
		pn_body_block_drop(words->block);
	else
		free(words);
}

void pn_body_words_seal(struct pn_body_words *words)
{
	struct pn_body_sum sum;

	pn_body_sum_begin(&sum);
	pn_body_sum_add(&sum, words->at, words->count);
	words->sum = pn_body_sum_end(&sum);
}

struct pn_body_text *pn_body_text_new(size_t len)
{
	struct pn_body_text *text;

	if (len > SIZE_MAX - sizeof(*text))
		pn_alloc_failed(SIZE_MAX);
	text = pn_malloc(sizeof(*text) + len);
	atomic_init(&text->refs, 1);
	text->sum = 0;
	text->len = len;
	return text;
}

struct pn_body_text *pn_body_text_share(struct pn_body_text *text)
{
	if (text)
		atomic_fetch_add(&text->refs, 1);
	return text;
}

void pn_body_text_drop(struct pn_body_text *text)
{
	if (text && atomic_fetch_sub(&text->refs, 1) == 1)
		free(text);
}

void pn_body_text_seal(struct pn_body_text *text)
{
	uint64_t sum = text->len;
	size_t i = 0;

	for (; i + 8 <= text->len; i += 8)
		sum = pn_body_mix(sum, pn_bytes_eight(text->bytes + i));
	for (; i < text->len; i++)
		sum = pn_body_mix(sum, text->bytes[i]);
	text->sum = sum;
}

struct pn_body_state *pn_body_state_new(void)
{
	struct pn_body_state *state = pn_calloc(1, sizeof(*state));

	state->refs = pn_malloc(sizeof(*state->refs));
	atomic_init(state->refs, 1);
	return state;
}

struct pn_body_state *pn_body_state_share(const struct pn_body_state *state)
{
	atomic_fetch_add(state->refs, 1);
	return (struct pn_body_state *)state;
}

/* A chain is let go link by link, not by recursion. */
void pn_body_state_free(struct pn_body_state *state)
{
	while (state && atomic_fetch_sub(state->refs, 1) == 1) {
		struct pn_body_state *base = state->base;
		unsigned int i = 0;

		while ((i = pn_body_next_column(i, state->types)) <
		       PN_BODY_COLUMNS)
			pn_body_words_drop(state->columns[i]);
		pn_body_block_drop(state->block);
		pn_body_text_drop(state->text);
		pn_body_paths_free(state->paths);
		free(state->refs);
		free(state);
		state = base;
	}
}

unsigned int pn_body_next_column(unsigned int column, unsigned int types)
{
	if (++column < PN_BODY_FIXED_END)
		return column;
	if (column < PN_BODY_VALUES)
		column = PN_BODY_VALUES;
	if (!types)
		return PN_BODY_COLUMNS;
	if ((column - PN_BODY_VALUES) % PN_MAX_VALUE_TYPES >= types)
		column += PN_MAX_VALUE_TYPES - types;
	return column;
}

size_t *pn_body_starts(struct pn_arena *arena, const struct pn_body_state *s,
		       unsigned int table)
{
	unsigned int column = pn_body_count_column(table);
	size_t i, n = pn_body_rows(s, table);
	size_t *starts = pn_arena_array(arena, n + 1, sizeof(*starts));

	starts[0] = 0;
	for (i = 0; i < n; i++)
		starts[i + 1] = starts[i] + (size_t)pn_body_at(s, column, i);
	return starts;
}

uint64_t pn_body_state_sum(const struct pn_body_state *s)
{
	uint64_t sum = s->text ? s->text->sum : 0, column;
	unsigned int i = 0;

	sum = pn_body_mix(
		pn_body_mix(pn_body_mix(sum, s->raw_bytes), s->serial),
		s->depth);
	while ((i = pn_body_next_column(i, s->types)) < PN_BODY_COLUMNS)
		if (s->columns[i])
			sum = pn_body_mix(pn_body_mix(sum, i),
					  s->columns[i]->sum);
		else if (pn_body_paths_sum(&column, s->paths, i))
			sum = pn_body_mix(pn_body_mix(sum, i), column);
	return sum;
}

uint64_t pn_body_state_raw(const struct pn_body_state *s)
{
	size_t types = pn_body_rows(s, PN_BODY_TYPES);
	uint64_t words = 0;
	unsigned int i;

	for (i = 1; i < PN_BODY_FIXED_END; i++)
		words += pn_body_fixed_info[i].table == FREE ||
					 pn_body_is_later(i)
				 ? pn_body_len(s, i)
				 : pn_body_rows(s, pn_body_fixed_info[i].table);
	for (i = 0; i < PN_BODY_MATRICES; i++)
		words += (uint64_t)types *
			 pn_body_rows(s, pn_body_matrix_table(i));
	/* what is absent */
	words += (uint64_t)types * pn_body_rows(s, PN_BODY_ROWS);
	return words * 8 + (s->text ? s->text->len : 0);
}
