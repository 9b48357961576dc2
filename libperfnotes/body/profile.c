/* The profile that the columns of a body stand for. */
#include "body/build.h"
#include "body/paths.h"
#include "body/values.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t at(const struct pn_body_build *b, unsigned int column, size_t i)
{
	return pn_body_at(b->s, column, i);
}

static void begin(struct pn_body_build *b)
{
	size_t i, n = pn_body_rows(b->s, PN_BODY_STRINGS);

	pn_body_live(&b->live, b->s);
	b->arena = &b->live.arena;
	b->string_starts =
		pn_arena_array(b->arena, n + 1, sizeof(*b->string_starts));
	b->strings = pn_arena_array(b->arena, n, sizeof(*b->strings));
	b->string_starts[0] = 0;
	for (i = 0; i < n; i++) {
		b->strings[i] = PN_NONE;
		b->string_starts[i + 1] = b->string_starts[i] +
					  (size_t)at(b, PN_BODY_STRING_LEN, i);
	}
	pn_strtab_append(&b->p->strings, "", 0);
}

static struct pn_pair *build_pairs(size_t *count, struct pn_body_build *b,
				   unsigned int column)
{
	size_t i, n = pn_body_len(b->s, column) / 2;
	struct pn_pair *pairs;

	*count = n;
	if (!n)
		return NULL;
	pairs = pn_realloc_array(NULL, n, sizeof(*pairs));
	for (i = 0; i < n; i++) {
		pairs[i].key = pn_body_build_string(b, column, i * 2);
		pairs[i].value = pn_body_build_string(b, column, i * 2 + 1);
	}
	return pairs;
}

static uint32_t *build_texts(size_t *count, struct pn_body_build *b,
			     unsigned int column)
{
	size_t i, n = pn_body_len(b->s, column);
	uint32_t *texts;

	*count = n;
	if (!n)
		return NULL;
	texts = pn_realloc_array(NULL, n, sizeof(*texts));
	for (i = 0; i < n; i++)
		texts[i] = pn_body_build_string(b, column, i);
	return texts;
}

static uint32_t meta_string(struct pn_body_build *b,
			    enum pn_body_meta_string which)
{
	if (which >= pn_body_len(b->s, PN_BODY_META_STRINGS))
		return 0;
	return pn_body_build_string(b, PN_BODY_META_STRINGS, which);
}

static int64_t meta_number(const struct pn_body_build *b,
			   enum pn_body_meta_number which)
{
	return (int64_t)at(b, PN_BODY_META_NUMBERS, which);
}

static void build_header(struct pn_body_build *b)
{
	struct pn_header *h = &b->p->header;
	size_t i;

	h->kind = meta_string(b, PN_BODY_META_KIND);
	h->cmd = meta_string(b, PN_BODY_META_CMD);
	h->args = meta_string(b, PN_BODY_META_ARGS);
	h->workload = meta_string(b, PN_BODY_META_WORKLOAD);
	h->name = meta_string(b, PN_BODY_META_NAME);
	h->origin = meta_string(b, PN_BODY_META_ORIGIN);
	h->source_root = meta_string(b, PN_BODY_META_SOURCE_ROOT);
	h->exit_status = meta_number(b, PN_BODY_META_EXIT);
	h->dirty = meta_number(b, PN_BODY_META_DIRTY) != 0;
	h->runs = (uint32_t)meta_number(b, PN_BODY_META_RUNS);
	h->runs += !h->runs;
	h->collector.name = meta_string(b, PN_BODY_META_COLLECTOR);
	h->collector.params = meta_string(b, PN_BODY_META_PARAMS);
	h->post_count = pn_body_len(b->s, PN_BODY_POSTS) / 2;
	if (h->post_count)
		h->posts = pn_realloc_array(NULL, h->post_count,
					    sizeof(*h->posts));
	for (i = 0; i < h->post_count; i++) {
		h->posts[i].name =
			pn_body_build_string(b, PN_BODY_POSTS, i * 2);
		h->posts[i].params =
			pn_body_build_string(b, PN_BODY_POSTS, i * 2 + 1);
	}
	h->environment =
		build_pairs(&h->environment_count, b, PN_BODY_ENVIRONMENT);
	h->labels = build_pairs(&h->label_count, b, PN_BODY_PROFILE_LABELS);
	h->extras = build_pairs(&h->extra_count, b, PN_BODY_EXTRAS);
	h->models = build_texts(&h->model_count, b, PN_BODY_MODELS);
}

