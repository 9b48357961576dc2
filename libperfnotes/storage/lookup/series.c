/* Names to series. */
#include "storage/lookup/series.h"

#include "base/alloc.h"
#include "base/text/similar.h"
#include "storage/lookup/records.h"
#include "storage/store.h"

#include <stdlib.h>
#include <string.h>

#define SERIES_SHOWN 8 /* of those that fit */

/* The series of a commit, and which of them are meant. */
struct choice {
	struct pn_arena arena;
	const struct pn_series_query *query;
	const struct pn_series_records *all;
	size_t count;
	const struct pn_series_records **fitting;
	size_t fitting_count;
};

static void release(struct choice *c)
{
	free(c->fitting);
	pn_arena_release(&c->arena);
}

/* Those that `name` fits best; "" fits all. */
static void choose(struct choice *c, const char *name)
{
	enum pn_series_fit best = PN_SERIES_RUN, fit;
	size_t i;

	c->fitting_count = 0;
	for (i = 0; i < c->count; i++) {
		fit = *name ? pn_series_fits(&c->all[i].series, name) : best;
		if (fit < best)
			continue;
		if (fit > best)
			c->fitting_count = 0;
		best = fit;
		c->fitting[c->fitting_count++] = &c->all[i];
	}
}

/* Records go to `arena`, which is the list's when they are to stay. */
static int read_choice(struct choice *c, struct pn_arena *arena,
		       const struct pn_lookup *lookup,
		       const struct pn_series_query *query,
		       struct pn_error *err)
{
	int code = pn_lookup_read_series(&c->all, &c->count, arena, lookup,
					 query->commit, err);

	if (code)
		return code;
	c->query = query;
	c->fitting = pn_calloc(c->count + 1, sizeof(*c->fitting));
	choose(c, query->name);
	return 0;
}

static struct pn_series *all_of(const struct choice *c)
{
	struct pn_series *series = pn_calloc(c->count + 1, sizeof(*series));
	size_t i;

	for (i = 0; i < c->count; i++)
		series[i] = c->all[i].series;
	return series;
}

/* What one types for a series. */
static void add_typed(struct pn_buf *out, const struct choice *c,
		      const struct pn_series *series,
		      const struct pn_series *all)
{
	struct pn_series_parts parts = pn_series_tell(series, all, c->count);

	pn_series_typed(out, c->query->text, c->query->rev_len, series, &parts);
}

/* Whether its name is what was asked for, which fits others, too. */
static bool is_asked(const struct choice *c, const struct pn_series *series,
		     const struct pn_series *all)
{
	struct pn_series_parts parts = pn_series_tell(series, all, c->count);
	struct pn_buf name = {0};
	bool same;

	pn_series_text(&name, series, &parts);
	same = !strcmp(pn_buf_text(&name), c->query->name);
	pn_buf_release(&name);
	return same;
}

static void list_fitting(struct pn_buf *out, const struct choice *c)
{
	struct pn_series *all = all_of(c);
	size_t i;

	for (i = 0; i < c->fitting_count && i < SERIES_SHOWN; i++) {
		const struct pn_series_records *one = c->fitting[i];

		pn_buf_add_text(out, i ? ", " : "");
		if (c->fitting_count < 2 || !is_asked(c, &one->series, all))
			add_typed(out, c, &one->series, all);
		else /* beside one that has a machine */
			pn_buf_printf(
				out, "%.*s:%s%s", (int)c->query->rev_len,
				c->query->text, one->entries[0]->id,
				*one->series.machine ? "" : " (of no machine)");
	}
	if (i < c->fitting_count)
		pn_buf_printf(out, " and %zu more", c->fitting_count - i);
	free(all);
}

static void append(struct pn_found_list *list, const struct choice *c,
		   const struct pn_series_records *records)
{
	struct pn_found *found;
	struct pn_series *all = all_of(c);
	struct pn_buf name = {0};

	add_typed(&name, c, &records->series, all);
	list->items = pn_grow(list->items, &list->cap, list->count + 1,
			      sizeof(*list->items));
	found = &list->items[list->count++];
	*found = (struct pn_found){.kind = PN_FOUND_SERIES,
				   .name = pn_arena_copy(&list->arena,
							 pn_buf_text(&name),
							 name.len),
				   .commit = *c->query->commit,
				   .entry = records->entries[0],
				   .records = records};
	pn_buf_release(&name);
	free(all);
}

