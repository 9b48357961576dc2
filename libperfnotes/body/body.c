/*
 * Bodies as bytes: a header, a section for each column that is not as in the
 * base, and the sum of what has to come out.
 *
 * Bases are chosen as in a counter of base 4: number n of a chain is a delta
 * on n - 4^k, the number with its lowest digit that is not 0 taken one down.
 * So any profile is read through at most twelve deltas, six on average, and
 * one in 256 has to stand alone; FORMAT.md has the measurements.
 */
#include "body/body.h"

#include "base/large.h"
#include "body/column.h"
#include "body/paths.h"
#include "body/state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define VERSION 1
/* The byte behind it: what the body is, and the hash that names its base. */
enum kind { KIND_KEY, KIND_DELTA_SHA1, KIND_DELTA_SHA256 };
#define SUM_BYTES 8
#define TAG_PADDING (PN_BODY_TAG_TEXT + 1) /* odd: may be skipped */
#define CHAIN_RADIX 4
#define CHAIN_PERIOD 256 /* 4^4 */

/* Tables of a chain may weigh this many times what the key's do. */
#define GROWTH_MAX 2

/* Below that a body may grow by any ratio when it is decoded. */
#define FREE_RAW (64 * 1024)

static const unsigned char magic[4] = {0xb1, 'p', 'n', 'b'};

static int no_body(struct pn_error *err, const char *why)
{
	return pn_error_set(err, PN_EINVAL, "no body of git-perf: %s", why);
}

/* The header; *at moves behind it. */
static int read_info(struct pn_body_info *out, const unsigned char **at,
		     const unsigned char *end, struct pn_error *err)
{
	struct pn_body_info info = {.is_delta = false};
	uint64_t depth;

	if (end - *at < 6 || memcmp(*at, magic, sizeof(magic)) != 0)
		return no_body(err, "it does not begin with b1 'pnb'");
	if ((*at)[4] != VERSION)
		return pn_error_set(err, PN_EREFUSED,
				    "body of version %u, %u is known", (*at)[4],
				    VERSION);
	if ((*at)[5] == KIND_DELTA_SHA256)
		return pn_error_set(err, PN_EREFUSED,
				    "body whose base is named by a SHA-256, "
				    "this git-perf knows SHA-1: use a newer "
				    "one");
	if ((*at)[5] > KIND_DELTA_SHA256)
		return no_body(err, "neither key nor delta");
	info.is_delta = (*at)[5] == KIND_DELTA_SHA1;
	*at += 6;
	if (pn_varint_read(&info.raw_bytes, at, end))
		return no_body(err, "it is cut");
	if (info.is_delta) {
		if (pn_varint_read(&info.serial, at, end) ||
		    pn_varint_read(&depth, at, end) || end - *at < PN_OID_BYTES)
			return no_body(err, "it is cut");
		if (!depth || depth > PN_BODY_CHAIN_MAX ||
		    info.serial >= CHAIN_PERIOD)
			return no_body(err, "its chain is too long");
		info.depth = (unsigned int)depth;
		memcpy(info.base.bytes, *at, PN_OID_BYTES);
		*at += PN_OID_BYTES;
	}
	*out = info;
	return 0;
}

int pn_body_info(struct pn_body_info *out, const void *bytes, size_t len,
		 struct pn_error *err)
{
	const unsigned char *at = bytes;

	return read_info(out, &at, at + len, err);
}

const struct pn_body_state *
pn_body_state_find(const struct pn_body_state *state, const struct pn_oid *oid)
{
	for (; state && state->base; state = state->base)
		if (pn_oid_equal(&state->base_oid, oid))
			return state->base;
	return NULL;
}

static void add_u64(struct pn_buf *out, uint64_t v)
{
	unsigned int i;

	for (i = 0; i < 8; i++)
		pn_buf_add_byte(out, (unsigned char)(v >> i * 8));
}

static uint64_t get_u64(const unsigned char *p)
{
	uint64_t v = 0;
	unsigned int i;

	for (i = 0; i < 8; i++)
		v |= (uint64_t)p[i] << i * 8;
	return v;
}

static void add_section(struct pn_buf *out, unsigned int tag,
			const struct pn_buf *bytes)
{
	pn_buf_add_varint(out, tag);
	pn_buf_add_varint(out, bytes->len);
	pn_buf_add(out, bytes->data, bytes->len);
}

