/* The index of a Perun store: reading and writing its four layouts. */
#include "perun/index.h"

#include "base/bytes.h"

#include <stdlib.h>
#include <string.h>

#define HEAD_BYTES 12
#define ENTRY_MIN_BYTES (4 + PN_OID_BYTES + 2) /* a name of one letter */
#define MAX_TEXTS 6

static const struct {
	const char *name, *readers;
	uint32_t version;
	size_t count;
	enum pn_perun_text texts[MAX_TEXTS];
} layouts[PN_PERUN_LAYOUTS] = {
	[PN_PERUN_V1] = {"v1", "Perun up to 0.16.5", 1, 0, {PN_PERUN_TYPE}},
	[PN_PERUN_V2A] = {"v2a",
			  "Perun 0.16.6 to 0.21.8",
			  2,
			  6,
			  {PN_PERUN_TYPE, PN_PERUN_CMD, PN_PERUN_ARGS,
			   PN_PERUN_WORKLOAD, PN_PERUN_COLLECTOR,
			   PN_PERUN_POSTS}},
	[PN_PERUN_V2B] = {"v2b",
			  "Perun after 0.21.8, up to 0.23.7",
			  2,
			  5,
			  {PN_PERUN_TYPE, PN_PERUN_CMD, PN_PERUN_WORKLOAD,
			   PN_PERUN_COLLECTOR, PN_PERUN_POSTS}},
	[PN_PERUN_V2C] = {"v2c",
			  "Perun 0.23.8 and later",
			  2,
			  6,
			  {PN_PERUN_TYPE, PN_PERUN_CMD, PN_PERUN_WORKLOAD,
			   PN_PERUN_LABEL, PN_PERUN_COLLECTOR, PN_PERUN_POSTS}},
};

struct cursor {
	const unsigned char *start, *at, *end;
};

const char *pn_perun_layout_name(enum pn_perun_layout layout)
{
	return layouts[layout].name;
}

void pn_perun_layout_names(struct pn_buf *out, const char *between)
{
	int i;

	for (i = 0; i < PN_PERUN_LAYOUTS; i++)
		pn_buf_printf(out, "%s%s", i ? between : "", layouts[i].name);
}

const char *pn_perun_layout_readers(enum pn_perun_layout layout)
{
	return layouts[layout].readers;
}

bool pn_perun_layout_find(enum pn_perun_layout *out, const char *name)
{
	int i;

	for (i = 0; i < PN_PERUN_LAYOUTS; i++)
		if (!strcmp(layouts[i].name, name)) {
			*out = (enum pn_perun_layout)i;
			return true;
		}
	return false;
}

bool pn_perun_index_is(const void *bytes, size_t len)
{
	return len >= 4 && !memcmp(bytes, "pidx", 4);
}

static int wrong(const struct cursor *c, const char *what, struct pn_error *err)
{
	return pn_error_set(err, PN_EINVAL, "byte %zu: %s",
			    (size_t)(c->at - c->start), what);
}

static int take_name(const char **out, struct cursor *c, struct pn_arena *arena,
		     struct pn_error *err)
{
	size_t left = (size_t)(c->end - c->at);
	const unsigned char *nul = memchr(c->at, '\0', left);
	size_t len;

	if (!nul)
		return wrong(c, "a name without an end", err);
	len = (size_t)(nul - c->at);
	if (!len)
		return wrong(c, "an empty name", err);
	if (len > PN_PERUN_NAME_MAX)
		return wrong(c, "a name of over 1024 bytes", err);
	*out = pn_arena_copy(arena, c->at, len);
	c->at = nul + 1;
	return 0;
}

static int take_text(const char **out, struct cursor *c, struct pn_arena *arena,
		     struct pn_error *err)
{
	uint32_t len;

	if (c->end - c->at < 4)
		return wrong(c, "need the length of a text", err);
	len = pn_bytes_four(c->at);
	if (len > (size_t)(c->end - c->at) - 4)
		return wrong(c, "a text goes beyond the end", err);
	c->at += 4;
	if (memchr(c->at, '\0', len))
		return wrong(c, "a text with a NUL in it", err);
	*out = len ? pn_arena_copy(arena, c->at, len) : "";
	c->at += len;
	return 0;
}

static int take_listing(struct pn_perun_listing *out, struct cursor *c,
			struct pn_arena *arena, enum pn_perun_layout layout,
			struct pn_error *err)
{
	size_t i;
	int code;

	if (c->end - c->at < ENTRY_MIN_BYTES)
		return wrong(c, "need an entry", err);
	for (i = 0; i < PN_PERUN_TEXTS; i++)
		out->texts[i] = "";
	out->time_s = pn_bytes_four(c->at);
	memcpy(out->object.bytes, c->at + 4, PN_OID_BYTES);
	c->at += 4 + PN_OID_BYTES;
	code = take_name(&out->name, c, arena, err);
	for (i = 0; !code && i < layouts[layout].count; i++)
		code = take_text(&out->texts[layouts[layout].texts[i]], c,
				 arena, err);
	return code;
}

