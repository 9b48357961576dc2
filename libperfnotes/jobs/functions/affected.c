/* Jobs that a change may affect. */
#include "jobs/functions/affected.h"

#include "base/alloc.h"
#include "jobs/functions/touched.h"
#include "jobs/trust.h"

#include <string.h>

/* Whether its profiles say that it is not touched. */
static bool is_untouched(const struct pn_impact *impact, const char *name)
{
	bool seen = false;
	size_t i;

	for (i = 0; i < impact->series_count; i++) {
		if (strcmp(impact->series[i].series.job, name) != 0)
			continue;
		if (impact->series[i].count)
			return false;
		seen = true;
	}
	return seen;
}

static void choose(struct pn_affected *out, const struct pn_matrix *matrix,
		   const struct pn_impact *impact)
{
	size_t i;

	out->names = pn_calloc(matrix->section_count + 1, sizeof(const char *));
	for (i = 0; i < matrix->section_count; i++) {
		const char *name = matrix->sections[i].name;

		if (is_untouched(impact, name))
			pn_buf_printf(&out->left_out,
				      "left out: job '%s', whose profiles see "
				      "no function that '%s' touches\n",
				      name, impact->range);
		else
			out->names[out->count++] =
				pn_arena_copy(&out->arena, name, strlen(name));
	}
	for (i = 0; out->left_out.len && i < impact->file_count; i++)
		if (!impact->known[i])
			pn_buf_printf(&out->left_out,
				      "'%s' is touched and in no profile\n",
				      impact->files[i]);
}

int pn_affected_read(struct pn_affected *out, struct pn_repo *repo,
		     const char *config, const char *range,
		     struct pn_error *err)
{
	struct pn_impact_request request = {.repo = repo, .range = range};
	struct pn_impact_read read = {.faults = 0};
	struct pn_matrix matrix = {.path = NULL};
	struct pn_notes *notes = NULL;
	int code = pn_trust_load(&matrix, repo, config, false, err);

	if (!code)
		code = pn_notes_open(&notes, repo, PN_NOTES_REF, err);
	request.notes = notes;
	if (!code)
		code = pn_impact_read(&read, &request, err);
	if (!code)
		choose(out, &matrix, &read.impact);
	pn_impact_release(&read);
	pn_notes_free(notes);
	pn_matrix_release(&matrix);
	return code;
}

void pn_affected_release(struct pn_affected *affected)
{
	pn_buf_release(&affected->left_out);
	pn_arena_release(&affected->arena);
}
