/*
 * Rows of numbers with a stack and labels: collected, then made a profile.
 *
 * The columns of a profile are known only at the end of the input, so rows
 * wait in a compact form: two indices and what numbers they have.
 */
#include "codec/perun/build.h"
#include "codec/perun/amounts.h"

#include "base/alloc.h"
#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SET_LABEL_BYTES 13 /* key, kind, value */
#define CELL_DOUBLE 0x80   /* else a whole number; the rest is the column */
#define EXACT_INT (INT64_C(1) << 53) /* whole numbers that a double holds */
/* Flat uids are shorter than their JSON; nested ones may double a few times. */
#define FLAT_BUDGET_BASE (UINT64_C(64) << 20)
#define FLAT_BUDGET_FACTOR 64

void pn_perun_build_init(struct pn_perun_build *build,
			 struct pn_profile *profile, size_t input_bytes)
{
	memset(build, 0, sizeof(*build));
	build->profile = profile;
	build->flat_budget =
		FLAT_BUDGET_BASE + (uint64_t)input_bytes * FLAT_BUDGET_FACTOR;
}

void pn_perun_build_release(struct pn_perun_build *build)
{
	pn_strtab_release(&build->locations);
	pn_strtab_release(&build->functions);
	pn_strtab_release(&build->stacks);
	pn_strtab_release(&build->sets);
	pn_buf_release(&build->scratch);
	free(build->flat_uids);
	free(build->rows);
	pn_buf_release(&build->cells);
	memset(build, 0, sizeof(*build));
}

bool pn_perun_is_collectable(const char *key, size_t len)
{
	static const char *const keys[] = {
		"amount",  "structure-unit-size", "call-order", "order",
		"address", "timestamp",		  "exclusive",
	};
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (strlen(keys[i]) == len && !memcmp(keys[i], key, len))
			return true;
	return false;
}

void pn_perun_set_add(struct pn_buf *content, const struct pn_label *label)
{
	unsigned char bytes[SET_LABEL_BYTES] = {0};

	memcpy(bytes, &label->key, 4);
	bytes[4] = label->kind;
	if (label->kind == PN_LABEL_STRING || label->kind == PN_LABEL_JSON)
		memcpy(bytes + 5, &label->value.s, 4);
	else
		memcpy(bytes + 5, &label->value.i, 8);
	pn_buf_add(content, bytes, sizeof(bytes));
}

static size_t set_size(const struct pn_perun_build *b, uint32_t set)
{
	return pn_strtab_len(&b->sets, set) / SET_LABEL_BYTES;
}

/* Label n of a set of `sets`. */
static void get_label(struct pn_label *out, const struct pn_perun_build *b,
		      uint32_t set, size_t n)
{
	const char *bytes = pn_strtab_text(&b->sets, set) + n * SET_LABEL_BYTES;

	memset(out, 0, sizeof(*out));
	memcpy(&out->key, bytes, 4);
	out->kind = (uint8_t)bytes[4];
	if (out->kind == PN_LABEL_STRING || out->kind == PN_LABEL_JSON)
		memcpy(&out->value.s, bytes + 5, 4);
	else
		memcpy(&out->value.i, bytes + 5, 8);
}

uint32_t pn_perun_build_relabel(struct pn_perun_build *build, uint32_t set,
				const struct pn_label *label)
{
	size_t n = set_size(build, set), i;
	struct pn_buf changed = {0};
	struct pn_label old;
	uint32_t id;

	for (i = 0; i < n; i++) {
		get_label(&old, build, set, i);
		pn_perun_set_add(&changed,
				 old.key == label->key ? label : &old);
	}
	id = pn_strtab_add(&build->sets, pn_buf_text(&changed), changed.len);
	pn_buf_release(&changed);
	return id;
}

static int column_of(size_t *out, struct pn_perun_build *b, uint32_t name,
		     struct pn_error *err)
{
	size_t i;

	for (i = 0; i < b->column_count; i++) {
		if (b->columns[i] == name) {
			*out = i;
			return 0;
		}
	}
	if (b->column_count == PN_MAX_VALUE_TYPES)
		return pn_error_set(err, PN_ELIMIT, "more than %u columns",
				    PN_MAX_VALUE_TYPES);
	b->columns[b->column_count] = name;
	*out = b->column_count++;
	return 0;
}

void pn_perun_row_begin(struct pn_perun_build *build)
{
	build->row_at = build->cells.len;
	build->row_mask = 0;
	pn_buf_add_byte(&build->cells, 0);
}

