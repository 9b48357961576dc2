/*
 * Resources of a Perun profile that stand as objects in a list: `snapshots`,
 * `global` and the list layout of `resources`. They are converted as Perun
 * does on loading (profile/factory.py): global adds `time`, snapshots add
 * `snapshot` and `time` to what a resource says of itself.
 */
#include "codec/perun/read.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define NO_TIME "0.0" /* of a snapshot or global region without one */

/* What a list adds to its resources. */
struct around {
	struct pn_label labels[2]; /* time, snapshot */
	size_t count;
	size_t first_row;
};

static bool key_is(const struct pn_perun_reading *r, const char *key)
{
	return pn_json_len(r->json) == strlen(key) &&
	       !memcmp(pn_json_text(r->json), key, strlen(key));
}

static int read_member(struct pn_perun_reading *r, struct pn_error *err)
{
	bool collectable = pn_perun_is_collectable(pn_json_text(r->json),
						   pn_json_len(r->json));
	uint32_t key = pn_perun_key(r);
	struct pn_perun_cell cell;
	enum pn_json_event event;
	int code = pn_json_next(&event, r->json, err);

	if (code)
		return code;
	if (collectable) {
		code = pn_perun_read_number(&cell, r, key, event, err);
		if (code)
			return code;
		code = pn_perun_row_add(&r->build, &cell, err);
		return code ? pn_perun_at_path(r, code, err) : 0;
	}
	code = pn_perun_take(r, event, err);
	if (code)
		return code;
	code = pn_perun_traits_add(&r->build, &r->traits, key, err);
	return code ? pn_perun_at_path(r, code, err) : 0;
}

static int read_resource(struct pn_perun_reading *r, void *to,
			 struct pn_error *err)
{
	const struct around *around = to;
	enum pn_json_event event;
	struct pn_sample sample;
	size_t i;
	int code;

	pn_perun_traits_clear(&r->traits);
	pn_perun_row_begin(&r->build);
	for (;;) {
		code = pn_json_next(&event, r->json, err);
		if (code)
			return code;
		if (event == PN_JSON_OBJECT_END)
			break;
		code = read_member(r, err);
		if (code)
			return code;
	}
	for (i = 0; i < around->count; i++)
		pn_perun_traits_add_label(&r->build, &r->traits,
					  &around->labels[i]);
	code = pn_perun_traits_finish(&sample, &r->build, &r->traits, err);
	if (!code)
		code = pn_perun_row_end(&r->build, &sample, err);
	return code ? pn_perun_at_path(r, code, err) : 0;
}

/* The time may stand behind the resources that it belongs to. */
static int read_time(struct pn_perun_reading *r, struct around *around,
		     struct pn_error *err)
{
	enum pn_json_event event;
	size_t i;
	int code = pn_json_next(&event, r->json, err);

	if (!code)
		code = pn_perun_take(r, event, err);
	if (code)
		return code;
	pn_perun_label_set(&around->labels[0], &r->build, &r->traits.value);
	for (i = around->first_row; i < r->build.row_count; i++) {
		struct pn_sample *row = &r->build.rows[i];

		row->labels = pn_perun_build_relabel(&r->build, row->labels,
						     &around->labels[0]);
	}
	return 0;
}

static int skip_member(struct pn_perun_reading *r, struct pn_error *err)
{
	enum pn_json_event event;
	int code = pn_json_next(&event, r->json, err);

	r->profile->complete = false;
	return code ? code : pn_json_skip(r->json, event, err);
}

static int read_nested_list(struct pn_perun_reading *r, struct around *around,
			    struct pn_error *err)
{
	int code = pn_perun_want(r, PN_JSON_ARRAY, err);

	return code ? code
		    : pn_perun_read_objects(r, read_resource, around, err);
}

static int read_nested_models(struct pn_perun_reading *r,
			      struct pn_perun_ids *models, struct pn_error *err)
{
	size_t had = models->count;
	int code = pn_perun_want(r, PN_JSON_ARRAY, err);

	if (!code)
		code = pn_perun_read_models(r, models, PN_JSON_ARRAY, err);
	/* that they stood in a snapshot is not kept */
	if (models == &r->snapshot_models && models->count > had)
		r->profile->complete = false;
	return code;
}

/* {"time": t, "resources": [...], "models": [...]}, behind its {. */
static int read_timed(struct pn_perun_reading *r, struct around *around,
		      struct pn_perun_ids *models, bool may_be_empty,
		      struct pn_error *err)
{
	struct pn_strtab *strings = &r->profile->strings;
	bool has_resources = false, empty = true;
	enum pn_json_event event;
	int code;

	around->labels[0] = (struct pn_label){.kind = PN_LABEL_STRING};
	around->labels[0].key = pn_strtab_add_text(strings, "time");
	around->labels[0].value.s = pn_strtab_add_text(strings, NO_TIME);
	around->first_row = r->build.row_count;
	for (;; empty = false) {
		code = pn_json_next(&event, r->json, err);
		if (code)
			return code;
		if (event == PN_JSON_OBJECT_END)
			break;
		if (key_is(r, "time")) {
			code = read_time(r, around, err);
		} else if (key_is(r, "resources")) {
			has_resources = true;
			code = read_nested_list(r, around, err);
		} else if (key_is(r, "models")) {
			code = read_nested_models(r, models, err);
		} else {
			code = skip_member(r, err);
		}
		if (code)
			return code;
	}
	if (has_resources && around->first_row == r->build.row_count)
		r->profile->complete = false; /* its time stands nowhere */
	if (has_resources || (empty && may_be_empty))
		return 0;
	code = pn_error_set(err, PN_EINVAL, "missing 'resources'");
	return pn_perun_at_path(r, code, err);
}

int pn_perun_read_snapshots(struct pn_perun_reading *r,
			    enum pn_json_event first, struct pn_error *err)
{
	struct pn_strtab *strings = &r->profile->strings;
	struct around around = {.count = 2};
	enum pn_json_event event;
	int64_t number;
	int code;

	if (first != PN_JSON_ARRAY)
		return pn_perun_expected(r, "an array", first, err);
	r->has_resources = true;
	for (number = 0;; number++) {
		code = pn_json_next(&event, r->json, err);
		if (code || event == PN_JSON_ARRAY_END)
			return code;
		if (event != PN_JSON_OBJECT)
			return pn_perun_expected(r, "an object", event, err);
		around.labels[1] = (struct pn_label){.kind = PN_LABEL_INT};
		around.labels[1].key = pn_strtab_add_text(strings, "snapshot");
		around.labels[1].value.i = number;
		code = read_timed(r, &around, &r->snapshot_models, false, err);
		if (code)
			return code;
	}
}

int pn_perun_read_global(struct pn_perun_reading *r, enum pn_json_event first,
			 struct pn_error *err)
{
	struct around timed = {.count = 1}, plain = {.count = 0};

	r->has_resources = true;
	if (first == PN_JSON_OBJECT)
		return read_timed(r, &timed, &r->global_models, true, err);
	if (first == PN_JSON_ARRAY)
		return pn_perun_read_objects(r, read_resource, &plain, err);
	return pn_perun_expected(r, "an object or an array", first, err);
}

int pn_perun_read_resources(struct pn_perun_reading *r,
			    enum pn_json_event first, struct pn_error *err)
{
	struct around plain = {.count = 0};

	r->has_resources = true;
	if (first == PN_JSON_OBJECT)
		return pn_perun_read_columns(r, err);
	if (first == PN_JSON_ARRAY)
		return pn_perun_read_objects(r, read_resource, &plain, err);
	return pn_perun_expected(r, "an object or an array", first, err);
}
