/* Where other tools keep what they measured. */
#include "jobs/import/taker.h"

#include "base/file.h"
#include "base/folder/find.h"
#include "base/text/line_set.h"
#include "vcs/ref/list.h"

#include <stdlib.h>
#include <string.h>

#define WRITE_REFS_MAX 1000 /* of kaihowl/git-perf: one a clone's writer */

/* Snapshots of the notes and of what is not pushed yet. */
struct foreign {
	struct pn_notes **list;
	size_t count;
	struct pn_buf commits; /* with a note in one of them: ids */
};

static int open_notes(struct foreign *f, struct pn_import_taker *t,
		      const char *ref, struct pn_error *err)
{
	struct pn_notes_iter *iter = NULL;
	struct pn_oid commit, blob;
	int code =
		pn_notes_open(&f->list[f->count], t->request->repo, ref, err);

	if (code)
		return code;
	f->count++;
	code = pn_notes_iter_open(&iter, f->list[f->count - 1], err);
	while (!code &&
	       (code = pn_notes_iter_next(&commit, &blob, iter, err)) > 0) {
		pn_buf_add(&f->commits, commit.bytes, PN_OID_BYTES);
		code = 0;
	}
	pn_notes_iter_free(iter);
	return code;
}

/* <ref>-write-<...>: what that tool's push has not taken in yet. */
static int open_all(struct foreign *f, struct pn_import_taker *t,
		    struct pn_error *err)
{
	const char *ref = t->request->from, *at, *end;
	size_t len = strlen(ref);
	struct pn_buf names = {0};
	int code = pn_refs_list(&names, t->request->repo, "refs/notes/",
				WRITE_REFS_MAX, err);

	f->list = calloc(WRITE_REFS_MAX + 1, sizeof(*f->list));
	if (!code && !f->list)
		code = pn_error_set(err, PN_ELIMIT, "out of memory");
	if (!code)
		code = open_notes(f, t, ref, err);
	at = pn_buf_text(&names);
	for (end = at + names.len; !code && at < end; at += strlen(at) + 1)
		if (!strncmp(at, ref, len) && !strncmp(at + len, "-write-", 7))
			code = open_notes(f, t, at, err);
	pn_buf_release(&names);
	return code;
}

static int by_oid(const void *a, const void *b)
{
	return pn_oid_cmp(a, b);
}

/* Each line once, whichever of the refs has it. A note that cannot be read
 * stops no other. */
static int read_note(struct pn_import_taker *t, const struct foreign *f,
		     const struct pn_oid *commit, struct pn_error *err)
{
	const struct pn_past_taker taker = {t, pn_import_take};
	struct pn_line_set set = {0};
	struct pn_error why = {0};
	struct pn_buf text = {0};
	char hex[PN_OID_HEX + 1];
	size_t i, odd = 0;
	int code = 0;

	pn_oid_hex(hex, commit);
	for (i = 0; !code && i < f->count; i++) {
		pn_buf_clear(&text);
		code = pn_notes_read(&text, f->list[i], commit, &why);
		if (code == PN_ENOTFOUND || code == PN_EINVAL)
			code = PN_ELIMIT;
		else if (!code)
			code = pn_line_set_add(&set, pn_buf_text(&text),
					       text.len, PN_NOTE_MAX,
					       PN_NOTE_LINES_MAX);
	}
	if (!code)
		code = pn_past_perf_v3(&odd, &taker, hex,
				       pn_buf_text(&set.text), set.text.len,
				       &why);
	if (odd)
		pn_import_doubt(t,
				"the note of commit %.10s has %zu line%s that "
				"%s no measurement%s",
				hex, odd, odd == 1 ? "" : "s",
				odd == 1 ? "is" : "are", odd == 1 ? "" : "s");
	t->counts->broken += odd;
	if (code == PN_ELIMIT) {
		pn_import_doubt(t, "the note of commit %.10s: %s", hex,
				*why.message ? why.message
					     : "longer than a note may be");
		t->counts->broken++;
		code = 0;
	}
	if (code)
		pn_error_set(err, code, "%s", why.message);
	pn_line_set_release(&set);
	pn_buf_release(&text);
	return code;
}

