/* Looking at everything that is stored. */
#include "storage/verify.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/strtab.h"
#include "model/entry.h"
#include "storage/body_store.h"
#include "vcs/lock.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One walk. */
struct look {
	struct pn_verify_report *report;
	struct pn_repo *repo;
	struct pn_notes *notes;
	struct pn_oid commit;	 /* whose note is looked at */
	struct pn_strtab bodies; /* ids that lines name, as 20 bytes */
};

void pn_verify_report_release(struct pn_verify_report *report)
{
	if (!report)
		return;
	pn_arena_release(&report->arena);
	free(report->problems);
	memset(report, 0, sizeof(*report));
}

__attribute__((format(printf, 3, 4))) static struct pn_problem *
add_problem(struct look *look, const char *repair, const char *format, ...)
{
	struct pn_verify_report *r = look->report;
	struct pn_problem *p;
	char text[PN_ERROR_MAX + 64];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	r->problems = pn_grow(r->problems, &r->problem_cap,
			      r->problem_count + 1, sizeof(*r->problems));
	p = &r->problems[r->problem_count++];
	memset(p, 0, sizeof(*p));
	p->has_commit = !pn_oid_is_zero(&look->commit);
	p->commit = look->commit;
	p->what = pn_arena_copy(&r->arena, text, strlen(text));
	p->repair = repair;
	return p;
}

/* Whether the blob is there and its bytes have its name. */
static bool check_blob(struct look *look, const struct pn_entry *e)
{
	struct pn_buf bytes = {0};
	struct pn_error why;
	struct pn_oid real;
	bool good = false;

	if (pn_body_store_read(&bytes, look->repo, e, &why)) {
		add_problem(look,
			    "fetch refs/notes/perf from a clone that "
			    "has it, or remove the profile",
			    "profile %s: %s", e->id, why.message);
	} else {
		pn_hash_git_object(&real, "blob", bytes.data, bytes.len);
		good = pn_oid_equal(&real, &e->body);
		if (!good)
			add_problem(look,
				    "the object database is damaged: "
				    "see git fsck",
				    "profile %s: the body's bytes do not have "
				    "its name",
				    e->id);
		else if (bytes.len != e->size)
			add_problem(look, "remove the profile and add it anew",
				    "profile %s: the line says %llu bytes, "
				    "the body has %zu",
				    e->id, (unsigned long long)e->size,
				    bytes.len);
	}
	pn_buf_release(&bytes);
	return good;
}

static void check_base(struct look *look, const struct pn_entry *e)
{
	const char *base = pn_entry_field(e, "base");
	char hex[PN_OID_HEX + 1] = "";
	struct pn_body_info info;
	struct pn_buf bytes = {0};

	if (strcmp(pn_entry_field(e, "body"), "canonical") ||
	    pn_body_store_read(&bytes, look->repo, e, NULL) ||
	    pn_body_info(&info, bytes.data, bytes.len, NULL)) {
		pn_buf_release(&bytes);
		return;
	}
	if (info.is_delta) {
		pn_oid_hex(hex, &info.base);
		pn_strtab_add(&look->bodies, info.base.bytes, PN_OID_BYTES);
	}
	if (strcmp(hex, base) != 0)
		add_problem(look, "remove the profile and add it anew",
			    "profile %s: the line says base '%.40s', the body "
			    "'%s'",
			    e->id, base, hex);
	pn_buf_release(&bytes);
}

static int check_anchor(struct look *look, const struct pn_entry *e,
			struct pn_error *err)
{
	struct pn_problem *p;
	bool has;
	int code = pn_notes_has_body(&has, look->notes, &e->body, err);

	if (code || has)
		return code;
	p = add_problem(look, "git perf fsck --repair, or any next add",
			"profile %s: its body is not below objects/ of the "
			"notes' tip",
			e->id);
	p->anchor = true;
	p->body = e->body;
	return 0;
}

static int check_profile(struct look *look, const struct pn_entry *e,
			 struct pn_error *err)
{
	struct pn_profile profile;
	struct pn_error why;
	int code;

	look->report->profiles++;
	if (!pn_oid_equal(&e->commit, &look->commit))
		add_problem(look,
			    "a copied note: remove it there if it does "
			    "not belong to this commit",
			    "profile %s: measured at another commit", e->id);
	if (!e->has_body)
		return 0;
	pn_strtab_add(&look->bodies, e->body.bytes, PN_OID_BYTES);
	if (!check_blob(look, e))
		return 0;
	code = check_anchor(look, e, err);
	if (code)
		return code;
	check_base(look, e);
	if (pn_body_store_load(&profile, look->repo, e, &why))
		add_problem(look, "remove the profile and add it anew",
			    "profile %s: %s", e->id, why.message);
	else
		pn_profile_release(&profile);
	return 0;
}

