/* Looking at everything that is stored. */
#include "storage/verify/verify.h"

#include "base/alloc.h"
#include "model/entry.h"
#include "storage/body_fetch.h"
#include "storage/body_store.h"
#include "storage/verify/bodies.h"
#include "vcs/notes/stage.h"
#include "vcs/objects/gone.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A profile whose body is to be decoded. */
struct waiting {
	struct pn_oid commit;
	char id[PN_ENTRY_ID_HEX + 1];
	uint32_t body;
};

/* One walk. */
struct look {
	struct pn_verify_report *report;
	struct pn_repo *repo;
	struct pn_notes *notes;
	struct pn_oid commit;	      /* whose note is looked at */
	struct pn_seen_bodies bodies; /* that something needs */
	struct waiting *waiting;
	size_t waiting_count, waiting_cap;
};

static const char remove_and_add[] = "remove the profile and add it anew";
static const char fetch_or_remove[] =
	"git fetch --refetch <remote> refs/notes/perf, of a clone that has "
	"it, or remove the profile";
static const char unshallow_or_remove[] =
	"git fetch --unshallow <remote> refs/notes/perf, of a clone that has "
	"it, or remove the profile";

static const char fetch_or_remove_note[] =
	"git fetch --refetch <remote> refs/notes/perf, of a clone that has "
	"it, or git notes --ref=perf remove <commit>";
static const char pull[] = "git perf pull";
static const char unite_note[] =
	"git perf fsck --repair, or the next git perf add to the commit: "
	"either writes equal lines once";
static const char unite_long_note[] =
	"git perf fsck --repair, which reads up to 1 GiB of it and writes "
	"equal lines once";
static const char shorten_note[] =
	"git notes --ref=perf show <commit> >file keeps its text; then take "
	"what is no record out of it with git notes --ref=perf edit <commit>";

void pn_verify_report_release(struct pn_verify_report *report)
{
	if (!report)
		return;
	pn_arena_release(&report->arena);
	free(report->told.problems);
	free(report->told.unused);
	pn_buf_release(&report->to_anchor);
	pn_buf_release(&report->to_unite);
	pn_buf_release(&report->to_bring);
	pn_strtab_release(&report->lost);
	memset(report, 0, sizeof(*report));
}

/* Bodies that are absent may lie behind what was fetched; what the remote has
 * no more it took out. */
static const char *to_fetch(const struct look *look, const char *why)
{
	if (pn_gone_is(why))
		return pull;
	return pn_repo_is_shallow(look->repo) ? unshallow_or_remove
					      : fetch_or_remove;
}

void pn_verify_add(struct pn_verify_report *r, const struct pn_oid *commit,
		   const char *repair, const char *what)
{
	struct pn_checked_problem *p;

	r->told.problem_count++;
	if (r->told.listed_count == PN_PROBLEMS_MAX)
		return;
	r->told.problems =
		pn_grow(r->told.problems, &r->problem_cap,
			r->told.listed_count + 1, sizeof(*r->told.problems));
	p = &r->told.problems[r->told.listed_count++];
	memset(p, 0, sizeof(*p));
	p->has_commit = commit && !pn_oid_is_zero(commit);
	if (p->has_commit)
		p->commit = *commit;
	p->what = pn_arena_copy(&r->arena, what, strlen(what));
	p->repair = repair;
}

__attribute__((format(printf, 3, 4))) static void
add_problem(struct look *look, const char *repair, const char *format, ...)
{
	char text[PN_ERROR_MAX + 64];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	pn_verify_add(look->report, &look->commit, repair, text);
}

