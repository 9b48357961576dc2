/* Names of C++ and Rust as their authors wrote them. By libiberty. */
#ifndef PN_TEXT_DEMANGLE_H
#define PN_TEXT_DEMANGLE_H

#include "base/buf.h"

#include <stdbool.h>

#define PN_DEMANGLE_MAX 4096	   /* bytes of a mangled name */
#define PN_DEMANGLE_OUT_MAX 65536u /* substitutions may double a text often */

enum pn_language { PN_LANGUAGE_OTHER, PN_LANGUAGE_CXX, PN_LANGUAGE_RUST };

/*
 * Append the name that the mangled one stands for (Itanium C++ ABI; Rust's
 * legacy and v0), with the parameters of functions or without. Says which
 * language it was; for PN_LANGUAGE_OTHER nothing was appended: the name is not
 * mangled, or longer than the limits, or broken. Safe for hostile names.
 */
enum pn_language pn_demangle(struct pn_buf *out, const char *name,
			     bool parameters);

#endif
