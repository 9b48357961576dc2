/* Staging profiles. */
#include "jobs/profiles/stage.h"

#include "base/alloc.h"
#include "base/file.h"
#include "collect/perf_file.h"
#include "jobs/profiles/read_ahead.h"
#include "storage/pending.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES 16384 /* that are worked on at a time */

struct lines {
	char *revs[LINES];  /* with the path behind them */
	char *paths[LINES]; /* NULL: the line is none */
	size_t numbers[LINES];
	size_t count;
};

void pn_stage_release(struct pn_stage *stage)
{
	size_t i;

	for (i = 0; i < stage->done_count; i++)
		free(stage->done[i]);
	free(stage->done);
	free(stage->folder);
}

static int check_origin(const struct pn_oid *origin,
			const struct pn_oid *commit, const char *name,
			struct pn_error *err)
{
	char from[PN_OID_HEX + 1], to[PN_OID_HEX + 1];

	if (pn_oid_is_zero(origin) || pn_oid_equal(origin, commit))
		return 0;
	pn_oid_hex(from, origin);
	pn_oid_hex(to, commit);
	return pn_error_set(err, PN_EREFUSED,
			    "'%s' was measured at commit %.10s, not at %.10s: "
			    "use -m %.10s, or -f to list it here",
			    name, from, to, from);
}

/* What is too large for the model's body may be kept as it is. */
static void hint_at_verbatim(struct pn_error *err)
{
	size_t used = strlen(err->message);

	snprintf(err->message + used, sizeof(err->message) - used,
		 "; --verbatim keeps the input's own bytes");
}

/* A profile of a file or, when that is perf's, of what perf says of it. */
static int read_record(struct pn_record *out, struct pn_oid *origin,
		       struct pn_stage *stage, const char *path,
		       struct pn_error *err)
{
	struct pn_record_options options = stage->record;
	const char *text = path;
	struct pn_perf_file data;
	int code = pn_perf_file_open(&data, &text, err);

	if (code)
		return code;
	if (text != path && !options.name)
		options.name = pn_file_basename(path);
	if (text != path && options.verbatim)
		code = pn_error_set(err, PN_EINVAL,
				    "cannot keep the bytes of '%s': perf.data "
				    "is read by the perf and the programs of "
				    "one machine only, so that what perf "
				    "script prints is stored; leave out "
				    "--verbatim",
				    path);
	else
		code = pn_pending_read(out, origin, text, &options, err);
	pn_perf_file_close(&data);
	return code;
}

/* Stages what was read of `path`. */
static int take_record(struct pn_stage *stage, struct pn_record *record,
		       const struct pn_oid *origin, const struct pn_oid *commit,
		       const char *name, struct pn_error *err)
{
	struct pn_commit_facts facts;
	int code = 0;

	if (!stage->force)
		code = check_origin(origin, commit, name, err);
	if (!code)
		code = pn_repo_commit_facts(&facts, stage->repo, commit, err);
	if (code)
		return code;
	record->commit = *commit;
	record->tree = facts.tree;
	code = pn_batch_add(stage->batch, record, err);
	if (code == PN_ELIMIT && record->has_profile)
		hint_at_verbatim(err);
	memcpy(stage->last_id, record->id, sizeof(stage->last_id));
	stage->dirty_count += *pn_record_field(record, "dirty") != '\0';
	return code;
}

static void note_done(struct pn_stage *stage, const char *path, bool pending)
{
	stage->count++;
	if (!pending || stage->keep)
		return;
	stage->done = pn_grow(stage->done, &stage->done_cap,
			      stage->done_count + 1, sizeof(*stage->done));
	stage->done[stage->done_count++] = pn_strdup(path);
}

int pn_stage_file(struct pn_stage *stage, const struct pn_oid *commit,
		  const char *path, const char *name, bool pending,
		  struct pn_error *err)
{
	struct pn_record record = {0};
	struct pn_oid origin;
	int code;

	code = read_record(&record, &origin, stage, path, err);
	if (!code)
		code = take_record(stage, &record, &origin, commit, name, err);
	pn_record_release(&record);
	if (!code)
		note_done(stage, path, pending);
	return code;
}

static void add_to(struct lines *lines, const char *line, size_t len,
		   size_t number)
{
	const char *tab = memchr(line, '\t', len);
	char *copy = pn_strndup(line, len);
	size_t at = lines->count++;

	lines->revs[at] = copy;
	lines->paths[at] = NULL;
	lines->numbers[at] = number;
	if (strlen(copy) != len || !tab || tab == line || !tab[1])
		return;
	copy[tab - line] = '\0';
	lines->paths[at] = copy + (tab - line) + 1;
}

static void clear(struct lines *lines)
{
	size_t i;

	for (i = 0; i < lines->count; i++)
		free(lines->revs[i]);
	lines->count = 0;
}

/* Whether a path is of a pending file; mostly it lies where the last one
 * did. */
static bool is_pending(struct pn_stage *stage, const char *path)
{
	size_t len = (size_t)(pn_file_basename(path) - path);

	if (!stage->folder || strlen(stage->folder) != len ||
	    memcmp(stage->folder, path, len)) {
		free(stage->folder);
		stage->folder = pn_strndup(path, len);
		stage->folder_is_jobs = pn_pending_owns(stage->repo, path);
	}
	return stage->folder_is_jobs;
}

/* The file's record, when it was read ahead, else it is read now. */
static int add_line(struct pn_stage *stage, const char *rev, const char *path,
		    struct pn_record *record, const struct pn_oid *origin,
		    struct pn_error *err)
{
	struct pn_oid commit;
	bool pending;
	int code;

	if (!path)
		return pn_error_set(err, PN_EINVAL, "need '<rev> TAB <path>'");
	code = pn_repo_resolve(&commit, stage->repo, rev, err);
	if (code)
		return code;
	pending = is_pending(stage, path);
	if (!record)
		return pn_stage_file(stage, &commit, path, path, pending, err);
	code = take_record(stage, record, origin, &commit, path, err);
	if (!code)
		note_done(stage, path, pending);
	return code;
}

static int stage_all(struct pn_stage *stage, const struct lines *lines,
		     struct pn_error *err)
{
	struct pn_read_ahead *ahead =
		pn_read_ahead_new(lines->paths, lines->count, &stage->record);
	struct pn_record *record;
	struct pn_oid origin;
	size_t i;
	int code = 0;

	for (i = 0; !code && i < lines->count; i++) {
		record = pn_read_ahead_next(&origin, ahead);
		code = add_line(stage, lines->revs[i], lines->paths[i], record,
				&origin, err);
	}
	pn_read_ahead_free(ahead);
	return code ? pn_error_context(err, "standard input, line %zu",
				       lines->numbers[i - 1])
		    : 0;
}

int pn_stage_stream(struct pn_stage *stage, FILE *from, struct pn_error *err)
{
	struct lines *lines = pn_calloc(1, sizeof(*lines));
	size_t cap = 0, number = 0;
	char *line = NULL;
	int code = 0;
	ssize_t len;

	do {
		len = getline(&line, &cap, from);
		number++;
		if (len > 0 && line[len - 1] == '\n')
			len--;
		if (len > 0)
			add_to(lines, line, (size_t)len, number);
		if (lines->count == LINES || (len < 0 && lines->count)) {
			code = stage_all(stage, lines, err);
			clear(lines);
		}
	} while (!code && len >= 0);
	if (!code && ferror(from))
		code = pn_error_system(err, "cannot read standard input");
	free(lines);
	free(line);
	return code;
}
