/* Where one is, as JSON. */
#include "render/log/doubts.h"
#include "render/log/entry.h"
#include "render/log/lines.h"
#include "render/log/status.h"

static void progress_member(struct pn_json_writer *w, const struct pn_status *s)
{
	size_t i;

	if (!s->in_progress_count)
		return;
	pn_json_key(w, "in_progress");
	pn_json_open(w, '[');
	for (i = 0; i < s->in_progress_count; i++)
		pn_json_string(w, s->in_progress[i]);
	pn_json_close(w, ']');
}

static void pending_object(struct pn_json_writer *w,
			   const struct pn_status_pending *p)
{
	char hex[PN_OID_HEX + 1];

	pn_json_open(w, '{');
	pn_json_member(w, "path", p->path);
	if (!pn_oid_is_zero(&p->origin)) {
		pn_oid_hex(hex, &p->origin);
		pn_json_member(w, "origin", hex);
	}
	if (p->entry->line)
		pn_entry_json(w, p->entry);
	else
		pn_json_member_time(w, "time", p->time_ns);
	pn_json_close(w, '}');
}

void pn_status_json(struct pn_buf *out, const struct pn_status *s)
{
	struct pn_json_writer w;
	char hex[PN_OID_HEX + 1];
	size_t i;

	pn_json_writer_init(&w, out, 2);
	pn_json_open(&w, '{');
	pn_json_member_int(&w, "version", 1);
	pn_json_member(&w, "command", "status");
	if (*s->branch)
		pn_json_member(&w, "branch", s->branch);
	pn_oid_hex(hex, &s->commit);
	if (!s->unborn)
		pn_json_member(&w, "commit", hex);
	progress_member(&w, s);
	if (pn_status_is_interrupted(s)) {
		pn_json_key(&w, "interrupted");
		pn_json_bool(&w, true);
	}
	pn_json_key(&w, "profiles");
	pn_json_open(&w, '[');
	for (i = 0; i < s->entry_count; i++) {
		pn_json_open(&w, '{');
		pn_entry_json(&w, &s->entries[i]);
		pn_json_close(&w, '}');
	}
	pn_json_close(&w, ']');
	pn_log_series_json(&w, s->rows, s->row_count);
	pn_json_key(&w, "pending");
	pn_json_open(&w, '[');
	for (i = 0; i < s->pending_count; i++)
		pending_object(&w, &s->pending[i]);
	pn_json_close(&w, ']');
	pn_json_member_int(&w, "queued", (int64_t)s->queued);
	pn_json_key(&w, "worker");
	pn_json_bool(&w, s->worker);
	pn_json_key(&w, "waits");
	pn_json_bool(&w, s->waits);
	if (s->regressions)
		pn_json_member_int(&w, "regressions", (int64_t)s->regressions);
	if (s->regressions && s->since_tag)
		pn_json_member(&w, "since_tag", s->since_tag);
	if (s->doubts)
		pn_doubts_json(&w, s->doubts);
	if (s->unmeasured)
		pn_json_member(&w, "unmeasured", s->unmeasured);
	if (s->compared) {
		pn_json_member_int(&w, "unpushed", (int64_t)s->unpushed);
		pn_json_member_int(&w, "fetched", (int64_t)s->fetched);
	}
	pn_json_close(&w, '}');
	pn_buf_add_byte(out, '\n');
}