/* Whether the blob is there and its bytes have its name. */
static bool check_blob(struct look *look, const struct pn_entry *e,
		       const struct pn_seen_body *body)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &e->body);
	if (!body->here)
		add_problem(look, to_fetch(look, body->why),
			    "profile %s: body %s cannot be read: %s", e->id,
			    hex, body->why);
	else if (!body->named)
		add_problem(look,
			    "the object database is damaged: see git fsck",
			    "profile %s: the body's bytes do not have its name",
			    e->id);
	else if (body->size != e->size)
		add_problem(look, remove_and_add,
			    "profile %s: the line says %llu bytes, the body "
			    "has %zu",
			    e->id, (unsigned long long)e->size, body->size);
	return body->named;
}

static void check_base(struct look *look, const struct pn_entry *e,
		       const struct pn_body_info *info)
{
	const char *base = pn_entry_field(e, "base");
	char hex[PN_OID_HEX + 1] = "";

	if (info->is_delta)
		pn_oid_hex(hex, &info->base);
	if (strcmp(hex, base) != 0)
		add_problem(look, remove_and_add,
			    "profile %s: the line says base '%.40s', the body "
			    "'%s'",
			    e->id, base, hex);
}

/* `what` is "its body" or "a body that it builds on". */
static int check_anchor(struct look *look, const struct pn_entry *e,
			const struct pn_oid *body, const char *what,
			struct pn_error *err)
{
	bool has;
	int code = pn_notes_has_body(&has, look->notes, body, err);

	if (code || has)
		return code;
	add_problem(look, "git perf fsck --repair",
		    "profile %s: %s is not below objects/ of the notes' "
		    "tip",
		    e->id, what);
	pn_buf_add(&look->report->to_anchor, body->bytes, PN_OID_BYTES);
	return 0;
}

/*
 * One step down from a body of `e`: *sound is false when the way ends there,
 * and a problem says why. Each step has to be one nearer to the key, so that
 * bodies which build on each other in a circle end as well.
 */
static int check_step(bool *sound, uint32_t *at, struct look *look,
		      const struct pn_entry *e, struct pn_error *err)
{
	struct pn_body_info info = look->bodies.items[*at].info;
	uint32_t base = pn_seen_body(&look->bodies, &info.base);
	const struct pn_seen_body *next = &look->bodies.items[base];
	char hex[PN_OID_HEX + 1];

	*sound = false;
	pn_oid_hex(hex, &info.base);
	if (!next->has_info) {
		add_problem(look, to_fetch(look, next->why),
			    "profile %s: body %s, on which it builds: %s",
			    e->id, hex, next->why);
		return 0;
	}
	if (next->info.depth + 1 != info.depth) {
		add_problem(look, remove_and_add,
			    "profile %s: its bodies do not end at one that "
			    "stands alone: %s should be %u steps from there "
			    "and says %u",
			    e->id, hex, info.depth - 1, next->info.depth);
		return 0;
	}
	*at = base;
	*sound = true;
	if (next->sound)
		return 0;
	return check_anchor(look, e, &info.base, "a body that it builds on",
			    err);
}

/*
 * All that a canonical body builds on, down to its key or to one from which
 * the way is known. *sound says whether it can be decoded at all.
 */
static int check_chain(bool *sound, struct look *look, const struct pn_entry *e,
		       uint32_t body, struct pn_error *err)
{
	uint32_t way[PN_BODY_CHAIN_MAX + 1]; /* depth is no more and falls */
	struct pn_seen_body *items = look->bodies.items;
	uint32_t at = body;
	size_t n = 0;
	int code = 0;

	*sound = true;
	if (strcmp(pn_entry_field(e, "body"), "canonical") ||
	    !items[body].has_info)
		return 0; /* decoding says what is wrong */
	check_base(look, e, &items[body].info);
	while (!code && *sound && items[at].info.is_delta && !items[at].sound) {
		way[n++] = at;
		code = check_step(sound, &at, look, e, err);
		items = look->bodies.items; /* it may have grown */
	}
	if (*sound)
		items[at].sound = true;
	while (*sound && n-- > 0)
		items[way[n]].sound = true;
	return code;
}

