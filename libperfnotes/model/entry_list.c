/* The lines of a note: each parsed, then those that are alive. */
#include "base/alloc.h"
#include "model/entry_again.h"

#include <stdlib.h>
#include <string.h>

static int by_time_desc(const void *a, const void *b)
{
	const struct pn_entry *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? 1 : -1;
	return strcmp(y->id, x->id);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

struct targets {
	char (*ids)[PN_ENTRY_ID_HEX + 1]; /* sorted */
	size_t count;
};

static bool names(const struct targets *t, const char *id)
{
	return t->count &&
	       bsearch(id, t->ids, t->count, sizeof(*t->ids), by_text) != NULL;
}

/* What tombstones name; of which records figures alone stay. */
static void find_targets(struct targets *dead, struct targets *bare,
			 const struct pn_entry *all, size_t n)
{
	const char *id;
	size_t i;

	for (i = 0; i < n; i++) {
		if (all[i].kind == PN_ENTRY_DEL) {
			if (!dead->ids)
				dead->ids = pn_malloc(n * sizeof(*dead->ids));
			memcpy(dead->ids[dead->count++], all[i].target,
			       sizeof(*dead->ids));
			continue;
		}
		id = pn_entry_bared(&all[i]);
		if (!id)
			continue;
		if (!bare->ids)
			bare->ids = pn_malloc(n * sizeof(*bare->ids));
		memcpy(bare->ids[bare->count++], id, sizeof(*bare->ids));
	}
	if (dead->count)
		qsort(dead->ids, dead->count, sizeof(*dead->ids), by_text);
	if (bare->count)
		qsort(bare->ids, bare->count, sizeof(*bare->ids), by_text);
}

/* Takes out tombstones, what they name, and repeated ids; and the bodies of
 * which figures alone stay. */
static size_t keep_live(struct pn_entry *all, size_t n)
{
	struct targets dead = {0}, bare = {0};
	size_t i, kept = 0;

	find_targets(&dead, &bare, all, n);
	for (i = 0; i < n; i++) {
		if (all[i].kind == PN_ENTRY_DEL || names(&dead, all[i].id))
			continue;
		/* sorted by time and id: equal ones are neighbours */
		if (kept && !strcmp(all[kept - 1].id, all[i].id))
			continue;
		all[kept] = all[i];
		if (names(&bare, all[kept].id) &&
		    pn_entry_has_figures(&all[kept]))
			all[kept].has_body = false;
		kept++;
	}
	free(dead.ids);
	free(bare.ids);
	return kept;
}

bool pn_note_line(const char **line, size_t *len, const char **at,
		  const char *end)
{
	const char *stop;

	while (*at < end) {
		stop = memchr(*at, '\n', (size_t)(end - *at));
		if (!stop)
			stop = end;
		*line = *at;
		*len = (size_t)(stop - *at);
		*at = stop < end ? stop + 1 : end;
		if (*len)
			return true;
	}
	return false;
}

typedef int parse_line(struct pn_entry *out, struct pn_arena *arena,
		       const char *line, size_t len, struct pn_error *err);

/* Every well-formed line, in the order of the text. */
static struct pn_entry *parse_all(size_t *count, size_t *ignored,
				  struct pn_arena *arena, const char *text,
				  size_t len, parse_line *parse)
{
	const char *at = text, *end = text + len, *line;
	struct pn_entry *all = NULL;
	size_t n = 0, cap = 0, bad = 0, line_len;

	while (pn_note_line(&line, &line_len, &at, end)) {
		all = pn_grow(all, &cap, n + 1, sizeof(*all));
		if (parse(&all[n], arena, line, line_len, NULL))
			bad++;
		else
			n++;
	}
	*count = n;
	if (ignored)
		*ignored = bad;
	return all;
}

static const struct pn_entry *to_arena(struct pn_arena *arena,
				       struct pn_entry *all, size_t n)
{
	struct pn_entry *copy = pn_arena_alloc(arena, n * sizeof(*copy));

	if (n)
		memcpy(copy, all, n * sizeof(*copy));
	free(all);
	return copy;
}

void pn_entries_parse_all(const struct pn_entry **out, size_t *count,
			  struct pn_arena *arena, const char *text, size_t len)
{
	struct pn_entry *all =
		parse_all(count, NULL, arena, text, len, pn_entry_parse);

	*out = to_arena(arena, all, *count);
}

static void parse_live(const struct pn_entry **out, size_t *count,
		       size_t *ignored, struct pn_arena *arena,
		       const char *text, size_t len, parse_line *parse)
{
	struct pn_entry *all =
		parse_all(count, ignored, arena, text, len, parse);

	if (*count > 1)
		qsort(all, *count, sizeof(*all), by_time_desc);
	*count = keep_live(all, *count);
	*out = to_arena(arena, all, *count);
}

void pn_entries_parse(const struct pn_entry **out, size_t *count,
		      size_t *ignored, struct pn_arena *arena, const char *text,
		      size_t len)
{
	parse_live(out, count, ignored, arena, text, len, pn_entry_parse);
}

void pn_entries_parse_again(const struct pn_entry **out, size_t *count,
			    struct pn_arena *arena, const char *text,
			    size_t len)
{
	parse_live(out, count, NULL, arena, text, len, pn_entry_parse_again);
}
