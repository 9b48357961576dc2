/* Text, data, scripts and styles in documents of HTML and SVG: whatever is
 * written, nothing but our own scripts runs in them, and no network is asked.
 */
#ifndef PN_HTML_HTML_H
#define PN_HTML_HTML_H

#include "base/buf.h"

#include <stddef.h>

/* As text of XML and HTML, and of their attributes in double quotes. Controls,
 * bytes that are no UTF-8 and what XML does not know are written out. */
void pn_html_text(struct pn_buf *out, const char *text, size_t len);
/* The same of several lines. */
void pn_html_lines(struct pn_buf *out, const char *text);
/* As a JSON string inside of an element: what XML and HTML would read is
 * written as \u. */
void pn_html_json(struct pn_buf *out, const char *text, size_t len);
/* RFC 4648, section 4. */
void pn_html_base64(struct pn_buf *out, const void *bytes, size_t len);
/* JSON that is much: as a zlib stream in base64. */
void pn_html_packed(struct pn_buf *out, const void *bytes, size_t len);

/* Scripts and styles of a page, in their order; NULL ends both. */
struct pn_html_page {
	const char *const *scripts, *const *styles;
};

/* Up to the end of the head: the policy of the page names its scripts and
 * styles by their hashes. `title` is plain text. */
void pn_html_begin(struct pn_buf *out, const struct pn_html_page *page,
		   const char *title);
/* The scripts and the end of the document. */
void pn_html_end(struct pn_buf *out, const struct pn_html_page *page);

#endif