static void wait_for(struct look *look, const struct pn_entry *e, uint32_t body)
{
	struct waiting *w;

	look->waiting =
		pn_grow(look->waiting, &look->waiting_cap,
			look->waiting_count + 1, sizeof(*look->waiting));
	w = &look->waiting[look->waiting_count++];
	w->commit = look->commit;
	memcpy(w->id, e->id, sizeof(w->id));
	w->body = body;
	look->bodies.items[body].wanted = true;
}

/* A body that stands in no chain, of a format of its own. */
static void check_verbatim(struct look *look, const struct pn_entry *e)
{
	struct pn_profile profile;
	struct pn_error why;

	if (pn_body_store_load(&profile, look->repo, e, &why))
		add_problem(look, remove_and_add, "profile %s: %s", e->id,
			    why.message);
	else
		pn_profile_release(&profile);
}

static int check_profile(struct look *look, const struct pn_entry *e,
			 struct pn_error *err)
{
	uint32_t body;
	bool sound;
	int code;

	look->report->told.profiles++;
	if (!pn_oid_equal(&e->commit, &look->commit))
		add_problem(look,
			    "a copied note: remove it there if it does "
			    "not belong to this commit",
			    "profile %s: measured at another commit", e->id);
	if (!e->has_body)
		return 0;
	body = pn_seen_body(&look->bodies, &e->body);
	if (!check_blob(look, e, &look->bodies.items[body]))
		return 0;
	code = check_anchor(look, e, &e->body, "its body", err);
	if (!code)
		code = check_chain(&sound, look, e, body, err);
	if (code || !sound)
		return code;
	if (!strcmp(pn_entry_field(e, "body"), "verbatim"))
		check_verbatim(look, e);
	else
		wait_for(look, e, body);
	return 0;
}

/* The bodies of all profiles together, each once. */
static void check_waiting(struct look *look)
{
	const struct pn_oid *body;
	char hex[PN_OID_HEX + 1];
	size_t i;

	pn_seen_bodies_decode(&look->bodies);
	for (i = 0; i < look->waiting_count; i++) {
		const struct waiting *w = &look->waiting[i];
		const char *why = look->bodies.items[w->body].why;

		if (!why)
			continue;
		body = (const void *)pn_strtab_text(&look->bodies.ids, w->body);
		pn_oid_hex(hex, body);
		look->commit = w->commit;
		add_problem(look, remove_and_add, "profile %s: body %s: %s",
			    w->id, hex, why);
	}
	memset(&look->commit, 0, sizeof(look->commit));
}

/* Lines that are no entries: of other tools, or damaged ones of ours. The first
 * stands for all of a note. */
static void check_lines(struct look *look, const struct pn_buf *text)
{
	const char *at = pn_buf_text(text), *end = at + text->len, *line;
	struct pn_arena arena = {0};
	struct pn_entry entry;
	struct pn_error why;
	size_t len, number = 0, first = 0, bad = 0;

	while (pn_note_line(&line, &len, &at, end)) {
		number++;
		if (!pn_entry_parse(&entry, &arena, line, len,
				    bad ? NULL : &why))
			continue;
		if (!bad++)
			first = number;
	}
	pn_arena_release(&arena);
	if (bad == 1)
		add_problem(look, "git notes --ref=perf edit <commit>",
			    "line %zu is ignored: %s", first, why.message);
	else if (bad)
		add_problem(look, "git notes --ref=perf edit <commit>",
			    "%zu lines are ignored, the first is line %zu: %s",
			    bad, first, why.message);
}

/* A note whose lines git doubled again and again is read as one that has each
 * line once; other programs, and git-perf 0.1, cannot. */
static void check_length(struct look *look, uint64_t raw, size_t united)
{
	if (raw <= PN_NOTE_MAX)
		return;
	add_problem(look, unite_note,
		    "the note has %llu bytes, and %zu with each line once",
		    (unsigned long long)raw, united);
	pn_buf_add(&look->report->to_unite, look->commit.bytes, PN_OID_BYTES);
}

