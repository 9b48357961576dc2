/* Names to profiles. */
#include "storage/lookup/lookup.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/number.h"
#include "storage/lookup/records.h"
#include "storage/lookup/series.h"
#include "storage/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIN_ID_PREFIX 4 /* as git abbreviates at the least */
#define PARTS_SHOWN 8	/* of the profiles that part of a name fits */

void pn_found_list_release(struct pn_found_list *list)
{
	if (!list)
		return;
	pn_arena_release(&list->arena);
	free(list->items);
	memset(list, 0, sizeof(*list));
}

static struct pn_found *add(struct pn_found_list *list, enum pn_found_kind kind)
{
	struct pn_found *found;

	list->items = pn_grow(list->items, &list->cap, list->count + 1,
			      sizeof(*list->items));
	found = &list->items[list->count++];
	memset(found, 0, sizeof(*found));
	found->kind = kind;
	return found;
}

static const char *keep(struct pn_found_list *list, const char *text)
{
	return pn_arena_copy(&list->arena, text, strlen(text));
}

static void add_stored(struct pn_found_list *list, const struct pn_oid *commit,
		       const struct pn_entry *entry)
{
	struct pn_found *found = add(list, PN_FOUND_STORED);
	const char *name = pn_entry_field(entry, "name");

	found->commit = *commit;
	found->entry = entry;
	found->name = *name ? name : entry->id;
}

static void add_pending(struct pn_found_list *list,
			const struct pn_pending *item)
{
	struct pn_found *found = add(list, PN_FOUND_PENDING);

	found->path = keep(list, item->path);
	found->name = keep(list, item->name);
}

/* The commit's list: many names are looked up in one. */
static int list_of(const struct pn_entry **entries, size_t *count,
		   struct pn_found_list *out, const struct pn_lookup *lookup,
		   const struct pn_oid *commit, struct pn_error *err)
{
	if (!out->entries || !pn_oid_equal(&out->listed, commit)) {
		struct pn_oid at = pn_lookup_records(lookup, commit);
		int code =
			pn_store_entries(&out->entries, &out->entry_count, NULL,
					 &out->arena, lookup->notes, &at, err);

		if (code)
			return code;
		out->listed = *commit;
	}
	*entries = out->entries;
	*count = out->entry_count;
	return 0;
}

/* "<n>@<kind>" at *at; false when it is none. */
static bool read_tag(uint64_t *n, char *kind, const char **at)
{
	const char *p = *at;
	size_t digits = strspn(p, "0123456789");

	if (!digits || digits > 9 || p[digits] != '@' ||
	    (p[digits + 1] != 'i' && p[digits + 1] != 'p') ||
	    !pn_number_uint(n, p, digits))
		return false;
	*kind = p[digits + 1];
	*at = p + digits + 2;
	return true;
}

struct tag {
	uint64_t first, last;
	char kind;
};

static bool parse_tag(struct tag *out, const char *text)
{
	struct tag t;
	char kind;

	if (!read_tag(&t.first, &t.kind, &text))
		return false;
	t.last = t.first;
	if (*text == '-') {
		text++;
		if (!read_tag(&t.last, &kind, &text) || kind != t.kind)
			return false;
	}
	*out = t;
	return !*text;
}

static int check_tag(const struct tag *tag, size_t count, const char *text,
		     const char *what, struct pn_error *err)
{
	if (tag->first > tag->last)
		return pn_error_set(err, PN_ERANGE,
				    "the range '%s' runs backwards", text);
	if (tag->last < count)
		return 0;
	if (!count)
		return pn_error_set(err, PN_ERANGE, "no profile '%s': %s", text,
				    what);
	return pn_error_set(err, PN_ERANGE, "no profile '%s': %s up to %zu@%c",
			    text, what, count - 1, tag->kind);
}