static void add_columns(struct pn_buf *out, const struct pn_body_state *s)
{
	struct pn_buf bytes = {0};
	size_t had = s->base && s->base->text ? s->base->text->len : 0;
	unsigned int i = 0, types = s->types;

	if (s->base && s->base->types > types)
		types = s->base->types;
	while ((i = pn_body_next_column(i, types)) < PN_BODY_COLUMNS) {
		struct pn_body_old old;

		if (pn_body_paths_write(out, s->paths, i) ||
		    !pn_body_differs(s, i))
			continue;
		old = pn_body_old_column(s->base, i);
		pn_buf_clear(&bytes);
		pn_body_column_write(&bytes, s->columns[i], &old);
		add_section(out, i * 2, &bytes);
	}
	if (s->text && s->text->len > had) {
		pn_buf_clear(&bytes);
		pn_buf_add(&bytes, s->text->bytes + had, s->text->len - had);
		add_section(out, PN_BODY_TAG_TEXT, &bytes);
	}
	pn_buf_release(&bytes);
}

static uint64_t ratio_limit(size_t len, const struct pn_body_state *base)
{
	return (uint64_t)len * PN_BODY_MAX_RATIO + FREE_RAW +
	       (base ? base->raw_bytes : 0);
}

/* Zeros, which git compresses away, for what grows by more than the limit
 * allows: deep recursion, mostly. */
static void add_padding(struct pn_buf *out, const struct pn_body_state *s,
			size_t start)
{
	uint64_t limit = ratio_limit(out->len - start, s->base);
	struct pn_buf zeros = {0};
	size_t len;

	if (s->raw_bytes <= limit)
		return;
	len = (size_t)((s->raw_bytes - limit) / PN_BODY_MAX_RATIO) + 1;
	memset(pn_buf_reserve(&zeros, len), 0, len);
	zeros.len = len;
	add_section(out, TAG_PADDING, &zeros);
	pn_buf_release(&zeros);
}

static void write_body(struct pn_buf *out, const struct pn_body_state *s)
{
	size_t start = out->len;

	pn_buf_add(out, magic, sizeof(magic));
	pn_buf_add_byte(out, VERSION);
	pn_buf_add_byte(out, s->base ? KIND_DELTA_SHA1 : KIND_KEY);
	pn_buf_add_varint(out, s->raw_bytes);
	if (s->base) {
		pn_buf_add_varint(out, s->serial);
		pn_buf_add_varint(out, s->depth);
		pn_buf_add(out, s->base_oid.bytes, PN_OID_BYTES);
	}
	add_columns(out, s);
	add_padding(out, s, start);
	add_u64(out, pn_body_state_sum(s));
}

bool pn_body_is_canonical(const struct pn_body_state *state, const void *bytes,
			  size_t len)
{
	struct pn_buf again = {0};
	bool same;

	write_body(&again, state);
	same = again.len == len && !memcmp(again.data, bytes, len);
	pn_buf_release(&again);
	return same;
}

/* The number in its chain of the profile that number n is a delta on. */
static uint64_t base_serial(uint64_t n)
{
	uint64_t unit = 1;

	while (n / unit % CHAIN_RADIX == 0)
		unit *= CHAIN_RADIX;
	return n - unit;
}

const struct pn_body_state *
pn_body_choose_base(struct pn_oid *oid, const struct pn_body_state *base,
		    const struct pn_oid *base_oid)
{
	uint64_t want = base->serial + 1 >= CHAIN_PERIOD
				? 0
				: base_serial(base->serial + 1);

	*oid = *base_oid;
	while (base->base &&
	       (base->serial > want || base->depth >= PN_BODY_CHAIN_MAX)) {
		*oid = base->base_oid;
		base = base->base;
	}
	return base;
}

int pn_body_measure(struct pn_body_state *s, struct pn_error *err)
{
	uint64_t columns = pn_body_state_raw(s), frames;
	struct pn_arena arena = {0};
	uint32_t *depths;
	int code;

	if (columns > PN_BODY_MAX_RAW)
		return pn_error_set(err, PN_ELIMIT,
				    "profile of %" PRIu64 " bytes in columns, "
				    "at most %" PRIu64 " are allowed",
				    columns, PN_BODY_MAX_RAW);
	code = pn_body_stacks(&depths, &frames, &arena, s,
			      (PN_BODY_MAX_RAW - columns) / sizeof(uint32_t),
			      err);
	pn_arena_release(&arena);
	if (!code)
		s->raw_bytes = columns + frames * sizeof(uint32_t);
	return code;
}

