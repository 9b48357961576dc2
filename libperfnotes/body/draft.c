/* Columns that grow from those of a base. */
#include "body/draft.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

/* Free columns have a few words, or none. */
#define FREE_MIN 16
/* Enough for all that one table of a small profile takes. */
#define SCRATCH_BYTES 16384

/* Place for the row of a string, PN_NONE until it has one. */
static uint32_t *row_of_string(struct pn_body_draft *d, uint32_t id)
{
	size_t had = d->string_cap;

	d->string_rows = pn_grow(d->string_rows, &d->string_cap, (size_t)id + 1,
				 sizeof(*d->string_rows));
	if (d->string_cap > had)
		memset(d->string_rows + had, 0xff,
		       (d->string_cap - had) * sizeof(*d->string_rows));
	return &d->string_rows[id];
}

/* The table of strings has one column. */
static void make_room(struct pn_body_draft *d, size_t strings)
{
	uint64_t **lens = &d->tables[PN_BODY_STRINGS];

	*lens = pn_grow(*lens, &d->len_cap, strings, sizeof(**lens));
	d->columns[PN_BODY_STRING_LEN] = *lens;
}

static uint32_t append_string(struct pn_body_draft *d, const char *bytes,
			      size_t len)
{
	size_t row = d->rows[PN_BODY_STRINGS]++;

	pn_buf_add(&d->text, bytes, len);
	make_room(d, row + 1);
	d->columns[PN_BODY_STRING_LEN][row] = len;
	return (uint32_t)row;
}

uint32_t pn_body_draft_string(struct pn_body_draft *d, const char *bytes,
			      size_t len)
{
	uint32_t *row;

	if (!d->base)
		return !len && d->rows[PN_BODY_STRINGS]
			       ? 0
			       : append_string(d, bytes, len);
	row = row_of_string(d, pn_strtab_add(&d->strings, bytes, len));
	if (*row == PN_NONE)
		*row = append_string(d, bytes, len);
	return *row;
}

static void init_strings(struct pn_body_draft *d)
{
	const struct pn_body_state *base = d->base;
	size_t i, at = 0, rows = d->rows[PN_BODY_STRINGS];

	for (i = 0; i < rows; i++) {
		size_t len = (size_t)d->columns[PN_BODY_STRING_LEN][i];
		const char *bytes =
			base && len ? (const char *)base->text->bytes + at : "";
		uint32_t *row = row_of_string(
			d, pn_strtab_add(&d->strings, bytes, len));

		if (*row == PN_NONE)
			*row = (uint32_t)i;
		at += len;
	}
	if (base && base->text)
		pn_buf_add(&d->text, base->text->bytes, base->text->len);
	/* words that stand for no text are 0, so row 0 has to exist */
	pn_body_draft_string(d, "", 0);
}

static size_t text_of(const struct pn_profile *p)
{
	size_t i, len = 0;

	for (i = 0; i < p->strings.count; i++)
		len += p->strings.items[i].len;
	return len;
}

static bool has_sites(const struct pn_profile *p)
{
	size_t i = 0;

	while (i < p->graph.edge_count && !p->graph.edges[i].file &&
	       !p->graph.edges[i].address)
		i++;
	return i < p->graph.edge_count;
}

void pn_body_draft_release(struct pn_body_draft *d)
{
	unsigned int i;

	for (i = 1; i < PN_BODY_FIXED_END; i++)
		if (pn_body_column_info(i).table == PN_BODY_FREE)
			free(d->columns[i]);
	for (i = 0; i < PN_BODY_TABLES; i++)
		free(d->tables[i]);
	pn_arena_release(&d->scratch);
	pn_buf_release(&d->text);
	pn_strtab_release(&d->strings);
	free(d->string_rows);
}

/* The columns of a table, in the order in which they lie. */
struct layout {
	unsigned int at[PN_BODY_COLUMNS];
	size_t count;
};