int pn_import_notes(struct pn_import_taker *t, struct pn_error *err)
{
	struct foreign f = {0};
	struct pn_oid commit, last = {{0}};
	size_t at;
	int code = open_all(&f, t, err);

	if (!code && !f.commits.len)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "no notes at '%s': 'git fetch <remote> "
				    "%s:%s' gets them",
				    t->request->from, t->request->from,
				    t->request->from);
	if (!code)
		qsort(f.commits.data, f.commits.len / PN_OID_BYTES,
		      PN_OID_BYTES, by_oid);
	for (at = 0; !code && at < f.commits.len; at += PN_OID_BYTES) {
		memcpy(commit.bytes, f.commits.data + at, PN_OID_BYTES);
		if (!at || !pn_oid_equal(&commit, &last))
			code = read_note(t, &f, &commit, err);
		last = commit;
	}
	for (at = 0; at < f.count; at++)
		pn_notes_free(f.list[at]);
	free(f.list);
	pn_buf_release(&f.commits);
	return code;
}

int pn_import_data_js(struct pn_import_taker *t, struct pn_error *err)
{
	const struct pn_past_taker taker = {t, pn_import_take};
	const char *path = t->request->from;
	struct pn_buf bytes = {0};
	size_t odd = 0;
	int code = pn_file_read(&bytes, path, PN_PAST_MAX, err);

	if (!code)
		code = pn_past_data_js(&odd, &taker, pn_buf_text(&bytes),
				       bytes.len, path, err);
	if (odd)
		pn_import_doubt(t,
				"'%s': %zu figure%s without a name or a finite "
				"number",
				path, odd, odd == 1 ? "" : "s");
	t->counts->broken += odd;
	pn_buf_release(&bytes);
	return code;
}

/* "results/benchmarks.json"; without it most units are known all the same. */
static void read_units(struct pn_past_units *out, struct pn_import_taker *t,
		       const char *path)
{
	struct pn_reader *in = NULL;
	struct pn_error err = {0};
	int code = pn_reader_open(&in, path, PN_PAST_MAX, &err);

	if (!code)
		code = pn_past_asv_units(out, in, &err);
	if (code)
		pn_import_doubt(t, "'%s': %s", path, err.message);
	pn_reader_free(in);
}

static int read_results(struct pn_import_taker *t, const char *path,
			const struct pn_past_units *units, struct pn_error *err)
{
	const struct pn_past_taker taker = {t, pn_import_take};
	struct pn_reader *in = NULL;
	struct pn_error why = {0};
	size_t odd = 0;
	int code = pn_reader_open(&in, path, PN_PAST_MAX, &why);

	if (!code)
		code = pn_past_asv(&odd, &taker, in, units, &why);
	pn_reader_free(in);
	if (odd)
		pn_import_doubt(t,
				"'%s': %zu sample%s without a finite number "
				"%s left out",
				path, odd, odd == 1 ? "" : "s",
				odd == 1 ? "is" : "are");
	t->counts->broken += odd;
	if (code == PN_EINVAL || code == PN_ELIMIT || code == PN_ENOTFOUND ||
	    code == PN_EFORMAT) {
		pn_import_doubt(t, "'%s': %s", path, why.message);
		t->counts->broken++;
		return 0;
	}
	return code ? pn_error_set(err, code, "%s", why.message) : 0;
}

static bool is_called(const char *path, const char *name)
{
	return !strcmp(pn_file_basename(path), name);
}

int pn_import_asv(struct pn_import_taker *t, struct pn_error *err)
{
	struct pn_past_units units = {0};
	struct pn_arena arena = {0};
	size_t i, count, machines = 0;
	char **files = pn_find_files(&count, &arena, t->request->from, ".json");
	int code = 0;

	for (i = 0; i < count; i++) {
		machines += is_called(files[i], "machine.json");
		if (is_called(files[i], "benchmarks.json"))
			read_units(&units, t, files[i]);
	}
	if (!machines)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "'%s' is no Perun store: need a folder "
				    "'.perun', or 'objects' and 'jobs' in it; "
				    "and no results of airspeed velocity: need "
				    "'<machine>/machine.json'",
				    t->request->from);
	for (i = 0; !code && i < count; i++)
		if (!is_called(files[i], "machine.json") &&
		    !is_called(files[i], "benchmarks.json"))
			code = read_results(t, files[i], &units, err);
	pn_past_units_release(&units);
	pn_arena_release(&arena);
	return code;
}
