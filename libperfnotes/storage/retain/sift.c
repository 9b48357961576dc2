/* Which lines nobody needs any more. */
#include "storage/retain/sift.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static int by_id(const void *a, const void *b)
{
	const struct pn_sift_target *x = a, *y = b;
	int order = strcmp(x->id, y->id);

	return order ? order : strcmp(y->from, x->from); /* told ones first */
}

static int by_id_alone(const void *a, const void *b)
{
	const struct pn_sift_target *x = a, *y = b;

	return strcmp(x->id, y->id);
}

void pn_sift_learn(struct pn_sift *sift, const struct pn_buf *text)
{
	const struct pn_entry *all;
	const char *from;
	size_t i, count, kept = 0;

	if (!strstr(pn_buf_text(text), " del ")) /* a word of its own */
		return;
	pn_entries_parse_all(&all, &count, &sift->arena, pn_buf_text(text),
			     text->len);
	for (i = 0; i < count; i++) {
		struct pn_sift_target *t;

		if (all[i].kind != PN_ENTRY_DEL)
			continue;
		sift->targets = pn_grow(sift->targets, &sift->cap,
					sift->count + 1, sizeof(*t));
		t = &sift->targets[sift->count++];
		memset(t, 0, sizeof(*t));
		memcpy(t->id, all[i].target, sizeof(t->id));
		from = pn_entry_field(&all[i], "from");
		if (strlen(from) == PN_ENTRY_ID_HEX)
			memcpy(t->from, from, sizeof(t->from));
	}
	qsort(sift->targets, sift->count, sizeof(*sift->targets), by_id);
	for (i = 0; i < sift->count; i++) /* each once */
		if (!kept ||
		    strcmp(sift->targets[kept - 1].id, sift->targets[i].id))
			sift->targets[kept++] = sift->targets[i];
	sift->count = kept;
}

static const struct pn_sift_target *find(const struct pn_sift *sift,
					 const char *id)
{
	struct pn_sift_target key = {{0}, {0}};

	memcpy(key.id, id, sizeof(key.id));
	return sift->count ? bsearch(&key, sift->targets, sift->count,
				     sizeof(key), by_id_alone)
			   : NULL;
}

bool pn_sift_keeps(struct pn_sift *sift, const char *line, size_t len)
{
	const struct pn_sift_target *dead;
	struct pn_entry entry = {0};

	if (!sift->count ||
	    pn_entry_parse(&entry, &sift->arena, line, len, NULL) ||
	    entry.kind == PN_ENTRY_DEL)
		return true;
	if (pn_entry_bared(&entry))
		return !find(sift, pn_entry_bared(&entry));
	dead = find(sift, entry.id);
	return dead && *pn_entry_field(&entry, "from") ? !*dead->from : !dead;
}

void pn_sift_release(struct pn_sift *sift)
{
	pn_arena_release(&sift->arena);
	free(sift->targets);
	memset(sift, 0, sizeof(*sift));
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void pn_sift_dead_bodies(struct pn_buf *out, const char *text, size_t len)
{
	const struct pn_entry *all;
	struct pn_arena arena = {0};
	const char **targets;
	size_t i, count = 0, n = 0;

	if (!strstr(text, " del ") &&
	    !strstr(text, " " PN_ENTRY_KIND_FIGURES " "))
		return;
	pn_entries_parse_all(&all, &count, &arena, text, len);
	targets = pn_arena_array(&arena, count + 1, sizeof(*targets));
	for (i = 0; i < count; i++)
		if (all[i].kind == PN_ENTRY_DEL)
			targets[n++] = all[i].target;
		else if (pn_entry_bared(&all[i]))
			targets[n++] = pn_entry_bared(&all[i]);
	qsort(targets, n, sizeof(*targets), by_text);
	for (i = 0; i < count; i++) {
		const char *id = all[i].id;

		if (all[i].has_body &&
		    bsearch(&id, targets, n, sizeof(*targets), by_text))
			pn_buf_add(out, all[i].body.bytes, PN_OID_BYTES);
	}
	pn_arena_release(&arena);
}