static void lay(struct layout *out, unsigned int first, unsigned int end)
{
	while (first < end)
		out->at[out->count++] = first++;
}

static void layout_of(struct layout *out, const struct pn_body_draft *d,
		      unsigned int table)
{
	unsigned int first, end, i;

	out->count = 0;
	pn_body_fixed_columns(&first, &end, table);
	lay(out, first, end);
	if (d->sited && table == PN_BODY_EDGES)
		lay(out, PN_BODY_EDGE_FILE, PN_BODY_EDGE_LATER_END);
	for (i = 0; i < PN_BODY_MATRICES; i++) {
		first = PN_BODY_VALUES + i * PN_MAX_VALUE_TYPES;
		if (pn_body_matrix_table(i) == table)
			lay(out, first, first + d->types);
	}
	if (table == PN_BODY_ROWS)
		lay(out, PN_BODY_ABSENT, PN_BODY_ABSENT + d->types);
}

static void grow(struct pn_body_draft *d, unsigned int table,
		 const struct layout *columns, size_t rows)
{
	size_t had = d->rows[table], i;
	uint64_t *now, *to;

	d->tables[table] = now = pn_realloc_array(
		d->tables[table], rows, columns->count * sizeof(*now));
	for (i = columns->count; i-- > 0;) {
		to = now + i * rows;
		if (had)
			memmove(to, now + i * had, had * sizeof(*to));
		memset(to + had, 0, (rows - had) * sizeof(*to));
		d->columns[columns->at[i]] = to;
	}
}

static void shrink(struct pn_body_draft *d, unsigned int table,
		   const struct layout *columns, size_t rows)
{
	size_t had = d->rows[table], i;
	uint64_t *now = d->tables[table], *to;

	for (i = 0; i < columns->count; i++) {
		to = now + i * rows;
		memmove(to, now + i * had, rows * sizeof(*to));
		d->columns[columns->at[i]] = to;
	}
}

/* In place: the columns need no other room on the way. */
void pn_body_draft_resize(struct pn_body_draft *d, unsigned int table,
			  size_t rows)
{
	struct layout columns;

	if (rows == d->rows[table])
		return;
	layout_of(&columns, d, table);
	if (rows > d->rows[table])
		grow(d, table, &columns, rows);
	else
		shrink(d, table, &columns, rows);
	d->rows[table] = rows;
}

void pn_body_draft_load(struct pn_body_draft *d, unsigned int table)
{
	size_t i, rows = d->base ? pn_body_rows(d->base, table) : 0;
	struct layout columns;

	if (!rows)
		return;
	layout_of(&columns, d, table);
	grow(d, table, &columns, rows);
	d->rows[table] = rows;
	for (i = 0; i < columns.count; i++) {
		const struct pn_body_words *words =
			d->base->columns[columns.at[i]];

		if (words)
			memcpy(d->columns[columns.at[i]], words->at,
			       words->count * sizeof(words->at[0]));
	}
}

void pn_body_draft_init(struct pn_body_draft *d,
			const struct pn_body_state *base,
			const struct pn_profile *profile)
{
	unsigned int i;

	memset(d, 0, sizeof(*d));
	d->base = base;
	d->types = (unsigned int)profile->type_count;
	d->sited = has_sites(profile) ||
		   (base && (base->columns[PN_BODY_EDGE_FILE] ||
			     base->columns[PN_BODY_EDGE_ADDRESS]));
	d->scratch.next = SCRATCH_BYTES;
	d->key = pn_hash_random();
	for (i = 0; base && i < PN_BODY_TABLES; i++)
		if (i != PN_BODY_ROWS && (i != PN_BODY_PATHS || !base->paths))
			pn_body_draft_load(d, i);
	d->len_cap = d->rows[PN_BODY_STRINGS];
	if (!base) {
		make_room(d, profile->strings.count);
		pn_buf_reserve(&d->text, text_of(profile));
	}
	init_strings(d);
}

