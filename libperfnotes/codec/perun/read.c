/*
 * Reading a Perun profile, whichever layout it has: the regions at the top.
 *
 * The input is kept as a whole until it is read, because the chunks region
 * may stand behind the resources that refer to it; then it is read twice.
 */
#include "codec/perun/perun.h"

#include "base/alloc.h"
#include "base/oid.h"
#include "codec/perun/read.h"

#include <stdlib.h>
#include <string.h>

/* What names of chunks may expand to, together. */
#define CHUNK_BUDGET_BASE (UINT64_C(64) << 20)
#define CHUNK_BUDGET_FACTOR 64
/* The whole text is kept; Perun's own largest have some 100 MB. */
#define MAX_BYTES (UINT64_C(1) << 30)

static void add_extra(struct pn_perun_reading *r, uint32_t key, uint32_t value)
{
	struct pn_header *header = &r->profile->header;

	header->extras =
		pn_grow(header->extras, &r->extra_cap, header->extra_count + 1,
			sizeof(*header->extras));
	header->extras[header->extra_count].key = key;
	header->extras[header->extra_count++].value = value;
}

static int read_origin(struct pn_perun_reading *r, enum pn_json_event first,
		       struct pn_error *err)
{
	struct pn_oid oid;
	const char *text = pn_json_text(r->json);
	size_t len = pn_json_len(r->json);
	int code;

	if (first != PN_JSON_STRING)
		return pn_perun_expected(r, "a string", first, err);
	if (len && (len != PN_OID_HEX || pn_oid_parse(&oid, text))) {
		code = pn_error_set(err, PN_EINVAL,
				    "expected %d hexadecimal digits",
				    PN_OID_HEX);
		return pn_perun_at_path(r, code, err);
	}
	r->profile->header.origin =
		pn_strtab_add(&r->profile->strings, text, len);
	return 0;
}

static int read_top_models(struct pn_perun_reading *r, enum pn_json_event first,
			   struct pn_error *err)
{
	r->has_models = true;
	return pn_perun_read_models(r, &r->models, first, err);
}

static int read_chunks(struct pn_perun_reading *r, enum pn_json_event first,
		       struct pn_error *err)
{
	int code;

	if (first != PN_JSON_OBJECT)
		return pn_perun_expected(r, "an object", first, err);
	if (r->has_chunks)
		return pn_json_skip(r->json, first, err);
	code = pn_perun_chunks_read(&r->chunks, r->json, err);
	if (code)
		return code;
	if (r->chunks.value.count) {
		r->has_chunks = true;
		r->again = true;
	} else {
		add_extra(r, pn_strtab_add_text(&r->profile->strings, "chunks"),
			  pn_strtab_add_text(&r->profile->strings, "{}"));
	}
	return 0;
}

static int read_other(struct pn_perun_reading *r, enum pn_json_event first,
		      struct pn_error *err)
{
	struct pn_json_tree *value = &r->traits.value;

	pn_json_tree_clear(value);
	return pn_json_tree_add(value, r->json, first, err);
}

/* Whether what a region says is written where it stood in the file. */
enum place { AT_TOP, IN_MODEL, IN_TEMPLATE, IN_TEXT };

struct region {
	const char *key;
	enum place place;
	int (*read)(struct pn_perun_reading *r, enum pn_json_event first,
		    struct pn_error *err);
};

static const struct region regions[] = {
	{"origin", AT_TOP, read_origin},
	{"header", IN_TEMPLATE, pn_perun_read_header},
	{"collector_info", IN_MODEL, pn_perun_read_collector},
	{"postprocessors", IN_MODEL, pn_perun_read_posts},
	{"snapshots", AT_TOP, pn_perun_read_snapshots},
	{"global", AT_TOP, pn_perun_read_global},
	{"resources", AT_TOP, pn_perun_read_resources},
	{"resource_type_map", AT_TOP, pn_perun_read_type_map},
	{"models", AT_TOP, read_top_models},
	{"chunks", AT_TOP, read_chunks},
};
static const struct region other = {NULL, IN_TEXT, read_other};

static const struct region *region_of(const char *key, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof(regions) / sizeof(*regions); i++)
		if (strlen(regions[i].key) == len &&
		    !memcmp(regions[i].key, key, len))
			return &regions[i];
	return &other;
}

static int read_region(struct pn_perun_reading *r, struct pn_error *err)
{
	size_t len = pn_json_len(r->json), known = r->regions.count;
	const struct region *region = region_of(pn_json_text(r->json), len);
	struct pn_strtab *strings = &r->profile->strings;
	uint32_t key = pn_perun_key(r);
	enum pn_json_event event;
	int code;

	/* with its NUL, so that an empty key counts, too */
	pn_strtab_add(&r->regions, pn_json_text(r->json), len + 1);
	if (r->regions.count == known)
		return pn_error_set(err, PN_EINVAL, "'%.200s' stands twice",
				    pn_json_text(r->json));
	code = pn_json_next(&event, r->json, err);
	if (!code)
		code = region->read(r, event, err);
	if (code)
		return code;
	if (region->place == IN_MODEL)
		add_extra(r, key, 0);
	else if (region->place == IN_TEMPLATE)
		add_extra(r, key,
			  pn_strtab_add(strings, pn_buf_text(&r->scratch),
					r->scratch.len));
	else if (region->place == IN_TEXT)
		add_extra(r, key, pn_perun_taken_text(r));
	return 0;
}

