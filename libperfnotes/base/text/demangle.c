/* Names of C++ and Rust. */
#include "base/text/demangle.h"

#include <libiberty/demangle.h>

#include <setjmp.h>
#include <stddef.h>
#include <string.h>

struct writing {
	struct pn_buf *out;
	size_t start;
	jmp_buf full;
};

/* libiberty's own text has no limit. It has allocated nothing that a jump out
 * of it would leave behind: its tables are on the stack. */
static void write_piece(const char *text, size_t len, void *to)
{
	struct writing *w = to;

	if (w->out->len - w->start + len > PN_DEMANGLE_OUT_MAX)
		longjmp(w->full, 1);
	pn_buf_add(w->out, text, len);
}

static bool is_mangled(const char *name)
{
	return !strncmp(name, "_Z", 2) || !strncmp(name, "_R", 2) ||
	       !strncmp(name, "__Z", 3);
}

static void take_back(struct pn_buf *out, size_t len)
{
	out->len = len;
	if (out->data)
		out->data[len] = '\0';
}

/* Rust's legacy names are valid C++ ones, too: they are asked for first. */
static enum pn_language demangle(struct writing *w, const char *name,
				 int options)
{
	if (rust_demangle_callback(name, options, write_piece, w))
		return PN_LANGUAGE_RUST;
	take_back(w->out, w->start);
	if (cplus_demangle_v3_callback(name, options, write_piece, w))
		return PN_LANGUAGE_CXX;
	take_back(w->out, w->start);
	return PN_LANGUAGE_OTHER;
}

enum pn_language pn_demangle(struct pn_buf *out, const char *name,
			     bool parameters)
{
	const int options = parameters ? DMGL_PARAMS | DMGL_ANSI : DMGL_ANSI;
	struct writing w = {.out = out, .start = out->len};

	if (!is_mangled(name) || strlen(name) > PN_DEMANGLE_MAX)
		return PN_LANGUAGE_OTHER;
	if (setjmp(w.full)) {
		take_back(w.out, w.start);
		return PN_LANGUAGE_OTHER;
	}
	/* macOS puts one more '_' before each name */
	return demangle(&w, name[1] == '_' ? name + 1 : name, options);
}