static int find_tag(struct pn_found_list *out, const struct pn_lookup *lookup,
		    const struct pn_oid *commit, const struct tag *tag,
		    const char *text, struct pn_error *err)
{
	struct pn_pending_list pending = {0};
	const struct pn_entry *entries;
	size_t i, count = 0;
	int code;

	if (!lookup->repo)
		return pn_error_set(err, PN_ENOTFOUND,
				    "no profile '%s': not in a git repository",
				    text);
	if (tag->kind == 'p') {
		code = pn_pending_list(&pending, lookup->repo, err);
		if (!code)
			code = check_tag(tag, pending.count, text,
					 pending.count ? "pending ones go"
						       : "none is pending",
					 err);
		for (i = tag->first; !code && i <= tag->last; i++)
			add_pending(out, &pending.items[i]);
		pn_pending_list_release(&pending);
		return code;
	}
	code = list_of(&entries, &count, out, lookup, commit, err);
	if (!code)
		code = check_tag(tag, count, text,
				 count ? "the commit's list goes"
				       : "the commit has none",
				 err);
	for (i = tag->first; !code && i <= tag->last; i++)
		add_stored(out, commit, &entries[i]);
	return code;
}

static bool is_hex(const char *text)
{
	size_t len = strlen(text), i;

	for (i = 0; i < len; i++)
		if (pn_hex_digit(text[i]) < 0)
			return false;
	return len >= MIN_ID_PREFIX;
}

/* How a text names an entry. */
enum naming { NAMES_NOT, NAMES_BEGINNING, NAMES_WHOLE };

static enum naming names_entry(const struct pn_entry *e, const char *text)
{
	char hex[PN_OID_HEX + 1];
	size_t len = strlen(text);

	if (!*text)
		return NAMES_NOT;
	if (!strcmp(pn_entry_field(e, "name"), text) || !strcmp(e->id, text))
		return NAMES_WHOLE;
	if (!is_hex(text))
		return NAMES_NOT;
	if (!strncmp(e->id, text, len))
		return NAMES_BEGINNING;
	if (!e->has_body || len > PN_OID_HEX)
		return NAMES_NOT;
	pn_oid_hex(hex, &e->body);
	if (strncmp(hex, text, len) != 0)
		return NAMES_NOT;
	return hex[len] ? NAMES_BEGINNING : NAMES_WHOLE;
}

/* A file of that name comes behind the commit's list, unless it is told as a
 * path. */
static const char *hint_at_path(const char *text)
{
	struct stat st;

	return !strchr(text, '/') && !stat(text, &st)
		       ? ", or ./ before the name for the file"
		       : "";
}

/* 1 found, 0 not there, negative on error. */
static int find_stored(struct pn_found_list *out,
		       const struct pn_lookup *lookup,
		       const struct pn_oid *commit, const char *text,
		       enum naming how, struct pn_error *err)
{
	const struct pn_entry *entries = NULL, *hit = NULL;
	size_t i, count = 0;
	int code;

	if (!lookup->repo || lookup->skip_stored || pn_oid_is_zero(commit))
		return 0;
	code = list_of(&entries, &count, out, lookup, commit, err);
	if (code)
		return code;
	for (i = 0; entries && i < count; i++) {
		if (names_entry(&entries[i], text) != how)
			continue;
		if (hit)
			return pn_error_set(err, PN_EAMBIGUOUS,
					    "'%s' names %s and %s, use one of "
					    "these ids%s",
					    text, hit->id, entries[i].id,
					    hint_at_path(text));
		hit = &entries[i];
	}
	if (!hit)
		return 0;
	add_stored(out, commit, hit);
	return 1;
}

static bool find_path(struct pn_found_list *out, const struct pn_lookup *lookup,
		      const char *text)
{
	struct pn_found *found;
	struct stat st;

	if (strcmp(text, "-") != 0 && stat(text, &st))
		return false;
	found = add(out, PN_FOUND_FILE);
	found->name = found->path = keep(out, text);
	if (lookup->repo && strcmp(text, "-") != 0 &&
	    pn_pending_owns(lookup->repo, text))
		found->kind = PN_FOUND_PENDING;
	return true;
}

