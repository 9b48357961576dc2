/* Bodies that a partial clone lacks, from the remotes that promised them. */
#include "storage/body_fetch.h"

#include "base/alloc.h"
#include "body/body.h"
#include "storage/body_chain.h"
#include "storage/needed_bodies.h"
#include "vcs/notes/cached.h"
#include "vcs/transport/transport.h"

#include <stdlib.h>
#include <string.h>

struct ids {
	struct pn_oid *items;
	size_t count, cap;
};

struct fetching {
	struct pn_repo *repo;
	struct pn_buf remotes; /* a NUL behind each */
	struct ids canonical;  /* of this step: may build on others */
	struct ids verbatim;
	struct ids foreseen; /* what lines say that those build on */
	bool deltas;	     /* some build on others, which may do so, too */
	bool looked;	     /* for those, or they are of no use */
	bool figures;	     /* of notes only bodies that figures stand in */
};

static void add(struct ids *ids, const struct pn_oid *id)
{
	if (pn_oid_is_zero(id))
		return;
	ids->items = pn_grow(ids->items, &ids->cap, ids->count + 1,
			     sizeof(*ids->items));
	ids->items[ids->count++] = *id;
}

static int compare(const void *a, const void *b)
{
	return pn_oid_cmp(a, b);
}

/* Each once. */
static void order(struct ids *ids)
{
	size_t i, n = 0;

	if (!ids->count)
		return;
	qsort(ids->items, ids->count, sizeof(*ids->items), compare);
	for (i = 1; i < ids->count; i++)
		if (!pn_oid_equal(&ids->items[i], &ids->items[n]))
			ids->items[++n] = ids->items[i];
	ids->count = n + 1;
}

static bool begin(struct fetching *f, struct pn_repo *repo)
{
	memset(f, 0, sizeof(*f));
	f->repo = repo;
	pn_repo_promisors(&f->remotes, repo);
	return f->remotes.len > 0;
}

static void end(struct fetching *f)
{
	pn_buf_release(&f->remotes);
	free(f->canonical.items);
	free(f->verbatim.items);
	free(f->foreseen.items);
}

static void take(struct fetching *f, const struct pn_entry *e)
{
	struct pn_oid base;

	if (!e || !e->has_body)
		return;
	if (!strcmp(pn_entry_field(e, "body"), "verbatim")) {
		add(&f->verbatim, &e->body);
		return;
	}
	add(&f->canonical, &e->body);
	if (pn_body_chain_base(&base, e)) {
		add(&f->canonical, &base);
		f->deltas = true;
	}
}

static void list_absent(struct ids *out, struct pn_repo *repo,
			const struct ids *of)
{
	size_t i;

	for (i = 0; i < of->count; i++)
		if (!pn_repo_has_object(repo, &of->items[i]))
			add(out, &of->items[i]);
}

static void foresee(struct fetching *f)
{
	struct pn_buf told = {0};
	struct pn_oid id;
	size_t at;

	f->looked = true;
	if (f->deltas)
		pn_body_chain_told(&told, f->repo, f->canonical.items,
				   f->canonical.count);
	for (at = 0; at < told.len; at += PN_OID_BYTES) {
		memcpy(id.bytes, told.data + at, PN_OID_BYTES);
		add(&f->foreseen, &id);
	}
	order(&f->foreseen);
	pn_buf_release(&told);
}

/* git's words where a remote lacks one of what it is asked for. It sends
 * nothing then, and what lines say must not stop what is needed. */
#define NOT_THERE "not our ref"

static void ask(struct fetching *f, const char *remote,
		const struct ids *absent)
{
	struct pn_transport t = {.repo = f->repo, .remote = remote};
	struct pn_error err = {0};
	struct ids all = {0};
	size_t i;

	if (!f->looked)
		foresee(f);
	for (i = 0; i < absent->count; i++)
		add(&all, &absent->items[i]);
	list_absent(&all, f->repo, &f->foreseen);
	order(&all);
	if (pn_transport_objects(&t, all.items, all.count, &err) &&
	    all.count > absent->count && strstr(err.message, NOT_THERE)) {
		f->foreseen.count = 0;
		pn_transport_objects(&t, absent->items, absent->count, NULL);
	}
	free(all.items);
}

/* As git does it: one remote after the other is asked for what is absent. */
static size_t fetch_absent(struct fetching *f)
{
	const char *name = pn_buf_text(&f->remotes);
	const char *past = name + f->remotes.len;
	size_t left;

	for (;; name += strlen(name) + 1) {
		struct ids absent = {0};

		list_absent(&absent, f->repo, &f->canonical);
		list_absent(&absent, f->repo, &f->verbatim);
		order(&absent);
		left = absent.count;
		if (left && name < past)
			ask(f, name, &absent);
		free(absent.items);
		if (!left || name >= past)
			return left;
	}
}