static void add_unreadable(struct look *look, int code, uint64_t raw,
			   const struct pn_error *why)
{
	bool unite = code == PN_ELIMIT && raw;
	const char *repair = unite		 ? unite_long_note
			     : code == PN_ELIMIT ? shorten_note
						 : fetch_or_remove_note;

	add_problem(look, repair, "the note cannot be read: %s", why->message);
	if (unite)
		pn_buf_add(&look->report->to_unite, look->commit.bytes,
			   PN_OID_BYTES);
}

static int check_entries(struct look *look, const struct pn_buf *text,
			 struct pn_error *err)
{
	const struct pn_entry *entries;
	struct pn_arena arena = {0};
	size_t i, count;
	int code = 0;

	pn_entries_parse(&entries, &count, NULL, &arena, pn_buf_text(text),
			 text->len);
	for (i = 0; !code && i < count; i++)
		if (entries[i].kind == PN_ENTRY_PROFILE)
			code = check_profile(look, &entries[i], err);
	pn_arena_release(&arena);
	return code;
}

static int check_note(struct look *look, struct pn_error *err)
{
	struct pn_buf text = {0};
	struct pn_error why;
	uint64_t raw;
	int code;

	look->report->told.commits++;
	code = pn_notes_read_long(&text, &raw, look->notes, &look->commit,
				  PN_NOTE_RAW_MAX, &why);
	if (code == PN_ENOTFOUND && pn_gone_is(why.message)) {
		add_problem(look, pull, "the note " PN_GONE);
		code = 0;
	} else if (code == PN_ENOTFOUND && pn_repo_is_partial(look->repo)) {
		/* not fetched: that says nothing about the note */
		if (err)
			*err = why;
	} else if (code) {
		add_unreadable(look, code, raw, &why);
		code = 0;
	} else {
		check_length(look, raw, text.len);
		check_lines(look, &text);
		code = check_entries(look, &text, err);
	}
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

static void add_unused(struct pn_verify_report *r, const struct pn_oid *body)
{
	r->told.unused =
		pn_grow(r->told.unused, &r->unused_cap,
			r->told.unused_count + 1, sizeof(*r->told.unused));
	r->told.unused[r->told.unused_count++] = *body;
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
		look->report->told.bodies++;
		pn_oid_hex(hex, &name);
		if (!pn_oid_equal(&name, &blob))
			add_problem(look, "remove it and add it anew",
				    "objects/ has another blob under the name "
				    "%s",
				    hex);
		else if (!pn_strtab_find(&id, &look->bodies.ids, name.bytes,
					 PN_OID_BYTES))
			add_unused(look->report, &name);
	}
	pn_notes_iter_free(iter);
	return code;
}

/* Nothing can be written beside a file 'format' that is not understood. */
static void check_format(struct look *look)
{
	struct pn_error why;

	if (pn_notes_check_format(look->notes, &why))
		add_problem(look,
			    "use the git-perf that wrote it, or take 'format' "
			    "from an older commit of refs/notes/perf",
			    "%s", why.message);
}

int pn_verify_notes(struct pn_verify_report *out, struct pn_repo *repo,
		    struct pn_notes *notes, struct pn_error *err)
{
	struct pn_verify_report report = {0};
	struct look look = {.report = &report,
			    .repo = repo,
			    .notes = notes,
			    .bodies = {.repo = repo}};
	int code;

	/* all at once; what cannot be had is found when it is looked at */
	if (pn_repo_is_partial(repo))
		pn_bodies_fetch_all(repo, notes, NULL);
	check_format(&look);
	code = check_notes(&look, err);
	if (!code)
		check_waiting(&look);
	if (!code)
		code = check_bodies(&look, err);
	pn_seen_bodies_release(&look.bodies);
	free(look.waiting);
	if (code)
		pn_verify_report_release(&report);
	else
		*out = report;
	return code;
}
