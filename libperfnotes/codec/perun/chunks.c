/* Chunks: read, and put in place of their names. */
#include "codec/perun/chunks.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* Put the chunk of this name, if there is one, in its place. */
static int add_chunk(bool *found, struct pn_json_tree *v, const char *text,
		     size_t len, struct pn_perun_chunks *chunks,
		     struct pn_error *err)
{
	const struct pn_json_tree *all = &chunks->value;
	uint32_t id;
	size_t i, end;

	*found = false;
	if (!pn_strtab_find(&id, &chunks->names, text, len) ||
	    chunks->first[id] == SIZE_MAX)
		return 0;
	*found = true;
	end = pn_json_tree_end(all, chunks->first[id]);
	for (i = chunks->first[id]; i < end; i++) {
		const struct pn_json_item *item = &all->items[i];
		uint64_t cost = (uint64_t)item->len + sizeof(*item);

		if (chunks->budget < cost)
			return pn_error_set(err, PN_ELIMIT,
					    "chunks expand to too much");
		chunks->budget -= cost;
		if (pn_json_tree_add_item(v, (enum pn_json_event)item->event,
					  pn_buf_text(&all->text) + item->at,
					  item->len, err))
			return err ? err->code : PN_ELIMIT;
	}
	return 0;
}

static int add_event(struct pn_json_tree *v, struct pn_json *json,
		     enum pn_json_event event, struct pn_perun_chunks *chunks,
		     struct pn_error *err)
{
	bool found = false;
	int code = 0;

	if (event == PN_JSON_STRING)
		code = add_chunk(&found, v, pn_json_text(json),
				 pn_json_len(json), chunks, err);
	if (!code && !found)
		code = pn_json_tree_add_event(v, json, event, err);
	return code;
}

int pn_perun_chunks_add(struct pn_json_tree *out, struct pn_json *json,
			enum pn_json_event first,
			struct pn_perun_chunks *chunks, struct pn_error *err)
{
	enum pn_json_event event = first;
	size_t depth = 0;
	int code;

	do {
		code = add_event(out, json, event, chunks, err);
		if (!code)
			code = pn_json_read_on(&event, &depth, json, err);
	} while (code > 0);
	return code;
}

int pn_perun_chunks_read(struct pn_perun_chunks *out, struct pn_json *json,
			 struct pn_error *err)
{
	enum pn_json_event event;
	size_t had;
	uint32_t id;
	int code;

	for (;;) {
		code = pn_json_next(&event, json, err);
		if (code || event == PN_JSON_OBJECT_END)
			return code;
		had = out->cap;
		id = pn_strtab_add(&out->names, pn_json_text(json),
				   pn_json_len(json));
		out->first = pn_grow(out->first, &out->cap, (size_t)id + 1,
				     sizeof(*out->first));
		for (; had < out->cap; had++)
			out->first[had] = SIZE_MAX;
		out->first[id] = out->value.count;
		code = pn_json_next(&event, json, err);
		if (!code)
			code = pn_json_tree_add(&out->value, json, event, err);
		if (code)
			return code;
	}
}

void pn_perun_chunks_release(struct pn_perun_chunks *chunks)
{
	pn_strtab_release(&chunks->names);
	pn_json_tree_release(&chunks->value);
	free(chunks->first);
	memset(chunks, 0, sizeof(*chunks));
}