/* The name under which it will be registered; "" unless one was given. */
static const char *name_to_be(const struct pn_pending *pending)
{
	return pn_entry_field(&pending->entry, "name");
}

/* The file of that name or those to be registered so, true; else, where a part
 * will do, all whose name has this in it. */
static bool add_pending_like(struct pn_found_list *out,
			     const struct pn_pending_list *pending, bool whole,
			     const char *text)
{
	size_t i, before = out->count;

	for (i = 0; i < pending->count; i++)
		if (!strcmp(pending->items[i].name, text)) {
			add_pending(out, &pending->items[i]);
			return true;
		}
	for (i = 0; i < pending->count; i++)
		if (!strcmp(name_to_be(&pending->items[i]), text))
			add_pending(out, &pending->items[i]);
	if (out->count > before)
		return true;
	for (i = 0; !whole && i < pending->count; i++)
		if (strstr(pending->items[i].name, text) ||
		    strstr(name_to_be(&pending->items[i]), text))
			add_pending(out, &pending->items[i]);
	return false;
}

static int add_stored_like(struct pn_found_list *out,
			   const struct pn_lookup *lookup,
			   const struct pn_oid *commit, const char *text,
			   struct pn_error *err)
{
	const struct pn_entry *entries = NULL;
	size_t i, count = 0;
	int code;

	if (lookup->skip_stored || lookup->whole_names ||
	    pn_oid_is_zero(commit))
		return 0;
	code = list_of(&entries, &count, out, lookup, commit, err);
	for (i = 0; !code && i < count; i++)
		if (strstr(pn_entry_field(&entries[i], "name"), text))
			add_stored(out, commit, &entries[i]);
	return code;
}

static int refuse_parts(const struct pn_found *found, size_t count,
			const char *text, struct pn_error *err)
{
	struct pn_buf list = {0};
	size_t i;

	for (i = 0; i < count && i < PARTS_SHOWN; i++)
		pn_buf_printf(
			&list, "%s'%s' (%s)", i ? ", " : "", found[i].name,
			found[i].kind == PN_FOUND_STORED ? found[i].entry->id
							 : "pending");
	if (i < count)
		pn_buf_printf(&list, " and %zu more", count - i);
	pn_error_set(err, PN_EAMBIGUOUS,
		     "'%s' fits %zu profiles, need more of a name or an id: %s",
		     text, count, pn_buf_text(&list));
	pn_buf_release(&list);
	return PN_EAMBIGUOUS;
}

/* A pending one of that name, else what has this in its name, pending or in
 * the commit's list. 1 found, 0 not there, negative on error. */
static int find_part(struct pn_found_list *out, const struct pn_lookup *lookup,
		     const struct pn_oid *commit, bool with_rev,
		     const char *text, struct pn_error *err)
{
	struct pn_pending_list pending = {0};
	size_t before = out->count;
	int code = 0;

	if (!lookup->repo || !*text)
		return 0;
	if (!with_rev)
		code = pn_pending_list(&pending, lookup->repo, err);
	if (!code &&
	    !add_pending_like(out, &pending, lookup->whole_names, text))
		code = add_stored_like(out, lookup, commit, text, err);
	pn_pending_list_release(&pending);
	if (!code && out->count - before > 1)
		code = refuse_parts(&out->items[before], out->count - before,
				    text, err);
	if (code)
		out->count = before;
	return code ? code : (int)(out->count - before);
}

/* <rev>:<rest>, unless a file has that very name. */
static int split_rev(struct pn_oid *commit, const char **rest,
		     const struct pn_lookup *lookup, const char *text,
		     struct pn_error *err)
{
	const char *colon = strchr(text, ':');
	struct stat st;
	char *rev;
	int code;

