/* Verdicts on the functions of stored profiles. */
#include "jobs/judge/by_function.h"

#include "base/alloc.h"
#include "jobs/judge/sides.h"

#include <stdlib.h>

static void judge_series(struct pn_check_functions *out,
			 const struct pn_judge_sides *sides, double min_effect)
{
	struct pn_judge_functions found;
	struct pn_profile of[2];
	const char *type = NULL;
	bool fits;

	if (!pn_judge_sides_load(of, &type, &fits, sides,
				 sides->row->course->key.series.collector))
		return;
	if (!pn_judge_functions_init(&found, &of[0], &of[1], fits ? type : NULL,
				     min_effect, NULL) &&
	    found.count) {
		found.row = sides->row;
		found.base = pn_judge_sides_base(sides->row);
		out->items = pn_grow(out->items, &out->cap, out->count + 1,
				     sizeof(*out->items));
		out->items[out->count++] = found;
	} else {
		pn_judge_functions_release(&found);
	}
	pn_profile_release(&of[0]);
	pn_profile_release(&of[1]);
}

/* In a partial clone the bodies of all series, together. */
static void fetch_bodies(struct pn_judge_sides *sides, struct pn_arena *arena,
			 const struct pn_judge_report *report)
{
	struct pn_bodies_wanted *wanted = pn_bodies_wanted_new(sides->repo);
	size_t i;

	for (i = 0; wanted && i < report->judge->count; i++) {
		const struct pn_judge_row *row = &report->judge->rows[i];

		if (row->first &&
		    pn_judge_sides_find(sides, arena, report, row))
			pn_judge_sides_want(wanted, sides,
					    row->course->key.series.collector);
		pn_arena_clear(arena);
	}
	pn_bodies_wanted_end(wanted);
}

void pn_check_functions_find(struct pn_check_functions *out,
			     struct pn_repo *repo, struct pn_notes *notes,
			     const struct pn_judge_report *report,
			     double min_effect)
{
	struct pn_judge_sides sides = {.repo = repo, .notes = notes};
	struct pn_arena arena = {0};
	size_t i;

	fetch_bodies(&sides, &arena, report);
	for (i = 0; i < report->judge->count; i++) {
		const struct pn_judge_row *row = &report->judge->rows[i];

		if (row->first &&
		    pn_judge_sides_find(&sides, &arena, report, row))
			judge_series(out, &sides, min_effect);
		pn_arena_clear(&arena);
	}
	pn_arena_release(&arena);
}

void pn_check_functions_release(struct pn_check_functions *functions)
{
	size_t i;

	for (i = 0; i < functions->count; i++)
		pn_judge_functions_release(&functions->items[i]);
	free(functions->items);
	*functions = (struct pn_check_functions){.items = NULL};
}