void pn_body_draft_fill(struct pn_body_draft *d, unsigned int column,
			uint64_t word)
{
	size_t i, n = d->rows[pn_body_column_info(column).table];

	for (i = 0; i < n; i++)
		d->columns[column][i] = word;
}

void pn_body_draft_push(struct pn_body_draft *d, unsigned int column,
			uint64_t word)
{
	size_t n = d->lens[column];

	/* grows at powers of two */
	if (!n || (n >= FREE_MIN && !(n & (n - 1))))
		d->columns[column] = pn_realloc_array(
			d->columns[column], n ? n * 2 : FREE_MIN,
			sizeof(*d->columns[column]));
	d->columns[column][n] = word;
	d->lens[column] = n + 1;
}

struct pn_body_runs pn_body_draft_runs(struct pn_body_draft *d,
				       const unsigned int *columns,
				       size_t width)
{
	struct pn_body_runs runs;
	unsigned int table = pn_body_column_info(columns[0]).table;
	size_t i, k, n = d->base ? pn_body_rows(d->base, table) : 0;
	uint64_t *words;
	size_t *starts;

	words = pn_arena_array(&d->scratch, n, width * sizeof(*words));
	starts = pn_arena_array(&d->scratch, n + 1, sizeof(*starts));
	for (i = 0; i < n; i++) {
		starts[i] = i * width;
		for (k = 0; k < width; k++)
			words[i * width + k] =
				pn_body_at(d->base, columns[k], i);
	}
	starts[n] = n * width;
	runs.words = words;
	runs.starts = starts;
	runs.count = n;
	return runs;
}

size_t *pn_body_draft_starts(struct pn_body_draft *d, unsigned int table)
{
	const uint64_t *counts = d->columns[pn_body_count_column(table)];
	size_t i, n = d->rows[table];
	size_t *starts = pn_arena_array(&d->scratch, n + 1, sizeof(*starts));

	starts[0] = 0;
	for (i = 0; i < n; i++)
		starts[i + 1] = starts[i] + (size_t)counts[i];
	return starts;
}

static struct pn_body_words *finish_column(struct pn_body_block **block,
					   const struct pn_body_draft *d,
					   unsigned int column)
{
	unsigned int table = pn_body_column_info(column).table;
	size_t i, n = table == PN_BODY_FREE ? d->lens[column] : d->rows[table];
	const uint64_t *from = d->columns[column];
	struct pn_body_words *was, *words;
	uint64_t any = table == PN_BODY_FREE;

	for (i = 0; from && i < n && !any; i++)
		any = from[i];
	if (!from || !n || !any)
		return NULL;
	was = d->base ? d->base->columns[column] : NULL;
	if (was && was->count == n && !memcmp(was->at, from, n * sizeof(*from)))
		return pn_body_words_share(was);
	words = pn_body_words_new(block, n);
	memcpy(words->at, from, n * sizeof(*from));
	pn_body_words_seal(words);
	return words;
}

static struct pn_body_text *finish_text(const struct pn_body_draft *d)
{
	struct pn_body_text *text;

	if (!d->text.len)
		return NULL;
	/* the base's bytes are always the beginning */
	if (d->base && d->base->text && d->base->text->len == d->text.len)
		return pn_body_text_share(d->base->text);
	text = pn_body_text_new(d->text.len);
	memcpy(text->bytes, d->text.data, d->text.len);
	pn_body_text_seal(text);
	return text;
}

struct pn_body_state *pn_body_draft_finish(const struct pn_body_draft *d)
{
	struct pn_body_state *s = pn_body_state_new();
	unsigned int i = 0;

	s->types = d->types;
	while ((i = pn_body_next_column(i, s->types)) < PN_BODY_COLUMNS)
		s->columns[i] = finish_column(&s->block, d, i);
	s->text = finish_text(d);
	return s;
}