/* Python's float: what is too large is infinite, which has no exact text. */
static double to_double(struct pn_perun_build *b, const char *text, size_t len)
{
	double value;

	if (pn_number_double(&value, text, len))
		return value;
	if (len == 3 && !memcmp(text, "NaN", 3))
		return NAN;
	if (text[len - 1] != 'y') /* not written as Infinity */
		b->profile->complete = false;
	return text[0] == '-' ? -INFINITY : INFINITY;
}

int pn_perun_cell_read(struct pn_perun_cell *out, struct pn_perun_build *build,
		       uint32_t column, const char *text, size_t len,
		       struct pn_error *err)
{
	union pn_value value;
	size_t at = 0;
	int code = column_of(&at, build, column, err);

	if (code)
		return code;
	out->bytes[0] = (unsigned char)at;
	if (!pn_number_int(&value.i, text, len)) {
		if (pn_json_is_whole(text, len))
			build->profile->complete = false; /* digits are lost */
		value.d = to_double(build, text, len);
		out->bytes[0] |= CELL_DOUBLE;
		build->is_double[at] = true;
	}
	memcpy(out->bytes + 1, &value, sizeof(value));
	return 0;
}

int pn_perun_row_add(struct pn_perun_build *build,
		     const struct pn_perun_cell *cell, struct pn_error *err)
{
	uint64_t bit = UINT64_C(1) << (cell->bytes[0] & ~CELL_DOUBLE);

	if (build->row_mask & bit) {
		/* Python keeps the last of two equal keys; so does finish */
		build->profile->complete = false;
		if (build->cells.data[build->row_at] == UINT8_MAX)
			return pn_error_set(err, PN_ELIMIT, "too many values");
	}
	pn_buf_add(&build->cells, cell->bytes, sizeof(cell->bytes));
	build->cells.data[build->row_at]++;
	build->row_mask |= bit;
	return 0;
}

int pn_perun_row_end(struct pn_perun_build *build,
		     const struct pn_sample *sample, struct pn_error *err)
{
	if (build->row_count >= PN_NONE - 1)
		return pn_error_set(err, PN_ELIMIT, "more than %u resources",
				    PN_NONE - 1);
	build->rows = pn_grow(build->rows, &build->row_cap,
			      build->row_count + 1, sizeof(*build->rows));
	build->rows[build->row_count++] = *sample;
	return 0;
}

bool pn_perun_build_label(struct pn_label *out,
			  const struct pn_perun_build *build, uint32_t set,
			  size_t n)
{
	if (n >= set_size(build, set))
		return false;
	get_label(out, build, set, n);
	return true;
}

bool pn_perun_build_has(const struct pn_perun_build *build, size_t *next,
			size_t at, uint32_t column)
{
	const unsigned char *row = build->cells.data + at;
	size_t n = row[0], i;
	bool has = false;

	*next = at + 1 + n * PN_PERUN_CELL;
	for (i = 0; i < n && !has; i++)
		has = build->columns[row[1 + i * PN_PERUN_CELL] &
				     ~CELL_DOUBLE] == column;
	return has;
}

/* Where columns of rows become value types. */
struct placing {
	const struct pn_perun_amounts *amounts;
	size_t amount; /* the column; SIZE_MAX: there is none */
	size_t first[PN_MAX_VALUE_TYPES]; /* value type of a column */
};

static void add_type(struct pn_perun_build *b, size_t column, uint32_t name,
		     uint32_t unit)
{
	struct pn_profile *p = b->profile;
	size_t at = pn_profile_add_type(p, "", "");

	p->types[at].type = name;
	p->types[at].unit = unit;
	p->types[at].number =
		b->is_double[column] ? PN_NUMBER_DOUBLE : PN_NUMBER_INT;
}

/* Perun's dependent variable, else what it would take for one. */
static void choose_default(struct pn_perun_build *b, const struct placing *to)
{
	struct pn_profile *p = b->profile;
	size_t i, main = SIZE_MAX;

	if (to->amount != SIZE_MAX) {
		main = to->first[to->amount] + to->amounts->main;
	} else {
		for (i = 0; i < p->type_count && main == SIZE_MAX; i++) {
			uint32_t name = p->types[i].type;

			if (pn_perun_is_collectable(
				    pn_profile_text(p, name),
				    pn_strtab_len(&p->strings, name)))
				main = i;
		}
		if (main == SIZE_MAX && p->type_count < PN_MAX_VALUE_TYPES)
			main = pn_profile_add_type(p, "amount", "");
	}
	if (main != SIZE_MAX)
		p->default_type = p->types[main].type;
}