static uint8_t role_of(const struct pn_body_build *b, size_t type)
{
	uint64_t roles =
		at(b, PN_BODY_META_NUMBERS, PN_BODY_META_ROLES + type / 32);

	return (uint8_t)(roles >> 2 * (type % 32) & 3);
}

static void build_types(struct pn_body_build *b)
{
	struct pn_profile *p = b->p;
	size_t i, n = pn_body_rows(b->s, PN_BODY_TYPES);

	p->default_type = meta_string(b, PN_BODY_META_DEFAULT_TYPE);
	p->period_type.type = meta_string(b, PN_BODY_META_PERIOD_TYPE);
	p->period_type.unit = meta_string(b, PN_BODY_META_PERIOD_UNIT);
	p->period_type.better =
		(uint8_t)meta_number(b, PN_BODY_META_PERIOD_BETTER);
	p->period_type.number =
		(uint8_t)meta_number(b, PN_BODY_META_PERIOD_NUMBER);
	p->period = meta_number(b, PN_BODY_META_PERIOD);
	p->time_ns = meta_number(b, PN_BODY_META_TIME);
	p->duration_ns = meta_number(b, PN_BODY_META_DURATION);
	p->drop_frames = meta_string(b, PN_BODY_META_DROP);
	p->keep_frames = meta_string(b, PN_BODY_META_KEEP);
	p->doc_url = meta_string(b, PN_BODY_META_DOC);
	p->comments = build_texts(&p->comment_count, b, PN_BODY_COMMENTS);
	if (n)
		p->types = pn_calloc(n, sizeof(*p->types));
	p->type_count = n;
	for (i = 0; i < n; i++) {
		p->types[i].type =
			pn_body_build_string(b, PN_BODY_TYPE_NAME, i);
		p->types[i].unit =
			pn_body_build_string(b, PN_BODY_TYPE_UNIT, i);
		p->types[i].better = (uint8_t)at(b, PN_BODY_TYPE_BETTER, i);
		p->types[i].number = (uint8_t)at(b, PN_BODY_TYPE_NUMBER, i);
		p->types[i].role = role_of(b, i);
	}
}

static void build_mappings(struct pn_body_build *b)
{
	size_t i, n = pn_body_rows(b->s, PN_BODY_MAPPINGS);

	for (i = 0; i < n; i++) {
		const struct pn_mapping m = {
			at(b, PN_BODY_MAPPING_START, i),
			at(b, PN_BODY_MAPPING_START, i) +
				at(b, PN_BODY_MAPPING_SIZE, i),
			at(b, PN_BODY_MAPPING_OFFSET, i),
			pn_body_build_string(b, PN_BODY_MAPPING_FILE, i),
			pn_body_build_string(b, PN_BODY_MAPPING_BUILD_ID, i),
			(uint32_t)at(b, PN_BODY_MAPPING_HAS, i)};

		pn_profile_add_mapping(b->p, &m);
	}
}

static void build_functions(struct pn_body_build *b)
{
	struct pn_profile *p = b->p;
	size_t i, n = pn_body_rows(b->s, PN_BODY_FUNCTIONS), count;

	b->functions = pn_body_build_rows(&count, b, PN_BODY_FUNCTIONS, 0);
	p->functions =
		pn_grow(NULL, &p->function_cap, count, sizeof(*p->functions));
	for (i = 0; i < n; i++) {
		uint64_t system = at(b, PN_BODY_FUNCTION_SYSTEM, i);
		struct pn_function *f;

		if (b->functions[i] == PN_NONE)
			continue;
		f = &p->functions[p->function_count];
		f->name = pn_body_build_string(b, PN_BODY_FUNCTION_NAME, i);
		f->system_name =
			system ? pn_body_build_text(b, system - 1) : f->name;
		f->file = pn_body_build_string(b, PN_BODY_FUNCTION_FILE, i);
		f->start_line = (int64_t)at(b, PN_BODY_FUNCTION_LINE, i);
		p->function_count++;
	}
}

