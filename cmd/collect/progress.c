/* Progress of a collection, on a terminal. */
#include "progress.h"

#include "base/buf.h"
#include "base/escape.h"
#include "base/file.h"
#include "render/measured/time_unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SHOW_EVERY_NS 100000000
#define TITLE_MAX 60 /* bytes of a command in the line */

void progress_show(struct progress *view, const struct pn_collect_progress *p,
		   const char *title)
{
	int64_t now = pn_time_monotonic_ns();
	struct pn_buf line = {0};
	char median[PN_TIME_UNIT_TEXT] = "";

	if (view->visible && now - view->shown_ns < SHOW_EVERY_NS)
		return;
	view->shown_ns = now;
	view->visible = true;
	if (!isnan(p->median_ns)) {
		struct pn_time_unit unit = pn_time_unit_of(NULL, p->median_ns);

		pn_time_unit_write(median, p->median_ns, unit,
				   pn_time_unit_digits(p->median_ns / unit.ns));
	}
	pn_buf_printf(&line, "%" PRIu64 "/%" PRIu64 " runs", p->done,
		      p->expected);
	if (p->left_ns > 0)
		pn_buf_printf(&line, ", %" PRId64 " s left",
			      p->left_ns / 1000000000 + 1);
	pn_buf_printf(&line, "%s%s  %s", *median ? ", median " : "", median,
		      p->warming_up ? "warming up " : "");
	pn_escape_terminal(&line, title,
			   strlen(title) < TITLE_MAX ? strlen(title)
						     : TITLE_MAX);
	fprintf(stderr, "\r\033[K%s", pn_buf_text(&line));
	fflush(stderr);
	pn_buf_release(&line);
}

void progress_clear(struct progress *view)
{
	if (view->visible)
		fputs("\r\033[K", stderr);
	view->visible = false;
}