uint64_t pn_body_estimate(const struct pn_profile *p)
{
	const size_t rows[PN_BODY_TABLES] = {
		[PN_BODY_STRINGS] = p->strings.count,
		[PN_BODY_FUNCTIONS] = p->function_count,
		[PN_BODY_LOCATIONS] = p->location_count,
		[PN_BODY_LINES] = p->line_count,
		[PN_BODY_SETS] = p->label_set_count,
		[PN_BODY_LABELS] = p->label_count,
		[PN_BODY_ROWS] = p->sample_count,
		[PN_BODY_NODES] = p->graph.node_count,
		[PN_BODY_EDGES] = p->graph.edge_count,
		[PN_BODY_COSTS] = p->graph.cost_count,
		[PN_BODY_CURVES] = p->curves.count,
		[PN_BODY_POINTS] = p->curves.point_count,
		[PN_BODY_PARTS] = p->curves.part_count,
		[PN_BODY_EVENTS] = p->events.count,
		[PN_BODY_THREADS] = p->events.thread_count,
		[PN_BODY_PROCESSES] = p->events.process_count,
		[PN_BODY_FACTS] = p->fact_count,
		[PN_BODY_TICKS] = p->tick_count};
	uint64_t words = 0, text = 0;
	unsigned int i, table;

	for (i = 1; i < PN_BODY_FIXED_END; i++) {
		table = pn_body_column_info(i).table;
		if (table < PN_BODY_TABLES && !pn_body_is_later(i))
			words += rows[table];
	}
	for (i = 0; i < PN_BODY_MATRICES; i++)
		words +=
			(uint64_t)p->type_count * rows[pn_body_matrix_table(i)];
	words += (uint64_t)p->type_count * rows[PN_BODY_ROWS];
	if (p->graph.self_by_run)
		words += (uint64_t)p->type_count * pn_profile_runs(p) *
			 rows[PN_BODY_NODES];
	for (i = 0; i < p->strings.count; i++)
		text += p->strings.items[i].len;
	return words * 8 + text + p->frame_count * sizeof(*p->frames);
}

int pn_body_write_key(struct pn_buf *out, struct pn_body_state *s,
		      struct pn_error *err)
{
	size_t start = out->len;
	int code = pn_body_measure(s, err);

	if (code)
		return code;
	write_body(out, s);
	s->key_len = out->len - start;
	return 0;
}

/* Whether rows that no one needs, inherited one by one, weigh more than the
 * chain's key ever did. */
static bool is_outgrown(const struct pn_body_state *s,
			const struct pn_body_state *base)
{
	while (base->base)
		base = base->base;
	return s->raw_bytes > FREE_RAW &&
	       s->raw_bytes / GROWTH_MAX > base->raw_bytes;
}

bool pn_body_write_delta(struct pn_buf *out, struct pn_body_state *s,
			 const struct pn_body_state *base,
			 const struct pn_oid *oid, uint64_t serial)
{
	size_t start = out->len;

	if (serial >= CHAIN_PERIOD || base->depth >= PN_BODY_CHAIN_MAX ||
	    pn_body_measure(s, NULL) || is_outgrown(s, base))
		return false;
	s->base = pn_body_state_share(base);
	s->base_oid = *oid;
	s->depth = base->depth + 1;
	s->serial = serial;
	s->key_len = base->key_len;
	write_body(out, s);
	/* the chain's own key tells what a key would take */
	if (out->len - start <= pn_body_delta_max(base))
		return true;
	out->len = start;
	return false;
}