/* What this step's bodies build on becomes the next step. */
static void descend(struct fetching *f)
{
	struct ids next = {0};
	size_t i;

	for (i = 0; i < f->canonical.count; i++) {
		const struct pn_oid *id = &f->canonical.items[i];
		struct pn_oid base;

		if (!pn_repo_has_object(f->repo, id))
			continue;
		base = pn_needed_bodies_base(f->repo, id);
		if (!pn_oid_is_zero(&base) &&
		    !bsearch(&base, f->canonical.items, f->canonical.count,
			     sizeof(base), compare))
			add(&next, &base);
	}
	free(f->canonical.items);
	f->canonical = next;
	f->verbatim.count = 0;
	order(&f->canonical);
}

/* How many could not be had. */
static size_t fetch(struct fetching *f)
{
	size_t left = 0;
	int depth;

	order(&f->canonical);
	order(&f->verbatim);
	for (depth = 0; depth <= PN_BODY_CHAIN_MAX &&
			f->canonical.count + f->verbatim.count;
	     depth++) {
		left += fetch_absent(f);
		descend(f);
	}
	return left;
}

void pn_bodies_fetch(struct pn_repo *repo,
		     const struct pn_entry *const *entries, size_t count)
{
	struct fetching f;
	size_t i;

	if (!count || !begin(&f, repo))
		return;
	for (i = 0; i < count; i++)
		take(&f, entries[i]);
	fetch(&f);
	end(&f);
}

void pn_bodies_fetch_chain(struct pn_repo *repo, const struct pn_oid *body)
{
	struct fetching f;

	if (!begin(&f, repo))
		return;
	f.deltas = true;
	add(&f.canonical, body);
	fetch(&f);
	end(&f);
}

struct pn_bodies_wanted {
	struct fetching fetching;
};

struct pn_bodies_wanted *pn_bodies_wanted_new(struct pn_repo *repo)
{
	struct pn_bodies_wanted *wanted = pn_calloc(1, sizeof(*wanted));

	if (begin(&wanted->fetching, repo))
		return wanted;
	end(&wanted->fetching);
	free(wanted);
	return NULL;
}

void pn_bodies_wanted_add(struct pn_bodies_wanted *wanted,
			  const struct pn_entry *const *entries, size_t count)
{
	size_t i;

	for (i = 0; wanted && i < count; i++)
		take(&wanted->fetching, entries[i]);
}

void pn_bodies_wanted_end(struct pn_bodies_wanted *wanted)
{
	if (!wanted)
		return;
	fetch(&wanted->fetching);
	end(&wanted->fetching);
	free(wanted);
}

void pn_bodies_fetch_ids(struct pn_repo *repo, const struct pn_buf *ids)
{
	struct fetching f;
	struct pn_oid id;
	size_t at;

	if (!begin(&f, repo))
		return;
	f.looked = true;
	for (at = 0; at < ids->len; at += PN_OID_BYTES) {
		memcpy(id.bytes, ids->data + at, PN_OID_BYTES);
		add(&f.verbatim, &id);
	}
	fetch_absent(&f);
	end(&f);
}

static int take_note(void *arg, const struct pn_oid *commit,
		     const struct pn_buf *text, struct pn_error *err)
{
	const struct fetching *f = arg;
	const struct pn_entry *list;
	struct pn_arena arena = {0};
	size_t i, count = 0;

	(void)commit;
	(void)err;
	pn_entries_parse(&list, &count, NULL, &arena, pn_buf_text(text),
			 text->len);
	for (i = 0; i < count; i++)
		if (!f->figures ||
		    !strcmp(pn_entry_field(&list[i], "metrics"), "body"))
			take(arg, &list[i]);
	pn_arena_release(&arena);
	return 0;
}

void pn_bodies_fetch_figures(struct pn_repo *repo, struct pn_notes *notes,
			     const struct pn_entry *entry)
{
	struct fetching f;
	bool begun;

	if (!entry->has_body || !pn_repo_is_partial(repo) ||
	    pn_repo_has_object(repo, &entry->body) ||
	    !pn_notes_first_lack(notes))
		return;
	begun = begin(&f, repo);
	f.figures = true;
	if (begun && !pn_notes_each_text(notes, take_note, &f, NULL))
		fetch(&f);
	end(&f);
}

int pn_bodies_complete(struct pn_repo *repo, struct pn_error *err)
{
	struct pn_notes *notes = NULL;
	int code = pn_notes_open(&notes, repo, PN_NOTES_REF, err);

	if (!code)
		code = pn_bodies_fetch_all(repo, notes, err);
	pn_notes_free(notes);
	return code;
}

int pn_bodies_fetch_all(struct pn_repo *repo, struct pn_notes *notes,
			struct pn_error *err)
{
	struct fetching f;
	size_t left;
	int code = 0;

	if (begin(&f, repo))
		code = pn_notes_each_text(notes, take_note, &f, err);
	f.looked = true;
	left = code ? 0 : fetch(&f);
	if (left)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "%zu bod%s could not be fetched: 'git perf "
				    "fsck' names them",
				    left, left == 1 ? "y" : "ies");
	end(&f);
	return code;
}