static int refuse_several(const struct choice *c, struct pn_error *err)
{
	const char *verb = *c->query->name ? "fits" : "has";
	struct pn_buf list = {0};

	list_fitting(&list, c);
	pn_error_set(err, PN_EAMBIGUOUS, "'%s' %s %zu series, type one of: %s",
		     c->query->text, verb, c->fitting_count,
		     pn_buf_text(&list));
	pn_buf_release(&list);
	return PN_EAMBIGUOUS;
}

int pn_lookup_series(struct pn_found_list *out, const struct pn_lookup *lookup,
		     const struct pn_series_query *query, struct pn_error *err)
{
	struct choice c = {0};
	int code = read_choice(&c, &out->arena, lookup, query, err);
	size_t i;

	if (!code && c.fitting_count > 1 && !lookup->several)
		code = refuse_several(&c, err);
	for (i = 0; !code && i < c.fitting_count; i++)
		append(out, &c, c.fitting[i]);
	if (!code)
		code = c.fitting_count > 0;
	release(&c);
	return code;
}

/* "the collector is missing behind 'fib/'": the part that a name ends before;
 * NULL when it does not end so. `known` is the name up to there. */
static const char *missing_part(char **known, const char *name)
{
	size_t len = strlen(name);
	const char *part;

	if (!len)
		part = "the name of a series";
	else if (name[len - 1] == '@')
		part = "a workload";
	else if (name[len - 1] != '/')
		return NULL;
	else
		part = memchr(name, '/', len - 1) ? "a machine" : "a collector";
	while (len && (name[len - 1] == '/' || name[len - 1] == '@'))
		len--;
	*known = pn_strndup(name, len);
	return part;
}

/* What a dirty tree showed is of no series: it goes by its id. */
static const char *find_dirty(struct pn_arena *arena,
			      const struct pn_lookup *lookup,
			      const struct pn_series_query *query)
{
	const struct pn_entry *entries = NULL;
	struct pn_series series;
	size_t i, count = 0;

	if (pn_store_entries(&entries, &count, NULL, arena, lookup->notes,
			     query->commit, NULL))
		return NULL;
	for (i = 0; i < count; i++) {
		series = pn_series_of(&entries[i]);
		if (*pn_entry_field(&entries[i], "dirty") &&
		    (!*query->name || pn_series_fits(&series, query->name)))
			return entries[i].id;
	}
	return NULL;
}

static int refuse(struct choice *c, const struct pn_lookup *lookup,
		  struct pn_error *err)
{
	const struct pn_series_query *q = c->query;
	char hex[PN_OID_HEX + 1], *known = NULL;
	const char *part = missing_part(&known, q->name);
	const char *dirty = find_dirty(&c->arena, lookup, q);
	struct pn_buf list = {0};

	pn_oid_hex(hex, q->commit);
	choose(c, known ? known : "");
	if (!c->fitting_count)
		choose(c, "");
	list_fitting(&list, c);
	if (!part && dirty)
		pn_error_set(err, PN_ENOTFOUND,
			     "no series '%s' at commit %.10s: it was measured "
			     "in a dirty tree only, which %s shows",
			     q->name, hex, dirty);
	else if (!c->count && !*q->name)
		pn_error_set(err, PN_ENOTFOUND, "'%s' has no profiles%s%s",
			     q->text, dirty ? " but of a dirty tree, as " : "",
			     dirty ? dirty : "");
	else if (!c->count)
		pn_error_set(err, PN_ENOTFOUND,
			     "no profile '%s' in the list of commit %.10s, "
			     "which has no series%s%s",
			     q->name, hex,
			     dirty ? ": all is of a dirty tree, as " : "",
			     dirty ? dirty : "");
	else if (part)
		pn_error_set(err, PN_ENOTFOUND,
			     "%s is missing behind '%s', type one of: %s", part,
			     q->text, pn_buf_text(&list));
	else {
		pn_similar_say(&list, q->text, strlen(q->text));
		pn_error_set(err, PN_ENOTFOUND,
			     "no profile '%s' in the list of commit %.10s, its "
			     "series are: %s",
			     q->name, hex, pn_buf_text(&list));
	}
	pn_buf_release(&list);
	free(known);
	return PN_ENOTFOUND;
}

int pn_lookup_refuse(const struct pn_lookup *lookup,
		     const struct pn_series_query *query, struct pn_error *err)
{
	struct choice c = {0};
	int code = read_choice(&c, &c.arena, lookup, query, err);

	if (!code)
		code = refuse(&c, lookup, err);
	release(&c);
	return code;
}