int pn_body_encode(struct pn_buf *out, struct pn_body_state **state,
		   const struct pn_profile *profile,
		   const struct pn_body_state *base,
		   const struct pn_oid *base_oid, struct pn_error *err)
{
	struct pn_body_state *s, *key;
	struct pn_oid oid;
	uint64_t serial = 0;
	int code = 0;

	if (base) {
		serial = base->serial + 1;
		base = pn_body_choose_base(&oid, base, base_oid);
	}
	s = pn_body_gather(profile, base);
	if (!base) {
		code = pn_body_write_key(out, s, err);
	} else if (!pn_body_write_delta(out, s, base, &oid, serial)) {
		key = pn_body_compact(s);
		pn_body_state_free(s);
		s = key;
		code = pn_body_write_key(out, s, err);
	}
	if (!code && state)
		*state = s;
	else
		pn_body_state_free(s);
	return code;
}

static int read_text(struct pn_body_state *s, const unsigned char *bytes,
		     size_t len, uint64_t *budget, struct pn_error *err)
{
	size_t had = s->text ? s->text->len : 0;
	struct pn_body_text *text;

	if (had > *budget || len > *budget - had)
		return no_body(err, "more text than it says");
	*budget -= had + len;
	text = pn_body_text_new(had + len);
	if (had)
		memcpy(text->bytes, s->text->bytes, had);
	if (len)
		memcpy(text->bytes + had, bytes, len);
	pn_body_text_seal(text);
	pn_body_text_drop(s->text);
	s->text = text;
	return 0;
}

static int read_section(struct pn_body_state *s, uint64_t tag,
			const unsigned char *bytes, size_t len,
			uint64_t *budget, struct pn_error *err)
{
	struct pn_body_words *words;
	struct pn_body_old old;
	unsigned int column, types = 0;
	int code;

	if (tag == PN_BODY_TAG_TEXT)
		return read_text(s, bytes, len, budget, err);
	if (tag % 2)
		return 0; /* of a later version, which says it can be missed */
	column = tag / 2 < PN_BODY_COLUMNS ? (unsigned int)(tag / 2) : 0;
	if (!column || (column >= PN_BODY_FIXED_END && column < PN_BODY_VALUES))
		return pn_error_set(err, PN_EREFUSED,
				    "body with section %" PRIu64
				    ", which needs a newer git-perf",
				    tag);
	if (s->paths &&
	    (column == PN_BODY_PATH_UP || column == PN_BODY_PATH_LOCATION))
		return pn_body_paths_read(s->paths, column, bytes, len, budget,
					  err);
	old = pn_body_old_column(s->base, column);
	code = pn_body_column_read(&words, &s->block, bytes, len, &old, budget,
				   err);
	if (code)
		return pn_error_context(err, "section %u", column);
	if (column >= PN_BODY_VALUES)
		types = (column - PN_BODY_VALUES) % PN_MAX_VALUE_TYPES + 1;
	if (s->types < types)
		s->types = types;
	pn_body_words_drop(s->columns[column]);
	s->columns[column] = words;
	return 0;
}

/* Of `given`, if any, which holds them, nothing is kept that was read. */
static int read_sections(struct pn_body_state *s, const unsigned char *at,
			 const unsigned char *end, void *given,
			 struct pn_error *err)
{
	const unsigned char *first = at;
	uint64_t budget = s->raw_bytes, tag, len, last = 0;

	while (at < end) {
		if (pn_varint_read(&tag, &at, end) ||
		    pn_varint_read(&len, &at, end) || len > (size_t)(end - at))
			return no_body(err, "a section is cut");
		if (tag <= last)
			return no_body(err, "its sections are out of order");
		last = tag;
		if (read_section(s, tag, at, (size_t)len, &budget, err))
			return err->code;
		at += len;
		if (given)
			pn_large_forget(given, (size_t)(at - first));
	}
	return 0;
}

/* Begins as the base, whose columns stay where no section changes them. */
static struct pn_body_state *inherit(const struct pn_body_info *info,
				     const struct pn_body_state *base,
				     bool lean)
{
	struct pn_body_state *s = pn_body_state_new();
	unsigned int i = 0;

	s->raw_bytes = info->raw_bytes;
	s->serial = info->serial;
	s->depth = info->depth;
	if (base ? base->paths != NULL : lean)
		s->paths = pn_body_paths_inherit(base ? base->paths : NULL);
	if (!base)
		return s;
	s->base = pn_body_state_share(base);
	s->base_oid = info->base;
	s->key_len = base->key_len;
	s->types = base->types;
	while ((i = pn_body_next_column(i, s->types)) < PN_BODY_COLUMNS)
		s->columns[i] = pn_body_words_share(base->columns[i]);
	s->text = pn_body_text_share(base->text);
	return s;
}

