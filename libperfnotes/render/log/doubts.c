/* Why hooks measure nothing. */
#include "render/log/doubts.h"

#include "base/escape.h"

#include <string.h>

void pn_doubts_text(struct pn_buf *out, const char *doubts)
{
	size_t len;

	for (; *doubts; doubts += len + (doubts[len] == '\n')) {
		len = strcspn(doubts, "\n");
		pn_escape_terminal(out, doubts, len);
		pn_buf_add_byte(out, '\n');
	}
}

void pn_doubts_json(struct pn_json_writer *w, const char *doubts)
{
	struct pn_buf line = {0};
	size_t len;

	if (!*doubts)
		return;
	pn_json_key(w, "doubts");
	pn_json_open(w, '[');
	for (; *doubts; doubts += len + (doubts[len] == '\n')) {
		len = strcspn(doubts, "\n");
		pn_buf_clear(&line);
		pn_buf_add(&line, doubts, len);
		pn_json_string(w, pn_buf_text(&line));
	}
	pn_json_close(w, ']');
	pn_buf_release(&line);
}
