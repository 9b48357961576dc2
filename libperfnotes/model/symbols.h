/*
 * Cleaning up the names of a profile's functions, in place: what linkers call
 * a function becomes what people do.
 */
#ifndef PN_MODEL_SYMBOLS_H
#define PN_MODEL_SYMBOLS_H

#include "base/buf.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>

enum pn_demangling {
	PN_DEMANGLE_SIMPLE,    /* no parameters, no template arguments */
	PN_DEMANGLE_TEMPLATES, /* no parameters */
	PN_DEMANGLE_FULL,
	PN_DEMANGLE_NONE /* names stay as they are */
};

/* By name: "simple", "templates", "full", "none"; PN_ENOTFOUND lists them. */
int pn_demangling_find(enum pn_demangling *out, const char *name,
		       struct pn_error *err);
/* Append the names, with `between` between two. */
void pn_demangling_names(struct pn_buf *out, const char *between);

/*
 * Demangle the names of functions that are mangled (C++ and Rust); system
 * names stay, and hold the mangled name where there was none. What a compiler
 * made of one function stays apart: "f [clone .isra.0]".
 */
void pn_symbols_demangle(struct pn_profile *profile, enum pn_demangling how);

/* Append the name of one function as the above has it: false, and nothing
 * appended, where it stays as it is. */
bool pn_symbol_demangle(struct pn_buf *out, const char *name, size_t len,
			enum pn_demangling how);

/*
 * The length of a name without what compilers append to the parts and copies
 * that they make of a function: .isra, .part, .cold, .constprop, .llvm,
 * .lto_priv and .localalias, each with a number or without, any number of
 * them, as they are or in " [clone ...]".
 */
size_t pn_symbol_base(const char *name, size_t len);

/*
 * Append what stays of a name when a compiler or a small edit makes another
 * one of it: without the above, without template arguments, without the hash
 * that ends Rust's names.
 */
void pn_symbol_normal(struct pn_buf *out, const char *name, size_t len);

/* Take what pn_symbol_base() leaves out from all names: copies become one
 * function where names count. */
void pn_symbols_join_clones(struct pn_profile *profile);

#endif
