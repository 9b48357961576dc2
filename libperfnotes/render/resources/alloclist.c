/* The view `alloclist`: allocations with who made them. */
#include "analysis/resources/alloclist.h"

#include "render/print_table.h"
#include "render/resources/words.h"

#include <math.h>
#include <string.h>

#define FRAMES 64 /* of a stack: what is deeper is counted */
#define INDENT 20 /* columns at most */

static int make(struct pn_allocations *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	return pn_allocations_init(out, in->profile, in->resources, in->pattern,
				   in->most, err);
}

static void put_frame(struct pn_buf *out, const struct pn_profile *p,
		      const struct pn_line *line, size_t depth, size_t columns,
		      bool utf8)
{
	const struct pn_function *f = &p->functions[line->function];
	const char *file = pn_profile_text(p, f->file);
	size_t indent = 2 + 2 * depth < INDENT ? 2 + 2 * depth : INDENT;
	struct pn_buf text = {0};

	pn_buf_add_text(&text, pn_profile_text(p, f->name));
	if (*file)
		pn_buf_printf(&text, " in %s", file);
	if (*file && line->line > 0)
		pn_buf_printf(&text, ":%lld", (long long)line->line);
	pn_buf_printf(out, "%*s%s ", (int)indent, "", utf8 ? "\u2514" : "`-");
	pn_resources_line(out, pn_buf_text(&text), columns - indent - 3);
	pn_buf_add_byte(out, '\n');
	pn_buf_release(&text);
}

static void put_stack(struct pn_buf *out, const struct pn_profile *p,
		      size_t resource, size_t columns, bool utf8)
{
	const uint32_t *start;
	size_t depth = 0;
	uint32_t at, i;

	if (!p->sample_count)
		return;
	start = p->stack_start + p->samples[resource].stack;
	for (at = start[0]; at < start[1]; at++) {
		const struct pn_location *l = &p->locations[p->frames[at]];

		for (i = 0; i < l->line_count && depth < FRAMES; i++, depth++)
			put_frame(out, p, &p->lines[l->line_first + i], depth,
				  columns, utf8);
		if (depth == FRAMES)
			break;
	}
	if (at < start[1])
		pn_buf_printf(out, "%*s%u more\n", INDENT, "", start[1] - at);
}

static void put_count(struct pn_buf *out, double count, const char *counted)
{
	size_t len = strlen(counted);

	pn_resources_value(out, count, "");
	if (count == 1 && len && counted[len - 1] == 's')
		len--;
	pn_buf_add_byte(out, ' ');
	pn_buf_add(out, counted, len);
}

/* "#1 malloc: 4 B at 0x3e8, snapshot 0 (0.025 s), main:22" */
static void put_head(struct pn_buf *out, const struct pn_allocation *a,
		     size_t number, const struct pn_allocations *list,
		     size_t columns)
{
	struct pn_buf text = {0};

	pn_buf_printf(&text, "#%zu %s%s", number, a->subtype,
		      *a->subtype ? ": " : "");
	pn_resources_value(&text, a->amount, list->unit);
	if (a->count != 1) {
		pn_buf_add_text(&text, " in ");
		put_count(&text, a->count, list->counted);
	}
	if (a->address.kind == PN_CELL_INT && a->address.value.i > 0)
		pn_buf_printf(&text, " at 0x%llx",
			      (unsigned long long)a->address.value.i);
	if (!isnan(a->snapshot))
		pn_buf_printf(&text, ", snapshot %.10g", a->snapshot);
	if (!isnan(a->time))
		pn_buf_printf(&text, " (%.10g s)", a->time);
	if (*a->place)
		pn_buf_printf(&text, ", %s", a->place);
	pn_resources_line(out, pn_buf_text(&text), columns);
	pn_buf_add_byte(out, '\n');
	pn_buf_release(&text);
}