/* Lines that are no entries: of other tools, or damaged ones of ours. */
static void check_lines(struct look *look, const struct pn_buf *text)
{
	const char *at = pn_buf_text(text), *end = at + text->len, *line;
	struct pn_arena arena = {0};
	struct pn_entry entry;
	struct pn_error why;
	size_t len, number = 0;

	while (pn_note_line(&line, &len, &at, end)) {
		number++;
		if (!pn_entry_parse(&entry, &arena, line, len, &why))
			continue;
		add_problem(look, "git notes --ref=perf edit <commit>",
			    "line %zu is ignored: %s", number, why.message);
	}
	pn_arena_release(&arena);
}

static int check_note(struct look *look, struct pn_error *err)
{
	const struct pn_entry *entries;
	struct pn_arena arena = {0};
	struct pn_buf text = {0};
	struct pn_error why;
	size_t i, count;
	int code = 0;

	look->report->commits++;
	if (pn_notes_read(&text, look->notes, &look->commit, &why)) {
		add_problem(look, "git notes --ref=perf remove <commit>",
			    "the note cannot be read: %s", why.message);
		pn_buf_release(&text);
		return 0;
	}
	check_lines(look, &text);
	pn_entries_parse(&entries, &count, NULL, &arena, pn_buf_text(&text),
			 text.len);
	for (i = 0; !code && i < count; i++)
		if (entries[i].kind == PN_ENTRY_PROFILE)
			code = check_profile(look, &entries[i], err);
	pn_arena_release(&arena);
	pn_buf_release(&text);
	return code;
}

static int check_notes(struct look *look, struct pn_error *err)
{
	struct pn_notes_iter *iter = NULL;
	struct pn_oid commit, blob;
	int code = pn_notes_iter_open(&iter, look->notes, err);

	while (!code &&
	       (code = pn_notes_iter_next(&commit, &blob, iter, err)) > 0) {
		code = 0;
		if (pn_oid_equal(&commit, &look->commit))
			continue; /* a duplicate: its text was united */
		look->commit = commit;
		code = check_note(look, err);
	}
	pn_notes_iter_free(iter);
	memset(&look->commit, 0, sizeof(look->commit));
	return code;
}

static int check_bodies(struct look *look, struct pn_error *err)
{
	struct pn_notes_iter *iter = NULL;
	char hex[PN_OID_HEX + 1];
	struct pn_oid name, blob;
	uint32_t id;
	int code = pn_notes_bodies_open(&iter, look->notes, err);

	while (!code &&
	       (code = pn_notes_iter_next(&name, &blob, iter, err)) > 0) {
		code = 0;
		look->report->bodies++;
		pn_oid_hex(hex, &name);
		if (!pn_oid_equal(&name, &blob))
			add_problem(look, "remove it and add it anew",
				    "objects/ has another blob under the name "
				    "%s",
				    hex);
		else if (!pn_strtab_find(&id, &look->bodies, name.bytes,
					 PN_OID_BYTES))
			look->report->unused++;
	}
	pn_notes_iter_free(iter);
	return code;
}

int pn_verify_run(struct pn_verify_report *out, struct pn_repo *repo,
		  struct pn_notes *notes, struct pn_error *err)
{
	struct pn_verify_report report = {0};
	struct look look = {.report = &report, .repo = repo, .notes = notes};
	int code;

	code = check_notes(&look, err);
	if (!code)
		code = check_bodies(&look, err);
	pn_strtab_release(&look.bodies);
	if (code)
		pn_verify_report_release(&report);
	else
		*out = report;
	return code;
}

int pn_verify_repair(size_t *mended, struct pn_repo *repo,
		     const struct pn_verify_report *report,
		     struct pn_error *err)
{
	struct pn_lock lock = {.fd = -1};
	struct pn_notes *notes = NULL;
	size_t i, n = 0;
	int code;

	code = pn_lock_acquire(&lock, repo, err);
	if (!code)
		code = pn_notes_open(&notes, repo, PN_NOTES_REF, err);
	for (i = 0; !code && i < report->problem_count; i++)
		if (report->problems[i].anchor) {
			pn_notes_stage_anchor(notes, &report->problems[i].body);
			n++;
		}
	if (!code && n)
		code = pn_notes_commit(notes, "perf: anchor bodies\n", err);
	pn_notes_free(notes);
	pn_lock_release(&lock);
	if (!code)
		*mended = n;
	return code;
}
