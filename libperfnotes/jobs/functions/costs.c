/* Functions of stored profiles. */
#include "jobs/functions/costs.h"

#include "analysis/filter/clean.h"
#include "analysis/report.h"
#include "base/alloc.h"
#include "body/functions.h"
#include "jobs/profiles/pool.h"
#include "model/unit.h"
#include "storage/body_store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct pn_function_costs {
	struct pn_repo *repo;
	struct pn_notes *notes;
	const char *type;
	struct pn_function_list list;
	/* The body that was read last, and the keys of the ids of its
	 * functions, PN_NONE where they are not known yet. */
	struct pn_body_functions *functions;
	struct pn_body_state *state;
	struct pn_oid body;
	uint32_t *keys;
	size_t key_count, key_cap;
};

struct pn_function_costs *pn_function_costs_new(struct pn_repo *repo,
						struct pn_notes *notes,
						const char *type)
{
	struct pn_function_costs *costs = pn_calloc(1, sizeof(*costs));

	costs->repo = repo;
	costs->notes = notes;
	costs->type = type;
	costs->functions = pn_body_functions_new(PN_DEMANGLE_SIMPLE);
	return costs;
}

void pn_function_costs_free(struct pn_function_costs *costs)
{
	if (!costs)
		return;
	pn_body_functions_free(costs->functions);
	pn_body_state_free(costs->state);
	free(costs->list.items);
	free(costs->keys);
	free(costs);
}

int pn_function_costs_profile(struct pn_profile *out,
			      const struct pn_function_costs *costs,
			      const struct pn_oid *commit,
			      const struct pn_series_records *records,
			      struct pn_error *err)
{
	const struct pn_clean clean = {.demangle = PN_DEMANGLE_SIMPLE};
	struct pn_lookup lookup = {
		.repo = costs->repo, .notes = costs->notes, .commit = *commit};
	struct pn_found found = {.kind = PN_FOUND_SERIES,
				 .name = records->series.cmd,
				 .commit = *commit,
				 .entry = records->entries[0],
				 .records = records};
	int code = pn_pool_load(out, NULL, &lookup, &found, NULL, err);

	return code ? code : pn_clean(out, &clean, err);
}

static struct pn_function_item *add_item(struct pn_function_list *list)
{
	list->items = pn_grow(list->items, &list->cap, list->count + 1,
			      sizeof(*list->items));
	return &list->items[list->count++];
}

static const char *file_of(const struct pn_report *report,
			   const struct pn_node_info *info)
{
	const struct pn_profile *p = report->profile;

	if (info->function == PN_NONE)
		return "";
	return pn_profile_text(p, p->functions[info->function].file);
}

static void list_report(struct pn_function_list *out,
			struct pn_function_history *history,
			const struct pn_report *report)
{
	const struct pn_profile *p = report->profile;
	bool is_graph = !p->sample_count;
	size_t i;

	out->count = 0;
	out->total = pn_report_number(report, report->total);
	out->type = report->type;
	out->unit = report->unit;
	out->better = p->types[report->weight.column].better;
	out->exact = is_graph && !pn_unit_comparable(report->unit, "ns");
	for (i = 0; i < report->row_count; i++) {
		const struct pn_report_node *row = &report->rows[i];
		struct pn_function_item *item = add_item(out);

		item->key = pn_function_history_key(
			history, row->name, row->name_len,
			file_of(report, &report->nodes.items[row->node]),
			is_graph);
		item->value.self = pn_report_number(report, row->flat);
		item->value.total = pn_report_number(report, row->cum);
		item->value.calls =
			row->calls < 0 ? NAN
				       : pn_report_calls(report, row->calls);
	}
}

/* Type and unit have to outlive the profile. */
static void keep_texts(struct pn_function_list *list,
		       struct pn_function_history *history)
{
	list->type =
		pn_arena_copy(&history->arena, list->type, strlen(list->type));
	list->unit =
		pn_arena_copy(&history->arena, list->unit, strlen(list->unit));
}

static int read_profile(struct pn_function_costs *costs,
			struct pn_function_history *history,
			const struct pn_oid *commit,
			const struct pn_series_records *records,
			struct pn_error *err)
{
	struct pn_report_options options = {.divide_by = 1,
					    .sample_index = costs->type};
	struct pn_report report = {0};
	struct pn_profile profile;
	int code;

	pn_profile_init(&profile);
	code = pn_function_costs_profile(&profile, costs, commit, records, err);
	if (!code && (profile.sample_count || profile.graph.node_count)) {
		code = pn_report_init(&report, &profile, &options, err);
		if (!code) {
			list_report(&costs->list, history, &report);
			keep_texts(&costs->list, history);
			code = 1;
		}
		pn_report_release(&report);
	}
	pn_profile_release(&profile);
	return code;
}

static void know_keys(struct pn_function_costs *costs,
		      struct pn_function_history *history, size_t count)
{
	const char *name;
	size_t len;

	costs->keys = pn_grow(costs->keys, &costs->key_cap, count,
			      sizeof(*costs->keys));
	for (; costs->key_count < count; costs->key_count++) {
		name = pn_body_function_name(costs->functions, costs->key_count,
					     &len);
		costs->keys[costs->key_count] = pn_function_history_key(
			history, name, len,
			pn_body_function_file(costs->functions,
					      costs->key_count),
			false);
	}
}

static void list_costs(struct pn_function_costs *costs,
		       struct pn_function_history *history,
		       const struct pn_body_costs *from)
{
	struct pn_function_list *out = &costs->list;
	size_t i;

	know_keys(costs, history, from->count);
	out->count = 0;
	out->total = from->sum;
	out->type = from->type;
	out->unit = from->unit;
	out->better = from->better;
	out->exact = false;
	for (i = 0; i < from->count; i++)
		if (from->self[i] != 0 || from->total[i] != 0)
			*add_item(out) = (struct pn_function_item){
				costs->keys[i],
				{from->self[i], from->total[i], NAN}};
}

/* Straight from the columns of the body, beginning at the one before: 1, or 0
 * where the profile has to be built, whose errors are told then. */
static int read_body(struct pn_function_costs *costs,
		     struct pn_function_history *history,
		     const struct pn_entry *entry)
{
	struct pn_body_state *state = NULL;
	struct pn_body_costs found;

	if (!strcmp(pn_entry_field(entry, "body"), "verbatim") ||
	    pn_body_store_state_near(&state, costs->repo, &entry->body,
				     &costs->body, costs->state, NULL))
		return 0;
	pn_body_state_free(costs->state);
	costs->state = state;
	costs->body = entry->body;
	if (!pn_body_functions_read(&found, costs->functions, state,
				    costs->type))
		return 0;
	list_costs(costs, history, &found);
	return 1;
}

int pn_function_costs_read(struct pn_function_list **out,
			   struct pn_function_costs *costs,
			   struct pn_function_history *history,
			   const struct pn_oid *commit,
			   const struct pn_series_records *records,
			   struct pn_error *err)
{
	size_t i;
	int code;

	for (i = 0; i < records->count && !records->entries[i]->has_body; i++)
		;
	if (i == records->count)
		return 0;
	code = records->count == 1 &&
	       read_body(costs, history, records->entries[0]);
	if (!code)
		code = read_profile(costs, history, commit, records, err);
	if (code > 0)
		*out = &costs->list;
	return code;
}
