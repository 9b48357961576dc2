/* Columns that grow from those of a base. */
#include "codec/body_draft.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* The column behind `column` (0: the first) that a draft of so many value
 * types has, PN_BODY_COLUMNS at the end. Most drafts have a fifth of all. */
static unsigned int next_column(const struct pn_body_draft *d,
				unsigned int column)
{
	if (++column < PN_BODY_FIXED_END)
		return column;
	if (column < PN_BODY_VALUES)
		column = PN_BODY_VALUES;
	if (!d->types)
		return PN_BODY_COLUMNS;
	if ((column - PN_BODY_VALUES) % PN_MAX_VALUE_TYPES >= d->types)
		column += PN_MAX_VALUE_TYPES - (unsigned int)d->types;
	return column;
}

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

static void init_strings(struct pn_body_draft *d)
{
	const struct pn_body_state *base = d->base;
	size_t i, at = 0, rows = d->rows[PN_BODY_STRINGS];

	d->len_cap = rows;
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

void pn_body_draft_init(struct pn_body_draft *d,
			const struct pn_body_state *base, size_t types)
{
	unsigned int i;

	memset(d, 0, sizeof(*d));
	d->base = base;
	d->types = types;
	for (i = 0; base && i < PN_BODY_TABLES; i++)
		pn_body_draft_resize(d, i, pn_body_rows(base, i));
	for (i = next_column(d, 0); base && i < PN_BODY_COLUMNS;
	     i = next_column(d, i)) {
		const struct pn_body_words *words = base->columns[i];

		if (words && pn_body_column_info(i).table != PN_BODY_FREE)
			memcpy(d->columns[i], words->at,
			       words->count * sizeof(words->at[0]));
	}
	init_strings(d);
}

void pn_body_draft_release(struct pn_body_draft *d)
{
	unsigned int i;

	for (i = 0; i < PN_BODY_COLUMNS; i++)
		free(d->columns[i]);
	pn_buf_release(&d->text);
	pn_strtab_release(&d->strings);
	free(d->string_rows);
}

static void resize_columns(struct pn_body_draft *d, unsigned int first,
			   unsigned int end, unsigned int table, size_t rows)
{
	size_t had = d->rows[table];
	unsigned int i;

	for (i = first; i < end; i++) {
		d->columns[i] = pn_realloc_array(d->columns[i], rows,
						 sizeof(*d->columns[i]));
		if (rows > had)
			memset(d->columns[i] + had, 0,
			       (rows - had) * sizeof(*d->columns[i]));
	}
}

void pn_body_draft_resize(struct pn_body_draft *d, unsigned int table,
			  size_t rows)
{
	unsigned int first, end, i;

	pn_body_fixed_columns(&first, &end, table);
	resize_columns(d, first, end, table, rows);
	for (i = 0; i < PN_BODY_MATRICES; i++) {
		first = PN_BODY_VALUES + i * PN_MAX_VALUE_TYPES;
		if (pn_body_matrix_table(i) == table)
			resize_columns(d, first, first + (unsigned int)d->types,
				       table, rows);
	}
	if (table == PN_BODY_ROWS)
		resize_columns(d, PN_BODY_ABSENT,
			       PN_BODY_ABSENT + (unsigned int)d->types, table,
			       rows);
	d->rows[table] = rows;
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
	if (!(n & (n - 1)))
		d->columns[column] =
			pn_realloc_array(d->columns[column], n ? n * 2 : 1,
					 sizeof(*d->columns[column]));
	d->columns[column][n] = word;
	d->lens[column] = n + 1;
}

static uint32_t append_string(struct pn_body_draft *d, const char *bytes,
			      size_t len)
{
	size_t row = d->rows[PN_BODY_STRINGS]++;
	uint64_t **lens = &d->columns[PN_BODY_STRING_LEN];

	pn_buf_add(&d->text, bytes, len);
	*lens = pn_grow(*lens, &d->len_cap, row + 1, sizeof(**lens));
	(*lens)[row] = len;
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

struct pn_body_runs pn_body_draft_runs(const struct pn_body_draft *d,
				       const unsigned int *columns,
				       size_t width)
{
	struct pn_body_runs runs;
	size_t i, k, n = d->rows[pn_body_column_info(columns[0]).table];
	uint64_t *words;
	size_t *starts;

	words = pn_realloc_array(NULL, n * width, sizeof(*words));
	starts = pn_realloc_array(NULL, n + 1, sizeof(*starts));
	for (i = 0; i < n; i++) {
		starts[i] = i * width;
		for (k = 0; k < width; k++)
			words[i * width + k] = d->columns[columns[k]][i];
	}
	starts[n] = n * width;
	runs.words = words;
	runs.starts = starts;
	runs.count = n;
	return runs;
}

size_t *pn_body_draft_starts(const struct pn_body_draft *d, unsigned int table)
{
	const uint64_t *counts = d->columns[pn_body_count_column(table)];
	size_t i, n = d->rows[table];
	size_t *starts = pn_realloc_array(NULL, n + 1, sizeof(*starts));

	starts[0] = 0;
	for (i = 0; i < n; i++)
		starts[i + 1] = starts[i] + (size_t)counts[i];
	return starts;
}

static struct pn_body_words *finish_column(const struct pn_body_draft *d,
					   unsigned int column)
{
	unsigned int table = pn_body_column_info(column).table;
	size_t i, n = table == PN_BODY_FREE ? d->lens[column] : d->rows[table];
	const uint64_t *from = d->columns[column];
	struct pn_body_words *was, *words;
	uint64_t any = table == PN_BODY_FREE;

	for (i = 0; i < n && !any; i++)
		any = from[i];
	if (!n || !any)
		return NULL;
	was = d->base ? d->base->columns[column] : NULL;
	if (was && was->count == n && !memcmp(was->at, from, n * sizeof(*from)))
		return pn_body_words_share(was);
	words = pn_body_words_new(n);
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
	unsigned int i;

	for (i = next_column(d, 0); i < PN_BODY_COLUMNS; i = next_column(d, i))
		s->columns[i] = finish_column(d, i);
	s->text = finish_text(d);
	return s;
}