	if (!colon || colon == text || !lookup->repo || !stat(text, &st))
		return 0;
	rev = pn_strndup(text, (size_t)(colon - text));
	code = pn_repo_resolve(commit, lookup->repo, rev, err);
	free(rev);
	*rest = colon + 1;
	return code ? code : 1;
}

bool pn_lookup_is_path(const char *text)
{
	return *text == '/' || !strncmp(text, "./", 2) ||
	       !strncmp(text, "../", 3);
}

/* What nobody calls a profile. */
static bool is_like_revision(const char *text)
{
	return !strcmp(text, "HEAD") || !strcmp(text, "@") ||
	       !strncmp(text, ":/", 2) ||
	       (!pn_lookup_is_path(text) && strpbrk(text, "~^"));
}

static int refuse_name(const struct pn_lookup *lookup, const char *text,
		       struct pn_error *err)
{
	const char *stored = ", an id or name in the commit's list, a revision";
	const char *whole = lookup->whole_names ? " by its whole name" : "";
	struct pn_oid ignored;

	if (!lookup->repo)
		return pn_error_set(
			err, PN_ENOTFOUND,
			"no profile '%s': there is no such file%s", text,
			pn_lookup_is_path(text) ? ""
						: ", and this is no git "
						  "repository");
	if (*text == ':' && text[1] != '/')
		return pn_error_set(err, PN_ENOTFOUND,
				    "a revision is missing before '%s': "
				    "HEAD%s is that of HEAD",
				    text, text);
	if (!lookup->skip_stored && is_like_revision(text) &&
	    pn_repo_resolve(&ignored, lookup->repo, text, err))
		return err->code;
	if (lookup->skip_stored)
		stored = "";
	else if (lookup->whole_names)
		stored = ", an id or whole name in the commit's list";
	return pn_error_set(err, PN_ENOTFOUND,
			    "no profile '%s': not a tag%s, a file or a "
			    "pending profile%s",
			    text, stored, whole);
}

/* <rev>:<name>. What several have as their registered name may be a series. */
static int find_of_commit(struct pn_found_list *out,
			  const struct pn_lookup *lookup,
			  const struct pn_series_query *query,
			  struct pn_error *err)
{
	const struct pn_oid *commit = query->commit;
	struct pn_error several = {0};
	int code, found = find_stored(out, lookup, commit, query->name,
				      NAMES_WHOLE, &several);

	if (lookup->skip_stored)
		return refuse_name(lookup, query->text, err);
	if (found == PN_EAMBIGUOUS) {
		found = 0;
	} else if (found < 0) {
		*err = several;
		return found;
	}
	code = found;
	if (!code && *query->name)
		code = pn_lookup_series(out, lookup, query, err);
	if (!code && several.code) {
		*err = several;
		return several.code;
	}
	if (!code)
		code = find_stored(out, lookup, commit, query->name,
				   NAMES_BEGINNING, err);
	if (!code)
		code = find_part(out, lookup, commit, true, query->name, err);
	if (!code)
		code = pn_lookup_refuse(lookup, query, err);
	return code < 0 ? code : 0;
}

/* Whether it has that name in the list of the default commit. */
static int is_listed(const struct pn_lookup *lookup, const char *text,
		     struct pn_error *err)
{
	struct pn_found_list found = {0};
	int code = find_stored(&found, lookup, &lookup->commit, text,
			       NAMES_WHOLE, err);

	if (!code)
		code = find_stored(&found, lookup, &lookup->commit, text,
				   NAMES_BEGINNING, err);
	pn_found_list_release(&found);
	return code == PN_EAMBIGUOUS ? 1 : code;
}

/* What is no path, no tag of a pending profile ("0@p") and names nothing of a
 * commit (<rev>:<name>), and no file that is there. */
