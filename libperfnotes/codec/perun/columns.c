/*
 * The current layout of Perun's resources: numbers in parallel arrays under
 * `resources`, all that they share under the same name in `resource_type_map`.
 *
 *   "resources": {"f#0": {"amount": [1, 2], "order": [1, 2]}}
 *   "resource_type_map": {"f#0": {"type": "time", "uid": "f"}}
 *
 * A type with no columns at all is one resource without numbers.
 */
#include "codec/perun/read.h"

#include "base/alloc.h"

#include <stdio.h>
#include <string.h>

/* The columns of one type: cells of one column behind those of another. */
struct table {
	struct pn_buf cells;
	size_t columns, rows;
	char first[64]; /* name of the first column, for messages */
};

static uint32_t group_of(struct pn_perun_reading *r)
{
	uint32_t id = pn_strtab_add(&r->group_names, pn_json_text(r->json),
				    pn_json_len(r->json));
	size_t had = r->group_cap;

	r->groups = pn_grow(r->groups, &r->group_cap, (size_t)id + 1,
			    sizeof(*r->groups));
	for (; had < r->group_cap; had++) {
		memset(&r->groups[had], 0, sizeof(*r->groups));
		r->groups[had].sample.stack = PN_NONE;
	}
	return id;
}

static int read_column(struct table *t, struct pn_perun_reading *r,
		       uint32_t name, struct pn_error *err)
{
	struct pn_perun_cell cell;
	enum pn_json_event event;
	size_t rows;
	int code;

	for (rows = 0;; rows++) {
		code = pn_json_next(&event, r->json, err);
		if (code)
			return code;
		if (event == PN_JSON_ARRAY_END)
			break;
		code = pn_perun_read_number(&cell, r, name, event, err);
		if (code)
			return code;
		pn_buf_add(&t->cells, cell.bytes, sizeof(cell.bytes));
	}
	if (!t->columns)
		t->rows = rows;
	t->columns++;
	if (rows == t->rows)
		return 0;
	code = pn_error_set(err, PN_EINVAL,
			    "expected %zu values as in '%s', have %zu", t->rows,
			    t->first, rows);
	return pn_perun_at_path(r, code, err);
}

static int read_table(struct table *t, struct pn_perun_reading *r,
		      struct pn_error *err)
{
	enum pn_json_event event;
	uint32_t name;
	int code;

	for (;;) {
		code = pn_json_next(&event, r->json, err);
		if (code || event == PN_JSON_OBJECT_END)
			return code;
		name = pn_perun_key(r);
		if (!t->columns)
			snprintf(t->first, sizeof(t->first), "%s",
				 pn_json_text(r->json));
		code = pn_perun_want(r, PN_JSON_ARRAY, err);
		if (!code)
			code = read_column(t, r, name, err);
		if (code)
			return code;
	}
}

static int add_rows(struct pn_perun_reading *r, const struct table *t,
		    uint32_t group, struct pn_error *err)
{
	const struct pn_sample pending = {.stack = PN_NONE, .labels = group};
	size_t rows = t->columns ? t->rows : 1, row, column;
	struct pn_perun_cell cell;
	int code = 0;

	if (!rows)
		r->profile->complete = false;
	for (row = 0; row < rows && !code; row++) {
		pn_perun_row_begin(&r->build);
		for (column = 0; column < t->columns && !code; column++) {
			memcpy(cell.bytes,
			       t->cells.data + (column * rows + row) *
						       sizeof(cell.bytes),
			       sizeof(cell.bytes));
			code = pn_perun_row_add(&r->build, &cell, err);
		}
		if (!code)
			code = pn_perun_row_end(&r->build, &pending, err);
	}
	return code ? pn_perun_at_path(r, code, err) : 0;
}

int pn_perun_read_columns(struct pn_perun_reading *r, struct pn_error *err)
{
	enum pn_json_event event;
	int code;

	r->has_columns = true;
	for (;;) {
		struct table table = {.rows = 0};
		uint32_t group;

		code = pn_json_next(&event, r->json, err);
		if (code || event == PN_JSON_OBJECT_END)
			return code;
		group = group_of(r);
		code = pn_perun_want(r, PN_JSON_OBJECT, err);
		if (code)
			return code;
		if (r->groups[group].has_columns) {
			code = pn_error_set(err, PN_EINVAL, "stands twice");
			return pn_perun_at_path(r, code, err);
		}
		r->groups[group].has_columns = true;
		code = read_table(&table, r, err);
		if (!code)
			code = add_rows(r, &table, group, err);
		pn_buf_release(&table.cells);
		if (code)
			return code;
	}
}

static int read_traits(struct pn_perun_reading *r, uint32_t group,
		       struct pn_error *err)
{
	enum pn_json_event event;
	uint32_t key;
	int code;

	pn_perun_traits_clear(&r->traits);
	for (;;) {
		code = pn_json_next(&event, r->json, err);
		if (code)
			return code;
		if (event == PN_JSON_OBJECT_END)
			break;
		key = pn_perun_key(r);
		code = pn_json_next(&event, r->json, err);
		if (!code)
			code = pn_perun_take(r, event, err);
		if (code)
			return code;
		code = pn_perun_traits_add(&r->build, &r->traits, key, err);
		if (code)
			return pn_perun_at_path(r, code, err);
	}
	code = pn_perun_traits_finish(&r->groups[group].sample, &r->build,
				      &r->traits, err);
	return code ? pn_perun_at_path(r, code, err) : 0;
}

int pn_perun_read_type_map(struct pn_perun_reading *r, enum pn_json_event first,
			   struct pn_error *err)
{
	enum pn_json_event event;
	uint32_t group;
	int code;

	if (first != PN_JSON_OBJECT)
		return pn_perun_expected(r, "an object", first, err);
	r->has_type_map = true;
	for (;;) {
		code = pn_json_next(&event, r->json, err);
		if (code || event == PN_JSON_OBJECT_END)
			return code;
		group = group_of(r);
		code = pn_perun_want(r, PN_JSON_OBJECT, err);
		if (code)
			return code;
		if (r->groups[group].sample.stack != PN_NONE) {
			code = pn_error_set(err, PN_EINVAL, "stands twice");
			return pn_perun_at_path(r, code, err);
		}
		code = read_traits(r, group, err);
		if (code)
			return code;
	}
}

int pn_perun_join_groups(struct pn_perun_reading *r, struct pn_error *err)
{
	size_t i;

	if (r->has_columns && r->build.row_count && !r->has_type_map)
		return pn_error_set(err, PN_EINVAL,
				    "missing 'resource_type_map'");
	for (i = 1; i < r->group_names.count; i++)
		if (!r->groups[i].has_columns)
			r->profile->complete = false;
	for (i = 0; i < r->build.row_count; i++) {
		struct pn_sample *row = &r->build.rows[i];
		const struct pn_sample *group;

		if (row->stack != PN_NONE)
			continue;
		group = &r->groups[row->labels].sample;
		if (group->stack == PN_NONE)
			return pn_error_set(
				err, PN_EINVAL,
				"resource_type_map: missing '%.200s'",
				pn_strtab_text(&r->group_names, row->labels));
		*row = *group;
	}
	return 0;
}