static int read_regions(struct pn_perun_reading *r, struct pn_error *err)
{
	enum pn_json_event event;
	int code = pn_perun_want(r, PN_JSON_OBJECT, err);

	while (!code) {
		code = pn_json_next(&event, r->json, err);
		if (code)
			return code;
		if (event == PN_JSON_OBJECT_END)
			return pn_perun_want(r, PN_JSON_END, err);
		code = read_region(r, err);
		if (r->again)
			return code;
	}
	return code;
}

/* Perun's order: models of `global`, unless there are some at the top. */
static void join_models(struct pn_perun_reading *r)
{
	struct pn_header *header = &r->profile->header;
	struct pn_perun_ids *first =
		r->has_models ? &r->models : &r->global_models;
	size_t i;

	if (r->has_models && r->global_models.count)
		r->profile->complete = false;
	for (i = 0; i < r->snapshot_models.count; i++)
		pn_perun_ids_add(first, r->snapshot_models.items[i]);
	header->models = first->items;
	header->model_count = first->count;
	memset(first, 0, sizeof(*first));
}

static int finish(struct pn_perun_reading *r, struct pn_error *err)
{
	struct pn_perun_amounts amounts;
	int code;

	if (!r->has_header)
		return pn_error_set(err, PN_EINVAL, "missing 'header'");
	if (!r->has_resources)
		return pn_error_set(err, PN_EINVAL,
				    "missing 'resources' (or 'snapshots', "
				    "'global')");
	code = pn_perun_join_groups(r, err);
	if (code)
		return code;
	join_models(r);
	code = pn_perun_amounts_find(&amounts, &r->build, &r->units, err);
	if (code)
		return code;
	code = pn_perun_build_finish(&r->build, &amounts, err);
	pn_perun_amounts_release(&amounts);
	if (!code)
		pn_perun_snapshots(r->profile);
	return code;
}

static void release(struct pn_perun_reading *r)
{
	pn_perun_build_release(&r->build);
	pn_perun_traits_release(&r->traits);
	pn_strtab_release(&r->regions);
	pn_strtab_release(&r->group_names);
	pn_buf_release(&r->scratch);
	free(r->groups);
	free(r->units.items);
	free(r->models.items);
	free(r->global_models.items);
	free(r->snapshot_models.items);
}

/* One time through; *chunks goes in and, when they were found late, out. */
static int read_once(bool *again, struct pn_profile *out,
		     struct pn_perun_chunks *chunks, struct pn_buf *bytes,
		     struct pn_error *err)
{
	struct pn_perun_reading r = {.profile = out};
	struct pn_reader *reader = NULL;
	int code = pn_reader_memory(&reader, bytes->data, bytes->len, "profile",
				    UINT64_MAX, err);

	if (code)
		return code;
	r.chunks = *chunks;
	r.chunks.budget =
		CHUNK_BUDGET_BASE + (uint64_t)bytes->len * CHUNK_BUDGET_FACTOR;
	r.has_chunks = r.chunks.value.count > 0;
	out->complete = !r.has_chunks;
	pn_perun_build_init(&r.build, out, bytes->len);
	r.json = pn_json_new(reader);
	code = read_regions(&r, err);
	pn_json_free(r.json);
	pn_reader_free(reader);
	if (!code && !r.again) {
		pn_buf_release(bytes);
		code = finish(&r, err);
	}
	*again = r.again;
	*chunks = r.chunks;
	release(&r);
	return code;
}

/*
 * A string in place of something else is an error, unless it names a chunk
 * that stands further behind: look for that only then.
 */
static void find_chunks(struct pn_perun_chunks *out, const struct pn_buf *bytes)
{
	struct pn_reader *reader = NULL;
	enum pn_json_event event;
	struct pn_json *json;
	struct pn_error err;
	bool wanted;
	int code = pn_reader_memory(&reader, bytes->data, bytes->len, "profile",
				    UINT64_MAX, &err);

	if (code)
		return;
	json = pn_json_new(reader);
	code = pn_json_expect(json, PN_JSON_OBJECT, &err);
	while (!code && !pn_json_next(&event, json, &err) &&
	       event == PN_JSON_KEY) {
		wanted = !strcmp(pn_json_text(json), "chunks");
		code = pn_json_next(&event, json, &err);
		if (code)
			break;
		if (wanted && event == PN_JSON_OBJECT) {
			if (pn_perun_chunks_read(out, json, &err))
				pn_perun_chunks_release(out);
			break;
		}
		code = pn_json_skip(json, event, &err);
	}
	pn_json_free(json);
	pn_reader_free(reader);
}

int pn_perun_read(struct pn_profile *out, struct pn_reader *in,
		  struct pn_error *err)
{
	struct pn_perun_chunks chunks = {.budget = 0};
	struct pn_buf bytes = {0};
	bool again = false;
	int code = pn_reader_rest(&bytes, in, MAX_BYTES, err);

	if (!code) {
		code = read_once(&again, out, &chunks, &bytes, err);
		if (code && !chunks.value.count && bytes.len) {
			find_chunks(&chunks, &bytes);
			again = chunks.value.count > 0;
		}
	}
	if (again) {
		pn_profile_release(out);
		pn_profile_init(out);
		code = read_once(&again, out, &chunks, &bytes, err);
	}
	if (code)
		pn_profile_release(out);
	pn_perun_chunks_release(&chunks);
	pn_buf_release(&bytes);
	return code;
}
