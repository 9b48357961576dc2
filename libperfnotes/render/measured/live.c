/* What is written over while a collection goes on. */
#include "render/measured/live.h"

#include "render/measured/snapshot.h"

void pn_live_progress(struct pn_live *live, FILE *to, int64_t now_ns,
		      const struct pn_runs_progress *runs)
{
	struct pn_buf text = {0};

	pn_terminal_block_clear(&live->top, to);
	if (!pn_terminal_line_due(&live->line, NULL, now_ns))
		return;
	pn_runs_progress_text(&text, runs);
	pn_terminal_line_show(&live->line, to, &text);
	pn_buf_release(&text);
}

int pn_live_snapshot(struct pn_live *live, FILE *to, const char *title,
		     struct pn_profile *snapshot, struct pn_error *err)
{
	struct pn_buf text = {0};
	int code = pn_snapshot_text(&text, title, snapshot,
				    pn_terminal_rows(to), err);

	if (!code)
		pn_terminal_block_show(&live->top, to, &text);
	pn_buf_release(&text);
	return code;
}

void pn_live_clear(struct pn_live *live, FILE *to)
{
	pn_terminal_line_clear(&live->line, to);
	pn_terminal_block_clear(&live->top, to);
}
