/*
 * Texts as services of CI read them. Names are the repository's: no byte of
 * them may begin anything else than the name. What is not printed is told as
 * on a terminal (base/escape.h).
 */
#ifndef PN_JUDGED_CI_TEXT_H
#define PN_JUDGED_CI_TEXT_H

#include "base/buf.h"

#include <stdbool.h>

/* In XML, and as ` name="text"` of an element. */
void pn_ci_xml(struct pn_buf *out, const char *text);
void pn_ci_attribute(struct pn_buf *out, const char *name,
		     const struct pn_buf *text);

/* In GitHub's and GitLab's Markdown, where no byte begins a link, a mention,
 * HTML or another cell: all but plain ones by their numbers. Empties `text`. */
void pn_ci_markdown(struct pn_buf *out, struct pn_buf *text);
/* The same as a cell, " text |". */
void pn_ci_cell(struct pn_buf *out, struct pn_buf *text);

/* In a command of GitHub's workflows, as its toolkit does (actions/toolkit,
 * command.ts); `property` is what stands before the message. Empties `text`. */
void pn_ci_github(struct pn_buf *out, struct pn_buf *text, bool property);

#endif
