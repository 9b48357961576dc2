/* The verdict on a commit: as text for people, and as others read it. */
#ifndef PN_JUDGED_CHECK_H
#define PN_JUDGED_CHECK_H

#include "analysis/judge/judge.h"
#include "base/buf.h"
#include "render/palette.h"

#include <stdio.h>

struct pn_check_print {
	bool all; /* rows and numbers */
	const struct pn_palette *palette;
};

/* One format: a file each, a row of the table in check.c. */
struct pn_check_format {
	const char *name;
	void (*print)(FILE *to, const struct pn_judge_report *report,
		      const struct pn_check_print *print);
};

extern const struct pn_check_format pn_check_text;
extern const struct pn_check_format *const pn_check_formats[]; /* NULL ends */

const struct pn_check_format *pn_check_format_find(const char *name);
void pn_check_format_names(struct pn_buf *out, const char *between);

#endif
