/* Merging what was found. */
#include "jobs/profiles/unite.h"

#include "analysis/merge/merge.h"
#include "base/ahead.h"
#include "base/alloc.h"
#include "base/escape.h"
#include "codec/rows.h"
#include "jobs/profiles/pool.h"

#include <stdlib.h>
#include <string.h>

/* Profiles that are read, or wait to be merged, at a time. */
#define WINDOW 4

struct loaded {
	struct pn_profile profile;
	const char *format;
	struct pn_error err;
	int code;
};

/* What is merged, and what the formats of the inputs have in common. */
struct merging {
	const struct pn_lookup *lookup;
	const struct pn_found_list *found;
	struct loaded loaded[WINDOW]; /* found k at k % WINDOW */
	struct pn_merge *merge;
	const struct pn_codec *input;
	const struct pn_codec *format; /* of all so far; NULL: several */
	size_t dirty;
	const char *first_dirty;
};

static void load(struct merging *from, size_t number)
{
	struct loaded *to = &from->loaded[number % WINDOW];

	to->format = NULL;
	to->code = pn_pool_load(&to->profile, &to->format, from->lookup,
				&from->found->items[number], from->input,
				&to->err);
}

/* The repository is the main thread's. */
static bool is_stored(const struct merging *from, size_t number)
{
	return from->found->items[number].entry != NULL;
}

static void load_ahead(void *data, size_t number, size_t worker)
{
	struct merging *from = data;

	(void)worker;
	if (!is_stored(from, number))
		load(from, number);
}

static int add_one(struct merging *to, size_t number, struct pn_error *err)
{
	struct loaded *from = &to->loaded[number % WINDOW];
	const struct pn_codec *codec;
	int code;

	if (is_stored(to, number))
		load(to, number);
	if (from->code) {
		*err = from->err;
		return from->code;
	}
	code = pn_merge_add(to->merge, &from->profile, NULL, err);
	if (code)
		pn_error_context(err, "cannot merge '%s'",
				 to->found->items[number].name);
	codec = from->format ? pn_codec_find(from->format, NULL) : NULL;
	if (!number)
		to->format = codec;
	else if (to->format != codec)
		to->format = NULL;
	if (from->profile.header.dirty && !to->dirty++)
		to->first_dirty = to->found->items[number].name;
	pn_profile_release(&from->profile);
	return code;
}

static void fetch(const struct merging *to)
{
	const struct pn_found **all = pn_calloc(to->found->count, sizeof(*all));
	size_t i;

	for (i = 0; i < to->found->count; i++)
		all[i] = &to->found->items[i];
	pn_pool_fetch(to->lookup->repo, all, to->found->count);
	free(all);
}

static int add_all(struct merging *to, struct pn_error *err)
{
	struct pn_ahead_work work = {load_ahead, to, to->found->count, WINDOW,
				     WINDOW};
	struct pn_ahead *ahead;
	size_t i;
	int code = 0;

	fetch(to);
	ahead = pn_ahead_new(&work);
	while (!code && pn_ahead_next(&i, ahead))
		code = add_one(to, i, err);
	pn_ahead_free(ahead);
	for (i = 0; i < WINDOW; i++)
		pn_profile_release(&to->loaded[i].profile);
	return code;
}

/* Somebody asked for these by name: they are merged, not in silence. */
static void say_dirty(struct pn_buf *out, const struct merging *m)
{
	if (!m->dirty || m->dirty == m->found->count)
		return;
	pn_buf_printf(out, "%zu of the %zu profiles, ", m->dirty,
		      m->found->count);
	if (m->dirty > 1)
		pn_buf_add_text(out, "the first of them ");
	pn_buf_add_byte(out, '\'');
	pn_escape_terminal(out, m->first_dirty, strlen(m->first_dirty));
	pn_buf_printf(out,
		      "', %s measured in a dirty tree: what is made of "
		      "all is no figure of a commit\n",
		      m->dirty > 1 ? "were" : "was");
}

int pn_unite_found(struct pn_profile *out, const struct pn_codec **format,
		   struct pn_buf *said, const struct pn_lookup *lookup,
		   const struct pn_found_list *found,
		   const struct pn_codec *input, struct pn_error *err)
{
	struct merging to = {.lookup = lookup, .found = found, .input = input};
	int code;

	to.merge = pn_merge_new();
	code = add_all(&to, err);
	*format = to.format;
	if (!code)
		say_dirty(said, &to);
	pn_merge_end(out, to.merge);
	return code;
}

const struct pn_codec *pn_unite_codec(const struct pn_codec *format,
				      const struct pn_profile *merged)
{
	if (merged->sample_count)
		return &pn_codec_pprof;
	if (!merged->graph.node_count)
		return &pn_codec_body;
	return format && format->write ? format : &pn_codec_callgrind;
}
