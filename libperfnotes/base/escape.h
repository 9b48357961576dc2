/* Text that is safe where it goes. */
#ifndef PN_BASE_ESCAPE_H
#define PN_BASE_ESCAPE_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Percent-encoding for index lines: letters, digits and "-._~/:+@,()[]{}*!'"
 * stand for themselves, every other byte (blank, %, =, ;, |, controls, all
 * above 126) is %XX with upper case digits. Canonical: equal bytes, equal text.
 */
void pn_escape_percent(struct pn_buf *out, const void *bytes, size_t len);
/* Takes %XX back. PN_EINVAL for a cut or wrong escape. */
int pn_unescape_percent(struct pn_buf *out, const char *text, size_t len);
/* The same to len + 1 bytes, which may be the text's own; a NUL behind it. */
int pn_unescape_percent_to(char *out, size_t *out_len, const char *text,
			   size_t len);

/*
 * For a terminal: controls (C0, C1, DEL), invalid UTF-8, bidirectional
 * formatting characters, U+2028, U+2029, U+FFFE and U+FFFF become \xXX or
 * \u{XXXX}; the rest stays.
 */
void pn_escape_terminal(struct pn_buf *out, const void *bytes, size_t len);

/* The same line by line, so that a line feed stays one; a tab that a line
 * begins with is four blanks. */
void pn_escape_lines(struct pn_buf *out, const char *text);

/* Whether that is done to a character: JSON for a terminal has \uXXXX then. */
bool pn_escape_is_unsafe(uint32_t c);

/* As one word of a POSIX shell: quoted only when it needs to be. */
void pn_escape_shell(struct pn_buf *out, const char *word);

#endif
