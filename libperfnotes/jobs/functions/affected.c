/* Jobs that a change may affect. */
#include "jobs/functions/affected.h"

#include "base/alloc.h"
#include "jobs/functions/touched.h"
#include "jobs/trust.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* All that decides about a job. */
struct choice {
	const struct pn_impact_read *read;
	struct pn_buf *paths; /* of each series: all that differs between its
			       * commit and the range's end */
	struct pn_buf why;
};

static const char *end_of(const char *path)
{
	const char *name = strrchr(path, '/'), *dot;

	name = name ? name + 1 : path;
	dot = strrchr(name, '.');
	return dot ? dot : "";
}

static bool is_one_of(const char *end, const char *const *ends, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcasecmp(end, ends[i]))
			return true;
	return false;
}

/* What other files include: it may be compiled into anything. */
static bool is_header(const char *end)
{
	static const char *const ends[] = {
		".h",	".hh",	".hpp", ".hxx", ".h++", ".inc", ".inl",
		".ipp", ".ixx", ".tcc", ".tpp", ".def", ".pxd", ".pxi"};

	return is_one_of(end, ends, sizeof(ends) / sizeof(*ends));
}

/* Files of languages that are compiled into programs: whoever sees functions of
 * one sees those of all. */
static bool is_compiled(const char *end)
{
	static const char *const ends[] = {
		".c",	".cc",	".cpp", ".cxx", ".c++", ".m",
		".mm",	".s",	".asm", ".f",	".for", ".f77",
		".f90", ".f95", ".f03", ".f08", ".d",	".rs",
		".go",	".zig", ".nim", ".adb", ".pas", ".swift"};

	return is_one_of(end, ends, sizeof(ends) / sizeof(*ends));
}

/* Whether the profile has a file of the path's kind: one of a compiled program
 * that runs scripts knows nothing of these. */
static bool sees_kind(const struct pn_impact_series *series, const char *path)
{
	const char *end = end_of(path);
	size_t i;

	for (i = 0; i < series->file_count; i++) {
		const char *other = end_of(series->files[i]);

		if (!strcasecmp(end, other) ||
		    (is_compiled(end) && is_compiled(other)))
			return true;
	}
	return false;
}

static bool sees(const struct pn_impact_series *series, const char *path)
{
	size_t i;

	for (i = 0; i < series->file_count; i++)
		if (!strcmp(series->files[i], path))
			return true;
	return false;
}

static bool is_seen(const struct pn_impact *impact, const char *path)
{
	size_t i;

	for (i = 0; i < impact->series_count; i++)
		if (sees(&impact->series[i], path))
			return true;
	return false;
}

/* Whether it is sure that a profile has nothing of what is touched. */
static bool is_clear(struct choice *c, size_t at)
{
	const struct pn_impact *impact = &c->read->impact;
	const struct pn_buf *paths = &c->paths[at];
	const char *path = pn_buf_text(paths), *end = path + paths->len;

	if (!impact->series[at].knows_files) {
		pn_buf_add_text(&c->why, "a profile of it does not know the "
					 "files of all functions");
		return false;
	}
	for (; path < end; path += strlen(path) + 1) {
		if (sees(&impact->series[at], path))
			return false;
		if (is_header(end_of(path)))
			pn_buf_printf(&c->why, "'%s' may be in any", path);
		else if (!is_seen(impact, path))
			pn_buf_printf(&c->why, "'%s' is in no profile", path);
		else if (!sees_kind(&impact->series[at], path))
			pn_buf_printf(&c->why,
				      "a profile of it has no file of the kind "
				      "of '%s'",
				      path);
		if (c->why.len)
			return false;
	}
	return true;
}

