/* Index entries as people see them. */
#include "render/log/entry.h"

#include "base/escape.h"
#include "base/file.h"
#include "model/machine/quiet.h"
#include "render/quantity.h"

#include <inttypes.h>
#include <string.h>

void pn_job_text(struct pn_buf *out, const char *cmd, const char *args,
		 const char *workload)
{
	const char *const parts[] = {cmd, args, workload};
	size_t i;
	bool any = false;

	for (i = 0; i < 3; i++) {
		if (!*parts[i])
			continue;
		if (any)
			pn_buf_add_byte(out, ' ');
		pn_escape_terminal(out, parts[i], strlen(parts[i]));
		any = true;
	}
}

void pn_figure_text(struct pn_buf *out, const struct pn_figure *f)
{
	pn_escape_terminal(out, f->metric, strlen(f->metric));
	pn_buf_add_byte(out, ' ');
	pn_quantity_spread_text(out, f->median, f->spread, f->unit);
	if (f->n > 1)
		pn_buf_printf(out, " (n %" PRIu64 ")", f->n);
}

void pn_figure_noise_text(struct pn_buf *out, const struct pn_figure *f)
{
	if (f->noisy)
		pn_buf_add_text(out, "noisy");
	else if (f->left_out)
		pn_buf_printf(out, "%zu noisy record%s left out", f->left_out,
			      f->left_out == 1 ? "" : "s");
}

void pn_entry_noise_text(struct pn_buf *out, const struct pn_entry *entry)
{
	struct pn_quiet quiet;

	if (!pn_quiet_parse(&quiet, pn_entry_field(entry, PN_QUIET_FIELD)) ||
	    !pn_quiet_is_noisy(&quiet))
		return;
	pn_buf_add_text(out, "  (noisy: ");
	pn_quiet_reason(out, &quiet);
	pn_buf_add_byte(out, ')');
}

void pn_time_text(struct pn_buf *out, int64_t time_s)
{
	char text[PN_TIME_TEXT];

	pn_time_write_s(text, time_s);
	text[10] = ' ';
	pn_buf_add(out, text, 19);
}

void pn_entry_posts_text(struct pn_buf *out, const struct pn_entry *e)
{
	const char *names = pn_entry_field(e, "posts");
	size_t len;

	if (!*names)
		return;
	pn_buf_add_text(out, "  after ");
	for (; *names; names += len + (names[len] == ' ')) {
		len = strcspn(names, " ");
		pn_escape_terminal(out, names, len);
		if (names[len])
			pn_buf_add_text(out, ", ");
	}
}

size_t pn_entry_figures_text(struct pn_buf *out, const struct pn_entry *entry)
{
	const struct pn_figure *figures;
	struct pn_arena arena = {0};
	size_t i, count;

	pn_figures_of(&figures, &count, &arena, entry, 1);
	for (i = 0; i < count && i < PN_ENTRY_FIGURES; i++) {
		pn_buf_add_text(out, i ? ", " : "");
		pn_figure_text(out, &figures[i]);
	}
	pn_arena_release(&arena);
	return count - i;
}
