/* Which jobs of a matrix are missing at a commit. */
#include "jobs/missing.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/text/similar.h"
#include "collect/facts/environment.h"
#include "jobs/skip.h"
#include "storage/record.h"
#include "storage/store.h"
#include "vcs/notes/notes.h"

#include <stdlib.h>
#include <string.h>

/* Of a job. */
enum { UNSELECTED, SETTLED, MISSING };

struct pn_missing {
	const struct pn_matrix *matrix;
	struct pn_run_options options;
	char fingerprint[PN_FINGERPRINT_MAX];
	struct pn_notes *notes; /* NULL: no line counts */
	unsigned char *jobs;	/* matrix->job_count */
};

/* A section's name, or the beginning of an id. */
static bool is_named(const struct pn_matrix_job *job, const char *name)
{
	size_t len = strlen(name);

	return !strcmp(job->section->name, name) ||
	       (len >= 4 && len <= PN_MATRIX_ID_HEX &&
		!memcmp(job->id, name, len));
}

static int check_names(const struct pn_missing *missing, struct pn_error *err)
{
	const struct pn_run_options *o = &missing->options;
	struct pn_buf names = {0};
	size_t i, k;

	for (i = 0; i < o->name_count; i++) {
		for (k = 0; k < missing->matrix->job_count; k++)
			if (is_named(&missing->matrix->jobs[k], o->names[i]))
				break;
		if (k < missing->matrix->job_count)
			continue;
		for (k = 0; k < missing->matrix->section_count; k++)
			pn_buf_printf(&names, "%s%s", k ? ", " : "",
				      missing->matrix->sections[k].name);
		pn_similar_say(&names, o->names[i], strlen(o->names[i]));
		pn_error_set(err, PN_ENOTFOUND, "no job '%s', there are: %s",
			     o->names[i], pn_buf_text(&names));
		pn_buf_release(&names);
		return PN_ENOTFOUND;
	}
	return 0;
}

static bool is_selected(const struct pn_missing *missing,
			const struct pn_matrix_job *job)
{
	const struct pn_run_options *o = &missing->options;
	const struct pn_matrix_list *machines = &job->section->machines;
	bool named = !o->name_count, here = !machines->count;
	size_t i;

	for (i = 0; i < o->name_count; i++)
		named |= is_named(job, o->names[i]);
	for (i = 0; o->machine && i < machines->count; i++)
		here |= !strcmp(machines->values[i], o->machine);
	return named && here &&
	       (!o->shards || job->key % o->shards == o->shard - 1);
}

/* Whether a line says that the job needs not be measured. One that was copied
 * here, by notes.rewriteRef or `git notes copy`, is of this commit when the
 * trees are equal. */
static bool is_settled(const struct pn_missing *missing,
		       const struct pn_entry *e,
		       const struct pn_matrix_job *job,
		       const struct pn_oid *tree)
{
	bool skip = missing->options.skips && pn_skip_settles(e);

	return (skip || e->kind == PN_ENTRY_PROFILE) &&
	       pn_oid_equal(&e->tree, tree) &&
	       pn_skip_names_job(e, job, missing->fingerprint) &&
	       !*pn_entry_field(e, "dirty");
}

void pn_missing_free(struct pn_missing *missing)
{
	if (!missing)
		return;
	pn_notes_free(missing->notes);
	free(missing->jobs);
	free(missing);
}

int pn_missing_open(struct pn_missing **out, struct pn_repo *repo,
		    const struct pn_matrix *matrix,
		    const struct pn_run_options *options, struct pn_error *err)
{
	struct pn_missing *missing = pn_calloc(1, sizeof(*missing));
	struct pn_environment environment;
	size_t i;
	int code;

	missing->matrix = matrix;
	missing->options = *options;
	missing->jobs = pn_calloc(matrix->job_count + 1, 1);
	code = check_names(missing, err);
	pn_environment_read(&environment, options->machine, "");
	pn_environment_fingerprint(missing->fingerprint, &environment);
	for (i = 0; i < matrix->job_count; i++)
		if (is_selected(missing, &matrix->jobs[i]))
			missing->jobs[i] = MISSING;
	if (!code && !options->again && !options->dirty)
		code = pn_notes_open(&missing->notes, repo, PN_NOTES_REF, err);
	if (code)
		pn_missing_free(missing);
	else
		*out = missing;
	return code;
}

bool pn_missing_selects(const struct pn_missing *missing)
{
	size_t i;

	for (i = 0; i < missing->matrix->job_count; i++)
		if (missing->jobs[i] != UNSELECTED)
			return true;
	return false;
}

const char *pn_missing_fingerprint(const struct pn_missing *missing)
{
	return missing->fingerprint;
}

bool pn_missing_has(const struct pn_missing *missing, size_t index)
{
	return missing->jobs[index] == MISSING;
}

/* Whether one of the lines says that a job needs not be measured; *measured
 * when that is a profile. */
static bool find_settled(bool *measured, const struct pn_missing *missing,
			 const struct pn_matrix_job *job,
			 const struct pn_entry *lines, size_t count,
			 const struct pn_oid *tree)
{
	bool settled = false;
	size_t i;

	*measured = false;
	for (i = 0; i < count; i++) {
		if (!is_settled(missing, &lines[i], job, tree))
			continue;
		settled = true;
		*measured |= lines[i].kind == PN_ENTRY_PROFILE;
	}
	return settled;
}

int pn_missing_look(struct pn_missing_counts *out, struct pn_missing *missing,
		    const struct pn_oid *commit, const struct pn_oid *tree,
		    struct pn_error *err)
{
	const struct pn_entry *lines = NULL;
	struct pn_arena arena = {0};
	size_t i, line_count = 0;
	bool settled, measured;
	int code = 0;

	if (missing->notes)
		code = pn_store_lines(&lines, &line_count, &arena,
				      missing->notes, commit, err);
	*out = (struct pn_missing_counts){0};
	for (i = 0; !code && i < missing->matrix->job_count; i++) {
		if (missing->jobs[i] == UNSELECTED)
			continue;
		settled = find_settled(&measured, missing,
				       &missing->matrix->jobs[i], lines,
				       line_count, tree);
		missing->jobs[i] = settled ? SETTLED : MISSING;
		out->missing += !settled;
		out->measured += measured;
		out->skipped += settled && !measured;
	}
	pn_arena_release(&arena);
	return code;
}
