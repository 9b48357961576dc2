/* The state of hooks. */
#include "render/run/hooked.h"

#include "base/escape.h"
#include "base/json/json.h"
#include "base/text/width.h"
#include "render/log/doubts.h"
#include "render/run/worked.h"

#include <string.h>

static const char *explain(const char *state)
{
	static const char *const texts[][2] = {
		{"absent", "not installed"},
		{"foreign", "not installed; another hook is there"},
		{"inactive", "installed, but the file is not executable"},
		{"installed", "installed"},
		{"outdated", "a block of another version; install renews it"}};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (!strcmp(texts[i][0], state))
			return texts[i][1];
	return state;
}

void pn_hooked_text(struct pn_buf *out, const struct pn_hooked *h, size_t width)
{
	struct pn_buf doubts = {0};
	const char *dir = h->folder;
	size_t i;

	pn_buf_add_text(out, "hooks in '");
	pn_escape_terminal(out, dir, strlen(dir));
	pn_buf_add_text(out, "':\n");
	for (i = 0; i < h->count; i++)
		pn_buf_printf(out, "  %-14s%s\n", h->rows[i].name,
			      explain(h->rows[i].state));
	pn_buf_add_text(out, "mode ");
	pn_escape_terminal(out, h->mode, strlen(h->mode));
	pn_buf_printf(out, ", %zu commit%s queued, %s\n", h->queued,
		      h->queued == 1 ? "" : "s",
		      pn_worked_state(h->worker, h->waits));
	pn_doubts_text(&doubts, h->doubts);
	pn_text_wrap(out, pn_buf_text(&doubts), doubts.len, width, 2);
	pn_buf_release(&doubts);
}

void pn_hooked_json(struct pn_buf *out, const struct pn_hooked *h)
{
	struct pn_json_writer w;
	size_t i;

	pn_json_writer_init(&w, out, 2);
	pn_json_open(&w, '{');
	pn_json_member_int(&w, "version", 1);
	pn_json_member(&w, "command", "hooks");
	pn_json_member(&w, "folder", h->folder);
	pn_json_member(&w, "mode", h->mode);
	pn_json_key(&w, "hooks");
	pn_json_open(&w, '[');
	for (i = 0; i < h->count; i++) {
		pn_json_open(&w, '{');
		pn_json_member(&w, "name", h->rows[i].name);
		pn_json_member(&w, "path", h->rows[i].path);
		pn_json_member(&w, "state", h->rows[i].state);
		pn_json_close(&w, '}');
	}
	pn_json_close(&w, ']');
	pn_json_member_int(&w, "queued", (int64_t)h->queued);
	pn_json_key(&w, "worker");
	pn_json_bool(&w, h->worker);
	pn_json_key(&w, "waits");
	pn_json_bool(&w, h->waits);
	pn_doubts_json(&w, h->doubts);
	pn_json_close(&w, '}');
	pn_buf_add_byte(out, '\n');
}
