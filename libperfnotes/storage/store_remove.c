/*
 * Taking entries out: a tombstone a line, because a union merge brings
 * removed lines back; a body goes when nothing needs it any more.
 */
#include "storage/store.h"

#include "base/alloc.h"
#include "base/file.h"
#include "storage/needed_bodies.h"
#include "storage/retain/tombstone.h"
#include "vcs/lock.h"
#include "vcs/notes/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROUNDS 1000

static const struct pn_entry *find(const struct pn_entry *entries, size_t count,
				   const char *id)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(entries[i].id, id))
			return &entries[i];
	return NULL;
}

static int drop_bodies(struct pn_repo *repo, struct pn_notes *notes,
		       const struct pn_oid *bodies, size_t count,
		       struct pn_error *err)
{
	struct pn_needed_bodies *needed = NULL;
	struct pn_buf gone = {0};
	size_t i;
	int code;

	if (!count)
		return 0;
	code = pn_needed_bodies_read(&needed, repo, notes, err);
	for (i = 0; !code && i < count; i++)
		code = pn_needed_bodies_drop(&gone, repo, notes, needed,
					     &bodies[i], err);
	pn_needed_bodies_free(needed);
	pn_buf_release(&gone);
	return code == PN_ELIMIT ? 0 : code; /* a body too many does no harm */
}

static int remove_once(struct pn_repo *repo, const struct pn_oid *commit,
		       const char *const *ids, size_t count,
		       struct pn_error *err)
{
	struct pn_oid *bodies = pn_calloc(count, sizeof(*bodies));
	const struct pn_entry *entries, *e;
	struct pn_notes *notes = NULL;
	struct pn_arena arena = {0};
	size_t i, n = 0, body_count = 0;
	struct pn_buf note = {0};
	char message[64];
	int code;

	code = pn_notes_open(&notes, repo, PN_NOTES_REF, err);
	if (!code)
		code = pn_needed_bodies_reanchor(repo, notes, err);
	if (!code)
		code = pn_notes_read(&note, notes, commit, err);
	if (code)
		goto out;
	pn_entries_parse(&entries, &n, NULL, &arena, pn_buf_text(&note),
			 note.len);
	if (note.len && note.data[note.len - 1] != '\n')
		pn_buf_add_byte(&note, '\n');
	for (i = 0; !code && i < count; i++) {
		e = find(entries, n, ids[i]);
		if (!e)
			code = pn_error_set(err, PN_ENOTFOUND,
					    "no profile %s in that commit's "
					    "list",
					    ids[i]);
		else
			code = pn_tombstone_add(&note, e, commit,
						pn_time_now_ns(), err);
		if (!code && e->has_body)
			bodies[body_count++] = e->body;
	}
	if (code)
		goto out;
	code = pn_notes_stage_note(notes, commit, note.data, note.len, err);
	if (!code)
		code = drop_bodies(repo, notes, bodies, body_count, err);
	snprintf(message, sizeof(message), "perf: remove %zu\n", count);
	if (!code)
		code = pn_notes_commit(notes, message, err);
out:
	pn_arena_release(&arena);
	pn_buf_release(&note);
	pn_notes_free(notes);
	free(bodies);
	return code;
}

int pn_store_remove(struct pn_repo *repo, const struct pn_oid *commit,
		    const char *const *ids, size_t count, struct pn_error *err)
{
	struct pn_lock lock = {.fd = -1};
	int code, rounds = 0;

	if (!count)
		return 0;
	code = pn_lock_acquire(&lock, repo, err);
	if (code)
		return code;
	do {
		code = remove_once(repo, commit, ids, count, err);
	} while (code == PN_ECONFLICT && ++rounds < MAX_ROUNDS);
	pn_lock_release(&lock);
	return code;
}