static int add_types(struct placing *to, struct pn_perun_build *b,
		     const struct pn_perun_amounts *amounts,
		     struct pn_error *err)
{
	struct pn_profile *p = b->profile;
	size_t i, k;

	to->amounts = amounts;
	to->amount = SIZE_MAX;
	if (b->column_count + amounts->count > PN_MAX_VALUE_TYPES + 1)
		return pn_error_set(err, PN_ELIMIT,
				    "more than %u columns and types of "
				    "resources",
				    PN_MAX_VALUE_TYPES);
	for (i = 0; i < b->column_count; i++) {
		to->first[i] = p->type_count;
		if (strcmp(pn_profile_text(p, b->columns[i]), "amount") != 0) {
			add_type(b, i, b->columns[i], 0);
			continue;
		}
		to->amount = i;
		for (k = 0; k < amounts->count; k++)
			add_type(b, i, amounts->items[k].name,
				 amounts->items[k].unit);
		if (!amounts->count) /* an empty column */
			add_type(b, i, b->columns[i], 0);
	}
	choose_default(b, to);
	return 0;
}

/* The values of the row at *at; *at moves to the next. */
static uint64_t read_row(union pn_value *values, struct pn_perun_build *b,
			 const struct placing *to, size_t row_at, size_t *at)
{
	const unsigned char *row = b->cells.data + *at;
	size_t n = row[0], i;
	uint64_t mask = 0;

	memset(values, 0, PN_MAX_VALUE_TYPES * sizeof(*values));
	for (i = 0; i < n; i++) {
		const unsigned char *cell = row + 1 + i * PN_PERUN_CELL;
		size_t column = cell[0] & ~CELL_DOUBLE, type;
		union pn_value value;

		memcpy(&value, cell + 1, sizeof(value));
		if (b->is_double[column] && !(cell[0] & CELL_DOUBLE)) {
			if (value.i > EXACT_INT || value.i < -EXACT_INT)
				b->profile->complete = false;
			value.d = (double)value.i;
		}
		type = to->first[column];
		if (column == to->amount)
			type += to->amounts->of_row[row_at];
		values[type] = value;
		mask |= UINT64_C(1) << type;
	}
	*at += 1 + n * PN_PERUN_CELL;
	return mask;
}

/* Index in the profile of a set of `sets`; taken over when first used. */
static uint32_t set_index(struct pn_perun_build *b, uint32_t *indices,
			  uint32_t set)
{
	struct pn_label *labels;
	size_t n = set_size(b, set), i;

	if (indices[set] != PN_NONE)
		return indices[set];
	labels = pn_realloc_array(NULL, n, sizeof(*labels));
	for (i = 0; i < n; i++)
		get_label(&labels[i], b, set, i);
	indices[set] = pn_profile_add_label_set(b->profile, labels, n);
	free(labels);
	return indices[set];
}

int pn_perun_build_finish(struct pn_perun_build *build,
			  const struct pn_perun_amounts *amounts,
			  struct pn_error *err)
{
	union pn_value values[PN_MAX_VALUE_TYPES];
	struct placing to;
	struct pn_profile *p = build->profile;
	uint32_t *indices;
	size_t row, type, at = 0, sample;

	/* what is needed no more makes room for what comes */
	pn_strtab_release(&build->locations);
	pn_strtab_release(&build->functions);
	pn_strtab_release(&build->stacks);
	free(build->flat_uids);
	build->flat_uids = NULL;
	build->flat_cap = 0;
	if (add_types(&to, build, amounts, err))
		return err->code;
	indices =
		pn_realloc_array(NULL, build->sets.count + 1, sizeof(*indices));
	memset(indices, 0xff, (build->sets.count + 1) * sizeof(*indices));
	indices[0] = pn_profile_add_label_set(p, NULL, 0);
	for (row = 0; row < build->row_count; row++) {
		const struct pn_sample *r = &build->rows[row];
		uint64_t mask = read_row(values, build, &to, row, &at);

		sample = pn_profile_add_sample(
			p, r->stack, set_index(build, indices, r->labels),
			values);
		for (type = 0; type < p->type_count; type++)
			if (!(mask >> type & 1))
				pn_profile_set_absent(p, sample, type);
	}
	free(indices);
	return 0;
}
