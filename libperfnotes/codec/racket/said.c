/* The extra "racket". */
#include "codec/racket/said.h"

#include "base/alloc.h"
#include "base/json/json.h"
#include "codec/racket/racket.h"

#include <stdlib.h>
#include <string.h>

void pn_racket_said_release(struct pn_racket_said *said)
{
	size_t i;

	for (i = 0; i < said->cap; i++)
		pn_buf_release(&said->threads[i]);
	free(said->threads);
	pn_strtab_release(&said->labels);
	pn_buf_release(&said->members);
}

static int take_threads(struct pn_racket_said *said, struct pn_json *json,
			struct pn_error *err)
{
	enum pn_json_event event;
	size_t had;
	uint32_t id;
	int code;

	while (!(code = pn_json_next(&event, json, err)) &&
	       event == PN_JSON_KEY) {
		id = pn_strtab_add(&said->labels, pn_json_text(json),
				   pn_json_len(json));
		had = said->cap;
		said->threads = pn_grow(said->threads, &said->cap,
					(size_t)id + 1, sizeof(*said->threads));
		memset(said->threads + had, 0,
		       (said->cap - had) * sizeof(*said->threads));
		pn_buf_clear(&said->threads[id]);
		code = pn_json_next(&event, json, err);
		if (!code)
			code = pn_json_copy(&said->threads[id], json, event,
					    err);
		if (code)
			return code;
	}
	return code;
}

/* A member is copied, but for the threads of nodes. */
static int take_said(struct pn_racket_said *said, struct pn_json *json,
		     struct pn_error *err)
{
	enum pn_json_event event;
	bool threads;
	int code;

	code = pn_json_expect(json, PN_JSON_OBJECT, err);
	while (!code && !(code = pn_json_next(&event, json, err)) &&
	       event == PN_JSON_KEY) {
		threads = !strcmp(pn_json_text(json), "thread_ids");
		if (threads) {
			code = pn_json_next(&event, json, err);
			if (!code && event != PN_JSON_OBJECT)
				code = pn_json_skip(json, event, err);
			else if (!code)
				code = take_threads(said, json, err);
			continue;
		}
		pn_buf_printf(&said->members, "\"%s\":", pn_json_text(json));
		code = pn_json_next(&event, json, err);
		if (!code)
			code = pn_json_copy(&said->members, json, event, err);
		pn_buf_add_byte(&said->members, ',');
	}
	return code;
}

int pn_racket_said_read(struct pn_racket_said *said, const struct pn_profile *p,
			struct pn_error *err)
{
	const struct pn_header *header = &p->header;
	struct pn_reader *in = NULL;
	struct pn_json *json;
	size_t i;
	int code = 0;

	for (i = 0; !code && i < header->extra_count; i++) {
		uint32_t text = header->extras[i].value;

		if (strcmp(pn_profile_text(p, header->extras[i].key),
			   PN_RACKET_EXTRA) != 0)
			continue;
		code = pn_reader_memory(&in, pn_profile_text(p, text),
					pn_strtab_len(&p->strings, text),
					"the extra racket", 0, err);
		if (code)
			break;
		json = pn_json_new(in);
		code = take_said(said, json, err);
		pn_json_free(json);
		pn_reader_free(in);
	}
	return code;
}