static void build_location(struct pn_body_build *b, struct pn_location *to,
			   size_t i, size_t line, size_t end)
{
	struct pn_profile *p = b->p;
	uint64_t mapping = at(b, PN_BODY_LOCATION_MAPPING, i);

	to->address = at(b, PN_BODY_LOCATION_ADDRESS, i);
	to->mapping = PN_NONE;
	if (mapping) {
		to->mapping = (uint32_t)(mapping - 1);
		to->address += p->mappings[to->mapping].start;
	}
	to->folded = at(b, PN_BODY_LOCATION_FOLDED, i) != 0;
	to->line_first = (uint32_t)p->line_count;
	to->line_count = (uint32_t)(end - line);
	for (; line < end; line++) {
		struct pn_line *l = &p->lines[p->line_count++];

		l->function = b->functions[at(b, PN_BODY_LINE_FUNCTION, line)];
		l->line = (int64_t)at(b, PN_BODY_LINE_LINE, line);
		l->column = (int64_t)at(b, PN_BODY_LINE_COLUMN, line);
	}
}

static void build_locations(struct pn_body_build *b)
{
	struct pn_profile *p = b->p;
	size_t i, n = pn_body_rows(b->s, PN_BODY_LOCATIONS), count;
	size_t *lines = pn_body_starts(b->arena, b->s, PN_BODY_LOCATIONS);

	b->locations = pn_body_build_rows(&count, b, PN_BODY_LOCATIONS, 0);
	p->locations =
		pn_grow(NULL, &p->location_cap, count, sizeof(*p->locations));
	p->lines =
		pn_grow(NULL, &p->line_cap, pn_body_rows(b->s, PN_BODY_LINES),
			sizeof(*p->lines));
	/* stacks that are lent have the numbers of their profile */
	if (b->s->paths)
		pn_body_paths_number(b->locations, b->s->paths);
	for (i = 0; i < n; i++)
		if (b->locations[i] != PN_NONE)
			build_location(b, &p->locations[b->locations[i]], i,
				       lines[i], lines[i + 1]);
	p->location_count = count;
}

/* A path that samples end at is a stack: walking up, its leaf comes first. */
static void build_stack(struct pn_body_build *b, size_t path)
{
	struct pn_profile *p = b->p;
	uint64_t up;

	do {
		uint64_t location = at(b, PN_BODY_PATH_LOCATION, path);

		p->frames[p->frame_count++] = b->locations[location];
		up = at(b, PN_BODY_PATH_UP, path);
		path -= up;
	} while (up);
}

/* The stack without frames is 0, there as soon as what names stacks is. */
static void build_stacks(struct pn_body_build *b)
{
	struct pn_profile *p = b->p;
	size_t i, n = pn_body_rows(b->s, PN_BODY_PATHS), count = 1;

	if (!pn_body_rows(b->s, PN_BODY_ROWS) &&
	    !pn_body_rows(b->s, PN_BODY_PARTS) &&
	    !pn_body_rows(b->s, PN_BODY_EVENTS) &&
	    !pn_body_rows(b->s, PN_BODY_TICKS))
		return;
	if (b->s->paths) {
		pn_body_paths_lend(p, b->s->paths);
		return;
	}
	b->stacks = pn_arena_array(b->arena, n, sizeof(*b->stacks));
	for (i = 0; i < n; i++)
		if (b->depths[i])
			b->stacks[i] = (uint32_t)count++;
	p->frames =
		pn_grow(NULL, &p->frame_cap, b->frames + 1, sizeof(*p->frames));
	p->stack_start =
		pn_realloc_array(NULL, count + 1, sizeof(*p->stack_start));
	p->stack_start[0] = p->stack_start[1] = 0;
	p->stack_cap = count;
	p->stack_count = 1;
	for (i = 0; i < n; i++) {
		if (!b->depths[i])
			continue;
		build_stack(b, i);
		p->stack_start[++p->stack_count] = (uint32_t)p->frame_count;
	}
}

static void build_label(struct pn_body_build *b, struct pn_label *to, size_t i)
{
	uint64_t number = at(b, PN_BODY_LABEL_NUMBER, i);

	memset(to, 0, sizeof(*to));
	to->key = pn_body_build_string(b, PN_BODY_LABEL_KEY, i);
	to->unit = pn_body_build_string(b, PN_BODY_LABEL_UNIT, i);
	to->kind = (uint8_t)at(b, PN_BODY_LABEL_KIND, i);
	if (to->kind == PN_LABEL_STRING || to->kind == PN_LABEL_JSON)
		to->value.s = pn_body_build_string(b, PN_BODY_LABEL_TEXT, i);
	else
		memcpy(&to->value, &number, sizeof(number));
}