bool pn_lookup_may_be_commit(const char *text)
{
	struct stat st;
	struct tag tag;

	return *text && !pn_lookup_is_path(text) && strcmp(text, "-") != 0 &&
	       !parse_tag(&tag, text) &&
	       (!strchr(text, ':') || !strncmp(text, ":/", 2)) &&
	       !(strpbrk(text, "./") && !stat(text, &st));
}

static bool is_commit(struct pn_oid *out, const struct pn_lookup *lookup,
		      const char *text)
{
	return lookup->repo && pn_lookup_may_be_commit(text) &&
	       !pn_repo_resolve(out, lookup->repo, text, NULL);
}

int pn_lookup_commit(struct pn_oid *out, const struct pn_lookup *lookup,
		     const char *text, struct pn_error *err)
{
	int listed;

	if (!is_commit(out, lookup, text))
		return 0;
	listed = is_listed(lookup, text, err);
	return listed < 0 ? listed : !listed;
}

/* Whether the only series that the query fits ends with the one entry that was
 * found by its name or id: then both are the same. */
static bool is_series_too(struct pn_found_list *found,
			  const struct pn_lookup *lookup,
			  const struct pn_series_query *query)
{
	size_t stored = found->count;

	return pn_lookup_series(found, lookup, query, NULL) > 0 &&
	       found->count == stored + 1 &&
	       !strcmp(found->items[stored].entry->id,
		       found->items[stored - 1].entry->id);
}

int pn_lookup_of_commit(struct pn_oid *out, const char **series,
			const struct pn_lookup *lookup, const char *text,
			struct pn_error *err)
{
	struct pn_found_list found = {0};
	struct pn_series_query query = {.commit = out, .text = text};
	const char *name = text;
	struct tag tag;
	int code = split_rev(out, &name, lookup, text, err);

	if (code <= 0 || parse_tag(&tag, name))
		return code < 0 ? code : 0;
	code = find_stored(&found, lookup, out, name, NAMES_WHOLE, NULL);
	query.rev_len = (size_t)(name - text) - 1;
	query.name = name;
	if (code != 1 || is_series_too(&found, lookup, &query)) {
		*series = name;
		code = 0;
	}
	pn_found_list_release(&found);
	return code != 1;
}

static int find_named(struct pn_found_list *out, const struct pn_lookup *lookup,
		      const char *text, struct pn_error *err)
{
	struct pn_oid commit;
	struct pn_series_query query = {&commit, text, strlen(text), ""};
	int code = find_stored(out, lookup, &lookup->commit, text, NAMES_WHOLE,
			       err);

	if (!code)
		code = find_stored(out, lookup, &lookup->commit, text,
				   NAMES_BEGINNING, err);
	if (!code && !lookup->skip_stored && is_commit(&commit, lookup, text)) {
		code = pn_lookup_series(out, lookup, &query, err);
		return code ? (code < 0 ? code : 0)
			    : pn_lookup_refuse(lookup, &query, err);
	}
	if (!code && find_path(out, lookup, text))
		return 0;
	if (!code)
		code = find_part(out, lookup, &lookup->commit, false, text,
				 err);
	if (!code)
		code = refuse_name(lookup, text, err);
	return code < 0 ? code : 0;
}

int pn_lookup_find(struct pn_found_list *out, const struct pn_lookup *lookup,
		   const char *text, struct pn_error *err)
{
	struct pn_oid commit = lookup->commit;
	const char *name = text;
	struct tag tag;
	int with_rev;

	with_rev = split_rev(&commit, &name, lookup, text, err);
	if (with_rev < 0)
		return with_rev;
	if (parse_tag(&tag, name) && !(lookup->skip_stored && tag.kind == 'i'))
		return find_tag(out, lookup, &commit, &tag, text, err);
	if (!with_rev)
		return find_named(out, lookup, text, err);
	return find_of_commit(
		out, lookup,
		&(struct pn_series_query){&commit, text,
					  (size_t)(name - 1 - text), name},
		err);
}