static int parse_as(struct pn_perun_index *out, const unsigned char *bytes,
		    size_t len, size_t count, enum pn_perun_layout layout,
		    struct pn_error *err)
{
	struct pn_perun_index index = {.layout = layout};
	struct cursor c = {bytes, bytes + HEAD_BYTES, bytes + len};
	int code = 0;

	index.items =
		pn_arena_alloc(&index.arena, count * sizeof(*index.items));
	while (!code && index.count < count)
		code = take_listing(&index.items[index.count++], &c,
				    &index.arena, layout, err);
	if (!code && c.at != c.end)
		code = wrong(&c, "more bytes than the entries have", err);
	if (code) {
		pn_arena_release(&index.arena);
		return pn_error_context(err, "as %s", layouts[layout].name);
	}
	*out = index;
	return 0;
}

int pn_perun_index_parse(struct pn_perun_index *out, const void *bytes,
			 size_t len, struct pn_error *err)
{
	const unsigned char *at = bytes;
	uint32_t version, count;

	if (!pn_perun_index_is(bytes, len) || len < HEAD_BYTES)
		return pn_error_set(err, PN_EINVAL,
				    "no index: need 'pidx' and 8 more bytes");
	version = pn_bytes_four(at + 4);
	count = pn_bytes_four(at + 8);
	if (version != 1 && version != 2)
		return pn_error_set(err, PN_EINVAL,
				    "index version %u, need 1 or 2", version);
	if (count > (len - HEAD_BYTES) / ENTRY_MIN_BYTES)
		return pn_error_set(err, PN_EINVAL,
				    "%u entries cannot be in %zu bytes", count,
				    len);
	if (count > PN_PERUN_INDEX_ENTRIES)
		return pn_error_set(err, PN_ELIMIT,
				    "%u entries, at most %d are read", count,
				    PN_PERUN_INDEX_ENTRIES);
	if (version == 1)
		return parse_as(out, at, len, count, PN_PERUN_V1, err);
	if (!parse_as(out, at, len, count, PN_PERUN_V2C, NULL) ||
	    !parse_as(out, at, len, count, PN_PERUN_V2B, NULL))
		return 0;
	return pn_error_set(err, PN_EINVAL,
			    "%u entries are neither of five texts nor of six "
			    "each",
			    count);
}

void pn_perun_index_release(struct pn_perun_index *index)
{
	if (!index)
		return;
	pn_arena_release(&index->arena);
	memset(index, 0, sizeof(*index));
}

void pn_perun_listing_settle(struct pn_perun_listing *listing,
			     const char *workload)
{
	const char **texts = listing->texts;

	if (!strcmp(texts[PN_PERUN_WORKLOAD], workload) ||
	    strcmp(texts[PN_PERUN_LABEL], workload) != 0)
		return;
	texts[PN_PERUN_ARGS] = texts[PN_PERUN_WORKLOAD];
	texts[PN_PERUN_WORKLOAD] = texts[PN_PERUN_LABEL];
	texts[PN_PERUN_LABEL] = "";
}

static int by_name(const void *a, const void *b)
{
	const struct pn_perun_listing *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (order)
		return order;
	if (x->time_s != y->time_s)
		return x->time_s < y->time_s ? -1 : 1;
	return pn_oid_cmp(&x->object, &y->object);
}

void pn_perun_listings_sort(struct pn_perun_listing *items, size_t count)
{
	if (count)
		qsort(items, count, sizeof(*items), by_name);
}

static void add_number(struct pn_buf *out, uint32_t value)
{
	int i;

	for (i = 0; i < 4; i++)
		pn_buf_add_byte(out, (unsigned char)(value >> 8 * i));
}

void pn_perun_index_write(struct pn_buf *out, enum pn_perun_layout layout,
			  const struct pn_perun_listing *items, size_t count)
{
	size_t i, k;

	pn_buf_add_text(out, "pidx");
	add_number(out, layouts[layout].version);
	add_number(out, (uint32_t)count);
	for (i = 0; i < count; i++) {
		add_number(out, items[i].time_s);
		pn_buf_add(out, items[i].object.bytes, PN_OID_BYTES);
		pn_buf_add(out, items[i].name, strlen(items[i].name) + 1);
		for (k = 0; k < layouts[layout].count; k++) {
			const char *text =
				items[i].texts[layouts[layout].texts[k]];

			add_number(out, (uint32_t)strlen(text));
			pn_buf_add_text(out, text);
		}
	}
}