/* A set without labels is the profile's set 0. */
static void build_sets(struct pn_body_build *b)
{
	size_t i, k, n = pn_body_rows(b->s, PN_BODY_SETS);
	size_t *starts = pn_body_starts(b->arena, b->s, PN_BODY_SETS);
	struct pn_label *labels = NULL;
	size_t cap = 0;

	b->sets = pn_arena_array(b->arena, n, sizeof(*b->sets));
	for (i = 0; i < n; i++) {
		size_t count = starts[i + 1] - starts[i];

		b->sets[i] = PN_NONE;
		if (!b->live.of[PN_BODY_SETS][i])
			continue;
		labels = pn_grow(labels, &cap, count, sizeof(*labels));
		for (k = 0; k < count; k++)
			build_label(b, &labels[k], starts[i] + k);
		b->sets[i] = pn_profile_add_label_set(b->p, labels, count);
	}
	free(labels);
}

static void build_absent(struct pn_body_build *b, const uint32_t *rows)
{
	size_t type, i;

	for (type = 0; type < b->p->type_count; type++) {
		unsigned int column = PN_BODY_ABSENT + (unsigned int)type;

		for (i = 0; i < pn_body_len(b->s, column); i++)
			if (rows[i] != PN_NONE && at(b, column, i))
				pn_profile_set_absent(b->p, rows[i], type);
	}
}

static void build_samples(struct pn_body_build *b)
{
	struct pn_profile *p = b->p;
	size_t i, n = pn_body_rows(b->s, PN_BODY_ROWS), count;
	uint32_t *rows = pn_body_build_rows(&count, b, PN_BODY_ROWS, 0);

	if (count) {
		/* with set 0, even when no sample has a label */
		pn_profile_add_label_set(p, NULL, 0);
		p->samples = pn_realloc_array(NULL, count, sizeof(*p->samples));
		p->values = pn_body_values_get(b->s, PN_BODY_OF_ROWS,
					       b->live.of[PN_BODY_ROWS], count);
		p->sample_cap = p->sample_count = count;
	}
	for (i = 0; i < n; i++) {
		uint64_t stack = at(b, PN_BODY_ROW_STACK, i);
		uint64_t set = at(b, PN_BODY_ROW_SET, i);

		if (rows[i] == PN_NONE)
			continue;
		p->samples[rows[i]].stack = pn_body_build_stack(b, stack);
		p->samples[rows[i]].labels = set ? b->sets[set - 1] : 0;
	}
	build_absent(b, rows);
}

/* The header said how much the stacks are when they are written out. */
static int expand_stacks(struct pn_body_build *b, struct pn_error *err)
{
	uint64_t columns = pn_body_state_raw(b->s);
	uint64_t limit = (b->s->raw_bytes - columns) / sizeof(uint32_t);
	int code = pn_body_stacks(&b->depths, &b->frames, b->arena, b->s, limit,
				  err);

	if (!code && b->frames != limit)
		code = pn_error_set(err, PN_EINVAL,
				    "stacks of %" PRIu64 " frames where the "
				    "body says %" PRIu64,
				    b->frames, limit);
	return code;
}

static int build(struct pn_body_build *b, struct pn_error *err)
{
	int code = expand_stacks(b, err);

	if (code)
		return code;
	build_header(b);
	build_types(b);
	build_mappings(b);
	build_functions(b);
	build_locations(b);
	build_stacks(b);
	build_sets(b);
	build_samples(b);
	pn_body_build_curves(b);
	pn_body_build_events(b);
	pn_body_build_ticks(b);
	pn_body_build_graph(b);
	pn_body_build_metrics(b);
	pn_body_build_facts(b);
	return pn_profile_check(b->p, err);
}

static int profile_of(struct pn_profile *out, const struct pn_body_state *state,
		      bool distinct, struct pn_error *err)
{
	struct pn_profile p;
	struct pn_body_build b = {.s = state, .p = &p, .distinct = distinct};
	int code;

	pn_profile_init(&p);
	begin(&b);
	code = build(&b, err);
	pn_body_live_release(&b.live);
	if (code) {
		if (state->paths)
			pn_body_paths_take_back(&p);
		pn_profile_release(&p);
		return code;
	}
	pn_profile_release(out);
	*out = p;
	return 0;
}

int pn_body_profile(struct pn_profile *out, const struct pn_body_state *state,
		    struct pn_error *err)
{
	return profile_of(out, state, false, err);
}

int pn_body_profile_again(struct pn_profile *out,
			  const struct pn_body_state *state,
			  struct pn_error *err)
{
	return profile_of(out, state, true, err);
}