/* Whether a workload of the job was measured without functions last. */
static bool is_blind(const struct pn_impact_read *read, const char *job)
{
	size_t i, k;

	for (i = 0; i < read->blind_count; i++) {
		const struct pn_series *blind = &read->blind[i];

		if (strcmp(blind->job, job) != 0)
			continue;
		for (k = 0; k < read->impact.series_count; k++) {
			const struct pn_series *s =
				&read->impact.series[k].series;

			if (!strcmp(s->job, job) &&
			    !strcmp(s->workload, blind->workload))
				break;
		}
		if (k == read->impact.series_count)
			return true;
	}
	return false;
}

/* Whether its profiles say that it is not touched, and no guess is needed for
 * it: else `why` says what is unsure, or nothing where it is touched. */
static bool is_untouched(struct choice *c, const char *job)
{
	const struct pn_impact_read *read = c->read;
	const struct pn_impact *impact = &read->impact;
	bool seen = false;
	size_t i;

	pn_buf_clear(&c->why);
	for (i = 0; i < impact->series_count; i++) {
		if (strcmp(impact->series[i].series.job, job) != 0)
			continue;
		seen = true;
		if (!is_clear(c, i))
			return false;
	}
	if (!seen || is_blind(read, job)) {
		pn_buf_add_text(&c->why, "not all of it has a profile with "
					 "functions");
		return false;
	}
	for (i = 0; i < read->hunks.count; i++)
		if (!read->told[i]) {
			pn_buf_printf(&c->why,
				      "'%s' is touched in lines that no "
				      "function could be told of",
				      read->hunks.items[i].path);
			return false;
		}
	return true;
}

static void choose(struct pn_affected *out, const struct pn_matrix *matrix,
		   struct choice *c)
{
	size_t i;

	out->names = pn_calloc(matrix->section_count + 1, sizeof(const char *));
	for (i = 0; i < matrix->section_count; i++) {
		const char *name = matrix->sections[i].name;

		if (is_untouched(c, name)) {
			pn_buf_printf(&out->left_out,
				      "left out: job '%s', whose profiles see "
				      "no file that '%s' touches\n",
				      name, c->read->impact.range);
			continue;
		}
		out->names[out->count++] =
			pn_arena_copy(&out->arena, name, strlen(name));
		if (c->why.len)
			pn_buf_printf(&out->left_out, "job '%s' may be: %s\n",
				      name, pn_buf_text(&c->why));
	}
}

static int find_paths(struct choice *c, struct pn_repo *repo,
		      struct pn_error *err)
{
	const struct pn_impact *impact = &c->read->impact;
	size_t i;
	int code = 0;

	c->paths = pn_calloc(impact->series_count + 1, sizeof(*c->paths));
	for (i = 0; !code && i < impact->series_count; i++)
		code = pn_hunks_paths(&c->paths[i], repo,
				      &impact->series[i].commit,
				      &c->read->target, err);
	return code;
}

static void release(struct choice *c)
{
	size_t i;

	for (i = 0; c->paths && i < c->read->impact.series_count; i++)
		pn_buf_release(&c->paths[i]);
	free(c->paths);
	pn_buf_release(&c->why);
}

int pn_affected_read(struct pn_affected *out, struct pn_repo *repo,
		     const char *config, const char *range,
		     struct pn_error *err)
{
	struct pn_impact_request request = {.repo = repo, .range = range};
	struct pn_impact_read read = {.faults = 0};
	struct choice c = {.read = &read};
	struct pn_matrix matrix = {.path = NULL};
	struct pn_notes *notes = NULL;
	int code = pn_trust_load(&matrix, repo, config, false, err);

	if (!code)
		code = pn_notes_open(&notes, repo, PN_NOTES_REF, err);
	request.notes = notes;
	if (!code)
		code = pn_impact_read(&read, &request, err);
	if (!code)
		code = find_paths(&c, repo, err);
	if (!code)
		choose(out, &matrix, &c);
	release(&c);
	pn_impact_release(&read);
	pn_notes_free(notes);
	pn_matrix_release(&matrix);
	return code;
}

void pn_affected_release(struct pn_affected *affected)
{
	free(affected->names);
	pn_buf_release(&affected->left_out);
	pn_arena_release(&affected->arena);
}