static int check_info(const struct pn_body_info *info, size_t len,
		      const struct pn_body_state *base, struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];

	if (info->is_delta && !base) {
		pn_oid_hex(hex, &info->base);
		return pn_error_set(err, PN_EINVAL,
				    "delta body, needs its base '%s'", hex);
	}
	if (info->is_delta &&
	    (info->depth != base->depth + 1 || info->serial <= base->serial))
		return no_body(err, "it is not a delta on this base");
	if (info->raw_bytes > PN_BODY_MAX_RAW ||
	    info->raw_bytes > ratio_limit(len, info->is_delta ? base : NULL))
		return pn_error_set(err, PN_ELIMIT,
				    "body of %zu bytes says it decodes to "
				    "%" PRIu64 ", which is too much",
				    len, info->raw_bytes);
	return 0;
}

/* The counts of rows are limited before any sum of them is taken. */
static int check_result(const struct pn_body_state *s, struct pn_error *err)
{
	unsigned int i;
	int code = 0;

	for (i = 0; i < PN_BODY_TABLES; i++)
		if (pn_body_at(s, PN_BODY_COUNTS, i) > s->raw_bytes / 8)
			return no_body(err, "more rows than it says");
	if (s->paths)
		code = pn_body_paths_end(
			s->paths, pn_body_rows(s, PN_BODY_PATHS),
			pn_body_rows(s, PN_BODY_LOCATIONS), err);
	if (!code)
		code = pn_body_state_check(s, s->base, err);
	if (code)
		return code;
	if (pn_body_state_raw(s) > s->raw_bytes)
		return no_body(err, "it is larger than it says");
	return 0;
}

/* Lean where the bytes are given. */
static int decode_columns(struct pn_body_state **state, const void *bytes,
			  size_t len, const struct pn_body_state *base,
			  void *given, struct pn_error *err)
{
	const unsigned char *at = bytes, *end = at + len;
	const struct pn_body_state *found;
	struct pn_body_info info;
	struct pn_body_state *s;
	int code = read_info(&info, &at, end, err);

	if (code)
		return code;
	found = info.is_delta ? pn_body_state_find(base, &info.base) : NULL;
	if (found)
		base = found;
	code = check_info(&info, len, base, err);
	if (code)
		return code;
	if (end - at < SUM_BYTES)
		return no_body(err, "it is cut");
	s = inherit(&info, info.is_delta ? base : NULL, given != NULL);
	if (!info.is_delta)
		s->key_len = len;
	code = read_sections(s, at, end - SUM_BYTES, given, err);
	if (!code)
		code = check_result(s, err);
	if (!code)
		*state = s;
	else
		pn_body_state_free(s);
	return code;
}

int pn_body_decode_columns(struct pn_body_state **state, const void *bytes,
			   size_t len, const struct pn_body_state *base,
			   struct pn_error *err)
{
	return decode_columns(state, bytes, len, base, NULL, err);
}

static int decode(struct pn_body_state **state, const void *bytes, size_t len,
		  const struct pn_body_state *base, void *given,
		  struct pn_error *err)
{
	const unsigned char *sum = (const unsigned char *)bytes + len;
	struct pn_body_state *s;
	struct pn_error local;
	int code;

	if (!err)
		err = &local;
	code = decode_columns(&s, bytes, len, base, given, err);
	if (code)
		return code;
	if (pn_body_state_sum(s) != get_u64(sum - SUM_BYTES))
		code = no_body(err, "the checksum of the result is wrong");
	if (!code && state)
		*state = s;
	else
		pn_body_state_free(s);
	return code;
}

int pn_body_decode(struct pn_body_state **state, const void *bytes, size_t len,
		   const struct pn_body_state *base, struct pn_error *err)
{
	return decode(state, bytes, len, base, NULL, err);
}

int pn_body_decode_lean(struct pn_body_state **state, void *bytes, size_t len,
			const struct pn_body_state *base, struct pn_error *err)
{
	return decode(state, bytes, len, base, bytes, err);
}

bool pn_body_state_is_lean(const struct pn_body_state *state)
{
	return state->paths != NULL;
}
