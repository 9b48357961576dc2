/* Values and messages, as all regions need them. */
#include "base/alloc.h"
#include "codec/perun/read.h"

int pn_perun_at_path(struct pn_perun_reading *r, int code, struct pn_error *err)
{
	struct pn_buf path = {0};

	pn_json_path(&path, r->json);
	if (path.len)
		pn_error_context(err, "%.300s", pn_buf_text(&path));
	pn_buf_release(&path);
	return code;
}

int pn_perun_expected(struct pn_perun_reading *r, const char *what,
		      enum pn_json_event have, struct pn_error *err)
{
	int code = pn_error_set(err, PN_EINVAL, "expected %s, have %s", what,
				pn_json_event_name(have));

	return pn_perun_at_path(r, code, err);
}

int pn_perun_want(struct pn_perun_reading *r, enum pn_json_event want,
		  struct pn_error *err)
{
	return pn_json_expect(r->json, want, err);
}

int pn_perun_take(struct pn_perun_reading *r, enum pn_json_event first,
		  struct pn_error *err)
{
	struct pn_json_tree *value = &r->traits.value;

	pn_json_tree_clear(value);
	return r->has_chunks ? pn_perun_chunks_add(value, r->json, first,
						   &r->chunks, err)
			     : pn_json_tree_add(value, r->json, first, err);
}

uint32_t pn_perun_taken_text(struct pn_perun_reading *r)
{
	struct pn_buf text = {0};
	uint32_t id;

	pn_json_tree_write(&text, &r->traits.value, 0, PN_JSON_COMPACT);
	id = pn_strtab_add(&r->profile->strings, pn_buf_text(&text), text.len);
	pn_buf_release(&text);
	return id;
}

uint32_t pn_perun_key(struct pn_perun_reading *r)
{
	return pn_strtab_add(&r->profile->strings, pn_json_text(r->json),
			     pn_json_len(r->json));
}

void pn_perun_ids_add(struct pn_perun_ids *ids, uint32_t id)
{
	ids->items = pn_grow(ids->items, &ids->cap, ids->count + 1, sizeof(id));
	ids->items[ids->count++] = id;
}

int pn_perun_read_number(struct pn_perun_cell *out, struct pn_perun_reading *r,
			 uint32_t column, enum pn_json_event event,
			 struct pn_error *err)
{
	struct pn_json_tree *value = &r->traits.value;
	const char *text = pn_json_text(r->json);
	size_t len = pn_json_len(r->json);
	int code;

	if (event == PN_JSON_STRING && r->has_chunks) {
		code = pn_perun_take(r, event, err);
		if (code)
			return code;
		event = pn_json_tree_event(value, 0);
		text = pn_json_tree_text(value, 0, &len);
	}
	if (event != PN_JSON_NUMBER)
		return pn_perun_expected(r, "a number", event, err);
	code = pn_perun_cell_read(out, &r->build, column, text, len, err);
	return code ? pn_perun_at_path(r, code, err) : 0;
}

int pn_perun_read_objects(struct pn_perun_reading *r,
			  int (*each)(struct pn_perun_reading *r, void *to,
				      struct pn_error *err),
			  void *to, struct pn_error *err)
{
	enum pn_json_event event;
	int code;

	for (;;) {
		code = pn_json_next(&event, r->json, err);
		if (code || event == PN_JSON_ARRAY_END)
			return code;
		if (event != PN_JSON_OBJECT)
			return pn_perun_expected(r, "an object", event, err);
		code = each(r, to, err);
		if (code)
			return code;
	}
}