static void put_place(struct pn_buf *out, const struct pn_allocations *list,
		      size_t number, size_t columns)
{
	const struct pn_allocation *a = &list->items[number];
	struct pn_buf text = {0};

	pn_buf_printf(&text, "#%zu ", number + 1);
	if (list->mode == PN_ALLOCLIST_MOST)
		pn_resources_value(&text, a->count, "");
	else
		pn_resources_value(&text, a->amount, list->unit);
	if (list->mode == PN_ALLOCLIST_MOST)
		pn_buf_add_byte(&text, 'x');
	pn_buf_printf(
		&text, " (%.1f%%) ",
		list->mode == PN_ALLOCLIST_MOST
			? 100 * a->count / fmax(fabs(list->allocations), 1e-300)
			: 100 * a->amount / fmax(fabs(list->amount), 1e-300));
	pn_buf_add_text(&text, a->place);
	pn_resources_line(out, pn_buf_text(&text), columns);
	pn_buf_add_byte(out, '\n');
	pn_buf_release(&text);
}

static void put_total(struct pn_buf *out, const struct pn_allocations *list)
{
	pn_runs_remark(out, list->runs);
	put_count(out, list->allocations, list->counted);
	pn_buf_add_text(out, ", ");
	pn_resources_value(out, list->amount, list->unit);
	if (list->count < list->all)
		pn_buf_printf(out, ": %zu of %zu", list->count, list->all);
	pn_buf_add_byte(out, '\n');
}

static int text(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	size_t columns = pn_resources_columns(in), i;
	struct pn_allocations list;
	int code = make(&list, in, err);

	if (!code)
		put_total(&out->text, &list);
	for (i = 0; i < list.count && !code; i++) {
		if (list.mode == PN_ALLOCLIST_MOST ||
		    list.mode == PN_ALLOCLIST_SUM) {
			put_place(&out->text, &list, i, columns);
		} else {
			put_head(&out->text, &list.items[i], i + 1, &list,
				 columns);
			put_stack(&out->text, in->profile,
				  list.items[i].resource, columns, in->utf8);
		}
		pn_sink_drain(out);
	}
	pn_allocations_release(&list);
	return code;
}

/* The rows outlive the list that they are made of. */
static void keep_texts(struct pn_table *table)
{
	size_t i;

	for (i = 0; i < table->row_count * table->column_count; i++)
		if (table->cells[i].kind == PN_CELL_TEXT)
			table->cells[i].value.text = pn_arena_copy(
				&table->arena, table->cells[i].value.text,
				strlen(table->cells[i].value.text));
	for (i = 0; i < table->column_count; i++)
		if (table->columns[i].unit)
			table->columns[i].unit = pn_arena_copy(
				&table->arena, table->columns[i].unit,
				strlen(table->columns[i].unit));
}

static int rows(struct pn_table *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct pn_allocations list;
	int code = make(&list, in, err);

	if (!code) {
		pn_table_of_allocations(out, &list);
		keep_texts(out);
	}
	pn_allocations_release(&list);
	return code;
}

static int json(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct pn_allocations list;
	struct pn_table table = {0};
	int code = make(&list, in, err);

	if (!code) {
		pn_json_member(&out->json, "of", list.of);
		pn_json_member(&out->json, "unit", list.unit);
		pn_json_member_double(&out->json, "amount", list.amount);
		pn_json_member_double(&out->json, "allocations",
				      list.allocations);
		pn_json_member(&out->json, "counted", list.counted);
		pn_runs_json(out, list.runs);
		pn_json_key(&out->json, "rows");
		pn_table_of_allocations(&table, &list);
		pn_print_table_json(out, &table);
	}
	pn_table_release(&table);
	pn_allocations_release(&list);
	return code;
}

static int html(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct pn_allocations list;
	struct pn_table table = {0};
	struct pn_buf title = {0}, total = {0};
	int code = make(&list, in, err);

	if (!code) {
		pn_buf_printf(&title, "%s%sallocations",
			      in->title ? in->title : "",
			      in->title ? ": " : "");
		put_total(&total, &list);
		pn_table_of_allocations(&table, &list);
		pn_resources_page(out, pn_buf_text(&title), pn_buf_text(&total),
				  &table, NULL, NULL);
	}
	pn_buf_release(&title);
	pn_buf_release(&total);
	pn_table_release(&table);
	pn_allocations_release(&list);
	return code;
}

const struct pn_view pn_view_alloclist = {
	.name = "alloclist",
	.summary = "allocations with who made them",
	.needs = PN_VIEW_RESOURCES,
	.text = text,
	.json = json,
	.table = rows,
	.html = html,
};
